"""What a run recalled and does not hold any more; the table is in docs/how-to/runs.md too.

| recalled, and since | the next checkpoint says | a write is claimed | a read is claimed |
|---|---|---|---|
| nothing; reinforced; pinned; faded | nothing | execute | execute |
| another value | superseded, by what | StaleInputs | execute |
| retracted | retracted | StaleInputs | execute |
| another value of a lower grade | contested, by what | StaleInputs | execute |
| its time is over, removed yet or not | expired | StaleInputs | execute |
| forgotten: it, or its user | erased | StaleInputs | execute |
| a turn withdrawn or forgotten; a summary written anew | erased; superseded | StaleInputs | execute |

| then | and |
|---|---|
| the same question again; a recall that returns what superseded it | nothing is stale |
| acknowledged | nothing is stale, until something else becomes of it |
| in a strict run, before either | the checkpoint is refused, the run stays as it was |
| a call that was made already | is replayed |
| resumed, shown | the same list; after an earlier step what its checkpoint named |
| a moment of the past was asked about | stale where that is corrected, not where the world moved on |
| the record of the past was asked about | stale where it is erased alone |
| a run that is closed, of another user, unknown, not an id | the recall is answered and logged |
| the run of somebody else, by a key that may not write into runs | the same |
"""

from typing import Any
from uuid import uuid4

import pytest

from muniment.domain.timeline import zulu
from muniment.errors import InvalidInput, LeaseHeld, LeaseLost, NotFound, RunClosed, StaleInputs
from muniment.worker import expire
from tests.integration.agents import CITY, DAY, agent, lives, says
from tests.integration.curating import Curator
from tests.support.world import START, Local, Tenant


async def test_a_superseded_fact_is_named_and_stops_writes(tenant: Tenant) -> None:
    old = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant)
    assert await nora.recalls() == [old]
    assert await nora.checkpoint() == {}
    assert await nora.claim("writes", "before") == "execute"
    await tenant("runs.record_tool", run_id=nora.run["run_id"], tool="writes", key="before", attempt=1, status="succeeded")  # fmt: skip
    new = await lives(tenant, "Breda", valid_from=START - DAY)
    await nora.refused({old: "superseded"})
    assert await nora.checkpoint() == {old: "superseded"}
    await nora.refused({old: "superseded"})
    assert await nora.claim("writes", "before") == "replay"
    (stale,) = (await tenant("runs.resume", **nora.run)).stale_inputs
    assert (stale.why, stale.superseded_by, stale.step) == ("superseded", new, 1)
    again = await tenant("runs.checkpoint", **nora.run, step=2)
    assert again.stale_inputs == (stale,)
    assert await nora.recalls("In which city is Nora's house?") == [new]
    assert await nora.claim("writes", "after") == "execute"
    assert await nora.checkpoint() == {}
    shown = {step: (await tenant("runs.get", run_id=nora.run["run_id"], step=step)).stale_inputs for step in (1, 2, 3)}  # fmt: skip
    assert shown == {1: (), 2: (stale,), 3: ()}


@pytest.mark.parametrize(
    "may", [{"verbs": ("read",)}, {"layers": ("working", "episodic", "semantic", "audit")}]
)
async def test_who_may_not_write_into_runs_leaves_nothing_there(
    tenant: Tenant, may: dict[str, Any]
) -> None:
    old = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant)
    assert await nora.recalls(_as=await tenant.key_for(**may)) == [old]
    await lives(tenant, "Breda", valid_from=START - DAY)
    assert await nora.checkpoint() == {}
    assert await nora.claim("writes", "w") == "execute"


async def test_instants_are_written_in_one_way(tenant: Tenant) -> None:
    await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant)
    await nora.recalls()
    await lives(tenant, "Breda", valid_from=START - DAY)
    with pytest.raises(StaleInputs) as told:
        await nora.claim("writes", "w")
    (stale,) = told.value.extra["stale_inputs"]
    assert stale["recalled_at"] == zulu(START)
    assert zulu(START).endswith("Z")
    with pytest.raises(LeaseHeld) as held:
        await tenant("runs.resume", run_id=nora.run["run_id"])
    assert str(held.value.extra["expires_at"]).endswith("Z")


async def test_a_strict_run_takes_no_checkpoint_on_it(tenant: Tenant) -> None:
    old = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant, strict=True)
    await nora.recalls()
    assert await nora.checkpoint() == {}
    await lives(tenant, "Breda", valid_from=START - DAY)
    for _ in range(2):
        with pytest.raises(StaleInputs) as told:
            await nora.checkpoint()
        assert [one["id"] for one in told.value.extra["stale_inputs"]] == [str(old)]
    found = await tenant("runs.get", run_id=nora.run["run_id"])
    assert (found.strict, found.step_index, [one.id for one in found.stale_inputs]) == (
        True,
        1,
        [old],
    )
    await nora.recalls()
    assert await nora.checkpoint() == {}
    noted = (await tenant("audit.list", effect="refused")).items
    assert {one.detail["refused"] for one in noted} == {"stale_inputs"}


async def test_what_it_acknowledges(tenant: Tenant) -> None:
    old = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant, strict=True)
    await nora.recalls()
    await lives(tenant, "Breda", valid_from=START - DAY)
    with pytest.raises(InvalidInput) as told:
        await tenant("runs.acknowledge", **nora.run, ids=[old, uuid4()])
    assert [one.pointer for one in told.value.faults] == ["/ids/1"]
    with pytest.raises(LeaseLost):
        await tenant("runs.acknowledge", **(nora.run | {"fence": 2}), ids=[old])
    for _ in range(2):
        assert (await tenant("runs.acknowledge", **nora.run, ids=[old])).stale_inputs == ()
    assert await nora.checkpoint() == {}
    assert await nora.claim("writes", "w") == "execute"
    (noted, *_) = [one for one in (await tenant("audit.list")).items if one.operation == "runs.acknowledge" and old in one.subjects]  # fmt: skip
    assert noted.detail["why"] == ["superseded"]
    await lives(tenant, "Delft", valid_from=START)  # of what it knows not to hold
    assert await nora.checkpoint() == {}
    await tenant("forget", user_id="nora", ids=[old])
    await nora.refused({old: "erased"})


async def test_what_stays_as_it_was_is_not_stale(service: Local, tenant: Tenant) -> None:
    held = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant)
    await nora.recalls()
    await lives(tenant, "Gouda", valid_from=START - 2 * DAY)
    await tenant("memories.pin", id=held)
    await tenant("memories.confirm", id=held)
    await tenant("memories.remember", kind="fact", user_id="nora", text="Nora plays chess.")
    assert await nora.checkpoint() == {}
    assert await nora.claim("writes", "w") == "execute"


async def test_what_is_retracted_contested_or_undone(tenant: Tenant) -> None:
    await says(tenant, 1, "I live in Gouda.")
    cited = [{"session_id": "s", "turn": 1}]
    held = await lives(tenant, "Gouda", valid_from=START - 9 * DAY, evidence=cited)
    nora = await agent(tenant)
    await nora.recalls(tiers=["semantic"])
    weaker = await tenant.key_for(roles=["assistant"])
    other = await tenant("memories.remember", _as=weaker, kind="fact", user_id="nora", slot="city", value="Breda", text="Nora lives in Breda.", valid_from=START - DAY)  # fmt: skip
    assert other.outcome == "contested"
    await nora.refused({held: "contested"})
    (stale,) = (await tenant("runs.get", run_id=nora.run["run_id"])).stale_inputs
    assert stale.contested_by == (other.id,)
    await tenant("runs.acknowledge", **nora.run, ids=[held])
    assert await nora.checkpoint() == {}
    await says(tenant, 2, "I do not live in Gouda any more.")
    await tenant("memories.retract", id=held, evidence=[{"session_id": "s", "turn": 2}])
    assert await nora.checkpoint() == {held: "retracted"}
    await tenant("memories.undo", id=held)
    assert await nora.checkpoint() == {held: "contested"}  # anew


async def test_what_expired_is_so_removed_or_not(
    service: Local, curator: Curator, tenant: Tenant
) -> None:
    told = {"kind": "user_preference", "user_id": "nora"}
    kept = (await tenant("memories.remember", **told, text="Nora wants weekly reports.")).id
    nora = await agent(tenant)
    assert await nora.recalls("Which reports does Nora want?") == [kept]
    service.clock.advance(days=365)
    await nora.refused({kept: "expired"})
    curator.worker.clock.moment = service.clock.now()
    await expire.run_once(curator.worker.world)
    with pytest.raises(NotFound):
        await tenant("memories.get", id=kept)
    assert await nora.checkpoint() == {kept: "expired"}
    assert await nora.recalls("Which reports does Nora want?") == []
    assert await nora.checkpoint() == {}


async def test_turns_summaries_and_what_is_another_users(tenant: Tenant) -> None:
    turn = await says(tenant, 1, "I live in Gouda.")
    theirs = await says(tenant, 1, "I live in Gouda, too.", user_id="bob")
    nobodys = await agent(tenant, user_id=None)
    assert await nobodys.recalls() == [turn]
    assert await nobodys.recalls(user_id="bob") == [theirs]
    assert await nobodys.checkpoint() == {}
    await tenant("forget", user_id="bob")
    assert await nobodys.checkpoint() == {theirs: "erased"}
    await tenant("forget", user_id="nora", ids=[turn])
    assert await nobodys.checkpoint() == {theirs: "erased", turn: "erased"}
    await nobodys.recalls()
    await tenant("runs.acknowledge", **nobodys.run, ids=[theirs])
    assert await nobodys.checkpoint() == {}


@pytest.mark.parametrize(
    ("moment", "stale"),
    [
        ({"as_of": START - 2 * DAY}, {"corrected": "superseded", "moved": None}),
        ({"known_at": START}, {"corrected": None, "moved": None}),
        ({}, {"corrected": "superseded", "moved": "superseded"}),
    ],
)
@pytest.mark.parametrize("what", ["corrected", "moved"])
async def test_the_moment_that_was_asked_about(
    service: Local, tenant: Tenant, moment: dict[str, Any], stale: dict[str, str], what: str
) -> None:
    held = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    service.clock.advance(hours=1)
    nora = await agent(tenant)
    assert await nora.recalls(**moment) == [held]
    service.clock.advance(hours=1)
    if what == "corrected":
        await tenant("memories.correct", id=held, text="Nora lives in Breda.", value="Breda")
    else:
        await lives(tenant, "Breda", valid_from=START)
    assert await nora.checkpoint() == ({held: stale[what]} if stale[what] else {})
    await tenant("forget", user_id="nora", ids=[held])
    assert await nora.checkpoint() == {held: "erased"}


async def test_runs_that_take_no_inputs(tenant: Tenant) -> None:
    held = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant)
    bob = await tenant.key_for(user_id="bob", layers=["run", "semantic", "episodic"])
    for run_id in ("billing", uuid4(), nora.run["run_id"]):
        asked = {"user_id": "bob", "query": CITY, "run_id": str(run_id)}
        await tenant("recall", _as=bob, **asked)
    with pytest.raises(InvalidInput):
        await tenant("runs.acknowledge", **nora.run, ids=[held])
    await tenant("runs.close", **nora.run, outcome="success")
    assert await nora.recalls() == [held]
    with pytest.raises(RunClosed):
        await tenant("runs.acknowledge", **nora.run, ids=[held])
