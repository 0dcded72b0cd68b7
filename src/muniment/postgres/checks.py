"""What must hold before the service starts or calls itself ready; each failure one sentence."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.rows import class_row

from muniment.domain.governance import registered
from muniment.domain.policy import Policy
from muniment.errors import StartRefused
from muniment.postgres.migrate import applied, migrations, one_value
from muniment.postgres.queries import admin_queries

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
    unlimited: list[str]
    role: str
    superuser: bool
    bypasses: bool
    replicates: bool
    creates: bool
    makes_temporary: bool
    makes_large_objects: bool
    owns: int
    truncates: int
    powerful: list[str]
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
    for found in _by_reason(connection, policy, role).values():
        yield from found


def reasons(connection: psycopg.Connection[Any], policy: Policy, role: str) -> dict[str, str]:
    """Everything that is wrong: a code, and what it is in sentences."""
    every = _by_reason(connection, policy, role)
    said = {reason: " ".join(what for what, _ in found) for reason, found in every.items()}
    return {reason: what for reason, what in said.items() if what}


def _by_reason(
    connection: psycopg.Connection[Any], policy: Policy, role: str
) -> dict[str, Iterable[tuple[str, str]]]:
    facts = _facts(connection)
    return {
        "server": _server(facts),
        "durability": _durability(facts),
        "role": _role(facts, role),
        "schema": _schema(facts, _version(connection)),
        "limits": _limits(facts),
        "retention": _retention(facts, policy),
    }


def advice(connection: psycopg.Connection[Any]) -> Iterable[tuple[str, str]]:
    """What does not stop the start and had better be otherwise, as (what, cure)."""
    facts = _facts(connection)
    if facts.makes_large_objects:
        yield (
            f"The role {facts.role} may make large objects, which belong to no tenant.",
            "A superuser of the server may revoke that: docs/how-to/external-postgres.md.",
        )


def _facts(connection: psycopg.Connection[Any]) -> _Facts:
    with connection.cursor(row_factory=class_row(_Facts)) as cursor:
        facts = cursor.execute(admin_queries()["facts"]).fetchone()
    if facts is None:
        raise RuntimeError("a connection has a role, and the role a row")
    return facts


MOST_CLOCK_DIFFERENCE = timedelta(seconds=5)
WORKER_SILENCE = timedelta(seconds=60)
LONGEST_UNSEALED = timedelta(seconds=30)


def clock_problem(connection: psycopg.Connection[Any], now: datetime) -> str | None:
    """A clock of this machine that differs from the database's."""
    apart = abs(one_value(connection, "clock") - now)
    if apart <= MOST_CLOCK_DIFFERENCE:
        return None
    return f"This machine's clock and the database's are {apart} apart."


def worker_problem(connection: psycopg.Connection[Any]) -> str | None:
    """No worker that lives; unknown on a schema that cannot tell yet."""
    if not one_value(connection, "tells_about_workers"):
        return None
    silence = one_value(connection, "worker_silence")
    if silence is not None and silence <= WORKER_SILENCE:
        return None
    return "No worker has said that it lives within the last minute."


def passes_problem(connection: psycopg.Connection[Any]) -> str | None:
    """Passes that stopped because too much was due at once; no reason to serve less."""
    if not one_value(connection, "tells_about_passes"):
        return None
    if not one_value(connection, "passes_stopped"):
        return None
    return "Expiry or decay stopped because too much was due at once; an operator lets it go on."


def rereviews_problem(connection: psycopg.Connection[Any]) -> str | None:
    """Changes of the rules that nobody else has looked at; no reason to serve less."""
    if not one_value(connection, "tells_about_rereviews"):
        return None
    if not one_value(connection, "rereviews_open"):
        return None
    return "Changes of policy, slots, keys or consent wait for a second person: rereviews.list."


def models_problem(connection: psycopg.Connection[Any], there: Collection[str]) -> str | None:
    """Models that tenants need and this process lacks: whose they are is not served here."""
    if not one_value(connection, "tells_about_models"):
        return None
    missing = sorted(set(one_value(connection, "models_in_use")) - set(there))
    if not missing:
        return None
    return f"MUNIMENT_EMBEDDING_MODELS lacks what tenants are found by: {', '.join(missing)}."


def erasures_problem(
    connection: psycopg.Connection[Any], problem: Callable[[bytes, int], str | None]
) -> str | None:
    """What is wrong with the erasure ledger; no reason to serve less."""
    if not one_value(connection, "tells_about_erasures"):
        return None
    key = bytes.fromhex(one_value(connection, "setting_get", name="erasure_key"))
    return problem(key, one_value(connection, "erasures_carried_out"))


def seals_problem(connection: psycopg.Connection[Any]) -> str | None:
    """Audit entries that wait too long for their seal; no reason to serve less."""
    if not one_value(connection, "tells_about_seals"):
        return None
    if one_value(connection, "oldest_unsealed") <= LONGEST_UNSEALED.total_seconds():
        return None
    return "Audit entries wait for their seal for more than half a minute; a worker seals them."


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
        "bypasses row-level security": facts.bypasses,
        "may replicate": facts.replicates,
        "may create roles, databases or objects": facts.creates,
        "may create temporary objects": facts.makes_temporary,
        "owns tables": bool(facts.owns),
        "may truncate tables": bool(facts.truncates),
    }
    # What explains the rest comes first.
    has = ["is a superuser"] if facts.superuser else []
    has += [f"is a member of {other}" for other in facts.powerful]
    has += [power for power, yes in powers.items() if yes]
    for power in has:
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


def _limits(facts: _Facts) -> Iterable[tuple[str, str]]:
    for name in facts.unlimited:
        yield (
            f"The role {facts.role} works without {name} and could wait for ever.",
            f"Run 'muniment db migrate' as somebody who may alter {facts.role}, or set it by hand.",
        )


def _retention(facts: _Facts, policy: Policy) -> Iterable[tuple[str, str]]:
    for table, comment in sorted(facts.comments.items()):
        told = registered(comment)
        if told is None or told.retention not in policy.retention:
            yield (
                f"The table {table} names no layer, owner and retention class of the policy.",
                "Add the class to the policy file.",
            )
