"""passes.*: passes of the worker that stopped because too much was due at once (RULES 1.6)."""

from dataclasses import dataclass

from muniment.errors import Conflict
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Instant, command
from muniment.ports import Context
from muniment.records.passes import Duty, PassRow


@command
class ShowPasses:
    """Whether expiry or decay stopped for this tenant, and what it would have taken."""


@command
class ReleasePass:
    """Let a pass that stopped go on: what was due when it stopped goes with the next one.

    Look at the clock first. What comes due later counts anew.
    """

    duty: Duty


@dataclass(frozen=True)
class WorkerPass:
    """A pass that stopped at ``stopped_at`` (none once one went through): ``due`` of ``held`` rows
    would have gone. What was due by ``released_through`` may go.
    """

    duty: Duty
    stopped_at: Instant | None
    due: Count
    held: Count
    released_through: Instant | None


@dataclass(frozen=True)
class WorkerPasses:
    """Passes that ever stopped for the tenant, one of each duty."""

    passes: tuple[WorkerPass, ...]


async def show(_command: ShowPasses, ctx: Context) -> WorkerPasses:
    """None that ever stopped: none."""
    rows = await ctx.unit.rows(PassRow, "passes")
    return WorkerPasses(tuple(WorkerPass(**vars(row)) for row in rows))


async def release(command: ReleasePass, ctx: Context) -> WorkerPass:
    """Raises Conflict where no such pass stands still."""
    row = await ctx.unit.one(PassRow, "pass_release", duty=command.duty, now=ctx.now)
    if row is None:
        raise Conflict("This pass does not stand still.")
    ctx.trail.detail |= {"duty": row.duty, "due": row.due, "held": row.held}
    return WorkerPass(**vars(row))


OPERATIONS = (
    Operation(
        name="passes.show",
        summary="Show passes of the worker that stopped",
        command=ShowPasses,
        result=WorkerPasses,
        handler=show,
        effect=Effect.READ,
        verb="operate",
        layer=None,
        http=Http("GET", "/v1/passes"),
        columns=("passes.duty", "passes.stopped_at", "passes.due", "passes.held"),
    ),
    Operation(
        name="passes.release",
        summary="Let a pass of the worker go on that stopped",
        command=ReleasePass,
        result=WorkerPass,
        handler=release,
        effect=Effect.WRITE,
        verb="operate",
        layer=None,
        http=Http("POST", "/v1/passes/{duty}/release"),
        errors=(Conflict,),
    ),
)
