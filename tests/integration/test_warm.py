"""Connections that know what a recall asks before somebody waits for one.

| the pool | the server | then |
|---|---|---|
| opens two | answers | both have planned every statement of a recall |
| has one alone | answers | that one has |
| | does not answer | nothing fails |
"""

import asyncio

import pytest
from psycopg import AsyncConnection

from muniment.postgres.embedded import APP
from muniment.postgres.pool import make_pool
from muniment.postgres.unit_of_work import PostgresUnits
from muniment.postgres.warm import warm
from tests.support.databases import Database

_PLANNED = """SELECT count(*) FROM pg_prepared_statements
WHERE generic_plans > 0 AND statement ~ 'string_agg\\(uuid_send|scope_state|item'"""


async def planned(connection: AsyncConnection[tuple[int]]) -> int:
    """How many statements of a recall a connection has planned."""
    row = await (await connection.execute(_PLANNED, prepare=False)).fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize("size", [1, 2])
async def test_each_connection_has_planned_what_a_recall_asks(
    database: Database, size: int
) -> None:
    async with make_pool(database.conninfo(APP), size=size, name="test") as pool:
        units = PostgresUnits(pool)
        await warm(units, size)
        await units.ended()
        held = [await pool.getconn() for _ in range(size)]
        counts = await asyncio.gather(*map(planned, held))
        for one in held:
            await pool.putconn(one)
    assert counts == [3] * size


async def test_a_server_that_does_not_answer_stops_nobody() -> None:
    pool = make_pool("host=/nowhere", size=1, name="test", timeout=0.2)
    async with pool:
        await warm(PostgresUnits(pool), 1)
