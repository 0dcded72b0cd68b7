"""What was imported answers as what was exported: 200 recalls, and 200 questions on both clocks.

| asked | at |
|---|---|
| recall, of the user alone | twenty questions, at each of ten moments |
| list, profile, recall | a moment of the world and one of the record, drawn at random |
| history | every memory |

Scores to two millionths: the last digit of a sum hangs on the order of rows, which an import may
change.
"""

import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from muniment.postgres.embedded import ADMIN
from tests.integration.moving import CITIES, bring, export, live
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

pytestmark = pytest.mark.long

QUESTIONS = (
    *(f"When did I live in {city}?" for city in CITIES),
    "Where do I live?", "What is my cat called?", "Does Miep like herring?", "Which city?", "oboe",
    "What am I allergic to?", "bicycle", "When does Acme renew?", "When does Apex renew?", "choir",
    "What do I play on Sundays?", "Rome", "What colour is the bicycle?", "Who is Nora?", "nuts",
)  # fmt: skip
RECALLS, BITEMPORAL = 200, 200


def plain(answer: Any) -> tuple[dict[str, Any], list[float]]:
    """An answer without the id that each recall has of its own; its scores."""
    told = {name: value for name, value in vars(answer).items() if name != "recall_id"}
    items = told.get("items", ())
    scores: list[float] = []
    for one in items:
        score, parts = getattr(one, "score", None), getattr(one, "score_parts", None)
        scores += [] if score is None else [score]
        scores += [] if parts is None else vars(parts).values()
    if scores:
        told["items"] = [replace(one, score=None, score_parts=None) for one in items]
    return told, scores


async def both(tenants: tuple[Tenant, Tenant], operation: str, **asked: Any) -> int:
    """Ask both tenants; they answer the same. How much they answer."""
    (here, scores), (there, others) = [
        plain(await tenant(operation, **asked)) for tenant in tenants
    ]
    assert here == there, (operation, asked)
    assert scores == pytest.approx(others, abs=2e-6), (operation, asked)
    return len(here.get("items", ()))


def moment(chance: random.Random, service: Local) -> datetime:
    """Some moment from before the first turn to now."""
    first = START - timedelta(days=60)
    return first + chance.random() * (service.clock.now() - first)


async def moved(service: Local, worker: Local, database: Database) -> tuple[Tenant, Tenant]:
    """Two tenants: where a user lived, and where they went."""
    here = await service.tenant("here")
    await live(here, worker, database)
    there = await service.tenant("there")
    await bring(there, await export(here))
    with database.connect(ADMIN) as admin:
        scopes = admin.execute(
            "SELECT scope_id FROM muniment.scope WHERE tenant_id = %s", [here.tenant_id]
        ).fetchall()
    for (scope_id,) in scopes:
        # Both are read from the database: a cached index may know less of what was used since.
        service.world.indexes.discard(here.tenant_id, scope_id)
    return here, there


async def test_the_same_recalls(service: Local, worker: Local, database: Database) -> None:
    tenants = await moved(service, worker, database)
    chance, found = random.Random(7), 0
    for number in range(RECALLS):
        asked = {"user_id": "u", "query": QUESTIONS[number % len(QUESTIONS)], "k": 5 + number % 7}
        if number >= RECALLS // 2:
            asked["as_of"] = moment(chance, service)
        found += await both(tenants, "recall", **asked)
    assert found > RECALLS


async def test_the_same_on_both_clocks(service: Local, worker: Local, database: Database) -> None:
    tenants = await moved(service, worker, database)
    chance, found, asked_for = random.Random(11), 0, 0
    with database.connect(ADMIN) as admin:
        marks = [
            at
            for (at,) in admin.execute(
                "SELECT DISTINCT lower(recorded) FROM muniment.memory_index WHERE tenant_id = %s ORDER BY 1",
                [tenants[0].tenant_id],
            )
        ]
        memories = admin.execute(
            "SELECT memory_id FROM muniment.memory WHERE tenant_id = %s", [tenants[1].tenant_id]
        ).fetchall()
    for (memory_id,) in memories:
        await both(tenants, "memories.history", id=memory_id)
    for number in range(BITEMPORAL):
        when = {"as_of": moment(chance, service), "known_at": chance.choice(marks)}
        operation = ("memories.list", "recall", "profile.get")[number % 3]
        asked = {"user_id": "u", **when}
        if operation == "recall":
            asked |= {"query": chance.choice(QUESTIONS)}
        if operation == "memories.list":
            asked |= {"tiers": ["episodic", "semantic"]}
        found += await both(tenants, operation, **asked)
        asked_for += 1
    assert len(memories) > 10
    assert found > asked_for
