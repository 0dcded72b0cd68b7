"""Duty: many related memories without a slot become one (RULES 9, DESIGN 4)."""

from dataclasses import dataclass
from uuid import UUID

import structlog

from muniment.errors import MunimentError, Overtaken
from muniment.ports import World
from muniment.records.gathering import gather, look
from muniment.worker.duty import as_worker, tenants

_PER_RUN = 1000
_TRIES = 5

_log = structlog.get_logger()


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
        try:
            made += await _gather(world, tenant_id, place.scope_id)
        except Overtaken:
            # Forgotten meanwhile, or never still: nothing is lost by the next time.
            continue
        except MunimentError as error:
            _log.warning("scope_not_gathered", scope_id=str(place.scope_id), code=error.code)
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
