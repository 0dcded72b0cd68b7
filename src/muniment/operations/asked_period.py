"""The time that a query names, as instants: what recall keeps to, or prefers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

from muniment.domain import ranking
from muniment.domain.ranking import AskedTime, asked_time, within
from muniment.domain.text import Analyzer
from muniment.errors import Fault, InvalidInput
from muniment.operations.types import Instant
from muniment.ports import Context, ScopeRow


@dataclass(frozen=True)
class AskedPeriod:
    """The time that ``words`` of the query name, from ``start`` to before ``end``, counted in days
    of ``timezone``. ``use``: ``only`` what the user's record has of then was looked for; ``near``:
    what is of then counts for more, and nothing is left out for it.
    """

    words: str
    start: Instant
    end: Instant
    timezone: str
    use: Literal["only", "near"]


@dataclass(frozen=True)
class Meant:
    """A period, with what is left of the question without it."""

    period: AskedPeriod
    time: AskedTime

    def nearby(self) -> "Meant":
        """The same, preferred and no more."""
        return replace(self, period=replace(self.period, use="near"))

    def question(self, analyzer: Analyzer) -> ranking.Question:
        """What is asked of the period alone; without words where nothing else is."""
        return within(self.time, (self.period.start, self.period.end), analyzer)


async def period_meant(
    ctx: Context, query: str, scopes: Sequence[ScopeRow], zone: str | None, as_of: datetime | None
) -> Meant | None:
    """The period that a query names. Days are those of the zone that is given, else of the zone
    that is held of the user, else of the offset of ``as_of``. Raises InvalidInput for no zone.
    """
    now = as_of or ctx.now
    try:
        if asked_time(query, now.date()) is None:
            return None
        place = await _zone_of(ctx, scopes, zone, now)
        time = asked_time(query, now.astimezone(place).date())
        return None if time is None else Meant(_period(time, place), time)
    except OverflowError:  # at an end of the calendar
        return None


async def _zone_of(
    ctx: Context, scopes: Sequence[ScopeRow], named: str | None, now: datetime
) -> tzinfo:
    if named is None:
        return await _of_the_user(ctx, scopes, now) or now.tzinfo or UTC
    zone = _zone(named)
    if zone is None:
        raise InvalidInput(faults=[Fault("/timezone", "is no time zone, such as Europe/Lisbon")])
    return zone


def _period(asked: AskedTime, place: tzinfo) -> AskedPeriod:
    start, end = (_instant(day, place) for day in (asked.start, asked.end))
    return AskedPeriod(asked.words, start, end, str(place), asked.use)


def _instant(day: date, place: tzinfo) -> datetime:
    return datetime.combine(day, time(), place).astimezone(UTC)


async def _of_the_user(ctx: Context, scopes: Sequence[ScopeRow], now: datetime) -> ZoneInfo | None:
    own = next((scope for scope in scopes if scope.level == "user"), None)
    if own is None:
        return None
    held = await ctx.unit.value(
        "user_value_of_slot", scope_id=own.scope_id, slot="timezone", now=now
    )
    return None if held is None else _zone(str(held))


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return None
