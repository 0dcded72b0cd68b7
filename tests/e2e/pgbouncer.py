"""The service through PgBouncer in transaction mode; ``make pgbouncer`` fetches it and runs this.

| what | through the pooler |
|---|---|
| operations | answer as without one, while many clients share few connections of the server |
| the tenant | is set for a transaction alone: the next one on the connection is another's, or nobody's |
| statements | leave nothing prepared behind, where the setting says that the pooler keeps none |
| locks | end with the transaction |
| jobs | run: workers listen on a direct connection |
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median

import psycopg
import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.postgres.embedded import ADMIN, WORKER, Postmaster
from muniment.testing import Running, new_tenant, running_service
from tests.support.cluster import fresh_place, session_cluster
from tests.support.databases import Database
from tests.support.pooler import Pooler, running_pooler
from tests.support.processes import further_api
from tests.support.waiting import until
from tests.support.world import START

SERVER_CONNECTIONS, CLIENTS, ROUNDS = 2, 8, 6
QUESTION = "Where does the boat lie?"


@dataclass(frozen=True)
class Pooled:
    """A service through a pooler, the pooler, and the database behind it."""

    service: Running
    pooler: Pooler
    database: Database


@pytest.fixture(scope="module")
def durable() -> Iterator[Postmaster]:
    with session_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def pooled(durable: Postmaster) -> Iterator[Pooled]:
    database = Database.empty(durable)
    with (
        running_pooler(durable, database.name, connections=SERVER_CONNECTIONS) as pooler,
        fresh_place() as place,
    ):
        environment = {
            "MUNIMENT_DATABASE_URL": pooler.conninfo(),
            "MUNIMENT_WORKER_DATABASE_URL": database.conninfo(WORKER),
            "MUNIMENT_ADMIN_DATABASE_URL": database.conninfo(ADMIN),
            "MUNIMENT_PREPARED_STATEMENTS": "false",
        }
        subprocess.run(
            [sys.executable, "-m", "muniment", "db", "migrate"],
            check=True, stdout=subprocess.DEVNULL,
            env={**os.environ, **environment, "MUNIMENT_DATA_DIR": str(place / "data")},
        )  # fmt: skip
        durable.ensure_login_roles()
        with running_service(place / "data", environment) as service:
            yield Pooled(service, pooler, database)


def said(client: Client, user: str, turns: Sequence[str], session: str = "s") -> None:
    events = [
        Event(turn=number, role="user", content=text, occurred_at=START)
        for number, text in enumerate(turns, 1)
    ]
    client.events.write(user_id=user, session_id=session, events=events)


def test_clients_of_many_tenants_share_few_connections(pooled: Pooled) -> None:
    keys = [new_tenant(pooled.service, f"t{number}") for number in range(CLIENTS)]

    def live(number: int) -> None:
        with Client(pooled.service.url, keys[number]) as client:
            for turn in range(ROUNDS):
                said(client, "u", [f"My boat {number}-{turn} lies in Hoorn."], f"s{turn}")
                made = client.memories.remember(
                    kind="fact", user_id="u", text=f"The boat of {number} is red.", slot="city",
                    value=f"City {number}-{turn}",
                )  # fmt: skip
                assert made.outcome in {"inserted", "superseded", "contested"}
                found = client.recall(user_id="u", query=QUESTION, tiers=["episodic"])
                names = [item.text.split()[2] for item in found.items]
                assert sorted(names) == [f"{number}-{one}" for one in range(turn + 1)]

    with ThreadPoolExecutor(CLIENTS) as threads:
        assert list(threads.map(live, range(CLIENTS))) == [None] * CLIENTS
    (pool,) = [row for row in pooled.pooler.show("POOLS") if row["user"] == "muniment_app"]
    assert pool["pool_mode"] == "transaction"
    servers = [row for row in pooled.pooler.show("SERVERS") if row["user"] == "muniment_app"]
    assert len(servers) <= SERVER_CONNECTIONS < pool["cl_active"]


def test_a_connection_is_left_as_it_was_found(pooled: Pooled) -> None:
    with Client(pooled.service.url, new_tenant(pooled.service)) as client:
        said(client, "u", ["My boat lies in Hoorn."])
        assert client.recall(user_id="u", query=QUESTION).items
    with pooled.pooler.connect() as one, pooled.pooler.connect() as other:
        # Two transactions at once hold both connections of the server.
        with one.transaction(), other.transaction():
            looked = [_state(one), _state(other)]
        assert len({number for number, *_ in looked}) == SERVER_CONNECTIONS
        assert [rest for _, *rest in looked] == [["", "force_generic_plan", 0, 0]] * 2
        # A held lock would stop a worker on its own connection.
        with pooled.database.connect(ADMIN) as admin:
            held = admin.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
            assert held.fetchone() == (0,)


def _state(connection: psycopg.Connection[tuple[object, ...]]) -> tuple[object, ...]:
    """Which backend it is, what it was told, what it has prepared, and to what it listens."""
    found = connection.execute(
        "SELECT pg_backend_pid(), coalesce(current_setting('muniment.tenant_id', true), ''),"
        " current_setting('plan_cache_mode'), (SELECT count(*) FROM pg_prepared_statements),"
        " (SELECT count(*) FROM pg_listening_channels())"
    ).fetchone()
    assert found is not None
    return found


def test_jobs_run_and_what_they_made_is_recalled(pooled: Pooled) -> None:
    with Client(pooled.service.url, new_tenant(pooled.service)) as client:
        said(client, "u", ["I live in Hoorn."])
        job = client.sessions.close(user_id="u", session_id="s").job_id
        assert job is not None
        until(lambda: client.jobs.get(job_id=job).state == "succeeded")
        found = client.recall(user_id="u", query="Where do I live?", tiers=["semantic"])
        assert [item.value for item in found.items] == ["Hoorn"]
        client.forget(user_id="u")
        assert client.recall(user_id="u", query="Where do I live?").items == ()


def test_what_a_recall_takes_longer(pooled: Pooled) -> None:
    """Planned at every call and not once: dearer, but not four times so, as planning was for every
    partition of a table."""
    direct = {
        "MUNIMENT_DATABASE_URL": pooled.database.conninfo(),
        "MUNIMENT_WORKER_DATABASE_URL": pooled.database.conninfo(WORKER),
    }
    with (
        further_api(pooled.service, direct) as url,
        Client(url, new_tenant(pooled.service), timeout=60.0) as straight,
        Client(pooled.service.url, new_tenant(pooled.service)) as through,
    ):
        clients = {"straight": straight, "through": through}
        took: dict[str, list[float]] = {name: [] for name in clients}
        for client in clients.values():
            said(client, "u", [f"My boat number {number} lies in Hoorn." for number in range(40)])
        for number in range(70):
            for name, client in clients.items():
                begun = time.perf_counter()
                assert client.recall(user_id="u", query=QUESTION).items
                if number >= 20:
                    took[name].append(time.perf_counter() - begun)
    middle = {name: median(times) for name, times in took.items()}
    print({name: f"{1000 * seconds:.1f} ms" for name, seconds in middle.items()})
    assert middle["through"] < 3 * middle["straight"]
