"""Duty: what was answered under idempotency keys goes when the keys are free again."""

from uuid import UUID

from muniment.ports import World
from muniment.records.idempotency import expire_answers
from muniment.worker.duty import as_worker, tenants

_AT_ONCE = 1000


async def run_once(world: World, at_once: int = _AT_ONCE) -> int:
    """Remove the answers of every tenant whose day is over; returns how many."""
    if not world.schema.keeps_answers:
        return 0
    return sum([await _run_tenant(world, tenant_id, at_once) for tenant_id in await tenants(world)])


async def _run_tenant(world: World, tenant_id: UUID, at_once: int) -> int:
    """In transactions of a bounded size, so that none takes long."""
    removed = 0
    while True:
        async with as_worker(world, tenant_id) as ctx:
            count = await expire_answers(ctx, at_once)
        removed += count
        if count < at_once:
            return removed
