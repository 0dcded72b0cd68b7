"""The duty that removes what is past its time (RULES 1.6, 6).

| past its time | removed | stays |
|---|---|---|
| a turn | with its row of the index, its place in a summary and its clock of use | the memory that cites it, with session and turn as evidence |
| a summary | the same | |
| the only version of a memory | the memory with all that is its own | |
| the version that is held, others are older | the memory as a whole | |
| an old version, the memory lives on | that version | the memory |
| a finding | 180 days later | till then, for no read but planning |
| what an incumbent was | the memory | what it contested becomes held |
| working memory, recalls of 90 days ago, failures of jobs of 30 | yes | younger ones |
| a closed session without contents | the session | one on which a memory rests |

| a run | does |
|---|---|
| again | nothing |
| with more than fits a transaction | the same in several |
| after a kill anywhere | what is left |
| where a scope is forgotten meanwhile | the others |
| on a schema that does not count yet | nothing |

| due in a tenant of 100 | the pass |
|---|---|
| 50 | goes on |
| 51, a clock that jumped | stops before anything goes; readiness, a metric and `passes.show` tell |
| 51, the clock is right again | goes on |
| 51, released | goes on, and tells no more |
| 51, released, and 51 more are due later | stops anew |
| another tenant's 51 | does not concern it |

Only a stopped pass can be released. `passes.release` is the operator's; an entry tells what a pass did.
"""

from datetime import timedelta
from typing import Any

import pytest
from psycopg import sql

from muniment.errors import Conflict, Forbidden, NotFound
from muniment.postgres.checks import passes_problem
from muniment.postgres.embedded import ADMIN, APP
from muniment.postgres.schema_state import SchemaState
from muniment.postgres.watched import stopped_passes
from muniment.worker import expire
from tests.integration.curating import Curator
from tests.support.world import START, Tenant

DAY = timedelta(days=1)
OF_A_MEMORY = ("memory", "memory_version", "memory_evidence", "decision", "memory_index", "access")


@pytest.fixture
def tenant(curator: Curator) -> Tenant:
    return curator.tenant


def counts(curator: Curator, *tables: str) -> dict[str, int]:
    count = sql.SQL("SELECT count(*) FROM {}")
    return {
        name: curator.query(count.format(sql.Identifier("muniment", name)))[0][0] for name in tables
    }


async def run(curator: Curator, after: timedelta, **more: Any) -> int:
    """The duty so long after the start."""
    curator.service.clock.moment = START + after
    return await expire.run_once(curator.worker.world, **more)


async def say(tenant: Tenant, *contents: str, session: str = "s", **more: Any) -> None:
    turns = [
        {"turn": at, "role": "user", "content": content, "occurred_at": START}
        for at, content in enumerate(contents)
    ]
    await tenant("events.write", user_id="u", session_id=session, events=turns, **more)


async def test_a_memory_does_not_die_with_its_turns(curator: Curator, tenant: Tenant) -> None:
    await curator.session("I live in Gouda.", at=START)
    await tenant("recall", user_id="u", query="Where do I live?")
    await curator.service.recalls.flush()
    assert await run(curator, 180 * DAY) == 1
    assert counts(curator, "event", "episode_source") == {"event": 0, "episode_source": 0}
    (item,) = (await tenant("memories.list", user_id="u")).items
    assert (item.slot, item.value) == ("city", "Gouda")
    assert [(e.session_id, e.turn) for e in item.evidence] == [("s0", 0)]
    # The summary was recorded after the turn.
    assert await run(curator, 181 * DAY) == 1
    assert counts(curator, "episode", "session") == {"episode": 0, "session": 1}
    assert {row[0] for row in curator.query("SELECT tier FROM muniment.memory_index")} == {
        "semantic"
    }
    (used,) = curator.query("SELECT item_id FROM muniment.access")
    assert used == (item.id,)


async def test_a_memory_with_all_that_is_its_own(curator: Curator, tenant: Tenant) -> None:
    made = await tenant(
        "memories.remember", kind="user_preference", user_id="u", text="Likes trains.", subject="Bo"
    )
    await tenant("recall", user_id="u", query="Who likes trains?")
    await curator.service.recalls.flush()
    assert await run(curator, 365 * DAY - timedelta(microseconds=1)) == 0
    assert await run(curator, 365 * DAY) == 1
    assert set(counts(curator, *OF_A_MEMORY).values()) == {0}
    assert curator.query("SELECT name FROM muniment.entity WHERE kind <> 'self'") == []
    assert curator.query("SELECT items, bytes FROM muniment.scope_state") == [(0, 0)]
    with pytest.raises(NotFound):
        await tenant("memories.get", id=made.id)


async def test_older_versions_go_with_the_one_that_is_held(
    curator: Curator, tenant: Tenant
) -> None:
    told = {"kind": "finding", "user_id": "u", "text": "Sales fell."}
    await tenant("memories.remember", **told)
    curator.service.clock.advance(days=60)
    await tenant("memories.remember", **told)
    assert counts(curator, "memory", "memory_version") == {"memory": 1, "memory_version": 2}
    # The older version is over its time and its grace; the memory lives on.
    assert await run(curator, 270 * DAY) == 1
    assert counts(curator, "memory", "memory_version") == {"memory": 1, "memory_version": 1}
    assert await run(curator, 330 * DAY) == 1
    assert counts(curator, "memory", "memory_version") == {"memory": 0, "memory_version": 0}


async def test_a_finding_has_its_grace(curator: Curator, tenant: Tenant) -> None:
    made = await tenant("memories.remember", kind="finding", user_id="u", text="Sales fell.")
    for days in (90, 269):
        assert await run(curator, days * DAY) == 0
        with pytest.raises(NotFound):
            await tenant("memories.get", id=made.id)
    assert counts(curator, "memory") == {"memory": 1}
    assert await run(curator, 270 * DAY) == 1
    assert counts(curator, "memory") == {"memory": 0}


async def test_what_was_contested_by_it(curator: Curator, tenant: Tenant) -> None:
    await say(tenant, "I have 12 in stock.")
    cited = [{"session_id": "s", "turn": 0}]
    told = {"kind": "fact", "user_id": "u", "slot": "stock"}
    await tenant("memories.remember", **told, text="12 in stock.", value="12", evidence=cited)
    made = await tenant("memories.remember", **told, text="9 in stock.", value="9")
    assert made.outcome == "contested"
    curator.query(
        "UPDATE muniment.memory_version SET expires_at = observed_at + interval '10 days' WHERE standing = 'asserted'"
    )
    assert await run(curator, 10 * DAY) == 1
    assert (await tenant("memories.get", id=made.id)).status == "active"


async def test_what_is_no_part_of_a_record(curator: Curator, tenant: Tenant) -> None:
    place = {"user_id": "u", "session_id": "s"}
    await tenant("working.put", **place, key="k", value=1)
    await tenant("recall", user_id="u", query="Where?")
    await curator.service.recalls.flush()
    with curator.database.connect(ADMIN) as admin:
        for number, age in enumerate((30, 29)):
            admin.execute(
                "INSERT INTO muniment.job_failure VALUES (%s, %s, 1, 'unavailable', %s)",
                [tenant.tenant_id, number, START + (90 - age) * DAY],
            )
    await run(curator, DAY - timedelta(microseconds=1))
    small = ("working_item", "recall_log", "job_failure")
    assert counts(curator, *small) == dict(zip(small, (1, 1, 2), strict=True))
    await run(curator, DAY)
    assert counts(curator, *small) == dict(zip(small, (0, 1, 2), strict=True))
    await run(curator, 90 * DAY)
    assert counts(curator, *small) == dict(zip(small, (0, 0, 1), strict=True))


async def test_sessions_of_which_nothing_is_left(curator: Curator, tenant: Tenant) -> None:
    await curator.session("I live in Gouda.", at=START)
    await curator.session("Good morning!", at=START)
    await say(tenant, "Thanks!", session="open")
    await run(curator, 200 * DAY)
    left = curator.query("SELECT session_id FROM muniment.session ORDER BY 1")
    assert left == [("open",), ("s0",)]


async def test_again_and_in_small_steps(curator: Curator, tenant: Tenant) -> None:
    await say(tenant, *[f"I saw heron number {number} in Gouda." for number in range(7)])
    other = await curator.other()
    await say(other.tenant, "I live in Breda.")
    assert await run(curator, 180 * DAY, at_once=3) == 8
    assert counts(curator, "event", "memory_index") == {"event": 0, "memory_index": 0}
    entries = curator.query(
        "SELECT sum((detail ->> 'events')::int) FROM muniment.audit_entry WHERE operation = 'worker.expire'"
    )
    assert entries == [(8,)]
    rows = "SELECT xmin::text, r::text FROM muniment.scope_state r ORDER BY 2"
    before = curator.query(rows)
    assert await run(curator, 180 * DAY) == 0
    assert curator.query(rows) == before


async def test_nothing_on_a_schema_that_does_not_count(curator: Curator, tenant: Tenant) -> None:
    await say(tenant, "I live in Gouda.")
    object.__setattr__(curator.worker.world, "schema", SchemaState(1))
    assert await run(curator, 180 * DAY) == 0
    assert counts(curator, "event") == {"event": 1}


# How much may go at once -----------------------------------------------------------------------


async def fill(tenant: Tenant, turns: int, *, session: str = "s") -> None:
    await say(tenant, *[f"I saw heron {n} near Gouda." for n in range(turns)], session=session)


async def facts(tenant: Tenant, count: int) -> None:
    for number in range(count):
        await tenant("memories.remember", kind="fact", user_id="u", text=f"Fact {number} of all.")


async def stopped(curator: Curator) -> tuple[int, str | None]:
    """What a metric and readiness tell."""
    watched = stopped_passes(curator.service.world.units)
    await watched.refresh()
    with curator.database.connect(APP) as connection:
        return int(watched.value), passes_problem(connection)


async def test_fifty_go(curator: Curator, tenant: Tenant) -> None:
    await fill(tenant, 50)
    await facts(tenant, 50)
    assert await run(curator, 180 * DAY) == 50
    assert await stopped(curator) == (0, None)
    assert (await tenant("passes.show")).passes == ()


async def test_a_clock_that_jumped(curator: Curator, tenant: Tenant) -> None:
    await fill(tenant, 51)
    await facts(tenant, 49)
    await tenant("working.put", user_id="u", session_id="s", key="k", value=1)
    other = await curator.other()
    await fill(other.tenant, 3)
    assert await run(curator, 180 * DAY) == 3
    assert counts(curator, "event", "working_item") == {"event": 51, "working_item": 1}
    count, problem = await stopped(curator)
    assert (count, problem is not None) == (1, True)
    (shown,) = (await tenant("passes.show")).passes
    assert (shown.duty, shown.stopped_at) == ("expire", START + 180 * DAY)
    assert (shown.due, shown.held, shown.released_through) == (51, 100, None)
    assert (await other.tenant("passes.show")).passes == ()
    # The clock is right again: nothing is due, and nothing alarms.
    assert await run(curator, DAY) == 0
    assert counts(curator, "event", "working_item") == {"event": 51, "working_item": 0}
    assert await stopped(curator) == (0, None)


async def test_an_operator_lets_it_go_on(curator: Curator, tenant: Tenant) -> None:
    await fill(tenant, 51)
    curator.service.clock.advance(days=1)
    await fill(tenant, 51, session="later")
    assert await run(curator, 180 * DAY) == 0
    released = await tenant("passes.release", duty="expire")
    assert released.released_through == START + 180 * DAY
    assert await stopped(curator) == (0, None)
    assert await run(curator, 180 * DAY) == 51
    (shown,) = (await tenant("passes.show")).passes
    assert shown.stopped_at is None
    # What is due since then counts anew.
    assert await run(curator, 181 * DAY) == 0
    assert (await stopped(curator))[0] == 1
    await tenant("passes.release", duty="expire")
    assert await run(curator, 181 * DAY) == 51
    with pytest.raises(Conflict):
        await tenant("passes.release", duty="expire")


async def test_a_clock_that_was_ahead_when_it_was_released(
    curator: Curator, tenant: Tenant
) -> None:
    await fill(tenant, 51)
    await run(curator, 180 * DAY)
    curator.service.clock.moment = START
    released = await tenant("passes.release", duty="expire")
    assert released.released_through == START
    assert await run(curator, 180 * DAY) == 0


async def test_who_may_release(curator: Curator, tenant: Tenant) -> None:
    await fill(tenant, 51)
    await run(curator, 180 * DAY)
    key = await tenant.key_for(verbs=["read", "write", "forget"], layers=["episodic", "semantic"])
    for operation, given in (("passes.show", {}), ("passes.release", {"duty": "expire"})):
        with pytest.raises(Forbidden):
            await tenant(operation, _as=key, **given)
    with pytest.raises(Conflict):
        await tenant("passes.release", duty="decay")
