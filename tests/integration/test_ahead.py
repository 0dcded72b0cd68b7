"""What is sent before the statement that it is answered with (``ports.Unit.ahead``).

| what was sent | then | so |
|---|---|---|
| a condition | a statement follows | the condition is looked at, then the statement's rows are read |
| the same, and more conditions wait | a statement follows | all are looked at, in their order |
| a condition that does not hold | a statement follows; nothing follows; the block raises an error of the service | what it raises comes out |
| the same | the block raises something else | that comes out, and the connection serves the next unit |
| a statement that the database, or the driver, refuses | a statement follows; nothing does | an error of the service; the next unit is served |
| a condition | the block writes | it is committed, and seen |
| the same | the task is cancelled | the next unit is served |
| a condition, and the connection dies | a statement follows | Overtaken: the call is tried anew |
| nothing waits; a transaction is under way | | nothing is sent |
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from muniment.errors import Internal, MunimentError, NotFound, Overtaken
from muniment.ports import Unit
from muniment.postgres.embedded import APP
from tests.integration.test_lost_connections import cut
from tests.support.databases import Database
from tests.support.world import Local, Tenant, local_service


@dataclass(frozen=True)
class Count:
    count: int


def hears(heard: list[Any], said: str) -> Callable[[Sequence[Count]], None]:
    return lambda rows: heard.append((said, len(rows)))


def refuses(_rows: Sequence[Count]) -> None:
    raise NotFound


async def is_served(service: Local, tenant: Tenant) -> None:
    """As many units at once as there are connections, so that none of them was left as it was."""

    async def ask() -> None:
        async with service.world.units.open(tenant.tenant_id, reading=True) as unit:
            assert await unit.value("pending_count") == 0

    await asyncio.gather(*(ask() for _ in range(12)))


async def test_conditions_are_looked_at_first_and_in_order(service: Local, tenant: Tenant) -> None:
    heard: list[Any] = []
    async with service.world.units.open(tenant.tenant_id, reading=True) as unit:
        unit.provided(Count, "pending_count", hears(heard, "first"))
        unit.provided(Count, "pending_count", hears(heard, "second"))
        await unit.ahead()
        assert heard == []
        unit.provided(Count, "pending_count", hears(heard, "third"))
        assert await unit.value("pending_count") == 0
        assert heard == [("first", 1), ("second", 1), ("third", 1)]
        await unit.ahead()
        assert await unit.value("pending_count") == 0
    assert len(heard) == 3


async def follow(unit: Unit) -> None:
    await unit.value("pending_count")


async def nothing(_unit: Unit) -> None:
    pass


async def raise_overtaken(_unit: Unit) -> None:
    raise Overtaken


@pytest.mark.parametrize("reading", [True, False])
@pytest.mark.parametrize("then", [follow, nothing, raise_overtaken])
async def test_what_a_condition_raises_comes_out(
    service: Local, tenant: Tenant, then: Callable[[Unit], Any], reading: bool
) -> None:
    async def ask() -> None:
        async with service.world.units.open(tenant.tenant_id, reading=reading) as unit:
            unit.provided(Count, "pending_count", refuses)
            await unit.ahead()
            await then(unit)

    with pytest.raises(NotFound):
        await ask()
    await is_served(service, tenant)


@pytest.mark.parametrize("check", [refuses, lambda _rows: None])
async def test_what_is_not_of_the_service_comes_out_as_it_is(
    service: Local, tenant: Tenant, check: Callable[[Sequence[Count]], None]
) -> None:
    async def ask() -> None:
        async with service.world.units.open(tenant.tenant_id) as unit:
            unit.provided(Count, "pending_count", check)
            await unit.ahead()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await ask()
    await is_served(service, tenant)


@pytest.mark.parametrize("wrong", ["none", object()])
@pytest.mark.parametrize("then", [follow, nothing])
async def test_what_the_database_refuses(
    service: Local, tenant: Tenant, then: Callable[[Unit], Any], wrong: object
) -> None:
    async def ask() -> None:
        async with service.world.units.open(tenant.tenant_id, reading=True) as unit:
            unit.provided(Count, "scope_mark", refuses, scope_id=wrong)
            await unit.ahead()
            await then(unit)

    with pytest.raises(MunimentError) as error:
        await ask()
    assert isinstance(error.value, Internal)
    await is_served(service, tenant)


async def test_what_is_written_behind_it(service: Local, tenant: Tenant) -> None:
    heard: list[Any] = []
    user = {"user_pk": service.world.ids.new(), "user_id": "u", "now": service.clock.now()}
    async with service.world.units.open(tenant.tenant_id) as unit:
        unit.provided(Count, "pending_count", hears(heard, "held"))
        await unit.ahead()
        await unit.later("user_ensure", **user)
    assert heard == [("held", 1)]
    async with service.world.units.open(tenant.tenant_id) as unit:
        assert await unit.value("user_find", user_id="u") == user["user_pk"]


async def test_who_asked_is_cancelled(service: Local, tenant: Tenant) -> None:
    sent = asyncio.Event()

    async def ask() -> None:
        async with service.world.units.open(tenant.tenant_id, reading=True) as unit:
            unit.provided(Count, "pending_count", refuses)
            await unit.ahead()
            sent.set()
            await asyncio.Event().wait()

    asked = asyncio.create_task(ask())
    await sent.wait()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    await is_served(service, tenant)


async def test_a_connection_that_dies_behind_it(own_database: Database) -> None:
    async with local_service(own_database.conninfo(APP), seed="ahead") as service:
        tenant = await service.tenant()

        async def ask() -> None:
            async with service.world.units.open(tenant.tenant_id, reading=True) as unit:
                unit.provided(Count, "pending_count", lambda _rows: None)
                await unit.ahead()
                assert cut(own_database)
                await unit.value("pending_count")

        with pytest.raises(Overtaken):
            await ask()
        await is_served(service, tenant)
