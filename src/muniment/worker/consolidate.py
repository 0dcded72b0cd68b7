"""Duty: the job that consolidates one session, off the latency path."""

from uuid import UUID

from muniment.errors import Overtaken
from muniment.ports import World
from muniment.records.consolidation import consolidate_session
from muniment.worker.duty import as_worker


async def run_once(world: World, tenant_id: UUID, scope_id: UUID, session_pk: UUID) -> bool:
    """Consolidate a session in one transaction; returns whether its summary changed."""
    try:
        async with as_worker(world, tenant_id) as ctx:
            changed = await consolidate_session(ctx, scope_id, session_pk)
    except Overtaken:
        # Forgotten while the job waited: nothing is left to consolidate.
        return False
    world.drill.reached("consolidation.committed")
    return changed
