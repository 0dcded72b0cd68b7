"""Whether two sentences speak of the same time: was, is, will (RULES 8.1).

| one | other | alike? |
|---|---|---|
| "was", "had", "did", a verb in the past | "is", "has", nothing of the past | no |
| "will" | the past | no |
| "will" | the present | if both name a day, a date or a time |
| "by" or "until" a time | "at" that time | no |
| by so much | to so much | no |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late_regex
from muniment.domain.quantities import Token
from muniment.domain.text import Analyzer

_PAST: Final = word_set("was were had did wasn't weren't hadn't didn't")
_PRESENT: Final = word_set("am is are has have do does isn't aren't hasn't haven't don't doesn't")
_FUTURE: Final = word_set("will shall won't")
_HELPS: Final = _PAST | _PRESENT | _FUTURE | word_set(
    "be been being would should can could may might must get gets got"
)  # fmt: skip
_ED: Final = late_regex(r"\p{L}{2,}ed", regex.IGNORECASE)
_IRREGULAR: Final = {
    "bought": "buy", "sold": "sell", "went": "go", "left": "leave", "paid": "pay", "sent": "send",
    "lost": "lose", "won": "win", "met": "meet", "built": "build", "broke": "break",
    "rose": "rise", "fell": "fall", "grew": "grow", "began": "begin", "ran": "run", "ate": "eat",
    "wrote": "write", "spoke": "speak", "took": "take", "became": "become", "came": "come",
    "drank": "drink", "drove": "drive", "flew": "fly", "kept": "keep", "held": "hold",
    "led": "lead", "made": "make", "said": "say", "saw": "see", "slept": "sleep", "spent": "spend",
    "stood": "stand", "taught": "teach", "thought": "think", "told": "tell", "wore": "wear",
    "gave": "give", "got": "get", "knew": "know", "chose": "choose", "sang": "sing",
    "swam": "swim", "lent": "lend", "meant": "mean", "found": "find", "brought": "bring",
}  # fmt: skip
_TIMED: Final = frozenset({"date", "day", "time", "span", "months"})
_BOUNDS: Final = {"by": "by", "until": "until", "till": "until", "to": "until"}
_BEFORE_TIMES: Final = word_set("a an the noon midnight this next every")
_FINITE: Final = _PRESENT | word_set("want wants need needs like likes prefer prefers")
"""Beside one of these a form of the past may be a participle."""
_NO_VERB: Final = word_set(
    "a an the my her his their its our your this these those of in by with from"
)


@dataclass(frozen=True, slots=True)
class Tenses:
    """What a sentence shows of the time that it speaks of."""

    past: bool
    """Said by "was", "had" or "did"."""
    present: bool
    future: bool
    perhaps: bool
    """A form of the past that may be a participle."""
    gone: frozenset[str]
    """Stems of verbs in the past."""
    stems: frozenset[str]
    timed: bool
    bounds: frozenset[tuple[str, str]]
    """Times by or until which."""
    steps: frozenset[tuple[str, str]]
    """By, or to, how much."""


def tenses(read_tokens: Sequence[Token], analyzer: Analyzer) -> Tenses:
    """The tenses of a sentence of these tokens."""
    low = [one.text.casefold() for one in read_tokens]
    seen = set(low)
    gone = {
        stem
        for at, one in enumerate(read_tokens)
        if not one.family and not seen & _FINITE and _is_past(low, at)
        for stem in analyzer.stems(_IRREGULAR.get(low[at], low[at]))
    }
    before = [
        (low[at - back], one)
        for at, one in enumerate(read_tokens)
        for back in (1, 2)
        if at >= back and set(low[at - back + 1 : at]) <= _BEFORE_TIMES
    ]
    ranged = bool(seen & {"from", "between"})
    bounds = {word: way for word, way in _BOUNDS.items() if word == "by" or not ranged}
    return Tenses(
        past=bool(seen & _PAST),
        perhaps=_is_dated(low, read_tokens)
        or any(
            _is_past(low, at) and low[at - 1] not in _NO_VERB
            for at, one in enumerate(read_tokens)
            if at and not one.family
        ),
        present=bool(seen & _PRESENT),
        future=bool(seen & _FUTURE),
        gone=frozenset(gone),
        stems=frozenset(
            stem
            for word in seen
            if word not in _IRREGULAR and not _ED.fullmatch(word)
            for stem in analyzer.stems(word)
        ),
        timed=any(one.family in _TIMED for one in read_tokens),
        bounds=frozenset(
            (bounds[word], one.value)
            for word, one in before
            if word in bounds and one.family in {"date", "day", "time"}
        ),
        steps=frozenset(
            (word, one.value)
            for word, one in before
            if word in {"by", "to"} and one.family and one.family not in _TIMED
        ),
    )


def alike(one: Tenses, other: Tenses) -> bool:
    """True if both may speak of the same time."""
    if one.bounds != other.bounds:
        return False
    if any(
        (("by" if way == "to" else "to"), value) in other.steps - one.steps
        for way, value in one.steps - other.steps
    ):
        return False
    return _follows(one, other) and _follows(other, one)


def _is_dated(low: Sequence[str], read_tokens: Sequence[Token]) -> bool:
    """ "Cancelled as of 30 June": it is and was."""
    return any(
        low[at - 2 : at] == ["as", "of"] and one.family == "date"
        for at, one in enumerate(read_tokens)
    )


def _follows(one: Tenses, other: Tenses) -> bool:
    past = other.past or other.perhaps
    if one.future and not other.future and (past or not (one.timed and other.timed)):
        return False
    if past:
        return True
    return not (one.past and other.present) and not (one.gone & other.stems)


def _is_past(low: Sequence[str], at: int) -> bool:
    """A form of the past that no auxiliary makes a participle, nor a "by" behind it."""
    if not (_ED.fullmatch(low[at]) or low[at] in _IRREGULAR):
        return False
    helped = any(word in _HELPS for word in low[max(at - 2, 0) : at])
    return not helped and low[at + 1 : at + 2] != ["by"]
