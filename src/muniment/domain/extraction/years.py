"""Years and months of years beside a value: since when a change that is told long after is so.

A bare year stands for its first day, a month of a year for that month's, so that one that ends
where the next begins leaves no gap.

| | from | until |
|---|---|---|
| "from 2010 to 2015", "2010-2015" | 1 January 2010 | 1 January 2015 |
| "in 2012 I moved to" | 1 January 2012 | |
| "I joined in March 2019" | 1 March 2019 | |
| "ten years ago we moved to" | 1 January of that year | |
| "since 2010", "in 2026" said in 2026 | nothing: it holds when it is told | |
"""

import re
from datetime import date
from typing import Final

from muniment.domain.extraction.spans import MONTH, month_number
from muniment.domain.late import late
from muniment.domain.units import SMALL

_YEAR: Final = r"(?:19|20)\d\d"
_RANGE: Final = late(
    rf"\b(?:(?:from|between) )?(?:(?P<m1>{MONTH})\.? )?(?P<y1>{_YEAR})"
    rf"(?: (?:to|until|till|til|through|and) "
    rf"|\s?[-–—]\s?)(?:(?P<m2>{MONTH})\.? )?(?P<y2>{_YEAR})\b",
    re.IGNORECASE,
)
_IN: Final = late(
    rf"\b(?:back )?in (?:(?:early|late|mid|the (?:summer|spring|autumn|fall|winter) of)[ -])?"
    rf"(?:(?P<m>{MONTH})\.?,? (?:of )?)?(?P<y>{_YEAR})\b",
    re.IGNORECASE,
)
_COUNTED: Final = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty"
_COUNTS: Final = {word: SMALL[word] for word in _COUNTED.split()}
_AGO: Final = late(
    rf"\b(?:about |some |over |almost |nearly )?(?P<n>\d{{1,2}}|{'|'.join(_COUNTS)}) years ago\b",
    re.IGNORECASE,
)
_EVENT: Final = late(
    r"\b(?:moved|joined|started|began|became|relocated|settled|switched|transferred|hired|took|got"
    r"|accepted|came|went|promoted|appointed|founded|adopted|emigrated|immigrated"
    r"|will|going to|moving|joining|starting)\b",
    re.IGNORECASE,
)


def stretch_of(text: str) -> tuple[date, date] | None:
    """The first day of a stretch of years that is told, and the first day behind it."""
    match = _RANGE.search(text)
    if match is None:
        return None
    first, last = _day(match["y1"], match["m1"]), _day(match["y2"], match["m2"])
    return (first, last) if first < last else None


def begun(text: str, today: date) -> date | None:
    """The first day of the year or month in which a change is told to have come, or to come."""
    if _EVENT.search(text) is None:
        return None
    match = _IN.search(text)
    if match is not None:
        day = _day(match["y"], match["m"])
        told_month = match["m"] is not None and (day.year, day.month) != (today.year, today.month)
        return day if day.year != today.year or told_month else None
    ago = _AGO.search(text)
    if ago is None:
        return None
    count = ago["n"].lower()
    return date(today.year - (int(count) if count.isdecimal() else _COUNTS[count]), 1, 1)


def _day(year: str, month: str | None) -> date:
    return date(int(year), 1 if month is None else month_number(month), 1)
