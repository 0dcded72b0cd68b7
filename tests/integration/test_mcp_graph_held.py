"""The tools of a knowledge graph: what is answered as made is held, as it was answered.

| asked | then |
|---|---|
| an observation and a relation that read alike, in either order | both are held; each is deleted by itself |
| relations that read alike: other ends, other types | all are held |
| the same relation in other cases, in one call | told once |
| one observation in several spellings, in one call or later | the first is told and held |
| the same observation for one entity, twice in a call | told once |
| a spelling that was taken for a repetition is deleted | the one that is held goes |
| a text that is held, beside another spelling of it, is deleted | that one alone goes |
| what is written otherwise in more than spelling is deleted | nothing goes |
| an observation, a relation, an entity with a secret | told, waiting too, and deleted as it is held |
"""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.integration.test_mcp_graph import Graph
from tests.support.surface import over_http
from tests.support.world import Local, Tenant

pytestmark = pytest.mark.long

SECRET = "AKIA" + "IOSFODNN7EXAMPLE"
KNOWS = {"from": "Alice", "to": "Bob", "relationType": "knows"}
WHOLE = "Observations deleted successfully"


def node(name: str, *observations: str) -> dict[str, Any]:
    return {"name": name, "entityType": "person", "observations": list(observations)}


@pytest_asyncio.fixture
async def http(service: Local) -> AsyncIterator[httpx.AsyncClient]:
    async with over_http(service) as client:
        yield client


@pytest_asyncio.fixture
async def graph(http: httpx.AsyncClient, tenant: Tenant) -> Graph:
    made = Graph(http, tenant.key)
    names = ("Alice", "Bob", "a", "c d", "d", "b c", "nora")
    await made("create_entities", entities=[node(name) for name in names])
    return made


async def observe(graph: Graph, name: str, *contents: str) -> Any:
    """What is told as added."""
    given = [{"entityName": name, "contents": list(contents)}]
    (told,) = (await graph("add_observations", observations=given))["results"]
    return told["addedObservations"]


async def unobserve(graph: Graph, name: str, *texts: str) -> str:
    given = [{"entityName": name, "observations": list(texts)}]
    return str((await graph("delete_observations", deletions=given))["message"])


async def seen(graph: Graph, name: str) -> tuple[list[str], list[Any]]:
    told = await graph("open_nodes", names=[name])
    return told["entities"][0]["observations"], told["relations"]


ENDS = ["Alice", "nora"]


@pytest.mark.parametrize("start", ENDS)
@pytest.mark.parametrize("first", ["observation", "relation"])
async def test_what_reads_alike(first: str, start: str, graph: Graph) -> None:
    knows = KNOWS | {"from": start}
    said = f"{start} knows Bob."
    for kind in sorted(("observation", "relation"), reverse=first == "relation"):
        if kind == "relation":
            told = await graph("create_relations", relations=[knows])
            assert told == {"relations": [knows]}
        else:
            assert await observe(graph, start, said) == [said]
    assert await seen(graph, start) == ([said], [knows])
    assert await unobserve(graph, start, said) == WHOLE
    assert await seen(graph, start) == ([], [knows])
    assert await observe(graph, start, said) == [said]
    told = await graph("delete_relations", relations=[knows])
    assert told["message"] == "Relations deleted successfully"
    assert await seen(graph, start) == ([said], [])


async def test_relations_that_read_alike(graph: Graph) -> None:
    alike = [
        {"from": "a", "to": "c d", "relationType": "b"},
        {"from": "a", "to": "d", "relationType": "b c"},
        {"from": "a", "to": "d", "relationType": "B C"},
        {"from": "a", "to": "b c", "relationType": "d"},
    ]
    assert await graph("create_relations", relations=alike) == {"relations": alike}
    assert (await seen(graph, "a"))[1] == alike
    assert await graph("create_relations", relations=alike) == {"relations": []}
    await graph("delete_relations", relations=alike[:1])
    assert (await seen(graph, "a"))[1] == alike[1:]


async def test_a_relation_in_other_cases(graph: Graph) -> None:
    both = [KNOWS, KNOWS | {"from": "ALICE", "to": "bob"}]
    assert await graph("create_relations", relations=both) == {"relations": [KNOWS]}
    assert (await seen(graph, "Alice"))[1] == [KNOWS]


SPELLINGS = ("Speaks Dutch", "speaks Dutch.", "Speaks  dutch", "SPEAKS DUTCH!")


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_spellings(spelling: str, name: str, graph: Graph) -> None:
    assert await observe(graph, name, *SPELLINGS) == ["Speaks Dutch"]
    assert await observe(graph, name, *SPELLINGS[1:]) == []
    assert (await seen(graph, name))[0] == ["Speaks Dutch"]
    assert await unobserve(graph, name, spelling) == WHOLE
    assert (await seen(graph, name))[0] == []


async def test_spellings_of_a_new_entity(graph: Graph) -> None:
    told = await graph("create_entities", entities=[node("Cleo", *SPELLINGS)])
    assert told == {"entities": [node("Cleo", "Speaks Dutch")]}
    assert await unobserve(graph, "Cleo", *SPELLINGS) == WHOLE


async def test_an_entity_twice_in_a_call(graph: Graph) -> None:
    given = [{"entityName": name, "contents": ["Speaks Dutch"]} for name in ("Bob", "bob")]
    told = await graph("add_observations", observations=given)
    assert [one["addedObservations"] for one in told["results"]] == [["Speaks Dutch"], []]


async def test_what_is_held_goes_before_a_spelling(graph: Graph) -> None:
    # What is no English is one only where it is the same text.
    texts = ["Elle habite à Paris depuis longtemps.", "elle habite à Paris depuis longtemps"]
    assert await observe(graph, "Bob", *texts) == texts
    assert await unobserve(graph, "Bob", texts[1]) == WHOLE
    assert (await seen(graph, "Bob"))[0] == texts[:1]


async def test_what_differs_in_more_than_spelling_stays(graph: Graph) -> None:
    await observe(graph, "Bob", "Knows C++", "Has 2 cats.", "Likes tea.")
    told = await unobserve(graph, "Bob", "Knows C", "Has 3 cats.", "Dislikes tea.", "!")
    assert told.startswith("Deleted 0 of 4")
    assert len((await seen(graph, "Bob"))[0]) == 3


async def test_an_observation_with_a_secret(graph: Graph, tenant: Tenant) -> None:
    (told,) = await observe(graph, "Bob", f"Bob's key is {SECRET}.")
    assert SECRET not in told
    assert await seen(graph, "Bob") == ([told], [])
    assert await observe(graph, "Bob", f"Bob's key is {SECRET}.") == []
    assert await unobserve(graph, "Bob", told) == WHOLE
    assert await seen(graph, "Bob") == ([], [])
    made = await graph("create_entities", entities=[node("Dora", f"Dora's key is {SECRET}.")])
    (held,) = (await seen(graph, "Dora"))[0]
    assert made["entities"][0]["observations"] == [held]


async def test_a_relation_with_a_secret(graph: Graph) -> None:
    given = KNOWS | {"relationType": f"has the key {SECRET} of"}
    (told,) = (await graph("create_relations", relations=[given]))["relations"]
    assert SECRET not in told["relationType"]
    assert (await seen(graph, "Alice"))[1] == [told]
    assert await graph("create_relations", relations=[given]) == {"relations": []}
    await graph("delete_relations", relations=[told])
    assert (await seen(graph, "Alice"))[1] == []


async def test_a_secret_that_waits(graph: Graph, http: httpx.AsyncClient, tenant: Tenant) -> None:
    agent = Graph(http, await tenant.key_for(verbs=["read", "propose"], principal="agent"))
    given = [{"entityName": "Bob", "contents": [f"Bob's key is {SECRET}."]}]
    (told,) = (await agent("add_observations", observations=given))["results"]
    assert told["addedObservations"] == []
    assert [SECRET in one for one in told["waiting"]] == [False]
