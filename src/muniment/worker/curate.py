"""Duty: what users say again and again, in several sessions, is promoted to memory (DESIGN 5.7)."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import structlog

from muniment.errors import MunimentError, Overtaken
from muniment.ports import World
from muniment.records.curation import by_model, by_rules, promote
from muniment.records.recurring import recollect
from muniment.worker.duty import as_worker, tenants

_PER_RUN = 1000
_TRIES = 5

_log = structlog.get_logger()


@dataclass(frozen=True)
class _Place:
    scope_id: UUID
    curated_at: datetime


async def run_once(world: World, per_run: int = _PER_RUN) -> int:
    """Look at the scopes of every tenant that changed since, so many of each tenant, and promote
    what recurs in them; returns how many memories were made or reinforced.

    Doing it again changes nothing. A scope that cannot be curated now is tried the next time.
    """
    return sum([await _run_tenant(world, tenant_id, per_run) for tenant_id in await tenants(world)])


async def _run_tenant(world: World, tenant_id: UUID, per_run: int) -> int:
    async with as_worker(world, tenant_id) as ctx:
        changed = await ctx.unit.rows(_Place, "scopes_to_curate", limit=per_run)
    promoted, asking = 0, True
    for place in changed:
        try:
            count, asking = await _curate(world, tenant_id, place.scope_id, asking=asking)
            promoted += count
        except Overtaken:
            # Forgotten meanwhile, or never still: nothing is lost by the next time.
            continue
        except MunimentError as error:
            _log.warning("scope_not_curated", scope_id=str(place.scope_id), code=error.code)
    return promoted


async def _curate(
    world: World, tenant_id: UUID, scope_id: UUID, *, asking: bool
) -> tuple[int, bool]:
    """How many memories it concerned, and whether a model may be asked for the next scope too.

    Where a model fails, what the rules promote is written all the same.
    """
    for _ in range(_TRIES):
        async with as_worker(world, tenant_id) as ctx:
            found = await recollect(ctx, scope_id)
            policy = ctx.policy
        world.drill.reached("curation.read")
        plan = by_rules(found)
        done = asking
        if asking:
            try:
                plan = await by_model(replace(world, policy=policy), tenant_id, plan)
            except MunimentError as error:
                _log.warning("model_not_asked", scope_id=str(scope_id), code=error.code)
                asking = done = False
        world.drill.reached("curation.proposed")
        async with as_worker(world, tenant_id) as ctx:
            count = await promote(ctx, plan, done=done)
        if count is not None:
            world.drill.reached("curation.committed")
            return count, asking
    raise Overtaken("The scope did not hold still.")
