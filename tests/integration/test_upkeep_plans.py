"""What the duties of expiry and decay look for lies in an index: what is held beside it is not read.

| held by a tenant | due | rows that a look goes through |
|---|---|---|
| hundreds of facts, turns and summaries, fresh, and some that do not fade | a few | about those |
"""

from datetime import timedelta
from typing import Any

import pytest

from muniment.postgres.embedded import ADMIN, WORKER
from muniment.records.archive import fading
from muniment.records.expiry import graces
from muniment.worker.duty import as_worker
from tests.integration.curating import curating
from tests.integration.test_plans import explained, scans
from tests.support.databases import Database
from tests.support.world import START, Tenant

FRESH, DUE = 300, 4
MOST = 40
WEEK = timedelta(weeks=1)


async def fill(tenant: Tenant, count: int, what: str, **more: Any) -> None:
    for number in range(count):
        told = {"kind": "fact", "user_id": "u", "text": f"Saw {what} number {number}."}
        await tenant("memories.remember", **(told | more))
        await tenant(
            "events.write", user_id=f"u{number % 20}", session_id=f"{what} {number}",
            events=[{"turn": 0, "role": "user", "content": f"I saw {what} {number}.", "occurred_at": START}],
        )  # fmt: skip


@pytest.mark.parametrize("query", ["faded", "expired"])
async def test_what_is_due_lies_in_an_index(own_database: Database, query: str) -> None:
    async with curating(own_database, query) as curator:
        await fill(curator.tenant, DUE, "a heron")
        curator.service.clock.advance(weeks=20)
        await fill(curator.tenant, FRESH, "a boat")
        curator.service.clock.moment = START + 26 * WEEK
        async with as_worker(curator.worker.world, curator.tenant.tenant_id) as ctx:
            given = {"now": ctx.now, "limit": 500, "tenant_id": curator.tenant.tenant_id}
            given |= fading(ctx, ctx.now) if query == "faded" else graces(ctx)
        with own_database.connect(ADMIN) as admin:
            admin.execute("ANALYZE")
        with own_database.connect(WORKER) as connection:
            identity = str(curator.tenant.tenant_id)
            connection.execute("SELECT set_config('muniment.tenant_id', %s, false)", [identity])
            # So few rows would be read as a whole whatever index there is.
            connection.execute("SET enable_seqscan = off")
            plan = explained(connection, query, given)
        assert plan["Actual Rows"] == DUE
        beyond = {table: rows for table, rows in scans(plan) if rows > MOST}
        assert beyond == {}
