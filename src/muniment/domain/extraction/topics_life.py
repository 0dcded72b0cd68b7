"""Values of a private life that their topic gives away."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.domain.extraction.clauses import Clause
from muniment.domain.extraction.shapes import TECHNOLOGY, allergen, disliked
from muniment.domain.extraction.values import (
    ZONE,
    address,
    place,
    several,
)
from muniment.domain.extraction.words import (
    CAPITAL,
    DENIED,
    LANGUAGE,
    PLACE_NAME,
    SPECIES,
    first_group,
)
from muniment.domain.late import late

_MINE: Final = late(r"\b(?:I|we|my|our|me|us|mine|ours)\b", re.IGNORECASE)
_ADDRESS_TOPIC: Final = late(
    r"\b(?:live|living|address|home|house|flat|apartment|place|move[ds]?|moving|parcels?"
    r"|packages?|deliver\w*|ship\w*"
    r"|post\w*|direct(?:ed)?|mail|send|sent|door|courier|pick ?up|office|studio|shop|unit|street"
    r"|find (?:me"
    r"|us)|drop|keys?|it is"
    r"|based|lives?|sits?|visit|come|we are|I am)\b",
    re.IGNORECASE,
)
_ADDRESS_OF_OTHERS: Final = late(
    r"\b(?:restaurant|hotel|conference|venue|customer|client|dentist|doctor|party|supplier|his"
    r"|her|their|meeting|switch me|plan|tier|upgrade|downgrade|contract|invoice|version|"
    r"appointment|pick ?up point|at the clinic)\b",
    re.IGNORECASE,
)


def addresses(clause: Clause, around: str) -> Iterator[str]:
    """A street with its number."""
    found = address(clause.text)
    if (
        found is not None
        and _ADDRESS_TOPIC.search(around)
        and not _ADDRESS_OF_OTHERS.search(around)
    ):
        yield found


_ALLERGIC: Final = late(
    r"\ballerg(?:ic|y|ies) (?:reaction )?(?:to|against|is|are|:) (?:to )?(?P<v>\S.*)"
    r"|\b(?:an?|my|the|bad|severe|nasty|known|serious|has|have|with) (?P<v2>[\w-]+(?: [\w-]+)?) "
    r"(?:allergy|intolerance)\b"
    r"|\b(?P<v3>[\w-]+) (?:allergic|intolerant)\b|\b(?:can not|must not|may not) (?:have|eat"
    r"|touch|take|tolerate|be near"
    r"|be given|get near|handle|drink) (?:any |a |the )?(?P<v4>[\w-]+(?: [\w-]+)?)"
    r"|\breact(?:s|ed)? (?:badly |strongly |violently |terribly )?to (?P<v5>[\w-]+(?: [\w-]+)?)"
    r"|(?:^|[:,] )(?P<v6>[\w-]+(?: [\w-]+)?) (?:gives?|brings?|sends?|makes?|puts?|lands?) me "
    r"(?:in |into |out |to the |hives|a"
    r" rash|swell|wheez|itch|to (?:hospital|the er|a&e))",
    re.IGNORECASE,
)
_ILL: Final = late(
    r"allerg|\bhives\b|\brash|anaphyl|epi-?pen|swell|swollen|airway|throat clos|closes my throat"
    r"|\breact(?:s|ed|ion)\b"
    r"|intoleran|wheez|blister|hospital|\bthe (?:ER|ICU)\b|\bA&E\b",
    re.IGNORECASE,
)


def allergies(clause: Clause, around: str) -> Iterator[str]:
    """What the body does not bear."""
    match = _ALLERGIC.search(clause.text)
    if match is None or not _ILL.search(around) or not _MINE.search(clause.text):
        return
    said = first_group(match)
    if re.match(
        r"(?:am|is|are|was|not|really|very|so|I|we|highly|badly|severely|deathly|an?|no) ?\b", said
    ):
        return
    if re.search(
        r"\b(?:not|no|never)\b(?! (?:have|eat|touch|take|tolerate|be|get|handle|drink))",
        clause.text[: match.start()],
    ):
        return
    yield from several(said, allergen)


_PET: Final = late(
    rf"\b(?:my|our|the|a|an|one|new|this) (?:[\w'-]+ ){{0,4}}?{SPECIES}\b[^.]{{0,30}}?(?:called"
    rf"|named|name is|name of|,|:"
    rf"|is|goes by|answers to|we call (?:him|her|it)) (?P<v>{CAPITAL})\b"
    rf"|\b(?P<v2>{CAPITAL}),? (?:is |being )?(?:my|our|the|a|an) (?:[\w'-]+ ){{0,4}}?{SPECIES}\b"
    rf"|\b(?P<v3>{CAPITAL}) the {SPECIES}\b|\b{SPECIES} (?P<v4>{CAPITAL})\b",
    re.IGNORECASE,
)
_NO_PET: Final = late(
    r"(?:I|We|My|Our|The|He|She|It|They|You|This|That|A|An|And|But|So|Is|His|Her|Mr|Mrs|Ms|Dr"
    r"|There|Here|Got|Have|Called"
    r"|Also|Yes|No|Just|Who|Which)$"
)


def pets(clause: Clause, _around: str) -> Iterator[str]:
    """The name of an animal."""
    match = _PET.search(clause.text)
    if match is None or DENIED.search(clause.text[: match.start()]) or _WANTED.search(clause.text):
        return
    name = first_group(match)
    if not _NO_PET.match(name) and name != name.upper():
        yield name


_WANTED: Final = late(
    r"\b(?:I|we) (?:really |just |do |only )*(?:want|need|would like|dream(?:ed|t)? of) (?:an?"
    r"|another)\b",
    re.IGNORECASE,
)


_ZONE_TOPIC: Final = late(
    r"\b(?:I am|we are|my|our|me|I work|I live|times?|hours|clock|schedule|calendar|meetings?"
    r"|zone|agenda)\b",
    re.IGNORECASE,
)


def zones(clause: Clause, _around: str) -> Iterator[str]:
    """The time zone that one keeps."""
    match = ZONE.search(clause.whole) or re.search(
        r"\b(?:pacific|eastern|central|mountain) time\b", clause.whole, re.IGNORECASE
    )
    if match is None or DENIED.search(clause.whole[: match.start()]):
        return
    if _ZONE_TOPIC.search(clause.whole) and not re.search(
        r"\b(?:column|table|field|timestamps?|csv|export|server|logs?|data|rows?|chart|deadline"
        r"|flight|\d{1,2}(?::\d\d"
        r")? ?(?:am|pm)?) ?(?:is|are)? ?\b(?=.{0,12}$)|\w+_\w+|\bat \d",
        clause.whole,
        re.IGNORECASE,
    ):
        yield match.group()


_LANGUAGE_TOPIC: Final = late(
    rf"\b(?:write|writes?|speak|talk|answer|reply|respond|stick|keep|switch|prefer|use|chat"
    rf"|address|converse|message"
    rf"|explain|everything|all|always|only|want|like|rather)\b[^.]*?\b(?P<v>{LANGUAGE})\b(?! "
    rf"(?:people|team|client|office"
    r"|customers?|market|teacher|class|course|lessons?|keyboard|colleagues?|version|food))",
    re.IGNORECASE,
)
_WITH_ME: Final = late(r"\b(?:me|us|you|I|we|my|our)\b", re.IGNORECASE)
_OF_OTHERS: Final = late(
    r"\b(?:they|them|him|her|he|she|clients?|customers?|suppliers?|people|testers?|learn\w*"
    r"|translat\w*|in my name|anything you write|novel|book"
    r"|write to them|letter|email to|post|text for|subject|page|poem|from \w+ (?:and \w+ )?to)\b",
    re.IGNORECASE,
)


def languages(clause: Clause, _around: str) -> Iterator[str]:
    """The language in which one is to be spoken to."""
    match = _LANGUAGE_TOPIC.search(clause.text)
    if (
        match is not None
        and not re.match(
            r"(?:and |so |but )?you (?:can|may|could)\b(?! only)", clause.text, re.IGNORECASE
        )
        and not re.search(
            r"\b(?:fluent\w*|well|decent\w*|good|native\w*|bit of|some|badly"
            r"|enough)\b",
            clause.text,
        )
        and not re.fullmatch(
            rf"(?:I|we) (?:also )?(?:speak|use|write) {LANGUAGE}[.!]*", clause.text, re.IGNORECASE
        )
        and _WITH_ME.search(clause.text)
        and not _OF_OTHERS.search(clause.text)
        and not re.search(r"\b(?:not|never|no)\b", clause.text[: match.end()])
    ):
        yield match["v"]


_HOME_TOPIC: Final = late(
    r"\b(?:live[sd]?|living|lives|mov(?:e|ed|ing)|relocat\w+|home|based|settl\w+|resid\w+|flat"
    r"|apartment|house|place"
    r"|rent\w*|lease|landlord|neighbou?rhood|unpack\w*|keys|bought|packing|landed|new city"
    r"|hometown)\b",
    re.IGNORECASE,
)
_IN_CITY: Final = late(
    r"\b(?:I|we|(?:my|our) (?:new |own |current )?(?:home|flat|place|house|apartment|base"
    r"|family))\b[^.;,]*?"
    rf"\b(?:in|to|outside|near|into|around) (?:downtown |central |sunny |rainy |good old )?"
    rf"{PLACE_NAME}",
    re.IGNORECASE,
)
_NO_CITY: Final = late(
    r"\b(?:meeting|conference|office|customers?|clients?|warehouse|visit\w*|trip|holiday"
    r"|vacation|flight|fly\w*|train"
    r"|wedding|for the (?:week|weekend|day)|data|table|column|prod\w*|deploy\w*|servers?|cluster"
    r"|region|store|shop"
    r"|brother|sister|mother|father|mum|mom|dad|parents|friend|colleague|son|daughter|in "
    r"(?:January|February|March"
    r"|April|May|June|July|August|September|October|November|December)|born|grew up|from|study"
    r"|studied|used to"
    r"|hotel|this week|next week|weekend|stay\w* (?:at|with)|team)\b"
    r"|\b(?:could|can|might|would|may) (?:well |even |easily |almost |not )?"
    r"(?:imagine|see|picture)\b"
    r"|\b(?:takes?|took|taking|find(?:ing)?|found) (?:a |its )?place\b|\bto (?:let|rent out)\b"
    r"|\b(?:I|we) (?:rent out|let) (?:to|it)\b|\bthat (?:I|we) (?:let|rent out)\b|\bshares in\b"
    r"|\bmov(?:e|ed|ing) (?:the|our|my|all|some) (?:\w+ )?(?:files?|documents?|accounts?|money"
    r"|funds)\b"
    r"|\b(?:offsite|retreat|workshop|event|summit|fair|party|concert|match|course|class)\b",
    re.IGNORECASE,
)
_MADE_THE_MOVE: Final = late(
    rf"\b(?:I|we)\b[^.;]*? (?:mov(?:e|ed|ing)|relocat\w+) from {CAPITAL}(?: {CAPITAL})? to"
    rf" (?P<v>{CAPITAL}(?: {CAPITAL})*)",
    re.IGNORECASE,
)


def cities(clause: Clause, _around: str) -> Iterator[str]:
    """Where somebody is at home."""
    made = _MADE_THE_MOVE.search(clause.text)
    match = made or _IN_CITY.search(clause.text)
    text = clause.text if made is None else clause.text.replace(" from ", " ")
    if (
        match is None
        or not _HOME_TOPIC.search(text)
        or _NO_CITY.search(text)
        or address(clause.whole) is not None
        or DENIED.search(clause.text[: match.start("v")])
    ):
        return
    found = place(match["v"])
    if found is not None and not re.fullmatch(rf"{LANGUAGE}|{TECHNOLOGY}", found, re.IGNORECASE):
        yield found


_HATED: Final = late(
    r"\b(?:I|we) (?:\w+ ){0,2}?(?:hate|loathe|detest|despise|can not (?:stand|bear|abide"
    r"|stomach)|dread|dislike|abhor"
    r"|do not (?:like|care for|enjoy)|am no fan of|am not a fan of|am not into|have no time for"
    r"|have no patience for"
    r"|am allergic to the idea of|could live without|can do without) (?P<v>\S.*)"
    r"|^(?P<v2>[\w' -]{3,30}?) (?:drives?|drive) me (?:mad|crazy|nuts|insane|up the wall|bonkers"
    r"|to drink)"
    r"|^(?P<v3>[\w' -]{3,30}?) (?:can (?:stay in|go to|rot in|burn in) hell|(?:is|are) (?:the "
    r"bane of my|my idea of hell|not my (?:thing|cup of tea)|the devil|evil"
    r"|an abomination|torture))",
    re.IGNORECASE,
)


_NOT_HATING: Final = late(
    r"\b(?:do not|never|not) (?:really |actually )?(?:hate|loathe|detest|despise|dislike|dread)\b",
    re.IGNORECASE,
)


def dislikes(clause: Clause, _around: str) -> Iterator[str]:
    """What somebody cannot bear."""
    match = _HATED.search(clause.text)
    if match is not None and not _NOT_HATING.search(clause.text):
        value = disliked(re.sub(r"^(?:and|but|so|also) ", "", first_group(match)))
        if value is not None:
            yield value
