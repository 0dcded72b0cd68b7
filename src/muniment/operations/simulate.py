"""policy.simulate: what a policy would keep, archive and expire by a date; nothing is touched."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from muniment.domain.decay import nine_tenths, suggested_half_life
from muniment.domain.overrides import effective
from muniment.domain.policy import Policy, PolicyError
from muniment.errors import Fault, InvalidInput
from muniment.operations.decode import pointer
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Instant, Json, command
from muniment.ports import Context
from muniment.records.tenant_policy import read_policy

MOST_RECALLS = 10_000
"""So many answers of the log are looked at, the latest."""
_RETURN = timedelta(hours=1)
_DAY = timedelta(days=1)


@command
class SimulatePolicy:
    """What is held, looked at ``until`` a date, if nobody used or wrote anything more.

    ``document`` is what ``policy.put`` would take; without one the policy as it is.
    """

    until: Instant
    document: dict[str, Json] | None = None


@dataclass(frozen=True)
class KindOutlook:
    """Of ``held`` items of a kind, how many would be kept as they are, archived, and over."""

    kind: str
    held: Count
    kept: Count
    archived: Count
    expired: Count


@dataclass(frozen=True)
class Returns:
    """Days until an item was recalled again, of the answers that are logged: the median, and what
    nine of ten stay below. The half-life suggested keeps an importance of 5 for these.
    """

    intervals: Count
    median_days: float | None
    nine_tenths_days: float | None
    suggested_half_life_days: float | None


@dataclass(frozen=True)
class Simulation:
    """By kind, with the half-life that was assumed. What is in quarantine does not count."""

    at: Instant
    until: Instant
    half_life_days: float
    kinds: tuple[KindOutlook, ...]
    returns: Returns


@dataclass(frozen=True)
class _Row:
    kind: str
    held: int
    archived: int
    expired: int


@dataclass(frozen=True)
class _Gap:
    gap: timedelta


async def simulate(command: SimulatePolicy, ctx: Context) -> Simulation:
    """Raises InvalidInput for a date that is over, and with pointers below ``/document``."""
    if command.until < ctx.now:
        raise InvalidInput(faults=[Fault("/until", "is over")])
    policy = await _proposed(command, ctx)
    rows = await ctx.unit.rows(_Row, "simulate_lives", **_numbers(policy, ctx.now, command.until))
    found = {row.kind: row for row in rows}
    return Simulation(
        at=ctx.now,
        until=command.until,
        half_life_days=policy.decay.half_life / _DAY,
        kinds=tuple(
            _outlook(found.get(kind) or _Row(kind, 0, 0, 0)) for kind in sorted(policy.kinds)
        ),
        returns=await _returns(ctx, policy),
    )


async def _proposed(command: SimulatePolicy, ctx: Context) -> Policy:
    if command.document is None:
        return ctx.policy
    was = await read_policy(ctx.unit)
    try:
        return effective(ctx.policy.installed, command.document, was.slots, was.revision)
    except PolicyError as error:
        faults = [Fault(pointer(("document", *place)), rule) for place, rule in error.faults]
        raise InvalidInput(faults=faults) from None


def _numbers(policy: Policy, now: datetime, until: datetime) -> dict[str, Any]:
    """A policy as parameters."""
    kinds, decay = policy.kinds, policy.decay
    slots = {name: slot.ttl for name, slot in policy.slots.items() if slot.ttl is not None}
    kept = [
        (name, category, days * _DAY)
        for name, retention in policy.retention.items()
        for category, days in (retention.days or {}).items()
    ]
    importances, _ = decay.cuts(now)
    return {
        "now": now,
        "until": until,
        "kinds": [*kinds],
        "ttls": [None if kind.ttl is None else kind.ttl * _DAY for kind in kinds.values()],
        "decays": [kind.decays for kind in kinds.values()],
        "slots": [*slots],
        "slot_ttls": [*slots.values()],
        "classes": [name for name, _, _ in kept],
        "categories": [category for _, category, _ in kept],
        "class_days": [days for _, _, days in kept],
        "importances": importances,
        "lasts": [decay.lasts(one) for one in importances],
        "grace": decay.grace,
    }


def _outlook(row: _Row) -> KindOutlook:
    kept = row.held - row.archived - row.expired
    return KindOutlook(row.kind, row.held, kept, row.archived, row.expired)


async def _returns(ctx: Context, policy: Policy) -> Returns:
    rows = await ctx.unit.rows(
        _Gap, "simulate_returns", now=ctx.now, recalls=MOST_RECALLS, least=_RETURN
    )
    gaps = [row.gap for row in rows]
    suggested = suggested_half_life(gaps, policy.decay.threshold)
    return Returns(
        intervals=len(gaps),
        median_days=round(median(gap / _DAY for gap in gaps), 2) if gaps else None,
        nine_tenths_days=_days(nine_tenths(gaps)),
        suggested_half_life_days=_days(suggested),
    )


def _days(span: timedelta | None) -> float | None:
    return None if span is None else round(span / _DAY, 2)


OPERATIONS = (
    Operation(
        name="policy.simulate",
        summary="Show what a policy would keep, archive and expire by a date",
        command=SimulatePolicy,
        result=Simulation,
        handler=simulate,
        effect=Effect.READ,
        verb="operate",
        layer="governance",
        http=Http("POST", "/v1/policy/simulate"),
        columns=("kinds.kind", "kinds.held", "kinds.kept", "kinds.archived", "kinds.expired"),
    ),
)
