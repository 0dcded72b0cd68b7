"""Days that belong together: "8 to 10 December", "from tomorrow for a week", "next week"."""

import re
from datetime import date
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
    options = []
    for by in (-1, 0, 1):
        year = int(match["year"]) if match["year"] else today.year + (by if month else 0)
        at = today.month if month else today.month + by
        at, year = (at - 1) % 12 + 1, year + (at - 1) // 12
        first = day_of(year, first_month or at, d1)
        last = day_of(year, last_month or at, d2)
        if first is not None and last is not None and first <= last:
            options.append((first, last))
    return min(options, key=lambda one: abs((one[0] - today).days), default=None)


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
