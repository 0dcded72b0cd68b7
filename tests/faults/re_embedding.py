"""A worker's duty in a process of its own: ``DATABASE TENANT MOMENT [POINT:COUNT]``.

A worker that is started from the command line has the models of its settings alone.
"""

import asyncio
import sys
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from muniment.providers.drills import drill_at
from muniment.worker.re_embed import run_tenant
from tests.support.embedders import MODELS
from tests.support.world import local_service


async def tend(database: str, tenant: str, moment: str, armed: str | None = None) -> None:
    """The duty for one tenant, at a moment; armed, it may kill the process."""
    async with local_service(database, seed="worker") as service:
        service.clock.moment = datetime.fromisoformat(moment)
        world = replace(service.world, embedders=MODELS, drill=drill_at(armed))
        await run_tenant(world, UUID(tenant), at_once=2)


if __name__ == "__main__":
    asyncio.run(tend(*sys.argv[1:]))
