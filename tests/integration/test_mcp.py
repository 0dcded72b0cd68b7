"""MCP on the HTTP surface: who may call, what is kept, and what an error looks like.

| who or what | then |
|---|---|
| no key, or one that is none | 401, whatever is asked |
| a key without the verb | the tool is not listed; calling it is `forbidden`, and noted |
| a key that may only propose | what it writes waits in review, and the answer says `proposed` |
| a key of one user, for another | `forbidden` |
| the address fixes a user | no tool asks for one; giving one all the same is refused there |
| the address fixes what cannot be fixed | 422 |
| the same idempotency key, in `_meta` or as header | done once, and said so |
| the same key with other arguments | `idempotency_key_reused` |
| no key | one is drawn, and told |
| a write | has an entry in the audit trail under the operation |
| an unknown tool | an error of MCP, -32602 |
| a resource that is not there | -32002, since 2026-07-28 -32602 |
| a page of another site, another host | 403 |
| GET, DELETE | 405: there are no sessions |
"""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from muniment.operations.operation import Effect
from muniment.surfaces.mcp.hosts import Hosts
from muniment.surfaces.mcp.tools import TOOLS
from tests.support.mcp_calls import LEGACY, MODERN, answer_of, headers, message, tool_call
from tests.support.surface import over_http
from tests.support.world import Local, Tenant

ERAS = pytest.mark.parametrize("era", [LEGACY, MODERN])
FACT = {"kind": "fact", "user_id": "u", "text": "Lives in Gouda."}


@pytest_asyncio.fixture
async def http(service: Local) -> AsyncIterator[httpx.AsyncClient]:
    async with over_http(service) as client:
        yield client


async def ask(
    http: httpx.AsyncClient,
    key: str,
    method: str,
    params: dict[str, Any] | None = None,
    *,
    era: str = LEGACY,
    path: str = "/mcp",
    **more: str,
) -> dict[str, Any]:
    """What a message is answered with."""
    sent = message(method, params, era=era)
    given = headers(sent, era) | {"authorization": f"Bearer {key}"} | more
    return answer_of(await http.post(path, json=sent, headers=given))


async def call(
    http: httpx.AsyncClient, key: str, tool: str, arguments: Any, **more: Any
) -> dict[str, Any]:
    """The result of a tool call."""
    meta = more.pop("meta", {})
    found = await ask(http, key, "tools/call", tool_call(tool, arguments, **meta), **more)
    return dict(found["result"])


@ERAS
@pytest.mark.parametrize("method", ["tools/list", "tools/call", "resources/list"])
async def test_without_a_key(
    http: httpx.AsyncClient, tenant: Tenant, era: str, method: str
) -> None:
    sent = message(method, tool_call("recall", {}) if method == "tools/call" else None, era=era)
    response = await http.post("/mcp", json=sent, headers=headers(sent, era))
    assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")
    assert response.headers["www-authenticate"] == "Bearer"


@ERAS
async def test_with_a_key_that_is_none(http: httpx.AsyncClient, tenant: Tenant, era: str) -> None:
    told = await ask(http, "mnm_none", "tools/list", era=era)
    assert told["code"] == "unauthenticated"
    told = await call(http, "mnm_none", "recall", {"user_id": "u", "query": "?"}, era=era)
    assert (told["isError"], told["structuredContent"]["code"]) == (True, "unauthenticated")


@ERAS
async def test_tools_by_verb(http: httpx.AsyncClient, tenant: Tenant, era: str) -> None:
    everything = await ask(http, tenant.key, "tools/list", era=era)
    assert [one["name"] for one in everything["result"]["tools"]] == list(TOOLS)
    key = await tenant.key_for(verbs=["read"])
    some = await ask(http, key, "tools/list", era=era)
    names = [one["name"] for one in some["result"]["tools"]]
    assert names == [n for n, one in TOOLS.items() if one.operation.effect is Effect.READ]
    told = await call(http, key, "remember", FACT, era=era)
    assert told["structuredContent"]["code"] == "forbidden"


@ERAS
async def test_a_key_that_may_only_propose(
    http: httpx.AsyncClient, tenant: Tenant, era: str
) -> None:
    key = await tenant.key_for(verbs=["read", "propose"])
    listed = await ask(http, key, "tools/list", era=era)
    names = {one["name"] for one in listed["result"]["tools"]}
    reading = {n for n, one in TOOLS.items() if one.operation.effect is Effect.READ}
    assert names == reading | {"remember", "correct", "write_events"}
    told = await call(http, key, "remember", FACT, era=era)
    assert told["structuredContent"]["rule"] == "proposed"
    assert (await tenant("memories.list", user_id="u")).items == ()


async def test_a_refusal_is_noted(http: httpx.AsyncClient, tenant: Tenant) -> None:
    key = await tenant.key_for(verbs=["read"])
    await call(http, key, "remember", FACT)
    entries = (await tenant("audit.list")).items
    assert [one.effect for one in entries if one.operation == "memories.remember"] == ["refused"]


async def test_a_key_of_one_user(http: httpx.AsyncClient, tenant: Tenant) -> None:
    key = await tenant.key_for(user_id="u")
    assert not (await call(http, key, "remember", FACT))["isError"]
    told = await call(http, key, "profile", {"user_id": "v"})
    assert told["structuredContent"]["code"] == "forbidden"
    listed = await ask(http, key, "resources/list")
    assert [one["uri"] for one in listed["result"]["resources"]] == ["muniment://users/u/profile"]


async def test_what_the_address_fixes(http: httpx.AsyncClient, tenant: Tenant) -> None:
    path = "/mcp?user_id=no%20ra&namespace=n"
    listed = await ask(http, tenant.key, "tools/list", path=path)
    for tool in listed["result"]["tools"]:
        assert not {"user_id", "namespace"} & set(tool["inputSchema"]["properties"])
    fact = {"kind": "fact", "text": "Lives in Gouda.", "slot": "city", "value": "Gouda"}
    await call(http, tenant.key, "remember", fact, path=path)
    held = await tenant("profile.get", user_id="no ra", namespace="n")
    assert [one.value for one in held.items] == ["Gouda"]
    told = await call(http, tenant.key, "remember", fact | {"user_id": "x"}, path=path)
    assert told["structuredContent"]["errors"][0]["pointer"] == "/user_id"
    uri = "muniment://users/other/profile"
    other = await ask(http, tenant.key, "resources/read", {"uri": uri}, path=path)
    assert other["error"]["data"]["code"] == "not_found"
    wrong = await ask(http, tenant.key, "tools/list", path="/mcp?query=x")
    assert (wrong["code"], wrong["errors"][0]["pointer"]) == ("invalid_input", "/query")


@ERAS
async def test_done_once(http: httpx.AsyncClient, tenant: Tenant, era: str) -> None:
    async def remember(text: str, **more: Any) -> dict[str, Any]:
        return await call(http, tenant.key, "remember", FACT | {"text": text}, era=era, **more)

    meta = {"meta": {"muniment/idempotency-key": "one"}}
    first, again = await remember("Likes tea.", **meta), await remember("Likes tea.", **meta)
    assert first["structuredContent"] == again["structuredContent"]
    assert again["_meta"]["muniment/idempotency-replayed"] is True
    assert again["_meta"]["muniment/idempotency-key"] == "one"
    told = await remember("Likes coffee.", **meta)
    assert told["structuredContent"]["code"] == "idempotency_key_reused"
    header = {"idempotency-key": "two"}
    drawn, other = await remember("Has a cat.", **header), await remember("Has a cat.", **header)
    assert "muniment/idempotency-replayed" in other["_meta"]
    assert drawn["_meta"]["muniment/idempotency-key"] == "two"
    assert (await remember("Has a dog."))["_meta"]["muniment/idempotency-key"]
    bad = await remember("Has a fish.", meta={"muniment/idempotency-key": "\n"})
    assert bad["structuredContent"]["code"] == "invalid_input"


async def test_a_write_is_audited_and_a_read_has_no_key(
    http: httpx.AsyncClient, tenant: Tenant
) -> None:
    await call(http, tenant.key, "remember", FACT)
    told = await call(http, tenant.key, "recall", {"user_id": "u", "query": "Gouda?"})
    assert "muniment/idempotency-key" not in told["_meta"]
    entries = (await tenant("audit.list")).items
    assert [one.operation for one in entries] == ["memories.remember"]


@ERAS
async def test_what_is_not_there(http: httpx.AsyncClient, tenant: Tenant, era: str) -> None:
    told = await ask(http, tenant.key, "tools/call", tool_call("nothing", {}), era=era)
    assert told["error"]["code"] == -32602
    for uri in ("muniment://users/u", "muniment://memories/x/history/y", "file:///etc/passwd"):
        gone = await ask(http, tenant.key, "resources/read", {"uri": uri}, era=era)
        assert gone["error"]["code"] == (-32602 if era == MODERN else -32002), uri
        assert gone["error"]["data"]["code"] == "not_found"
    wrong = {"uri": "muniment://memories/x/history"}
    told = await ask(http, tenant.key, "resources/read", wrong, era=era)
    assert (told["error"]["code"], told["error"]["data"]["code"]) == (-32602, "invalid_input")


@ERAS
async def test_resources(http: httpx.AsyncClient, tenant: Tenant, era: str) -> None:
    held = await tenant("memories.remember", **FACT, slot="city", value="Gouda")
    for uri, has in (
        ("muniment://users/u/profile", '"Gouda"'),
        (f"muniment://memories/{held.id}/history", str(held.id)),
    ):
        told = await ask(http, tenant.key, "resources/read", {"uri": uri}, era=era)
        (content,) = told["result"]["contents"]
        assert (content["uri"], has in content["text"]) == (uri, True)


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ({}, True),
        ({"host": "localhost:1"}, True),
        ({"host": "[::1]:7300"}, True),
        ({"host": "memory.example.org"}, True),
        ({"host": "evil.example"}, False),
        ({"host": "127.0.0.1.evil.example"}, False),
        ({"host": "memory.example.org@evil.example"}, False),
        ({"origin": "http://localhost:5173"}, True),
        ({"origin": "https://memory.example.org"}, True),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
    ],
)
async def test_hosts(given: dict[str, str], allowed: bool, service: Local, tenant: Tenant) -> None:
    hosts = Hosts.of("127.0.0.1", "memory.example.org, other.example.org")
    async with over_http(service, hosts) as http:
        sent = message("tools/list")
        by = headers(sent) | {"authorization": f"Bearer {tenant.key}", "host": "127.0.0.1:7300"}
        response = await http.post("/mcp", json=sent, headers=by | given)
    assert response.status_code == (200 if allowed else 403)


async def test_on_an_address_of_the_network_any_host_is_right(
    service: Local, tenant: Tenant
) -> None:
    async with over_http(service, Hosts.of("192.0.2.7", None)) as http:
        told = await ask(http, tenant.key, "tools/list", host="api:7300")
        assert "result" in told
        told = await ask(http, tenant.key, "tools/list", origin="http://api:7300")
        assert told["code"] == "forbidden"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_no_sessions(http: httpx.AsyncClient, method: str) -> None:
    response = await http.request(method, "/mcp")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


async def test_annotations_follow_from_the_effect() -> None:
    for tool in TOOLS.values():
        effect, told = tool.operation.effect, tool.annotations
        assert told["readOnlyHint"] is (effect is Effect.READ)
        assert told["destructiveHint"] is (effect is Effect.DESTRUCTIVE)
        assert told["openWorldHint"] is False
        assert set(tool.leaves_out) <= set(tool.operation.field_names)


@ERAS
async def test_notifications_and_the_handshake(
    http: httpx.AsyncClient, tenant: Tenant, era: str
) -> None:
    by = headers(message("ping"), era) | {"authorization": f"Bearer {tenant.key}"}
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert (await http.post("/mcp", json=note, headers=by)).status_code == 202
    if era == MODERN:
        told = await ask(http, tenant.key, "server/discover", era=era)
        assert MODERN in told["result"]["supportedVersions"]
    else:
        me = {"name": "test", "version": "1"}
        params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": me}
        told = await ask(http, tenant.key, "initialize", params)
        assert told["result"]["serverInfo"]["name"] == "muniment"
        assert "recall" in told["result"]["instructions"]
