"""Databases of the test server."""

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from muniment.postgres.embedded import ADMIN, APP, WORKER, Postmaster
from muniment.postgres.migrate import create_database, migrate
from tests.support.cluster import session_cluster
from tests.support.world import START

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Database:
    """One database, and how each role reaches it."""

    cluster: Postmaster
    name: str

    @classmethod
    def copy(cls, cluster: Postmaster, template: str, name: str | None = None) -> "Database":
        """A copy of a template."""
        name = name or f"muniment_test_{next(_numbers)}"
        with psycopg.connect(cluster.conninfo(ADMIN, "postgres"), autocommit=True) as connection:
            create_database(connection, name, template)
        made = cls(cluster, name)
        if template != "template0":
            # Settings of a database are not copied with it.
            with made.connect(ADMIN) as connection:
                migrate(connection, partitions=1, now=START)
        return made

    @classmethod
    def empty(cls, cluster: Postmaster) -> "Database":
        """A database with nothing in it."""
        return cls.copy(cluster, "template0")

    def conninfo(self, role: str = APP) -> str:
        """How a role reaches it."""
        return self.cluster.conninfo(role, self.name)

    def connect(self, role: str = ADMIN) -> psycopg.Connection[Any]:
        """A connection in autocommit."""
        return psycopg.connect(self.conninfo(role), autocommit=True)

    def drop(self) -> None:
        """Remove it, whoever is still connected."""
        with psycopg.connect(
            self.cluster.conninfo(ADMIN, "postgres"), autocommit=True
        ) as connection:
            connection.execute(
                sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(self.name))
            )


ROLES = (APP, WORKER)


@contextlib.contextmanager
def durable_database() -> Iterator[Database]:
    """One on a server of its own, which survives what is done there, as a worker asks for it."""
    with session_cluster() as cluster:
        database = Database.empty(cluster)
        with database.connect() as admin:
            migrate(admin, partitions=1, now=START)
        cluster.ensure_login_roles()
        yield database


def stop_passes(database: Database) -> None:
    """Expiry stands still for every tenant, as if too much had been due."""
    with database.connect(ADMIN) as admin:
        admin.execute(
            "INSERT INTO muniment.worker_pass SELECT tenant_id, 'expire', now(), 60, 100 FROM muniment.tenant"
        )
