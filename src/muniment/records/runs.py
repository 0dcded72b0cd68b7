"""Runs: found by their id, locked for a write, and what holds after a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any, TypeVar
from uuid import UUID

from muniment.domain.runs import Budget, Lease, RunOutcome
from muniment.errors import LeaseLost, NotFound, RunClosed, WritesRefused
from muniment.ports import Caller, Context
from muniment.records.alongside import Alongside, ask_alongside
from muniment.records.run_places import place_of


@dataclass(frozen=True)
class RunRow:
    """A run as it is stored, and whose it is."""

    scope_id: UUID
    run_id: UUID
    agent_id: str
    first_stage: str | None
    stage: str | None
    machine: str | None
    machine_version: int | None
    step: int
    step_ceiling: int | None
    cost: str
    cost_ceiling: str | None
    fence: int
    lease_seconds: int
    lease_expires_at: datetime
    opened_at: datetime
    resumed: int
    closed_at: datetime | None
    outcome: RunOutcome | None
    correction: str | None
    told: bool
    strict: bool
    salt: UUID
    namespace: str
    user_id: str | None
    opted_out_at: datetime | None
    recalled: bool

    @property
    def lease(self) -> Lease:
        """Who may write, and until when nobody else."""
        return Lease(self.fence, self.lease_expires_at)

    @property
    def budget(self) -> Budget:
        """What it has used of what it may."""
        ceiling = None if self.cost_ceiling is None else Decimal(self.cost_ceiling)
        return Budget(self.step, Decimal(self.cost), self.step_ceiling, ceiling)

    @property
    def place(self) -> dict[str, UUID]:
        """What names it in statements."""
        return {"scope_id": self.scope_id, "run_id": self.run_id}

    def renewed(self, now: datetime) -> datetime:
        """Until when the lease is held after a write at this moment."""
        return now + timedelta(seconds=self.lease_seconds)


R = TypeVar("R", bound=RunRow)


@dataclass(frozen=True)
class StepRow(RunRow):
    """A run as its next checkpoint finds it: how many of its facts nothing superseded; of the facts
    that were asked for those that it has, and those of them that are superseded.
    """

    held: int
    named: list[UUID]
    superseded: list[UUID]


@dataclass(frozen=True)
class FactRow:
    """A fact that a run committed to at a step."""

    fact_id: UUID
    key: str
    value: Any
    source: str
    valid_from: datetime
    supersedes: UUID | None
    step: int


@dataclass(frozen=True)
class CheckpointRow:
    """The state after a step, without its facts."""

    step: int
    stage: str | None
    questions: list[str]
    cost: str
    stale: list[dict[str, Any]]
    digest: bytes
    recorded_at: datetime


def note_state(
    ctx: Context, run: RunRow, what: str, before: bytes | None, after: bytes | None
) -> None:
    """Note for the audit entry what a part of the run was and becomes, salted with the run."""
    ctx.trail.changes[f"{run.run_id}:{what}"] = (_salted(run, before), _salted(run, after))


def _salted(run: RunRow, state: bytes | None) -> str | None:
    return None if state is None else sha256(run.salt.bytes + state).hexdigest()


def kept_since(ctx: Context) -> datetime:
    """Runs that were closed by then are past their time."""
    kept = ctx.policy.keep_until("run", "personal", ctx.now)
    return ctx.now if kept is None else ctx.now - (kept - ctx.now)


async def find_run(ctx: Context, run_id: UUID) -> RunRow:
    """The run; raises NotFound, also for what a key of one user does not reach."""
    return _reached(ctx, await _row(ctx, RunRow, "run_find", run_id))


async def _row(ctx: Context, row: type[R], query: str, run_id: UUID, **asked: Any) -> R | None:
    scope_id = await place_of(ctx, run_id)
    if scope_id is None:
        return None
    return await ctx.unit.one(
        row, query, scope_id=scope_id, run_id=run_id, since=kept_since(ctx), **asked
    )


async def run_named(ctx: Context, named: str | None) -> RunRow | None:
    """The run that a caller means with a word, if with any; None where it is no run, or one that a
    key of one user does not reach: callers may call anything a run.
    """
    if named is None:
        return None
    try:
        run_id = UUID(named)
    except ValueError:
        return None
    run = await _row(ctx, RunRow, "run_find", run_id)
    return None if run is None or not _reaches(ctx.caller, run) else run


async def lock_run(ctx: Context, run_id: UUID) -> RunRow:
    """The same for a write: nobody else writes into it until the transaction ends.

    The audit entry and a kept answer name it from here on.
    """
    return _locked(ctx, await _row(ctx, RunRow, "run_lock", run_id))


async def lock_to_work(ctx: Context, run_id: UUID, fence: int) -> RunRow:
    """The same for who holds it. Raises RunClosed, LeaseLost for another fence than the last, and
    what ``may_store`` raises.
    """
    return await _to_work(ctx, await lock_run(ctx, run_id), fence)


async def lock_for_step(ctx: Context, run_id: UUID, fence: int, facts: Sequence[UUID]) -> StepRow:
    """The same for a checkpoint, with what it has of these facts.

    They are as they were before the wait for the lock: only a checkpoint changes facts, and after
    one that came between this is not the next step any more.
    """
    run = await _row(ctx, StepRow, "run_lock_step", run_id, ids=facts)
    return await _to_work(ctx, _locked(ctx, run), fence)


async def hold_unlocked(ctx: Context, run: StepRow, fence: int) -> StepRow:
    """The same of a run that is known here, for who writes only if it is still so."""
    return await _to_work(ctx, _locked(ctx, run), fence)


def _locked(ctx: Context, found: R | None) -> R:
    run = _reached(ctx, found)
    ctx.trail.subjects.append(run.run_id)
    ctx.trail.user_id = run.user_id
    return run


async def _to_work(ctx: Context, run: R, fence: int) -> R:
    if run.closed_at is not None:
        raise RunClosed
    is_held_by(run, fence)
    await may_store(ctx, run)
    return run


def is_held_by(run: RunRow, fence: int) -> None:
    """Raises LeaseLost for another fence than the last."""
    if not run.lease.may_write(fence):
        raise LeaseLost(extra={"fence": run.fence})


async def may_store(ctx: Context, run: RunRow) -> None:
    """Raises WritesRefused for a user who opted out, QuotaExceeded and StorageFull without room."""
    if run.opted_out_at is not None:
        raise WritesRefused("This user takes no writes.")
    await ctx.quotas.check(ctx.unit, run.scope_id)


def _reaches(caller: Caller, run: RunRow) -> bool:
    """A key of one user reaches that user's; a call that is kept to a namespace or agent, its."""
    there = {"namespace": run.namespace, "agent_id": run.agent_id}
    kept = all(caller.within.get(name, value) == value for name, value in there.items())
    return kept and caller.user_id in (None, run.user_id)


def _reached(ctx: Context, run: R | None) -> R:
    if run is None or not _reaches(ctx.caller, run):
        raise NotFound("There is no such run.")
    return run


async def facts_of(ctx: Context, run: RunRow, step: int, as_of: datetime) -> Sequence[FactRow]:
    """What holds at an instant after a step of the run."""
    query, asked = _of_facts(run, step, as_of)
    return await ctx.unit.rows(FactRow, query, **asked)


def ask_facts(ctx: Context, run: RunRow, step: int, as_of: datetime) -> Alongside[FactRow]:
    """The same, asked with the next statement."""
    query, asked = _of_facts(run, step, as_of)
    return ask_alongside(ctx, FactRow, query, **asked)


def _of_facts(run: RunRow, step: int, as_of: datetime) -> tuple[str, dict[str, Any]]:
    asked: dict[str, Any] = {**run.place, "as_of": as_of}
    return ("facts_now", asked) if step >= run.step else ("facts_then", asked | {"step": step})


async def checkpoint_of(ctx: Context, run: RunRow, step: int) -> CheckpointRow | None:
    """The checkpoint of a step, if there is one."""
    return await ctx.unit.one(CheckpointRow, "checkpoint_find", **run.place, step=step)


def ask_checkpoint(ctx: Context, run: RunRow, step: int) -> Alongside[CheckpointRow]:
    """The same, asked with the next statement."""
    return ask_alongside(ctx, CheckpointRow, "checkpoint_find", **run.place, step=step)
