"""Migrations: forward, once, under a lock, and only this build's.

| database | migrate | then |
|---|---|---|
| empty | | at the head, nothing pending |
| at the head | again, or by two at once | nothing more is done |
| newer than the build | | StartRefused |
| migrated with another text | | StartRefused |
| queue library updated | | its migrations, once |
"""

import threading
from datetime import UTC, datetime
from importlib.metadata import version

import pytest
from psycopg import Connection

from muniment.errors import StartRefused
from muniment.postgres.embedded import ADMIN, Postmaster
from muniment.postgres.migrate import (
    Migration,
    _queue_steps,
    applied,
    differences,
    migrate,
    migrations,
)
from tests.support.databases import Database

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def run(database: Database) -> list[Migration]:
    """Migrate a database."""
    with database.connect(ADMIN) as connection:
        return migrate(connection, partitions=2, now=NOW)


def test_from_nothing_and_again(cluster: Postmaster) -> None:
    database = Database.empty(cluster)
    assert [one.version for one in run(database)] == list(range(1, len(migrations()) + 1))
    assert run(database) == []
    with database.connect(ADMIN) as connection:
        assert [one.version for one in applied(connection)] == [one.version for one in migrations()]
        assert applied(connection)[0].applied_at == NOW
        assert differences(connection) == []
    database.drop()


def test_two_at_once(cluster: Postmaster) -> None:
    database = Database.empty(cluster)
    done: list[list[Migration]] = []
    threads = [threading.Thread(target=lambda: done.append(run(database))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(one) for one in done) == [0, 0, 0, len(migrations())]
    with database.connect(ADMIN) as connection:
        assert differences(connection) == []
    database.drop()


def change(connection: Connection[tuple[object, ...]], statement: str) -> None:
    """Do something to the bookkeeping."""
    connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (
            "INSERT INTO muniment_meta.migration VALUES (9999, 'later', 'x', now())",
            "newer than this build",
        ),
        ("UPDATE muniment_meta.migration SET digest = 'x' WHERE version = 1", "another text"),
    ],
)
def test_databases_that_this_build_does_not_touch(
    own_database: Database, statement: str, problem: str
) -> None:
    with own_database.connect(ADMIN) as connection:
        change(connection, statement)
        with pytest.raises(StartRefused, match=problem):
            migrate(connection, partitions=2, now=NOW)
        # The lock is free again.
        change(connection, "SELECT pg_advisory_unlock_all()")


def test_a_migration_that_fails_leaves_nothing(
    cluster: Postmaster, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database.empty(cluster)
    broken = Migration(
        len(migrations()) + 1, "broken", "CREATE TABLE muniment.half (x int); SELECT 1/0"
    )
    whole = [*migrations(), broken]
    monkeypatch.setattr("muniment.postgres.migrate.migrations", lambda: whole)
    with pytest.raises(Exception, match="division by zero"):
        run(database)
    with database.connect(ADMIN) as connection:
        assert [one.version for one in applied(connection)] == [one.version for one in whole[:-1]]
        assert connection.execute("SELECT to_regclass('muniment.half')").fetchone() == (None,)
    database.drop()


def test_the_queue_librarys_migrations_run_once(own_database: Database) -> None:
    assert "retried" in " ".join(_queue_steps("3.3.0"))
    assert list(_queue_steps(version("procrastinate"))) == []
    with own_database.connect(ADMIN) as connection:
        change(
            connection,
            "UPDATE muniment_meta.setting SET value = '3.9.99' WHERE name = 'queue_library'",
        )
        migrate(connection, partitions=2, now=NOW)
        row = connection.execute(
            "SELECT value FROM muniment_meta.setting WHERE name = 'queue_library'"
        ).fetchone()
        assert row is not None
        assert str(row[0]).split(" ")[0] == version("procrastinate")
