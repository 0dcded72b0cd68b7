"""Nobody waits for ever: what a statement that runs into a limit of time becomes.

| limit | reached by | answer |
|---|---|---|
| lock_timeout | a write whose scope another transaction holds | 503 `unavailable`, with Retry-After |
| statement_timeout | the same, where that is the shorter one | the same |
| idle_in_transaction_session_timeout, transaction_timeout | a unit that was silent | the same |

The next call is answered.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest
from psycopg import sql

from muniment.errors import Unavailable
from muniment.postgres.embedded import ADMIN, APP
from muniment.surfaces.http.problems import problem_response
from tests.support.databases import Database
from tests.support.waiting import until
from tests.support.world import START, Local, Tenant, local_service

EVENT = {"turn": 1, "role": "user", "content": "My boat lies in Hoorn.", "occurred_at": START}


def limit(database: Database, **limits: str) -> None:
    """Set limits of the app role in this database."""
    with database.connect(ADMIN) as admin:
        for name, value in limits.items():
            admin.execute(
                sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} = {}").format(
                    *map(sql.Identifier, (APP, database.name, name)), sql.Literal(value)
                )
            )


@asynccontextmanager
async def opened(database: Database) -> AsyncIterator[Local]:
    """A service on connections that know the limits."""
    async with local_service(database.conninfo(APP)) as made:
        yield made


async def write(tenant: Tenant) -> int:
    """Write the same turn; how many were new."""
    done = await tenant("events.write", user_id="u", session_id="s", events=[EVENT])
    return int(done.stored)


def is_told_to_come_back(error: Unavailable) -> bool:
    """The error as HTTP has it."""
    response = problem_response(error, "r")
    return response.status_code == 503 and int(response.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    "limits",
    [
        {"lock_timeout": "100ms"},
        {"statement_timeout": "100ms"},
    ],
)
async def test_a_lock_that_does_not_come(own_database: Database, limits: dict[str, str]) -> None:
    limit(own_database, **limits)
    async with opened(own_database) as service:
        tenant = await service.tenant()
        await write(tenant)
        with own_database.connect(ADMIN) as admin, admin.transaction():
            admin.execute("SELECT FROM muniment.scope_state FOR UPDATE")
            with pytest.raises(Unavailable) as refused:
                await write(tenant)
        assert is_told_to_come_back(refused.value)
        assert await write(tenant) == 0


@pytest.mark.parametrize("name", ["idle_in_transaction_session_timeout", "transaction_timeout"])
async def test_a_session_that_was_silent_for_too_long(own_database: Database, name: str) -> None:
    limit(own_database, **{name: "200ms"})

    async def be_silent_until_it_ends(
        service: Local, tenant: Tenant, admin: psycopg.Connection[tuple[object, ...]]
    ) -> None:
        async with service.world.units.open(tenant.tenant_id) as unit:
            await unit.value("schema_version")
            await unit.value("schema_version")
            await asyncio.to_thread(until, lambda: not idle_sessions(admin, own_database))
            await unit.value("schema_version")

    async with opened(own_database) as service:
        tenant = await service.tenant()
        with own_database.connect(ADMIN) as admin, pytest.raises(Unavailable) as refused:
            await be_silent_until_it_ends(service, tenant, admin)
        assert is_told_to_come_back(refused.value)
        assert (await tenant("keys.list")).items


def idle_sessions(connection: psycopg.Connection[tuple[object, ...]], database: Database) -> int:
    """How many sessions of the app role are in a transaction and silent."""
    return connection.execute(
        "SELECT FROM pg_stat_activity WHERE datname = %s AND usename = %s"
        " AND state LIKE 'idle in transaction%%'",
        [database.name, APP],
    ).rowcount
