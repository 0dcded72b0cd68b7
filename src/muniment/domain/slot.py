"""The slot registry (RULES 3): what a slot is and how its values are made comparable."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from muniment.domain.trust import Authority

Cardinality = Literal["one", "many"]
ValueType = Literal["text", "number", "date"]


@dataclass(frozen=True)
class Slot:
    """A named place for a value: how many may be current, who owns it, when it goes stale."""

    name: str
    cardinality: Cardinality
    value_type: ValueType = "text"
    aliases: Mapping[str, str] = field(default_factory=dict)
    cues: tuple[str, ...] = ()
    authority: Authority = "user"
    stale_after: timedelta | None = None
    ttl: timedelta | None = None
    pinned: bool = False
    importance: int = 5

    def key(self, value: str) -> str:
        """The form by which two values are the same; spelling, case and spacing do not count."""
        folded = _fold(value)
        return _fold(self.aliases.get(folded, folded))


def _fold(value: str) -> str:
    """NFKC, case folded, white space single; surrounding punctuation does not count."""
    text = unicodedata.normalize("NFKC", value).casefold()
    words = " ".join(text.split()).strip(" .,;:!?\"'")
    return words or " ".join(text.split())
