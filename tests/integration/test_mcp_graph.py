"""The tools of a knowledge graph, on a user's memories.

| asked | then |
|---|---|
| an entity that is there | stays as it is, and is not told as created |
| a relation to an entity that is not there | `not_found`, and none of the call is made |
| the same observation or relation again | nothing new |
| an observation, a relation, an entity is deleted | it is erased; whoever asks again learns so |
| an entity is deleted | what was observed of it goes too, and relations from and to it |
| a node is opened | with every relation that begins or ends there |
| something is remembered of an entity otherwise | it shows as an observation |
| no user in the address | `invalid_input` at `/user_id` |
| a key without `forget` | `delete_*` are not listed, and forbidden |
| another user | sees nothing of it |
"""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest_asyncio

from tests.integration.test_mcp import ask, call
from tests.support.surface import over_http
from tests.support.world import Local, Tenant

ALICE = {
    "name": "Alice",
    "entityType": "person",
    "observations": ["Alice likes tea.", "Alice speaks French."],
}
ACME = {"name": "Acme", "entityType": "company", "observations": []}
WORKS = {"from": "Alice", "to": "Acme", "relationType": "works_at"}
EMPLOYS = {"from": "Acme", "to": "Alice", "relationType": "employs"}


class Graph:
    """The graph of one user, as a client sees it."""

    def __init__(self, http: httpx.AsyncClient, key: str, user: str = "nora") -> None:
        self._http = http
        self._key = key
        self._path = f"/mcp/graph?user_id={user}"

    async def __call__(self, tool: str, **arguments: Any) -> Any:
        found = await call(self._http, self._key, tool, arguments, path=self._path)
        return found["structuredContent"]


@pytest_asyncio.fixture
async def http(service: Local) -> AsyncIterator[httpx.AsyncClient]:
    async with over_http(service) as client:
        yield client


@pytest_asyncio.fixture
async def graph(http: httpx.AsyncClient, tenant: Tenant) -> Graph:
    made = Graph(http, tenant.key)
    assert await made("create_entities", entities=[ALICE, ACME]) == {"entities": [ALICE, ACME]}
    assert await made("create_relations", relations=[WORKS]) == {"relations": [WORKS]}
    return made


async def test_the_whole_graph(graph: Graph) -> None:
    seen = await graph("read_graph")
    assert seen == {"entities": [ACME, ALICE], "relations": [WORKS]}


async def test_again(graph: Graph) -> None:
    more = ALICE | {"observations": ["Something else of her."]}
    assert await graph("create_entities", entities=[more, more]) == {"entities": []}
    both = [WORKS, EMPLOYS, EMPLOYS]
    assert await graph("create_relations", relations=both) == {"relations": [EMPLOYS]}
    observed = [{"entityName": "Alice", "contents": ["Alice likes tea.", "Alice plays chess."]}]
    added = [{"entityName": "Alice", "addedObservations": ["Alice plays chess."]}]
    assert await graph("add_observations", observations=observed) == {"results": added}
    assert len((await graph("read_graph"))["relations"]) == 2


async def test_what_is_not_there(graph: Graph) -> None:
    nobody = [EMPLOYS, WORKS | {"to": "Nobody"}]
    assert (await graph("create_relations", relations=nobody))["code"] == "not_found"
    observed = [{"entityName": "Nobody", "contents": ["Is there."]}]
    assert (await graph("add_observations", observations=observed))["code"] == "not_found"
    assert (await graph("read_graph"))["relations"] == [WORKS]
    assert await graph("open_nodes", names=["Nobody"]) == {"entities": [], "relations": []}


async def test_search_and_open(graph: Graph) -> None:
    seen = await graph("search_nodes", query="FRENCH")
    assert seen == {"entities": [ALICE], "relations": [WORKS]}
    assert (await graph("search_nodes", query="company"))["entities"] == [ACME]
    assert await graph("open_nodes", names=["Acme"]) == {"entities": [ACME], "relations": [WORKS]}
    assert (await graph("search_nodes", query="zeppelin"))["entities"] == []


async def test_deleting(graph: Graph, tenant: Tenant) -> None:
    gone = [{"entityName": "Alice", "observations": ["Alice likes tea.", "Never said."]}]
    told = await graph("delete_observations", deletions=gone)
    assert (told["success"], told["message"][:14]) == (True, "Deleted 1 of 2")
    assert (await graph("delete_relations", relations=[WORKS]))["message"].endswith("fully")
    assert (await graph("read_graph"))["relations"] == []
    await graph("create_relations", relations=[WORKS, EMPLOYS])
    told = await graph("delete_entities", entityNames=["Alice", "Nobody"])
    assert told["message"].startswith("Deleted 1 of 2")
    assert await graph("read_graph") == {"entities": [ACME], "relations": []}
    assert (await tenant("memories.list", user_id="nora")).items == ()


async def test_what_was_remembered_otherwise(graph: Graph, tenant: Tenant) -> None:
    fact = {"kind": "fact", "user_id": "nora"}
    await tenant("memories.remember", **fact, subject="Acme", text="Acme sells anvils.")
    await tenant("memories.remember", **fact, text="Nora lives in Gouda.")
    seen = {one["name"]: one["observations"] for one in (await graph("read_graph"))["entities"]}
    assert seen["Acme"] == ["Acme sells anvils."]
    assert seen["nora"] == ["Nora lives in Gouda."]
    (user,) = (await graph("open_nodes", names=["nora"]))["entities"]
    assert user["entityType"] == "user"


async def test_whose_graph(graph: Graph, http: httpx.AsyncClient, tenant: Tenant) -> None:
    other = Graph(http, tenant.key, "other")
    assert await other("read_graph") == {"entities": [], "relations": []}
    told = await call(http, tenant.key, "read_graph", {}, path="/mcp/graph")
    assert told["structuredContent"]["errors"][0]["pointer"] == "/user_id"
    foreign = Graph(http, await tenant.key_for(user_id="other"))
    assert (await foreign("read_graph"))["code"] == "forbidden"


async def test_a_key_that_may_not_forget(http: httpx.AsyncClient, tenant: Tenant) -> None:
    key = await tenant.key_for(verbs=["read", "write"])
    listed = await ask(http, key, "tools/list", path="/mcp/graph?user_id=nora")
    names = {one["name"] for one in listed["result"]["tools"]}
    assert "create_entities" in names
    assert not {name for name in names if name.startswith("delete")}
    graph = Graph(http, key)
    await graph("create_entities", entities=[ALICE])
    told = await graph("delete_entities", entityNames=["Alice"])
    assert told["code"] == "forbidden"
    assert (await graph("read_graph"))["entities"] == [ALICE]


async def test_once_under_a_key(graph: Graph, http: httpx.AsyncClient, tenant: Tenant) -> None:
    observed = [{"entityName": "Acme", "contents": ["Acme sells anvils."]}]
    for _ in range(2):
        await call(
            http,
            tenant.key,
            "add_observations",
            {"observations": observed},
            path="/mcp/graph?user_id=nora",
            meta={"muniment/idempotency-key": "x" * 255},
        )
    held = (await tenant("memories.list", user_id="nora")).items
    assert [one.text for one in held].count("Acme sells anvils.") == 1
