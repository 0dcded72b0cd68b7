"""A checkpoint rests on what the one before left here, unless that has changed (``records.run_left``).

| this process remembers the run after its last step; then elsewhere | the next checkpoint |
|---|---|
| nothing | is stored without asking for anything, and says what it would have said |
| nothing, and it takes over from facts of this process, or of none here | the same; asks |
| another step | StaleCheckpoint with the last step |
| the same step with the same content | answers the same, stored once |
| a resume with another fence | LeaseLost |
| a resume with another time of the lease | stored, and holds as long |
| a move of its machine | stored in the stage where it is |
| a close | RunClosed |
| its user opted out, or was forgotten | WritesRefused, NotFound |
| something that it recalled was superseded | says so; a strict run refuses |
| its key was revoked; the policy was changed | Unauthenticated; stored |
| is refused for its budget, its pointers, too many facts | as it would be without |
| another step, while this one is about to be written | StaleCheckpoint, nothing of it stored |
| cannot be stored | nothing is remembered |
| resumed, moved here | is stored without asking for anything, as that left it |
| more runs than are remembered | those written last are |
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from muniment.domain.runs import MOST_FACTS
from muniment.errors import (
    BudgetSpent,
    Conflict,
    InvalidInput,
    LeaseLost,
    MunimentError,
    NotFound,
    RunClosed,
    StaleCheckpoint,
    StaleInputs,
    StorageFull,
    Unauthenticated,
    WritesRefused,
)
from muniment.postgres.embedded import APP
from muniment.records.run_places import KnownPlaces
from tests.support.databases import Database
from tests.support.interposing import interposed
from tests.support.round_trips import counted
from tests.support.world import Local, Tenant, local_service

HELD: dict[str, Any] = {"initial": "new", "transitions": [{"source": "new", "target": "old"}]}


class Holder:
    """The holder of a run, who keeps its facts in mind."""

    def __init__(self, tenant: Tenant, run: Any) -> None:
        self.tenant, self.run = tenant, run
        self.step = 0
        self.facts: list[UUID] = []

    def asked(self, **more: Any) -> dict[str, Any]:
        fact = {"key": "total", "value": self.step + 1, "source": "books"}
        if self.facts:
            fact["supersedes"] = self.facts[-1]
        usual = {
            "run_id": self.run.run_id,
            "step": self.step + 1,
            "fence": 1,
            "committed_facts": [fact],
        }
        return usual | more

    async def __call__(self, *, by: Tenant | None = None, **more: Any) -> Any:
        done = await (by or self.tenant)("runs.checkpoint", **self.asked(**more))
        self.step = done.step
        self.facts += [one.id for one in done.committed_facts]
        return done


@pytest_asyncio.fixture
async def elsewhere(database: Database, service: Local, tenant: Tenant) -> AsyncIterator[Tenant]:
    """The same tenant in another process."""
    async with local_service(database.conninfo(APP), seed=f"other {tenant.tenant_id}") as other:
        other.clock.moment = service.clock.moment
        yield Tenant(other, tenant.tenant_id, tenant.key)


async def holder(tenant: Tenant, steps: int = 2, **more: Any) -> Holder:
    """Of a run of user u after some steps."""
    run = await tenant("runs.open", **({"agent_id": "billing", "user_id": "u"} | more))
    held = Holder(tenant, run)
    for _ in range(steps):
        await held()
    return held


async def test_nothing_is_asked_for(service: Local, tenant: Tenant, elsewhere: Tenant) -> None:
    held = await holder(tenant, stage="begun", cost_ceiling_usd="9", step_ceiling=50)
    there = counted(service)
    done = await held(cost_usd="1.5", stage="counted")
    assert there == []
    assert (done.step, done.stage, done.budget.cost_used_usd) == (3, "counted", "1.5")
    state = await elsewhere("runs.get", run_id=held.run.run_id)
    assert (state.step_index, state.stage) == (3, "counted")
    assert [one.id for one in state.committed_facts] == held.facts[-1:]
    assert state.budget == done.budget
    assert state.lease_expires_at == done.lease_expires_at


async def test_a_fact_that_is_not_remembered_is_asked_for(
    service: Local, tenant: Tenant, elsewhere: Tenant
) -> None:
    held = await holder(tenant)
    await held(by=elsewhere)
    there = counted(service)
    await held()
    assert there == ["run_lock_step"]
    there.clear()
    await held()
    assert there == []


async def test_another_step(tenant: Tenant, elsewhere: Tenant) -> None:
    held = await holder(tenant)
    asked = held.asked()
    await held(by=elsewhere, open_questions=["Which year?"])
    with pytest.raises(StaleCheckpoint) as refused:
        await tenant("runs.checkpoint", **asked)
    assert refused.value.extra == {"last_step": 3}


async def test_the_same_step(tenant: Tenant, elsewhere: Tenant) -> None:
    held = await holder(tenant)
    asked = held.asked()
    first = await elsewhere("runs.checkpoint", **asked)
    assert await tenant("runs.checkpoint", **asked) == first


async def test_a_lease_that_was_taken_or_lasts_longer(tenant: Tenant, elsewhere: Tenant) -> None:
    held = await holder(tenant)
    run_id = held.run.run_id
    await elsewhere("runs.resume", run_id=run_id, fence=1, lease_seconds=3000)
    done = await held()
    assert (done.lease_expires_at - tenant.service.clock.now()).total_seconds() == 3000
    await elsewhere("runs.resume", run_id=run_id, take_over=True)
    with pytest.raises(LeaseLost):
        await held()


async def test_a_move(service: Local, tenant: Tenant, elsewhere: Tenant) -> None:
    await tenant("machines.define", name="of bills", **HELD)
    for mover, asks in ((tenant, False), (elsewhere, True)):
        held = await holder(tenant, machine="of bills")
        await mover("runs.transition", run_id=held.run.run_id, fence=1, to="old")
        there = counted(service)
        assert (await held()).stage == "old"
        assert (there != []) == asks


async def test_a_resume_here(service: Local, tenant: Tenant) -> None:
    held = await holder(tenant)
    await tenant("runs.resume", run_id=held.run.run_id, take_over=True, lease_seconds=700)
    there = counted(service)
    done = await held(fence=2)
    assert there == []
    assert (done.lease_expires_at - service.clock.now()).total_seconds() == 700


Change = Callable[[Tenant, UUID], Awaitable[Any]]


async def close(tenant: Tenant, run_id: UUID) -> None:
    await tenant("runs.close", run_id=run_id, fence=1, outcome="success")


async def opt_out(tenant: Tenant, run_id: UUID) -> None:
    await tenant("users.opt_out", user_id="u")


async def forget(tenant: Tenant, run_id: UUID) -> None:
    await tenant("forget", user_id="u")


@pytest.mark.parametrize(
    ("change", "error"), [(close, RunClosed), (opt_out, WritesRefused), (forget, NotFound)]
)
async def test_what_is_no_longer_written(
    tenant: Tenant, elsewhere: Tenant, change: Change, error: type[MunimentError]
) -> None:
    held = await holder(tenant)
    await change(elsewhere, held.run.run_id)
    with pytest.raises(error):
        await held()


async def recalled(tenant: Tenant, run_id: UUID) -> None:
    """The run recalls a memory, which is then corrected."""
    made = await tenant("memories.remember", user_id="u", kind="fact", text="Pays by cheque.")
    answer = await tenant("recall", user_id="u", query="How does u pay?", run_id=run_id)
    assert made.id in [one.id for one in answer.items]
    await tenant("memories.correct", id=made.id, text="Pays by card.")


async def test_inputs_that_moved(tenant: Tenant, elsewhere: Tenant) -> None:
    held, strict = await holder(tenant), await holder(tenant, strict=True)
    for one in (held, strict):
        await recalled(elsewhere, one.run.run_id)
    assert len((await held()).stale_inputs) == 1
    with pytest.raises(StaleInputs):
        await strict()


async def test_a_key_and_a_policy(service: Local, tenant: Tenant, elsewhere: Tenant) -> None:
    made = await tenant("keys.create", principal="holder")
    mine = Tenant(service, tenant.tenant_id, str(made.secret))
    held = await holder(mine)
    await elsewhere("policy.put", document={"forget": {"confirm": True}})
    assert (await held()).step == 3
    await elsewhere("keys.revoke", key_id=made.key_id)
    with pytest.raises(Unauthenticated):
        await held()
    assert (await tenant("runs.get", run_id=held.run.run_id)).step_index == 3


async def test_refusals_are_those_of_what_is_stored(tenant: Tenant) -> None:
    held = await holder(tenant, cost_ceiling_usd="2")
    with pytest.raises(BudgetSpent) as spent:
        await held(cost_usd="3")
    assert spent.value.extra["cost_left_usd"] == "2"
    gone = held.facts[0]
    for pointer, why in ((uuid4(), "no fact"), (gone, "superseded already")):
        fact = {"key": "k", "value": 1, "source": "s", "supersedes": pointer}
        with pytest.raises(InvalidInput) as refused:
            await held(committed_facts=[fact])
        assert [one.pointer for one in refused.value.faults] == ["/committed_facts/0/supersedes"]
        assert why in refused.value.faults[0].message
    assert (await held()).step == 3


async def test_no_more_facts_than_a_run_holds(tenant: Tenant) -> None:
    held = await holder(tenant, steps=0)
    fact = {"key": "k", "value": 1, "source": "s"}
    for _ in range(MOST_FACTS // 100):
        await held(committed_facts=[fact] * 100)
    await held(committed_facts=[fact | {"supersedes": held.facts[-1]}])
    with pytest.raises(Conflict):
        await held(committed_facts=[fact])
    assert (await held()).step == MOST_FACTS // 100 + 2


async def fail() -> None:
    raise StorageFull


async def test_what_is_not_stored_is_not_remembered(service: Local, tenant: Tenant) -> None:
    held = await holder(tenant)
    failing, units = interposed(tenant, "audit_insert", fail)
    held.tenant = failing
    with pytest.raises(StorageFull):
        await held()
    assert units.happened == 1
    held.tenant = tenant
    there = counted(service)
    await held()
    assert there == ["run_lock_step"]


async def test_a_step_between_what_was_remembered_and_the_write(
    tenant: Tenant, elsewhere: Tenant
) -> None:
    held = await holder(tenant)
    asked = held.asked(open_questions=["Which year?"])

    async def meanwhile() -> None:
        await held(by=elsewhere)

    within, units = interposed(tenant, "audit_insert", meanwhile)
    with pytest.raises(StaleCheckpoint):
        await within("runs.checkpoint", **asked)
    assert units.happened == 1
    state = await tenant("runs.get", run_id=held.run.run_id)
    assert (state.step_index, state.open_questions) == (3, ())


def test_the_runs_written_last_are_remembered() -> None:
    tenant_id, runs = UUID(int=1), [UUID(int=at) for at in range(2, 5)]
    places = KnownPlaces(most_left=2)
    for run_id in (*runs, runs[1]):
        places.leave(tenant_id, run_id, f"left {run_id}")
    assert [places.left(tenant_id, one) is None for one in runs] == [True, False, False]
    places.leave(tenant_id, runs[2], None)
    assert places.left(tenant_id, runs[2]) is None
    assert places.left(UUID(int=9), runs[1]) is None
