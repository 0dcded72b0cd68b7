"""PgBouncer in transaction mode in front of a server of the tests."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row

from muniment.postgres.embedded import APP, Postmaster
from muniment.postgres.embedded.account import resolve
from tests.support.cluster import fresh_place
from tests.support.waiting import until

_PORT, _CONSOLE = 6432, "pgbouncer"


@dataclass(frozen=True)
class Pooler:
    """A running PgBouncer: the folder of its socket, and the database behind it."""

    place: Path
    database: str

    def conninfo(self, role: str = APP, dbname: str | None = None) -> str:
        """How a role reaches the database through it."""
        name = dbname or self.database
        return make_conninfo("", host=str(self.place), port=_PORT, user=role, dbname=name)

    def connect(self) -> psycopg.Connection[Any]:
        """A connection in autocommit that prepares nothing."""
        return psycopg.connect(self.conninfo(), autocommit=True, prepare_threshold=None)

    def show(self, what: str) -> list[dict[str, Any]]:
        """A table of its console about the database, row by row."""
        console = psycopg.connect(self.conninfo(dbname=_CONSOLE), autocommit=True)
        with console, psycopg.ClientCursor(console, row_factory=dict_row) as cursor:
            found = cursor.execute(f"SHOW {what}").fetchall()
        return [row for row in found if row["database"] == self.database]


@contextlib.contextmanager
def running_pooler(cluster: Postmaster, database: str, *, connections: int) -> Iterator[Pooler]:
    """PgBouncer from the program in ``PGBOUNCER``, with so many connections to the server."""
    program = os.environ.get("PGBOUNCER", "pgbouncer")
    server = conninfo_to_dict(cluster.conninfo(APP))["host"]
    # The server knows this user, and PgBouncer refuses to be root.
    account = resolve()
    becoming = ["--user", account.label] if account.drop else []
    with fresh_place() as place:
        os.chown(place, account.uid, account.gid)
        (place / "users.txt").write_text(f'"{APP}" ""\n', encoding="utf-8")
        (place / "pgbouncer.ini").write_text(
            "\n".join(
                (
                    f"[databases]\n{database} = host={server} port=5432",
                    f"[pgbouncer]\nlisten_port = {_PORT}\nunix_socket_dir = {place}",
                    f"auth_type = trust\nauth_file = {place}/users.txt\nadmin_users = {APP}",
                    f"pool_mode = transaction\ndefault_pool_size = {connections}",
                    f"logfile = {place}/log\n",
                )
            ),
            encoding="utf-8",
        )
        process = subprocess.Popen([program, "--quiet", *becoming, place / "pgbouncer.ini"])
        try:
            until((place / f".s.PGSQL.{_PORT}").exists)
            yield Pooler(place, database)
        finally:
            process.terminate()
            process.wait()
