"""runs.*: a checkpoint after a step, and going on after an interruption."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from annotated_types import MaxLen

from muniment.domain.runs import MOST_FACTS, Budget, decimal_text, next_fence
from muniment.domain.timeline import zulu
from muniment.errors import (
    BudgetSpent,
    Conflict,
    Fault,
    InvalidInput,
    LeaseHeld,
    LeaseLost,
    NotFound,
    RunClosed,
    StaleCheckpoint,
    StaleInputs,
    TransitionRefused,
    WritesRefused,
)
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.run_state import (
    Amount,
    FactValue,
    Fence,
    LeaseSeconds,
    RunBudget,
    RunFact,
    RunView,
    StaleInput,
    Step,
    budget_of,
    fact_of,
    left_of,
    stale_of,
    view_of,
)
from muniment.operations.types import Identifier, Instant, Value, command
from muniment.ports import Context
from muniment.records.machines import find_machine
from muniment.records.run_inputs import StaleRow, as_json, named, stale_inputs
from muniment.records.run_left import as_left, leave, leave_changed, left_for_step
from muniment.records.runs import (
    CheckpointRow,
    FactRow,
    RunRow,
    StepRow,
    checkpoint_of,
    hold_unlocked,
    lock_for_step,
    lock_run,
    note_state,
)

_MOST_AT_ONCE = 100


@command
class NewFact:
    """A fact with where it is from. ``supersedes`` is the id of the one that it takes over from,
    from ``valid_from`` on.
    """

    key: Identifier
    value: FactValue
    source: Value
    valid_from: Instant | None = None
    supersedes: UUID | None = None


@command
class WriteCheckpoint:
    """The state after a step: what it commits to, what is open, what it cost.

    ``step`` is the one behind the last; ``fence`` that of the lease. Without a ``stage`` the run
    stays in its own.
    """

    run_id: UUID
    step: Step
    fence: Fence
    stage: Identifier | None = None
    committed_facts: Annotated[tuple[NewFact, ...], MaxLen(_MOST_AT_ONCE)] = ()
    open_questions: Annotated[tuple[Value, ...], MaxLen(_MOST_AT_ONCE)] = ()
    cost_usd: Amount = "0"


@command
class ResumeRun:
    """Take the lease of a run and get its state. A ``fence`` that is still the last one is kept,
    and so are ``lease_seconds``, unless others are given.

    ``take_over`` is for who knows that the holder is gone; what that one still writes is refused.
    """

    run_id: UUID
    fence: Fence | None = None
    take_over: bool = False
    lease_seconds: LeaseSeconds | None = None


@dataclass(frozen=True)
class Checkpointed:
    """The facts with their ids, the budget that is used, until when the lease is held, and what the
    run recalled that does not hold any more.
    """

    run_id: UUID
    step: int
    stage: str | None
    committed_facts: tuple[RunFact, ...]
    budget: RunBudget
    fence: int
    lease_expires_at: Instant
    stale_inputs: tuple[StaleInput, ...]


async def checkpoint(command: WriteCheckpoint, ctx: Context) -> Checkpointed:
    """The same checkpoint again answers the same. Raises StaleCheckpoint for another step than the
    next, LeaseLost, RunClosed, BudgetSpent, InvalidInput for a pointer to no fact of the run, and
    StaleInputs in a strict run.
    """
    run_id, fence = command.run_id, command.fence
    pointers = _pointers(command)
    digest = _digest(command)
    left = left_for_step(ctx, run_id, fence, command.step, pointers)
    if left is not None:
        with as_left(ctx, run_id):
            return await _next(ctx, command, await hold_unlocked(ctx, left, fence), digest)
    run = await lock_for_step(ctx, run_id, fence, pointers)
    if command.step == run.step:
        done = await checkpoint_of(ctx, run, run.step)
        if done is not None and done.digest == digest:
            return await _again(ctx, run, done)
    if command.step != run.step + 1:
        raise StaleCheckpoint(extra={"last_step": run.step})
    return await _next(ctx, command, run, digest)


async def _next(
    ctx: Context, command: WriteCheckpoint, run: StepRow, digest: bytes
) -> Checkpointed:
    spent = run.budget.after(Decimal(command.cost_usd))
    if spent is None:
        raise BudgetSpent(extra=left_of(run.budget))
    stale = named(await stale_inputs(ctx, run))
    if run.strict and stale:
        raise StaleInputs(extra={"stale_inputs": as_json(stale)})
    facts = _facts(ctx, command, run)
    stage = await _stage(ctx, run, command.stage)
    until = run.renewed(ctx.now)
    # In the round trip of the commit: nothing is asked for between.
    await ctx.unit.later(
        "run_step",
        **run.place,
        step=command.step,
        stage=stage,
        stage_before=run.stage,
        lease_seconds=run.lease_seconds,
        recalled=run.recalled,
        questions=json.dumps(command.open_questions),
        cost=str(spent.cost),
        stale=json.dumps(as_json(stale)),
        digest=digest,
        fence=run.fence,
        key_id=ctx.caller.key_id,
        now=ctx.now,
        lease_expires_at=until,
        bytes=_size(command),
        facts=_as_rows(facts),
        pointers=_pointers(command),
    )
    leave(ctx, run, facts, stage=stage, cost=str(spent.cost), until=until)
    ctx.drill.reached("run.checkpointed")
    ctx.trail.detail |= {"step": command.step, "facts": len(facts), "stale": len(stale)}
    note_state(ctx, run, f"step:{command.step}", None, digest)
    return _checkpointed(run, command.step, stage, facts, spent, until, stale)


async def _stage(ctx: Context, run: RunRow, asked: str | None) -> str | None:
    """Where the run is after the step. Raises TransitionRefused for a run with a machine, which
    says what that allows.
    """
    if run.machine is None or asked in {None, run.stage}:
        return asked or run.stage
    found = await find_machine(ctx, run.machine, run.machine_version)
    allowed = [] if found is None or run.stage is None else found.machine.allowed(run.stage)
    raise TransitionRefused(
        "The run has a machine: runs.transition moves it.",
        extra={"stage": run.stage, "allowed": allowed},
    )


def _pointers(command: WriteCheckpoint) -> list[UUID]:
    return [one.supersedes for one in command.committed_facts if one.supersedes is not None]


def _size(command: WriteCheckpoint) -> int:
    """What a checkpoint stores, for quotas."""
    facts = [f"{one.key}{json.dumps(one.value)}{one.source}" for one in command.committed_facts]
    return sum(len(one.encode()) for one in [*facts, json.dumps(command.open_questions)])


def _digest(command: WriteCheckpoint) -> bytes:
    said = [
        command.step,
        command.stage,
        [
            [one.key, one.value, one.source, str(one.valid_from), str(one.supersedes)]
            for one in command.committed_facts
        ],
        command.open_questions,
        decimal_text(Decimal(command.cost_usd)),
    ]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()


def _checkpointed(
    run: RunRow, step: int, stage: str | None, facts: Sequence[FactRow], spent: Budget,
    until: Instant, stale: Sequence[StaleRow],
) -> Checkpointed:  # fmt: skip
    return Checkpointed(
        run_id=run.run_id,
        step=step,
        stage=stage,
        committed_facts=tuple(fact_of(row) for row in facts),
        budget=budget_of(spent),
        fence=run.fence,
        lease_expires_at=until,
        stale_inputs=stale_of(stale),
    )


async def _again(ctx: Context, run: RunRow, done: CheckpointRow) -> Checkpointed:
    rows = await ctx.unit.rows(FactRow, "facts_of_step", **run.place, step=done.step)
    stale = await stale_inputs(ctx, run)
    return _checkpointed(run, done.step, done.stage, rows, run.budget, run.lease_expires_at, stale)


def _facts(ctx: Context, command: WriteCheckpoint, run: StepRow) -> list[FactRow]:
    """The facts with ids of their own, their pointers checked."""
    pointers = [one.supersedes for one in command.committed_facts]
    faults = []
    for place, pointer in enumerate(pointers):
        if pointer is None:
            continue
        at = f"/committed_facts/{place}/supersedes"
        if pointer not in run.named:
            faults.append(Fault(at, "is no fact of this run"))
        elif pointer in run.superseded or pointer in pointers[:place]:
            faults.append(Fault(at, "is superseded already"))
    if faults:
        raise InvalidInput(faults=faults)
    if run.held + pointers.count(None) > MOST_FACTS:
        raise Conflict(f"A run holds {MOST_FACTS} facts at most; supersede some of them.")
    return [
        FactRow(
            fact_id=ctx.ids.new(),
            key=one.key,
            value=one.value,
            source=one.source,
            valid_from=one.valid_from or ctx.now,
            supersedes=one.supersedes,
            step=command.step,
        )
        for one in command.committed_facts
    ]


def _as_rows(facts: Sequence[FactRow]) -> str:
    """Facts as one statement takes them."""
    rows = [
        {
            "fact_id": str(one.fact_id),
            "place": place,
            "key": one.key,
            "value": one.value,
            "source": one.source,
            "valid_from": one.valid_from.isoformat(),
            "supersedes": None if one.supersedes is None else str(one.supersedes),
        }
        for place, one in enumerate(facts)
    ]
    return json.dumps(rows)


async def resume(command: ResumeRun, ctx: Context) -> RunView:
    """Raises LeaseHeld while somebody else holds the run, RunClosed and NotFound."""
    run = await lock_run(ctx, command.run_id)
    if run.closed_at is not None:
        raise RunClosed
    fence = next_fence(run.lease, ctx.now, fence=command.fence, take_over=command.take_over)
    if fence is None:
        raise LeaseHeld(extra={"expires_at": zulu(run.lease_expires_at)})
    seconds = command.lease_seconds or run.lease_seconds
    until = ctx.now + timedelta(seconds=seconds)
    resumed = run.resumed + (fence != run.fence)
    lease: dict[str, Any] = {
        "fence": fence,
        "lease_seconds": seconds,
        "lease_expires_at": until,
        "resumed": resumed,
    }
    await ctx.unit.run("run_lease", **run.place, **lease)
    leave_changed(ctx, run.run_id, **lease)
    ctx.drill.reached("run.resumed")
    return await view_of(ctx, replace(run, **lease))


OPERATIONS = (
    Operation(
        name="runs.checkpoint",
        summary="Write the state of a run after a step",
        command=WriteCheckpoint,
        result=Checkpointed,
        handler=checkpoint,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("PUT", "/v1/runs/{run_id}/checkpoints/{step}"),
        checks_user=True,
        errors=(
            NotFound, StaleCheckpoint, LeaseLost, RunClosed, BudgetSpent, StaleInputs,
            WritesRefused,
        ),
    ),
    Operation(
        name="runs.resume",
        summary="Go on with a run after an interruption",
        command=ResumeRun,
        result=RunView,
        handler=resume,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", "/v1/runs/{run_id}/resume"),
        checks_user=True,
        errors=(NotFound, LeaseHeld, RunClosed),
    ),
)  # fmt: skip
