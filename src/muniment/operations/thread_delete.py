"""threads.delete: threads, or parts of them, with what is of them alone."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import MaxLen

from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Identifier, command
from muniment.ports import Context
from muniment.records.holds import cover
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope
from muniment.records.tenant_policy import hold_policy
from muniment.records.threads import Named, ThreadRow, clear_away

_Names = Annotated[tuple[Identifier, ...], MaxLen(1000)]


@command
class DeleteThreads:
    """Delete threads by name, and checkpoints of runs (the label ``run_id``) with what is of them
    alone. ``keep`` the ``latest``: of threads that are named, the last checkpoint of each graph
    stays, with those before it that its channels are made of.
    """

    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    thread_ids: _Names = ()
    run_ids: _Names = ()
    keep: Literal["nothing", "latest"] = "nothing"


@dataclass(frozen=True)
class ThreadsDeleted:
    """How many threads went as a whole, and how many checkpoints went from among others."""

    threads: Count
    checkpoints: Count


async def delete(command: DeleteThreads, ctx: Context) -> ThreadsDeleted:
    """What is not there is not deleted, and that is no error."""
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        return ThreadsDeleted(0, 0)
    hold_policy(ctx)
    scope_id = scope.scope_id
    rows = await ctx.unit.rows(
        ThreadRow,
        "thread_lock_many",
        scope_id=scope_id,
        thread_ids=list(command.thread_ids),
        run_ids=list(command.run_ids),
    )
    if not rows:
        return ThreadsDeleted(0, 0)
    await cover(ctx, [scope_id])
    ctx.trail.subjects += [row.thread_pk for row in rows]
    named = [row.thread_pk for row in rows if row.thread_id in command.thread_ids]
    threads = checkpoints = 0
    gone: list[Named] = []
    if command.keep == "latest":
        gone += await ctx.unit.rows(Named, "thread_prune", scope_id=scope_id, threads=named)
    else:
        threads = await ctx.unit.run("thread_delete", scope_id=scope_id, threads=named)
    if command.run_ids:
        runs = list(command.run_ids)
        gone += await ctx.unit.rows(Named, "thread_delete_runs", scope_id=scope_id, run_ids=runs)
    checkpoints = len(gone)
    if gone:
        ids = list({one.thread_pk for one in gone})
        await clear_away(ctx, scope_id, ids, gone)
        threads += await ctx.unit.run("thread_delete_empty", scope_id=scope_id, threads=ids)
    if ctx.schema.keeps_answers:
        await ctx.unit.run("idempotency_forget_ids", ids=[row.thread_pk for row in rows])
    ctx.trail.detail |= {"threads": threads, "checkpoints": checkpoints}
    return ThreadsDeleted(threads, checkpoints)


OPERATIONS = (
    Operation(
        name="threads.delete",
        summary="Delete threads, or parts of them",
        command=DeleteThreads,
        result=ThreadsDeleted,
        handler=delete,
        effect=Effect.DESTRUCTIVE,
        verb="write",
        layer="run",
        http=Http("POST", "/v1/threads/delete"),
    ),
)
