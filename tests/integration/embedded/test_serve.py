"""The server under the supervisor: kills of either, and what comes up after them."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from muniment.postgres.embedded import ADMIN, Layout
from muniment.postgres.embedded.processes import processes_in
from tests.integration.embedded.conftest import Served, Start
from tests.integration.embedded.waiting import exited, until

OTHERS = {"api": ["sleep", "600"], "worker": ["sleep", "600"]}


@pytest.fixture
def how(place: Path, engine_dir: Path) -> dict[str, object]:
    return {"data": str(place / "data"), "engine_dir": str(engine_dir), "others": OTHERS}


def connect(data: Path) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(Layout.of(data).conninfo(ADMIN), autocommit=True)


def said(data: Path) -> str:
    return "".join(path.read_text() for path in sorted((data / "log").glob("postgres-*.log")))


def test_an_orderly_stop_is_a_clean_shutdown(
    place: Path, how: dict[str, object], start: Start
) -> None:
    served = start("serve", how).ready()
    with connect(place / "data") as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS a")
        # A client that stays must not hold the shutdown up.
        served.process.terminate()
        served.lines.wait_for("postgres stopped with status 0")
        assert served.process.wait(60) == 0
    assert processes_in(place / "data" / "pg") == []
    assert not (place / "data" / "pg" / "postmaster.pid").exists()
    start("serve", how).ready().stop()
    assert "was not properly shut down" not in said(place / "data")


def test_a_killed_supervisor_takes_everything_down_and_the_next_comes_up(
    place: Path, how: dict[str, object], start: Start
) -> None:
    first = start("serve", how).ready()
    with connect(place / "data") as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS a")
    pids = [first.pid_of(name) for name in ("postgres", "api", "worker")]
    first.process.kill()
    # At once: the old server may still be shutting down.
    second = start("serve", how).ready()
    for pid in pids:
        exited(pid)
    with connect(place / "data") as connection:
        assert connection.execute("SELECT a FROM kept").fetchone() == (1,)
    assert "was not properly shut down" not in said(place / "data")
    second.stop()


def test_a_killed_postmaster_is_started_again_alone(
    place: Path, how: dict[str, object], start: Start
) -> None:
    served = start("serve", how | {"orphans": 0.5}).ready()
    before = {name: served.pid_of(name) for name in ("postgres", "api", "worker")}
    with connect(place / "data") as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS a")
        os.kill(before["postgres"], signal.SIGKILL)
        served.lines.wait_for("postgres ended with status -9")
        served.lines.wait_for("postgres is ready")
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    with connect(place / "data") as connection:
        assert connection.execute("SELECT a FROM kept").fetchone() == (1,)
    assert served.pid_of("api") == before["api"]
    for name in ("api", "worker"):
        os.kill(before[name], 0)
    served.stop()


def test_everything_killed_at_once_leaves_nothing_that_blocks(
    place: Path, how: dict[str, object], start: Start
) -> None:
    first = start("serve", how).ready()
    with connect(place / "data") as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS a")
    postmaster = first.pid_of("postgres")
    first.process.send_signal(signal.SIGSTOP)
    os.kill(postmaster, signal.SIGKILL)
    first.process.kill()
    assert (place / "data" / "pg" / "postmaster.pid").exists()
    second = start("serve", how).ready()
    with connect(place / "data") as connection:
        assert connection.execute("SELECT a FROM kept").fetchone() == (1,)
    second.stop()


def test_a_second_signal_ends_the_server_fast_and_safely(
    place: Path, how: dict[str, object], start: Start
) -> None:
    served = start("serve", how).ready()
    with connect(place / "data") as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS a")
    served.process.terminate()
    served.lines.wait_for("stopping on SIGTERM")
    served.process.send_signal(signal.SIGINT)
    assert served.process.wait(60) == 0
    again = start("serve", how).ready()
    with connect(place / "data") as connection:
        assert connection.execute("SELECT a FROM kept").fetchone() == (1,)
    again.stop()


def test_two_at_once_leave_one_running(place: Path, how: dict[str, object], start: Start) -> None:
    both: list[Served] = [start("serve", how) for _ in range(2)]
    until(lambda: any(served.process.poll() is not None for served in both), "one gives up")
    loser, winner = sorted(both, key=lambda served: served.process.poll() is None)
    assert f"process {winner.process.pid}" in loser.refusal()
    winner.ready().stop()


def files_held_by(pid: int) -> Iterator[Path]:
    """What the process has open. A file closed meanwhile, or a process that ended, holds nothing."""
    with suppress(FileNotFoundError, ProcessLookupError):
        for path in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                yield path.readlink()


def test_no_child_holds_the_lock(place: Path, how: dict[str, object], start: Start) -> None:
    served = start("serve", how).ready()
    lock = place / "data" / "serve.lock"
    assert lock.read_text() == f"{served.process.pid}\n"
    pids = [served.pid_of(name) for name in OTHERS] + processes_in(place / "data" / "pg")
    assert len(pids) > 5
    assert lock not in [path for pid in pids for path in files_held_by(pid)]
    served.stop()
