"""What must hold before the service starts or calls itself ready; each failure one sentence."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.rows import class_row

from muniment.domain.policy import Policy
from muniment.errors import StartRefused
from muniment.postgres.migrate import applied, migrations
from muniment.postgres.queries import sql_text

OLDEST_SERVER = 170000
_EXTENSIONS = {"vector": (0, 7), "btree_gist": (1, 7)}
_DURABLE = {"fsync": {"on"}, "full_page_writes": {"on"}}
_SYNCHRONOUS = {"on", "local", "remote_write", "remote_apply"}


@dataclass(frozen=True)
class _Facts:
    server: int
    extensions: dict[str, str]
    fsync: str
    full_page_writes: str
    synchronous_commit: str
    role: str
    superuser: bool
    bypasses: bool
    creates: bool
    owns: int
    truncates: int
    in_owner: bool
    comments: dict[str, str | None]
    unprotected: list[str]


def check_database(connection: psycopg.Connection[Any], policy: Policy, role: str) -> None:
    """Raises StartRefused with the first thing that is wrong and its cure.

    ``connection`` is that of the role that the service will work as.
    """
    for problem, cure in problems(connection, policy, role):
        raise StartRefused(problem, cure=cure)


def problems(
    connection: psycopg.Connection[Any], policy: Policy, role: str
) -> Iterable[tuple[str, str]]:
    """Everything that is wrong, as (what, cure)."""
    with connection.cursor(row_factory=class_row(_Facts)) as cursor:
        facts = cursor.execute(sql_text("facts.sql")).fetchone()
    if facts is None:
        return
    yield from _server(facts)
    yield from _durability(facts)
    yield from _role(facts, role)
    yield from _schema(facts, _version(connection))
    yield from _retention(facts, policy)


MOST_CLOCK_DIFFERENCE = timedelta(seconds=5)
WORKER_SILENCE = timedelta(seconds=60)


def clock_problem(connection: psycopg.Connection[Any], now: datetime) -> str | None:
    """A clock of this machine that differs from the database's."""
    row = connection.execute("SELECT clock_timestamp()").fetchone()
    if row is None or abs(row[0] - now) <= MOST_CLOCK_DIFFERENCE:
        return None
    return f"This machine's clock and the database's are {abs(row[0] - now)} apart."


def worker_problem(connection: psycopg.Connection[Any]) -> str | None:
    """No worker that lives; unknown on a schema that cannot tell yet."""
    known = connection.execute("SELECT to_regprocedure('muniment_queue.worker_seen()')").fetchone()
    if known is None or known[0] is None:
        return None
    row = connection.execute("SELECT clock_timestamp() - muniment_queue.worker_seen()").fetchone()
    if row is not None and row[0] is not None and row[0] <= WORKER_SILENCE:
        return None
    return "No worker has said that it lives within the last minute."


def _server(facts: _Facts) -> Iterable[tuple[str, str]]:
    if facts.server < OLDEST_SERVER:
        yield (
            f"The database server is PostgreSQL {facts.server // 10000}; it must be 17 or later.",
            "Upgrade it, or unset MUNIMENT_DATABASE_URL to use the embedded one.",
        )
    for name, oldest in _EXTENSIONS.items():
        version = facts.extensions.get(name)
        if version is None or tuple(int(part) for part in version.split(".")[:2]) < oldest:
            yield (
                f"The database lacks the extension {name} {'.'.join(map(str, oldest))} or later.",
                "Install it on the server, then run 'muniment db migrate'.",
            )


def _durability(facts: _Facts) -> Iterable[tuple[str, str]]:
    for name, allowed in (*_DURABLE.items(), ("synchronous_commit", _SYNCHRONOUS)):
        value = getattr(facts, name)
        if value not in allowed:
            yield (
                f"The database runs with {name} = {value} and would lose acknowledged writes.",
                f"Set {name} = on in its configuration and reload it.",
            )


def _role(facts: _Facts, role: str) -> Iterable[tuple[str, str]]:
    if facts.role != role:
        yield (
            f"The service is connected as {facts.role}, not as {role}.",
            f"Name {role} in the database URL; 'muniment db migrate' makes the role.",
        )
    powers = {
        "is a superuser": facts.superuser,
        "bypasses row-level security": facts.bypasses,
        "may create roles, databases or objects": facts.creates,
        "owns tables": bool(facts.owns),
        "may truncate tables": bool(facts.truncates),
        "is a member of muniment_owner": facts.in_owner,
    }
    for power, has in powers.items():
        if has:
            yield (
                f"The role {facts.role} {power}, which the service must not.",
                f"Take that from it, or use the role {role} as 'muniment db migrate' makes it.",
            )


def _version(connection: psycopg.Connection[Any]) -> int | None:
    try:
        done = applied(connection)
    except pg.InsufficientPrivilege:
        return None
    return done[-1].version if done else None


def _schema(facts: _Facts, version: int | None) -> Iterable[tuple[str, str]]:
    head = len(migrations())
    if version is None:
        yield ("The database has no schema of Muniment.", "Run 'muniment db migrate'.")
    elif version < head - 1:
        yield (
            f"The database is at schema {version}; this build runs on {head - 1} and {head}.",
            "Run 'muniment db migrate'.",
        )
    elif version > head:
        yield (
            f"The database is at schema {version}, newer than this build's {head}.",
            "Run the release that migrated it, or a later one.",
        )
    for table in facts.unprotected:
        yield (
            f"The table {table} has no forced row-level security.",
            "Run 'muniment db verify' and undo what was changed.",
        )


def _retention(facts: _Facts, policy: Policy) -> Iterable[tuple[str, str]]:
    for table, comment in sorted(facts.comments.items()):
        parts = [part.strip() for part in (comment or "").split("|")]
        named = {part.partition(": ")[0]: part.partition(": ")[2] for part in parts[1:]}
        if (
            set(named) != {"layer", "retention", "owner"}
            or named["retention"] not in policy.retention
        ):
            yield (
                f"The table {table} names no layer, owner and retention class of the policy.",
                "Add the class to the policy file.",
            )
