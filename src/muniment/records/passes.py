"""Passes of the worker that take something away: how much at once, and what an operator let go."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.domain.timeline import EPOCH
from muniment.ports import Context
from muniment.records.audit_entries import write_entry

Duty = Literal["expire", "decay"]


@dataclass(frozen=True)
class PassRow:
    """A pass that stopped (``stopped_at``), or did, and up to when an operator let it go on."""

    duty: Duty
    stopped_at: datetime | None
    due: int
    held: int
    released_through: datetime | None


async def released_through(ctx: Context, duty: Duty) -> datetime:
    """What was due by then may go, however much it is."""
    found = await ctx.unit.one(PassRow, "pass_of", duty=duty)
    return EPOCH if found is None else found.released_through or EPOCH


async def stop_pass(ctx: Context, duty: Duty, due: int) -> int | None:
    """Stop a pass that would take too much: what is held; None for one that may go on (RULES 1.6).

    Readiness and metrics show a pass that stopped, until an operator lets it go on.
    """
    held = int(await ctx.unit.value("usage_held"))
    if not ctx.policy.cap.stops(due, held):
        await ctx.unit.run("pass_gone_through", duty=duty)
        return None
    await ctx.unit.run("pass_stop", duty=duty, now=ctx.now, due=due, held=held)
    return held


async def note_pass(ctx: Context, duty: str, *subjects: UUID, **counts: int) -> None:
    """An audit entry of what a pass did, in one scope (the first subject) or the whole tenant."""
    effect = "destructive" if duty.startswith("expire") else "write"
    told = {name: count for name, count in counts.items() if count}
    await write_entry(ctx, f"worker.{duty}", effect, subjects, told)
