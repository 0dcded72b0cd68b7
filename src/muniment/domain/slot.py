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
        """The form by which two values are the same: never by their case, spacing or compatibility
        forms, by type not by how a number or a day is written, else only by the alias table.
        """
        folded = _fold(value)
        for alias, target in self.aliases.items():
            if _fold(alias) == folded:
                folded = _fold(target)
                break
        if self.value_type == "number":
            return _number(folded)
        return _day(folded) if self.value_type == "date" else folded


def _fold(value: str) -> str:
    """Case folded, invisible characters gone, white space single; punctuation around it goes."""
    text = unicodedata.normalize("NFKC", value).casefold()
    # Folding may undo the normal form, and the normal form the folding.
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    text = " ".join("".join(c for c in text if unicodedata.category(c) != "Cf").split())
    return text.strip(_AROUND) or text


def _number(folded: str) -> str:
    """The one number of a text without separators and needless zeros, then its unit."""
    match = _NUMBER.fullmatch(folded)
    if match is None:
        return folded
    sign, whole, fraction = match["sign"], match["whole"], match["fraction"] or ""
    if match["comma"] and len(match["comma"]) == 4:
        whole += match["comma"]
    elif match["comma"]:
        fraction = match["comma"][1:]
    whole = re.sub("[^0-9]", "", whole).lstrip("0") or "0"
    fraction = fraction.strip(".").rstrip("0")
    unit = " ".join(f"{match['before']} {match['after']}".split())
    plain = f"{whole}.{fraction}" if fraction else whole
    minus = "-" if sign == "-" and plain != "0" else ""
    return f"{minus}{plain} {unit}".strip()


def _day(folded: str) -> str:
    """A day as YYYY-MM-DD, if it is written so or with the English name of its month."""
    match = _DAY.fullmatch(folded)
    if match is None:
        return folded
    parts = match.groupdict()
    month = parts["month"]
    if month is None:
        name = parts["before"] or parts["after"]
        month = next(n for n, whole in enumerate(MONTHS, 1) if whole.startswith(name[:3]))
    day = parts["day"] or parts["first"] or parts["second"]
    year = parts["year"] or parts["year_after"]
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return folded
