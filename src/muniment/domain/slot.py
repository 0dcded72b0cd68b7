"""The slot registry (RULES 3): what a slot is and how its values are made comparable."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import Literal

from muniment.domain.quantities import written
from muniment.domain.text import MONTHS
from muniment.domain.trust import Authority
from muniment.domain.units import BASES, MONEY, SCALES, UNITS

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
_GROUP = 3
_UNIT_WORD = re.compile(r"[^\W\d_]+|[%‰€$£¥]|°[a-z]?")
_BETWEEN_UNITS = {"per", "a", "an", "each", "every", "us"}
_DAYS = (
    re.compile(r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})"),
    re.compile(
        r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?(?: of)? (?P<month>[a-z]+)\.?,? (?P<year>[0-9]{4})"
    ),
    re.compile(r"(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>[0-9]{4})"),
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
        count, nor how a number, its unit or a day is written; other spellings are one by the
        aliases alone.
        """
        folded = _fold(value)
        known = {_fold(alias): _fold(target) for alias, target in self.aliases.items()}
        folded = known.get(folded, folded)
        if self.value_type == "number":
            return _number(folded)
        return _day(folded) if self.value_type == "date" else folded


def defined_now(
    slots: Mapping[str, Slot], name: str | None, cardinality: Cardinality | None
) -> Slot | None:
    """The slot of what is held, as it is defined now; as much as is stored of it where it is not
    defined any more.
    """
    if name is None or cardinality is None:
        return None
    return slots.get(name) or Slot(name, cardinality)


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
    """The number without grouping and needless zeros, then its unit by its name; units that turn
    into each other in the family's own. Other text as it is.
    """
    match = _NUMBER.fullmatch(folded)
    if match is None:
        return folded
    text = f"{match['before'].strip(_AROUND)} {match['after'].strip(_AROUND)}".strip()
    scale, unit = _unit(text)
    whole, fraction = re.sub("[^0-9]", "", match["whole"]), match["fraction"] or ""
    if unit in MONEY and whole.strip("0") and _thousands(match):
        whole, fraction = whole + fraction, ""
    number = Fraction(f"{whole}.{fraction or 0}") * scale
    sign = -1 if match["sign"] in ("-", "−") else 1
    plain = written(sign * number)
    # Three places behind the point would read as thousands of money.
    padded = unit in MONEY and len(plain.partition(".")[2]) == _GROUP
    return f"{plain}{'0' if padded else ''} {unit}".strip()


def _thousands(match: "re.Match[str]") -> bool:
    """ "1.200" is a thousand and two hundred where it is an amount of money."""
    grouped = match["fraction"] is not None and len(match["fraction"]) == _GROUP
    return grouped and match[0][match.start("fraction") - 1 - match.start()] == "."


def _unit(text: str) -> tuple[Fraction, str]:
    """How many of a unit's own one of it is, with the name; a text that is no unit as it is."""
    words = [word for word in _UNIT_WORD.findall(text) if word not in _BETWEEN_UNITS]
    scale = Fraction(1)
    if words and words[0] in SCALES:
        scale, text = Fraction(SCALES[words[0]]), text.replace(words[0], "", 1).strip()
        words = words[1:]
    known = [UNITS[word] for word in words if word in UNITS]
    if len(known) != len(words) or not known:
        return scale, text
    if len(known) == 1 and known[0][2] is not None:
        return scale * known[0][2], BASES[known[0][0]]
    names = [name for _, name, _ in known]
    return scale, " ".join(name for name in names if name != "degree" or len(names) == 1)


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
