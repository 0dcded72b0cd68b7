"""An external PostgreSQL: prepared by an administrator, checked at the start, then served."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import StartRefused
from muniment.postgres.embedded import ADMIN, APP, WORKER, Postmaster
from muniment.testing import running_service
from tests.support.cluster import fresh_place, session_cluster
from tests.support.databases import Database
from tests.support.waiting import until
from tests.support.world import START

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def durable() -> Iterator[Postmaster]:
    """A server as an operator would run it."""
    with session_cluster() as cluster:
        yield cluster


def urls(database: Database, **changed: str) -> dict[str, str]:
    """The settings that name a database."""
    return {
        "MUNIMENT_DATABASE_URL": database.conninfo(APP),
        "MUNIMENT_WORKER_DATABASE_URL": database.conninfo(WORKER),
        "MUNIMENT_ADMIN_DATABASE_URL": database.conninfo(ADMIN),
        "MUNIMENT_DATABASE_WAIT_SECONDS": "0",
    } | changed


def migrate(environment: Mapping[str, str], data: Path) -> subprocess.CompletedProcess[str]:
    """muniment db migrate."""
    return subprocess.run(
        [sys.executable, "-m", "muniment", "db", "migrate"],
        capture_output=True, text=True, check=False,
        env={**os.environ, **environment, "MUNIMENT_DATA_DIR": str(data)},
    )  # fmt: skip


def test_an_external_database_end_to_end(durable: Postmaster) -> None:
    database = Database.empty(durable)
    with fresh_place() as place:
        data = place / "data"
        environment = urls(database)
        refused = pytest.raises(
            StartRefused, match=r"lacks the extension|no schema|does not let in"
        )
        with refused, running_service(data, environment):
            pass
        done = migrate(environment, data)
        assert done.returncode == 0, done.stderr
        assert "applied 0001 initial" in done.stdout
        durable.ensure_login_roles()
        with (
            running_service(data, environment) as service,
            Client(service.url, service.key) as client,
        ):
            event = Event(turn=1, role="user", content="My boat lies in Hoorn.", occurred_at=START)
            client.events.write(user_id="u", session_id="s", events=[event])
            assert client.recall(user_id="u", query="Where is the boat?").items
            job = client.sessions.close(user_id="u", session_id="s").job_id
            assert job is not None
            until(lambda: client.jobs.get(job_id=job).state == "succeeded")
    database.drop()


def test_a_role_with_too_much_power_is_refused(durable: Postmaster) -> None:
    database = Database.empty(durable)
    with fresh_place() as place:
        environment = urls(database)
        assert migrate(environment, place / "data").returncode == 0
        durable.ensure_login_roles()
        powerful = urls(database, MUNIMENT_DATABASE_URL=database.conninfo(ADMIN))
        refused = pytest.raises(StartRefused, match="connected as muniment_admin")
        with refused, running_service(place / "data", powerful):
            pass
    database.drop()


def test_a_server_that_loses_writes_is_refused(cluster: Postmaster) -> None:
    database = Database.empty(cluster)
    with fresh_place() as place:
        assert migrate(urls(database), place / "data").returncode == 0
        cluster.ensure_login_roles()
        refused = pytest.raises(StartRefused, match="fsync = off")
        with refused, running_service(place / "data", urls(database)):
            pass
    database.drop()


def test_a_server_that_is_not_there() -> None:
    with fresh_place() as place:
        nowhere = f"host={place} dbname=x user=muniment_app"
        environment = {
            "MUNIMENT_DATABASE_URL": nowhere,
            "MUNIMENT_WORKER_DATABASE_URL": nowhere,
            "MUNIMENT_DATABASE_WAIT_SECONDS": "0",
        }
        refused = pytest.raises(StartRefused, match="does not answer")
        with refused, running_service(place / "data", environment):
            pass
