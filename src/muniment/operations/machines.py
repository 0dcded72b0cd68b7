"""machines.*: stages of runs and the moves between them; and runs.transition, which makes one."""

from dataclasses import dataclass
from datetime import datetime
from json import dumps
from typing import Annotated
from uuid import UUID

from annotated_types import MaxLen

from muniment.domain.approvals import move_to
from muniment.domain.machines import Machine, Move, machine_faults
from muniment.errors import (
    ApprovalNeeded,
    Conflict,
    Fault,
    InvalidInput,
    LeaseLost,
    NotFound,
    RunClosed,
    TransitionRefused,
    WritesRefused,
)
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.run_state import Fence
from muniment.operations.types import Count, Identifier, Instant, Page, command
from muniment.ports import Context
from muniment.records.approvals import use_approval
from muniment.records.audit_entries import note_change
from muniment.records.machines import MachineRow, find_machine, stored
from muniment.records.run_left import leave_changed
from muniment.records.runs import find_run, lock_to_work, note_state

_CURSORS = Cursors(tuple[Identifier, int])
_MOVES = Cursors(tuple[int])


@command
class Transition:
    """A move that is allowed, and the gate whose approval it needs, if it needs one."""

    source: Identifier
    target: Identifier
    gate: Identifier | None = None


@command
class DefineMachine:
    """Define the next version of a machine. Runs keep the version that they began with."""

    name: Identifier
    initial: Identifier
    transitions: Annotated[tuple[Transition, ...], MaxLen(500)] = ()


@command
class ListMachines:
    """Every version of every machine, by name and version."""

    cursor: Cursor | None = None
    limit: Page = 50


@command
class MoveRun:
    """Move a run to another stage of its machine; ``approval_id`` where the move needs one."""

    run_id: UUID
    fence: Fence
    to: Identifier
    approval_id: UUID | None = None


@command
class ListMoves:
    """The moves of a run, in order."""

    run_id: UUID
    cursor: Cursor | None = None
    limit: Page = 50


@dataclass(frozen=True)
class AllowedMove:
    """A move that is allowed, and the gate whose approval it needs."""

    source: str
    target: str
    gate: str | None


@dataclass(frozen=True)
class StateMachine:
    """A version of a machine."""

    name: str
    version: int
    initial: str
    transitions: tuple[AllowedMove, ...]
    defined_at: Instant


@dataclass(frozen=True)
class Machines:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[StateMachine, ...]
    next: str | None


@dataclass(frozen=True)
class Moved:
    """Where the run is now, and where it may go from there."""

    run_id: UUID
    stage: str
    allowed: tuple[str, ...]
    lease_expires_at: Instant


@dataclass(frozen=True)
class RunMove:
    """A move of a run, and after which step it was made."""

    place: Count
    from_stage: str
    to_stage: str
    step: Count
    approval_id: UUID | None
    moved_at: Instant


@dataclass(frozen=True)
class RunMoves:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[RunMove, ...]
    next: str | None


@dataclass(frozen=True)
class _Row:
    place: int
    from_stage: str
    to_stage: str
    step: int
    approval_id: UUID | None
    moved_at: datetime


async def define(command: DefineMachine, ctx: Context) -> StateMachine:
    """What is defined already is not defined again. Raises InvalidInput for a move that is there
    twice or that no run reaches, and Conflict where somebody else defines it at this moment.
    """
    moves = [Move(one.source, one.target, one.gate) for one in command.transitions]
    faults = [
        Fault("" if place is None else f"/transitions/{place}", what)
        for place, what in machine_faults(Machine(command.initial, moves))
    ]
    if faults:
        raise InvalidInput(faults=faults)
    last = await find_machine(ctx, command.name)
    made = MachineRow(
        command.name, 1 + (last.version if last else 0), command.initial, stored(moves), ctx.now
    )
    if last is not None and (last.initial, last.transitions) == (made.initial, made.transitions):
        made = last
    else:
        await ctx.unit.run(
            "machine_insert",
            name=made.name,
            version=made.version,
            initial=made.initial,
            transitions=dumps(made.transitions),
            now=ctx.now,
            defined_by=ctx.caller.key_id,
        )
        before = None if last is None else [last.initial, last.transitions]
        after = [made.initial, made.transitions]
        note_change(ctx, f"machine:{ctx.digest(made.name)}", before, after)
    ctx.trail.detail |= {"version": made.version}
    return _machine(made)


def _machine(row: MachineRow) -> StateMachine:
    return StateMachine(
        name=row.name,
        version=row.version,
        initial=row.initial,
        transitions=tuple(AllowedMove(**one) for one in row.transitions),
        defined_at=row.defined_at,
    )


async def list_machines(command: ListMachines, ctx: Context) -> Machines:
    """A page at a time."""
    place = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        MachineRow,
        "machine_page",
        after=None if place is None else place[0],
        after_version=0 if place is None else min(place[1], 2**31 - 1),
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Machines(
        items=tuple(_machine(row) for row in page),
        next=None if last is None else _CURSORS.after((last.name, last.version)),
    )


async def move(command: MoveRun, ctx: Context) -> Moved:
    """Raises TransitionRefused, which says what is allowed, and ApprovalNeeded."""
    run = await lock_to_work(ctx, command.run_id, command.fence)
    if run.machine is None or run.stage is None:
        raise Conflict("This run has no machine: its checkpoints say the stage.")
    found = await find_machine(ctx, run.machine, run.machine_version)
    if found is None:
        raise Conflict("The machine of this run is gone.")
    made = found.machine.move(run.stage, command.to)
    if made is None:
        raise TransitionRefused(
            extra={"stage": run.stage, "allowed": found.machine.allowed(run.stage)}
        )
    if made.gate is not None:
        await use_approval(
            ctx, run, command.approval_id, action=move_to(command.to), gate=made.gate,
            use=f"move:{ctx.ids.new()}", arguments={},
        )  # fmt: skip
    until = run.renewed(ctx.now)
    await ctx.unit.run(
        "transition_insert",
        **run.place,
        from_stage=run.stage,
        to_stage=command.to,
        step=run.step,
        approval_id=command.approval_id if made.gate is not None else None,
        key_id=ctx.caller.key_id,
        now=ctx.now,
        lease_expires_at=until,
    )
    leave_changed(ctx, run.run_id, stage=command.to, lease_expires_at=until)
    note_state(ctx, run, "stage", run.stage.encode(), command.to.encode())
    ctx.trail.detail |= {"from": ctx.digest(run.stage), "to": ctx.digest(command.to)}
    return Moved(run.run_id, command.to, tuple(found.machine.allowed(command.to)), until)


async def stages(command: ListMoves, ctx: Context) -> RunMoves:
    """Raises NotFound."""
    place = _MOVES.read(command.cursor)
    run = await find_run(ctx, command.run_id)
    rows = await ctx.unit.rows(
        _Row,
        "transitions",
        **run.place,
        after=0 if place is None else max(min(place[0], 2**31 - 1), 0),
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return RunMoves(
        items=tuple(RunMove(**vars(row)) for row in page),
        next=None if last is None else _MOVES.after((last.place,)),
    )


OPERATIONS = (
    Operation(
        name="machines.define",
        summary="Define the next version of a state machine",
        command=DefineMachine,
        result=StateMachine,
        handler=define,
        effect=Effect.WRITE,
        verb="operate",
        layer="run",
        http=Http("PUT", "/v1/machines/{name}"),
        errors=(Conflict,),
    ),
    Operation(
        name="machines.list",
        summary="List state machines and their versions",
        command=ListMachines,
        result=Machines,
        handler=list_machines,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/machines"),
        columns=("items.name", "items.version", "items.initial", "items.defined_at"),
    ),
    Operation(
        name="runs.transition",
        summary="Move a run to another stage of its machine",
        command=MoveRun,
        result=Moved,
        handler=move,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", "/v1/runs/{run_id}/stages"),
        checks_user=True,
        errors=(
            NotFound, Conflict, TransitionRefused, ApprovalNeeded, LeaseLost, RunClosed,
            WritesRefused,
        ),
    ),
    Operation(
        name="runs.stages",
        summary="List the moves of a run between stages",
        command=ListMoves,
        result=RunMoves,
        handler=stages,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs/{run_id}/stages"),
        checks_user=True,
        errors=(NotFound,),
        columns=("items.place", "items.from_stage", "items.to_stage", "items.step"),
    ),
)  # fmt: skip
