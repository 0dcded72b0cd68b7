"""/compat/mem0: the same text under two runs or agents is one memory of both.

| added as it stands under | deleted | then |
|---|---|---|
| A, then B | A | B's; found under B alone |
| A, then B | A, then B, or the other way | nothing is left, no turn either |
| A, then none; none, then A | A | held, under no run |
| A twice | A | nothing |
| A, then B, then updated | A | the new words, under B |
| A, then none; read by a key that reaches no turns | | both, without what the turn says |
| A, then B, of one agent | the agent | nothing |
| two texts, one updated to what the other says | B | a conflict; each stays as it is, and whose it is |
| the same in another spelling | B | two memories, each whose it is |
"""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.integration.test_mem0 import Mem0
from tests.support.surface import over_http
from tests.support.world import Local, Tenant

pytestmark = pytest.mark.long

OAT, RYE = "Nora drinks oat milk.", "Nora drinks rye milk."


@pytest_asyncio.fixture
async def mem0(service: Local, tenant: Tenant) -> AsyncIterator[Mem0]:
    async with over_http(service) as http:
        yield Mem0(http, tenant.key)


async def deleted(mem0: Mem0, *names: str, field: str = "run_id") -> None:
    for name in names:
        found = await mem0("DELETE", f"/v1/memories/?user_id=nora&{field}={name}")
        assert found.status_code == 200


async def left(tenant: Tenant) -> list[str]:
    tiers = ["semantic", "episodic"]
    found = await tenant("memories.list", user_id="nora", tiers=tiers)
    return [one.text for one in found.items]


@pytest.mark.parametrize("field", ["run_id", "agent_id", "app_id"])
async def test_a_scoped_delete_leaves_what_another_wrote(
    mem0: Mem0, tenant: Tenant, field: str
) -> None:
    for order in ("ab", "ba"):
        for name in "ab":
            await mem0.add(**{field: name})
        for name in "ab":
            assert await mem0.texts(**{field: name}) == [OAT]
        await deleted(mem0, order[0], field=field)
        assert await mem0.texts(**{field: order[0]}) == []
        assert await mem0.texts(**{field: order[1]}) == [OAT]
        await deleted(mem0, order[1], field=field)
        assert await left(tenant) == []


@pytest.mark.parametrize("runs", [("a", None), (None, "a"), ("a", "a"), ("a", "b")])
async def test_who_else_wrote_it(mem0: Mem0, tenant: Tenant, runs: tuple[str | None, ...]) -> None:
    for run in runs:
        await mem0.add(agent_id="x", **({} if run is None else {"run_id": run}))
    await deleted(mem0, "a")
    assert await mem0.texts() == ([] if runs == ("a", "a") else [OAT])
    assert await mem0.texts(run_id="a") == []
    await deleted(mem0, "x", field="agent_id")
    assert await left(tenant) == []


async def test_without_any(mem0: Mem0) -> None:
    await mem0.add(run_id="a")
    await mem0.add()
    await deleted(mem0, "a")
    assert await mem0.texts() == [OAT]


async def test_after_an_update(mem0: Mem0, tenant: Tenant) -> None:
    memory = await mem0.add(run_id="a")
    assert await mem0.add(run_id="b") == memory
    assert (await mem0("PUT", f"/v1/memories/{memory}/", {"text": RYE})).status_code == 200
    await deleted(mem0, "a")
    assert (await mem0.texts(run_id="a"), await mem0.texts(run_id="b")) == ([], [RYE])
    await deleted(mem0, "b")
    assert await left(tenant) == []


_RUNS = [("a", "b"), ("a", None), (None, "b"), (None, None), ("a", "a")]


async def two(mem0: Mem0, runs: tuple[str | None, str | None]) -> tuple[str, str]:
    other, memory = [
        await mem0.add(
            messages=[{"role": "user", "content": text}], **({} if run is None else {"run_id": run})
        )
        for text, run in zip((RYE, OAT), runs, strict=True)
    ]
    return other, memory


@pytest.mark.parametrize("runs", _RUNS)
async def test_an_update_to_what_another_memory_says(
    mem0: Mem0, runs: tuple[str | None, str | None]
) -> None:
    other, memory = await two(mem0, runs)
    answer = await mem0("PUT", f"/v1/memories/{memory}/", {"text": RYE})
    assert answer.status_code == 409
    assert sorted(await mem0.texts()) == [OAT, RYE]
    for one, text in ((other, RYE), (memory, OAT)):
        assert (await mem0("GET", f"/v1/memories/{one}/")).json()["memory"] == text
    await deleted(mem0, "b")
    assert sorted(await mem0.texts()) == ([RYE] if runs[1] == "b" else [OAT, RYE])


@pytest.mark.parametrize("said", ["nora drinks rye milk", "Nora drinks  rye milk!"])
@pytest.mark.parametrize("runs", _RUNS)
async def test_an_update_to_another_spelling_of_it(
    mem0: Mem0, runs: tuple[str | None, str | None], said: str
) -> None:
    _, memory = await two(mem0, runs)
    answer = await mem0("PUT", f"/v1/memories/{memory}/", {"text": said})
    assert answer.json()["memory"] == said
    assert sorted(await mem0.texts()) == sorted([RYE, said])
    await deleted(mem0, "b")
    assert sorted(await mem0.texts()) == sorted([RYE] if runs[1] == "b" else [RYE, said])


async def test_a_key_that_reaches_no_turns_reads_what_rests_on_them(
    mem0: Mem0, tenant: Tenant
) -> None:
    memory = await mem0.add(run_id="a")
    await mem0.add(messages=[{"role": "user", "content": RYE}])
    own = Mem0(mem0.http, await tenant.key_for(verbs=["read"], layers=["semantic"]))
    assert sorted(await own.texts()) == [OAT, RYE]
    told = (await own("GET", f"/v1/memories/{memory}/")).json()
    assert told["memory"] == OAT
    found = await own(
        "POST", "/v3/memories/search/", {"query": "milk", "filters": {"user_id": "nora"}}
    )
    assert len(found.json()["results"]) == 2
