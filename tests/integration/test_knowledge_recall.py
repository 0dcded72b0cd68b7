"""Recall in shared knowledge.

| held | asked | then |
|---|---|---|
| a document | what it says | its chunk: tier, source, version, title, headings, window; never another tenant's |
| a word that no vector knows | that word | the chunk with it |
| nothing but marks of headings | its title | one chunk, the title |
| beside memories of the user and the organisation | a question | all, by strength; `k` in all |
| a window that is over, or to come | now; as of then | not found; found |
| a later version; none any more | the same | the later one; nothing |
| a filter, a data source, kinds, tiers, a namespace | | what they admit |
| a key without the layer; `match` named | | no document; the tier asked for is Forbidden |
| no document of the tenant | a question | no statement about documents |
| what a run recalled, and the document is another since, over or deleted | the run | superseded, superseded, erased |
| more chunks than are compared one by one | a question | the nearest by the graph, of the tenant's own, as exactly compared |
"""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from muniment.errors import Forbidden
from muniment.postgres.embedded import ADMIN, APP
from tests.support.databases import Database
from tests.support.world import EMBEDDER, START, Local, Tenant

DAY = timedelta(days=1)
RETURNS = "# Returns\n\nGoods come back within thirty days.\n\n## Abroad\n\nParcels from Norway take sixty days, form QX-77."


async def put(tenant: Tenant, source: str, text: str, version: int = 1, **more: Any) -> Any:
    given: dict[str, Any] = {
        "source": source,
        "title": "Handbook",
        "text": text,
        "version": version,
    } | more
    return await tenant("knowledge.put", **given)


async def ask(tenant: Tenant, query: str, **more: Any) -> list[Any]:
    asked = {"user_id": "u", "query": query} | more
    return list((await tenant("recall", **asked)).items)


def sources(items: list[Any]) -> list[str]:
    return [one.document.source for one in items if one.document is not None]


async def test_a_document_of_its_title(tenant: Tenant) -> None:
    title = "Vacation rules of the office"
    assert (await put(tenant, "rules", "#\n\n##\n", title=title)).chunks == 1
    (found,) = await ask(tenant, "What are the vacation rules of the office?")
    assert (found.text, found.document.source) == (title, "rules")


async def test_a_chunk_says_where_it_stands(service: Local, tenant: Tenant) -> None:
    stranger = await service.tenant()
    await put(stranger, "theirs", RETURNS)
    assert await ask(tenant, "How long do parcels from Norway take?") == []
    done = await put(tenant, "returns", RETURNS, 3, valid_from=START - DAY, metadata={"a": 1})
    (first, *_) = await ask(tenant, "How long do parcels from Norway take?")
    assert (first.tier, first.kind, first.scope, first.trust) == (
        "knowledge", "document", "org", "operator",
    )  # fmt: skip
    assert first.text == "Parcels from Norway take sixty days, form QX-77."
    place = first.document
    assert (place.document_id, place.source, place.version) == (done.document_id, "returns", 3)
    assert (place.title, place.headings, place.position) == (
        "Handbook", ("Returns", "Abroad"), 1,
    )  # fmt: skip
    assert (first.valid_from, first.valid_to, first.status) == (START - DAY, None, "active")
    assert (first.confidence, first.metadata, first.evidence) == (None, {"a": 1}, ())
    assert 0 < first.score <= 1
    assert [one.document.position for one in await ask(tenant, "QX-77")] == [1]
    assert await ask(tenant, "Which xylophone does Ferdinand play?") == []
    assert len(await ask(tenant, "parcels and goods, days", k=1)) == 1


async def test_beside_memories(tenant: Tenant) -> None:
    await put(tenant, "lag", "The orders table lags by three days.")
    told = {"kind": "fact", "text": "Waits for the orders table every day.", "user_id": "u"}
    await tenant("memories.remember", **told)
    await tenant("memories.remember", kind="data_quality", text="The orders table misses refunds.")
    view = await tenant("recall", user_id="u", query="What is wrong with the orders table?")
    assert {(one.scope, one.tier) for one in view.items} == {
        ("user", "semantic"), ("org", "semantic"), ("org", "knowledge"),
    }  # fmt: skip
    again = {"known_at": view.watermarks.user, "org_known_at": view.watermarks.org}
    asked = await ask(tenant, "What is wrong with the orders table?", **again)
    assert {one.id for one in asked} == {one.id for one in view.items}
    before = {"known_at": view.watermarks.user, "org_known_at": START - DAY}
    assert sources(await ask(tenant, "What is wrong with the orders table?", **before)) == []


async def test_windows_and_versions(service: Local, tenant: Tenant) -> None:
    await put(tenant, "old", "Parcels from Norway take nine days.", valid_to=START)
    await put(tenant, "new", "Parcels from Norway take six days.", valid_from=START + DAY)
    query = "How long do parcels from Norway take?"
    assert sources(await ask(tenant, query)) == []
    assert sources(await ask(tenant, query, as_of=START - DAY)) == ["old"]
    assert sources(await ask(tenant, query, as_of=START + DAY)) == ["new"]
    service.clock.advance(days=1)
    assert sources(await ask(tenant, query)) == ["new"]
    await put(tenant, "new", "Parcels from Norway take seven days.", 2)
    assert ["seven" in one.text for one in await ask(tenant, query)] == [True]
    await tenant("knowledge.delete", source="new")
    assert sources(await ask(tenant, query)) == []


async def test_what_narrows_it(tenant: Tenant) -> None:
    told = "Parcels from Norway take six days."
    await put(tenant, "a", told, metadata={"team": "ops"}, data_source="crm", category="public")
    await put(tenant, "b", told, namespace="n")
    await put(tenant, "c", told)
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, ["a", "c"]),
        ({"namespace": "n"}, ["b"]),
        ({"tiers": ["knowledge"]}, ["a", "c"]),
        ({"tiers": ["semantic"]}, []),
        ({"kinds": ["document"]}, ["a", "c"]),
        ({"kinds": ["fact"]}, []),
        ({"data_source": "crm"}, ["a"]),
        ({"filter": {"metadata.team": "ops"}}, ["a"]),
        ({"filter": {"category": {"$ne": "public"}}}, ["c"]),
        ({"filter": {"tier": "semantic"}}, []),
        ({"match": "named"}, []),
    ]
    for asked, found in cases:
        assert sorted(sources(await ask(tenant, "parcels from Norway", **asked))) == found, asked
    shallow = await tenant.key_for(verbs=["read"], layers=["semantic"])
    assert await ask(tenant, "parcels from Norway", _as=shallow) == []
    with pytest.raises(Forbidden):
        await ask(tenant, "parcels from Norway", _as=shallow, tiers=["knowledge"])
    for more in ({"user_id": "u"}, {}):
        reader = await tenant.key_for(verbs=["read"], layers=["knowledge"], **more)
        assert sources(await ask(tenant, "parcels from Norway", _as=reader)) != []


async def test_a_run_is_told(service: Local, tenant: Tenant) -> None:
    for source in ("replaced", "over", "deleted", "same"):
        end: dict[str, Any] = {"valid_to": START + DAY} if source == "over" else {}
        await put(tenant, source, f"Parcels that are {source} take six days.", **end)
    run = {"run_id": (await tenant("runs.open", agent_id="a", user_id="u")).run_id}
    await ask(tenant, "How long do parcels take?", run_id=str(run["run_id"]))
    assert (await tenant("runs.get", **run)).stale_inputs == ()
    await put(tenant, "replaced", "Parcels take nine days.", 2)
    await tenant("knowledge.delete", source="deleted")
    service.clock.advance(days=2)
    ids = {one.source: one.document_id for one in (await tenant("knowledge.list")).items}
    stale = (await tenant("runs.resume", **run, take_over=True)).stale_inputs
    why = {one.id: (one.tier, one.why) for one in stale}
    assert why.pop(ids["replaced"]) == ("knowledge", "superseded")
    assert why.pop(ids["over"]) == ("knowledge", "superseded")
    assert list(why.values()) == [("knowledge", "erased")]


async def test_many_chunks_by_the_graph(database: Database, tenant: Tenant, service: Local) -> None:
    """Beyond 5,000 chunks of a tenant, in the partition of another, the graph finds what is near."""
    other = await service.tenant()
    for owner in (tenant, other):
        await put(owner, "seed", "Parcels from Norway take six days.")
    query = EMBEDDER.embed(["where do parcels come from"])[0]
    with database.connect(ADMIN) as admin:
        admin.execute("SELECT set_config('search_path', 'muniment, public', false)")
        admin.execute(
            "INSERT INTO knowledge_chunk (tenant_id, scope_id, chunk_id, document_id, position, headings,"
            " text, valid, emb, terms, keys) SELECT c.tenant_id, c.scope_id, gen_random_uuid(),"
            " c.document_id, n, '{}', 'x', CASE WHEN n %% 7 = 0 THEN tstzrange(NULL, 'epoch') ELSE c.valid END,"
            " (SELECT array_agg(random() - 0.5 + 0 * (n + m)) FROM generate_series(1, 256) m)::real[]::halfvec(256),"
            " c.terms, c.keys FROM knowledge_chunk c, generate_series(1, 1500) n"
            " WHERE c.tenant_id = ANY(%s)",
            [[tenant.tenant_id, other.tenant_id]],
        )
    with database.connect(APP) as app:
        app.execute("SELECT set_config('muniment.tenant_id', %s, false)", [str(tenant.tenant_id)])
        asked = (
            "SELECT c.chunk_id FROM scope s, knowledge_candidates(s.scope_id, %s::halfvec, '{}',"
            " now(), NULL, %s, 10, 10, 'emb') c"
        )
        vector = "[" + ",".join(map(str, np.asarray(query, float))) + "]"
        exact, near = (
            {row[0] for row in app.execute(asked, [vector, held]).fetchall()} for held in (1, 10**6)
        )
        assert len(exact) == 10
        assert len(exact & near) >= 9
        app.execute("SELECT set_config('muniment.tenant_id', %s, false)", [str(other.tenant_id)])
        assert not {row[0] for row in app.execute(asked, [vector, 1]).fetchall()} & exact
