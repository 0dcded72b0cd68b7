"""What a forget over MCP takes: no more than the address is for, and a whole user only when asked.

| the address fixes | asked | then |
|---|---|---|
| a namespace or an agent, with a user or without | a whole user: nothing named, nulls, tried, confirmed, by name | `invalid_input`, says what to name; all stays, writes go on |
| a namespace | a source without a user | `invalid_input` at `/user_id` |
| a user and a namespace | a filter, ids, a session, a source | goes there, and nowhere else |
| a user | a whole user: nothing named, or nulls | `invalid_input` at `/confirm` |
| a user | the same, with what a dry run answered | goes |
| nothing | a whole user by name | goes |
| anything | by a key without the verb | `forbidden`, before the rest is looked at |
"""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.integration.test_mcp import ask, call
from tests.support.surface import over_http
from tests.support.world import Local, Tenant

NOTHING: dict[str, Any] = {}
NULLS = {"session_id": None, "data_source": None, "ids": None, "filter": None, "confirm": None}
TRIED = {"dry_run": True}
CONFIRMED = {"confirm": "0" * 64}
EMPTY = [NOTHING, NULLS, TRIED, CONFIRMED, TRIED | {"filter": None}]
PARTS = [{"filter": {"kind": "fact"}}, {"data_source": "sales"}]


@pytest_asyncio.fixture
async def http(service: Local) -> AsyncIterator[httpx.AsyncClient]:
    async with over_http(service) as client:
        yield client


@pytest_asyncio.fixture
async def held(tenant: Tenant) -> Tenant:
    """What is held of Bob in two namespaces."""
    for namespace in ("work", "home"):
        await tenant(
            "memories.remember",
            kind="fact",
            user_id="bob",
            namespace=namespace,
            text="Bob has a cat.",
            data_source="sales",
        )
    return tenant


async def left(tenant: Tenant) -> dict[str, int]:
    return {
        namespace: len((await tenant("memories.list", user_id="bob", namespace=namespace)).items)
        for namespace in ("work", "home")
    }


async def forget(http: httpx.AsyncClient, key: str, fixed: str, given: Any) -> dict[str, Any]:
    told = await call(http, key, "forget", given, path=f"/mcp?{fixed}")
    found: dict[str, Any] = told["structuredContent"]
    return found


@pytest.mark.parametrize("given", EMPTY)
@pytest.mark.parametrize(
    "fixed",
    ["user_id=bob&namespace=work", "namespace=work", "user_id=bob&agent_id=a", "agent_id=a"],
)
async def test_a_whole_user_where_the_address_is_for_less(
    fixed: str, given: dict[str, Any], http: httpx.AsyncClient, held: Tenant
) -> None:
    whose = {} if "user_id" in fixed else {"user_id": "bob"}
    told = await forget(http, held.key, fixed, given | whose)
    assert told["code"] == "invalid_input"
    (fault,) = told["errors"]
    assert fault["pointer"] == "/filter"
    for name in ("session_id", "data_source", "ids", "filter"):
        assert name in fault["detail"]
    assert await left(held) == {"work": 1, "home": 1}
    await held("memories.remember", kind="fact", user_id="bob", text="Bob has a dog.")


async def test_a_source_of_every_namespace(http: httpx.AsyncClient, held: Tenant) -> None:
    source = {"data_source": "sales"}
    for given in (source, source | TRIED):
        told = await forget(http, held.key, "namespace=work", given)
        assert (told["code"], told["errors"][0]["pointer"]) == ("invalid_input", "/user_id")
    assert await left(held) == {"work": 1, "home": 1}
    told = await forget(http, held.key, "namespace=work", source | {"user_id": "bob"})
    assert told["target"] == "source"
    assert await left(held) == {"work": 0, "home": 1}


@pytest.mark.parametrize("given", PARTS)
async def test_a_part(given: dict[str, Any], http: httpx.AsyncClient, held: Tenant) -> None:
    fixed = "user_id=bob&namespace=work"
    tried = await forget(http, held.key, fixed, given | TRIED)
    assert tried["counts"]["memory"] == 1
    told = await forget(http, held.key, fixed, given | {"confirm": tried["confirm"]})
    assert told["receipt_id"]
    assert await left(held) == {"work": 0, "home": 1}


async def test_memories_of_another_namespace(http: httpx.AsyncClient, held: Tenant) -> None:
    (home,) = (await held("memories.list", user_id="bob", namespace="home")).items
    given = {"ids": [str(home.id)]}
    told = await forget(http, held.key, "user_id=bob&namespace=work", given)
    assert "memory" not in {name for name, count in told["counts"].items() if count}
    assert await left(held) == {"work": 1, "home": 1}


@pytest.mark.parametrize("given", [NOTHING, NULLS])
async def test_a_whole_user_that_the_address_names(
    given: dict[str, Any], http: httpx.AsyncClient, held: Tenant
) -> None:
    told = await forget(http, held.key, "user_id=bob", given)
    assert (told["code"], told["errors"][0]["pointer"]) == ("invalid_input", "/confirm")
    assert await left(held) == {"work": 1, "home": 1}
    tried = await forget(http, held.key, "user_id=bob", TRIED)
    told = await forget(http, held.key, "user_id=bob", given | {"confirm": tried["confirm"]})
    assert (told["target"], told["dry_run"]) == ("user", False)
    assert await left(held) == {"work": 0, "home": 0}


async def test_a_whole_user_by_name(http: httpx.AsyncClient, held: Tenant) -> None:
    told = await call(http, held.key, "forget", {"user_id": "bob"})
    assert told["structuredContent"]["target"] == "user"
    assert await left(held) == {"work": 0, "home": 0}


async def test_the_key_comes_first(http: httpx.AsyncClient, held: Tenant) -> None:
    key = await held.key_for(verbs=["read", "write"])
    for fixed in ("user_id=bob", "user_id=bob&namespace=work"):
        assert (await forget(http, key, fixed, NOTHING))["code"] == "forbidden"
    refused = [one for one in (await held("audit.list")).items if one.effect == "refused"]
    assert [one.operation for one in refused] == ["forget", "forget"]


async def test_the_tool_says_so(http: httpx.AsyncClient, held: Tenant) -> None:
    listed = await ask(http, held.key, "tools/list", path="/mcp?user_id=bob")
    (told,) = [one for one in listed["result"]["tools"] if one["name"] == "forget"]
    assert "'confirm' of a dry run" in told["description"].replace('" "', "")
