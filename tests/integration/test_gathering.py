"""The duty that makes one memory of many (RULES 9): what it writes, and what a forget undoes.

| held, without a slot | then |
|---|---|
| five related facts | one `summary` in their place: they are past, and answer `as_of` and `known_at` as before |
| one of them pinned, of importance 9, archived, ended, in a slot, of another grade | it does not count |
| run again; the summary itself | nothing |
| a user who opted out | nothing |
| three related facts, and turns of more than 150 since | one summary, once |

| the summary | is |
|---|---|
| trust, confidence | that of the inputs, the lowest of theirs |
| importance, as of, category | the highest, the latest, the strictest |
| evidence | every turn that they rest on |
| the text | every sentence: a number of one input finds it |

| forgotten | then |
|---|---|
| an input | the summary goes; the other inputs are held again |
| a session that an input rests on | the same |
| the summary by its id | the inputs go with it |
| the user | all of it |

A summary that is undone gives its inputs back, and they are not gathered again.

| a run | does |
|---|---|
| stopped at any step, and run again | what one run does |
| beside a write that comes in between | works it out anew |
"""

from datetime import timedelta
from typing import Any, LiteralString

import pytest
from psycopg import sql

from muniment.records.gathering import gather, look
from muniment.worker import gather as duty
from muniment.worker.duty import as_worker
from tests.integration.curating import Curator
from tests.integration.extracting import tables
from tests.support.world import START, Tenant

DAY = timedelta(days=1)
WARES = ("12 oak doors", "grey tiles", "copper pipes", "3 lamps", "white paint")
ROWS = ("memory", "memory_version", "memory_index", "memory_derivation", "decision", "scope_state")


@pytest.fixture
def tenant(curator: Curator) -> Tenant:
    return curator.tenant


def text_of(ware: str) -> str:
    return f"The kitchen renovation needs {ware}."


async def told(tenant: Tenant, *wares: str, **more: Any) -> list[Any]:
    """A turn and a fact that cites it for each, in sessions of their own, a day apart."""
    made = []
    for at, ware in enumerate(wares):
        session = f"{ware}"
        turn = {
            "turn": 0,
            "role": "user",
            "content": text_of(ware),
            "occurred_at": START - (9 - at) * DAY,
        }
        await tenant("events.write", user_id="u", session_id=session, events=[turn])
        fact = {"kind": "fact", "user_id": "u", "text": text_of(ware)}
        cited = [{"session_id": session, "turn": 0}]
        made.append(await tenant("memories.remember", **(fact | {"evidence": cited} | more)))
    return made


async def run(curator: Curator, after: timedelta = DAY) -> int:
    curator.service.clock.moment = max(curator.service.clock.moment, START + after)
    return await duty.run_once(curator.worker.world)


async def held(tenant: Tenant, **more: Any) -> list[Any]:
    return list((await tenant("memories.list", user_id="u", **more)).items)


async def test_five_become_one(curator: Curator, tenant: Tenant) -> None:
    inputs = await told(tenant, *WARES)
    then = START + timedelta(hours=1)
    assert await run(curator) == 1
    (entry,) = (await tenant("audit.list", operation="worker.gather")).items
    assert entry.detail == {"summaries": 1, "inputs": 5}
    (summary,) = await held(tenant)
    assert (summary.kind, summary.trust, summary.confidence) == ("summary", "user_stated", 0.9)
    assert (summary.importance, summary.as_of) == (5, START - 5 * DAY)
    assert summary.text.startswith("23 May 2026: The kitchen renovation needs 12 oak doors. 24 May")
    assert {e.session_id for e in summary.evidence} == set(WARES)
    # What was current is past, and answers for its time on both axes.
    for made in inputs:
        item = await tenant("memories.get", id=made.id)
        assert (item.status, item.valid_to) == ("superseded", summary.valid_from)
    for moments in ({"as_of": then}, {"as_of": then, "known_at": then}):
        past = await held(tenant, **moments)
        assert {item.id for item in past} == {made.id for made in inputs}
    found = await tenant("recall", user_id="u", query="How many oak doors does it need?")
    assert summary.id in {item.id for item in found.items}
    derived = curator.query("SELECT memory_id, source_id FROM muniment.memory_derivation")
    assert set(derived) == {(summary.id, made.id) for made in inputs}
    (version,) = (await tenant("memories.history", id=summary.id)).versions
    assert [(d.outcome, d.rule) for d in version.decisions] == [("superseded", "many_into_one")]


async def test_again_changes_nothing(curator: Curator, tenant: Tenant) -> None:
    await told(tenant, *WARES)
    assert await run(curator) == 1
    before = tables(curator.database, tenant, *ROWS)
    assert await run(curator) == 0
    assert tables(curator.database, tenant, *ROWS) == before
    await told(tenant, "brass taps")
    assert await run(curator) == 0
    assert len(await held(tenant)) == 2


@pytest.mark.parametrize(
    "change",
    [
        "pinned = true",
        "importance = 9",
        "archived = true",
        "trust = 'agent_inferred'",
        "standing = 'contested'",
        "valid = tstzrange(lower(valid), lower(valid) + interval '1 day')",
        "expires_at = lower(recorded) + interval '1 hour'",
    ],
)
async def test_what_does_not_count(curator: Curator, tenant: Tenant, change: LiteralString) -> None:
    await told(tenant, *WARES)
    one = " WHERE version_id = (SELECT version_id FROM muniment.memory_version ORDER BY 1 LIMIT 1)"
    curator.query(sql.SQL("UPDATE muniment.memory_version SET ") + sql.SQL(change) + sql.SQL(one))
    assert await run(curator) == 0


async def test_who_opted_out(curator: Curator, tenant: Tenant) -> None:
    await told(tenant, *WARES)
    await tenant("users.opt_out", user_id="u")
    assert await run(curator) == 0


async def test_the_lowest_and_the_strictest(curator: Curator, tenant: Tenant) -> None:
    await told(tenant, *WARES)
    curator.query(
        "UPDATE muniment.memory_version SET confidence = 0.7, importance = 8, category = 'regulated'"
        " WHERE version_id = (SELECT version_id FROM muniment.memory_version ORDER BY 1 LIMIT 1)"
    )
    assert await run(curator) == 1
    ((category, confidence, importance),) = curator.query(
        "SELECT v.category, v.confidence, v.importance FROM muniment.memory_version v JOIN muniment.memory m"
        " USING (tenant_id, scope_id, memory_id) WHERE m.kind = 'summary'"
    )
    assert (category, confidence, importance) == ("regulated", 0.7, 8)


async def test_much_was_said(curator: Curator, tenant: Tenant) -> None:
    await told(tenant, *WARES[:3])
    assert await run(curator) == 0
    turns = [
        {
            "turn": at,
            "role": "user",
            "content": f"I bought lot {at} in Gouda.",
            "occurred_at": START,
        }
        for at in range(40)
    ]
    await tenant("events.write", user_id="u", session_id="lots", events=turns)
    ((weight,),) = curator.query("SELECT sum(importance)::int FROM muniment.event WHERE kept")
    assert weight > 150
    assert await run(curator) == 1
    (summary,) = await held(tenant)
    assert summary.kind == "summary"
    # What was summed up does not count again.
    await told(tenant, "brass taps", "slate", "grout")
    assert await run(curator) == 0


# Forgetting --------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["id", "session"])
async def test_an_input_is_forgotten(curator: Curator, tenant: Tenant, by: str) -> None:
    first, *others = await told(tenant, *WARES)
    await run(curator)
    (summary,) = await held(tenant)
    given = {"ids": [first.id]} if by == "id" else {"session_id": WARES[0]}
    await tenant("forget", user_id="u", **given)
    now = await held(tenant)
    assert {item.id for item in now} == {made.id for made in others}
    assert {item.status for item in now} == {"active"}
    assert not [one for one in await held(tenant, as_of=START + 2 * DAY) if one.id == summary.id]
    assert "oak" not in str(tables(curator.database, tenant, "memory"))
    found = await tenant("recall", user_id="u", query="Which tiles does the kitchen need?")
    assert others[0].id in {item.id for item in found.items}
    last = (await tenant("memories.history", id=others[0].id)).versions[-1]
    assert [d.rule for d in last.decisions] == ["given_back"]
    # With one more there are enough again.
    await told(tenant, "brass taps")
    assert await run(curator) == 1


async def test_the_summary_is_undone(curator: Curator, tenant: Tenant) -> None:
    inputs = await told(tenant, *WARES)
    await run(curator)
    (summary,) = await held(tenant)
    await tenant("memories.undo", id=summary.id)
    assert {item.id for item in await held(tenant)} == {made.id for made in inputs}
    assert await run(curator, 2 * DAY) == 0


async def test_the_summary_is_forgotten(curator: Curator, tenant: Tenant) -> None:
    await told(tenant, *WARES)
    await run(curator)
    (summary,) = await held(tenant)
    receipt = await tenant("forget", user_id="u", ids=[summary.id])
    assert receipt.counts["memory"] == 6
    assert tables(curator.database, tenant, "memory", "memory_derivation") == {
        "memory": [],
        "memory_derivation": [],
    }


async def test_the_user_is_forgotten(curator: Curator, tenant: Tenant) -> None:
    await told(tenant, *WARES)
    await run(curator)
    await tenant("forget", user_id="u")
    assert set(map(len, tables(curator.database, tenant, *ROWS).values())) == {0}


# Runs --------------------------------------------------------------------------------------------


class Stop(Exception):
    """What a drill raises."""


class StopAt:
    """A drill that stops a run at a step."""

    def __init__(self, point: str) -> None:
        self.point = point

    def reached(self, point: str) -> None:
        if point == self.point:
            raise Stop


@pytest.mark.parametrize("point", ["gathering.read", "gathering.one", "gathering.committed"])
async def test_a_run_that_is_stopped(curator: Curator, tenant: Tenant, point: str) -> None:
    await told(tenant, *WARES)
    drill = curator.worker.world.drill
    object.__setattr__(curator.worker.world, "drill", StopAt(point))
    with pytest.raises(Stop):
        await run(curator)
    object.__setattr__(curator.worker.world, "drill", drill)
    assert await run(curator) == (point != "gathering.committed")
    (summary,) = await held(tenant)
    assert summary.kind == "summary"
    assert len(curator.query("SELECT * FROM muniment.memory_derivation")) == 5


async def test_a_write_that_comes_in_between(curator: Curator, tenant: Tenant) -> None:
    await told(tenant, *WARES)
    curator.service.clock.advance(days=1)
    ((scope_id,),) = curator.query("SELECT scope_id FROM muniment.scope")
    async with as_worker(curator.worker.world, tenant.tenant_id) as ctx:
        found = await look(ctx, scope_id)
    assert len(found.gathered) == 1
    await tenant("memories.remember", kind="fact", user_id="u", text="Has a cat.")
    async with as_worker(curator.worker.world, tenant.tenant_id) as ctx:
        assert await gather(ctx, found) is None
    assert await run(curator) == 1
