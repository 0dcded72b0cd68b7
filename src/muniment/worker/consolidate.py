"""Duty: the job that consolidates one session, off the latency path."""

from dataclasses import replace
from uuid import UUID

from muniment.errors import Overtaken
from muniment.ports import World
from muniment.records.consolidation import apply, propose, read
from muniment.worker.duty import as_worker

_TRIES = 5


async def run_once(world: World, tenant_id: UUID, scope_id: UUID, session_pk: UUID) -> bool:
    """Consolidate a session; returns whether its summary or a memory changed.

    What proposes is asked between two transactions. A session that moved on meanwhile is read
    again; raises Overtaken where it does so each time.
    """
    changed = False
    for _ in range(_TRIES):
        try:
            async with as_worker(world, tenant_id) as ctx:
                behind = await read(ctx, scope_id, session_pk)
                policy = ctx.policy
        except Overtaken:
            # Forgotten while it was read, which the next look tells, or the connection had died.
            continue
        if behind is None:
            return changed
        changed = changed or behind.summarised
        world.drill.reached("consolidation.read")
        proposed = await propose(replace(world, policy=policy), tenant_id, behind.reading)
        world.drill.reached("consolidation.proposed")
        try:
            async with as_worker(world, tenant_id) as ctx:
                decided = await apply(ctx, behind.reading, proposed)
        except Overtaken:
            continue
        if decided is not None:
            world.drill.reached("consolidation.committed")
            return changed or bool(decided)
    raise Overtaken("The session did not hold still; the job tries again.")
