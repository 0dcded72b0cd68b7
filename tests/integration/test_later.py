"""Statements that go out with the next one, or with the commit (``ports.Unit.later``).

| what | then |
|---|---|
| nothing follows but the commit | it is done with the transaction, in its round trip |
| a statement follows | it is done before that one |
| it fails | nothing of the transaction is done, and what was asked for after a rollback runs |
| the block raises after it | it is not done |
| a dry run | it is not done |
| it is all that the transaction does | it is done |
"""

from uuid import UUID

import pytest

from muniment.errors import MunimentError
from muniment.ports import Unit
from tests.support.world import Local, Tenant

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
