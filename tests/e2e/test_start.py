"""How processes start: on their own, before their database, and with what cannot work.

| given | `api`, `worker` (and `serve`) |
|---|---|
| a role with too much power, no schema, one too new, a server that loses writes | exit 3, one sentence with its cure |
| a database that comes later | wait, say so once as JSON, then work |
| a database that never comes | exit 3 after the time to wait |
| a database that goes while a worker works | exit 1, one sentence: whoever started it starts it again |
| a worker that the queue took for dead | exit 1, one sentence that says so |
| a worker told to stop | exit 0 |
| an API that answers | has read what its first recall needs |
| a port that is taken, a host that is none, a file that is none, an address that is none | exit 2, one sentence |
"""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg import sql

from muniment.postgres.embedded import ADMIN, APP, WORKER, Postmaster
from muniment.postgres.migrate import create_database, migrate
from tests.support.cluster import cluster_in, fresh_place, session_cluster
from tests.support.databases import Database
from tests.support.waiting import until
from tests.support.world import START

pytestmark = pytest.mark.long

TEMPLATE = "template_of_starts"
ALONE = ("api", "worker")
EACH = (*ALONE, "serve")


def environment(**settings: str) -> dict[str, str]:
    """Ours, without settings of the machine, and these."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
    return own | {f"MUNIMENT_{name}": value for name, value in settings.items()}


def reaching(database: Database, role: str | None = None, **more: str) -> dict[str, str]:
    """Settings for a database, each URL with its own role or all with one."""
    return {
        "DATABASE_URL": database.conninfo(role or APP),
        "WORKER_DATABASE_URL": database.conninfo(role or WORKER),
        "PORT": "0",
    } | more


def run(command: str, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """A process to its end."""
    with fresh_place() as place:
        given = {"DATA_DIR": str(place / "data")} | settings
        return subprocess.run(
            [sys.executable, "-m", "muniment", command, *words],
            capture_output=True, text=True, timeout=60, check=False, env=environment(**given),
        )  # fmt: skip


def is_refused(done: subprocess.CompletedProcess[str], status: int, said: str) -> bool:
    """One sentence with a cure on standard error, besides the log, and nothing of Python's."""
    lines = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert (done.returncode, len(lines)) == (status, 1), done.stderr
    assert lines[0].startswith("error: ")
    assert lines[0].endswith(".")
    assert said in lines[0]
    return True


@pytest.fixture(scope="module")
def durable() -> Iterator[Postmaster]:
    """A server as an operator would run it, with a database to copy."""
    with session_cluster() as cluster:
        with psycopg.connect(cluster.conninfo(ADMIN, "postgres"), autocommit=True) as admin:
            create_database(admin, TEMPLATE)
        with psycopg.connect(cluster.conninfo(ADMIN, TEMPLATE), autocommit=True) as admin:
            migrate(admin, partitions=1, now=START)
        cluster.ensure_login_roles()
        yield cluster


@contextmanager
def copy_of(cluster: Postmaster) -> Iterator[Database]:
    """A database for one test alone."""
    database = Database.copy(cluster, TEMPLATE)
    yield database
    database.drop()


@pytest.mark.parametrize("command", ALONE)
@pytest.mark.parametrize(
    ("change", "undo", "said"),
    [
        ("ALTER ROLE {role} BYPASSRLS", "ALTER ROLE {role} NOBYPASSRLS", "bypasses row-level security"),
        ("ALTER ROLE {role} SUPERUSER", "ALTER ROLE {role} NOSUPERUSER", "is a superuser"),
        ("GRANT TRUNCATE ON muniment.event TO {role}", None, "may truncate tables"),
        ("GRANT CREATE ON SCHEMA muniment TO {role}", None, "may create roles, databases or objects"),
        ("GRANT TEMPORARY ON DATABASE {database} TO PUBLIC", None, "may create temporary objects"),
        ("GRANT muniment_owner TO {role}", "REVOKE muniment_owner FROM {role}", "member of muniment_owner"),
        ("INSERT INTO muniment_meta.migration VALUES (9999, 'later', 'x', now())", None, "newer than this build"),
        ("DELETE FROM muniment_meta.migration", None, "no schema of Muniment"),
        ("ALTER DATABASE {database} SET synchronous_commit = off", None, "synchronous_commit = off"),
        ("DROP EXTENSION vector CASCADE", None, "lacks the extension vector"),
        ("ALTER TABLE muniment.event NO FORCE ROW LEVEL SECURITY", None, "event has no forced row-level"),
        ("ALTER ROLE {role} IN DATABASE {database} SET lock_timeout = 0", None, "works without lock_timeout"),
    ],
)  # fmt: skip
def test_a_process_of_its_own_checks_as_serve_does(
    durable: Postmaster, command: str, change: str, undo: str | None, said: str
) -> None:
    with copy_of(durable) as database, database.connect(ADMIN) as admin:
        names = {
            "role": sql.Identifier({"api": APP, "worker": WORKER}[command]),
            "database": sql.Identifier(database.name),
        }
        admin.execute(sql.SQL(change).format(**names))
        try:
            assert is_refused(run(command, **reaching(database)), 3, said)
        finally:
            if undo is not None:
                admin.execute(sql.SQL(undo).format(**names))


@pytest.mark.parametrize("command", EACH)
def test_another_role_is_refused(durable: Postmaster, command: str) -> None:
    with copy_of(durable) as database:
        done = run(command, **reaching(database, ADMIN))
        assert is_refused(done, 3, "connected as muniment_admin")


@pytest.mark.parametrize("command", ALONE)
def test_a_server_that_loses_writes_is_refused(database: Database, command: str) -> None:
    assert is_refused(run(command, **reaching(database)), 3, "fsync = off")


class Started:
    """A process, and what it says on standard error."""

    def __init__(self, command: str, log: Path, settings: Mapping[str, str]) -> None:
        self._log = log
        with log.open("w") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "muniment", command],
                stdout=file, stderr=file, env=environment(**settings),
            )  # fmt: skip

    def said(self, event: str) -> list[dict[str, object]]:
        """Log entries of an event."""
        lines = self.text().splitlines()
        found = [json.loads(line) for line in lines if line.startswith("{")]
        return [one for one in found if one["event"] == event]

    def text(self) -> str:
        """Everything that it said."""
        return self._log.read_text()

    def stop(self) -> None:
        """End it, and see that it said nothing of Python's."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        assert "Traceback" not in self.text()


def free_port() -> str:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


def answers(port: str) -> Callable[[], bool]:
    """Whether an API is there."""

    def look() -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=2).status_code == 200
        except httpx.TransportError:
            return False

    return look


def worker_lives(database: Database, count: int = 1) -> Callable[[], bool]:
    """Whether so many workers have said so."""

    def look() -> bool:
        with database.connect(ADMIN) as admin:
            return (
                admin.execute("SELECT FROM muniment_queue.procrastinate_workers").rowcount >= count
            )

    return look


@contextmanager
def alone() -> Iterator[tuple[Path, Postmaster, Database]]:
    """A server that a test may stop, with a database of its own, and a place beside it."""
    with fresh_place() as place, cluster_in(place / "pg", engine_dir=place / "engine") as cluster:
        cluster.start()
        database = Database(cluster, "muniment")
        with database.connect(ADMIN) as admin:
            migrate(admin, partitions=1, now=START)
        cluster.ensure_login_roles()
        yield place, cluster, database


@pytest.mark.parametrize("command", EACH)
def test_a_database_that_comes_later(command: str) -> None:
    with ExitStack() as stack:
        place, cluster, database = stack.enter_context(alone())
        cluster.stop()
        port = free_port()
        given = reaching(database, PORT=port, DATA_DIR=str(place / "data"))
        started = Started(command, place / "log", given)
        stack.callback(started.stop)
        until(lambda: bool(started.said("waiting_for_database")))
        assert started.process.poll() is None
        cluster.start()
        until(worker_lives(database) if command == "worker" else answers(port))
        states = [one["state"] for one in started.said("waiting_for_database")]
        assert len(states) == len(set(states))


def test_an_api_that_answers_has_read_its_words(durable: Postmaster) -> None:
    with fresh_place() as place, copy_of(durable) as database:
        port = free_port()
        given = reaching(database, PORT=port, DATA_DIR=str(place / "data"))
        started = Started("api", place / "log", given)
        try:
            until(answers(port))
            mapped = Path(f"/proc/{started.process.pid}/maps").read_text()
        finally:
            started.stop()
        assert "l2_supercat_256.safetensors" in mapped


def test_a_worker_whose_database_goes() -> None:
    with ExitStack() as stack:
        place, cluster, database = stack.enter_context(alone())
        given = reaching(database, DATA_DIR=str(place / "data"), WORKER_HEARTBEAT_SECONDS="0.5")
        told = Started("worker", place / "told", given)
        stack.callback(told.stop)
        lost = Started("worker", place / "lost", given)
        stack.callback(lost.stop)
        until(worker_lives(database, 2))
        told.stop()
        assert told.process.returncode == 0
        cluster.stop()
        assert lost.process.wait(60) == 1
        said = [line for line in lost.text().splitlines() if not line.startswith("{")]
        assert len(said) == 1
        assert said[0].startswith("error: The worker lost its database.")


def test_a_worker_that_is_taken_for_dead() -> None:
    with ExitStack() as stack:
        place, _, database = stack.enter_context(alone())
        given = reaching(database, DATA_DIR=str(place), WORKER_HEARTBEAT_SECONDS="5")
        slow = Started("worker", place / "slow", given)
        stack.callback(slow.stop)
        until(worker_lives(database))
        with database.connect(ADMIN) as admin:
            admin.execute("DELETE FROM muniment_queue.procrastinate_workers")
            admin.execute(
                "INSERT INTO muniment_queue.procrastinate_jobs (queue_name, task_name, args)"
                " VALUES ('default', 'expire_answers', '{\"timestamp\": 0}')"
            )
        assert slow.process.wait(60) == 1
        said = [line for line in slow.text().splitlines() if not line.startswith("{")]
        assert len(said) == 1
        assert said[0].startswith("error: The queue took this worker for dead: it was not heard of for 15 seconds.")  # fmt: skip


@pytest.mark.parametrize("command", EACH)
def test_a_database_that_never_comes(command: str) -> None:
    with fresh_place() as place:
        nowhere = f"host={place} dbname=x user=u"
        done = run(
            command, DATABASE_URL=nowhere, WORKER_DATABASE_URL=nowhere, PORT="0",
            DATABASE_WAIT_SECONDS="1",
        )  # fmt: skip
    assert is_refused(done, 3, "For 1 seconds the database does not answer")
    entries = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert [one["event"] for one in entries] == ["waiting_for_database"]


@pytest.mark.parametrize("command", EACH)
def test_a_database_that_does_not_let_us_in(durable: Postmaster, command: str) -> None:
    with copy_of(durable) as database:
        given = reaching(database, DATABASE_WAIT_SECONDS="0") | {
            name: f"{database.conninfo(ADMIN)} dbname=no_such"
            for name in ("DATABASE_URL", "WORKER_DATABASE_URL")
        }
        assert is_refused(run(command, **given), 3, "answers and does not let in")


NOT_AN_ADDRESS = "MUNIMENT_DATABASE_URL is not an address"
# What only a start can find wrong: by which commands, with which settings, and what is said of it.
UNUSABLE: list[tuple[tuple[str, ...], dict[str, str], str]] = [
    (("api",), {"POLICY_FILE": "{place}/none"}, "The policy file cannot be read"),
    (("api",), {"POLICY_FILE": "{place}"}, "The policy file cannot be read"),
    (EACH, {"POLICY_FILE": "{place}/broken.toml"}, "The policy in MUNIMENT_POLICY_FILE is not valid"),
    (("api",), {"POLICY_FILE": "{place}/binary.toml"}, "The policy in MUNIMENT_POLICY_FILE is not valid"),
    (("api",), {"POLICY_FILE": "{place}/empty.toml"}, "The policy in MUNIMENT_POLICY_FILE is not valid"),
    (("api",), {"RATE_LIMIT_KEY": "often"}, "MUNIMENT_RATE_LIMIT_KEY"),
    (EACH, {"RATE_LIMIT_TENANT": "1/parsec"}, "MUNIMENT_RATE_LIMIT_TENANT"),
    (("api", "serve"), {"DATABASE_URL": "nonsense"}, NOT_AN_ADDRESS),
    (("api", "serve"), {"DATABASE_URL": "postgresql://["}, NOT_AN_ADDRESS),
    (("worker", "serve"), {"DATABASE_URL": "host=x"}, "MUNIMENT_WORKER_DATABASE_URL is not set"),
    (("api", "serve"), {"HOST": "a..b"}, "cannot listen on a..b"),
    (("api", "serve"), {"HOST": "192.0.2.1"}, "cannot listen on 192.0.2.1"),
    (("api", "serve"), {"PORT": "{taken}"}, "cannot listen on 127.0.0.1 port {taken}"),
    (("serve",), {"DATA_DIR": "{place}/empty.toml/data"}, "cannot be used"),
    (("serve",), {"DATA_DIR": "/proc/muniment"}, "cannot be used"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "settings", "said"),
    [(command, given, said) for commands, given, said in UNUSABLE for command in commands],
)
def test_what_only_a_start_finds_wrong(command: str, settings: dict[str, str], said: str) -> None:
    with fresh_place() as place, socket.create_server(("127.0.0.1", 0)) as taken:
        (place / "broken.toml").write_text("[")
        (place / "binary.toml").write_bytes(b"\xff\xfe\x00")
        (place / "empty.toml").write_text("")
        names = {"place": str(place), "taken": str(taken.getsockname()[1])}
        given = {name: value.format(**names) for name, value in settings.items()}
        done = run(command, **({"PORT": "0", "DATABASE_WAIT_SECONDS": "0"} | given))
    assert is_refused(done, 2, said.format(**names))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--data", ""), "--data is empty"),
        (("--host", ""), "--host is empty"),
        (("--port", "65536"), "--port must be 65535 or less"),
    ],
)
def test_options_that_cannot_work(words: tuple[str, ...], said: str) -> None:
    assert is_refused(run("serve", *words), 2, said)


@pytest.mark.parametrize("command", EACH)
def test_a_name_that_is_no_setting(command: str) -> None:
    assert is_refused(run(command, PROT="7300"), 2, "Did you mean MUNIMENT_PORT?")
