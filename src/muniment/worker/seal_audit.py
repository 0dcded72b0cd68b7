"""Duty: audit entries are sealed into the chain of their tenant, a moment after their commit."""

from dataclasses import dataclass
from uuid import UUID

from muniment.errors import Overtaken
from muniment.ports import World
from muniment.records.credentials import WORKER_KEY
from muniment.records.sealing import seal_some

_AT_ONCE = 500
_BATCHES = 20
_TENANTS = 1000


@dataclass(frozen=True)
class _Waiting:
    tenant_id: UUID


async def run_once(world: World, at_once: int = _AT_ONCE, batches: int = _BATCHES) -> int:
    """Seal what waits, of each tenant at most so many batches; returns how many entries.

    Several may do this at once: one of them seals, the others find nothing left.
    """
    async with world.units.open(WORKER_KEY) as unit:
        waiting = await unit.rows(_Waiting, "pending_tenants", limit=_TENANTS)
    return sum([await _seal(world, one.tenant_id, at_once, batches) for one in waiting])


async def _seal(world: World, tenant_id: UUID, at_once: int, batches: int) -> int:
    sealed = 0
    for _ in range(batches):
        try:
            async with world.units.open(tenant_id) as unit:
                count = await seal_some(unit, world.clock.now(), at_once)
                world.drill.reached("sealing.before_commit")
        except Overtaken:
            # Another sealer is at work here.
            break
        world.drill.reached("sealing.committed")
        sealed += count
        if count < at_once:
            break
    return sealed
