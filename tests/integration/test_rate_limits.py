"""Rate limits over HTTP, on a clock that the test holds.

| request | counted | answer |
|---|---|---|
| as many at once as the rule says | each, reads and writes alike | done |
| one more, of this key | no | 429, `Retry-After`, the rule that it broke |
| one more, of another key of the tenant | against the tenant's rule | done, until that is used up |
| one more, of another tenant | against its own rules | done |
| the same, `Retry-After` seconds later | yes | done |
| refused for its input | yes | its error |
| without a valid key | no | 401 |
| under an idempotency key, refused with 429, later sent again | once | done, once |
| any, where there are no rules | no | no fields about limits |

`RateLimit-Policy` and `RateLimit` are structured fields (RFC 9651) with the parameters of
draft-ietf-httpapi-ratelimit-headers-10.
"""

import threading
import types
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any
from uuid import uuid4

import http_sf
import httpx
import pytest

from muniment.providers.rate_limits import RateLimits
from tests.support.surface import over_http
from tests.support.world import HeldClock, Local, Tenant

Limited = Callable[[str, str], AbstractAsyncContextManager[httpx.AsyncClient]]
EVENT = {"role": "user", "content": "I live in Gouda.", "occurred_at": "2026-06-01T09:00:00Z"}


@pytest.fixture
def limited(service: Local, tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> Limited:
    """The service with rules of its own, as its tenant's admin."""
    held = types.SimpleNamespace(time=lambda: service.clock.now().timestamp())
    for module in ("limits.storage.memory", "limits.strategies"):
        monkeypatch.setattr(f"{module}.time", held)

    @asynccontextmanager
    async def opened(key_rule: str, tenant_rule: str) -> AsyncIterator[httpx.AsyncClient]:
        limiter = RateLimits(key_rule, tenant_rule, service.clock)
        monkeypatch.setitem(service.world.__dict__, "limiter", limiter)
        async with over_http(service) as client:
            client.headers["authorization"] = f"Bearer {tenant.key}"
            yield client

    return opened


async def read(client: httpx.AsyncClient, key: str | None = None) -> httpx.Response:
    headers = {} if key is None else {"authorization": f"Bearer {key}"}
    return await client.post(
        "/v1/recall", json={"user_id": "u", "query": "Where?"}, headers=headers
    )


async def write(client: httpx.AsyncClient, turn: int) -> httpx.Response:
    return await client.post(
        "/v1/users/u/sessions/s/events", json={"events": [EVENT | {"turn": turn}]}
    )


def fields(answer: httpx.Response) -> tuple[str, dict[str, int], dict[str, int]]:
    """The rule's name, its parameters, and what is left of it."""
    parsed: list[Any] = [
        http_sf.parse(answer.headers[name].encode(), tltype="list")
        for name in ("ratelimit-policy", "ratelimit")
    ]
    ((name, policy),), ((same, left),) = parsed
    assert name == same
    assert set(policy) == {"q", "w"}
    assert set(left) == {"r", "t"}
    assert all(type(value) is int and value >= 0 for value in (policy | left).values())
    return name, policy, left


async def test_a_burst_of_one_key(limited: Limited) -> None:
    async with limited("5/minute", "100/minute") as client:
        for number in range(5):
            answer = await (read(client) if number % 2 else write(client, number))
            assert answer.status_code == 200
            name, policy, left = fields(answer)
            assert (name, policy, left["r"]) == ("key", {"q": 5, "w": 60}, 4 - number)
        for answer in (await read(client), await write(client, 9)):
            assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
            name, policy, left = fields(answer)
            assert (name, policy, left["r"]) == ("key", {"q": 5, "w": 60}, 0)
            assert 1 <= int(answer.headers["retry-after"]) <= 61
            assert left["t"] <= int(answer.headers["retry-after"])


@pytest.mark.parametrize("rule", ["1/second", "3/minute", "7/10 seconds", "20/hour", "15/day"])
@pytest.mark.parametrize("began", [0.001, 0.4, 17.9, 59.999])
async def test_after_retry_after_it_is_done(
    service: Local, limited: Limited, rule: str, began: float
) -> None:
    """However full the window is, and at whatever moment: asked to wait, it waits once."""
    service.clock.advance(seconds=began)
    async with limited(rule, "") as client:
        amount = int(rule.partition("/")[0])
        done = 0
        for _ in range(2 * amount + 4):
            answer = await read(client)
            if answer.status_code == 200:
                done += 1
                continue
            service.clock.advance(seconds=int(answer.headers["retry-after"]))
            assert (await read(client)).status_code == 200
            done += 1
        assert done == 2 * amount + 4


async def test_no_more_than_the_rule_in_any_window(service: Local, limited: Limited) -> None:
    """A second's worth of asking every second: never more than about the rule in a minute."""
    moments: list[float] = []
    async with limited("10/minute", "") as client:
        for second in range(180):
            answers = [await read(client) for _ in range(2)]
            moments += [second for answer in answers if answer.status_code == 200]
            service.clock.advance(seconds=1)
    assert 25 <= len(moments) <= 31
    most = max(sum(at <= other < at + 60 for other in moments) for at in moments)
    # The window slides by weighing the one before, which is right within one request or two.
    assert most <= 12


async def test_keys_of_a_tenant_share_its_rule(
    service: Local, tenant: Tenant, limited: Limited
) -> None:
    other = await tenant.key_for(principal="other")
    async with limited("4/minute", "6/minute") as client:
        assert [(await read(client)).status_code for _ in range(5)] == [200] * 4 + [429]
        assert [(await read(client, other)).status_code for _ in range(3)] == [200, 200, 429]
        answer = await read(client, other)
        assert fields(answer)[:2] == ("tenant", {"q": 6, "w": 60})
        assert "tenant" in answer.json()["detail"]


async def test_another_tenant_does_not_starve(service: Local, limited: Limited) -> None:
    other = await service.tenant("other")
    async with limited("3/minute", "3/minute") as client:
        for _ in range(20):
            await read(client)
        assert (await read(client)).status_code == 429
        assert [(await read(client, other.key)).status_code for _ in range(4)] == [200] * 3 + [429]


async def test_what_counts(limited: Limited) -> None:
    async with limited("3/minute", "") as client:
        for _ in range(9):
            assert (await read(client, "mnm_nonsense")).status_code == 401
        assert (await client.post("/v1/recall", json={"x": 1})).status_code == 422
        assert (await client.get("/v1/users/u/sessions/s/working/k")).status_code == 404
        assert (await read(client)).status_code == 200
        assert (await read(client)).status_code == 429
        for path in ("/healthz", "/readyz", "/metrics", "/openapi.json"):
            answer = await client.get(path)
            assert answer.status_code == 200
            assert "ratelimit" not in answer.headers


async def test_what_was_refused_does_not_count(service: Local, limited: Limited) -> None:
    async with limited("2/minute", "4/minute") as client:
        assert [(await read(client)).status_code for _ in range(30)] == [200] * 2 + [429] * 28
        # Of the tenant's four, two are left.
        service.clock.advance(seconds=120)
        assert fields(await read(client))[2]["r"] == 1


async def test_an_idempotency_key_survives_the_refusal(
    service: Local, tenant: Tenant, limited: Limited
) -> None:
    service.clock.advance(seconds=1)
    async with limited("1/minute", "") as client:
        await read(client)
        body = {"value": 1}
        headers = {"idempotency-key": "once"}
        path = "/v1/users/u/sessions/s/working/k"
        refused = await client.put(path, json=body, headers=headers)
        assert refused.status_code == 429
        service.clock.advance(seconds=int(refused.headers["retry-after"]))
        done = await client.put(path, json=body, headers=headers)
        assert done.json()["version"] == 1
        assert "idempotency-replayed" not in done.headers


async def test_nothing_is_said_without_rules(limited: Limited) -> None:
    async with limited("", "") as client:
        answer = await read(client)
        assert answer.status_code == 200
        assert not [name for name in answer.headers if name.startswith("ratelimit")]


def test_a_rule_that_is_none() -> None:
    for rule in ("many", "5", "5/fortnight", "-1/minute", "x/minute"):
        with pytest.raises(ValueError, match=r"parse|granularity"):
            RateLimits(rule, "", HeldClock())


def test_a_rule_may_be_empty() -> None:
    limiter: Any = RateLimits("", "5/minute", HeldClock())
    assert [name for name, _ in limiter._rules] == ["tenant"]


def test_counts_that_ran_out_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = HeldClock()
    held = types.SimpleNamespace(time=lambda: clock.now().timestamp())
    for module in ("limits.storage.memory", "limits.strategies"):
        monkeypatch.setattr(f"{module}.time", held)
    limiter = RateLimits("5/minute", "", clock)
    threads = threading.active_count()
    for _ in range(20):
        for _ in range(500):
            limiter.take(uuid4(), uuid4())
        clock.advance(minutes=5)
    assert len(limiter) < 3_000
    assert threading.active_count() <= threads
