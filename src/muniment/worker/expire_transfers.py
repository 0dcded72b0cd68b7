"""Duty: exports that nobody fetched and imports that nobody finished go when their time is over."""

from uuid import UUID

from muniment.ports import World
from muniment.records.transfers import expire_transfers
from muniment.worker.duty import as_worker, tenants


async def run_once(world: World) -> int:
    """Remove those of every tenant, with their lines; returns how many."""
    return sum([await _run_tenant(world, tenant_id) for tenant_id in await tenants(world)])


async def _run_tenant(world: World, tenant_id: UUID) -> int:
    async with as_worker(world, tenant_id) as ctx:
        return await expire_transfers(ctx)
