"""Half-open windows on the world and record axes (RULES 1)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST = datetime.min.replace(tzinfo=UTC)
LAST = datetime.max.replace(tzinfo=UTC)
OPEN = 2**63 - 1

# RFC 3339, but seconds may be left out; no leap second, no 24:00. Of nine digits of a second, as
# some languages write, the first six count.
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?"
    r"([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)


def parse_instant(text: str) -> datetime:
    """An instant with the offset that was written. Raises ValueError, without quoting the text,
    for any other form, a day that is not there, or an instant outside the years 1 to 9999 in UTC.
    """
    if not _INSTANT.fullmatch(text):
        raise ValueError("expected an instant with an offset, such as 2026-05-26T09:30:00+02:00")
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        raise ValueError("is not a day of the calendar") from None
    try:
        moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("is outside the years 1 to 9999") from None
    return moment


def zulu(moment: datetime) -> str:
    """An instant as answers write it."""
    in_utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return in_utc.isoformat().removesuffix("+00:00") + "Z"


def micros(instant: datetime | None) -> int:
    """Microseconds since the epoch; an open end is the largest int64."""
    if instant is None:
        return OPEN
    delta = instant - EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def later(instant: datetime, by: timedelta) -> datetime:
    """So much later in UTC, or the last instant of the year 9999; ``by`` is not negative."""
    return LAST if by > LAST - instant else instant.astimezone(UTC) + by


@dataclass(frozen=True, slots=True)
class Window:
    """``start <= t < end``; ``end`` None means open. Equal or reversed bounds raise ValueError."""

    start: datetime
    end: datetime | None = None

    def __post_init__(self) -> None:
        if self.end is not None and self.end <= self.start:
            raise ValueError("a window ends after it starts")

    def holds(self, instant: datetime) -> bool:
        """True if the instant lies inside."""
        return self.start <= instant and (self.end is None or instant < self.end)

    def overlaps(self, other: "Window") -> bool:
        """True if both share an instant."""
        return _before(self.start, other.end) and _before(other.start, self.end)

    def touches(self, other: "Window") -> bool:
        """True if both overlap, or one starts where the other ends."""
        return self.overlaps(other) or self.end == other.start or other.end == self.start

    def union(self, other: "Window") -> "Window":
        """The window from the earlier start to the later end; for windows that touch."""
        ends = (self.end, other.end)
        end = None if None in ends else max(e for e in ends if e is not None)
        return Window(min(self.start, other.start), end)

    def minus(self, other: "Window") -> tuple["Window", ...]:
        """What is left of this one outside the other: none, one or two windows."""
        if not self.overlaps(other):
            return (self,)
        left = []
        if self.start < other.start:
            left.append(Window(self.start, other.start))
        if other.end is not None and _before(other.end, self.end):
            left.append(Window(other.end, self.end))
        return tuple(left)


def without(windows: Sequence[Window], others: Sequence[Window]) -> list[Window]:
    """What is left of the windows outside all the others."""
    left = list(windows)
    for other in others:
        left = [part for window in left for part in window.minus(other)]
    return left


def disjoint(windows: Sequence[Window]) -> bool:
    """True if no two of the windows share an instant."""
    ordered = sorted(windows, key=lambda window: window.start)
    return not any(a.overlaps(b) for a, b in pairwise(ordered))


def _before(start: datetime, end: datetime | None) -> bool:
    return end is None or start < end
