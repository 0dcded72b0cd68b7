"""Which keys may call the tools of a knowledge graph: that is looked at before anything else.

| the key | asks | then |
|---|---|---|
| with any of the verbs | what tools there are | those that it can use: every one looks before it does |
| that lacks a verb of a tool | it: of what is there, what is not, nothing, nonsense | `forbidden`, with an entry in the audit trail |
| that lacks the layer | any tool | the same |
| of another user | any tool, of nothing | `forbidden` |
| that is none, or is revoked | any tool, of nothing | `unauthenticated` |
| with the verbs | a call of nothing | an answer |
| that may only propose | an entity that is there | it stays as it is |
"""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from muniment.surfaces.mcp.graph import GRAPH_TOOLS
from tests.integration.test_mcp import ask
from tests.integration.test_mcp_graph import ACME, ALICE, WORKS, Graph
from tests.support.surface import over_http
from tests.support.world import Local, Tenant

pytestmark = pytest.mark.long

READS = {"read_graph", "search_nodes", "open_nodes"}
WRITES = {"create_entities", "create_relations", "add_observations"}
DELETES = {"delete_entities", "delete_observations", "delete_relations"}
VERBS: dict[str, set[str]] = {
    "read": READS,
    "read,write": READS | WRITES,
    "read,propose": READS | WRITES,
    "read,forget": READS | DELETES,
    "read,write,forget": READS | WRITES | DELETES,
    "forget": set(),
    "write": set(),
    "propose,forget": set(),
}
NOBODY = WORKS | {"to": "Nobody"}
SAID = {"entityName": "Alice", "contents": ["Likes tea."]}
UNSAID = {"entityName": "Alice", "observations": ["Never said."]}
CALLS: dict[str, list[dict[str, Any]]] = {
    "create_entities": [{"entities": [ALICE]}, {"entities": []}],
    "create_relations": [{"relations": [WORKS]}, {"relations": [NOBODY]}, {"relations": []}],
    "add_observations": [
        {"observations": [SAID]},
        {"observations": [SAID | {"entityName": "Nobody"}]},
        {"observations": []},
    ],
    "delete_entities": [{"entityNames": ["Alice"]}, {"entityNames": ["Nobody"]}],
    "delete_observations": [
        {"deletions": [UNSAID]},
        {"deletions": [UNSAID | {"observations": ALICE["observations"]}]},
        {"deletions": []},
    ],
    "delete_relations": [{"relations": [WORKS]}, {"relations": [NOBODY]}, {"relations": []}],
    "read_graph": [{}],
    "search_nodes": [{"query": "tea"}],
    "open_nodes": [{"names": ["Alice"]}, {"names": []}],
}
NONSENSE: dict[str, Any] = {"nothing": 5}


@pytest_asyncio.fixture
async def http(service: Local) -> AsyncIterator[httpx.AsyncClient]:
    async with over_http(service) as client:
        yield client


@pytest_asyncio.fixture
async def graph(http: httpx.AsyncClient, tenant: Tenant) -> Graph:
    made = Graph(http, tenant.key)
    await made("create_entities", entities=[ALICE, ACME])
    return made


async def refused(tenant: Tenant) -> int:
    return sum(one.effect == "refused" for one in (await tenant("audit.list")).items)


def test_every_tool_is_tried() -> None:
    assert set(CALLS) == set(GRAPH_TOOLS) == READS | WRITES | DELETES


@pytest.mark.parametrize("verbs", VERBS)
async def test_what_is_listed(verbs: str, http: httpx.AsyncClient, tenant: Tenant) -> None:
    key = await tenant.key_for(verbs=verbs.split(","))
    listed = await ask(http, key, "tools/list", path="/mcp/graph?user_id=nora")
    assert {one["name"] for one in listed["result"]["tools"]} == VERBS[verbs]


@pytest.mark.parametrize("verbs", VERBS)
@pytest.mark.parametrize("tool", CALLS)
async def test_what_may_be_called(
    tool: str, verbs: str, http: httpx.AsyncClient, tenant: Tenant, graph: Graph
) -> None:
    key = await tenant.key_for(verbs=verbs.split(","))
    before = await graph("read_graph")
    for given in [NONSENSE, *CALLS[tool]]:
        told = await Graph(http, key)(tool, **given)
        assert (told.get("code") == "forbidden") is (tool not in VERBS[verbs]), (given, told)
    if tool not in VERBS[verbs]:
        assert await refused(tenant) == len(CALLS[tool]) + 1
        assert await graph("read_graph") == before


@pytest.mark.parametrize("tool", CALLS)
async def test_other_keys(tool: str, http: httpx.AsyncClient, tenant: Tenant) -> None:
    given = CALLS[tool][-1]
    for grant in ({"layers": ["episodic"]}, {"user_id": "other"}):
        told = await Graph(http, await tenant.key_for(**grant))(tool, **given)
        assert told["code"] == "forbidden", grant
    assert await refused(tenant) == 2
    assert (await Graph(http, "mnm_none")(tool, **given))["code"] == "unauthenticated"
    made = await tenant("keys.create", principal="somebody")
    gone = Graph(http, str(made.secret))
    await tenant("keys.revoke", key_id=made.key_id)
    assert (await gone(tool, **given))["code"] == "unauthenticated"
