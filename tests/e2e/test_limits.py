"""Limits that operators set, on real processes.

| set | then |
|---|---|
| a rule of 20 a minute, 40 at once | 20 done, 20 refused |
| the same, two API processes | each counts for itself: docs/reference/limits.md says so |
| a rule of a second | after `Retry-After` it is done |
| a user's quota | 507 `quota_exceeded`, nothing of the call is stored, not even the session |
| the same, after a forget | there is room again |
| a tenant's quota | 507 for its users; other tenants write on |
"""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psycopg
import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import QuotaExceeded
from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running
from tests.support.processes import further_api
from tests.support.services import running_service
from tests.support.waiting import until
from tests.support.world import START

LIMITS = {
    "MUNIMENT_RATE_LIMIT_KEY": "20/minute",
    "MUNIMENT_RATE_LIMIT_TENANT": "",
    "MUNIMENT_QUOTA_USER_MIB": "1",
    "MUNIMENT_QUOTA_TENANT_MIB": "2",
}
TEXT = "the heron nests in the tall tree by the water; " * 1300


@pytest.fixture(scope="module")
def strict() -> Iterator[Running]:
    """A service with limits to run into."""
    with running_service(environment=LIMITS) as service:
        yield service


@pytest.fixture(scope="module")
def keys(strict: Running) -> list[str]:
    """Keys enough of one tenant, its admin's first, so that each test counts for itself."""
    made = post(strict, strict.key, "/v1/tenants", {"name": "limits"})["key"]["secret"]
    return [made] + [
        post(strict, made, "/v1/keys", {"principal": f"p{number}"})["secret"] for number in range(8)
    ]


def post(service: Running, key: str, path: str, body: Any) -> Any:
    """What a call answers that must be done."""
    headers = {"authorization": f"Bearer {key}"}
    answer = httpx.post(f"{service.url}{path}", json=body, headers=headers, timeout=60)
    assert answer.is_success, answer.text
    return answer.json()


def burst(url: str, key: str, count: int) -> Counter[int]:
    """Statuses of so many requests at once."""
    with (
        httpx.Client(
            base_url=url, headers={"authorization": f"Bearer {key}"}, timeout=60
        ) as client,
        ThreadPoolExecutor(16) as threads,
    ):
        ask = {"user_id": "u", "query": "Where?"}
        answers = threads.map(lambda _: client.post("/v1/recall", json=ask), range(count))
        return Counter(answer.status_code for answer in answers)


def test_each_process_counts_for_itself(strict: Running, keys: list[str]) -> None:
    assert burst(strict.url, keys[1], 40) == {200: 20, 429: 20}
    with further_api(strict, LIMITS) as url:
        assert burst(url, keys[1], 40) == {200: 20, 429: 20}
        # Nobody else has to wait.
        assert burst(url, keys[2], 5) == {200: 5}
    assert burst(strict.url, keys[2], 5) == {200: 5}


def test_after_retry_after_it_is_done(strict: Running, keys: list[str]) -> None:
    with further_api(strict, LIMITS | {"MUNIMENT_RATE_LIMIT_KEY": "2/second"}) as url:
        headers = {"authorization": f"Bearer {keys[1]}"}
        with httpx.Client(base_url=url, headers=headers, timeout=60) as client:

            def ask() -> httpx.Response:
                return client.post("/v1/recall", json={"user_id": "u", "query": "Where?"})

            answers = [ask() for _ in range(60)]
            refused = [one for one in answers if one.status_code == 429]
            assert refused
            told = time.monotonic()
            wait = int(ask().headers.get("retry-after", "0"))
            until(lambda: time.monotonic() - told >= wait)
            assert ask().status_code == 200


def write(client: Client, number: int, user: str = "u", events: int = 1) -> Any:
    """Turns of 61 kB each, in a session of their own."""
    return client.events.write(
        user_id=user,
        session_id=f"s{number}",
        events=[
            Event(turn=at, role="user", content=f"Fact {number}.{at}: {TEXT}", occurred_at=START)
            for at in range(events)
        ],
    )


def rows(service: Running, user: str) -> tuple[int, int, int]:
    """Sessions, events and index rows of a user."""
    with psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True) as admin:
        found = admin.execute(
            "SELECT (SELECT count(*) FROM muniment.session c WHERE c.scope_id = s.scope_id),"
            " (SELECT count(*) FROM muniment.event e WHERE e.scope_id = s.scope_id),"
            " (SELECT count(*) FROM muniment.memory_index i WHERE i.scope_id = s.scope_id)"
            " FROM muniment.scope s JOIN muniment.end_user u USING (tenant_id, user_pk)"
            " WHERE u.user_id = %s",
            [user],
        ).fetchone()
    return (0, 0, 0) if found is None else found


def test_a_users_quota(strict: Running, keys: list[str]) -> None:
    with Client(strict.url, keys[3]) as client:
        write(client, 0, "full", events=18)
        before = rows(strict, "full")
        with pytest.raises(QuotaExceeded) as refused:
            write(client, 1, "full", events=3)
        assert refused.value.code == "quota_exceeded"
        with pytest.raises(QuotaExceeded):
            client.memories.remember(kind="fact", user_id="full", text="A fact.")
        assert rows(strict, "full") == before
        answer = httpx.put(
            f"{strict.url}/v1/users/full/sessions/new/working/k",
            json={"value": 1},
            headers={"authorization": f"Bearer {keys[3]}"},
        )
        assert (answer.status_code, answer.json()["code"]) == (507, "quota_exceeded")
        assert rows(strict, "full") == before
        write(client, 0, "another")
    with Client(strict.url, keys[0]) as client:
        assert client.recall(user_id="full", query="Where does the heron nest?").items
        client.forget(user_id="full", session_id="s0")
        write(client, 2, "full")
        assert rows(strict, "full")[1] == 1


def test_a_tenants_quota(strict: Running, keys: list[str]) -> None:
    key = post(strict, strict.key, "/v1/tenants", {"name": "full"})["key"]["secret"]
    with Client(strict.url, key) as client:
        for number in range(2):
            write(client, number, f"large{number}", events=18)
    # What a tenant stores is looked up every ten seconds; a process that starts looks at once.
    with further_api(strict, LIMITS) as url:
        with Client(url, key) as client, pytest.raises(QuotaExceeded):
            write(client, 0, "large-more")
        # Not even the user is made.
        assert rows(strict, "large-more") == (0, 0, 0)
        with Client(url, keys[5]) as other:
            write(other, 0, "small")
