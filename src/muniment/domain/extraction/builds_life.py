"""Values of a person's life by the build of a clause: who and where they are, what they bear."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from muniment.domain.extraction.clauses import Clause
from muniment.domain.extraction.cues import LEAD
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.grammar import without_lead
from muniment.domain.extraction.people import NOT_A_NAME
from muniment.domain.extraction.shapes import disliked
from muniment.domain.extraction.values import money, organisation, place, tidy, title
from muniment.domain.extraction.words import LANGUAGE, PROPER, SPECIES, first_group
from muniment.domain.late import late

_NAME: Final = late(
    rf"(?<!'s )(?<!s' )\b(?i:name is|name:) (?P<a>{PROPER}(?: {PROPER})?)"
    rf"|^(?P<b>{PROPER}(?: {PROPER})?),? (?i:she/her|he/him|they/them)\b"
    rf"|\b(?i:you are (?:talking|speaking|chatting) (?:to|with)) (?P<c>{PROPER}(?: {PROPER})?)"
    rf"(?=[,.!]|$)|^(?P<d>{PROPER}) (?i:at the keyboard|on the line|here again)\b",
)
_DAY_ONE: Final = late(
    rf"\b(?i:is|was) (?:my )?(?:day one|first day|my first day) (?:at|with) (?P<a>{PROPER}"
    rf"(?: {PROPER})?)|^(?:the )?(?P<b>{PROPER}(?: {PROPER})?) (?:has"
    rf"|have) (?:just )?taken me"
    rf" on\b|\b(?i:I) clock (?:in|on) at (?P<c>{PROPER}(?: {PROPER})?)",
)
_LIVING: Final = late(
    rf"^{LEAD}(?:I|we) (?:(?:still|now|mostly|mainly) )?(?:earn|make) (?:my|a|our) (?:living|bread"
    r"|money|keep) as (?P<a>\S.*)|^(?:I|we) (?:have |just |finally |now )*moved up to (?P<b>\S.*)",
    re.IGNORECASE,
)
_ROOTS: Final = late(
    rf"^{LEAD}(?:I|we) (?:have |finally |just |now |all )*(?:put down roots in"
    rf"|swapped [\w' -]{{2,25}}"
    r" for|traded [\w' -]{2,25} for|upped sticks (?:to|for)|set up home in|made (?:my|our) home in"
    r"|washed up in|bought (?:a (?:house|flat|place)|an apartment) in) (?P<a>\S.*)",
    re.IGNORECASE,
)
_ASKED: Final = late(
    r"\b(?:we|I) (?:now )?(?:ask|want|take) (?P<a>[^,.]{2,20}?) (?:for|per) (?:an?|each|one"
    r"|every)\b"
    r"|\b(?:an?|the|one|each) [\w' -]{2,30} (?:will )?sets? (?:you|them|people) back (?P<b>\S.*)"
    r"|\b(?:put|raised|dropped|lowered|bumped|knocked) the [\w' -]{2,30}?(?: price)? (?:up "
    r"|down )?to"
    r" (?P<c>\S.*)",
    re.IGNORECASE,
)
_SPECIES: Final = rf"(?:{SPECIES}|lurchers?|vizslas?|spaniel|axolotls?|cockatoos?|macaws?|tabby)"
_IS_A_PET: Final = late(
    rf"^(?P<a>{PROPER}) is (?:my|our|the|a|an) (?:[\w'-]+ ){{0,3}}?{_SPECIES}(?=[,.!]|$| and\b)"
)
_PRONOUN: Final = late(
    r"(?:He|She|It|They|That|This|There|Here|One|Who|What|His|Her|Mine|Ours)$", re.IGNORECASE
)
_DISLIKED: Final = late(
    rf"^{LEAD}(?P<a>[\w' -]{{3,30}}?),? (?:is|are) (?:the (?:one|only|last) thing (?:that )?(?:I"
    rf"|we)"
    r" (?:can not|could never|will never) (?:abide|stand|bear|stomach)|(?:really |just "
    r"|definitely )?"
    r"not for (?:me|us)|(?:really |just )?not my (?:thing|cup of tea|bag)|wasted on me)\b"
    rf"|^{LEAD}(?P<b>[\w' -]{{3,30}}?) (?:leaves?|left) me cold\b"
    rf"|^{LEAD}(?:I|we) (?:have |had )?(?:never|not) (?:really )?(?:been|was|were) (?:fond of"
    rf"|a fan of"
    r"|one for|much of a one for|into|keen on) (?P<c>\S.*)"
    rf"|^{LEAD}(?:I|we) can not be doing with (?P<d>\S.*)",
    re.IGNORECASE,
)


def of_life(clause: Clause) -> Iterator[Found]:
    """The values of a person's life that a clause gives by its build."""
    if not clause.other:
        for reader in _READERS:
            yield from reader(clause)
        return
    yield from _pets(clause)
    yield from _employers(clause)


def _names(clause: Clause) -> Iterator[Found]:
    match = _NAME.search(without_lead(clause.text))
    if match is not None and not NOT_A_NAME.match(first_group(match)):
        yield Found(clause, "build.name", "name", tidy(first_group(match)))


def _employers(clause: Clause) -> Iterator[Found]:
    match = _DAY_ONE.search(clause.text)
    value = None if match is None else organisation(first_group(match))
    if value is not None:
        yield Found(clause, "build.employer", "employer", value, changes=True)


def _roles(clause: Clause) -> Iterator[Found]:
    match = _LIVING.match(clause.text)
    value = None if match is None else title(first_group(match))
    if value is not None:
        yield Found(clause, "build.role", "role", value, changes=True)


def _homes(clause: Clause) -> Iterator[Found]:
    match = _ROOTS.match(clause.text)
    let = re.search(r"\bto (?:let|rent out)\b", clause.text) is not None
    value = None if match is None or let else place(match["a"])
    if value is not None:
        yield Found(clause, "build.roots", "city", value, changes=True)


def _prices(clause: Clause) -> Iterator[Found]:
    match = _ASKED.search(clause.text)
    value = None if match is None else money(first_group(match))
    if value is not None:
        yield Found(clause, "build.asked", "price", value, changes=True)


def _pets(clause: Clause) -> Iterator[Found]:
    match = _IS_A_PET.match(without_lead(clause.text))
    if match is not None and not NOT_A_NAME.match(match["a"]) and not _PRONOUN.match(match["a"]):
        yield Found(clause, "build.pet", "pet", match["a"])


def _dislikes(clause: Clause) -> Iterator[Found]:
    match = _DISLIKED.match(clause.text)
    value = None if match is None else disliked(first_group(match))
    if value is not None:
        yield Found(clause, "build.dislike", "dislike", value)


_READERS: Final[tuple[Callable[[Clause], Iterator[Found]], ...]] = (
    _names,
    _employers,
    _roles,
    _homes,
    _prices,
    _pets,
    _dislikes,
)


_MY_SKILL = late(
    rf"\bmy (?P<what>{LANGUAGE}|[A-Z][\w+#]*|SQL|python"
    r"|excel) is (?:now )?(?:\w+ )?(?P<how>good|fluent|solid|strong|decent|excellent"
    r"|fine|native|ok|okay|very good|great|passable|not bad|quite good|pretty good)\b",
    re.IGNORECASE,
)
_SPEAK = late(
    rf"{LEAD}I (?:also |do |can )*(?:speak|read"
    rf"|write) (?:\w+ )?(?P<lang>{LANGUAGE})(?: (?:fluently|natively|well|quite well"
    rf"|at home|very well))\b|{LEAD}I (?:also |do |can )*speak (?:fluent|good|decent"
    rf"|native|passable|conversational) (?P<lang2>{LANGUAGE})\b",
    re.IGNORECASE,
)


def skills(clause: Clause) -> Iterator[Found]:
    """What the user says to be good at."""
    match = _MY_SKILL.search(clause.text)
    if match is not None and not re.search(r"\bnot (?!bad)", match.group()):
        yield Found(clause, "skill.is_good", "skill", match["what"])
    spoken = _SPEAK.match(clause.text)
    if spoken is not None:
        yield Found(clause, "skill.speaks", "skill", spoken["lang"] or spoken["lang2"])
