"""Transactions on a streaming replica, and on the server that it follows (ADR 0043)."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from uuid import UUID

import structlog
from psycopg import OperationalError

from muniment.errors import Overtaken, Unavailable
from muniment.ports import Unit, Units
from muniment.postgres.connection import Connection
from muniment.postgres.pool import Pool
from muniment.postgres.queries import admin_queries
from muniment.postgres.unit_of_work import PostgresUnits

PATIENCE_SECONDS = 1.0
"""How long a recall waits for a connection to the replica."""
_REST_SECONDS = 5.0

_log = structlog.get_logger()


async def follows(connection: Connection) -> None:
    """Raises OperationalError for a server that follows no other: what it says is its own."""
    found = await (await connection.execute(admin_queries()["is_replica"])).fetchone()
    if found != (True,):
        raise OperationalError("MUNIMENT_READ_DATABASE_URL does not name a replica")


class ReplicaUnits(PostgresUnits):
    """Implements ``ports.Units`` on a replica: it is left alone for a while where it fails."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self._rests_until = 0.0
        self.reads = self.behind = self.failures = 0

    @property
    def is_there(self) -> bool:
        """Whether it is to be asked."""
        return time.monotonic() >= self._rests_until

    @asynccontextmanager
    async def open(self, tenant_id: UUID, *, reading: bool = False) -> AsyncIterator[Unit]:
        """As on any server. Overtaken says that it was behind, Unavailable that it failed."""
        try:
            async with super().open(tenant_id, reading=reading) as unit:
                yield unit
            self.reads += 1
        except Overtaken:
            self.behind += 1
            raise
        except Unavailable:
            self.failures += 1
            self._rests_until = time.monotonic() + _REST_SECONDS
            _log.warning("replica_not_read", rests_seconds=_REST_SECONDS)
            raise

    def figures(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """Figures for metrics: what each is, and how to get it."""
        return {
            "replica_reads_total": ("Scopes that were read on the replica.", lambda: self.reads),
            "replica_behind_total": (
                "Scopes that were read on the primary, as the replica was behind.",
                lambda: self.behind,
            ),
            "replica_failures_total": (
                "Times the replica gave no connection, or no answer.",
                lambda: self.failures,
            ),
        }


class FollowedUnits(PostgresUnits):
    """Implements ``ports.Units`` on a server that a replica follows."""

    def __init__(self, pool: Pool, replica: ReplicaUnits) -> None:
        super().__init__(pool)
        self.replica = replica

    @property
    def following(self) -> Units | None:  # type: ignore[override]
        """The replica, while it is to be asked."""
        return self.replica if self.replica.is_there else None
