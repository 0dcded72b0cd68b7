"""A disk that fills up under the database: a small file system of the test's own.

| free space | write | read | /readyz |
|---|---|---|---|
| enough | done | answered | 200 |
| below the reserve | 507 | answered | 503, naming the disk |
| enough again | done | answered | 200 |

Nothing that was acknowledged is lost, and the database server does not fall over.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import StorageFull
from muniment.testing import Running
from tests.faults.harness import process, stored
from tests.support.cluster import fresh_place
from tests.support.services import running_service
from tests.support.waiting import until
from tests.support.world import START

pytestmark = pytest.mark.long

SIZE_MIB, RESERVE_MIB = 320, 48
TEXT = "the heron nests in the tall tree by the water; " * 1000


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system with little room."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to mount a small file system")
    with fresh_place() as place:
        disk = place / "disk"
        disk.mkdir(mode=0o755)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MIB}m,mode=0755", "tmpfs", str(disk)]
        if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            pytest.skip("this machine lets nobody mount a small file system")
        try:
            yield disk
        finally:
            subprocess.run(["umount", "--lazy", str(disk)], check=True)


def write(client: Client, number: int) -> None:
    """A large turn."""
    event = Event(turn=number, role="user", content=f"Fact {number}: {TEXT}", occurred_at=START)
    client.events.write(user_id="u", session_id="s", events=[event])


def fill(client: Client) -> int:
    """Write until the service refuses; how many were acknowledged."""
    for number in range(100_000):
        try:
            write(client, number)
        except StorageFull:
            return number
    raise AssertionError("the disk took everything")


def ready(service: Running) -> dict[str, str]:
    """Why the service is not ready."""
    reasons: dict[str, str] = httpx.get(f"{service.url}/readyz").json()["reasons"]
    return reasons


def test_a_disk_that_fills_up(small_disk: Path) -> None:
    tight = {"MUNIMENT_DISK_RESERVE_MIB": str(RESERVE_MIB), "MUNIMENT_PARTITIONS": "2"}
    with (
        running_service(small_disk / "data", tight) as service,
        Client(service.url, service.key) as client,
    ):
        until(lambda: ready(service) == {})
        server = process(service, "postgres")
        filler = small_disk / "filler"
        room = os.statvfs(small_disk)
        spare = room.f_bavail * room.f_frsize - (RESERVE_MIB + 24) * 2**20
        with filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, spare)
        acknowledged = fill(client)
        assert acknowledged > 10
        assert list(ready(service)) == ["disk"]
        answer = httpx.post(
            f"{service.url}/v1/memories",
            json={"kind": "fact", "text": "A fact.", "user_id": "u"},
            headers={"authorization": f"Bearer {service.key}"},
        )
        assert (answer.status_code, answer.json()["code"]) == (507, "storage_full")
        assert client.recall(user_id="u", query="Where does the heron nest?").items
        assert len(stored(client, "u")) == acknowledged
        filler.unlink()
        until(lambda: ready(service) == {})
        write(client, acknowledged)
        assert len(stored(client, "u")) == acknowledged + 1
        assert process(service, "postgres") == server
