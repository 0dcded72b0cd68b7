"""One request, however often and however badly it is sent: one effect.

| sent | effect |
|---|---|
| 100 times at once under one idempotency key | once; the others: the same answer, or 409 to ask again |
| half of the body, then gone | none; the retry does it |
| all of it, then gone | once, all of it; the retry answers what was answered, or does it |
| all of it, gone when the answer is there | once; the retry answers what was answered |

An effect is an audit entry, which commits with it, and what the operation leaves.
"""

import asyncio
import contextlib
import re
import select
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import psycopg
import pytest

from muniment.client import Client
from muniment.postgres.embedded import ADMIN, Layout
from muniment.records.credentials import read_token
from muniment.testing import Running
from tests.faults.input_fields import EVENT
from tests.faults.input_raw import abort, connect, request
from tests.support.waiting import until

pytestmark = pytest.mark.long

pytest_plugins = ["tests.faults.input_service"]
SESSION = "/v1/users/u/sessions/s"
# operation: method, path, body, what it leaves
WRITES: dict[str, tuple[str, str, Any, str]] = {
    "events.write": ("POST", f"{SESSION}/events", {"events": [EVENT, EVENT | {"turn": 1}]},
                     "SELECT count(*) FROM event"),
    "working.put": ("PUT", f"{SESSION}/working/k", {"value": [1, 2]},
                    "SELECT sum(version) FROM working_item"),
    "memories.remember": ("POST", "/v1/memories", {"kind": "fact", "text": "A fact.", "user_id": "u"},
                          "SELECT count(*) FROM memory_evidence"),
    "sessions.close": ("POST", f"{SESSION}/close", {"outcome": "success"},
                       "SELECT count(*) FROM session WHERE closed_at IS NOT NULL"),
    "forget": ("POST", "/v1/forget", {"user_id": "gone"},
               "SELECT count(*) FROM erasure_receipt"),
    "keys.create": ("POST", "/v1/keys", {"principal": "somebody"},
                    "SELECT count(*) FROM api_key WHERE principal = 'somebody'"),
}  # fmt: skip
LEFT = {"events.write": 2}
each_write = pytest.mark.parametrize("name", WRITES)


class Tenant:
    """Counts what an operation did to one tenant."""

    def __init__(self, admin: psycopg.Connection[Any], key: str) -> None:
        self._admin = admin
        self._tenant = read_token(key).tenant_id

    def one(self, select: str, *values: Any) -> int:
        """The number that a statement finds."""
        clause = "AND" if "WHERE" in select else "WHERE"
        row = self._admin.execute(
            f"{select} {clause} tenant_id = %s".encode(), [*values, self._tenant]
        ).fetchone()
        return int(row[0] or 0) if row else 0

    def effects(self, name: str, before: tuple[int, int] = (0, 0)) -> tuple[int, int]:
        """Audit entries of an operation, and how much of what it leaves is there, since before."""
        entries = self.one("SELECT count(*) FROM audit_entry WHERE operation = %s", name)
        return entries - before[0], self.one(WRITES[name][3]) - before[1]


@pytest.fixture
def tenant(unlimited: Running, key: str) -> Iterator[Tenant]:
    """Of the test's key."""
    conninfo = Layout.of(unlimited.data_dir).conninfo(ADMIN)
    with psycopg.connect(conninfo, autocommit=True) as admin:
        admin.execute("SET search_path = muniment")
        yield Tenant(admin, key)


def prepare(name: str, sdk: Client) -> None:
    """What must be there before."""
    if name == "sessions.close":
        sdk.working.put(user_id="u", session_id="s", key="before", value=1)
    elif name == "forget":
        sdk.working.put(user_id="gone", session_id="s", key="k", value=1)


def expected(name: str) -> tuple[int, int]:
    """The effects of one request."""
    return 1, LEFT.get(name, 1)


async def burst(service: Running, key: str, name: str, count: int) -> list[httpx.Response]:
    """The same request many times at once, on as many connections."""
    method, path, body, _ = WRITES[name]
    headers = {"authorization": f"Bearer {key}", "idempotency-key": f"once-{name}"}
    limits = httpx.Limits(max_connections=count)
    async with httpx.AsyncClient(
        base_url=service.url, headers=headers, limits=limits, timeout=120
    ) as client:
        return await asyncio.gather(
            *(client.request(method, path, json=body) for _ in range(count))
        )


@each_write
async def test_a_hundred_at_once(
    unlimited: Running, key: str, sdk: Client, tenant: Tenant, name: str
) -> None:
    prepare(name, sdk)
    before = tenant.effects(name)
    answers = await burst(unlimited, key, name, 100)
    codes = Counter(
        "done" if one.is_success and "idempotency-replayed" not in one.headers
        else "replayed" if one.is_success else one.json()["code"]
        for one in answers
    )  # fmt: skip
    assert codes["done"] == 1, codes
    assert set(codes) <= {"done", "replayed", "in_flight", "already_done"}, codes
    bodies = {one.text for one in answers if one.is_success}
    assert len(bodies) == 1
    for one in answers:
        if one.status_code == 409 and one.json()["code"] == "in_flight":
            assert one.headers["retry-after"] == "1"
    (again,) = await burst(unlimited, key, name, 1)
    if name == "keys.create":
        # A secret is shown once.
        assert again.json()["code"] == "already_done"
    else:
        assert (again.text, again.headers["idempotency-replayed"]) == (bodies.pop(), "true")
    assert tenant.effects(name, before) == expected(name)


def handled(service: Running, name: str) -> int:
    """How many requests of an operation were answered, whether or not anybody heard it."""
    text = httpx.get(f"{service.url}/metrics").text
    found = re.findall(rf'muniment_requests_total{{code="\w+",operation="{name}"}} (\S+)', text)
    return int(sum(float(one) for one in found))


Leave = Callable[[Any, bytes, bytes], None]


def half_way(connection: Any, head: bytes, body: bytes) -> None:
    """Gone in the middle of the body."""
    connection.sendall(head + body[: len(body) // 2])
    abort(connection)


def in_the_head(connection: Any, head: bytes, body: bytes) -> None:
    """Gone before the body."""
    connection.sendall(head)
    connection.close()


def at_once(connection: Any, head: bytes, body: bytes) -> None:
    """Gone as soon as everything was sent."""
    connection.sendall(head + body)
    abort(connection)


def politely(connection: Any, head: bytes, body: bytes) -> None:
    """The same, by an ordinary close."""
    connection.sendall(head + body)
    connection.close()


def unread(connection: Any, head: bytes, body: bytes) -> None:
    """Gone when the answer has come, without reading it."""
    connection.sendall(head + body)
    assert select.select([connection], [], [], 60)[0]
    abort(connection)


WAYS = (in_the_head, half_way, at_once, politely, unread)


@each_write
@pytest.mark.parametrize("leave", WAYS, ids=lambda way: way.__name__)
def test_a_client_that_leaves(
    unlimited: Running, key: str, sdk: Client, tenant: Tenant, name: str, leave: Leave
) -> None:
    prepare(name, sdk)
    before = tenant.effects(name)
    method, path, body, _ = WRITES[name]
    headers = {"idempotency-key": "once"}
    head, raw = request(method, path, key, body, headers)
    count = handled(unlimited, name)
    leave(connect(unlimited), head, raw)
    until(lambda: handled(unlimited, name) > count)
    entries, left = tenant.effects(name, before)
    assert (entries, left) in ((0, 0), expected(name)), "not all or nothing"
    if leave in (in_the_head, half_way):
        assert entries == 0
    if leave is unread:
        assert entries == 1
    headers["authorization"] = f"Bearer {key}"
    again = httpx.request(method, f"{unlimited.url}{path}", json=body, headers=headers)
    if name == "keys.create" and entries:
        assert again.json()["code"] == "already_done"
    else:
        assert again.is_success, again.text
        assert ("idempotency-replayed" in again.headers) is bool(entries)
    assert tenant.effects(name, before) == expected(name)


@each_write
def test_a_failure_is_not_kept(
    unlimited: Running, key: str, sdk: Client, tenant: Tenant, name: str
) -> None:
    """The key is free for the request that is right."""
    prepare(name, sdk)
    method, path, body, _ = WRITES[name]
    headers = {"idempotency-key": "once", "authorization": f"Bearer {key}"}
    with httpx.Client(base_url=unlimited.url, headers=headers) as client:
        assert client.request(method, path, json=body | {"x": 1}).status_code == 422
        assert client.request(method, path, content=b"{").status_code == 400
        done = client.request(method, path, json=body)
        assert done.is_success, done.text
        assert "idempotency-replayed" not in done.headers
        other = client.request(method, path, json=body | {"x": 1})
        assert other.status_code == 422
        with contextlib.suppress(KeyError):
            assert other.json()["errors"][0]["pointer"] == "/x"
