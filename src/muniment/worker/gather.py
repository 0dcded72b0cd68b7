"""Duty: many related memories without a slot become one (RULES 9, DESIGN 4)."""

from dataclasses import dataclass
from uuid import UUID

from muniment.errors import Overtaken
from muniment.ports import World
from muniment.records.gathering import gather, look
from muniment.worker.duty import as_worker, in_scope, tenants

_PER_RUN = 1000
_TRIES = 5


@dataclass(frozen=True)
class _Place:
    scope_id: UUID


async def run_once(world: World, per_run: int = _PER_RUN) -> int:
    """Look at the scopes of every tenant that changed since, so many of each tenant; returns how
    many summaries were made. Doing it again changes nothing.
    """
    return sum([await _run_tenant(world, tenant_id, per_run) for tenant_id in await tenants(world)])


async def _run_tenant(world: World, tenant_id: UUID, per_run: int) -> int:
    async with as_worker(world, tenant_id) as ctx:
        changed = await ctx.unit.rows(_Place, "scopes_to_gather", limit=per_run)
    made = 0
    for place in changed:
        work = _gather(world, tenant_id, place.scope_id)
        made += await in_scope("scope_not_gathered", place.scope_id, work) or 0
    return made


async def _gather(world: World, tenant_id: UUID, scope_id: UUID) -> int:
    for _ in range(_TRIES):
        async with as_worker(world, tenant_id) as ctx:
            found = await look(ctx, scope_id)
        world.drill.reached("gathering.read")
        async with as_worker(world, tenant_id) as ctx:
            count = await gather(ctx, found)
        if count is not None:
            world.drill.reached("gathering.committed")
            return count
    raise Overtaken("The scope did not hold still.")
