"""Erased bytes leave the live files: tables are rewritten, the log is switched and cut (DESIGN 10).

One rewrite serves every forget that waits. Each table is locked for itself, and who waits for that
lock waits no longer than ``PATIENCE_SECONDS`` before everybody else goes on.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import errors as pg
from psycopg import sql
from psycopg.rows import class_row

from muniment.domain.receipt import receipt_digest
from muniment.postgres.migrate import Admin, as_owner, one_value, run
from muniment.postgres.queries import admin_queries

PATIENCE_SECONDS = 0.25
_TRIES = 40
_PAUSE_SECONDS = 0.5
_LOCK = 0x4D554E53
_KNOWLEDGE = "knowledge_"


@dataclass(frozen=True)
class _Pending:
    tenant_id: UUID
    receipt_id: UUID
    target: str
    counts: dict[str, int]
    held: dict[str, int]
    hidden_at: datetime
    erased_at: datetime
    verified: dict[str, Any]
    at_once: bool


@dataclass(frozen=True)
class _Leaf:
    name: str


@dataclass(frozen=True)
class _Elsewhere:
    archive: bool
    replicas: bool


@dataclass(frozen=True)
class Scrubbed:
    """What a scrub did: receipts that are scrubbed now, tables rewritten, the longest that one was
    locked. ``waiting`` says why nothing was done, where that is so.
    """

    receipts: int = 0
    tables: int = 0
    longest_lock: float = 0.0
    seconds: float = 0.0
    left: tuple[str, ...] = ()
    waiting: str | None = None


def scrub_due(admin: Admin, before: datetime) -> bool:
    """Whether a forget waits that was to be scrubbed at once, or was erased before that moment."""
    with as_owner(admin):
        return bool(one_value(admin, "scrub_due", before=before))


def scrub(
    admin: Admin, now: Callable[[], datetime], reached: Callable[[str], None] = lambda _: None
) -> Scrubbed:
    """Rewrite whatever holds erased bytes and note it on the receipts that waited.

    ``admin`` is an administrator's connection in autocommit, and not used for anything else again.
    What cannot be done now is done the next time: receipts stay as they are.
    """
    if not one_value(admin, "scrub_alone", key=_LOCK):
        return Scrubbed(waiting="another process scrubs")
    try:
        return _scrub(admin, now, reached)
    finally:
        if not admin.closed:
            run(admin, "scrub_done", key=_LOCK)


def _scrub(admin: Admin, now: Callable[[], datetime], reached: Callable[[str], None]) -> Scrubbed:
    began = time.monotonic()
    pending = _pending(admin)
    if not pending:
        return Scrubbed()
    if not one_value(admin, "scrub_sees"):
        return Scrubbed(waiting="others' sessions cannot be seen: grant pg_monitor")
    horizon = one_value(admin, "scrub_horizon")
    if not _patiently(lambda: not one_value(admin, "scrub_held_up", horizon=horizon)):
        return Scrubbed(waiting="a transaction, or a slot of a replica, still sees what was erased")
    run(admin, "take_all_the_time")
    admin.execute(sql.SQL(admin_queries()["scrub_patience"]).format(f"{PATIENCE_SECONDS}s"))
    longest, leaves = 0.0, _leaves(admin, pending)
    run(admin, "scrub_as_owner")
    for leaf in leaves:
        took = _rewrite(admin, leaf)
        if took is None:
            return Scrubbed(waiting=f"the table {leaf} was in use all the time")
        longest = max(longest, took)
        reached("scrub.rewritten")
    run(admin, "scrub_as_oneself")
    left = _cut_log(admin)
    statistics = _statistics(admin)
    left += ["statistics"] * (statistics != "none")
    reached("scrub.cut")
    told = {
        "tables": len(leaves),
        "statistics": statistics,
        "log": "kept" if "log" in left else "switched, checkpointed and removed",
        "left": left,
    }
    noted = sum(_note(admin, one, now(), told) for one in pending)
    seconds = time.monotonic() - began
    return Scrubbed(noted, len(leaves), longest, seconds, tuple(left))


def _pending(admin: Admin) -> list[_Pending]:
    with as_owner(admin), admin.cursor(row_factory=class_row(_Pending)) as cursor:
        return cursor.execute(admin_queries()["scrub_pending"]).fetchall()


def _leaves(admin: Admin, pending: Sequence[_Pending]) -> list[str]:
    """Tables to rewrite; those of shared knowledge, which take longer, only if any of it went."""
    took = any(name.startswith(_KNOWLEDGE) for one in pending for name in (*one.counts, *one.held))
    with admin.cursor(row_factory=class_row(_Leaf)) as cursor:
        names = [one.name for one in cursor.execute(admin_queries()["scrub_leaves"]).fetchall()]
    return [name for name in names if took or not name.startswith(_KNOWLEDGE)]


def _rewrite(admin: Admin, leaf: str) -> float | None:
    """How long the table was locked, or waited for; None if it could not be."""
    before = one_value(admin, "scrub_file", name=leaf)
    statement = sql.SQL(admin_queries()["scrub_rewrite"]).format(sql.Identifier(leaf))
    for _ in range(_TRIES):
        began = time.monotonic()
        try:
            admin.execute(statement)
        except (pg.LockNotAvailable, pg.DeadlockDetected):
            time.sleep(_PAUSE_SECONDS)
        except pg.UndefinedTable:
            return 0.0
        else:
            took = time.monotonic() - began
            # To whom it does not belong it is passed over with a warning, as is one that went.
            written = one_value(admin, "scrub_file", name=leaf)
            return took if written is None or written != before else None
    return None


def _statistics(admin: Admin) -> str:
    """Whether samples of content are kept: only a superuser can look."""
    try:
        return "some" if one_value(admin, "scrub_statistics") else "none"
    except pg.InsufficientPrivilege:
        return "not looked at"


def _cut_log(admin: Admin) -> list[str]:
    """Where bytes may be that this cannot reach: for the operator."""
    left = ["backups"]
    try:
        run(admin, "scrub_checkpoint")
        run(admin, "scrub_switch")
        run(admin, "scrub_checkpoint")
        if not _patiently(lambda: not one_value(admin, "scrub_old_wal"), tries=4):
            left.append("log")
    except pg.InsufficientPrivilege:
        left.append("log")
    with (
        suppress(pg.InsufficientPrivilege),
        admin.cursor(row_factory=class_row(_Elsewhere)) as cursor,
    ):
        found = cursor.execute(admin_queries()["scrub_elsewhere"]).fetchone()
        if found is not None:
            left += ["log_archive"] * found.archive + ["replicas"] * found.replicas
    return left


def _note(admin: Admin, one: _Pending, at: datetime, told: Mapping[str, Any]) -> int:
    whole = {
        "target": one.target, "state": "scrubbed", "counts": one.counts, "held": one.held,
        "hidden_at": one.hidden_at, "erased_at": one.erased_at, "verified": one.verified,
        "scrubbed_at": at, "scrub": told,
    }  # fmt: skip
    given = {
        "tenant_id": one.tenant_id, "receipt_id": one.receipt_id, "at": at,
        "scrub": json.dumps(told), "digest": receipt_digest(one.tenant_id, one.receipt_id, whole),
    }  # fmt: skip
    with as_owner(admin):
        return admin.execute(admin_queries()["scrub_note"], given).rowcount


def _patiently(holds: Callable[[], bool], tries: int | None = None) -> bool:
    for _ in range(_TRIES if tries is None else tries):
        if holds():
            return True
        time.sleep(_PAUSE_SECONDS)
    return holds()
