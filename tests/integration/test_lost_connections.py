"""Connections that died while nobody used them, as all do when the database restarts.

| connections of the pool | a call | then |
|---|---|---|
| all cut while idle | reads and writes, one after the other or at once | answered, done once; nobody notices |
| the same | a session is consolidated | it is, and not taken for forgotten |
| cut in the middle of a transaction | | Unavailable, nothing is done (`tests/faults/test_calls.py`) |
"""

import asyncio
from typing import Any

from muniment.postgres.embedded import ADMIN
from tests.integration.forgetting import turn
from tests.integration.moving import consolidate
from tests.support.databases import Database
from tests.support.waiting import until
from tests.support.world import Local, Tenant

PUT: dict[str, Any] = {"user_id": "u", "session_id": "s", "value": 1}
AT_ONCE = 12


def cut(database: Database) -> int:
    """End every connection of the services in this test's database; how many there were."""
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        ).fetchall()
        until(
            lambda: (
                admin.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
                ).fetchone()
                == (0,)
            )
        )
    return len(rows)


async def test_calls_after_a_cut(database: Database, service: Local, tenant: Tenant) -> None:
    await asyncio.gather(*(tenant("keys.list") for _ in range(AT_ONCE)))
    assert cut(database) > 1
    for number in range(AT_ONCE):
        assert (await tenant("working.put", key=f"k{number}", **PUT)).version == 1
        assert (
            await tenant("working.get", user_id="u", session_id="s", key=f"k{number}")
        ).value == 1
    assert cut(database) > 0
    made = await asyncio.gather(*(tenant("working.put", key="k", **PUT) for _ in range(AT_ONCE)))
    assert sorted(one.version for one in made) == list(range(1, AT_ONCE + 1))


async def test_a_job_after_a_cut(database: Database, tenant: Tenant, worker: Local) -> None:
    for number in (1, 2):
        place = {"user_id": "u", "session_id": f"s{number}"}
        await tenant("events.write", **place, events=[turn(1, "I prefer weekly reports.")])
        await tenant("sessions.close", **place)
        await consolidate(database, worker, tenant)
        with database.connect(ADMIN) as admin:
            made = admin.execute(
                "SELECT FROM muniment.episode WHERE tenant_id = %s", [tenant.tenant_id]
            )
            assert made.rowcount == number
        assert cut(database) > 0
