"""Recalls that are read on a streaming replica: never older than the call, never less than right.

| the replica | a recall |
|---|---|
| is where the primary is | is read there; its log and its uses are written on the primary |
| is behind a write, of this process or another | is read on the primary, and has it |
| is behind a correction, or a forget | has the new value; has nothing of what was forgotten |
| is behind the end of a key | is refused |
| is behind, and a filter is asked for | as without one |
| does not answer | is read on the primary; the replica is asked again after a while |
| is no replica | is not read |
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import psycopg
import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import Unauthenticated
from muniment.postgres.connection import Connection
from muniment.postgres.embedded import ADMIN, APP, Layout
from muniment.postgres.replica import follows
from muniment.testing import Running, new_tenant
from tests.support.cluster import fresh_place
from tests.support.processes import further_api
from tests.support.replica import Replica, read_at, running_replica
from tests.support.services import running_service
from tests.support.waiting import until
from tests.support.world import START

pytestmark = pytest.mark.long

QUESTION = "Where does the boat lie?"


@dataclass(frozen=True)
class Followed:
    """A service whose recalls are read on a replica."""

    service: Running
    replica: Replica
    environment: dict[str, str]

    def counted(self, name: str) -> int:
        """A figure of its metrics about the replica."""
        text = httpx.get(f"{self.service.url}/metrics").text
        found = re.search(rf"^muniment_replica_{name}_total (\S+)$", text, re.MULTILINE)
        assert found is not None
        return int(float(found[1]))


@pytest.fixture(scope="module")
def followed() -> Iterator[Followed]:
    with fresh_place() as place:
        environment = {"MUNIMENT_READ_DATABASE_URL": read_at(place)}
        # The replica need not be there when the service starts.
        with running_service(environment=environment) as service:
            primary = Layout.of(service.data_dir)
            with running_replica(primary, place) as replica:
                yield Followed(service, replica, environment)


@pytest.fixture
def key(followed: Followed) -> str:
    """The key of a tenant of its own."""
    return new_tenant(followed.service)


@pytest.fixture
def client(followed: Followed, key: str) -> Iterator[Client]:
    """A client of that tenant, whose user has said where the boat lies."""
    with Client(followed.service.url, key) as made:
        said(made, "s", "The boat lies in Hoorn.")
        followed.replica.catch_up()
        until(lambda: read_there(followed, made))
        yield made


def said(client: Client, session: str, text: str) -> None:
    event = Event(turn=1, role="user", content=text, occurred_at=START)
    client.events.write(user_id="u", session_id=session, events=[event])


def texts(client: Client, **asked: object) -> set[str]:
    view = client.recall(user_id="u", query=QUESTION, tiers=["episodic"], **asked)  # type: ignore[arg-type]
    return {item.text for item in view.items}


def read_there(followed: Followed, client: Client) -> bool:
    """Whether a recall was read on the replica."""
    before = followed.counted("reads")
    assert texts(client)
    return followed.counted("reads") > before


def test_a_recall_is_read_there_and_logged_here(followed: Followed, client: Client) -> None:
    view = client.recall(user_id="u", query=QUESTION, session_id="s")
    assert [item.text for item in view.items] == ["The boat lies in Hoorn."]
    with psycopg.connect(followed.replica.primary.conninfo(ADMIN), autocommit=True) as admin:
        logged = "SELECT count(*) FROM muniment.recall_log WHERE recall_id = %s"
        until(lambda: admin.execute(logged, [view.recall_id]).fetchone() == (1,))


def test_a_write_is_read_at_once(followed: Followed, client: Client, key: str) -> None:
    with followed.replica.paused(), further_api(followed.service, followed.environment) as other:
        behind = followed.counted("behind")
        said(client, "s2", "The boat lies in Edam.")
        everything = {"The boat lies in Hoorn.", "The boat lies in Edam."}
        assert texts(client) == everything
        assert texts(client, filter={"session_id": "s2"}) == {"The boat lies in Edam."}
        assert followed.counted("behind") > behind
        # Written through one process, read through another.
        with Client(other, key, timeout=60.0) as elsewhere:
            said(elsewhere, "s3", "The boat lies in Urk.")
        assert texts(client) == {*everything, "The boat lies in Urk."}
    followed.replica.catch_up()
    assert read_there(followed, client)
    assert texts(client) == {*everything, "The boat lies in Urk."}


def test_a_correction_counts_at_once(followed: Followed, client: Client) -> None:
    def remember(value: str) -> None:
        client.memories.remember(
            kind="fact", user_id="u", text=f"The user lives in {value}.", slot="city", value=value
        )

    def lives() -> list[str | None]:
        view = client.recall(user_id="u", query="Where does the user live?", tiers=["semantic"])
        return [item.value for item in view.items]

    remember("Hoorn")
    followed.replica.catch_up()
    assert lives() == ["Hoorn"]
    with followed.replica.paused():
        remember("Edam")
        assert lives() == ["Edam"]
    followed.replica.catch_up()
    assert lives() == ["Edam"]


def test_what_is_forgotten_is_gone_at_once(followed: Followed, client: Client) -> None:
    said(client, "s2", "The boat lies in Edam.")
    followed.replica.catch_up()
    assert len(texts(client)) == 2
    with followed.replica.paused():
        client.forget(user_id="u", session_id="s2")
        assert texts(client) == {"The boat lies in Hoorn."}
        client.forget(user_id="u")
        assert texts(client) == set()


def test_a_key_that_has_ended_reads_nothing(followed: Followed, client: Client) -> None:
    made = client.keys.create(principal="agent", verbs=["read"], layers=["episodic"])
    with Client(followed.service.url, made.secret) as agent, followed.replica.paused():
        assert texts(agent)
        client.keys.revoke(key_id=made.key_id)
        with pytest.raises(Unauthenticated):
            texts(agent)


def test_a_replica_that_is_gone_is_done_without(followed: Followed, client: Client) -> None:
    failures = followed.counted("failures")
    followed.replica.stop()
    try:
        assert texts(client) == {"The boat lies in Hoorn."}
        assert texts(client) == {"The boat lies in Hoorn."}
        assert followed.counted("failures") > failures
    finally:
        followed.replica.start()
    until(lambda: read_there(followed, client))


async def test_a_server_that_follows_none_is_not_read(followed: Followed) -> None:
    replica = followed.replica
    async with await Connection.connect(replica.conninfo) as connection:
        await follows(connection)
    async with await Connection.connect(replica.primary.conninfo(APP)) as connection:
        with pytest.raises(psycopg.OperationalError, match="does not name a replica"):
            await follows(connection)
