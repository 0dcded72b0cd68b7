"""A restore: beside the database that is there, without what was forgotten since, then in place.

The backup is loaded into a database of another name, migrated, and the erasure ledger carried out
on it. Only then it gets the name that the service uses. A restore that dies leaves what was there.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import structlog
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import SecretStr

from muniment import bootstrap
from muniment.errors import StartRefused
from muniment.postgres.embedded import ADMIN, APP, DATABASE, Postmaster, hold
from muniment.postgres.migrate import Admin, as_owner, migrate, one_value, run
from muniment.postgres.queries import admin_queries, sql_text
from muniment.providers.drills import drill_at
from muniment.providers.system import SystemClock
from muniment.records.catching_up import CaughtUp
from muniment.recovery.ledger import bring_up_to_ledger, ledger_knows, mend_from
from muniment.recovery.tools import run_tool
from muniment.settings import Settings

_log = structlog.get_logger()
_PARTIAL, _REPLACED = "{}_restoring", "{}_replaced"


@dataclass(frozen=True)
class Restored:
    """How many erasures were carried out on it that were made after the backup."""

    erasures: int


@dataclass(frozen=True)
class _Server:
    """Where databases are made, and how roles reach one of them."""

    conninfo: str
    database: str

    def of(self, database: str) -> str:
        """How the administrator reaches a database."""
        return make_conninfo(self.conninfo, dbname=database)


def restore(settings: Settings, file: Path, *, without_ledger: bool = False) -> Restored:
    """Put a backup in the place of the database. The service does not run meanwhile.

    Raises StartRefused for what keeps it from that, with the database as it was; also where there
    is no ledger, unless it is to be done without.
    """
    if not file.is_file():
        raise StartRefused(f"There is no backup {file}.", cure="Name a file of 'muniment backup'.")
    try:
        with _server(settings) as server:
            return _restore(settings, server, file, without_ledger=without_ledger)
    except psycopg.errors.ObjectInUse as error:
        raise StartRefused(
            "The database is in use.", cure="Stop every API process and worker, then try again."
        ) from error
    except psycopg.Error as error:
        raise StartRefused(
            f"The server refused a step of the restore ({type(error).__name__}).",
            cure="docs/how-to/backup.md says which rights it needs; nothing was changed.",
        ) from error


@contextlib.contextmanager
def _server(settings: Settings) -> Iterator[_Server]:
    if settings.database_url is None and settings.admin_database_url is None:
        with hold(settings.data_dir) as lock:
            postmaster = Postmaster.prepare(lock, entropy=bootstrap.random_bytes)
            with postmaster.running():
                yield _Server(postmaster.conninfo(ADMIN, "postgres"), DATABASE)
                postmaster.ensure_login_roles()
        return
    where = bootstrap.admin_conninfo(settings)
    database = str(conninfo_to_dict(where).get("dbname") or DATABASE)
    yield _Server(make_conninfo(where, dbname="postgres"), database)


def drop_leftovers(admin: Admin, database: str = DATABASE) -> None:
    """What a restore that died left behind; it may hold what was forgotten."""
    for form in (_PARTIAL, _REPLACED):
        _drop(admin, form.format(database))


def _restore(settings: Settings, server: _Server, file: Path, *, without_ledger: bool) -> Restored:
    partial = _PARTIAL.format(server.database)
    drill = drill_at(settings.kill_at)
    with psycopg.connect(server.conninfo, autocommit=True) as admin:
        drop_leftovers(admin, server.database)
        try:
            _make_roles(admin, server, partial)
            _create(admin, partial)
            run_tool("pg_restore", server.of(partial), ["--exit-on-error", str(file)])
            drill.reached("restore.loaded")
            done = _without_what_was_forgotten(settings, server, partial, without_ledger)
            drill.reached("restore.carried_out")
        except BaseException:
            _drop(admin, partial)
            raise
        _swap(admin, server.database, partial)
        drill.reached("restore.swapped")
        drop_leftovers(admin, server.database)
    return Restored(done.carried_out)


def _without_what_was_forgotten(
    settings: Settings, server: _Server, database: str, without_ledger: bool
) -> CaughtUp:
    with psycopg.connect(server.of(database), autocommit=True) as own:
        migrate(own, partitions=settings.partitions, now=SystemClock().now())
        key = bytes.fromhex(one_value(own, "setting_get", name="erasure_key"))
        run(own, "take_all_the_time")
        with as_owner(own):
            run(own, "statistics_take")
    if not without_ledger:
        replaced = _carried_out_before(server, key)
        found = settings.ledger_file.exists()
        if (found and not ledger_knows(settings, key)) or (not found and replaced is None):
            raise _no_ledger(settings)
        if replaced is not None:
            mend_from(settings, key, replaced)
    beside = _beside(settings, server, database)
    return bring_up_to_ledger(beside, without=key if without_ledger else None)


def _carried_out_before(server: _Server, key: bytes) -> list[str] | None:
    """The lines of the ledger that the database which makes room carried out; None if there is
    none, it does not answer, or it is that of another installation.
    """
    try:
        with psycopg.connect(server.of(server.database), autocommit=True) as own:
            if one_value(own, "setting_get", name="erasure_key") != key.hex():
                return None
            rows = own.execute(admin_queries()["ledger_lines"]).fetchall()
    except (psycopg.OperationalError, psycopg.ProgrammingError) as error:
        _log.warning("replaced_database_does_not_answer", kind=type(error).__name__)
        return None
    return [line for (line,) in rows]


def _no_ledger(settings: Settings) -> StartRefused:
    return StartRefused(
        f"There is no erasure ledger of this installation at {settings.ledger_file}: what was "
        "forgotten since the backup was made would come back.",
        cure="Put the ledger there, or give --without-ledger if there is none.",
    )


def _make_roles(admin: Admin, server: _Server, scratch: str) -> None:
    """The roles of a database are the server's, so making them in a scratch one is enough."""
    _create(admin, scratch)
    with psycopg.connect(server.of(scratch), autocommit=True) as own:
        own.execute(sql_text("setup/bootstrap.sql"))
    _drop(admin, scratch)


def _beside(settings: Settings, server: _Server, database: str) -> Settings:
    """The settings of a process that works on the database that is being restored."""
    as_app = make_conninfo(server.of(database), options=f"-c role={APP}")
    return settings.model_copy(
        update={"database_url": SecretStr(as_app), "erasure_ledger_file": settings.ledger_file}
    )


def _create(admin: Admin, name: str) -> None:
    admin.execute(sql.SQL(admin_queries()["database_create"]).format(sql.Identifier(name)))


def _drop(admin: Admin, name: str) -> None:
    admin.execute(sql.SQL(admin_queries()["database_drop"]).format(sql.Identifier(name)))


def _swap(admin: Admin, name: str, restored: str) -> None:
    """One transaction: there is always a whole database of the name, if there was one."""
    rename = sql.SQL(admin_queries()["database_rename"])
    there = one_value(admin, "database_exists", name=name)
    with admin.transaction():
        if there:
            old = sql.Identifier(_REPLACED.format(name))
            admin.execute(rename.format(sql.Identifier(name), old))
        admin.execute(rename.format(sql.Identifier(restored), sql.Identifier(name)))
