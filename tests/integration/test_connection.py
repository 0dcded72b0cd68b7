"""What the driver is told once: cursors that are kept, and lists that are written at once.

| what | so |
|---|---|
| a statement again, for rows of the same kind or another; one that found nothing between | its rows are what they are for a new cursor |
| columns in the order of the fields, in another, fewer than these, one alone | the same |
| an answer that is long, by its rows or by their number | its cursor is not kept |
| a list of ids, of instants of any zone and year, of either with nothing in it or NULL among them, mixed | it arrives as it is |
| a list of texts that have to be quoted | as before |
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from psycopg.rows import tuple_row

from muniment.postgres.connection import Connection
from muniment.postgres.embedded import APP
from muniment.postgres.pool import make_pool
from tests.support.databases import Database


@dataclass(frozen=True)
class Pair:
    left: int
    right: str | None
    more: int = 7


@dataclass(frozen=True)
class One:
    left: int


@pytest.fixture
async def connection(database: Database) -> AsyncIterator[Connection]:
    pool = make_pool(database.conninfo(APP), size=1, name="test")
    await pool.open(wait=True)
    async with pool.connection() as connection:
        yield connection
    await pool.close()


async def asked(connection: Connection, query: str, row: Any, *params: Any) -> list[Any]:
    cursor = connection.taken(query, row)
    await cursor.execute(query, params or None)
    found = await cursor.fetchall()
    connection.kept(query, row, cursor)
    return found


@pytest.mark.parametrize(
    ("query", "row", "is_what"),
    [
        (
            "SELECT %s::int AS left, 'a' AS right FROM generate_series(1, %s)",
            Pair,
            lambda n: Pair(n, "a"),
        ),
        (
            "SELECT 'a' AS right, %s::int AS left FROM generate_series(1, %s)",
            Pair,
            lambda n: Pair(n, "a"),
        ),
        (
            "SELECT NULL AS right, 3 AS more, %s::int AS left FROM generate_series(1, %s)",
            Pair,
            lambda n: Pair(n, None, 3),
        ),
        ("SELECT %s::int AS left FROM generate_series(1, %s)", One, One),
        (
            "SELECT %s::int AS left, 'a' AS right FROM generate_series(1, %s)",
            tuple_row,
            lambda n: (n, "a"),
        ),
    ],
)
async def test_the_same_statement_again(
    connection: Connection, query: str, row: Any, is_what: Any
) -> None:
    for size in (1, 0, 3, 0, 2):
        assert await asked(connection, query, row, size, size) == [is_what(size)] * size
    assert connection.taken(query, row) is not connection.taken(query, row)


async def test_rows_of_another_kind(connection: Connection) -> None:
    query = "SELECT 1 AS left, 'a' AS right"
    for _ in range(2):
        assert await asked(connection, query, Pair) == [Pair(1, "a")]
        assert await asked(connection, query, tuple_row) == [(1, "a")]
    with pytest.raises(TypeError):
        await asked(connection, query, One)


@pytest.mark.parametrize(
    ("rows", "each", "is_kept"),
    [(0, 1, True), (1, 65_535, True), (1, 65_536, False), (999, 64, True), (1_024, 64, False)],
)
async def test_the_cursor_of_a_long_answer_is_not_kept(
    connection: Connection, rows: int, each: int, is_kept: bool
) -> None:
    query = "SELECT repeat('x', %s) FROM generate_series(1, %s)"
    cursor = connection.taken(query, tuple_row)
    await cursor.execute(query, (each, rows))
    assert len(await cursor.fetchall()) == rows
    connection.kept(query, tuple_row, cursor)
    assert (connection.taken(query, tuple_row) is cursor) == is_kept


FAR = timezone(-timedelta(hours=11, minutes=30))
IDS = [UUID(int=0), UUID(int=2**128 - 1), UUID("0190a4b2-0000-7000-8000-0123456789ab")]
INSTANTS = [
    datetime(1, 1, 1, 12, tzinfo=UTC),
    datetime(2026, 3, 29, 2, 30, 0, 1, tzinfo=FAR),
    datetime(9999, 12, 31, tzinfo=UTC),
]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("uuid", IDS),
        ("uuid", []),
        ("uuid", [None, *IDS, None]),
        ("timestamptz", INSTANTS),
        ("timestamptz", []),
        ("timestamptz", [None, *INSTANTS]),
        ("text", ["", "null", 'a"b\\c', "{x,y}", " ", "\u2003", None]),
        ("bigint", [0, -1, 2**62]),
        ("text", [[str(one) for one in IDS], ["a", "b", "c"]]),
    ],
)
async def test_a_list_arrives_as_it_is(
    connection: Connection, kind: str, values: list[Any]
) -> None:
    query = f"SELECT %s::{kind}[] AS found, %s::{kind}[] AS again"
    for _ in range(2):
        [(found, again)] = await asked(connection, query, tuple_row, values, values)
        assert found == again == values
