"""What the address of MCP fixes holds for what is named by an id alone, too.

| the address fixes | named by its id | then |
|---|---|---|
| a user | a memory or a run of another user, by any tool or resource | as one that is not there |
| a namespace | one of another namespace | the same |
| an agent | a run of another agent | the same |
| a user | what is that user's | reached |
| a user | by a key of another user | `forbidden`, whatever is named |
"""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio

from muniment.surfaces.mcp.tools import TOOLS
from tests.integration.test_mcp import ask, call
from tests.support.surface import over_http
from tests.support.world import Local, Tenant

BOB = "user_id=bob&namespace=work&agent_id=clerk"
WIDER = ["user_id=bob", "namespace=work", "agent_id=clerk", BOB]
OTHERS = ["user_id=nora", "user_id=bob&namespace=home", "namespace=home"]
OF_A_RUN = ["checkpoint", "claim_tool", "record_tool", "request_approval"]
BY_ID = ["correct", *OF_A_RUN]


@pytest_asyncio.fixture
async def http(service: Local) -> AsyncIterator[httpx.AsyncClient]:
    async with over_http(service) as client:
        yield client


class Bob:
    """What there is of Bob, and how each tool names it."""

    def __init__(self, memory: UUID, run: UUID, fence: int) -> None:
        self.memory = memory
        self._run = run
        self._fence = fence

    def named(self, tool: str, *, by_chance: bool = False) -> dict[str, Any]:
        """Arguments that name it, or something that is not there."""
        place = {"run_id": str(uuid4() if by_chance else self._run)}
        working = place | {"fence": self._fence}
        memory = str(uuid4() if by_chance else self.memory)
        found: dict[str, dict[str, Any]] = {
            "correct": {"id": memory, "text": "Bob has a boat."},
            "checkpoint": working | {"step": 1},
            "claim_tool": working | {"tool": "t", "key": "k", "arguments": {}},
            "record_tool": place | {"tool": "t", "key": "k", "attempt": 1, "status": "succeeded"},
            "request_approval": working | {"action": "t", "gate": "g"},
        }
        return found[tool]


@pytest_asyncio.fixture
async def bob(tenant: Tenant) -> Bob:
    held = await tenant(
        "memories.remember", kind="fact", user_id="bob", namespace="work", text="Bob has a cat."
    )
    await tenant("tools.define", name="t", effect="write")
    run = await tenant("runs.open", agent_id="clerk", user_id="bob", namespace="work")
    return Bob(held.id, run.run_id, run.fence)


def test_every_tool_that_names_no_user_is_tried() -> None:
    assert {
        name for name, one in TOOLS.items() if "user_id" not in one.operation.field_names
    } == set(BY_ID)


@pytest.mark.parametrize("fixed", [*OTHERS, "agent_id=other"])
async def test_another(fixed: str, http: httpx.AsyncClient, tenant: Tenant, bob: Bob) -> None:
    path = f"/mcp?{fixed}"
    for tool in OF_A_RUN if "agent" in fixed else BY_ID:
        told = await call(http, tenant.key, tool, bob.named(tool), path=path)
        nothing = await call(http, tenant.key, tool, bob.named(tool, by_chance=True), path=path)
        assert told["isError"], tool
        seen, chance = (
            {name: one["structuredContent"][name] for name in ("code", "detail", "status")}
            for one in (told, nothing)
        )
        assert seen == chance, tool
        assert seen["code"] == "not_found"
    if "agent" not in fixed:
        uri = f"muniment://memories/{bob.memory}/history"
        told = await ask(http, tenant.key, "resources/read", {"uri": uri}, path=path)
        assert told["error"]["data"]["code"] == "not_found"
    held = await tenant("memories.list", user_id="bob", namespace="work")
    assert [one.text for one in held.items] == ["Bob has a cat."]


@pytest.mark.parametrize("fixed", WIDER)
async def test_the_same(fixed: str, http: httpx.AsyncClient, tenant: Tenant, bob: Bob) -> None:
    for tool in BY_ID:
        told = await call(http, tenant.key, tool, bob.named(tool), path=f"/mcp?{fixed}")
        assert not told["isError"], (tool, told)
    uri = f"muniment://memories/{bob.memory}/history"
    told = await ask(http, tenant.key, "resources/read", {"uri": uri}, path=f"/mcp?{fixed}")
    assert str(bob.memory) in told["result"]["contents"][0]["text"]


async def test_a_key_of_another(http: httpx.AsyncClient, tenant: Tenant, bob: Bob) -> None:
    key = await tenant.key_for(user_id="bob")
    for tool in BY_ID:
        told = await call(http, key, tool, bob.named(tool), path="/mcp?user_id=nora")
        assert told["structuredContent"]["code"] == "forbidden", tool
