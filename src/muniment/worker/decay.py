"""Duty: what was not used for too long for what it is worth is archived (RULES 9)."""

from collections import defaultdict
from uuid import UUID

from muniment.ports import World
from muniment.records.archive import Faded, archive, fading
from muniment.records.passes import released_through
from muniment.worker.duty import as_worker, in_scope, may_pass, tenants

_AT_ONCE = 500
_RUNS = 400
"""Transactions of one tenant in a run, at most about; the rest waits for the next one."""


async def run_once(world: World, at_once: int = _AT_ONCE) -> int:
    """Archive what faded in every tenant; returns how many memories and summaries.

    A tenant of which too much faded at once keeps it: an operator lets it go on.
    """
    if not world.schema.counts_usage:
        return 0
    return sum([await _run_tenant(world, tenant_id, at_once) for tenant_id in await tenants(world)])


async def _run_tenant(world: World, tenant_id: UUID, at_once: int) -> int:
    async with as_worker(world, tenant_id) as ctx:
        released = await released_through(ctx, "decay")
        _, let_go = ctx.policy.decay.cuts(released)
        faded = fading(ctx, ctx.now)
        due = await ctx.unit.value("faded_due", now=ctx.now, let_go=let_go, **faded)
        if not await may_pass(ctx, "decay", int(due)):
            return 0
    archived = transactions = 0
    while transactions < _RUNS:
        async with as_worker(world, tenant_id) as ctx:
            rows = await ctx.unit.rows(
                Faded, "faded", now=ctx.now, limit=at_once, **fading(ctx, ctx.now)
            )
        before = archived
        by_scope: dict[UUID, dict[UUID, Faded]] = defaultdict(dict)
        for row in rows:
            by_scope[row.scope_id][row.id] = row
        for scope_id in sorted(by_scope):
            work = _archive(world, tenant_id, scope_id, [*by_scope[scope_id].values()])
            count = await in_scope("scope_not_archived", scope_id, work)
            if count is None:
                return archived
            archived += count
            transactions += 1
        if len(rows) < at_once or archived == before:
            break
    return archived


async def _archive(world: World, tenant_id: UUID, scope_id: UUID, rows: list[Faded]) -> int:
    async with as_worker(world, tenant_id) as ctx:
        count = await archive(ctx, scope_id, rows)
    world.drill.reached("decay.committed")
    return count
