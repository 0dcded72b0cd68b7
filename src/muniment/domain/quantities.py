"""Numbers, units, days and times as people write them, each in one normal form (RULES 3.1, 8.1).

"three-day", "3 days" and "72 hours" are one span; "€ 1.200" and "1200 euro" one amount. Currencies,
imperial units and sizes of data are never turned into each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import regex

from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late_regex
from muniment.domain.text import MONTHS
from muniment.domain.units import (
    BEHIND_NUMBERS,
    DAYS,
    HALVES,
    MODIFIERS,
    MONTH_NUMBERS,
    ORDINALS,
    SCALES,
    SMALL,
    UNITS,
    Unit,
)

_BETWEEN: Final = frozenset({"to", "and", "or", "until", "-"})
_ONE_OF_THEM: Final = frozenset({"the", "this", "that", "which", "each", "every", "no", "any"})
_BEHIND_PRONOUNS: Final = word_set("of from that who which with another") | {""}
_SHORT: Final = 3
_NAMED_ALONE: Final = frozenset({"money", "heat", "share"})
"""Families whose units are named by signs and letters without a number too: "in EUR"."""
_TOKEN: Final = late_regex(
    r"(?P<date>\b[0-9]{4}([-/.])[0-9]{1,2}\2[0-9]{1,2}\b)"
    r"|(?P<time>\b[0-9]{1,2}(?:[:.][0-9]{2})?\s?[ap](?:m\b|\.m\.)|\b[0-9]{1,2}:[0-9]{2}\b)"
    r"|(?P<number>(?<![\p{L}\p{N}_])(?:(?<![\p{N}\p{L}%€$£])[-−])?\p{N}+(?:[.,'’]\p{N}+)*"
    r"(?:(?:st|nd|rd|th)\b)?)"
    r"|(?P<code>\p{L}+(?:_[\p{L}\p{N}]+)+|\p{L}+(?:[-_]?[\p{L}\p{N}]+)*[-_]?\p{N}[\p{L}\p{N}]*)"
    r"|(?P<sign>°[CF]?\b|[%€$£¥‰°])"
    r"|(?P<word>[\p{L}\p{M}]+(?:['’]\p{L}+)?)",
    regex.IGNORECASE,
)
_BY_COMMAS: Final = late_regex(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_BY_POINTS: Final = late_regex(
    r"[0-9]{1,3}(?:\.[0-9]{3}){2,}(?:,[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+"
)
_THOUSANDS: Final = late_regex(r"[0-9]{1,3}\.[0-9]{3}")
_UNCLEAR: Final = late_regex(r"[1-9][0-9]{0,2}\.[0-9]{3}")
"""A thousand and more, or one and a part: who wrote it is not known."""
_OTHERWISE: Final = late_regex(r"(?<=[0-9])['’ ](?=[0-9]{3})")
_PLAIN: Final = late_regex(r"[0-9]+(?:\.[0-9]+)?")
_ORDINAL_END: Final = late_regex(r"(?:st|nd|rd|th)$", regex.IGNORECASE)
_ZEROS: Final = late_regex(r"0[0-9]+|[0-9]+\.[0-9]*0")
_PARTS: Final = late_regex(
    r"([0-9]{1,2})(?:[:.]([0-9]{2}))?\s?(?:([ap])\.?m\.?)?", regex.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text, or a value with its ``family`` and normal form."""

    text: str
    start: int
    family: str = ""
    value: str = ""
    bare: bool = False
    """A plain number: what it counts is said by the word behind it."""


@dataclass(frozen=True, slots=True)
class _Raw:
    kind: str
    text: str
    start: int
    gap: str
    """What stands before it, since the one before."""

    @property
    def low(self) -> str:
        return self.text.casefold()


def tokens(text: str) -> list[Token]:
    """The words of a text in order, with its values in their normal forms."""
    raw: list[_Raw] = []
    end = 0
    for match in _TOKEN.finditer(text):
        raw.append(
            _Raw(str(match.lastgroup), match.group(), match.start(), text[end : match.start()])
        )
        end = match.end()
    return list(_Reader(raw).read())


def numeral(text: str, *, money: bool = False) -> Fraction | None:
    """The number that figures say, however they are grouped; None for what is no one number.

    "1.200" is a thousand and two hundred where it is an amount of ``money``, else one and a fifth.
    """
    sign = -1 if text[:1] in "-−" else 1
    plain = text.lstrip("+-−")
    if _BY_COMMAS.fullmatch(plain):
        plain = plain.replace(",", "")
    elif _BY_POINTS.fullmatch(plain) or (money and _THOUSANDS.fullmatch(plain)):
        plain = plain.replace(".", "").replace(",", ".")
    else:
        plain = _OTHERWISE.sub("", plain).replace(",", ".")
    if not _PLAIN.fullmatch(plain):
        return None
    return sign * Fraction(plain)


def written(number: Fraction) -> str:
    """A number in figures without needless zeros; as a fraction where they have no end."""
    places = number.denominator.bit_length() if number.denominator > 1 else 0
    figures = number * 10**places
    if figures.denominator != 1:
        return f"{number.numerator}/{number.denominator}"
    plain = str(abs(figures.numerator)).rjust(places + 1, "0")
    whole, fraction = plain[: len(plain) - places], plain[len(plain) - places :].rstrip("0")
    minus = "-" if number < 0 else ""
    return f"{minus}{whole}.{fraction}" if fraction else f"{minus}{whole}"


def amount(number: Fraction, unit: Unit) -> tuple[str, str]:
    """Family and normal form of so many of a unit."""
    family, name, factor = unit
    return family, written(number) + f" {name}" if factor is None else written(number * factor)


@dataclass(frozen=True, slots=True)
class _Number:
    value: Fraction
    after: int
    ordinal: bool = False


class _Reader:
    """Goes over the raw tokens once, from the left."""

    def __init__(self, raw: list[_Raw]) -> None:
        self._raw = raw

    def read(self) -> Iterator[Token]:
        at = 0
        while at < len(self._raw):
            found, after = self._day(at) or self._time(at) or self._amount(at) or self._single(at)
            yield found
            at = after

    def _low(self, at: int) -> str:
        return self._raw[at].low if 0 <= at < len(self._raw) else ""

    def _made(self, at: int, family: str, value: str, *, bare: bool = False) -> Token:
        return Token(self._raw[at].text, self._raw[at].start, family, value, bare)

    # Days and times

    def _day(self, at: int) -> tuple[Token, int] | None:
        raw = self._raw[at]
        if raw.kind == "date":
            year, month, day = regex.split(r"[-/.]", raw.text)
            return self._made(at, "date", f"{year}-{int(month):02}-{int(day):02}"), at + 1
        month_at, day_at = at, at + 1
        if raw.kind == "number":
            month_at, day_at = at + (2 if self._low(at + 1) == "of" else 1), at
        named = self._month(month_at)
        if named is None:
            return None
        day = self._whole(day_at, 31)
        behind = max(month_at, day_at if day else month_at) + 1
        if raw.kind == "number" and not day:
            return None
        if day and day_at > month_at and (self._paused(day_at) or self._unit(behind)[0]):
            day, behind = 0, month_at + 1
        if not day and not self._is_month_alone(month_at):
            return None
        year = self._whole(behind, 2199)
        year = year if year > 1899 else 0
        value = f"{year or '-'}-{named:02}" + (f"-{day:02}" if day else "")
        return self._made(at, "date", value), behind + (1 if year else 0)

    def _month(self, at: int) -> int | None:
        word = self._raw[at] if at < len(self._raw) else None
        if word is None or word.kind != "word" or not word.text[0].isupper():
            return (
                None
                if word is None or word.low in {"may", "march"}
                else MONTH_NUMBERS.get(word.low)
            )
        return MONTH_NUMBERS.get(word.low)

    def _is_month_alone(self, at: int) -> bool:
        """A month without a day: "May" and "March" open sentences, and short forms are words."""
        return self._low(at) in MONTHS and (self._low(at) not in {"may", "march"} or at > 0)

    def _whole(self, at: int, most: int) -> int:
        if at >= len(self._raw) or self._raw[at].kind != "number":
            return 0
        found = numeral(_ORDINAL_END.sub("", self._raw[at].text))
        return (
            int(found) if found is not None and found.denominator == 1 and 0 < found <= most else 0
        )

    def _time(self, at: int) -> tuple[Token, int] | None:
        raw = self._raw[at]
        match = _PARTS.fullmatch(raw.text) if raw.kind == "time" else None
        if match is None:
            return None
        hour, minute = int(match[1]), int(match[2] or 0)
        if match[3]:
            hour = hour % 12 + (12 if match[3].lower() == "p" else 0)
        return self._made(at, "time", f"{hour:02}:{minute:02}"), at + 1

    # Amounts

    def _amount(self, at: int) -> tuple[Token, int] | None:
        sign, start = None, at
        if self._raw[at].kind == "sign" or self._low(at) in UNITS:
            sign = UNITS.get(self._low(at))
            start = at + 1
            if sign is None or sign[0] != "money" or not self._is_figure(start):
                return None
        number = self._number(start, money=sign is not None)
        if number is None:
            return None
        unit, after = (sign, number.after) if sign else self._unit(number.after)
        if self._is_figure(start) and _UNCLEAR.fullmatch(self._raw[start].text):
            of = unit or self._unit_of_range(number.after)
            said = f"{self._raw[start].text} {of[1] if of else ''}".strip()
            return self._made(at, of[0] if of else "code", said), after
        if unit is None:
            unit = self._unit_of_range(number.after)
        if unit is not None and unit[0] == "money" and self._is_figure(start):
            number = self._number(start, money=True) or number
        if unit is not None and not number.ordinal:
            family, value = amount(number.value, unit)
            return self._made(at, family, value), after
        literal = self._literal(at, number)
        if literal:
            return self._made(at, "code", literal), number.after
        after = number.after + (1 if self._low(number.after) in {"times", "x"} else 0)
        return self._made(at, "number", written(number.value), bare=not number.ordinal), after

    def _literal(self, at: int, number: _Number) -> str:
        """Figures whose zeros count, as of "release 2.10" and "ticket 0042"; else nothing."""
        raw = self._raw[at]
        alone = raw.kind == "number" and number.after == at + 1
        return raw.text if alone and _ZEROS.fullmatch(raw.text) else ""

    def _is_figure(self, at: int) -> bool:
        return at < len(self._raw) and self._raw[at].kind == "number"

    def _unit(self, at: int) -> tuple[Unit | None, int]:
        """The unit that stands here, and where it ends."""
        kind = self._low(at) if self._low(at) in MODIFIERS else ""
        first = at + (1 if kind or self._low(at) in {"an", "us"} else 0)
        if self._low(at) == "per" and self._low(at + 1) in {"cent", "mille"}:
            return UNITS["%" if self._low(at + 1) == "cent" else "‰"], at + 2
        unit = UNITS.get(self._low(first))
        if unit is None or (
            first > at and not kind and self._low(at) == "an" and unit[0] != "span"
        ):
            return None, at
        if unit[1] == "degree" and self._low(first + 1) in UNITS:
            return UNITS[self._low(first + 1)], first + 2
        if kind:
            return (f"{kind} {unit[0]}", unit[1], None), first + 1
        return unit, first + 1

    def _unit_of_range(self, at: int) -> Unit | None:
        """The unit of a later number of a range: "from 8 to 11 euros"."""
        follows = at + (1 if self._low(at) in _BETWEEN else 0)
        number = self._number(follows, money=False)
        joined = number is not None and (follows > at or self._raw[at].gap in ("-", "–"))
        if number is None or not joined:
            return self._sign_of_range(at)
        return self._unit(number.after)[0]

    def _sign_of_range(self, at: int) -> Unit | None:
        signed = self._low(at) in _BETWEEN and self._is_figure(at + 2)
        return UNITS.get(self._low(at + 1)) if signed else None

    def _number(self, at: int, *, money: bool) -> _Number | None:
        if at >= len(self._raw):
            return None
        raw = self._raw[at]
        if raw.kind != "number":
            return self._spelled(at)
        figures = _ORDINAL_END.sub("", raw.text)
        found = numeral(figures, money=money)
        if found is None:
            return None
        value, after = self._scaled(found, at + 1, attached_to=raw)
        return _Number(value, after, ordinal=figures != raw.text)

    def _scaled(self, value: Fraction, at: int, attached_to: _Raw) -> tuple[Fraction, int]:
        if at >= len(self._raw):
            return value, at
        word = self._raw[at]
        end = attached_to.start + len(attached_to.text)
        if word.low in SCALES and (word.low not in {"k", "mn", "bn"} or word.start == end):
            return value * SCALES[word.low], at + 1
        if word.text == "M" and word.start == end:
            return value * 10**6, at + 1
        return value, at

    def _spelled(self, at: int) -> _Number | None:
        """A number in words: "two hundred and five", "twenty-five", "half", "third"."""
        word = self._low(at)
        if word in HALVES:
            return _Number(HALVES[word], at + 1)
        part = ORDINALS.get(self._low(at + 1).removesuffix("s"), 0)
        if part > 2 and (word == "a" or word in SMALL):
            return _Number(Fraction(SMALL.get(word, 1), part), at + 2)
        if word in ("a", "an") and self._low(at + 1) in SCALES:
            return self._spelled_from(at + 1, Fraction(1))
        if word in SMALL:
            return self._spelled_from(at, Fraction(0)) if self._counts(at) else None
        if word.removesuffix("s") in ORDINALS and not self._is_a_second(at):
            return _Number(Fraction(ORDINALS[word.removesuffix("s")]), at + 1, ordinal=True)
        return None

    def _spelled_from(self, at: int, start: Fraction) -> _Number:
        total, current = Fraction(0), start
        while True:
            word = self._low(at)
            if (total or current) and self._paused(at):
                return _Number(total + current, at)
            joins = word == "and" and current >= 100 and self._low(at + 1) in SMALL
            if joins:
                at += 1
            elif word in SMALL and (not current or current % 100 == 0 or self._adds(current, word)):
                current += SMALL[word]
                at += 1
            elif word in {"hundred", "dozen"} and current:
                current *= SCALES[word]
                at += 1
            elif word in {"thousand", "million", "billion"} and current:
                total, current = total + current * SCALES[word], Fraction(0)
                at += 1
            else:
                return _Number(total + current, at)

    def _paused(self, at: int) -> bool:
        return at < len(self._raw) and self._raw[at].gap not in (" ", "-", "\u2010", "")

    @staticmethod
    def _adds(current: Fraction, word: str) -> bool:
        return current % 10 == 0 and current % 100 >= 20 and 0 < SMALL[word] < 10

    def _counts(self, at: int) -> bool:
        """ "One" counts where it is no pronoun: not "the one from", "one of"."""
        if self._low(at) != "one":
            return True
        return (
            self._unit(at + 1)[0] is not None
            or self._low(at + 1) in SCALES
            or (
                self._low(at - 1) not in _ONE_OF_THEM
                and self._low(at + 1)
                not in {"", "of", "from", "that", "who", "which", "with", "another"}
            )
        )

    def _is_a_second(self, at: int) -> bool:
        return self._low(at).startswith("second") and self._low(at - 1) in {
            "per", "a", "every", "each", "one",
        }  # fmt: skip

    # Single tokens

    @staticmethod
    def _is_short(word: str, family: str) -> bool:
        return len(word) <= _SHORT and word != "day" and family not in _NAMED_ALONE

    def _single(self, at: int) -> tuple[Token, int]:
        raw = self._raw[at]
        if raw.kind in {"code", "number"}:
            return self._made(at, "code", raw.low.replace("_", "-")), at + 1
        if raw.low in DAYS:
            return self._made(at, "day", DAYS[raw.low]), at + 1
        unit = UNITS.get(raw.low)
        measured = self._low(at - 1) in {"per", "in"}
        if (
            unit is None
            or (self._is_short(raw.low, unit[0]) and not measured)
            or raw.low in BEHIND_NUMBERS
        ):
            return Token(raw.text, raw.start), at + 1
        if unit[0] in {"span", "months"} and not raw.low.endswith("s"):
            family, value = amount(Fraction(1), unit)
            return self._made(at, family, value), at + 1
        return self._made(at, unit[0], f"some {unit[1]}"), at + 1
