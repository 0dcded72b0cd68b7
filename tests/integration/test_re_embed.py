"""A tenant goes over to another embedder's vectors, and back.

| when | then |
|---|---|
| before | the static table's; answers as ever |
| begun | writers make both; answers as before, to the score; a second beginning is a conflict |
| every vector is there | at once: all later answers are by the new ones; an index that a process held is loaded anew |
| killed or stopped anywhere | it goes on; the same end |
| a turn while it goes on, a memory that supersedes, one that is archived, an item, a document | found by the new vectors afterwards, none lacks one |
| a forget meanwhile | no vector is left of whom it was about |
| cancelled | answers as before; what was made goes; it can be begun again |
| afterwards | the old vectors go, once nobody can read them any more, and not before |
| asked of a server that has not seen the switch | nothing is read there: Overtaken |
| a worker that lacks the model of one tenant | the others go over |
| back to the static table | the same vectors as at first |
| an embedder that the service has not | refused with a pointer; for a tenant that has its vectors, 503 and no vector of another; the process is not ready |
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio
from psycopg import sql

from muniment.errors import Conflict, InvalidInput, Overtaken, Unavailable
from muniment.operations.dispatch import Dispatch
from muniment.ports import ScopeMark, ScopeRow, Vectors, World
from muniment.postgres.checks import models_problem
from muniment.postgres.embedded import APP, WORKER
from muniment.worker import re_embed
from tests.support.databases import Database
from tests.support.embedders import MODELS
from tests.support.world import EMBEDDER, START, Local, Tenant, local_service


class Stop(Exception):
    pass


class StopAt:
    """A drill that stops the duty at the n-th of its points."""

    def __init__(self, number: int) -> None:
        self.left = number

    def reached(self, point: str) -> None:
        if point.startswith("embeddings."):
            self.left -= 1
            if self.left == 0:
                raise Stop(point)


@pytest_asyncio.fixture
async def service(own_database: Database, request: pytest.FixtureRequest) -> Any:
    async with local_service(own_database.conninfo(), seed=request.node.nodeid) as made:
        made.world = replace(made.world, embedders=MODELS)
        made.dispatch = Dispatch(made.world)
        yield made


@pytest_asyncio.fixture
async def tenant(service: Local) -> Tenant:
    return await service.tenant()


@pytest_asyncio.fixture
async def worker(own_database: Database, service: Local) -> AsyncIterator[World]:
    async with local_service(own_database.conninfo(WORKER), seed="worker") as made:
        made.clock.moment = service.clock.moment
        made.clock = service.clock
        yield replace(made.world, embedders=MODELS, clock=service.clock)


TURNS = [
    "I keep a grey horse called Bruno.", "My sister paints boats in Lisbon.",
    "I moved to Gouda in March.", "I am allergic to peanuts.", "The invoice of May was 300 euros.",
]  # fmt: skip
QUERY = "What is the grey horse called?"


async def tell(
    tenant: Tenant, user: str = "u", start: int = 0, texts: Sequence[str] = TURNS
) -> None:
    events = [
        {"turn": start + at, "role": "user", "content": text, "occurred_at": START}
        for at, text in enumerate(texts)
    ]
    await tenant("events.write", user_id=user, session_id="s", events=events)


async def fill(tenant: Tenant) -> None:
    await tell(tenant)
    for value in ("Faro", "Evora"):
        await tenant(
            "memories.remember",
            user_id="u",
            kind="fact",
            text=f"Lives in {value}.",
            slot="city",
            value=value,
        )
    await tenant(
        "memories.remember", user_id="u", kind="fact", text="Rides a grey horse.", subject="Bruno"
    )
    await tenant(
        "knowledge.put",
        source="horses",
        version=1,
        title="Horses",
        format="text",
        text="A grey horse is born dark.",
        owner="vet",
    )
    await tenant(
        "store.write",
        user_id="u",
        puts=[{"path": ["a"], "key": "k", "value": {"text": "grey horse"}}],
    )


async def answers(tenant: Tenant) -> list[Any]:
    view = await tenant("recall", user_id="u", query=QUERY)
    return [(item.id, item.score, item.score_parts) for item in view.items]


async def lacking(service: Local, tenant: Tenant, place: str) -> bool:
    async with service.world.units.open(tenant.tenant_id) as unit:
        return bool(await unit.value("any_without", place=place))


async def scopes(service: Local, tenant: Tenant) -> list[ScopeMark]:
    """Those that a reader of this user looks at."""
    asked = {"user_id": "u", "namespace": "default", "org": False}
    async with service.world.units.open(tenant.tenant_id) as unit:
        return [one.mark for one in await unit.rows(ScopeRow, "scopes_of_reader", **asked)]


async def vectors(service: Local, tenant: Tenant, place: str) -> list[str]:
    """Every vector of a place, as text."""
    query = sql.SQL("SELECT {0}::text FROM memory_index WHERE {0} IS NOT NULL ORDER BY id").format(
        sql.Identifier(place)
    )
    async with service.world.units.open(tenant.tenant_id) as unit:
        await unit.value("any_without", place=place)
        connection = unit.connection  # type: ignore[attr-defined]
        return [row[0] for row in await (await connection.execute(query)).fetchall()]


async def settle(service: Local, worker: World, tenant: Tenant) -> None:
    """Go over until nothing is left to do."""
    await re_embed.run_tenant(worker, tenant.tenant_id, 2)
    service.clock.advance(seconds=61)
    await re_embed.run_once(worker, 2)


async def test_over_and_back(service: Local, worker: World, tenant: Tenant) -> None:
    await fill(tenant)
    before = await answers(tenant)
    shown = await tenant("embeddings.get")
    assert (shown.embedder, shown.state, shown.calibrated) == (EMBEDDER.name, "settled", True)
    assert set(shown.available) == {EMBEDDER.name, "hashed-1", "hashed-2"}
    begun = await tenant("embeddings.re_embed", to="hashed-1")
    assert (begun.embedder, begun.state, begun.other) == (EMBEDDER.name, "building", "hashed-1")
    with pytest.raises(Conflict):
        await tenant("embeddings.re_embed", to="hashed-2")
    assert await answers(tenant) == before
    await tell(tenant, start=10, texts=["Bruno likes grey weather."])
    during = await answers(tenant)
    await re_embed.run_tenant(worker, tenant.tenant_id, 2)
    shown = await tenant("embeddings.get")
    assert (shown.embedder, shown.state, shown.calibrated) == ("hashed-1", "clearing", False)
    assert not await lacking(service, tenant, "emb_a")
    after = await answers(tenant)
    assert after != during
    # What was asked before the switch may still read the old ones.
    assert len(await vectors(service, tenant, "emb")) > 5
    service.clock.advance(seconds=61)
    await re_embed.run_once(worker, 2)
    assert await vectors(service, tenant, "emb") == []
    assert (await tenant("embeddings.get")).state == "settled"
    assert [one[0] for one in await answers(tenant)] == [one[0] for one in after]
    await tenant("embeddings.re_embed", to=EMBEDDER.name)
    await settle(service, worker, tenant)
    assert (await tenant("embeddings.get")).embedder == EMBEDDER.name
    assert [one[0] for one in await answers(tenant)] == [one[0] for one in during]
    assert await vectors(service, tenant, "emb_a") == []


async def test_the_new_vectors_are_those_of_the_embedder(
    service: Local, worker: World, tenant: Tenant
) -> None:
    fresh = await service.tenant()
    await fresh("embeddings.re_embed", to="hashed-1")
    await settle(service, worker, fresh)
    await fill(fresh)
    await fill(tenant)
    await tenant("embeddings.re_embed", to="hashed-1")
    await settle(service, worker, tenant)
    assert sorted(await vectors(service, tenant, "emb_a")) == sorted(
        await vectors(service, fresh, "emb_a")
    )
    assert [one[1:] for one in await answers(tenant)] == [one[1:] for one in await answers(fresh)]
    found = await tenant(
        "store.read", user_id="u", searches=[{"prefix": ["a"], "query": "grey horse"}]
    )
    assert found is not None


@pytest.mark.parametrize("number", range(1, 14))
async def test_stopped_anywhere_it_goes_on(
    service: Local, worker: World, tenant: Tenant, number: int
) -> None:
    await fill(tenant)
    await tenant("embeddings.re_embed", to="hashed-1")
    drilled = replace(worker, drill=StopAt(number))
    try:
        await re_embed.run_tenant(drilled, tenant.tenant_id, 2)
        service.clock.advance(seconds=61)
        await re_embed.run_tenant(drilled, tenant.tenant_id, 2)
    except Stop:
        shown = await tenant("embeddings.get")
        assert shown.state in {"building", "clearing"}
        await tell(tenant, start=20, texts=["A turn in between, about a horse."])
    await settle(service, worker, tenant)
    await settle(service, worker, tenant)
    assert (await tenant("embeddings.get")).state == "settled"
    assert not await lacking(service, tenant, "emb_a")
    assert await vectors(service, tenant, "emb") == []


async def test_cancelled(service: Local, worker: World, tenant: Tenant) -> None:
    await fill(tenant)
    before = await answers(tenant)
    await tenant("embeddings.re_embed", to="hashed-1")
    with pytest.raises(Stop):
        await re_embed.run_tenant(replace(worker, drill=StopAt(4)), tenant.tenant_id, 2)
    assert (await tenant("embeddings.cancel")).state == "clearing"
    with pytest.raises(Conflict):
        await tenant("embeddings.cancel")
    await settle(service, worker, tenant)
    assert await answers(tenant) == before
    assert await vectors(service, tenant, "emb_a") == []
    await tenant("embeddings.re_embed", to="hashed-2")
    await settle(service, worker, tenant)
    assert (await tenant("embeddings.get")).embedder == "hashed-2"


async def test_forgotten_meanwhile(service: Local, worker: World, tenant: Tenant) -> None:
    await fill(tenant)
    await tell(tenant, "v")
    await tenant("embeddings.re_embed", to="hashed-1")
    with pytest.raises(Stop):
        await re_embed.run_tenant(replace(worker, drill=StopAt(3)), tenant.tenant_id, 2)
    await tenant("forget", user_id="u")
    await settle(service, worker, tenant)
    assert len(await vectors(service, tenant, "emb_a")) == len(TURNS)


async def test_a_worker_without_a_model_does_the_rest(
    service: Local, worker: World, tenant: Tenant
) -> None:
    after = await service.tenant("after")
    for one, model in ((tenant, "hashed-1"), (after, "hashed-2")):
        await fill(one)
        await one("embeddings.re_embed", to=model)
    for lacked, serving in (
        ("hashed-1", [EMBEDDER.name, "hashed-2"]),
        (None, ["hashed-1", "hashed-2"]),
    ):
        models = {name: one for name, one in MODELS.items() if name is None or name != lacked}
        await re_embed.run_once(replace(worker, embedders=models), 2)
        found = [(await one("embeddings.get")).embedder for one in (tenant, after)]
        assert found == serving


async def test_a_server_that_has_not_seen_the_switch(service: Local, tenant: Tenant) -> None:
    """A replica may be as far as the scope is, whose version the job's vectors leave alone."""
    await fill(tenant)
    (scope, *_) = await scopes(service, tenant)
    held = service.world.indexes
    serving = Vectors(EMBEDDER.name, EMBEDDER.dimensions, "emb", 0)
    async with service.world.units.open(tenant.tenant_id) as unit:
        assert (await held.current(unit, scope, serving)).version >= scope.version
        with pytest.raises(Overtaken):
            await held.current(unit, scope, Vectors("hashed-1", 24, "emb_a", 1))


async def test_a_model_that_is_not_there(
    service: Local, worker: World, tenant: Tenant, own_database: Database
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await tenant("embeddings.re_embed", to="nothing")
    assert [fault.pointer for fault in refused.value.faults] == ["/to"]
    with own_database.connect(APP) as connection:
        assert models_problem(connection, []) is None
        await fill(tenant)
        await tenant("embeddings.re_embed", to="hashed-1")
        # Writers need it from the beginning on.
        assert "hashed-1" in (models_problem(connection, []) or "")
        await settle(service, worker, tenant)
        assert "hashed-1" in (models_problem(connection, ["hashed-2"]) or "")
        assert models_problem(connection, ["hashed-1"]) is None
    service.dispatch = Dispatch(replace(service.world, embedders={None: EMBEDDER}))
    with pytest.raises(Unavailable):
        await tenant("recall", user_id="u", query=QUERY)
    with pytest.raises(Unavailable):
        await tell(tenant, start=30)
    assert (await tenant("embeddings.get")).embedder == "hashed-1"
