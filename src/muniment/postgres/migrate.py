"""Forward-only migrations under an advisory lock, and whether a schema is what it should be."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import cast

import psycopg
from packaging.version import Version
from procrastinate.schema import SchemaManager
from psycopg import sql
from psycopg.rows import TupleRow, class_row

from muniment.errors import StartRefused
from muniment.postgres.queries import sql_folder, sql_text

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
    exists = connection.execute("SELECT to_regclass('muniment_meta.migration')").fetchone()
    if exists is None or exists[0] is None:
        return []
    with connection.cursor(row_factory=class_row(Applied)) as cursor:
        return cursor.execute(
            "SELECT version, name, digest, applied_at FROM muniment_meta.migration ORDER BY version"
        ).fetchall()


def migrate(connection: Admin, *, partitions: int, now: datetime) -> list[Migration]:
    """Bring a database to the head of this build; returns what was applied.

    ``connection`` is an administrator's, in autocommit. Raises StartRefused when the database is
    newer than this build or was migrated with a text that differs from this build's.
    """
    with _locked(connection):
        connection.execute(sql_text("bootstrap.sql"))
        connection.execute(
            "INSERT INTO muniment_meta.setting VALUES ('partitions', %s) ON CONFLICT DO NOTHING",
            [str(partitions)],
        )
        pending = _pending(applied(connection))
        for migration in pending:
            with connection.transaction():
                connection.execute("SET LOCAL ROLE muniment_owner")
                connection.execute("SET LOCAL search_path = muniment, muniment_meta, public")
                connection.execute(migration.text)
                connection.execute(
                    "INSERT INTO muniment_meta.migration VALUES (%s, %s, %s, %s)",
                    [migration.version, migration.name, migration.digest, now],
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
    connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
    try:
        yield
    finally:
        if not connection.closed:
            connection.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


def _migrate_queue(connection: Admin) -> None:
    """The queue library's tables in a schema of their own, at the installed version, with ours."""
    own = sql_text("queue.sql")
    library = installed_version("procrastinate")
    wanted = f"{library} {hashlib.sha256(own.encode()).hexdigest()}"
    row = connection.execute(
        "SELECT value FROM muniment_meta.setting WHERE name = %s", [_QUEUE]
    ).fetchone()
    if row is not None and row[0] == wanted:
        return
    with connection.transaction():
        connection.execute("SET LOCAL ROLE muniment_owner")
        connection.execute("SET LOCAL search_path = muniment_queue, public")
        for text in _queue_steps(None if row is None else str(row[0]).partition(" ")[0]):
            connection.execute(text)
        connection.execute(own)
        connection.execute(
            "INSERT INTO muniment_meta.setting VALUES (%s, %s) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [_QUEUE, wanted],
        )


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
        connection.execute("SET LOCAL search_path = pg_catalog")
        rows = connection.execute(sql_text("catalog.sql")).fetchall()
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
        sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(template)
        )
    )
