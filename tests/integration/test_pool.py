"""Which connection of a pool is handed out (``postgres.pool``).

| given back | handed out next |
|---|---|
| one after the other | the one that came back last, and again |
| while others are out | the same |
"""

from muniment.postgres.embedded import APP
from tests.support.databases import Database
from tests.support.world import pool_of


async def test_the_connection_that_came_back_last(database: Database) -> None:
    async with pool_of(database.conninfo(APP)) as pool:
        first, second, third = [await pool.getconn() for _ in range(3)]
        for back in (third, first, second):
            await pool.putconn(back)
            assert await pool.getconn() is back
        for back in (second, third, first):
            await pool.putconn(back)
        assert [await pool.getconn() for _ in range(3)] == [first, third, second]
        for back in (first, second, third):
            await pool.putconn(back)
