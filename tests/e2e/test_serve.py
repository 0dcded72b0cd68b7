"""The processes of the service: started, killed, started again.

| given | when | then |
|---|---|---|
| a running service | its API, worker or database server is killed with -9 | it comes back by itself; nothing acknowledged is lost |
| a running service | everything is killed with -9 | nothing is left running; a new start has the data and the key |
| a running service | a second one on the same data | refused, exit status 3, naming the first |
| a port that is taken | serve | refused, exit status 2 |
| a running service | SIGTERM | ends with 0, nothing is left running |
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import MunimentError
from muniment.testing import Running, running_service
from tests.faults.harness import alive, descendants
from tests.support.cluster import fresh_place
from tests.support.waiting import until
from tests.support.world import START

pytestmark = pytest.mark.long


@pytest.fixture
def data() -> Iterator[Path]:
    """A data directory of its own."""
    with fresh_place() as place:
        yield place / "data"


def process(service: Running, *words: str) -> int:
    """The child process whose command line has all the words."""
    for pid, line in descendants(service.process.pid).items():
        if all(word in line for word in words):
            return pid
    raise AssertionError(f"no process {words}")


def write(client: Client, number: int) -> None:
    """One turn."""
    event = Event(
        turn=number,
        role="user",
        content=f"Fact {number}: the heron number {number} nests.",
        occurred_at=START,
    )
    client.events.write(user_id="u", session_id="s", events=[event])


def turns(client: Client) -> set[int]:
    """Turns that are there."""
    listed = client.memories.list(user_id="u", tiers=["episodic"], kinds=["event"], limit=200)
    return {e.turn for item in listed.items for e in item.evidence}


def works(client: Client, number: int) -> bool:
    """True if a turn can be written and read."""
    try:
        write(client, number)
        return number in turns(client)
    except MunimentError:
        return False


@pytest.mark.parametrize(
    "words", [("muniment", " api "), ("muniment", " worker"), ("postgres", "-D")]
)
def test_a_killed_process_comes_back(data: Path, words: tuple[str, ...]) -> None:
    with running_service(data) as service, Client(service.url, service.key) as client:
        for number in range(5):
            write(client, number)
        killed = process(service, *words)
        os.kill(killed, signal.SIGKILL)
        until(lambda: not alive(killed))
        until(lambda: works(client, 5))
        until(
            lambda: any(
                all(w in line for w in words) for line in descendants(service.process.pid).values()
            )
        )
        assert turns(client) == set(range(6))
        job = client.sessions.close(user_id="u", session_id="s").job_id
        assert job is not None
        until(lambda: client.jobs.get(job_id=job).state == "succeeded")


def test_after_everything_was_killed(data: Path) -> None:
    with running_service(data) as service:
        key = service.key
        with Client(service.url, key) as client:
            for number in range(5):
                write(client, number)
        below = descendants(service.process.pid)
        service.process.kill()
        service.process.wait()
        until(lambda: not any(alive(pid) for pid in below))
    with running_service(data) as again, Client(again.url, key) as client:
        assert again.key == key
        assert turns(client) == set(range(5))
        assert works(client, 5)


def test_an_orderly_end(data: Path) -> None:
    with running_service(data) as service:
        below = descendants(service.process.pid)
        assert len(below) >= 3
        service.process.terminate()
        assert service.process.wait(60) == 0
        assert [line for pid, line in below.items() if alive(pid)] == []


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end."""
    return subprocess.run(
        [sys.executable, "-m", "muniment", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_second_one_on_the_same_data(data: Path) -> None:
    with running_service(data) as service:
        done = command("serve", "--data", str(data), "--port", "0")
        assert done.returncode == 3
        assert str(service.process.pid) in done.stderr
        assert "Traceback" not in done.stderr
        assert httpx.get(f"{service.url}/healthz").status_code == 200


def test_a_port_that_is_taken(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = command("serve", "--data", str(data), "--port", port)
    assert done.returncode == 2
    assert f"port {port}" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_admin_key_is_for_its_owner_alone(data: Path) -> None:
    with running_service(data) as service:
        assert (service.data_dir / "admin.key").stat().st_mode & 0o777 == 0o600
        environment = {**os.environ, "MUNIMENT_URL": service.url, "MUNIMENT_DATA_DIR": str(data)}
        environment.pop("MUNIMENT_API_KEY", None)
        done = subprocess.run(
            [sys.executable, "-m", "muniment", "keys", "list"],
            capture_output=True, text=True, env=environment, check=True,
        )  # fmt: skip
        assert "admin" in done.stdout
        assert service.key not in done.stdout


def test_the_database_from_the_command_line(data: Path) -> None:
    with running_service(data) as service:
        environment = {**os.environ, "MUNIMENT_DATA_DIR": str(data)}

        def run(*words: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [sys.executable, "-m", "muniment", "db", *words],
                capture_output=True, text=True, env=environment, check=False,
            )  # fmt: skip

        assert "0001" in run("migrate").stdout or "at the head" in run("migrate").stdout
        assert "initial" in run("status").stdout
        assert run("verify").returncode == 0
        old = service.key
        assert run("admin-key").returncode == 0
        new = (data / "admin.key").read_text().strip()
        assert new != old
        for key in (old, new):
            with Client(service.url, key) as client:
                assert len(client.keys.list().items) == 2
    done = subprocess.run(
        [sys.executable, "-m", "muniment", "db", "status"],
        capture_output=True, text=True, env={**os.environ, "MUNIMENT_DATA_DIR": str(data)}, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "Start 'muniment serve'" in done.stderr
