"""Connection pools as every process of the service uses them."""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from psycopg.types.json import JsonbDumper, set_json_loads
from psycopg_pool import AsyncConnectionPool
from pydantic_core import from_json

from muniment.postgres.arrays import register_lists
from muniment.postgres.connection import Connection
from muniment.postgres.halfvec import register_halfvec

Pool = AsyncConnectionPool[Connection]


def opened_first(size: int) -> int:
    """How many connections a pool of this size opens at the start."""
    return min(2, size)


class _LatestFirst(deque[Any]):
    def append(self, connection: Any, /) -> None:
        self.appendleft(connection)


class _LatestFirstPool(Pool):
    """Hands out the connection that came back last: what its server process knows is still in the
    processor's cache, and statements are prepared on as few as there are calls at once. The library
    hands out the one that has waited longest, so that calls one after the other use all in turn.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._pool = _LatestFirst()


async def _configure(connection: Connection) -> None:
    await register_halfvec(connection)
    register_lists(connection)
    connection.adapters.register_dumper(dict, JsonbDumper)
    set_json_loads(from_json, connection)


def make_pool(
    conninfo: str,
    *,
    size: int,
    name: str,
    timeout: float = 10.0,
    prepares: bool = True,
    check: Callable[[Connection], Awaitable[None]] | None = None,
) -> Pool:
    """A pool that is not open yet. Connections are in autocommit: the unit of work begins.

    Without ``prepares`` a connection leaves nothing behind at the end of a transaction. One for
    which ``check`` raises is not used.

    Raises PoolTimeout from ``connection()`` after ``timeout`` seconds without a free one.
    """

    async def configure(connection: Connection) -> None:
        await _configure(connection)
        if check is not None:
            await check(connection)

    return _LatestFirstPool(
        conninfo,
        connection_class=Connection,
        kwargs={
            "autocommit": True,
            "application_name": f"muniment-{name}",
            "prepare_threshold": 0 if prepares else None,
        },
        min_size=opened_first(size),
        max_size=size,
        timeout=timeout,
        open=False,
        configure=configure,
        name=name,
    )
