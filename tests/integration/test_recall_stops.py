"""What is noted of answers while a process stops (DESIGN 6).

| stopped | then |
|---|---|
| at any point of writing | what was not written is written by the last flush, each answer once |
"""

import asyncio
import contextlib

from tests.support.databases import Database
from tests.support.world import Local, Tenant

STEPS = 40


async def test_a_stop_in_the_middle(database: Database, service: Local, tenant: Tenant) -> None:
    await tenant("memories.remember", kind="fact", user_id="ann", text="Lives in Delft.")
    made = set()
    for steps in range(STEPS):
        told = await tenant("recall", user_id="ann", query="Where does Ann live?")
        made.add(told.recall_id)
        writing = asyncio.create_task(service.recalls.flush())
        for _ in range(steps):
            await asyncio.sleep(0)
        writing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writing
    await service.recalls.flush()
    with database.connect() as admin:
        logged = admin.execute(
            "SELECT recall_id FROM muniment.recall_log WHERE tenant_id = %s", [tenant.tenant_id]
        ).fetchall()
    assert {one for (one,) in logged} == made
    assert [figure() for _, figure in service.recalls.figures().values()] == [0, 0, 0]
