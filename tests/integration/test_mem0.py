"""/compat/mem0: who may call, what is done once, and the same errors as over HTTP.

| who or what | then |
|---|---|
| no key, one that is none, whatever else is wrong | 401, as JSON |
| `Token` or `Bearer` | taken |
| a key of one user, for another | `forbidden` or `not_found`, as over HTTP |
| a key without the verb | `forbidden` |
| the same request under an idempotency key | done once, and said so |
| the same key with other messages | `idempotency_key_reused` |
| an update by a key that may not speak as an operator, of what a user said | `conflict`, and it stays |
| what mem0 has and Muniment has not | `invalid_input` at its place |
| hostile names, over-long, NUL, surrogates | the codes of HTTP |
| many of the organisation's memories beside one of the user's | a search finds the user's |
| another user's memory under the same run | not found by it, and not erased with it |
"""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.support.surface import over_http
from tests.support.world import START, Local, Tenant

pytestmark = pytest.mark.long

TEXT = {"messages": [{"role": "user", "content": "Nora drinks oat milk."}], "infer": False}
NORA = {"user_id": "nora"}


class Mem0:
    """Calls as its client makes them."""

    def __init__(self, http: httpx.AsyncClient, key: str) -> None:
        self.http, self.key = http, key

    async def __call__(
        self, method: str, path: str, body: Any = None, *, key: str | None = None, **headers: str
    ) -> httpx.Response:
        by = {"authorization": f"Token {key or self.key}"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        if body is not None:
            by["content-type"] = "application/json"
        sent = None if body is None else json.dumps(body)
        return await self.http.request(method, f"/compat/mem0{path}", content=sent, headers=by)

    async def add(self, **given: Any) -> str:
        found = await self("POST", "/v3/memories/add/", TEXT | NORA | given)
        return str(found.json()["results"][0]["id"])

    async def texts(self, **filters: Any) -> list[str]:
        found = await self("POST", "/v3/memories/", {"filters": NORA | filters})
        return [one["memory"] for one in found.json()["results"]]


@pytest_asyncio.fixture
async def http(service: Local) -> AsyncIterator[httpx.AsyncClient]:
    async with over_http(service) as client:
        yield client


@pytest.fixture
def mem0(http: httpx.AsyncClient, tenant: Tenant) -> Mem0:
    return Mem0(http, tenant.key)


@pytest.mark.parametrize("given", ["", "Token", "Token x", "Basic eDp5", "Token "])
async def test_no_key(http: httpx.AsyncClient, given: str) -> None:
    for method, path in (
        ("GET", "/v1/ping/"),
        ("POST", "/v3/memories/"),
        ("PUT", "/v1/memories/x/"),
    ):
        found = await http.request(
            method, f"/compat/mem0{path}", headers={"authorization": given}, content=b"{}"
        )
        assert (found.status_code, found.json()["code"]) == (401, "unauthenticated")
        assert found.headers["content-type"] == "application/json"


async def test_either_scheme(http: httpx.AsyncClient, tenant: Tenant) -> None:
    for scheme in ("Token", "token", "Bearer"):
        by = {"authorization": f"{scheme} {tenant.key}"}
        found = await http.get("/compat/mem0/v1/ping/", headers=by)
        assert found.json()["org_id"] == str(tenant.tenant_id)


async def test_a_key_of_one_user(mem0: Mem0, tenant: Tenant) -> None:
    memory = await mem0.add()
    key = await tenant.key_for(user_id="tomas", verbs=["read", "write", "forget"])
    asked: list[tuple[str, str, Any, str]] = [
        ("POST", "/v3/memories/add/", TEXT | NORA, "forbidden"),
        ("POST", "/v3/memories/", {"filters": NORA}, "forbidden"),
        ("POST", "/v3/memories/search/", {"query": "x", "filters": NORA}, "forbidden"),
        ("DELETE", "/v1/memories/?user_id=nora", None, "forbidden"),
        ("GET", f"/v1/memories/{memory}/", None, "not_found"),
        ("GET", f"/v1/memories/{memory}/history/", None, "not_found"),
        ("PUT", f"/v1/memories/{memory}/", {"text": "x"}, "not_found"),
        ("DELETE", f"/v1/memories/{memory}/", None, "not_found"),
        ("DELETE", "/v2/entities/user/nora/", None, "forbidden"),
        ("GET", "/v1/entities/", None, "forbidden"),
    ]
    for method, path, body, code in asked:
        found = await mem0(method, path, body, key=key)
        assert found.json()["code"] == code, path
    assert await mem0.texts() == ["Nora drinks oat milk."]


async def test_a_key_that_only_reads(mem0: Mem0, tenant: Tenant) -> None:
    memory = await mem0.add()
    key = await tenant.key_for(verbs=["read"])
    for method, path, body in (
        ("POST", "/v3/memories/add/", TEXT | NORA),
        ("PUT", f"/v1/memories/{memory}/", {"text": "x"}),
        ("DELETE", f"/v1/memories/{memory}/", None),
        ("DELETE", "/v1/memories/?user_id=nora", None),
    ):
        found = await mem0(method, path, body, key=key)
        assert (found.status_code, found.json()["code"]) == (403, "forbidden")


async def test_done_once(mem0: Mem0) -> None:
    for body in (TEXT | NORA, TEXT | NORA | {"infer": True}):
        key = f"key {body['infer']}"
        first, again = [
            await mem0("POST", "/v3/memories/add/", body, idempotency_key=key) for _ in range(2)
        ]
        assert first.json() == again.json()
        assert again.headers["idempotency-replayed"] == "true"
        other = body | {"messages": [{"role": "user", "content": "Something else."}]}
        found = await mem0("POST", "/v3/memories/add/", other, idempotency_key=key)
        assert found.json()["code"] == "idempotency_key_reused"


async def test_what_a_user_said_weighs_more(mem0: Mem0, tenant: Tenant) -> None:
    turn = {"turn": 1, "role": "user", "content": "I love oat milk.", "occurred_at": START}
    await tenant("events.write", user_id="nora", session_id="s", events=[turn])
    said = await tenant(
        "memories.remember", user_id="nora", kind="user_preference", text="I love oat milk.",
        evidence=[{"session_id": "s", "turn": 1}],
    )  # fmt: skip
    assert said.trust == "user_stated"
    agent = await tenant.key_for(roles=["user", "assistant"])
    path = f"/v1/memories/{said.id}/"
    refused = await mem0("PUT", path, {"text": "Hates oat milk."}, key=agent)
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert await mem0.texts() == ["I love oat milk."]


async def test_metadata_alone_is_not_changed(mem0: Mem0) -> None:
    path = f"/v1/memories/{await mem0.add(metadata={'a': 1})}/"
    found = await mem0("PUT", path, {"metadata": {"a": 2}})
    assert found.json()["errors"][0]["pointer"] == "/metadata"
    found = await mem0("PUT", path, {"metadata": {"a": 2}, "text": "Nora drinks rye milk."})
    assert found.json()["metadata"] == {"a": 2}


@pytest.mark.parametrize(
    ("method", "path", "body", "at"),
    [
        ("POST", "/v3/memories/add/", TEXT, "/user_id"),
        ("POST", "/v3/memories/add/", TEXT | {"filters": {"team": "x"}}, "/filters/team"),
        ("POST", "/v3/memories/add/", TEXT | NORA | {"filters": {"user_id": "x"}}, "/filters/user_id"),
        ("POST", "/v3/memories/add/", TEXT | NORA | {"custom_categories": []}, "/custom_categories"),
        ("POST", "/v3/memories/add/", NORA | {"messages": []}, "/messages"),
        ("POST", "/v3/memories/search/", {"query": "x", "filters": NORA, "show_expired": True}, "/show_expired"),
        ("POST", "/v3/memories/search/", {"query": "x", "filters": NORA, "reference_date": "x"}, "/reference_date"),
        ("POST", "/v3/memories/search/", {"query": "x", "filters": NORA | {"metadata": {"a": [1]}}}, "/filters/metadata/a"),
        ("POST", "/v3/memories/?page=x", {"filters": NORA}, "/page"),
        ("POST", "/v3/memories/?filters=x", {"filters": NORA}, "/filters"),
        ("DELETE", "/v1/memories/?user_id=nora&team=x", None, "/team"),
        ("DELETE", "/v2/entities/agent/a/", None, "/type"),
        ("GET", "/v1/memories/x/", None, "/memory_id"),
    ],
)  # fmt: skip
async def test_where_it_is_wrong(mem0: Mem0, method: str, path: str, body: Any, at: str) -> None:
    found = await mem0(method, path, body)
    assert (found.status_code, found.json()["code"]) == (422, "invalid_input")
    assert found.json()["errors"][0]["pointer"] == at
    assert at in found.json()["detail"]


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * 257, "a\x00b", "\ud800", "\u202e", "\x1f", "..", "%2e", "a/b", "é" * 129, "%"],
)
async def test_hostile_names(mem0: Mem0, name: str) -> None:
    plain = await mem0.http.post(
        "/v1/recall", content=json.dumps({"user_id": name, "query": "x"}),
        headers={"authorization": f"Bearer {mem0.key}", "content-type": "application/json"},
    )  # fmt: skip
    wanted = (plain.status_code, plain.json().get("code"))
    body = {"filters": {"user_id": name}}
    for path, sent in (
        ("/v3/memories/add/", TEXT | {"user_id": name}),
        ("/v3/memories/", body),
        ("/v3/memories/search/", body | {"query": "x"}),
    ):
        found = await mem0("POST", path, sent)
        assert (found.status_code, found.json().get("code")) == wanted, path


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"{", "malformed_body"),
        (b'{"filters": {"user_id": "u"}, "filters": {}}', "malformed_body"),
        (b'{"filters": {"user_id": "u", "run_id": NaN}}', "malformed_body"),
        (b"[]", "invalid_input"),
        (b"[" * 65 + b"]" * 65, "malformed_body"),
    ],
)
async def test_bodies(mem0: Mem0, raw: bytes, code: str) -> None:
    by = {"authorization": f"Token {mem0.key}", "content-type": "application/json"}
    found = await mem0.http.post("/compat/mem0/v3/memories/", content=raw, headers=by)
    assert found.json()["code"] == code


async def test_a_search_is_of_the_user_alone(mem0: Mem0, tenant: Tenant) -> None:
    for number in range(12):
        text = f"Oat milk is bought by team {number}."
        await tenant("memories.remember", kind="procedure", text=text, speaker="operator")
    await mem0.add()
    asked = {"query": "oat milk bought", "filters": NORA, "top_k": 1}
    found = await mem0("POST", "/v3/memories/search/", asked)
    assert [one["memory"] for one in found.json()["results"]] == ["Nora drinks oat milk."]


async def test_a_run_of_two_users(mem0: Mem0) -> None:
    await mem0.add(run_id="r")
    await mem0.add(run_id="r", user_id="tomas")
    await mem0("DELETE", "/v1/memories/?user_id=tomas&run_id=r")
    assert await mem0.texts(run_id="r") == ["Nora drinks oat milk."]
    assert await mem0.texts(user_id="tomas") == []
