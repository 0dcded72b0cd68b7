"""What an earlier server left: recognised beyond doubt, then cleared away, nothing else touched."""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from muniment.postgres.embedded import ADMIN, Patience, Postmaster
from muniment.postgres.embedded.processes import clear_the_way, processes_in, runs_in
from tests.integration.embedded.people import NOBODY
from tests.integration.embedded.waiting import exited, until
from tests.support.cluster import cluster_in

pytestmark = pytest.mark.long

SLEEPER = shutil.which("sleep") or "/bin/sleep"
BUSY = "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"


@pytest.fixture
def bystander(prepared: Postmaster) -> Iterator["subprocess.Popen[bytes]"]:
    """Another process of the server's own user, whose working directory is the cluster."""
    account = prepared.account
    process = subprocess.Popen(
        [SLEEPER, "600"],
        cwd=prepared.layout.pg,
        user=account.uid if account.drop else None,
        group=account.gid if account.drop else None,
        extra_groups=[] if account.drop else None,
    )
    yield process
    process.kill()
    process.wait()


def zombie() -> "subprocess.Popen[bytes]":
    """A dead process that nobody reaped yet."""
    process = subprocess.Popen([SLEEPER, "0"])
    exited(process.pid)
    return process


def dead() -> int:
    """A number that no process has."""
    process = subprocess.Popen([SLEEPER, "0"])
    process.wait()
    return process.pid


def leave_pid_file(postmaster: Postmaster, first_line: str) -> None:
    pg = postmaster.layout.pg
    text = f"{first_line}\n{pg}\n1700000000\n5432\n{postmaster.layout.socket_dir}\n\n"
    (pg / "postmaster.pid").write_text(text)
    (postmaster.layout.socket_dir / ".s.PGSQL.5432.lock").write_text(text)
    (postmaster.layout.socket_dir / ".s.PGSQL.5432").touch()
    for path in (pg / "postmaster.pid", *postmaster.layout.socket_dir.iterdir()):
        if postmaster.account.drop:
            os.chown(path, postmaster.account.uid, postmaster.account.gid)


@pytest.mark.parametrize(
    "case", ["dead", "bystander", "ours", "zombie", "init", "garbage", "empty"]
)
def test_a_stale_pid_file_never_blocks_and_never_hurts(
    case: str, prepared: Postmaster, bystander: "subprocess.Popen[bytes]"
) -> None:
    unreaped = zombie()
    first_line = {
        "dead": str(dead()),
        "bystander": str(bystander.pid),
        "ours": str(os.getpid()),
        "zombie": str(unreaped.pid),
        "init": "1",
        "garbage": "no number",
        "empty": "",
    }[case]
    leave_pid_file(prepared, first_line)
    with prepared.running() as postmaster, postmaster.connect() as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert bystander.poll() is None
    unreaped.wait()


def test_only_postgres_in_the_cluster_of_its_owner_is_ours(
    running: Postmaster, bystander: "subprocess.Popen[bytes]", place: Path
) -> None:
    pg = running.layout.pg
    assert running.process is not None
    assert runs_in(running.process.pid, pg)
    assert running.process.pid in processes_in(pg)
    assert not runs_in(bystander.pid, pg)
    assert not runs_in(os.getpid(), pg)
    assert not runs_in(dead(), pg)
    assert processes_in(place) == []


def test_a_postgres_of_another_user_is_not_ours(needs_root: None, running: Postmaster) -> None:
    assert running.process is not None
    pg = running.layout.pg
    os.chown(pg, NOBODY, NOBODY)
    try:
        assert not runs_in(running.process.pid, pg)
    finally:
        os.chown(pg, running.account.uid, running.account.gid)


def test_a_restored_copy_of_a_live_cluster_leaves_the_original_alone(
    running: Postmaster, place: Path, engine_dir: Path
) -> None:
    copy = place / "copy" / "pg"
    shutil.copytree(running.layout.pg, copy)
    shutil.copystat(running.layout.pg, copy)
    for path in (copy, *copy.rglob("*")):
        os.chown(path, running.account.uid, running.account.gid)
    clear_the_way(copy, running.layout.data, Patience())
    assert running.process is not None
    assert running.process.poll() is None
    assert not (copy / "postmaster.pid").exists()


def in_background(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def busy_backend(postmaster: Postmaster) -> tuple[int, threading.Thread]:
    """A backend in a statement that does not look whether its postmaster lives."""
    connection = psycopg.connect(postmaster.conninfo(ADMIN), autocommit=True)
    pid = connection.info.backend_pid

    def work() -> None:
        with pytest.raises(psycopg.OperationalError), connection:
            connection.execute(BUSY)

    thread = in_background(work)
    with postmaster.connect() as other:
        until(
            lambda: other.execute(
                "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND state = 'active'", [pid]
            ).fetchone(),
            "the statement runs",
        )
    return pid, thread


def test_after_a_killed_postmaster_the_next_one_comes_up_by_itself(
    place: Path, engine_dir: Path
) -> None:
    patience = Patience(orphans=0.3)
    with cluster_in(
        place / "data", engine_dir=engine_dir, durable=False, patience=patience
    ) as postmaster:
        postmaster.start()
        with postmaster.connect() as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS a")
        backend, thread = busy_backend(postmaster)
        assert postmaster.process is not None
        postmaster.process.kill()
        postmaster.process.wait()
        assert runs_in(backend, postmaster.layout.pg)
        postmaster.start()
        thread.join(30)
        assert not runs_in(backend, postmaster.layout.pg)
        with postmaster.connect() as connection:
            assert connection.execute("SELECT a FROM kept").fetchone() == (1,)


def test_an_unreaped_killed_postmaster_does_not_block(prepared: Postmaster) -> None:
    prepared.start()
    first = prepared.process
    assert first is not None
    os.kill(first.pid, signal.SIGKILL)
    exited(first.pid)
    prepared.start()
    with prepared.connect() as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    first.wait()


def test_an_orphaned_live_postmaster_is_stopped_cleanly(prepared: Postmaster) -> None:
    prepared.start()
    first = prepared.process
    assert first is not None
    prepared.start()
    assert first.wait(30) == 0
    log = "".join(path.read_text() for path in sorted(prepared.layout.log.glob("*.log")))
    assert "received fast shutdown request" in log
    assert "not properly shut down" not in log
    with prepared.connect() as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_hung_orphan_is_ended_the_hard_way(place: Path, engine_dir: Path) -> None:
    patience = Patience(shutdown=0.2, orphans=0.2, harder=0.5)
    with cluster_in(
        place / "data", engine_dir=engine_dir, durable=False, patience=patience
    ) as postmaster:
        postmaster.start()
        first = postmaster.process
        assert first is not None
        first.send_signal(signal.SIGSTOP)
        postmaster.start()
        assert first.wait(30) == -signal.SIGKILL
        with postmaster.connect() as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
