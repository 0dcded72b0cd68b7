"""What a turn says is so no more, or will not be after all: it takes back what it names.

| said | takes back |
|---|---|
| "I am no longer allergic to nuts" | the allergy |
| "I won't move to Delft after all", "we cancelled our move to Delft" | Delft, planned |
| "I am not joining Globex after all" | Globex, planned |
| "I left Delft" | Delft, where that is the city |
| "I no longer play tennis", "I'm not a vegetarian anymore" | that they play, that they are |

What is not held is not taken back, so that naming too much does no harm.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.cues import LEAD
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.shapes import allergen
from muniment.domain.extraction.values import organisation, place
from muniment.domain.late import late
from muniment.domain.slot import Slot

_ALLERGY: Final = late(
    rf"^{LEAD}I (?:am|was) (?P<no>no longer|not)(?: actually| really)? "
    r"(?:allergic|intolerant) to (?P<v>\S.*)$",
    re.IGNORECASE,
)
_MOVE: Final = late(
    rf"^{LEAD}(?:I|we) (?:(?:have )?(?:decided )?(?:will not|am not|are not|not to|against"
    rf"|am no longer"
    r"|are no longer)(?: be)? (?:move|moving|relocate|relocating)"
    r"|(?:have )?(?:cancelled|canceled|called off|dropped|scrapped) (?:our|my|the) (?:move"
    r"|relocation))"
    r" to (?P<v>\S.*)$",
    re.IGNORECASE,
)
_JOIN: Final = late(
    rf"^{LEAD}(?:I|we) (?:have )?(?:decided )?(?:will not|am not|not to|against"
    rf"|am no longer)(?: be)? "
    r"(?:join|joining|start(?:ing)? at|going to) (?P<v>\S.*)$",
    re.IGNORECASE,
)
_ANY_MORE: Final = r"any ?(?:more|longer)"
_AFTER_ALL: Final = late(
    rf"[ ,]+(?:after all|{_ANY_MORE}|now|then|thankfully|luckily)*[ .!]*$", re.IGNORECASE
)
_AFTER: Final = late(
    rf"\b(?:after all|{_ANY_MORE}|no longer|decided|cancell?ed|called off|dropped"
    rf"|scrapped)\b",
    re.IGNORECASE,
)
_NO_LONGER: Final = late(
    rf"^{LEAD}(?P<who>I|we) (?:(?P<be>am|are|have|can) )?no longer (?P<what>\S.*)$", re.IGNORECASE
)
_NOT_ANY: Final = late(
    rf"^{LEAD}(?P<who>I|we) (?:do|(?P<be>am|are|can)) not (?P<what>\S.*?),? {_ANY_MORE}[.!]*$",
    re.IGNORECASE,
)


def endings(
    sentences: Sequence[Sentence], found: Sequence[Found], slots: Mapping[str, Slot]
) -> Iterator[Found]:
    """What is taken back, beside what was found."""
    for one in found:
        if one.rule == "work.left" and "city" in slots:
            yield replace(one, slot="city", rule="over.left")
    taken = {(one.clause.sentence, one.clause.text) for one in found if one.retracts}
    for sentence in sentences:
        if sentence.taken_back or sentence.text.rstrip().endswith("?"):
            continue
        for clause in sentence.clauses:
            if clause.stated and (clause.sentence, clause.text) not in taken:
                over = _ending(clause, slots)
                if over is not None:
                    yield over


def _ending(clause: Clause, slots: Mapping[str, Slot]) -> Found | None:
    for slot, pattern, shape in (
        ("allergy", _ALLERGY, allergen),
        ("city", _MOVE, place),
        ("employer", _JOIN, organisation),
    ):
        match = pattern.match(clause.text)
        if match is None or slot not in slots:
            continue
        if slot == "allergy" and match["no"] == "not" and not re.search(_ANY_MORE, clause.text):
            return None
        if slot != "allergy" and not _AFTER.search(clause.text):
            return None
        value = shape(_AFTER_ALL.sub("", match["v"]).rstrip(" .!"))
        return None if value is None else Found(clause, f"over.{slot}", slot, value, retracts=True)
    match = _NO_LONGER.match(clause.text) or _NOT_ANY.match(clause.text)
    if match is None or re.search(r"\b(?:there|it|that|this|them)\b", match["what"]):
        return None
    said = " ".join(part for part in (match["who"], match["be"], match["what"]) if part)
    return Found(clause, "over.statement", text=said, retracts=True)
