"""Who writes all small: names get their capitals back, so that what knows a name by them finds it.

Only a turn without a capital is read so, and only for values that are names.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from muniment.domain.extraction import nouns, words
from muniment.domain.extraction.clauses import Sentence, is_other
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.verbs import LEMMA
from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late

_NAMED: Final = frozenset({"name", "pet", "employer", "timezone"})
_BY: Final = (
    "type.",
    "build.",
    "pet.named",
    "topic.pet",
    "timezone",
    "cue.employer",
    "name.called",
)

_ZONES: Final = word_set(
    """
    utc gmt cet cest eet eest wet west bst ist jst kst sgt aest aedt awst acst nzst nzdt nzt pst pdt
    mst mdt cst cdt edt hkt msk sast eat wat cat pkt gst wib brt
    """
)
_COMMON: Final = word_set(
    """
    a an the and or but so if then than that this these those there here where when what which who
    whom whose why how not no yes ok okay oh ah hey hi hello well just only also too very really
    quite pretty much many more most some any every each all both few little less least other
    another same own such as at by for from in into of off on onto out over to up down with without
    within about above after again against along among around before behind below beneath beside
    between beyond despite during except inside like near outside past since through till toward
    under until upon via i me my mine we us our ours you your yours he him his she her hers it its
    they them their theirs am is are was were be been being have has had do does did will would
    shall should can could may might must now today tonight tomorrow yesterday morning evening
    afternoon night noon day days week weeks weekend month months year years hour hours minute
    minutes second seconds time times once twice always never often sometimes usually still yet
    already soon later ago early late long short big small new old good bad best better worse worst
    great fine nice right wrong sure true false real high low full empty open free busy ready happy
    sad easy hard fast slow hot cold warm cool dry clean dirty cheap dear red blue green black white
    brown grey pink yellow orange purple one two three four five six seven eight nine ten eleven
    twelve twenty thirty forty fifty hundred thousand million half first last next back away home
    work job thing things stuff way place bit lot kind sort name names person people guy man woman
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays january february march april june july august september october
    november december spring summer autumn winter please thanks thank sorry btw lol pls thx gonna
    wanna gotta im ive dont doesnt didnt cant wont isnt thats whats lets maybe perhaps anyway though
    although because while however instead else even ever rather almost enough quickly slowly
    finally actually basically probably currently officially recently completely totally called
    named known side end line desk table chair door window floor wall room kitchen garden street
    road town city country world part piece number list order price cost rate fee money cash card
    bill tax rent data report chart file page code test app server system tool site web email mail
    text message call phone chat question answer idea plan note news problem issue error bug fix
    food water coffee tea milk bread meat fish rice cheese egg eggs dinner lunch breakfast car bus
    train bike plane boat walk trip holiday weather rain snow sun book film music song game sport
    health doctor hospital body head hand hands foot feet eye eyes ear ears hair heart blood sleep
    dream life death love luck sense point case fact reason result side zone clock clocks sales
    sale marketing finance growth analytics product products design support service services legal
    research science procurement logistics operations ops retail maintenance engineering platform
    billing payments security training wages salary books payroll contract notice staff shift shifts
    bottom top left middle front rest both own usual whole main only single double big household
    girl boy lad lass resident local native fan keyboard lap mouse diet insulin vet noon postman
    lease flat house keys boxes box bags bag badge title role position trade profession boss bosses
    wife husband kids son daughter mother father brother sister friend friends everyone everybody
    somebody nobody anyone someone anything everything nothing something whatever whenever
    """
)
_LETTERS: Final = late(r"[a-z]{3,}")
_WORD: Final = late(r"(?<![\w@./'’#-])[a-zà-ÿ][a-zà-ÿ]{2,}(?![\w@/]|\.\w)")
_ZONE: Final = late(r"\b[a-z]{3,4}\b(?=$|[ ,.!?;+-])")
_ABOUT_NAMES: Final = late(
    rf"\b(?:names?|calls?|called|known as|go by|speaking|here|it is|I am|we are|sign|work\w*|jobs?"
    rf"|hired|joined|employ\w*|boss|team|books|payroll|at|with|for|zone|tz|time|clock|utc|gmt|live"
    rf"|moved?|based|home|{words.SPECIES})\b",
    re.IGNORECASE,
)


@cache
def _known() -> frozenset[str]:
    """The words of which the lists of the extractor are made."""
    listed = (
        words.PERSON,
        words.ROLE_HEAD,
        words.CHANNEL,
        words.SPECIES,
        nouns.HOUSEHOLD,
        nouns.KIN,
        nouns.HELPERS,
        nouns.GROUPS,
        nouns.ILLNESS,
        nouns.STATUS,
        nouns.EQUIPMENT,
        nouns.DATED,
    )
    plain = {word for one in listed for word in _LETTERS.findall(one.lower())}
    return frozenset({*plain, *(f"{word}s" for word in plain), *LEMMA, *_COMMON})


def names_something(found: Found) -> bool:
    """Whether it is of a slot whose values are names, by a rule that needs more than capitals."""
    return found.slot in _NAMED and found.rule.startswith(_BY)


def with_capitals(sentences: Sequence[Sentence]) -> list[Sentence] | None:
    """The sentences with capitals where a word is in no list; None where that changes nothing."""
    text = " ".join(one.text for one in sentences)
    if re.search(r"[A-ZÀ-Þ]", re.sub(r"\bI\b", "", text)) or not _ABOUT_NAMES.search(text):
        return None
    if _raised(text) == text:
        return None
    return [
        Sentence(
            _raised(one.text),
            tuple(
                replace(
                    clause,
                    text=_raised(clause.text),
                    whole=_raised(clause.whole),
                    other=is_other(_raised(clause.text)),
                )
                for clause in one.clauses
            ),
        )
        for one in sentences
    ]


def _raised(text: str) -> str:
    known = _known()

    def raise_word(match: re.Match[str]) -> str:
        word = match.group()
        plain = word in known or word.endswith(("ing", "ly", "ness", "tion", "ed"))
        return word if plain else word.capitalize()

    zoned = _ZONE.sub(
        lambda one: one.group().upper() if one.group() in _ZONES else one.group(), text
    )
    return _WORD.sub(raise_word, zoned)
