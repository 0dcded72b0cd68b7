"""Forgetting what was drawn from a conversation, and what it stood in the way of (RULES 15).

| forgotten | then |
|---|---|
| the session | its memories and the record of what was decided on go |
| one of its turns | what rests on it alone goes with what was decided on it; the rest stays |
| one of its turns, and the job runs again | nothing that rested on it comes back, nothing else is drawn |
| a memory, and the session goes on | it does not come back |
| the user, while the job waits | nothing comes back |
| what a contested value was contested by | it is held; with another one against it, it is not |
| ... of the organisation | the same |
"""

from typing import Any
from uuid import UUID

import pytest

from muniment.worker import consolidate
from tests.integration.extracting import (
    DAY,
    held,
    place_of,
    say,
    tables,
    texts,
    work,
)
from tests.integration.forgetting import counts, difference, mentions
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

SAID = ("I live in Gouda.", "I'm allergic to peanuts.", "I always want weekly grain, not daily.")


async def test_a_session(database: Database, worker: Local, tenant: Tenant) -> None:
    await say(tenant, *SAID)
    await work(database, worker, tenant)
    before = counts(database, tenant)
    assert before["extraction"] == 3
    dry = await tenant("forget", user_id="u", session_id="s", dry_run=True)
    done = await tenant("forget", user_id="u", session_id="s")
    assert done.counts == dry.counts == difference(before, counts(database, tenant))
    assert done.counts["extraction"] == 3
    assert await held(tenant) == []


async def test_a_turn(database: Database, service: Local, worker: Local, tenant: Tenant) -> None:
    await say(tenant, *SAID)
    await work(database, worker, tenant)
    before = counts(database, tenant)
    target: dict[str, Any] = {"user_id": "u", "filter": {"session_id": "s", "turn": 1}}
    dry = await tenant("forget", **target, dry_run=True)
    done = await tenant("forget", **target)
    assert done.counts == dry.counts == difference(before, counts(database, tenant))
    assert done.counts["extraction"] == 1
    left = await held(tenant)
    assert {item.slot for item in left} == {"city", None}
    assert mentions(database, tenant, "peanuts") == []
    # The job that makes the summary anew draws nothing from the turns that it has read before.
    worker.clock.moment = service.clock.advance(hours=1)
    await work(database, worker, tenant)
    assert [item.id for item in await held(tenant)] == [item.id for item in left]


async def test_a_memory_does_not_come_back(
    database: Database, service: Local, worker: Local, tenant: Tenant
) -> None:
    await say(tenant, *SAID)
    await work(database, worker, tenant)
    (city,) = [item for item in await held(tenant) if item.slot == "city"]
    await tenant("forget", user_id="u", ids=[city.id])
    worker.clock.moment = service.clock.advance(hours=1)
    await say(tenant, "Never contact me by phone.", start=10)
    await work(database, worker, tenant)
    assert {item.slot for item in await held(tenant)} == {"allergy", "do_not_contact", None}


async def test_the_user_while_the_job_waits(
    database: Database, worker: Local, tenant: Tenant
) -> None:
    await say(tenant, *SAID)
    place = place_of(database, tenant)
    await tenant("sessions.close", user_id="u", session_id="s")
    await tenant("forget", user_id="u")
    assert not await consolidate.run_once(worker.world, tenant.tenant_id, *place)
    left = tables(database, tenant, "memory", "extraction", "episode", "event", "scope")
    assert all(rows == [] for rows in left.values())


async def remember(tenant: Tenant, value: str, *cited: int, **more: Any) -> UUID:
    """A city that rests on these turns."""
    told: dict[str, Any] = {
        "kind": "fact", "user_id": "u", "slot": "city", "value": value,
        "text": f"Lives in {value}.", "evidence": [{"session_id": "s", "turn": at} for at in cited],
    }  # fmt: skip
    return UUID(str((await tenant("memories.remember", **(told | more))).id))


@pytest.mark.parametrize("target", ["memory", "turn", "session"])
async def test_what_is_not_disputed_any_more(
    database: Database, service: Local, tenant: Tenant, target: str
) -> None:
    await say(tenant, "I live in Gouda.")
    gouda = await remember(tenant, "Gouda", 0)
    service.clock.advance(minutes=1)
    delft = await remember(tenant, "Delft", valid_from=START - DAY)
    (item,) = await held(tenant, standing=["asserted"])
    assert (item.value, item.contested_by) == ("Gouda", (delft,))
    targets: dict[str, dict[str, Any]] = {
        "memory": {"ids": [gouda]},
        "turn": {"filter": {"session_id": "s", "turn": 0}},
        "session": {"session_id": "s"},
    }
    await tenant("forget", user_id="u", **targets[target])
    (now,) = await held(tenant)
    assert (now.id, now.value, now.status, now.trust) == (
        delft,
        "Delft",
        "active",
        "agent_inferred",
    )
    found = await tenant("recall", user_id="u", query="Which city?", tiers=["semantic"])
    assert [one.value for one in found.items] == ["Delft"]
    history = (await tenant("memories.history", id=delft)).versions
    assert history[-1].decisions[0].rule == "not_disputed_any_more"


async def test_what_another_value_still_stands_against(
    database: Database, service: Local, tenant: Tenant
) -> None:
    await say(tenant, "I live in Gouda.", "I live in Breda.")
    gouda = await remember(tenant, "Gouda", 0)
    service.clock.advance(minutes=1)
    await remember(tenant, "Breda", 1)
    service.clock.advance(minutes=1)
    await remember(tenant, "Delft", valid_from=START - DAY)
    await tenant("forget", user_id="u", ids=[gouda])
    assert sorted((one.value, one.status) for one in await held(tenant)) == [
        ("Breda", "active"),
        ("Delft", "contested"),
    ]


async def test_of_the_organisation(database: Database, worker: Local, tenant: Tenant) -> None:
    """A fault of the data that two users told of stays when one of them is forgotten."""
    for user in ("u", "v"):
        await say(
            tenant, "The orders_daily table is missing rows since 3 May.", user=user, session=user
        )
        await work(database, worker, tenant, user)
    (item,) = await held(tenant, None)
    assert {e.session_id for e in item.evidence} == {"u", "v"}
    await tenant("forget", user_id="u")
    (left,) = await held(tenant, None)
    assert [e.session_id for e in left.evidence] == ["v"]
    await tenant("forget", user_id="v")
    assert await texts(tenant, None) == []
