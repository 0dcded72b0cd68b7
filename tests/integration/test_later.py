"""Statements that go out with the next one, or with the commit (``ports.Unit.later``, ``many``).

| what | then |
|---|---|
| nothing follows but the commit | it is done with the transaction, in its round trip |
| a statement follows | it is done before that one |
| it fails | nothing of the transaction is done, and what was asked for after a rollback runs |
| the block raises after it | it is not done |
| a dry run | it is not done |
| it is all that the transaction does | it is done |
| a condition is asked for after it | that sees it |
| a condition that the server can make sure of, and holds; does not hold | no round trip but the commit's; Overtaken, nothing is done, and it hears so |
| the same, and the connection died while it waited | the call is tried anew, and done once |
| turns are written, of a user and session that are known | four round trips and the commit |
| the same again; some of them and more | the same verdicts, and one round trip more |
| a memory is remembered, of a user who is known | the same |
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from muniment.errors import MunimentError, Overtaken
from muniment.ports import Sure, Unit
from muniment.postgres.embedded import APP
from muniment.records.credentials import read_token
from tests.integration.test_lost_connections import cut
from tests.support.databases import Database
from tests.support.round_trips import counted
from tests.support.world import START, Local, Tenant, local_service

KEY = UUID(int=9)


async def note(unit: Unit, service: Local, entry_id: UUID, effect: str = "write") -> None:
    await unit.later(
        "audit_insert", entry_id=entry_id, at=service.clock.now(), operation="x", effect=effect,
        key_id=KEY, request="r", subjects=[], detail={}, changes={},
    )  # fmt: skip


async def noted(tenant: Tenant) -> set[UUID]:
    return {one.entry_id for one in (await tenant("audit.list", operation="x")).items}


async def test_with_the_commit_alone(service: Local, tenant: Tenant) -> None:
    ids = {service.world.ids.new() for _ in range(3)}
    async with service.world.units.open(tenant.tenant_id) as unit:
        for entry_id in ids:
            await note(unit, service, entry_id)
    assert await noted(tenant) == ids


async def test_before_what_follows(service: Local, tenant: Tenant) -> None:
    entry_id = service.world.ids.new()
    async with service.world.units.open(tenant.tenant_id) as unit:
        await unit.value("pending_count")
        before = await unit.value("pending_count")
        await note(unit, service, entry_id)
        assert await unit.value("pending_count") == before + 1
        await note(unit, service, service.world.ids.new())
        async with unit.undone():
            await note(unit, service, service.world.ids.new())
            assert await unit.value("pending_count") == before + 3
        assert await unit.value("pending_count") == before + 2
        async with unit.undone():
            await note(unit, service, service.world.ids.new())
    assert len(await noted(tenant)) == 2


async def fail(service: Local, tenant: Tenant, told: list[str], *, last: bool) -> None:
    """A transaction whose second entry breaks a rule of the table."""
    async with service.world.units.open(tenant.tenant_id) as unit:
        user = {"user_pk": service.world.ids.new(), "user_id": "u", "now": service.clock.now()}
        await unit.run("user_ensure", **user)
        unit.after_rollback(lambda: told.append("rolled back"))
        unit.after_commit(lambda: told.append("committed"))
        await note(unit, service, service.world.ids.new())
        await note(unit, service, service.world.ids.new(), effect="none")
        if not last:
            await unit.value("pending_count")


@pytest.mark.parametrize("last", [True, False])
async def test_what_fails_takes_all_with_it(service: Local, tenant: Tenant, last: bool) -> None:
    told: list[str] = []
    with pytest.raises(MunimentError):
        await fail(service, tenant, told, last=last)
    assert told == ["rolled back"]
    assert await noted(tenant) == set()
    async with service.world.units.open(tenant.tenant_id) as unit:
        assert await unit.value("user_find", user_id="u") is None


async def stop(service: Local, tenant: Tenant) -> None:
    async with service.world.units.open(tenant.tenant_id) as unit:
        await note(unit, service, service.world.ids.new())
        raise ZeroDivisionError


async def test_what_raises_after_it(service: Local, tenant: Tenant) -> None:
    with pytest.raises(ZeroDivisionError):
        await stop(service, tenant)
    assert await noted(tenant) == set()


@dataclass(frozen=True)
class Count:
    count: int


async def test_a_condition_sees_what_was_asked_for_before_it(
    service: Local, tenant: Tenant
) -> None:
    counts: list[int] = []

    def take(rows: Sequence[Count]) -> None:
        counts.extend(row.count for row in rows)

    async with service.world.units.open(tenant.tenant_id) as unit:
        before = await unit.value("pending_count")
        unit.provided(Count, "pending_count", take)
        await note(unit, service, service.world.ids.new())
        unit.provided(Count, "pending_count", take)
    assert counts == [before, before + 1]


async def wrote_surely(
    service: Local, tenant: Tenant, entry_id: UUID, revision: int
) -> list[object]:
    """What heard that the key, or its policy, was not as it was said to be."""
    lost: list[object] = []
    key_id = read_token(tenant.key).key_id
    params = {"key_id": key_id, "principal": "admin", "revoked_at": None}
    sure = Sure("key_is_still", params | {"policy_revision": revision}, lambda: lost.append("key"))
    with suppress(Overtaken):
        async with service.world.units.open(tenant.tenant_id) as unit:
            unit.provided(Count, "pending_count", lost.extend, sure)
            unit.after_rollback(lambda: lost.append("rolled back"))
            await note(unit, service, entry_id)
    return lost


async def test_a_condition_that_the_server_makes_sure_of(service: Local, tenant: Tenant) -> None:
    right, wrong = service.world.ids.new(), service.world.ids.new()
    there = counted(service)
    assert await wrote_surely(service, tenant, right, 0) == []
    assert await wrote_surely(service, tenant, wrong, 1) == ["key", "rolled back"]
    assert there == []
    assert await noted(tenant) == {right}


async def test_a_connection_that_died_before_all_went_out(own_database: Database) -> None:
    async with local_service(own_database.conninfo(APP), seed="whole") as service:
        tenant = await service.tenant()
        run = await tenant("runs.open", agent_id="billing", user_id="u")
        for step in range(1, 6):
            done = await tenant("runs.checkpoint", run_id=run.run_id, step=step, fence=1)
            assert done.step == step
            assert cut(own_database)
        entries = await tenant("audit.list", operation="runs.checkpoint")
    assert len(entries.items) == 5


def turns(*numbers: int) -> list[dict[str, Any]]:
    return [
        {"turn": number, "role": "user", "content": f"I own boat {number}.", "occurred_at": START}
        for number in numbers
    ]


async def test_round_trips_of_a_write(database: Database) -> None:
    async with local_service(database.conninfo(APP), seed="round trips of a write") as service:
        asked = counted(service)
        tenant = await service.tenant()
        into = {"user_id": "u", "session_id": "s"}
        await tenant("events.write", **into, events=turns(1))
        asked.clear()
        written = await tenant("events.write", **into, events=turns(2, 3))
        usual = ["scope_bump_known", "session_find", "events_of_turns", "audit_changes"]
        assert asked == usual
        asked.clear()
        again = await tenant("events.write", **into, events=turns(2, 3, 4))
        assert asked == [*usual[:3], "event_before", "audit_changes"]
        assert again.verdicts[:2] == written.verdicts
        assert again.stored == 1
        fact = {"user_id": "u", "kind": "fact"}
        await tenant("memories.remember", **fact, text="Owns a boat.")
        asked.clear()
        await tenant("memories.remember", **fact, text="Lives in Gouda.")
        assert asked == ["scope_bump_known", "entity_find", "versions_said", "audit_changes"]
