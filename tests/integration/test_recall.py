"""recall against the database (RULES 1.3, 9, 11).

| rule | shown by |
|---|---|
| filters decide before ranking, with the grammar of 11.4 | a filter that admits one of many finds it however low it ranks |
| an answer can be asked again | watermark as known_at gives the same set after later writes |
| without evidence it abstains | unknown user, empty store, foreign question |
| only live reads move the clock of use | recall and profile do; list, get, as_of and known_at do not |
| with a run the log commits with the answer; without it follows | recall_log rows |
"""

from datetime import timedelta
from typing import Any

import pytest

from muniment.errors import InvalidInput
from muniment.postgres.embedded import ADMIN
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant


async def fill(tenant: Tenant, count: int = 40, user: str = "u") -> None:
    """Turns that all speak of trains, one of them with metadata."""
    events = [
        {
            "turn": number,
            "role": "user",
            "content": f"The train to city number {number} was late again, as I told you.",
            "occurred_at": START - timedelta(days=count - number),
            "metadata": {"line": number % 7, "special": number == 3},
            "data_source": "rail" if number % 2 else "road",
        }
        for number in range(count)
    ]
    await tenant("events.write", user_id=user, session_id="s", events=events)


async def turns(tenant: Tenant, **more: Any) -> list[int]:
    """The turns that recall cites, best first."""
    view = await tenant("recall", **({"user_id": "u", "query": "Which train was late?"} | more))
    return [one.turn for item in view.items for one in item.evidence]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ({"metadata.special": True}, {3}),
        ({"metadata.line": 3, "data_source": "rail"}, {3, 17, 31}),
        ({"turn": {"$lt": 2}}, {0, 1}),
        ({"$or": [{"turn": 5}, {"turn": {"$in": [7, 9]}}]}, {5, 7, 9}),
        ({"$not": {"turn": {"$gte": 1}}}, {0}),
        ({"as_of": {"$gt": (START - timedelta(days=2)).isoformat()}}, {39}),
        ({"role": {"$ne": "user"}}, set()),
        ({"metadata.missing": {"$exists": True}}, set()),
        ({"metadata.special": "true"}, set()),
        ({"session_id": "s' OR '1'='1"}, set()),
    ],
)
async def test_filters_come_first(
    tenant: Tenant, expression: dict[str, Any], expected: set[int]
) -> None:
    await fill(tenant)
    assert set(await turns(tenant, filter=expression, k=100)) == expected


@pytest.mark.parametrize(
    ("expression", "pointer"),
    [
        ({"tenant_id": "x"}, "/filter/tenant_id"),
        ({"metadata": {}}, "/filter/metadata"),
        ({"turn": {"$regex": "x"}}, "/filter/turn/$regex"),
        ({"turn": "7"}, "/filter/turn"),
        ({"as_of": "yesterday"}, "/filter/as_of"),
        ({"as_of": {"$gt": "2026-01-01T00:00:00"}}, "/filter/as_of/$gt"),
        ({"$and": {}}, "/filter/$and"),
        ({"$or": []}, "/filter/$or"),
        ({"$where": "1"}, "/filter/$where"),
        ({"a/b": 1}, "/filter/a~1b"),
    ],
)
async def test_filters_that_are_none(
    tenant: Tenant, expression: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        await turns(tenant, filter=expression)
    assert [fault.pointer for fault in caught.value.faults] == [pointer]


async def test_tiers_kinds_and_sources(tenant: Tenant) -> None:
    await fill(tenant)
    await tenant(
        "memories.remember",
        kind="user_preference",
        text="Prefers the train that is not late.",
        user_id="u",
    )
    view = await tenant("recall", user_id="u", query="Which train was late?", tiers=["semantic"])
    assert {item.tier for item in view.items} == {"semantic"}
    view = await tenant("recall", user_id="u", query="Which train was late?", kinds=["event"])
    assert {item.kind for item in view.items} == {"event"}
    cited = await turns(tenant, data_source="road", k=100)
    assert cited
    assert not any(number % 2 for number in cited)


async def test_k_bounds_the_answer(tenant: Tenant) -> None:
    await fill(tenant)
    view = await tenant("recall", user_id="u", query="Which train was late?", k=3)
    assert len(view.items) == 3
    scores = [item.score for item in view.items]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= part <= 1 for item in view.items for part in vars(item.score_parts).values())


@pytest.mark.parametrize("query", ["What is my shoe size?", "Who won the chess championship?"])
async def test_without_evidence_it_abstains(tenant: Tenant, query: str) -> None:
    nobody = await tenant("recall", user_id="nobody", query=query)
    assert (nobody.abstained, nobody.items) == (True, ())
    await fill(tenant)
    view = await tenant("recall", user_id="u", query=query)
    assert (view.abstained, view.items) == (True, ())


async def test_an_answer_can_be_asked_again(service: Local, tenant: Tenant) -> None:
    await fill(tenant, 10)
    first = await tenant("recall", user_id="u", query="Which train was late?", k=100)
    service.clock.advance(minutes=5)
    await tenant(
        "events.write",
        user_id="u",
        session_id="t",
        events=[
            {
                "turn": 1,
                "role": "user",
                "content": "The night train was late.",
                "occurred_at": START,
            }
        ],
    )
    now = await tenant("recall", user_id="u", query="Which train was late?", k=100)
    again = await tenant(
        "recall", user_id="u", query="Which train was late?", k=100, known_at=first.watermark
    )
    assert {item.id for item in again.items} == {item.id for item in first.items}
    assert len(now.items) == len(first.items) + 1


async def test_what_happens_later_is_not_there_yet(tenant: Tenant) -> None:
    await fill(tenant, 10)
    assert set(await turns(tenant, as_of=START - timedelta(days=8), k=100)) == {0, 1, 2}


async def uses(database: Database, tenant: Tenant) -> int:
    """How often items of the tenant were used."""
    with database.connect(ADMIN) as connection:
        row = connection.execute(
            "SELECT coalesce(sum(count), 0)::int FROM muniment.access WHERE tenant_id = %s",
            [tenant.tenant_id],
        ).fetchone()
    assert row is not None
    return int(row[0])


async def test_only_live_reads_move_the_clock_of_use(
    database: Database, service: Local, tenant: Tenant
) -> None:
    await fill(tenant, 5)
    made = await tenant(
        "memories.remember",
        kind="fact",
        text="The city is Rome.",
        user_id="u",
        slot="city",
        value="Rome",
    )
    await tenant("memories.list", user_id="u")
    await tenant("memories.get", id=made.id)
    await tenant("profile.get", user_id="u", as_of=START)
    await turns(tenant, as_of=START)
    await turns(tenant, known_at=START)
    await service.recalls.flush()
    assert await uses(database, tenant) == 0
    await turns(tenant, k=2)
    await service.recalls.flush()
    assert await uses(database, tenant) == 2
    await tenant("profile.get", user_id="u")
    await service.recalls.flush()
    assert await uses(database, tenant) == 3


async def logged(database: Database, tenant: Tenant) -> list[Any]:
    """The recall log of the tenant."""
    with database.connect(ADMIN) as connection:
        return connection.execute(
            "SELECT recall_id, run_id, step, agent_id, k, abstained, items, session_pk IS NOT NULL"
            " FROM muniment.recall_log WHERE tenant_id = %s ORDER BY at, recall_id",
            [tenant.tenant_id],
        ).fetchall()


async def test_with_a_run_the_log_commits_with_the_answer(
    database: Database, service: Local, tenant: Tenant
) -> None:
    await fill(tenant, 5)
    asked: dict[str, Any] = {"user_id": "u", "query": "Which train?", "k": 2, "session_id": "s"}
    view = await tenant("recall", **asked, run_id="r", step=4, agent_id="a")
    (row,) = await logged(database, tenant)
    assert row[:6] == (view.recall_id, "r", 4, "a", 2, False)
    assert [one["id"] for one in row[6]] == [str(item.id) for item in view.items]
    assert row[7]
    later = await tenant("recall", **asked)
    assert len(await logged(database, tenant)) == 1
    await service.recalls.flush()
    assert [one[0] for one in await logged(database, tenant)] == [view.recall_id, later.recall_id]


async def test_the_log_of_a_forgotten_user_goes_nowhere(
    database: Database, service: Local, tenant: Tenant
) -> None:
    await fill(tenant, 5)
    await turns(tenant)
    await tenant("forget", user_id="u")
    await service.recalls.flush()
    assert await logged(database, tenant) == []
    assert await uses(database, tenant) == 0
