"""Values of a private life in wordings that may stand anywhere in a clause."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.shapes import TECHNOLOGY, allergen, disliked
from muniment.domain.extraction.values import (
    place,
    several,
)
from muniment.domain.extraction.words import CAPITAL, LANGUAGE, PROPER_NAME, SPECIES, first_group
from muniment.domain.late import late

_ADVERBS = (
    r"(?:(?:now|still|just|also|only|finally|currently|mostly|mainly|always|really|recently"
    r"|already|all"
    r"|actually|officially|basically|back|both|kind of|severely|highly|deathly|badly|quite|very) )*"
)
_ILL: Final = late(
    r"allerg|\bhives|rash|anaphyl|epi-?pen|swell|swollen|throat|hospital|itch|\breact(?:s|ed"
    r"|ions?)?\b(?!\.)"
    r"|antihistamine|intoleran|wheez|blister|faint|ambulance|\b(?:could|can|would|will|might)? "
    r"?(?:literally )?kills? me\b|patch test|skin test",
    re.IGNORECASE,
)
_BE_ALLERGIC: Final = late(
    rf"\b(?:I|we) (?:{_ADVERBS}(?:am|are|have|got|have got|have been|react|reacted|get|got a "
    rf"rash)) {_ADVERBS}"
    r"(?:an? |this |the )?(?:(?:severe|bad|serious|mild|strong|terrible|nasty|known"
    r"|life-threatening|slight"
    r"|diagnosed|real|violent) )*(?:allergy|allergic|allergies|intoleran(?:t|ce)|reactions?"
    r"|badly|in hives)"
    r" ?(?:reaction )?(?:to|of|against|from|with) (?P<v>\S.*)",
    re.IGNORECASE,
)
_IS_WHAT_I_REACT: Final = late(
    r"(?:^|[:,] )(?P<v>[\w' -]{2,30}?) (?:is|are) (?:what|the thing|something|one thing) I "
    r"(?:\w+ )?(?:react (?:badly )?to|am allergic to|can not (?:have|eat|touch|take)|must avoid"
    r"|have to avoid)",
    re.IGNORECASE,
)
_NEVER_LIKED: Final = late(
    r"^(?:(?:and|but|so|oh|well|no|nah|nope)[ ,]+)*(?P<v>[A-Za-z][\w' -]{2,30}?),? I (?:have "
    r"|had |really |just )*(?:never"
    r"(?: much| really)? (?:liked|enjoyed|cared for|got|warmed to|understood)|can ?not (?:stand"
    r"|bear|abide)|do not (?:like"
    r"|enjoy|care for)|hate|loathe|detest|dislike)\b",
    re.IGNORECASE,
)
_NONE_PLEASE: Final = late(
    r"(?:^|[,:] (?:so |and |but )?)(?:so |and |but )?(?:no|zero|without|skip the|hold the|leave "
    r"out the|keep) "
    r"(?P<v>(?!more\b|need\b|idea\b|problem\b|rush\b|one\b)[\w' -]{2,25}?)(?: (?:for me|please"
    r"|near me|ever"
    r"|on (?:my|anything)|in (?:my|anything)|at all)|[.!,]|$)",
    re.IGNORECASE,
)
_TESTED: Final = late(
    r"\b(?:patch|allergy|skin|blood|prick) tests?\b.*\b(?:it is|says?|shows?|showed|found|for|to) "
    r"(?:actually |in fact |really )?(?P<v>[\w-]+(?: [\w-]+)?)[.!]*$",
    re.IGNORECASE,
)
_CLOSES: Final = late(
    r"(?:^|[:,] )(?P<v>[\w'-]+(?: [\w'-]+)?) (?:closes?|shuts?|swells?) (?:up )?my (?:throat"
    r"|airways?|lips|face)"
    r"|(?:^|[:,] )(?P<v2>[\w'-]+(?: [\w'-]+)?) (?:could|can|would|will|might) (?:literally "
    r"|really |actually )?"
    r"(?:kill|hospitali[sz]e) me",
    re.IGNORECASE,
)


def allergies_by_idiom(clause: Clause, around: str) -> Iterator[Found]:
    """What the user's body does not bear, anywhere in a clause of a turn (``around``)."""
    if clause.other or re.search(r"\bnot (?:an? )?allerg|\bno allerg", around, re.IGNORECASE):
        return
    none = _NONE_PLEASE.search(clause.text)
    explicit = re.search(r"\ballerg(?:ic|y) (?:to|against)\b", around, re.IGNORECASE) is not None
    if (
        none is not None
        and not explicit
        and _ILL.search(around)
        and (value := allergen(none["v"])) is not None
    ):
        yield Found(clause, "allergy.none", "allergy", value)
        return
    spared = re.search(r"\bno [\w -]{2,25} for me\b", around) is not None
    for pattern in (_BE_ALLERGIC, _IS_WHAT_I_REACT, _TESTED, *(() if spared else (_CLOSES,))):
        match = pattern.search(clause.text)
        if match is None or re.search(r"\b(?:not|never|no)\b", clause.text[: match.start() + 10]):
            continue
        said = first_group(match)
        for value in several(said, allergen):
            yield Found(clause, "allergy.idiom", "allergy", value)
        return


_LIVES: Final = late(
    rf"\b(?:I|we) (?:{_ADVERBS}(?:am|are|have|will|was|got))?(?: ?{_ADVERBS})(?:be(?:en)? )?"
    r"(?:sleep|sleeping|crash|crashing|settled|settling|settle|ended up|end up|landed|wound up"
    r"|stationed"
    r"|posted|holed up|base myself|based|living|live|residing|reside|camped|staying|stay|home) "
    rf"{_ADVERBS}(?:over |down |up |out |right |here )?(?:in|near|outside|around) (?P<v>\S.*)",
    re.IGNORECASE,
)
_LASTING: Final = late(
    r"\b(?:these days|nowadays|now|since|for good|permanently|settled|ended up|wound up|live"
    r"|living|reside"
    r"|residing|based|home|for years|all year|by now)\b",
    re.IGNORECASE,
)
_PEOPLE_OF: Final = late(
    rf"\b(?:I|we) (?:am|are|have been|have become|became)(?: an?| officially| now| proud)* "
    rf"{PROPER_NAME} "
    r"(?:people|folks?|residents?|locals?|person|dwellers?|dweller|based)\b",
    re.IGNORECASE,
)
_FROM_HOME: Final = late(
    r"\bfrom (?:the same |my |our |my own |a |the )(?:\w+ )?(?:kitchen|desk|flat|house|home"
    r"|apartment|office"
    rf"|studio|garage|couch|sofa|basement|attic|room|garden|spare room|home office)(?: table)? "
    rf"in {PROPER_NAME}",
    re.IGNORECASE,
)
_WILL_BE: Final = late(
    rf"\b(?:I|we) (?:will|shall|am going to|are going to) (?:be|be living|be based|live) (?:in"
    rf"|near) {PROPER_NAME}",
    re.IGNORECASE,
)
_FROM_TO: Final = late(
    r"\b(?:I|we) (?:am |are |have |will |just |finally |be )*(?:mov(?:e|ed|ing)|relocat(?:e|ed"
    r"|ing)|switch(?:ed|ing)?)"
    r"(?: house| home| flat| over)?(?: back)? from (?P<old>[\w' -]{2,30}?) (?:over |down |up "
    r"|back )?to "
    r"(?P<v>[\w' -]{2,30}?)(?=$|[,.!;]| (?:on|in|next|this|at|because|for|with|and|so|since)\b)",
    re.IGNORECASE,
)
_NO_PLACE: Final = late(
    r"\b(?:Infirmary|Hospital|University|College|School|Clinic|Office|Group|Bank|Company|Ltd|Inc"
    r"|Museum)\b"
)
_HOME_IS: Final = late(
    r"\b(?:home|my home|our home|my base|home base|headquarters|HQ) (?:is|remains|stays|will be"
    r"|was always) "
    rf"(?:still |now |always |in )*{PROPER_NAME}",
    re.IGNORECASE,
)
_OF_PLACE: Final = late(
    rf"\b(?:I am|we are)(?: from| a)? {PROPER_NAME},? (?:born and (?:raised|bred)|through and "
    rf"through)",
    re.IGNORECASE,
)
_FIND_ME: Final = late(
    rf"\b{PROPER_NAME} is where you (?:will )?(?:find|reach) (?:me|us)", re.IGNORECASE
)
_SAME_AS_EVER: Final = late(
    rf"\b(?:I|we) (?:am|are) (?:still )?in {PROPER_NAME},? (?:same as (?:ever|always|before)"
    r"|as (?:ever|always|usual)|and staying|for good)",
    re.IGNORECASE,
)


def homes_by_idiom(clause: Clause) -> Iterator[Found]:
    """Where the user lives, in other words than living."""
    if clause.other and not _HOME_IS.search(clause.text):
        return
    between = _FROM_TO.search(clause.text)
    if between is not None:
        old, new = place(between["old"]), place(between["v"])
        if new is not None and old is not None:
            day = next((one.day for one in clause.dates if one.part in ("on", "from")), None)
            if day is not None:
                yield Found(clause, "home.left", "city", old, end_before=day)
            yield Found(clause, "home.moves", "city", new, changes=True)
        return
    if re.search(
        r"\b(?:was|were|used to|not|never|no longer|until (?:last|recently))\b", clause.text
    ):
        return
    lives = _LIVES.search(clause.text)
    match = (
        (lives if lives is not None and _LASTING.search(clause.whole) else None)
        or _PEOPLE_OF.search(clause.text)
        or _FROM_HOME.search(clause.text)
        or (
            _WILL_BE.search(clause.text)
            if any(one.part == "from" for one in clause.dates)
            and not any(one.part == "until" for one in clause.dates)
            else None
        )
        or _HOME_IS.search(clause.text)
        or _OF_PLACE.search(clause.text)
        or _FIND_ME.search(clause.text)
        or _SAME_AS_EVER.search(clause.text)
    )
    found = None if match is None else place(match["v"])
    if found is not None and _NO_PLACE.search(found):
        return
    if found is not None and not re.fullmatch(rf"{LANGUAGE}|{TECHNOLOGY}", found, re.IGNORECASE):
        yield Found(clause, "home.idiom", "city", found, changes=True)


_WHO_IS_PET: Final = late(
    rf"\b(?P<v>{CAPITAL}),? (?:who|which) is (?:\w+ ){{0,3}}?{SPECIES}\b|\b(?:the|my|our) "
    rf"(?:[\w-]+ )?{SPECIES}"
    rf"(?:,|:| is| called| named| -) (?P<v2>{CAPITAL})(?= (?:is|has|does|can|will|needs?|comes?"
    rf"|goes|stays?|loves?"
    rf"|hates?)\b|'s\b|[,.!]|$)|\b(?:\w+|one)[ -](?:cat|dog|pet) (?:household|home|family),? "
    rf"(?:just|only|with) "
    rf"(?P<v3>{CAPITAL})",
    re.IGNORECASE,
)
_CALLED_PET: Final = late(
    rf"^(?:(?:so|and)[ ,]+)?(?:he|she|it|they) (?:is|are) (?:called|named) (?P<v>{CAPITAL})"
    rf"|^(?:he|she|it|they) (?:answers?|goes|listens?|responds?) (?:to|by) (?:the name (?:of )?)?"
    rf"(?P<v0>{CAPITAL})|^(?:we|I) (?:call|named|called|have named|have called) (?:him|her|it"
    rf"|them) (?P<v1>{CAPITAL})|^(?:his|her|its) "
    rf"name is (?P<v2>{CAPITAL})",
    re.IGNORECASE,
)
_SPECIES: Final = late(rf"\b{SPECIES}\b", re.IGNORECASE)
_NOT_OURS: Final = late(
    r"\b(?:his|her|their|neighbou?r'?s|sister|brother|friend|boss|colleague|landlord|want|wish"
    r"|would|no|not)\b"
    rf" (?:\w+ )?{SPECIES}\b",
    re.IGNORECASE,
)


def pets_by_idiom(sentence: Sentence, before: Sentence | None) -> Iterator[Found]:
    """Animals by name in a relative clause, in apposition, or named a sentence later."""
    if not sentence.clauses or not sentence.meant or _NOT_OURS.search(sentence.text):
        return
    match = _WHO_IS_PET.search(sentence.text)
    if match is None and before is not None and _SPECIES.search(before.text) and before.meant:
        match = None if _NOT_OURS.search(before.text) else _CALLED_PET.search(sentence.text)
    if match is not None:
        name = first_group(match)
        if name not in {"I", "It", "He", "She", "The", "They", "This"}:
            yield Found(sentence.clauses[0], "pet.idiom", "pet", name)


_DO_NOT_DO: Final = late(
    r"\bI do not do (?P<v>[\w -]{3,30}?)(?:[.,!]|$)|\bI (?:never|can not) (?:do|run|touch) "
    r"(?P<v2>[\w -]{3,30}?)"
    r"(?:[.,!]|$)",
    re.IGNORECASE,
)
_CAN_NOT_STAND_THEM: Final = late(
    r"\b(?:can ?not|can't) (?:stand|bear|abide) (?:it|them|that)\b|\bI (?:hate|loathe|detest) "
    r"(?:it|them|that)\b",
    re.IGNORECASE,
)


def dislikes_by_idiom(sentences: Sequence[Sentence]) -> Iterator[Found]:
    """ "I don't do dissections. Can't stand them": what "them" is stands in the sentence before."""
    for at, sentence in enumerate(sentences):
        for clause in sentence.clauses:
            fronted = _NEVER_LIKED.match(clause.text) if clause.meant else None
            if fronted is not None and (value := disliked(fronted["v"])) is not None:
                yield Found(clause, "dislike.fronted", "dislike", value)
        match = _DO_NOT_DO.search(sentence.text)
        around = " ".join(one.text for one in sentences[at : at + 2])
        if match is not None and sentence.meant and _CAN_NOT_STAND_THEM.search(around):
            value = disliked(match["v"] or match["v2"])
            if value is not None:
                yield Found(sentence.clauses[0], "dislike.idiom", "dislike", value)
