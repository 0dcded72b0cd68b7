"""Days that a question names, looking back from today: stretches, calendar units, exact days.

What stands in a clause of its own is found by the rules that date statements; a question looks
back, so what those leave open (a month, a week, how long ago) is taken as the last one.
"""

from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import regex

from muniment.domain.extraction.dates import find_dates
from muniment.domain.extraction.spans import MONTH, day_of, month_number, ranges
from muniment.domain.late import late_regex
from muniment.domain.units import SMALL

_DAY: Final = timedelta(days=1)
_COUNT_WORDS: Final = tuple(SMALL)[1:13]
_COUNTS: Final = {word: at for at, word in enumerate(_COUNT_WORDS, 1)} | {
    "a": 1, "an": 1, "couple": 2, "few": 3,
}  # fmt: skip
_COUNT: Final = rf"\d{{1,3}}|an?|(?:a )?(?:couple|few)(?: of)?|{'|'.join(_COUNT_WORDS)}"
_UNIT: Final = r"(?P<unit>day|week|fortnight|month|year)s?"
_AGO: Final = late_regex(rf"\b(?P<n>{_COUNT}) {_UNIT} ago\b", regex.IGNORECASE)
_WITHIN: Final = late_regex(
    rf"\b(?:in|over|during|within|for) the (?:last|past) (?P<n>{_COUNT}) {_UNIT}\b"
    rf"|\bthe (?:last|past) (?P<n2>{_COUNT}) (?P<unit2>day|week|fortnight|month|year)s?\b",
    regex.IGNORECASE,
)
_CALENDAR: Final = late_regex(
    r"\b(?:(?P<since>since|from) )?(?:in |during |of |over (?=the ))?"
    r"(?:the )?(?P<which>last|past|previous|this|at the|over the|on the)"
    r" (?P<unit>weekend|week|month|year)(?:'s)?\b",
    regex.IGNORECASE,
)
# "may" and "march" are verbs as well: alone they need a word before them or a capital.
_MONTH_NAMED: Final = late_regex(
    rf"\b(?:(?P<since>since|from) )?(?:(?:back )?in |during |of |over |for )?"
    rf"(?P<last>last |this )?(?P<m>(?:{MONTH}))\b\.?(?:,? (?:of )?(?P<y>(?:19|20)\d\d))?(?! \d)",
    regex.IGNORECASE,
)
_YEAR: Final = late_regex(r"\b(?:in |during |of )?(?P<y>(?:19|20)\d\d)\b", regex.IGNORECASE)
_HINT: Final = late_regex(
    rf"\d|day|night|morning|afternoon|week|month|year|christmas|easter|halloween|\b(?:{MONTH})\b",
    regex.IGNORECASE,
)
_FIRST_YEAR: Final = 100
_LAST_YEAR: Final = 9990
_VERBS: Final = ("may", "march", "mar")
# People are called so too: alone they are no month, and of "for Jan" one cannot say.
_PEOPLE: Final = ("jan", "april", "june", "august")
_WINDOW: Final = {"day": 0, "week": 3, "fortnight": 3, "month": 15, "year": 90}
_LENGTH: Final = {"day": 1, "week": 7, "fortnight": 14}


@dataclass(frozen=True)
class NamedDays:
    """Days from ``start`` to before ``end``, and where they stand. ``loose``: behind a noun it may
    belong to that ("the trip in May").
    """

    start: date
    end: date
    at: int
    to: int
    loose: bool = False


def named_days(text: str, today: date) -> list[NamedDays]:
    """Every time that a question names, in order; what one reading covers no other reads."""
    found: list[NamedDays] = []
    # The calendar has no days long before its first year, or behind its last.
    if _HINT.search(text) is None or not _FIRST_YEAR < today.year < _LAST_YEAR:
        return found
    for read in _READERS:
        for one in read(text, today):
            if not any(one.at < other.to and other.at < one.to for other in found):
                found.append(one)
    return sorted(found, key=lambda one: one.at)


def _stretches(text: str, today: date) -> Iterator[NamedDays]:
    for first, last, at, to in ranges(text, today):
        start, end = first, last
        if start > today and regex.search(r"\d{4}", text[at:to]) is None:
            start, end = _years_before(first, 1), _years_before(last, 1)
        yield NamedDays(start, end + _DAY, at, to)


def _within(text: str, today: date) -> Iterator[NamedDays]:
    for match in _WITHIN.finditer(text):
        count = _number(match["n"] or match["n2"])
        start = _back(today, count, (match["unit"] or match["unit2"]).lower())
        yield NamedDays(start, today + _DAY, *match.span())


def _ago(text: str, today: date) -> Iterator[NamedDays]:
    for match in _AGO.finditer(text):
        unit = match["unit"].lower()
        middle, by = _back(today, _number(match["n"]), unit), timedelta(days=_WINDOW[unit])
        yield NamedDays(middle - by, min(middle + by, today) + _DAY, *match.span())


def _exact(text: str, today: date) -> Iterator[NamedDays]:
    # A question of the past: "did" tells the rules for statements so, whatever its words.
    said = text if regex.search(r"\b(?:did|was|were|have|has|had)\b", text) else f"did {text}"
    shift = len(said) - len(text)
    for one in find_dates(said, datetime.combine(today, time(12), UTC)):
        at, to = max(one.start - shift, 0), one.end - shift
        if one.part == "from" and to > at and one.day <= today:
            yield NamedDays(one.day, today + _DAY, at, to)
        elif one.part == "on":
            yield NamedDays(one.day, one.day + _DAY, at, to)


def _calendar(text: str, today: date) -> Iterator[NamedDays]:
    for match in _CALENDAR.finditer(text):
        which, unit = match["which"].lower(), match["unit"].lower()
        if which in {"at the", "over the", "on the"} and unit != "weekend":
            continue
        start, end = _unit(unit, which, today)
        if match["since"]:
            end = today + _DAY
        yield NamedDays(start, end, *match.span())


def _unit(unit: str, which: str, today: date) -> tuple[date, date]:
    """The calendar week from Monday, weekend, month or year that today is in, or the one before."""
    this = which == "this"
    if unit == "weekend":
        saturday = today - timedelta(days=(today.weekday() - 5) % 7)
        # On a Saturday or Sunday "last weekend" is the one before.
        if which in {"last", "previous"} and today.weekday() >= 5:
            saturday -= 7 * _DAY
        return saturday, saturday + 2 * _DAY
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + (0 if this else 7))
        return monday, monday + 7 * _DAY
    if unit == "month":
        first = today.replace(day=1)
        start = first if this else (first - _DAY).replace(day=1)
        return start, _next_month(start)
    year = today.year if this else today.year - 1
    return date(year, 1, 1), date(year + 1, 1, 1)


def _months(text: str, today: date) -> Iterator[NamedDays]:
    for match in _MONTH_NAMED.finditer(text):
        month, name = month_number(match["m"]), match["m"]
        alone = match.group() == name
        if not match["y"] and _may_be_a_person(text[match.start() : match.start("m")], name):
            continue
        if alone and name.lower() in _VERBS and not (name[0].isupper() and match.start()):
            continue
        if match["y"]:
            start = date(int(match["y"]), month, 1)
        else:
            start = date(today.year, month, 1)
            last = (match["last"] or "").strip().lower() == "last"
            if start > today or (last and (today.year, today.month) == (start.year, month)):
                start = _years_before(start, 1)
        end = today + _DAY if match["since"] else _next_month(start)
        yield NamedDays(start, end, *match.span(), loose=not match["last"])


def _may_be_a_person(before: str, name: str) -> bool:
    doubtful = {"", "of", "for", "over"} if name.lower() == "jan" else {""}
    return name.lower() in _PEOPLE and before.strip().lower() in doubtful


def _years(text: str, _today: date) -> Iterator[NamedDays]:
    for match in _YEAR.finditer(text):
        year = int(match["y"])
        yield NamedDays(date(year, 1, 1), date(year + 1, 1, 1), *match.span(), loose=True)


def _number(written: str) -> int:
    words = written.lower().removesuffix(" of").split()
    return int(words[-1]) if words[-1].isdecimal() else _COUNTS[words[-1]]


def _back(today: date, count: int, unit: str) -> date:
    if unit in _LENGTH:
        return today - timedelta(days=count * _LENGTH[unit])
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    year, month = divmod(max(months, 24), 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def _next_month(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1)


def _years_before(day: date, count: int) -> date:
    return day_of(day.year - count, day.month, day.day) or day.replace(
        year=day.year - count, day=28
    )


_READERS: Final[tuple[Callable[[str, date], Iterator[NamedDays]], ...]] = (
    _stretches, _within, _ago, _exact, _calendar, _months, _years,
)  # fmt: skip
