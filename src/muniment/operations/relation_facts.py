"""By what a memory of a relation, and one that repeats another, are known: for the surfaces."""

from collections.abc import Mapping
from typing import Any

from muniment.domain import duplicates
from muniment.domain.gate.sentences import normalise

RELATION_TO, RELATION_TYPE = duplicates.RELATION_TO, duplicates.RELATION_TYPE


def relation_of(metadata: Mapping[str, Any]) -> tuple[str, str] | None:
    """To which other entity a memory leads, and in which relation; None where it states none."""
    return duplicates.relation_of(metadata)


def spelling_apart(text: str) -> str:
    """What texts share that differ in spelling alone; the text where that is nothing."""
    return normalise(text) or text
