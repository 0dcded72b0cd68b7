"""What a question asks: its informative terms, the days that it names, its vector."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Final, Protocol

import numpy as np
import regex
from numpy.typing import NDArray

from muniment.domain.late import late_regex
from muniment.domain.ranking.asked_time import AskedTime
from muniment.domain.text import MONTHS, Analyzer
from muniment.domain.timeline import micros

_MONTH_NAMES: Final = "|".join((*MONTHS, *(name[:3] for name in MONTHS), "sept"))
_VERBS: Final = ("may", "march")
_ASKS_TIME: Final = late_regex(
    r"\s*(?:(?:and|so|but)\s+)?(?:(?:since|until|by)\s+)?"
    r"(?:when|how long|(?:in |on |at )?(?:what|which) (?:day|date|month|year|time|season))\b",
    regex.IGNORECASE,
)
_ISO_DAY: Final = late_regex(r"\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b")
_DAY_MONTH: Final = late_regex(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH_NAMES})\b\.?(?:,? (\d{{4}}))?",
    regex.IGNORECASE,
)
_MONTH_DAY: Final = late_regex(
    rf"\b({_MONTH_NAMES})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?", regex.IGNORECASE
)
# "may" and "march" are verbs as well, so alone they count only with a capital.
_MONTH: Final = late_regex(
    r"\b(?:(?i:(" + "|".join(name for name in MONTHS if name not in _VERBS) + r"))|(May|March))\b"
    r"(?:,? (?:of )?(\d{4})\b)?"
)
_YEAR: Final = late_regex(r"\b(?:19|20)\d\d\b")
_RELATIVE: Final = late_regex(
    r"\b(?:(yesterday)|(today)|last (week|month|year)|(\d{1,3}) (day|week|month|year)s? ago)\b",
    regex.IGNORECASE,
)
_DAYS: Final = {"day": 1, "week": 7, "month": 30, "year": 365}
_LONG_DAYS: Final = 92
_EPOCH: Final = date(1970, 1, 1).toordinal()
_DAY_MICROSECONDS: Final = 86_400_000_000


@dataclass(frozen=True)
class Days:
    """A period that a question names; ``year`` is None for "in May", ``day`` 0 for no day."""

    year: int | None
    month: int = 0
    day: int = 0

    def spans(self, years: Sequence[int]) -> list[tuple[int, int]]:
        """Half-open spans in days since the epoch, one for each year that it may mean."""
        meant = years if self.year is None else (self.year,)
        return [span for span in map(self._span, meant) if span is not None]

    def _span(self, year: int) -> tuple[int, int] | None:
        try:
            start = date(year, self.month or 1, self.day or 1).toordinal()
            if self.day:
                return start - _EPOCH, start + 1 - _EPOCH
            following = (year, self.month + 1) if 0 < self.month < 12 else (year + 1, 1)
            return start - _EPOCH, date(*following, 1).toordinal() - _EPOCH
        except ValueError:
            return None


@dataclass(frozen=True)
class Span:
    """A period in days since the epoch, from "last week" and the like; half-open."""

    start: int
    end: int

    def spans(self, _years: Sequence[int]) -> list[tuple[int, int]]:
        """The one span, whatever years the store holds."""
        return [(self.start, self.end)]


RelatedStems = Sequence[int]
"""Hashed stems of words that mean about the same as one, the nearest first."""


class RelatedWords(Protocol):
    """Which words mean about the same."""

    def related(self, word: str, analyzer: Analyzer, /) -> RelatedStems:
        """The stems that are related to a folded word, its own not among them; maybe none."""


@dataclass(frozen=True)
class Question:
    """A question ready to rank; ``words`` pairs each distinct stem's hash with its first token.

    ``vector`` is the unit vector of the informative words, or None where there is none.
    ``within``: only rows of these instants (microseconds, half-open) answer; without words every
    one of them does. ``related``: by a word's hashed stem, those of words that mean about the same.
    """

    words: tuple[tuple[str, int], ...]
    asks_time: bool = False
    periods: tuple[Days | Span, ...] = ()
    vector: NDArray[np.float32] | None = None
    within: tuple[int, int] | None = None
    related: Mapping[int, RelatedStems] = field(default_factory=dict)

    @property
    def content(self) -> str:
        """The informative words alone: what to embed when vectors are averages of words."""
        return " ".join(word for word, _ in self.words)

    def with_vector(self, vector: NDArray[np.float32] | None) -> "Question":
        """The same question with the vector to compare rows with."""
        return replace(self, vector=vector)

    def with_related(self, words: RelatedWords, analyzer: Analyzer) -> "Question":
        """The same question with what is related to its words, but for its own words."""
        asked = {hashed for _, hashed in self.words}
        found = {
            hashed: [stem for stem in words.related(word, analyzer) if stem not in asked]
            for word, hashed in self.words
        }
        return replace(self, related={hashed: stems for hashed, stems in found.items() if stems})


def parse_question(
    text: str, analyzer: Analyzer, *, now: int | None = None, times: bool = True
) -> Question:
    """The question without its vector; ``now`` (microseconds) anchors "last week". Without
    ``times`` no time is read from it.
    """
    words: dict[int, str] = {}
    for token, hashed in analyzer.content(text):
        words.setdefault(hashed, token)
    return Question(
        words=tuple((token, hashed) for hashed, token in words.items()),
        asks_time=_ASKS_TIME.match(text) is not None,
        periods=_periods_of(text, now) if times else (),
    )


def _periods_of(text: str, now: int | None) -> tuple[Days | Span, ...]:
    return tuple(_periods(text)) + (() if now is None else tuple(_relative(text, now)))


def within(asked: AskedTime, bounds: tuple[datetime, datetime], analyzer: Analyzer) -> Question:
    """What is asked of a time and of nothing outside, between two instants."""
    start, end = (micros(bound) for bound in bounds)
    subject = parse_question(asked.rest, analyzer, times=False)
    # Where nothing else is asked, being of that time is what speaks for a row.
    periods = () if subject.words else (_span_of(asked),)
    return replace(subject, periods=periods, within=(start, end))


def near(asked: AskedTime, question: Question) -> Question:
    """The question with a time to be near to, where it has none: one that is no whole season, of
    which there is no saying when it was told.
    """
    if question.periods or (asked.end - asked.start).days > _LONG_DAYS:
        return question
    return replace(question, periods=(_span_of(asked),))


def _span_of(asked: AskedTime) -> Span:
    return Span(asked.start.toordinal() - _EPOCH, asked.end.toordinal() - _EPOCH)


def _month_number(name: str) -> int:
    return next(at for at, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))


def _periods(text: str) -> list[Days]:
    found: list[Days] = []
    # The most exact way of writing a date first; what it covers is not read again.
    for pattern, read in _WRITTEN:
        found.extend(read(match) for match in pattern.finditer(text))
        text = pattern.sub(" ", text)
    return found


def _relative(text: str, now: int) -> list[Span]:
    today = now // _DAY_MICROSECONDS
    spans = []
    for match in _RELATIVE.finditer(text):
        if match[1] or match[2]:
            start = today - bool(match[1])
            spans.append(Span(start, start + 1))
        elif match[3]:
            spans.append(_last(match[3].lower(), today))
        else:
            unit = _DAYS[match[5].lower()]
            middle = today - int(match[4]) * unit
            spans.append(Span(middle - unit // 2, middle + unit // 2 + 1))
    return spans


def _last(unit: str, today: int) -> Span:
    """The calendar week (from Monday), month or year before the one that ``today`` is in."""
    day = datetime.fromtimestamp(today * 86_400, UTC).date()
    if unit == "week":
        monday = today - day.weekday()
        return Span(monday - 7, monday)
    first = day.replace(day=1) if unit == "month" else day.replace(month=1, day=1)
    # Nothing was before the first day of the calendar.
    before = date.fromordinal(max(first.toordinal() - 1, 1))
    start = before.replace(day=1) if unit == "month" else before.replace(month=1, day=1)
    return Span(start.toordinal() - _EPOCH, first.toordinal() - _EPOCH)


def _year(written: str | None) -> int | None:
    return int(written) if written else None


_WRITTEN: Final[tuple[tuple[regex.Pattern[str], Callable[[regex.Match[str]], Days]], ...]] = (
    (_ISO_DAY, lambda m: Days(int(m[1]), int(m[2]), int(m[3] or 0))),
    (_DAY_MONTH, lambda m: Days(_year(m[3]), _month_number(m[2]), int(m[1]))),
    (_MONTH_DAY, lambda m: Days(_year(m[3]), _month_number(m[1]), int(m[2]))),
    (_MONTH, lambda m: Days(_year(m[3]), _month_number(m[1] or m[2]))),
    (_YEAR, lambda m: Days(int(m.group()))),
)
