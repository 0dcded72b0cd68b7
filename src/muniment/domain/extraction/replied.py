"""A short reply read by the type that the assistant's turn brings up: "I'll email you." "Signal
rather." One value of that type, and it is not the assistant's.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.instead import corrected
from muniment.domain.extraction.people import NOT_A_NAME
from muniment.domain.extraction.shapes import shape_for
from muniment.domain.extraction.values import amounts, title, zone
from muniment.domain.extraction.words import CHANNEL, LANGUAGE, PROPER, SPECIES
from muniment.domain.gate.register import earnest
from muniment.domain.late import late
from muniment.domain.slot import Slot

_WORDS: Final = 10
_TO_YOU: Final = late(
    r"\b(?:reach|contact|call|ring|phone|text|e-?mail|message|ping|notify|write|send|alert|remind"
    r"|tell|let|update|alerts?|reminders?|updates?)\b.*\byou\b|\byou\b.*\b(?:alerts?|reminders?"
    r"|updates?|reached|contacted|notified)\b|^(?:by )?[\w-]+ or [\w-]+\?$",
    re.IGNORECASE,
)
_TIMES: Final = late(r"\btime\b|\btimes\b|\b(?:UTC|GMT|zone)\b", re.IGNORECASE)
_COUNTS: Final = late(
    r"\b\d+\b.*\b(?:stock|left|hand|remaining|shelf)\b|\bhow many\b.*\b(?:stock"
    r"|left|hand|remaining|have|are there)\b|\byou have \d+ [a-z]+s\b",
    re.IGNORECASE,
)
_PLANS: Final = late(r"\b(?:plan|tier|on (?:the )?(?:Pro|Basic|Team|Plus|Free|Business|Premium))\b")
_NAMES: Final = late(
    r"\b(?:call you|address you|your name|you are\?|am I (?:talking|speaking))|\bsign it\b",
    re.IGNORECASE,
)
_PETS: Final = late(
    rf"\b(?:your|the) {SPECIES}\b.*\bcalled\b|\bname of (?:your|the) {SPECIES}\b", re.IGNORECASE
)
_OTHERWISE: Final = late(
    r"^(?:no|nope|nah|not|never|actually|rather|just|it is|make (?:it|that))\b|\b(?:rather|instead"
    r"|please|always|now|not|actually|is (?:best|better|fine)|exactly|since)\b|^\S+(?: \S+)?[.!]*$",
    re.IGNORECASE,
)
_REFUSES: Final = late(r"\b(?:never|stop|do not|no (?!,))", re.IGNORECASE)
_NUMBER: Final = late(r"(?<![\w$€£.])\d[\d.,]*\d|(?<![\w$€£.])\d+(?![\w%])")
_WAY: Final = late(rf"\b{CHANNEL}\b", re.IGNORECASE)
_NO_NAME: Final = late(
    r"(?:Nah|No|Nope|Yes|Yep|Yeah|Yup|Thanks|Thank|Sure|Right|Correct|Exactly|Well|Hm+|Oh|Ok"
    r"|Okay|Please"
    r"|Never|Always|That|This|It|Whatever|Both|Neither|Either|All|You|They|He|She|My|Our|Is"
    r"|What)\b",
    re.IGNORECASE,
)
_AGREES: Final = late(r"\b(?:yes|yep|yeah|yup|correct|right|exactly|indeed)\b", re.IGNORECASE)
_TONGUE: Final = late(rf"\b{LANGUAGE}\b")
_NAME: Final = late(
    rf"^(?:(?:no|just|as|it is|I am|sure|only|simply)[ ,]+)*(?P<v>{PROPER}(?: {PROPER})?)"
    r"(?=$|[,.!]| (?:is|please|will|from|at|of|suffices)\b)",
    re.IGNORECASE,
)
_TIER: Final = late(
    r"^(?:(?:no|it is|just|we are on|on)[ ,]+)*(?:the )?(?P<v>[A-Z]\w+)(?=$|[,.!]| now\b)"
)


def _all(pattern: re.Pattern[str]) -> Callable[[str], list[str]]:
    return lambda text: [match.group() for match in pattern.finditer(text)]


def _one(pattern: re.Pattern[str]) -> Callable[[str], list[str]]:
    def find(text: str) -> list[str]:
        match = pattern.match(text)
        said = "" if match is None else match["v"]
        named = said[:1].isupper() and not (NOT_A_NAME.match(said) or _NO_NAME.match(said))
        return [said] if named else []

    return find


def _zones(text: str) -> list[str]:
    found = zone(text)
    return [] if found is None else [found]


_TYPES: Final[tuple[tuple[str, Callable[[str], bool], Callable[[str], list[str]]], ...]] = (
    ("contact_channel", lambda said: _TO_YOU.search(said) is not None, _all(_WAY)),
    ("timezone", lambda said: _TIMES.search(said) is not None, _zones),
    ("price", lambda said: bool(amounts(said)), amounts),
    ("stock", lambda said: _COUNTS.search(said) is not None, _all(_NUMBER)),
    ("account_tier", lambda said: _PLANS.search(said) is not None, _one(_TIER)),
    ("language", lambda said: _TONGUE.search(said) is not None, _all(_TONGUE)),
    ("name", lambda said: _NAMES.search(said) is not None, _one(_NAME)),
    ("pet", lambda said: _PETS.search(said) is not None, _one(_NAME)),
)
"""Slot, whether a turn of the assistant brings its type up, the values of the type in a text."""


def replied(
    sentences: Sequence[Sentence],
    assistant: str,
    guessed: Sequence[Found],
    slots: Mapping[str, Slot],
) -> Iterator[Found]:
    """The values that a short reply puts in the place of what the assistant's turn brings up."""
    head = next((one for one in sentences if len(one.text.split()) > 1), None)
    head = head or next(iter(sentences), None)
    if head is None or not head.clauses or not head.clauses[0].meant:
        return
    if not earnest(head.text) or head.text.endswith("?"):
        return
    last = assistant[-300:]
    given: set[str] = set()
    for slot, value in _named_instead(head, guessed, slots):
        given.add(slot)
        yield Found(head.clauses[0], "reply.instead", slot, value, changes=True)
    text = head.clauses[0].text
    if len(head.text.split()) > _WORDS or not _OTHERWISE.search(head.text):
        return
    if _AGREES.search(head.text):
        return
    for slot, brings_up, values in _TYPES:
        if slot not in slots or slot in given or not brings_up(last):
            continue
        denied = re.split(r"\b(?:not|rather than|instead of)\b", text, maxsplit=1)[0] or text
        found = list(dict.fromkeys(values(denied)))
        if len(found) != 1 or (slot == "contact_channel" and _REFUSES.search(text)):
            continue
        yield Found(head.clauses[0], "reply.type", slot, found[0], changes=True)


def _named_instead(
    head: Sentence, guessed: Sequence[Found], slots: Mapping[str, Slot]
) -> Iterator[tuple[str, str]]:
    """ "Corvane, not Lumen": what stands where the guess is denied by its own words."""
    for guess in guessed:
        if guess.slot is None or guess.slot not in slots or guess.value is None:
            continue
        new = corrected(head.text, guess.value)
        entry = slots[guess.slot]
        shaped = title if guess.slot == "role" else shape_for(guess.slot, "", entry.value_type)
        value = None if new is None else shaped(new)
        if value is not None:
            yield guess.slot, value
