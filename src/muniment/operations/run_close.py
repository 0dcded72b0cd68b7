"""runs.close: what came of a run, and the episode that tells of it."""

from dataclasses import dataclass, replace
from json import dumps
from uuid import UUID

from muniment.domain.runs import RunOutcome
from muniment.errors import Conflict, Fault, InvalidInput, LeaseLost, NotFound, RunClosed
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.run_state import Fence
from muniment.operations.types import Instant, Value, command
from muniment.ports import Context
from muniment.records.run_episodes import tell_run, told_in
from muniment.records.runs import RunRow, find_run, lock_run, note_state
from muniment.records.scopes import lock_scope


@command
class CloseRun:
    """Close a run with what came of it; ``correction`` is what a reviewer says of that.

    A key with the verb ``review`` may say another outcome or correction later, without a ``fence``.
    """

    run_id: UUID
    outcome: RunOutcome
    correction: Value | None = None
    fence: Fence | None = None


@dataclass(frozen=True)
class ClosedRun:
    """The outcome, and the session whose episode tells of the run, if there is one."""

    run_id: UUID
    outcome: RunOutcome
    correction: str | None
    closed_at: Instant
    session_id: str | None


async def close(command: CloseRun, ctx: Context) -> ClosedRun:
    """Writes the episode of a user's run. Closing again with the same changes nothing.

    Raises RunClosed for another outcome or correction by a key without the verb ``review``, and
    LeaseLost for another fence than the last.
    """
    found = await find_run(ctx, command.run_id)
    mark = await lock_scope(ctx, found.scope_id)
    run = await lock_run(ctx, command.run_id)
    told = (command.outcome, command.correction)
    reviews = "review" in ctx.caller.verbs
    if run.closed_at is not None and (told == (run.outcome, run.correction) or not reviews):
        if told != (run.outcome, run.correction):
            raise RunClosed
        return await _closed(ctx, run)
    if run.closed_at is None and command.fence is None and not reviews:
        raise InvalidInput(faults=[Fault("/fence", "is needed: who holds a run closes it")])
    if run.closed_at is None and not run.lease.may_write(command.fence or run.fence):
        raise LeaseLost(extra={"fence": run.fence})
    done = replace(
        run, closed_at=run.closed_at or ctx.now, outcome=command.outcome,
        correction=command.correction,
    )  # fmt: skip
    await ctx.unit.run(
        "run_close",
        **run.place,
        now=ctx.now,
        outcome=command.outcome,
        correction=command.correction,
    )
    await tell_run(ctx, mark, done)
    note_state(ctx, run, "outcome", _outcome(run), _outcome(done))
    ctx.drill.reached("run.closed")
    ctx.trail.detail |= {"outcome": command.outcome}
    return await _closed(ctx, done)


def _outcome(run: RunRow) -> bytes | None:
    return None if run.outcome is None else dumps([run.outcome, run.correction]).encode()


async def _closed(ctx: Context, run: RunRow) -> ClosedRun:
    if run.closed_at is None or run.outcome is None:
        raise Conflict("The run is open.")
    return ClosedRun(
        run_id=run.run_id,
        outcome=run.outcome,
        correction=run.correction,
        closed_at=run.closed_at,
        session_id=await told_in(ctx, run),
    )


OPERATIONS = (
    Operation(
        name="runs.close",
        summary="Close a run with its outcome",
        command=CloseRun,
        result=ClosedRun,
        handler=close,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", "/v1/runs/{run_id}/close"),
        checks_user=True,
        errors=(NotFound, RunClosed, LeaseLost),
    ),
)
