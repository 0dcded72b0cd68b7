"""Duty: what scopes store is counted anew, for where a build that did not count wrote.

During an upgrade such a build runs on the new schema; what was there before was never counted.
"""

from uuid import UUID

from muniment.ports import World
from muniment.records.usage import heal_usage, miscounted
from muniment.worker.duty import as_worker, tenants

_AT_ONCE = 200


async def run_once(world: World, at_once: int = _AT_ONCE) -> int:
    """Look at every scope of every tenant; returns how many counts were wrong."""
    if not world.schema.counts_usage:
        return 0
    return sum([await _run_tenant(world, tenant_id, at_once) for tenant_id in await tenants(world)])


async def _run_tenant(world: World, tenant_id: UUID, at_once: int) -> int:
    """Look without a lock; take it, one scope a transaction, only where the count is wrong."""
    healed, after = 0, UUID(int=0)
    while True:
        async with as_worker(world, tenant_id) as ctx:
            page = await miscounted(ctx, after, at_once)
        for scope in page:
            if scope.wrong:
                async with as_worker(world, tenant_id) as ctx:
                    healed += await heal_usage(ctx, scope.scope_id)
        if len(page) < at_once:
            return healed
        after = page[-1].scope_id
