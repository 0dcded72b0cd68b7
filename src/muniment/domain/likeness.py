"""When two sentences say the same in other words (RULES 8.1, 8.2), or only differ in a value.

Another number, day, unit, polarity or name is never the same, however near the rest is. Else the
content words decide: how many of all of them both have.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import regex

from muniment.domain.gate.tokens import read
from muniment.domain.late import late_regex
from muniment.domain.rendering import WORDS
from muniment.domain.text import MONTHS, ORDINAL, WEEKDAYS, Analyzer, normalise
from muniment.domain.units import SMALL

_NUMBERS: Final = {word: str(value) for word, value in SMALL.items()} | {
    "hundred": "100", "thousand": "1000", "million": "1000000", "half": "0.5", "twice": "2",
}  # fmt: skip
# A family of units: what is said of one of them is another value of the same with another.
_FAMILIES: Final = {
    "span": "second|minute|hour,hourly|day,daily|week,weekly|fortnight,fortnightly|month,monthly"
    "|quarter,quarterly|year,yearly,annual,annually",
    "money": "euro,eur,€|dollar,usd,$|pound,gbp,£|yen,jpy,¥|franc,chf",
    "share": "percent,pct,%|permille,‰",
    "length": "kilometre,kilometer,km|metre,meter|centimetre,centimeter,cm|millimetre,millimeter,mm"
    "|mile|foot,feet,ft|inch|yard",
    "weight": "kilogram,kilo,kg|gram|tonne,ton|ounce,oz|lb,lbs",
    "heat": "celsius,°c|fahrenheit,°f|kelvin",
    "volume": "litre,liter|millilitre,milliliter,ml|gallon|pint|cup",
    "size": "kilobyte,kb|megabyte,mb|gigabyte,gb|terabyte,tb",
}
_UNITS: Final = {
    form: (family, one.split(",")[0])
    for family, units in _FAMILIES.items()
    for one in units.split("|")
    for word in one.split(",")
    for form in (word, f"{word}s")
}
_DAYS: Final = frozenset(MONTHS) - {"may", "march"} | {
    form for day in WEEKDAYS for form in (day, f"{day}s")
}
_SIGN: Final = late_regex(r"[%€$£¥‰]")
_ALSO_WORDS: Final = {"May": ("day", "may"), "March": ("day", "march")}
_DENIES: Final = late_regex(
    r"\b(?:no|not|never|none|nor|neither|nothing|nobody|without|cannot|except|stop|stopped|avoid"
    r"|exclude|excluding|dont|doesnt|didnt|isnt|cant|wont)\b|\b\w+n['’]t\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Likeness:
    """By what a sentence is compared. ``words`` are stems of content words without the values."""

    words: frozenset[str]
    values: frozenset[tuple[str, str]]
    """Numbers, units and days, each with its family."""
    denied: bool
    names: frozenset[str] = field(default=frozenset())
    """Stems of what is written as a name is; they are among the words too."""
    line: tuple[str, ...] = ()
    """Words and numbers in the order in which they stand."""

    @property
    def exact(self) -> tuple[frozenset[tuple[str, str]], bool]:
        """What the same statement has exactly the same."""
        return self.values, self.denied

    @property
    def size(self) -> int:
        """How much there is to compare."""
        return len(self.words) + len(self.values)


def likeness(
    text: str, analyzer: Analyzer, *, aside: frozenset[str] = frozenset(), days: Iterable[str] = ()
) -> Likeness:
    """``text`` for comparing. Stems ``aside`` do not count; ``days`` are those that it names, where
    they are known exactly.
    """
    text = normalise(text)
    values = {("day", day) for day in days}
    values |= {_UNITS[sign] for sign in _SIGN.findall(text)}
    line: list[str] = []
    words: set[str] = set()
    for match in WORDS.finditer(text):
        word = match.group().casefold()
        value = _ALSO_WORDS.get(match.group()) if match.start() else None
        value = value or _value(word)
        if value is None:
            stems = [stem for stem in analyzer.stems(word) if stem not in aside]
            stems = [] if _DENIES.fullmatch(word) else stems
            words.update(stems)
            line += stems
        else:
            values.add(value)
            line.append(value[1])
    seen = read(text)
    names = {
        stem
        for word, capital in zip(seen.words, seen.capital, strict=True)
        if capital and _value(word) is None
        for stem in analyzer.stems(word)
    }
    return Likeness(
        words=frozenset(words),
        values=frozenset(values),
        denied=_DENIES.search(text) is not None,
        names=frozenset(names) & words,
        line=tuple(line),
    )


def overlap(one: Likeness, other: Likeness) -> float:
    """The share of the content of both that they have in common; 0 where there is none."""
    all_of_it = len(one.words | other.words) + len(one.values | other.values)
    common = len(one.words & other.words) + len(one.values & other.values)
    return common / all_of_it if all_of_it else 0.0


def alike(one: Likeness, other: Likeness, least: float) -> bool:
    """True if they say the same: never with another value, polarity or name (RULES 8.1)."""
    return (
        one.exact == other.exact
        and one.names <= other.words
        and other.names <= one.words
        and overlap(one, other) >= least
        and _in_order(one, other) == _in_order(other, one)
    )


def _in_order(one: Likeness, other: Likeness) -> list[str]:
    """Names and numbers as they follow each other: who reports to whom is no matter of words."""
    kept = one.names | other.names | {value for family, value in one.values if family == "number"}
    return [token for token in one.line if token in kept]


def gives_other(one: Likeness, other: Likeness, least: float) -> bool:
    """True if they speak of the same and differ in the value or the polarity alone: "by week" and
    "by month", "five days" and "three days". Other names are other things, as far as this knows.
    """
    families = {family for family, _ in one.values}
    if one.exact == other.exact or families != {family for family, _ in other.values}:
        return False
    if not families and not one.words:
        return False
    if one.names != other.names:
        return False
    both = one.words | other.words
    return not both or len(one.words & other.words) / len(both) >= least


def _value(word: str) -> tuple[str, str] | None:
    """Family and normal form of a number, a unit or a day; None for another word."""
    if word in _UNITS:
        return _UNITS[word]
    if word in _DAYS:
        return "day", word.removesuffix("s") if word[:-1] in WEEKDAYS else word
    if word in _NUMBERS:
        return "number", _NUMBERS[word]
    ordinal = ORDINAL.fullmatch(word)
    if ordinal:
        return "number", ordinal[1]
    digits = word.lstrip("-−")
    if digits[:1].isdecimal() and all(part.isdecimal() for part in regex.split(r"[.,:]", digits)):
        sign = "-" if word[0] in "-−" else ""
        return "number", sign + digits.replace(",", "")
    return None
