"""A streaming replica of a service's embedded server, made from a base backup."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from muniment.postgres.embedded import ADMIN, APP, DATABASE, FAST_SIGNAL, Layout
from muniment.postgres.embedded.account import Account, resolve
from muniment.postgres.embedded.binaries import Binaries, install, shipped
from muniment.postgres.embedded.launch import launch, run
from tests.support.waiting import until

_PORT = 5432


def read_at(place: Path, role: str = APP) -> str:
    """How a role reaches a replica that is, or will be, in a directory."""
    return make_conninfo("", host=str(place), port=_PORT, user=role, dbname=DATABASE)


@dataclass
class Replica:
    """A server that follows that of ``primary``, in a directory of its own."""

    primary: Layout
    place: Path
    account: Account
    binaries: Binaries
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def conninfo(self) -> str:
        """How the service reaches it."""
        return read_at(self.place)

    def asked(self, query: str) -> Any:
        """The first value that it answers its administrator."""
        with psycopg.connect(read_at(self.place, ADMIN), autocommit=True) as connection:
            row = connection.execute(query.encode()).fetchone()
        return None if row is None else row[0]

    def start(self) -> None:
        """Start it; return when it lets clients in."""
        told = {
            "unix_socket_directories": self.place,
            "log_directory": self.place / "log",
            "hot_standby": "on",
        }
        options = [part for name, value in told.items() for part in ("-c", f"{name}={value}")]
        self.process = launch(
            [self.binaries.program("postgres"), "-D", self.place / "pg", *options],
            self.account,
            death_signal=signal.SIGINT,
            log=self.place / "startup.log",
        )
        until(lambda: psycopg.pq.PGconn.ping(self.conninfo.encode()) == psycopg.pq.Ping.OK)

    def stop(self) -> None:
        """Stop it, if it runs."""
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(FAST_SIGNAL)
            process.wait(60)

    def catch_up(self) -> None:
        """Return when it has what the primary has now."""
        with psycopg.connect(self.primary.conninfo(ADMIN), autocommit=True) as connection:
            row = connection.execute("SELECT pg_current_wal_flush_lsn()::text").fetchone()
        assert row is not None
        until(lambda: self.asked(f"SELECT pg_last_wal_replay_lsn() >= '{row[0]}'"))

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """It stays where it is for a while."""
        self.catch_up()
        self.asked("SELECT pg_wal_replay_pause()::text")
        until(lambda: self.asked("SELECT pg_get_wal_replay_pause_state()") == "paused")
        try:
            yield
        finally:
            self.asked("SELECT pg_wal_replay_resume()::text")


@contextlib.contextmanager
def running_replica(primary: Layout, place: Path) -> Iterator[Replica]:
    """A replica of a running server, in an empty directory that every user can reach."""
    account, binaries = resolve(), shipped()
    if account.drop:
        binaries = install(binaries, place / "engine", durable=False)
    os.chown(place, account.uid, account.gid)
    status, said = run(
        [
            binaries.program("pg_basebackup"), "--pgdata", place / "pg", "--checkpoint=fast",
            "--write-recovery-conf", "--dbname", primary.conninfo(ADMIN),
        ],
        account,
    )  # fmt: skip
    assert status == 0, said
    replica = Replica(primary, place, account, binaries)
    replica.start()
    try:
        yield replica
    finally:
        replica.stop()
