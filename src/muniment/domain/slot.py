"""The slot registry (RULES 3): what a slot is and how its values are made comparable."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

from muniment.domain.text import MONTHS
from muniment.domain.trust import Authority

Cardinality = Literal["one", "many"]
ValueType = Literal["text", "number", "date"]

_AROUND = " .,;:!?\"'"
# One number, grouped by commas, spaces, apostrophes, or points (two of them, or before a decimal
# comma), and a unit on either side of it.
_NUMBER = re.compile(
    r"(?P<before>[^0-9+\-−]*)(?P<sign>[+\-−]?)(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+"
    r"|[0-9]{1,3}(?:[ '][0-9]{3})+|[0-9]{1,3}(?:\.[0-9]{3}){2,}|[0-9]{1,3}(?:\.[0-9]{3})+(?=,)"
    r"|[0-9]+)(?:[.,](?P<fraction>[0-9]+))?(?P<after>[^0-9]*)"
)
_DAYS = (
    re.compile(r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})"),
    re.compile(
        r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?(?: of)? (?P<month>[a-z]+)\.?,? (?P<year>[0-9]{4})"
    ),
    re.compile(r"(?P<month>[a-z]+)\.? (?P<day>[0-9]{1,2})(?:st|nd|rd|th)?,? (?P<year>[0-9]{4})"),
)


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

    @property
    def label(self) -> str:
        """Its name as people write it."""
        return self.name.replace("_", " ")

    @property
    def words(self) -> str:
        """Its name and its cues: what is said of it besides the value."""
        return " ".join([self.label, *self.cues])

    def key(self, value: str) -> str:
        """The form by which two values are the same: case, spacing and invisible characters never
        count, nor how a number or a day is written; other spellings are one by the aliases alone.
        """
        folded = _fold(value)
        known = {_fold(alias): _fold(target) for alias, target in self.aliases.items()}
        folded = known.get(folded, folded)
        if self.value_type == "number":
            return _number(folded)
        return _day(folded) if self.value_type == "date" else folded


def _fold(value: str) -> str:
    """Case folded, white space single; punctuation around it goes, unless there is nothing else."""
    visible = "".join(char for char in value if unicodedata.category(char) != "Cf")
    folded, text = "", visible
    # Folding can undo the normal form and the normal form the folding; twice is enough.
    while folded != text:
        folded, text = text, unicodedata.normalize("NFKC", text).casefold()
    text = " ".join(folded.split())
    return text.strip(_AROUND) or text


def _number(folded: str) -> str:
    """The number without grouping and needless zeros, then its unit; other text as it is."""
    match = _NUMBER.fullmatch(folded)
    if match is None:
        return folded
    whole = re.sub("[^0-9]", "", match["whole"]).lstrip("0") or "0"
    fraction = (match["fraction"] or "").rstrip("0")
    plain = f"{whole}.{fraction}" if fraction else whole
    minus = "-" if match["sign"] in ("-", "−") and plain != "0" else ""
    unit = f"{match['before'].strip(_AROUND)} {match['after'].strip(_AROUND)}".strip()
    return f"{minus}{plain} {unit}".strip()


def _day(folded: str) -> str:
    """YYYY-MM-DD for a day written so or with its month's English name; other text as it is."""
    for pattern in _DAYS:
        match = pattern.fullmatch(folded)
        month = None if match is None else _month(match["month"])
        if match is not None and month is not None:
            try:
                return date(int(match["year"]), month, int(match["day"])).isoformat()
            except ValueError:
                return folded
    return folded


def _month(text: str) -> int | None:
    if text.isdecimal():
        return int(text)
    names = (number for number, name in enumerate(MONTHS, 1) if text in (name, name[:3]))
    return 9 if text == "sept" else next(names, None)
