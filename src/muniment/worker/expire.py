"""Duty: what is past its time goes (RULES 1.6, 6). Reads left it out from that instant on."""

from collections import defaultdict
from datetime import datetime
from uuid import UUID

from muniment.ports import Context, World
from muniment.records.expiry import Expired, graces, remove_expired
from muniment.records.holds import cover
from muniment.records.knowledge_proposals import (
    WaitedProposal,
    expire_proposal,
    proposals_expired,
)
from muniment.records.passes import note_pass, released_through
from muniment.records.runs import kept_since
from muniment.records.store import expire_items, scopes_with_expired
from muniment.worker.duty import as_worker, in_scope, may_pass, tenants

_AT_ONCE = 500
_RUNS = 400
"""Transactions of one tenant in a run, at most about; the rest waits for the next one."""


async def run_once(world: World, at_once: int = _AT_ONCE) -> int:
    """Remove what has expired in every tenant; returns how many turns, summaries, versions and
    proposals.

    A tenant that would lose too much at once loses nothing: an operator lets it go on.
    """
    if not world.schema.counts_usage:
        return 0
    return sum([await _run_tenant(world, tenant_id, at_once) for tenant_id in await tenants(world)])


async def _run_tenant(world: World, tenant_id: UUID, at_once: int) -> int:
    async with as_worker(world, tenant_id) as ctx:
        released = await released_through(ctx, "expire")
        due = await ctx.unit.value("expiry_due", now=ctx.now, released=released, **graces(ctx))
        runs = await ctx.unit.value(
            "run_due", since=kept_since(ctx), now=ctx.now, released=released
        )
        threads = await ctx.unit.value(
            "thread_due", since=kept_since(ctx), now=ctx.now, released=released
        )
        if not await may_pass(ctx, "expire", int(due) + int(runs) + int(threads)):
            return 0
    removed = transactions = 0
    while transactions < _RUNS:
        async with as_worker(world, tenant_id) as ctx:
            rows = await ctx.unit.rows(
                Expired, "expired", now=ctx.now, limit=at_once, **graces(ctx)
            )
        by_scope: dict[UUID, list[Expired]] = defaultdict(list)
        for row in rows:
            by_scope[row.scope_id].append(row)
        for scope_id in sorted(by_scope):
            of_scope = by_scope[scope_id]
            work = _remove(world, tenant_id, scope_id, of_scope)
            # What was forgotten meanwhile has gone already.
            count = await in_scope("scope_not_expired", scope_id, work, forgotten=len(of_scope))
            if count is None:
                return removed
            removed += count
            transactions += 1
        if len(rows) < at_once:
            break
    removed += await _proposals(world, tenant_id, at_once)
    await _small(world, tenant_id, at_once)
    return removed


async def _remove(world: World, tenant_id: UUID, scope_id: UUID, rows: list[Expired]) -> int:
    async with as_worker(world, tenant_id) as ctx:
        await remove_expired(ctx, scope_id, rows)
    world.drill.reached("expiry.committed")
    return len(rows)


async def _small(world: World, tenant_id: UUID, at_once: int) -> None:
    """What is no part of a scope's record: the application's own items, working memory, recalls,
    runs, threads, failed jobs.
    """
    await _items(world, tenant_id, at_once)

    async def working(ctx: Context) -> int:
        return await ctx.unit.run("expire_working", now=ctx.now, limit=at_once)

    async def recalls(ctx: Context) -> int:
        since = _since(ctx, "recall_log")
        return await ctx.unit.run("expire_recalls", since=since, limit=at_once)

    async def runs(ctx: Context) -> int:
        await cover(ctx, None)
        return await ctx.unit.run("expire_runs", since=kept_since(ctx), limit=at_once)

    async def threads(ctx: Context) -> int:
        await cover(ctx, None)
        return await ctx.unit.run("expire_threads", since=kept_since(ctx), limit=at_once)

    duties = {"working": working, "recalls": recalls, "runs": runs, "threads": threads}
    for name, remove in duties.items():
        count = at_once
        while count == at_once:
            async with as_worker(world, tenant_id) as ctx:
                count = await remove(ctx)
                await _note(ctx, **{name: count})
    async with as_worker(world, tenant_id) as ctx:
        count = await ctx.unit.run("expire_job_failures", since=_since(ctx, "job"))
        await _note(ctx, job_failures=count)


async def _proposals(world: World, tenant_id: UUID, at_once: int) -> int:
    """Documents that waited for a steward too long; what is left waits for the next run."""
    async with as_worker(world, tenant_id) as ctx:
        rows = await proposals_expired(ctx, at_once)
    removed = 0
    for row in rows:
        work = _proposal(world, tenant_id, row)
        removed += await in_scope("proposal_not_expired", row.scope_id, work) or 0
    return removed


async def _proposal(world: World, tenant_id: UUID, row: WaitedProposal) -> int:
    async with as_worker(world, tenant_id) as ctx:
        return await expire_proposal(ctx, row)


async def _items(world: World, tenant_id: UUID, at_once: int) -> None:
    async with as_worker(world, tenant_id) as ctx:
        scopes = await scopes_with_expired(ctx, at_once)
    for scope_id in sorted(scopes):
        await in_scope("scope_not_expired", scope_id, _items_of(world, tenant_id, scope_id))


async def _items_of(world: World, tenant_id: UUID, scope_id: UUID) -> int:
    async with as_worker(world, tenant_id) as ctx:
        return await expire_items(ctx, scope_id)


async def _note(ctx: Context, **counts: int) -> None:
    if any(counts.values()):
        await note_pass(ctx, "expire", **counts)


def _since(ctx: Context, retention_class: str) -> datetime:
    """What is as old as this has been kept for as long as its class says; none has a category."""
    kept = ctx.policy.keep_until(retention_class, "personal", ctx.now)
    return ctx.now if kept is None else ctx.now - (kept - ctx.now)
