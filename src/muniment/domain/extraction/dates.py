"""Days that a clause names, resolved against the instant of its turn; only exact ones.

The libraries that were tried guess: they give a day for "in May" and take "We" for Wednesday.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal

from muniment.domain.extraction.spans import (
    FEAST,
    MONTH,
    MONTH_END,
    day_of,
    ends_there,
    feast_day,
    lasting_days,
    month_end,
    month_number,
    ranges,
)
from muniment.domain.late import late
from muniment.domain.text import WEEKDAYS

Part = Literal["from", "until", "on"]

_COUNTS_WORDS = """
    one two three four five six seven eight nine ten eleven twelve
"""
_COUNTS: Final = {word: number for number, word in enumerate(_COUNTS_WORDS.split(), 1)} | {
    "a": 1,
    "an": 1,
    "couple": 2,
}
_WEEKDAY = "|".join(f"{name}|{name[:3]}" for name in WEEKDAYS) + "|tues|thur|thurs"
_DAY = (
    rf"(?P<awk>a|one|two) weeks? (?:from |on )?(?P<awd>today|tomorrow|{_WEEKDAY})\b"
    rf"|(?P<wdw>{_WEEKDAY}|today|tomorrow) week\b"
    r"|(?P<iso>\d{4}-\d{2}-\d{2})|(?P<dot>\d{1,2}\.\d{1,2}\.\d{4})\b"
    rf"|the (?P<far>{_WEEKDAY}) (?P<farther>after next|before last)\b"
    rf"|(?:the )?(?P<d1>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?(?: of)? (?P<m1>{MONTH})\b\.?(?:,? (?P<y1>\d{{4}}))?"
    rf"|(?P<m2>{MONTH})\.? (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<y2>\d{{4}}))?"
    r"|the (?P<d3>\d{1,2})(?:st|nd|rd|th)\b(?! (?:and|percentile|floor|time|century"
    r"|of (?!(?:the|this|next|last) month)))(?: of (?P<of>the|this|next|last) month\b)?"
    rf"|(?:(?P<which>last|next|this|this past|this coming|coming"
    rf"|the coming) )?(?P<wd>{_WEEKDAY})\b"
    r"(?: (?P<wdpart>morning|afternoon|evening|night))?"
    r"|the day before (?P<before>yesterday)|the day after (?P<after>tomorrow)"
    r"|(?P<word>today|yesterday|tomorrow|tonight|midnight|this morning|this afternoon"
    r"|last night)\b"
    r"|(?P<n>\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|a couple of) (?P<unit>day|week|fortnight)s? (?P<dir>ago|from now|from today)\b"
    r"|in (?P<n2>\d{1,2}|an?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r" (?P<unit2>day|week|fortnight)s?'?(?: time)?"
    r"(?! at| in)\b"
)
_FROM = (
    r"since|from|as of|as from|as per|come|startin[g']?(?: on| from)?|effective(?: from)?|beginning"
    r"|with effect from"
    r"|valid from|begin(?:s|ning)? on"
)
_UNTIL = (
    r"(?:until|till|til|'til|through|up to and including|up to|up until)"
    r"(?: (?:midnight|noon|the evening|the morning|the night|close of business|lunchtime)(?: on"
    r"| of)?"
    rf"(?= (?:the |next )?(?:\d|{_WEEKDAY})))?"
)
DATED: Final = late(
    rf"(?:\b(?P<from>{_FROM})\s+|\b(?P<until>{_UNTIL})\s+|\b(?P<on>on|by"
    rf"|back on)\s+)?\b(?<!every )(?<!each )(?<!on a )(?<!most )(?:{_DAY})"
    r"(?:\s+(?:on(?:wards?)?|itself|already)\b(?!\s+(?:the|a|my|our)\b))?",
    re.IGNORECASE,
)
_HINT = late(
    r"\d|day|tomorrow|tonight|midnight|morning|night|ago\b|\bin (?:a|two|three)"
    rf"|\bfrom now\b|\bfortnight|\b(?:{_WEEKDAY})\b|\beaster|\bchristmas|\bend of|\bnew year"
    rf"|\bhalloween",
    re.IGNORECASE,
)
_NOW_ON = late(
    r"\b(?:from (?:now|here|this point|today) on(?:wards?)?|as of now|starting now|effective "
    r"immediately"
    r"|with immediate effect)\b",
    re.IGNORECASE,
)
_SINCE_EVENT = late(
    r"\b(?:since|as of|from) (?:the|our|my|its|their) [\w -]{3,40} (?:on|of|in) ?(?:on)?$",
    re.IGNORECASE,
)
_FUTURE = late(
    r"\b(?:will|shall|going to|tomorrow|am starting|are starting|start|starts|starting|move in"
    r"|move to|opens|begins|change to|is coming|is going|(?:am|is|are) (?:not )?[a-z]+ing)\b",
    re.IGNORECASE,
)
_PAST = late(
    r"\b(?:was|were|had|did|left|went|came|got|put|made|took|gave|given|sold|died|quit|began"
    r"|became"
    r"|bought|signed|won|lost|told|has|have|met|wrote|fell|held|ran|(?!used\b"
    r"|supposed\b|need)\w+ed)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dated:
    """A day in a clause: what it is the day of, and where it stands. ``habit``: "on Mondays"."""

    part: Part
    day: date
    start: int
    end: int

    def past_tense(self, text: str) -> bool:
        """Whether the text says that it was, not that it will be."""
        return _FUTURE.search(text) is None and _PAST.search(text) is not None


def find_dates(text: str, said_at: datetime) -> list[Dated]:
    """The exact days that ``text`` names, in order."""
    if _HINT.search(text) is None and _NOW_ON.search(text) is None:
        return []
    today = said_at.date()
    found = _named_days(text, today)
    taken = [(one.start, one.end) for one in found]
    for first, last, start, end in ranges(text, today):
        found += [Dated("from", first, start, end), Dated("until", last, end, end)]
        taken.append((start, end))
    for match in DATED.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        if match["wd"] and _is_habitual(match, text):
            continue
        if _is_denied(match, text):
            continue
        one = _dated(match, text, today, found)
        if one is not None:
            found.append(one)
    now_on = _NOW_ON.search(text)
    if now_on is not None and not found:
        found.append(Dated("from", today, len(text), len(text)))
    return _with_length(sorted(found, key=lambda one: one.start), text)


def _behind(day: date, first: date, *, weekly: bool) -> date:
    """The last day of a stretch, in the first week or year in which it is not before ``first``."""
    if weekly:
        return day + timedelta(days=7 * -((day - first).days // 7))
    return (
        day_of(first.year + ((day.month, day.day) < (first.month, first.day)), day.month, day.day)
        or day
    )


_NEAR_DAY: Final = late(
    r"\b(?:before|after|around|roughly|not before|no later than|sometime|some time)(?: on)?"
    r"(?: the)? ?$",
    re.IGNORECASE,
)
"""What stands before a day that is only near the one that is meant."""


def denies_day(text: str) -> bool:
    """Whether a text names a day that something is not on."""
    return _HINT.search(text) is not None and any(
        _is_denied(match, text) for match in DATED.finditer(text)
    )


def _is_denied(match: re.Match[str], text: str) -> bool:
    before = text[max(0, match.start() - 30) : match.start()]
    if _NEAR_DAY.search(before):
        return True
    return not (match["from"] or match["until"]) and _DENIED_DAY.search(before) is not None


def _dated(match: re.Match[str], text: str, today: date, found: list[Dated]) -> Dated | None:
    """The day of a match, with what it is the day of; ``found`` are those before it."""
    part: Part = "from" if match["from"] else "until" if match["until"] else "on"
    day = _resolve(match, today, text, part)
    if day is None:
        return None
    first = found[-1].day if found and found[-1].part == "from" else None
    if part == "until" and first is not None and day < first:
        day = _behind(day, first, weekly=match["wd"] is not None)
    start = match.start()
    if part == "on" and ends_there(text, start):
        part, day = "until", day - timedelta(days=1)
    elif part == "on" and _SINCE_EVENT.search(text[max(0, start - 50) : start + 3]):
        part = "from"
    elif part == "on" and found and found[-1].part == "from":
        between = text[found[-1].end : start].strip().lower()
        part = "until" if between in {"to", "through", "thru", "-", "–"} else "on"
    return Dated(part, day, start, match.end())


_DENIED_DAY: Final = late(
    r"\b(?:not|instead of|rather than|no longer|in place of|and not)(?: on)?(?: the)? ?$",
    re.IGNORECASE,
)
"""What stands before a day that it is not: "17 May, not the 3rd", "not 1 March but 1 April"."""
_HABITUAL: Final = re.compile(
    rf"(?: (?:to|and|through|till|until) (?:{_WEEKDAY}))? (?:is|are) (?!the\b|my\b|our\b)",
    re.IGNORECASE,
)
"""A weekday that is so every week: "Tuesday to Thursday are work days"."""
_RANGE: Final = re.compile(rf" ?[-–/] ?(?:{_WEEKDAY})\b", re.IGNORECASE)
_RANGE_BEFORE: Final = re.compile(rf"\b(?:{_WEEKDAY}) ?[-–/] ?$", re.IGNORECASE)


def _is_habitual(match: re.Match[str], text: str) -> bool:
    """Whether a weekday is one of every week's, as the ends of "Mon-Thu" are."""
    if not match["on"] and _HABITUAL.match(text[match.end() :]):
        return True
    before = text[: match.start("wd")][-12:]
    return bool(_RANGE.match(text, match.end("wd")) or _RANGE_BEFORE.search(before))


def _named_days(text: str, today: date) -> list[Dated]:
    """Feasts and ends of months, which have one day too."""
    more: list[Dated] = []
    for match in FEAST.finditer(text):
        lead = (match["lead"] or "").strip().lower()
        past = lead == "since" or (_FUTURE.search(text) is None and _PAST.search(text) is not None)
        day = feast_day(match["feast"], today, past=past)
        more.append(Dated(_PARTS.get(lead, "on"), day, match.start(), match.end()))
    for match in MONTH_END.finditer(text):
        last = month_end(match, today)
        lead = (match["lead"] or "").strip().lower()
        if last is None or lead in {"by", "from"} or not lead:
            continue
        if lead in {"come", "at"}:
            more.append(Dated("from", last + timedelta(days=1), match.start(), match.end()))
        else:
            more.append(Dated("until", last, match.start(), match.end()))
    return more


_PARTS: Final[dict[str, Part]] = {
    "since": "from",
    "from": "from",
    "until": "until",
    "till": "until",
}


def _with_length(found: list[Dated], text: str) -> list[Dated]:
    """The days, with the last one of a stretch of which the first and the length are said."""
    days = lasting_days(text)
    if days is None or len(found) != 1 or found[0].part == "until" or found[0].past_tense(text):
        return found
    return [*found, Dated("until", found[0].day + timedelta(days=days - 1), len(text), len(text))]


def _resolve(match: re.Match[str], today: date, text: str, part: Part) -> date | None:
    since = (match["from"] or "").lower() == "since"
    past = since or (
        part != "from" and _FUTURE.search(text) is None and _PAST.search(text) is not None
    )
    future = not past and (part != "on" or _FUTURE.search(text) is not None)
    if match["iso"]:
        return day_of(*map(int, match["iso"].split("-")))
    if match["dot"]:
        return day_of(*(int(part) for part in reversed(match["dot"].split("."))))
    if match["far"]:
        return _far_weekday(match, today)
    if match["d3"] and match["of"] in {"next", "last"}:
        first = (
            today.replace(day=1) + timedelta(days=32 if match["of"] == "next" else -1)
        ).replace(day=1)
        return day_of(first.year, first.month, int(match["d3"]))
    if match["d1"] or match["d2"]:
        told = past or _PAST.search(text) is not None
        return _month_day(match, today, past=past, since=since, told=told)
    if match["d3"]:
        as_of = (match["from"] or "").lower() == "as of" and _FUTURE.search(text) is None
        return _day_of_month(int(match["d3"]), today, past=past or (as_of and _is(text)))
    if match["wd"]:
        return _weekday(match, today, past=past, future=future)
    return _relative(match, today)


_LONG_AGO: Final = 60
"""Days after which a day without a year, in a sentence that is not of the past, is to come."""


def _month_day(
    match: re.Match[str], today: date, *, past: bool, since: bool, told: bool
) -> date | None:
    named, day = match["m1"] or match["m2"], int(match["d1"] or match["d2"])
    # "may 5" is a day; "may" alone in a sentence mostly is a verb, which no number follows.
    month = month_number(named)
    year = match["y1"] or match["y2"]
    if year:
        return day_of(int(year), month, day)
    near = [day_of(today.year + by, month, day) for by in (-1, 0, 1)]
    days = [one for one in near if one is not None]
    if past:
        days = [one for one in days if one <= today] or days
    if not days or (since and days[-1] > today):
        return None
    nearest = min(days, key=lambda one: abs((one - today).days))
    ahead = [one for one in days if one > today]
    if not told and ahead and (today - nearest).days > _LONG_AGO:
        return ahead[0]
    return min(days, key=lambda one: abs((one - today).days))


def _is(text: str) -> bool:
    """Whether a sentence says how things are by now."""
    return re.search(r"\b(?:am|is|are|has|have)\b", text) is not None


def _day_of_month(day: int, today: date, *, past: bool) -> date | None:
    """The nearest such day on the side that the tense says."""
    step = -1 if past else 1
    first = today.replace(day=1)
    for _ in range(3):
        found = day_of(first.year, first.month, day)
        if found is not None and (found <= today if past else found >= today):
            return found
        first = (first + timedelta(days=32 if step > 0 else -1)).replace(day=1)
    return None


def _weekday(match: re.Match[str], today: date, *, past: bool, future: bool) -> date | None:
    wanted = _weekday_number(match["wd"])
    ahead = (wanted - today.weekday()) % 7
    which = (match["which"] or "").lower()
    if which == "this":
        day = today - timedelta(days=today.weekday()) + timedelta(days=wanted)
        return day if day >= today or match["from"] or past else day + timedelta(days=7)
    if which == "next":
        return today + timedelta(days=7 - today.weekday() + wanted)
    if which in {"last", "this past"}:
        return today - timedelta(days=7 - ahead if ahead else 7)
    if ahead == 0:
        return None if which == "" else today + timedelta(days=7 if "coming" in which else 0)
    if "coming" in which or future:
        return today + timedelta(days=ahead)
    return today - timedelta(days=7 - ahead) if past else today + timedelta(days=ahead)


def _weekday_number(name: str) -> int:
    """0 for Monday to 6, of a weekday as ``_WEEKDAY`` matches it."""
    return next(at for at, one in enumerate(WEEKDAYS) if one[:3] == name.lower()[:3])


def _far_weekday(match: re.Match[str], today: date) -> date:
    """ "The Monday after next", "the Friday before last"."""
    ahead = (_weekday_number(match["far"]) - today.weekday()) % 7
    if match["farther"].lower() == "after next":
        return today + timedelta(days=(ahead or 7) + 7)
    return today - timedelta(days=(7 - ahead if ahead else 7) + 7)


def _week_after(match: re.Match[str], today: date) -> date:
    """ "A week today", "Sunday week": seven days, or fourteen, behind the day that is named."""
    named = (match["awd"] or match["wdw"]).lower()
    weeks = 2 if (match["awk"] or "").lower() == "two" else 1
    if named in {"today", "tomorrow"}:
        base = today + timedelta(days=named == "tomorrow")
    else:
        wanted = _weekday_number(named)
        base = today + timedelta(days=(wanted - today.weekday()) % 7 or 7)
    return base + timedelta(days=7 * weeks)


def _relative(match: re.Match[str], today: date) -> date | None:
    if match["awd"] or match["wdw"]:
        return _week_after(match, today)
    if match["before"] or match["after"]:
        return today + timedelta(days=-2 if match["before"] else 2)
    if match["word"]:
        word = match["word"].lower()
        return today + timedelta(
            days={"yesterday": -1, "last night": -1, "tomorrow": 1}.get(word, 0)
        )
    count = (match["n"] or match["n2"]).lower()
    number = int(count) if count.isdecimal() else _COUNTS.get(count.split()[-1], 0) or 2
    if count == "a couple of":
        number = 2
    days = (
        number * {"day": 1, "week": 7, "fortnight": 14}[(match["unit"] or match["unit2"]).lower()]
    )
    return today + timedelta(days=-days if (match["dir"] or "").lower() == "ago" else days)
