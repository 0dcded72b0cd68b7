"""What of the values that were read is said to hold: the last word on each of them.

| the sentence says of the value | is left |
|---|---|
| that it is so, or came to be | the value, from the year that it names |
| supposed, joked, doubted, refused, denied | nothing |
| that it was, from year to year | the value in that window |
| that it was | nothing |
| "I moved to Python", "I work for free" | nothing: no place, no employer |
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from muniment.domain.asserting import Sense, sense
from muniment.domain.extraction.clauses import Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.shapes import TECHNOLOGY
from muniment.domain.extraction.values import REGION
from muniment.domain.extraction.years import begun, stretch_of
from muniment.domain.late import late
from muniment.domain.slot import Slot
from muniment.domain.statement import OF_NOW, places
from muniment.domain.text import normalise

_EARNEST: Final = frozenset({"city", "employer", "role", "address", "pet", "allergy"})
"""Slots whose values are told, not wished for."""
_STATED: Final = frozenset({"city", "employer", "role", "address"})
_NO_EMPLOYER: Final = late(
    r"(?:for )?(?:free|fun|living|money|pay|peanuts|nothing|charity|love|food|tips|exposure|now"
    r"|good"
    r"|hire|rent|sure|ever|real|life|nobody|anyone|everyone|cash|cheap|less|more|experience|practice)",
    re.IGNORECASE,
)
_NO_PLACE: Final = late(
    rf"(?:{TECHNOLOGY}|management|sales|support|marketing|engineering|research|production|nights?"
    r"|days|tears|silence|peace|sin|hope|fear|denial|vim|emacs|windows|macos|android|ios|aws|azure"
    r"|gcp|slack|github|gitlab|jira|notion|trello|zoom|figma|docker|ubuntu|debian|fedora|arch)",
    re.IGNORECASE,
)


def holding(
    found: Sequence[Found], sentences: Sequence[Sentence], slots: Mapping[str, Slot], today: date
) -> list[Found]:
    """The values that a turn says hold, with the window where it tells one."""
    return [left for one in found for left in _left(one, sentences, slots, today)]


def _left(
    one: Found, sentences: Sequence[Sentence], slots: Mapping[str, Slot], today: date
) -> Iterator[Found]:
    slot = slots.get(one.slot or "")
    if one.slot == "employer" and one.value is not None:
        one = replace(one, value=one.value.removesuffix(" I"))
    if slot is None or one.value is None or one.retracts:
        yield one
        return
    if (slot.name == "city" and _is_no_place(one.value)) or (
        slot.name == "employer" and _NO_EMPLOYER.fullmatch(one.value)
    ):
        return
    senses = _senses(one, sentences)
    if senses and not any(_is_meant(held, slot.name) for held in senses):
        return
    if slot.name not in OF_NOW:
        yield one
        return
    dated = _dated(one, sentences[one.clause.sentence], today)
    past = bool(senses) and all(held.past for held in senses)
    if past and dated.end is None and not any(day.part == "until" for day in one.clause.dates):
        return
    yield dated


def _is_no_place(value: str) -> bool:
    return _NO_PLACE.fullmatch(value) is not None or REGION.fullmatch(value) is not None


def _is_meant(held: Sense, slot: str) -> bool:
    if slot in _EARNEST and (held.imagined or held.untrue):
        return False
    return not (slot in _STATED and (held.denied or held.given_up))


def _senses(one: Found, sentences: Sequence[Sentence]) -> list[Sense]:
    """How the sentence of a value holds it, in the clause that gives it where it is there."""
    text = normalise(sentences[one.clause.sentence].text)
    found = [*places(text, one.value or "")]
    clause = normalise(one.clause.whole)
    start = text.find(clause)
    end = start + len(clause)
    inside = [place for place in found if start <= place[0] and place[1] <= end]
    return [sense(text, place) for place in (inside if start >= 0 and inside else found)]


def _dated(one: Found, sentence: Sentence, today: date) -> Found:
    """The value with the years that its clause names."""
    if one.start is not None or one.end is not None or one.clause.dates or one.end_before:
        return one
    stretch = stretch_of(one.clause.whole)
    if stretch is not None:
        first, last = stretch
        return replace(one, start=first, end=last, closed=last <= today)
    start = begun(one.clause.whole, today)
    if start is None and sentence.meant and len(sentence.clauses) == 1:
        start = begun(sentence.text, today)
    return one if start is None else replace(one, start=start)
