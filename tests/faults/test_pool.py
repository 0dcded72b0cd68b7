"""More requests than connections, while every connection is held.

| connections | request | answer |
|---|---|---|
| all in use, but moving | any | waits its turn, done |
| all stuck | one that got none | 503 `unavailable` with `Retry-After`, after the pool's ten seconds |
| all stuck | one that has one | goes on once it moves |
| all stuck | `healthz`, `metrics`, `readyz` | at once, as ever |
| moving again | any, at once | done, by itself |

No request hangs, and none is answered twice or by halves.
"""

import contextlib
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import httpx
import psycopg
import pytest

from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running
from tests.support.services import running_service
from tests.support.waiting import until

pytestmark = pytest.mark.long

CONNECTIONS, REQUESTS = 2, 16
MOST_SECONDS = 20.0
"""The pool's ten, and what a slow machine needs."""


@dataclass(frozen=True)
class Answer:
    """What came back, and how long it took."""

    status: int
    headers: httpx.Headers
    code: str | None
    seconds: float


@pytest.fixture(scope="module")
def narrow() -> Iterator[Running]:
    """A service with few connections."""
    with running_service(environment={"MUNIMENT_POOL_SIZE": str(CONNECTIONS)}) as service:
        yield service


@pytest.fixture
def http(narrow: Running) -> Iterator[httpx.Client]:
    headers = {"authorization": f"Bearer {narrow.key}"}
    limits = httpx.Limits(max_connections=REQUESTS + 8)
    with httpx.Client(base_url=narrow.url, headers=headers, limits=limits, timeout=120) as client:
        yield client


def backends(service: Running) -> list[int]:
    """The server's processes behind the API's connections."""
    conninfo = Layout.of(service.data_dir).conninfo(ADMIN)
    with psycopg.connect(conninfo, autocommit=True) as admin:
        rows = admin.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'muniment-app'"
        ).fetchall()
    return [pid for (pid,) in rows]


@contextlib.contextmanager
def stuck(service: Running) -> Iterator[None]:
    """Every connection of the API is in a statement that does not end."""
    until(lambda: len(backends(service)) == CONNECTIONS)
    held = backends(service)
    for pid in held:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in held:
            os.kill(pid, signal.SIGCONT)


def ask(client: httpx.Client, number: int) -> Answer:
    """A write or a read."""
    began = time.monotonic()
    if number % 2:
        path = f"/v1/users/u/sessions/s/working/k{number}"
        answer = client.put(path, json={"value": number})
    else:
        answer = client.post("/v1/recall", json={"user_id": "u", "query": "Where?"})
    code = None if answer.is_success else answer.json()["code"]
    return Answer(answer.status_code, answer.headers, code, time.monotonic() - began)


def done(futures: list[Future[Answer]]) -> list[Answer]:
    return [future.result() for future in futures if future.done()]


def test_many_at_once_wait_their_turn(http: httpx.Client) -> None:
    with ThreadPoolExecutor(REQUESTS) as threads:
        answers = list(threads.map(lambda number: ask(http, number), range(10 * REQUESTS)))
    assert Counter(answer.status for answer in answers) == {200: 10 * REQUESTS}


def test_stuck_connections(narrow: Running, http: httpx.Client) -> None:
    assert ask(http, 1).status == 200
    # A worker that has only just started has not yet said so.
    until(lambda: http.get("/readyz").status_code == 200)
    with ThreadPoolExecutor(REQUESTS) as threads:
        with stuck(narrow):
            futures = [threads.submit(ask, http, number) for number in range(REQUESTS)]
            for path in ("/healthz", "/readyz", "/metrics"):
                began = time.monotonic()
                assert http.get(path).status_code == 200, path
                assert time.monotonic() - began < 5
            until(lambda: len(done(futures)) >= REQUESTS - CONNECTIONS, within=MOST_SECONDS)
            refused = done(futures)
            assert {(answer.status, answer.code) for answer in refused} == {(503, "unavailable")}
            assert {answer.headers["retry-after"] for answer in refused} == {"1"}
            assert max(answer.seconds for answer in refused) < MOST_SECONDS
        rest = [future.result(timeout=MOST_SECONDS) for future in futures]
    assert len([answer for answer in rest if answer.status == 200]) <= CONNECTIONS
    assert {answer.status for answer in rest} <= {200, 503}
    # By itself, and at once.
    with ThreadPoolExecutor(REQUESTS) as threads:
        answers = list(threads.map(lambda number: ask(http, number), range(4 * REQUESTS)))
    assert Counter(answer.status for answer in answers) == {200: 4 * REQUESTS}


def test_what_was_refused_was_not_done(narrow: Running, http: httpx.Client) -> None:
    """A write that got no connection left nothing; sent again it is done."""
    path = "/v1/users/u/sessions/other/working/k"
    with ThreadPoolExecutor(REQUESTS) as threads:
        with stuck(narrow):
            # Those that take the connections first.
            first = [threads.submit(ask, http, 0) for _ in range(CONNECTIONS + 2)]
            until(lambda: len(done(first)) >= 2, within=MOST_SECONDS)
            refused = http.put(path, json={"value": 1}, headers={"idempotency-key": "once"})
            assert refused.status_code == 503
        for future in first:
            future.result(timeout=MOST_SECONDS)
    assert http.get(path).status_code == 404
    again = http.put(path, json={"value": 1}, headers={"idempotency-key": "once"})
    assert (again.status_code, again.json()["version"]) == (200, 1)
