"""The audit chain of a running service: the worker seals, heads are kept, verify tells.

| what | then |
|---|---|
| a write | its entry is sealed within seconds |
| the worker is killed while entries come | the next one goes on; the chain is whole |
| the worker hangs | `seals` is a warning of readyz, the lag a metric; both end when it goes on |
| the service stops | the file of heads has the last one, signed; key and file are their owner's alone |
| a superuser changes an entry | `muniment audit verify --head FILE` says where, and exits with 1 |
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from muniment.client import Client
from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running
from tests.faults.harness import process, strike
from tests.support.cluster import fresh_place
from tests.support.services import running_service
from tests.support.waiting import until

pytestmark = pytest.mark.long


@pytest.fixture
def service() -> Iterator[Running]:
    """A service of its own, whose worker may be killed."""
    with running_service() as made:
        yield made


def write(client: Client, count: int) -> None:
    for number in range(count):
        client.memories.remember(kind="fact", user_id="u", text=f"Has {number} cats.")


def all_sealed(client: Client) -> bool:
    check = client.audit.verify()
    assert check.ok, check.findings
    return check.pending == 0


def warnings(service: Running) -> dict[str, str]:
    answer = httpx.get(f"{service.url}/readyz", timeout=30)
    found: dict[str, str] = answer.json().get("warnings", {})
    return found


def metric(service: Running) -> float:
    lines = httpx.get(f"{service.url}/metrics", timeout=30).text.splitlines()
    name = "muniment_audit_seal_lag_seconds "
    return float(next(line for line in lines if line.startswith(name)).removeprefix(name))


def test_a_worker_that_dies_or_hangs(service: Running) -> None:
    with Client(service.url, service.key) as client:
        write(client, 3)
        until(partial(all_sealed, client))
        for _ in range(3):
            write(client, 5)
            until(partial(strike, service, "worker"))
            write(client, 5)
            until(partial(all_sealed, client), within=60)
        assert client.audit.head().seq == client.audit.verify().seq == 33


def test_entries_that_wait_are_told(service: Running) -> None:
    with Client(service.url, service.key) as client, admin_of(service) as admin:
        # It starts after the service said that it is ready.
        until(lambda: process(service, "worker") is not None, within=60)
        stopped = process(service, "worker")
        assert stopped is not None
        os.kill(stopped, signal.SIGSTOP)
        try:
            write(client, 1)
            admin.execute("UPDATE muniment.audit_pending SET since = now() - interval '1 hour'")
            assert re.fullmatch(r"[A-Z].*\.", warnings(service)["seals"])
            until(lambda: metric(service) > 3000)
            assert not client.audit.verify().ok
        finally:
            os.kill(stopped, signal.SIGCONT)
        until(lambda: client.audit.verify().ok, within=60)
        until(lambda: metric(service) < 30)
        assert "seals" not in warnings(service)


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that the server's user reaches."""
    with fresh_place() as made:
        yield made


def test_a_head_that_was_kept_finds_a_change(place: Path) -> None:
    data = place / "data"
    with running_service(data) as service, Client(service.url, service.key) as client:
        write(client, 3)
        until(partial(all_sealed, client))
        client.forget(user_id="u")
        assert [one.seq for one in client.audit.list().items] == [4, 3, 2, 1]
        own = client.audit.head().public_key
    kept = data / "audit-heads.jsonl"
    head = json.loads(kept.read_text().splitlines()[-1])
    assert (head["seq"], head["public_key"]) == (4, own)
    assert {oct((data / one).stat().st_mode & 0o777) for one in ("audit.key", kept.name)} == {
        "0o600"
    }
    file = place / "head.json"
    file.write_text(json.dumps(head))
    with running_service(data) as service:
        assert verify(service, file).returncode == 0
        with admin_of(service) as admin:
            admin.execute(
                "UPDATE muniment.audit_entry SET operation = 'nothing' WHERE operation = 'forget'"
            )
        done = verify(service, file)
        assert done.returncode == 1, done.stderr
        assert "changed_entry" in done.stdout


def verify(service: Running, file: Path) -> "subprocess.CompletedProcess[str]":
    """The command, with a head from a file."""
    environment = {"MUNIMENT_URL": service.url, "MUNIMENT_API_KEY": service.key}
    return subprocess.run(
        [sys.executable, "-m", "muniment", "audit", "verify", "--head", str(file)],
        env=os.environ | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def admin_of(service: Running) -> "psycopg.Connection[Any]":
    """A superuser."""
    conninfo = Layout.of(service.data_dir).conninfo(ADMIN)
    return psycopg.connect(conninfo, autocommit=True)
