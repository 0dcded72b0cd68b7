"""The embedded server: prepared once, then started, watched and stopped."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg import pq

from muniment.errors import StartRefused
from muniment.postgres.embedded import account as accounts
from muniment.postgres.embedded.access import (
    Entropy,
    ensure_database,
    ensure_login_roles,
    read_passwords,
)
from muniment.postgres.embedded.account import Account
from muniment.postgres.embedded.binaries import (
    Binaries,
    install,
    refuse_unless_runnable,
    shipped,
)
from muniment.postgres.embedded.configuration import (
    OPERATOR_FILE,
    OPERATOR_TEXT,
    SETTINGS_FILE,
    Tuning,
    access_text,
    map_text,
    settings_text,
    with_include,
)
from muniment.postgres.embedded.diagnosis import LogMark, explain, prune_logs
from muniment.postgres.embedded.files import private_dir, read_plain, refusing, write_private
from muniment.postgres.embedded.initialise import initialise, needs_cluster
from muniment.postgres.embedded.launch import launch
from muniment.postgres.embedded.layout import ADMIN, DATABASE, ENGINE_DIR, Layout
from muniment.postgres.embedded.lock import ServeLock
from muniment.postgres.embedded.processes import Patience, clear_the_way, is_serving

STOP_SIGNAL = signal.SIGINT
FAST_SIGNAL = signal.SIGQUIT
_POLL_SECONDS = 0.02


def _refuse_closed_parents(account: Account, path: Path) -> None:
    closed = account.first_closed([*reversed(path.parents), path])
    if closed is not None:
        raise StartRefused(
            f"The system user {account.label}, who runs the server, cannot enter {closed}.",
            cure="Choose a directory that every user can reach, such as /var/lib/muniment, or "
            f"open that one ('chmod o+x {closed}').",
        )


class Postmaster:
    """One server on one data directory. ``spawn``, ``ready``, ``refusal`` and ``tend`` are for a
    supervisor; ``start``, ``stop`` and ``running`` do the same without one."""

    def __init__(
        self,
        layout: Layout,
        account: Account,
        binaries: Binaries,
        *,
        entropy: Entropy,
        tuning: Tuning,
        patience: Patience,
    ) -> None:
        self.layout = layout
        self.account = account
        self.binaries = binaries
        self._entropy = entropy
        self._tuning = tuning
        self._patience = patience
        self._mark = LogMark(layout, {})
        self._provided = False
        self.process: subprocess.Popen[bytes] | None = None

    @classmethod
    def prepare(
        cls,
        lock: ServeLock,
        *,
        entropy: Entropy,
        tuning: Tuning | None = None,
        patience: Patience | None = None,
        engine_dir: Path = ENGINE_DIR,
        account_name: str = accounts.ACCOUNT,
    ) -> "Postmaster":
        """Settle user, programs and cluster (created if there is none); starts nothing.

        ``engine_dir`` and ``account_name`` matter to root alone. Raises ``StartRefused``.
        """
        tuning = tuning or Tuning()
        account = accounts.resolve(account_name)
        layout = lock.layout
        binaries = shipped()
        if account.drop:
            binaries = install(binaries, engine_dir, durable=tuning.durable)
            _refuse_closed_parents(account, binaries.root)
            _refuse_closed_parents(account, layout.data)
        else:
            refuse_unless_runnable(binaries)
        made = cls(
            layout,
            account,
            binaries,
            entropy=entropy,
            tuning=tuning,
            patience=patience or Patience(),
        )
        made._make_directories()
        with refusing(layout.pg):
            fresh = needs_cluster(layout, account, binaries)
        if fresh:
            initialise(layout, account, binaries, tuning)
        return made

    def _make_directories(self) -> None:
        for path in (self.layout.log, self.layout.socket_dir):
            with refusing(path):
                private_dir(path, self.account)

    def _write_configuration(self) -> None:
        pg = self.layout.pg
        with refusing(pg):
            main = read_plain(pg / "postgresql.conf") or ""
            texts = {
                SETTINGS_FILE: settings_text(self.layout, self._tuning),
                "postgresql.conf": with_include(main),
                "pg_hba.conf": access_text(self.account),
                "pg_ident.conf": map_text(self.account.peers()),
            }
            if read_plain(pg / OPERATOR_FILE) is None:
                texts[OPERATOR_FILE] = OPERATOR_TEXT
            for name, text in texts.items():
                if read_plain(pg / name) != text:
                    write_private(pg / name, text, self.account)

    def _refuse_without_passwords(self) -> None:
        if not self.account.peers() and read_passwords(self.layout, self.account) is None:
            raise StartRefused(
                f"User {self.account.label} has no passwd entry, and the password file "
                f"{self.layout.passfile} is missing.",
                cure="Add an entry for this user to /etc/passwd, then start again.",
            )

    def spawn(self) -> subprocess.Popen[bytes]:
        """Clear what is left of an earlier server (this may take ``Patience``) and start a new
        one, which stops when the calling thread ends. Raises ``StartRefused``."""
        self._refuse_without_passwords()
        self._make_directories()
        with refusing(self.layout.pg):
            clear_the_way(self.layout.pg, self.layout.socket_dir, self._patience)
        self._write_configuration()
        with refusing(self.layout.log):
            prune_logs(self.layout)
            self._mark = LogMark.now(self.layout)
        self._provided = False
        self.process = launch(
            [self.binaries.program("postgres"), "-D", self.layout.pg],
            self.account,
            death_signal=STOP_SIGNAL,
            log=self.layout.startup_log,
        )
        return self.process

    def connect(self, dbname: str = DATABASE) -> psycopg.Connection[tuple[object, ...]]:
        """An administrator's connection in autocommit mode; the caller closes it."""
        return psycopg.connect(self.conninfo(ADMIN, dbname), autocommit=True)

    def ready(self) -> bool:
        """Whether clients are served; the first time also sees to database and passwords.

        Raises ``StartRefused`` when the server answers and that cannot be done.
        """
        # The pid file first: a connection before its time leaves a line in the log.
        if self.process is None or not is_serving(self.layout.pg, self.process.pid):
            return False
        if pq.PGconn.ping(self.conninfo(ADMIN, "postgres").encode()) != pq.Ping.OK:
            return False
        if not self._provided:
            try:
                with self.connect("postgres") as connection:
                    ensure_database(connection)
                    ensure_login_roles(connection, self.layout, self.account, self._entropy)
            except psycopg.Error as error:
                said = str(error).strip().splitlines()
                raise StartRefused(
                    f"The server answers and cannot be used: {said[0] if said else error!r}.",
                    cure=f"The log is in {self.layout.log}.",
                ) from error
            self._provided = True
        return True

    def ensure_login_roles(self) -> None:
        """Give LOGIN and a password to the project's roles; call it after migrations ran."""
        with self.connect("postgres") as connection:
            ensure_login_roles(connection, self.layout, self.account, self._entropy)

    def conninfo(self, role: str, dbname: str = DATABASE) -> str:
        """A libpq connection string for one of ``ROLES``."""
        return self.layout.conninfo(role, dbname)

    def refusal(self, status: int | None = None) -> StartRefused:
        """Why the server that was spawned last ended, from its log."""
        with refusing(self.layout.log):
            output = self._mark.since()
        return explain(output, status, what="PostgreSQL", log=self.layout.log)

    def tend(self) -> None:
        """Keep the logs bounded; call it now and then while the server runs."""
        prune_logs(self.layout)

    def start(self, *, within: float = 120.0) -> None:
        """Spawn and wait until ready; raises ``StartRefused`` with the server stopped."""
        process = self.spawn()
        try:
            self._await_ready(process, time.monotonic() + within)
        except BaseException:
            self.stop(FAST_SIGNAL)
            raise

    def _await_ready(self, process: subprocess.Popen[bytes], deadline: float) -> None:
        while not self.ready():
            with contextlib.suppress(subprocess.TimeoutExpired):
                raise self.refusal(process.wait(_POLL_SECONDS))
            if time.monotonic() > deadline:
                raise StartRefused(
                    "PostgreSQL was not ready in time.", cure=f"The log is in {self.layout.log}."
                )

    def stop(self, first: signal.Signals = STOP_SIGNAL) -> None:
        """Stop the server cleanly, harder when it takes longer than ``Patience``, and reap it."""
        process, self.process = self.process, None
        if process is None:
            return
        patience = self._patience
        for number, seconds in ((first, patience.shutdown), (FAST_SIGNAL, patience.harder)):
            process.send_signal(number)
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            return
        process.kill()
        process.wait()

    @contextlib.contextmanager
    def running(self) -> Iterator["Postmaster"]:
        """The server for the time of the body."""
        self.start()
        try:
            yield self
        finally:
            self.stop()
