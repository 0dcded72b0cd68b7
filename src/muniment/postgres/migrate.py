"""Forward-only migrations under an advisory lock, and whether a schema is what it should be."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any, cast

import psycopg
from packaging.version import Version
from procrastinate.schema import SchemaManager
from psycopg import sql
from psycopg.rows import TupleRow, class_row

from muniment.errors import StartRefused
from muniment.postgres.queries import admin_queries, sql_folder, sql_text

Admin = psycopg.Connection[TupleRow]

# One lock for every database process that migrates; any constant does.
_LOCK = 0x4D554E49
_QUEUE = "queue_library"


@dataclass(frozen=True)
class Migration:
    """One file of ``sql/migrations``: ``NNNN_name.sql``."""

    version: int
    name: str
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the text, hexadecimal."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class Applied:
    """A migration as a database remembers it."""

    version: int
    name: str
    digest: str
    applied_at: datetime


def run(connection: Admin, query: str, /, **params: Any) -> None:
    """Run a statement of ``sql/admin`` by its name."""
    connection.execute(admin_queries()[query], params or None)


def one_value(connection: Admin, query: str, /, **params: Any) -> Any:
    """The first value of the first row of a statement of ``sql/admin``; None without a row."""
    row = connection.execute(admin_queries()[query], params or None).fetchone()
    return None if row is None else row[0]


def migrations() -> list[Migration]:
    """Every migration of this build in order. Raises ValueError on a gap in the numbers."""
    found = []
    for file in sorted((sql_folder() / "migrations").iterdir(), key=lambda entry: entry.name):
        number, _, name = file.name.removesuffix(".sql").partition("_")
        text = file.read_text(encoding="utf-8")
        found.append(Migration(int(number), name, text))
    if [one.version for one in found] != list(range(1, len(found) + 1)):
        raise ValueError("migrations are numbered 1, 2, 3, ... without a gap")
    return found


def applied(connection: Admin) -> list[Applied]:
    """What the database has; empty where Muniment was never installed."""
    if not one_value(connection, "bookkeeping_exists"):
        return []
    with connection.cursor(row_factory=class_row(Applied)) as cursor:
        return cursor.execute(admin_queries()["migrations_applied"]).fetchall()


def migrate(connection: Admin, *, partitions: int, now: datetime) -> list[Migration]:
    """Bring a database to the head of this build; returns what was applied.

    ``connection`` is an administrator's, in autocommit. Raises StartRefused when the database is
    newer than this build or was migrated with a text that differs from this build's.
    """
    with _locked(connection):
        connection.execute(sql_text("setup/bootstrap.sql"))
        run(connection, "setting_settle", name="partitions", value=str(partitions))
        pending = _pending(applied(connection))
        for migration in pending:
            with connection.transaction():
                run(connection, "become_owner")
                run(connection, "look_in_schema_and_meta")
                connection.execute(migration.text)
                run(
                    connection,
                    "migration_insert",
                    version=migration.version,
                    name=migration.name,
                    digest=migration.digest,
                    now=now,
                )
        _migrate_queue(connection)
    return pending


def _pending(done: list[Applied]) -> list[Migration]:
    known = migrations()
    if len(done) > len(known):
        raise StartRefused(
            f"The database is at schema {done[-1].version}, newer than this build's {len(known)}.",
            cure="Run the release that migrated it, or a later one.",
        )
    for was, own in zip(done, known, strict=False):
        if was.digest != own.digest:
            raise StartRefused(
                f"Migration {own.version} was applied with another text than this build has.",
                cure="Use an unmodified release; migrations are never edited once released.",
            )
    return known[len(done) :]


@contextmanager
def _locked(connection: Admin) -> Iterator[None]:
    run(connection, "take_all_the_time")
    run(connection, "migration_lock", key=_LOCK)
    try:
        yield
    finally:
        if not connection.closed:
            run(connection, "migration_unlock", key=_LOCK)


@contextmanager
def as_owner(admin: Admin) -> Iterator[None]:
    """A transaction as the owner of the schema, for an administrator's connection in autocommit."""
    with admin.transaction():
        run(admin, "become_owner")
        run(admin, "look_in_schema")
        yield


def _migrate_queue(connection: Admin) -> None:
    """The queue library's tables in a schema of their own, at the installed version, with ours."""
    own = sql_text("setup/queue.sql")
    library = installed_version("procrastinate")
    wanted = f"{library} {hashlib.sha256(own.encode()).hexdigest()}"
    current = one_value(connection, "setting_get", name=_QUEUE)
    if current == wanted:
        return
    with connection.transaction():
        run(connection, "become_owner")
        run(connection, "look_in_queue")
        for text in _queue_steps(None if current is None else str(current).partition(" ")[0]):
            connection.execute(text)
        connection.execute(own)
        run(connection, "setting_put", name=_QUEUE, value=wanted)


def _queue_steps(current: str | None) -> Iterator[str]:
    if current is None:
        yield SchemaManager.get_schema()
        return
    for file in sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql")):
        if Version(file.name.split("_")[0]) > Version(current):
            yield file.read_text(encoding="utf-8")


def catalog(connection: Admin) -> dict[str, list[str]]:
    """The schema as sorted lines by section: what two equal schemas have in common."""
    with connection.transaction():
        # Names show their schema unless it is on the path.
        run(connection, "look_nowhere")
        rows = connection.execute(admin_queries()["catalog"]).fetchall()
    sections: dict[str, list[str]] = {}
    for section, line in rows:
        sections.setdefault(section, []).append(line)
    return {section: sorted(lines) for section, lines in sorted(sections.items())}


def expected_catalog() -> dict[str, list[str]]:
    """The catalog of this build, generated from its migrations."""
    text = (sql_folder() / "catalog.json").read_text(encoding="utf-8")
    return cast(dict[str, list[str]], json.loads(text))


def differences(connection: Admin) -> list[str]:
    """How the schema differs from this build's: ``- missing`` and ``+ unexpected`` lines."""
    found, wanted = catalog(connection), expected_catalog()
    lines = []
    for section in sorted({*found, *wanted}):
        have, want = set(found.get(section, [])), set(wanted.get(section, []))
        lines += [f"- {section}: {line}" for line in sorted(want - have)]
        lines += [f"+ {section}: {line}" for line in sorted(have - want)]
    return lines


def create_database(connection: Admin, name: str, template: str = "template0") -> None:
    """Create a database, as tests and the embedded server do; ``connection`` is in autocommit."""
    connection.execute(
        sql.SQL(admin_queries()["database_copy"]).format(
            sql.Identifier(name), sql.Identifier(template)
        )
    )


@dataclass(frozen=True)
class MigrationStatus:
    """A migration, and when it was applied; None while it waits."""

    version: int
    name: str
    applied_at: datetime | None


def migration_status(admin: Admin) -> list[MigrationStatus]:
    """Every migration of this build, and when the database got it."""
    when = {one.version: one.applied_at for one in applied(admin)}
    return [MigrationStatus(m.version, m.name, when.get(m.version)) for m in migrations()]
