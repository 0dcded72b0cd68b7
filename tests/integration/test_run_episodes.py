"""The episode of a closed run, and what may become of it (RULES 14.5, 15.4).

| since the close | and then | the episode |
|---|---|---|
| forgotten, by its id, its session or its user | a reviewer corrects the outcome | stays gone, held or not; the run has outcome and correction |
| past its time | the same | stays gone |
| nothing | the same | is written anew, once |
| its session is closed, consolidated, opened, written into, or takes working memory | | is as it was: WritesRefused |
| its session is marked as behind | the worker comes | is as it was |

| before the close | then |
|---|---|
| a caller has a session of its name, with turns | that stays with its summary; the episode has another name |
| its session is forgotten | closed without an episode, now and later |
| the user opted out | closed without one; opted in again, a reviewer's correction has one |
| the run moved through the stages of a machine | they are told in order |
"""

from typing import Any
from uuid import UUID

import pytest

from muniment.errors import NotFound, WritesRefused
from muniment.worker import expire
from tests.integration.curating import Curator
from tests.integration.extracting import work
from tests.integration.moving import bring, export
from tests.support.world import START, Tenant

PLACE = {"user_id": "u"}
ASKED = "Which region did billing use?"


@pytest.fixture
def tenant(curator: Curator) -> Tenant:
    return curator.tenant


async def run_of(tenant: Tenant, **more: Any) -> dict[str, Any]:
    """A run with a fact to tell of; what names it and holds it."""
    run = await tenant("runs.open", **({"agent_id": "billing", **PLACE} | more))
    held = {"run_id": run.run_id, "fence": run.fence}
    told = {"key": "region", "value": "eu-west-1", "source": "s"}
    await tenant("runs.checkpoint", **held, step=1, committed_facts=[told])
    return held


async def corrected(tenant: Tenant, run: dict[str, Any], says: str) -> Any:
    closed = await tenant("runs.close", run_id=run["run_id"], outcome="partial", correction=says)
    found = await tenant("runs.get", run_id=run["run_id"])
    assert (found.outcome, found.correction) == ("partial", says)
    return closed


async def episodes(tenant: Tenant, query: str = ASKED) -> dict[UUID, str]:
    found = await tenant("recall", **PLACE, query=query, tiers=["episodic"])
    return {item.id: item.text for item in found.items}


def turn(content: str) -> dict[str, Any]:
    return {"turn": 1, "role": "user", "content": content, "occurred_at": START}


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("what", ["id", "session", "user"])
async def test_what_was_forgotten_is_not_written_again(
    tenant: Tenant, what: str, held: bool
) -> None:
    run = await run_of(tenant)
    closed = await tenant("runs.close", **run, outcome="success")
    (episode,) = await episodes(tenant)
    hold = await tenant("holds.place", **PLACE, reason="case") if held else None
    target = {"id": {"ids": [episode]}, "session": {"session_id": closed.session_id}, "user": {}}
    await tenant("forget", **PLACE, **target[what])
    if what == "user":
        with pytest.raises(NotFound):
            await corrected(tenant, run, "Two are missing.")
    else:
        for says in ("Two are missing.", "Three are."):
            assert (await corrected(tenant, run, says)).session_id is None
    assert await episodes(tenant) == {}
    if hold is not None:
        await tenant("holds.release", hold_id=hold.hold_id, reason="over")
        assert await episodes(tenant) == {}
    if what != "user":
        assert (await corrected(tenant, run, "Four are.")).session_id is None
        assert await episodes(tenant) == {}


async def test_what_is_past_its_time_is_not_written_again(curator: Curator) -> None:
    tenant = curator.tenant
    run = await run_of(tenant)
    await tenant("policy.put", document={"retention": {"episode": {"days": {"personal": 1}}}})
    await tenant("runs.close", **run, outcome="success")
    assert len(await episodes(tenant)) == 1
    for moment in (curator.service.clock, curator.worker.clock):
        moment.advance(days=2)
    assert (await corrected(tenant, run, "Two are missing.")).session_id is None
    await expire.run_once(curator.worker.world)
    assert (await corrected(tenant, run, "Three are.")).session_id is None
    assert await episodes(tenant) == {}


async def test_it_is_written_anew(tenant: Tenant) -> None:
    run = await run_of(tenant)
    closed = await tenant("runs.close", **run, outcome="success")
    before = await episodes(tenant)
    for says in ("Two are missing.", "Three are."):
        again = await corrected(tenant, run, says)
        assert again.session_id == closed.session_id
        ((episode, text),) = (await episodes(tenant)).items()
        assert says in text
        assert episode not in before


async def test_its_session_takes_nothing_else(curator: Curator) -> None:
    tenant = curator.tenant
    run = await run_of(tenant)
    closed = await tenant("runs.close", **run, outcome="success")
    before = await episodes(tenant)
    place = {**PLACE, "session_id": closed.session_id}
    for operation, more in (
        ("sessions.close", {"outcome": "failure"}),
        ("sessions.close", {}),
        ("sessions.consolidate", {}),
        ("sessions.open", {}),
        ("sessions.open", {"no_store": True}),
        ("events.write", {"events": [turn("I live in Delft.")]}),
        ("working.put", {"key": "k", "value": 1}),
        ("analysis.report", {"data_source": "d", "battery": [{"step": "count"}]}),
    ):
        with pytest.raises(WritesRefused):
            await tenant(operation, **place, **more)
    curator.query("UPDATE muniment.session SET dirty_since = now() WHERE run_id IS NOT NULL")
    await work(curator.database, curator.worker, tenant, closed.session_id)
    assert await episodes(tenant) == before
    assert curator.query("SELECT FROM muniment.session WHERE dirty_since IS NOT NULL") == []
    session = await tenant("sessions.get", **place)
    assert (session.outcome, session.events) == ("success", 0)


async def test_its_session_is_that_of_a_run_elsewhere_too(curator: Curator) -> None:
    run = await run_of(curator.tenant)
    closed = await curator.tenant("runs.close", **run, outcome="success")
    other = (await curator.other()).tenant
    await bring(other, await export(curator.tenant))
    with pytest.raises(WritesRefused):
        await other("sessions.close", **PLACE, session_id=closed.session_id, outcome="failure")
    assert len(await episodes(other)) == 1


async def test_a_session_that_has_its_name(curator: Curator) -> None:
    tenant = curator.tenant
    run = await run_of(tenant)
    name = f"run:{run['run_id']}"
    await tenant("events.write", **PLACE, session_id=name, events=[turn("I live in Delft.")])
    await tenant("sessions.close", **PLACE, session_id=name)
    await work(curator.database, curator.worker, tenant, name)
    before = await episodes(tenant, "Who lives in Delft?")
    assert before
    closed = await tenant("runs.close", **run, outcome="success")
    assert closed.session_id.startswith(f"{name}:")
    assert (await corrected(tenant, run, "Two are missing.")).session_id == closed.session_id
    (text,) = [one for one in (await episodes(tenant)).values() if "eu-west-1" in one]
    assert "Two are missing." in text
    assert before.items() <= (await episodes(tenant, "Who lives in Delft?")).items()
    await tenant("forget", **PLACE, session_id=name)
    assert len(await episodes(tenant)) == 1


async def test_a_session_that_was_forgotten_before(tenant: Tenant) -> None:
    run = await run_of(tenant)
    name = f"run:{run['run_id']}"
    await tenant("events.write", **PLACE, session_id=name, events=[turn("I live in Delft.")])
    await tenant("forget", **PLACE, session_id=name)
    assert (await tenant("runs.close", **run, outcome="success")).session_id is None
    assert (await corrected(tenant, run, "Two are missing.")).session_id is None
    assert await episodes(tenant) == {}


async def test_a_user_who_opted_out_meanwhile(tenant: Tenant) -> None:
    run = await run_of(tenant)
    await tenant("users.opt_out", **PLACE)
    assert (await tenant("runs.close", **run, outcome="success")).session_id is None
    await tenant("users.opt_in", **PLACE)
    assert (await tenant("runs.close", **run, outcome="success")).session_id is None
    again = await corrected(tenant, run, "Two are missing.")
    assert (await tenant("sessions.get", **PLACE, session_id=again.session_id)).outcome == "partial"
    assert len(await episodes(tenant)) == 1


@pytest.mark.parametrize(
    ("first", "then", "told"), [("bc", "db", "a, b, c, d"), ("", "b", "a, b"), ("", "", "a")]
)
async def test_the_stages_of_a_machine(tenant: Tenant, first: str, then: str, told: str) -> None:
    moves = [{"source": one, "target": other} for one, other in ("ab", "bc", "cd", "db")]
    await tenant("machines.define", name="m", initial="a", transitions=moves)
    run = await run_of(tenant, machine="m")
    for step, stages in ((2, first), (3, then)):
        for to in stages:
            await tenant("runs.transition", **run, to=to)
        if step == 2:
            await tenant("runs.checkpoint", **run, step=step)
    await tenant("runs.close", **run, outcome="success")
    (text,) = (await episodes(tenant)).values()
    assert f"It went through {told}." in text
