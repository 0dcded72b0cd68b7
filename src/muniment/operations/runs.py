"""runs.*: open a run, look at it, and at what each of its steps changed."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

from annotated_types import Ge, Le

from muniment.domain.runs import RunOutcome, RunState, decimal_text, difference
from muniment.errors import Fault, InvalidInput, NotFound, WritesRefused
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.run_state import (
    Amount,
    LeaseSeconds,
    RunFact,
    RunView,
    Step,
    fact_of,
    view_of,
)
from muniment.operations.types import Count, Identifier, Instant, Page, command
from muniment.ports import Context
from muniment.records.machines import MachineRow, find_machine
from muniment.records.runs import RunRow, checkpoint_of, facts_of, find_run, kept_since
from muniment.records.scopes import DEFAULT_NAMESPACE, open_scope

_RUNS = Cursors(tuple[UUID])
_STEPS = Cursors(tuple[int])
_EarlierStep = Annotated[int, Ge(0), Le(2**31 - 1)]


@command
class OpenRun:
    """Open a run of an agent, for a user or for nobody in particular.

    With a ``machine`` it begins at the first stage of the last version, and moves by
    ``runs.transition``. Its budget counts steps and cost. Who opens it holds its lease for
    ``lease_seconds``, anew with every write. ``strict``: it takes no checkpoint while something
    that it recalled does not hold any more.
    """

    agent_id: Identifier
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    stage: Identifier | None = None
    machine: Identifier | None = None
    step_ceiling: Step | None = None
    cost_ceiling_usd: Amount | None = None
    lease_seconds: LeaseSeconds = 60
    strict: bool = False


@command
class GetRun:
    """A run as it is, or as it was after a ``step``; ``as_of`` asks which facts hold then."""

    run_id: UUID
    step: _EarlierStep | None = None
    as_of: Instant | None = None


@command
class ListRuns:
    """Runs, latest first: of a user or agent, open or closed."""

    user_id: Identifier | None = None
    agent_id: Identifier | None = None
    state: Literal["open", "closed"] | None = None
    cursor: Cursor | None = None
    limit: Page = 50


@command
class RunHistory:
    """The checkpoints of a run, latest first."""

    run_id: UUID
    cursor: Cursor | None = None
    limit: Page = 50


@command
class DiffRun:
    """What came and went between two steps of a run; 0 is before the first one."""

    run_id: UUID
    from_step: _EarlierStep
    to_step: _EarlierStep


@dataclass(frozen=True)
class RunSummary:
    """A run without its state."""

    run_id: UUID
    agent_id: str
    user_id: str | None
    namespace: str
    state: RunState
    stage: str | None
    step_index: Count
    opened_at: Instant
    lease_expires_at: Instant
    closed_at: Instant | None
    outcome: RunOutcome | None


@dataclass(frozen=True)
class Runs:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[RunSummary, ...]
    next: str | None


@dataclass(frozen=True)
class CheckpointSummary:
    """A checkpoint: how many facts it committed and questions it left, and the cost by then."""

    step: int
    stage: str | None
    facts: Count
    open_questions: Count
    cost_used_usd: str
    recorded_at: Instant


@dataclass(frozen=True)
class Checkpoints:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[CheckpointSummary, ...]
    next: str | None


@dataclass(frozen=True)
class RunDifference:
    """Facts that came and went, questions that were asked and answered, and the stages."""

    from_step: int
    to_step: int
    came: tuple[RunFact, ...]
    went: tuple[RunFact, ...]
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    from_stage: str | None
    to_stage: str | None


@dataclass(frozen=True)
class _Summary:
    run_id: UUID
    agent_id: str
    user_id: str | None
    namespace: str
    stage: str | None
    step: int
    opened_at: datetime
    lease_expires_at: datetime
    closed_at: datetime | None
    outcome: RunOutcome | None


@dataclass(frozen=True)
class _Checkpoint:
    step: int
    stage: str | None
    cost: str
    recorded_at: datetime
    facts: int
    open_questions: int


async def open_(command: OpenRun, ctx: Context) -> RunView:
    """Raises WritesRefused for a user who opted out, NotFound for a machine that is not defined,
    InvalidInput for a stage beside one.
    """
    machine = await _machine(ctx, command)
    mark = await open_scope(ctx, command.user_id, command.namespace)
    run_id = ctx.ids.new()
    await ctx.unit.run(
        "run_insert",
        scope_id=mark.scope_id,
        run_id=run_id,
        agent_id=command.agent_id,
        stage=command.stage if machine is None else machine.initial,
        machine=command.machine,
        machine_version=None if machine is None else machine.version,
        step_ceiling=command.step_ceiling,
        cost_ceiling=command.cost_ceiling_usd,
        lease_seconds=command.lease_seconds,
        lease_expires_at=ctx.now + timedelta(seconds=command.lease_seconds),
        strict=command.strict,
        opened_by=ctx.caller.key_id,
        now=ctx.now,
    )
    ctx.places.note(ctx.unit.tenant_id, run_id, mark.scope_id)
    ctx.trail.subjects.append(run_id)
    return await view_of(ctx, await find_run(ctx, run_id))


async def _machine(ctx: Context, command: OpenRun) -> MachineRow | None:
    if command.machine is None:
        return None
    if command.stage is not None:
        raise InvalidInput(faults=[Fault("/stage", "is the machine's to say")])
    found = await find_machine(ctx, command.machine)
    if found is None:
        raise NotFound("There is no such machine; see machines.define.")
    return found


async def get(command: GetRun, ctx: Context) -> RunView:
    """Raises NotFound for a run or a step that is not there."""
    run = await find_run(ctx, command.run_id)
    if command.step is not None:
        _check_step(run, command.step)
    return await view_of(ctx, run, step=command.step, as_of=command.as_of)


async def list_runs(command: ListRuns, ctx: Context) -> Runs:
    """An unknown user has an empty list."""
    place = _RUNS.read(command.cursor)
    rows = await ctx.unit.rows(
        _Summary,
        "run_page",
        user_id=command.user_id,
        agent_id=command.agent_id,
        closed=None if command.state is None else command.state == "closed",
        after=None if place is None else place[0],
        since=kept_since(ctx),
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Runs(
        items=tuple(_summary(row) for row in page),
        next=None if last is None else _RUNS.after((last.run_id,)),
    )


def _summary(row: _Summary) -> RunSummary:
    return RunSummary(
        run_id=row.run_id,
        agent_id=row.agent_id,
        user_id=row.user_id,
        namespace=row.namespace,
        state="open" if row.closed_at is None else "closed",
        stage=row.stage,
        step_index=row.step,
        opened_at=row.opened_at,
        lease_expires_at=row.lease_expires_at,
        closed_at=row.closed_at,
        outcome=row.outcome,
    )


async def history(command: RunHistory, ctx: Context) -> Checkpoints:
    """Raises NotFound."""
    place = _STEPS.read(command.cursor)
    run = await find_run(ctx, command.run_id)
    rows = await ctx.unit.rows(
        _Checkpoint,
        "checkpoint_page",
        **run.place,
        after=None if place is None else min(place[0], 2**31 - 1),
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Checkpoints(
        items=tuple(_checkpoint(row) for row in page),
        next=None if last is None else _STEPS.after((last.step,)),
    )


def _checkpoint(row: _Checkpoint) -> CheckpointSummary:
    return CheckpointSummary(
        step=row.step,
        stage=row.stage,
        facts=row.facts,
        open_questions=row.open_questions,
        cost_used_usd=decimal_text(Decimal(row.cost)),
        recorded_at=row.recorded_at,
    )


async def diff(command: DiffRun, ctx: Context) -> RunDifference:
    """Raises NotFound for a step that the run has not done, InvalidInput for steps in reverse."""
    if command.from_step > command.to_step:
        raise InvalidInput(faults=[Fault("/to_step", "is before from_step")])
    run = await find_run(ctx, command.run_id)
    _check_step(run, command.to_step)
    facts, questions, stages = [], [], []
    for step in (command.from_step, command.to_step):
        checkpoint = await checkpoint_of(ctx, run, step)
        rows = await facts_of(ctx, run, step, ctx.now)
        facts.append({str(row.fact_id): row for row in rows})
        questions.append([] if checkpoint is None else checkpoint.questions)
        stages.append(run.first_stage if checkpoint is None else checkpoint.stage)
    apart = difference([*facts[0]], [*facts[1]], *questions)
    return RunDifference(
        from_step=command.from_step,
        to_step=command.to_step,
        came=tuple(fact_of(facts[1][name]) for name in apart.came),
        went=tuple(fact_of(facts[0][name]) for name in apart.went),
        asked=apart.asked,
        answered=apart.answered,
        from_stage=stages[0],
        to_stage=stages[1],
    )


def _check_step(run: RunRow, step: int) -> None:
    if step > run.step:
        raise NotFound("The run has not done this step.")


OPERATIONS = (
    Operation(
        name="runs.open",
        summary="Open a run of an agent",
        command=OpenRun,
        result=RunView,
        handler=open_,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", "/v1/runs"),
        errors=(WritesRefused, NotFound),
    ),
    Operation(
        name="runs.get",
        summary="Show the state of a run, now or after an earlier step",
        command=GetRun,
        result=RunView,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs/{run_id}"),
        checks_user=True,
        errors=(NotFound,),
    ),
    Operation(
        name="runs.list",
        summary="List runs",
        command=ListRuns,
        result=Runs,
        handler=list_runs,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs"),
        columns=(
            "items.run_id",
            "items.agent_id",
            "items.user_id",
            "items.state",
            "items.stage",
            "items.step_index",
            "items.outcome?",
        ),
    ),
    Operation(
        name="runs.history",
        summary="List the checkpoints of a run",
        command=RunHistory,
        result=Checkpoints,
        handler=history,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs/{run_id}/checkpoints"),
        checks_user=True,
        errors=(NotFound,),
        columns=("items.step", "items.stage", "items.facts", "items.recorded_at"),
    ),
    Operation(
        name="runs.diff",
        summary="Show what changed between two steps of a run",
        command=DiffRun,
        result=RunDifference,
        handler=diff,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs/{run_id}/diff"),
        checks_user=True,
        errors=(NotFound,),
    ),
)
