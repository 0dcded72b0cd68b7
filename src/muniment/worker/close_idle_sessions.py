"""Duty: close sessions that nothing was written to for a while, and consolidate them."""

from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from muniment.errors import Overtaken
from muniment.ports import World
from muniment.records.passes import note_pass
from muniment.records.scopes import lock_scope
from muniment.records.sessions import SessionRow, enqueue_consolidation
from muniment.worker.duty import as_worker, tenants

_PER_RUN = 500


@dataclass(frozen=True)
class _Place:
    scope_id: UUID
    session_pk: UUID


async def run_once(world: World) -> int:
    """Close what is idle in every tenant; returns how many sessions were closed."""
    closed = 0
    for tenant_id in await tenants(world):
        closed += await _run_tenant(world, tenant_id)
    return closed


async def _run_tenant(world: World, tenant_id: UUID) -> int:
    async with as_worker(world, tenant_id) as ctx:
        before = ctx.now - ctx.policy.session_idle
        idle = await ctx.unit.rows(_Place, "sessions_idle", before=before, limit=_PER_RUN)
        lost = await ctx.unit.rows(_Place, "sessions_left_dirty", before=before, limit=_PER_RUN)
    for place in idle:
        # Forgotten meanwhile: nothing is left to close.
        with suppress(Overtaken):
            await _close(world, tenant_id, place)
    for place in lost:
        async with as_worker(world, tenant_id) as ctx:
            await enqueue_consolidation(ctx, place.scope_id, place.session_pk)
    return len(idle)


async def _close(world: World, tenant_id: UUID, place: _Place) -> None:
    async with as_worker(world, tenant_id) as ctx:
        mark = await lock_scope(ctx, place.scope_id)
        row = await ctx.unit.one(
            SessionRow, "session_by_pk", scope_id=place.scope_id, session_pk=place.session_pk
        )
        if row is None or row.last_event_at >= ctx.now - ctx.policy.session_idle:
            return
        await ctx.unit.run(
            "session_close",
            scope_id=place.scope_id,
            session_pk=place.session_pk,
            at=mark.watermark,
            outcome=None,
        )
        await ctx.unit.run("working_clear", scope_id=place.scope_id, session_pk=place.session_pk)
        await note_pass(ctx, "close_idle_sessions", place.scope_id, place.session_pk, sessions=1)
        if row.dirty_since is not None:
            await enqueue_consolidation(ctx, place.scope_id, place.session_pk)
