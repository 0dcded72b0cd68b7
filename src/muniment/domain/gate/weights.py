"""How much a kept turn matters, by its reason and by the slot that it touches."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from muniment.domain.gate.cues import Reason
from muniment.domain.gate.sentences import head_of
from muniment.domain.late import late

IMPORTANCE: Final[Mapping[str, int]] = MappingProxyType(
    {
        "allergy": 10,
        "do_not_contact": 10,
        "pet": 3,
        Reason.IDENTITY: 8,
        Reason.CORRECTION: 7,
        Reason.RETRACTION: 7,
        Reason.STANDING_INSTRUCTION: 7,
        Reason.PREFERENCE: 6,
        Reason.DECISION: 6,
        Reason.COMMITMENT: 6,
        Reason.TOOL_RESULT: 5,
        Reason.DATE: 5,
        Reason.FACT: 5,
        Reason.ANSWER: 5,
        Reason.UNJUDGED: 5,
        Reason.RECOMMENDATION: 4,
    }
)
"""Importance 1 to 10 by slot cue and gate reason; a reason that is not here counts as 1."""
ROLE_CEILING: Final[Mapping[str, int]] = MappingProxyType({"assistant": 5, "external": 4})
"""What a turn of this role is worth at most, whatever it says of itself."""

_SLOT_CUES = (
    ("allergy", late(r"\ballerg(?:y|ies|ic)\b|\banaphyla", re.IGNORECASE)),
    (
        "do_not_contact",
        late(
            r"\bdo[ -]not[ -](?:contact|call|email|phone|text)\b"
            r"|\b(?:don['’]?t|never) (?:contact|call|email|phone|text) (?:me|us|him|her|them)\b",
            re.IGNORECASE,
        ),
    ),
)
_PET = late(
    r"\b(?:my|our) (?:\w+ )?(?:dog|cat|puppy|kitten|rabbit|hamster|parrot|pet)s?\b", re.IGNORECASE
)


def weigh(role: str, content: str, reason: Reason, table: Mapping[str, int]) -> int:
    """Importance 1 to 10 of a kept turn by the table, within what its role may be worth."""
    weight = table.get(reason, 1)
    if role == "user":
        head = head_of(content)
        for slot, cue in _SLOT_CUES:
            if cue.search(head):
                weight = max(weight, table.get(slot, weight))
        if reason is Reason.FACT and _PET.search(head):
            weight = table.get("pet", weight)
    return min(weight, ROLE_CEILING.get(role, 10))
