"""Days that belong together: "8 to 10 December", "from tomorrow for a week", "next week"."""

import re
from datetime import date, timedelta
from typing import Final

from muniment.domain.late import late
from muniment.domain.text import MONTHS

MONTH: Final = "|".join(f"{name}|{name[:3]}" for name in MONTHS) + "|sept"
"""A month in a pattern."""
_COUNTS: Final = {
    word: number
    for number, word in enumerate(
        ("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
    )
} | {"one": 1, "an": 1}
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?"
    r"(?:the )?(?P<{0}>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?"
)
_RANGE: Final = late(
    rf"\b(?:from |between |on )?(?:(?P<m0>{MONTH}) )?{_DAY.format('d1')}(?: (?P<m1>{MONTH}))?"
    rf"(?: to | through | till | until | and | thru |\s?[-–—]\s?)(?:(?P<m3>{MONTH}) "
    rf")?{_DAY.format('d2')}"
    rf"(?: (?P<m2>{MONTH}))?(?:,? (?P<year>\d{{4}}))?(?! ?(?:%|percent|years?|days?|weeks?"
    rf"|months?|hours?|people|times"
    r"|euros?|dollars?|[ap]\.?m|o'clock|:))\b",
    re.IGNORECASE,
)
_FOR: Final = late(
    r"\bfor (?:the next |another |about )?(?P<n>\d{1,2}|an?|one|two|three|four|five|six|seven"
    r"|eight|nine|ten)"
    r" (?P<unit>day|week|fortnight)s?\b",
    re.IGNORECASE,
)
_BACK: Final = late(
    r"\b(?:re-?opens?|opens? again|(?:I am|we are|I will be|we will be) back|back(?= on)"
    r"|returns?|starts? again|resumes?)"
    r"(?: again)?(?: on| the)?\s*$",
    re.IGNORECASE,
)
_DAYS_IN: Final = {"day": 1, "week": 7, "fortnight": 14}


def ranges(text: str, today: date) -> list[tuple[date, date, int, int]]:
    """First and last day of each range that names a month or ordinals, and where it stands."""
    found = []
    for match in _RANGE.finditer(text):
        month = match["m2"] or match["m1"] or match["m0"] or match["m3"]
        ordinal = re.search(r"\d(?:st|nd|rd|th)\b", match.group()) is not None
        if month is None and not ordinal:
            continue
        days = _range_days(match, today, month)
        if days is not None:
            found.append((*days, match.start(), match.end()))
    return found


def _range_days(match: re.Match[str], today: date, month: str | None) -> tuple[date, date] | None:
    last_month = month_number(match["m2"] or match["m3"] or month) if month else None
    first_month = month_number(match["m1"] or match["m0"] or month) if month else None
    d1, d2 = int(match["d1"]), int(match["d2"])
    if d1 > d2 and last_month is not None and not (match["m1"] or match["m0"]):
        first_month = (last_month - 2) % 12 + 1
    options = []
    for by in (-1, 0, 1):
        year = int(match["year"]) if match["year"] else today.year + (by if month else 0)
        at = today.month if month else today.month + by
        at, year = (at - 1) % 12 + 1, year + (at - 1) // 12
        first = day_of(year, first_month or at, d1)
        over = first_month is not None and last_month is not None and first_month > last_month
        last = day_of(year + over, last_month or at, d2)
        if first is not None and last is not None and first <= last:
            options.append((first, last))
    return min(options, key=lambda one: abs((one[0] - today).days), default=None)


_FEAST: Final = (
    r"(?P<feast>easter monday|easter sunday|easter day|good friday|christmas eve|christmas day"
    r"|boxing day|new year's eve|new year's day|new years day|new years eve|may day|halloween"
    r"|valentine's day|whit monday|ascension day)"
)
_FIXED: Final = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "new years eve": (12, 31),
    "new year's day": (1, 1),
    "new years day": (1, 1),
    "may day": (5, 1),
    "halloween": (10, 31),
    "valentine's day": (2, 14),
}
_BY_EASTER: Final = {
    "good friday": -2,
    "easter sunday": 0,
    "easter day": 0,
    "easter monday": 1,
    "ascension day": 39,
    "whit monday": 50,
}
FEAST: Final = late(rf"\b(?P<lead>since |from |until |till |on )?{_FEAST}\b", re.IGNORECASE)
"""A feast that has one day a year, with the word before it."""


def feast_day(name: str, today: date, *, past: bool) -> date:
    """The nearest such day, or the last one."""
    name = name.lower()
    days = [_feast(name, today.year + by) for by in (-1, 0, 1)]
    if past:
        days = [one for one in days if one <= today]
    return min(days, key=lambda one: abs((one - today).days))


def _feast(name: str, year: int) -> date:
    fixed = _FIXED.get(name)
    if fixed is not None:
        return date(year, *fixed)
    return _easter(year) + timedelta(days=_BY_EASTER[name])


def _easter(year: int) -> date:
    """Easter Sunday by the Gregorian computus."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    ell = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * ell) // 451
    month, day = divmod(h + ell - 7 * m + 114, 31)
    return date(year, month, day + 1)


MONTH_END: Final = late(
    rf"\b(?P<lead>until |till |through |up to |come |at |by |from )?(?:the )?(?:very )?end of "
    rf"(?:(?P<this>the|this|next) month|(?P<whole>the|this) (?P<span>week|year)\b(?! of)"
    rf"|(?P<month>{MONTH})\b(?: (?P<year>\d{{4}}))?)",
    re.IGNORECASE,
)


def month_end(match: re.Match[str], today: date) -> date | None:
    """The last day of the month of which a match of ``MONTH_END`` says the end."""
    if match["span"]:
        ahead = 6 - today.weekday()
        return (
            date(today.year, 12, 31)
            if match["span"].lower() == "year"
            else today + timedelta(ahead)
        )
    month = month_number(match["month"]) if match["month"] else today.month
    if (match["this"] or "").lower() == "next":
        month += 1
    year = int(match["year"]) if match["year"] else today.year + (month < today.month - 6)
    following = day_of(year + month // 12, month % 12 + 1, 1)
    return None if following is None else following - timedelta(days=1)


def month_number(name: str) -> int:
    """1 to 12 for a month as ``MONTH`` matches it."""
    return next(at for at, one in enumerate(MONTHS, 1) if one[:3] == name.lower()[:3])


def day_of(year: int, month: int, day: int) -> date | None:
    """The day, if the calendar has it."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def lasting_days(text: str) -> int | None:
    """For how many days something is said to go on: "for one week"."""
    match = _FOR.search(text)
    if match is None:
        return None
    count = match["n"].lower()
    number = int(count) if count.isdecimal() else _COUNTS[count]
    return number * _DAYS_IN[match["unit"].lower()]


def ends_there(text: str, start: int) -> bool:
    """Whether what stands before a day makes it the first on which things are as before."""
    return _BACK.search(text[max(0, start - 40) : start]) is not None
