"""Tokens of language models: each tenant has so many an hour, over all processes.

| asked | then |
|---|---|
| ten at once, over two processes, and the hour has tokens for three | three are asked, seven wait for the next hour |
| one that costs more than an hour has | asked if it is the hour's first, else it waits |
| one that used less than it might have, or more | what it used counts |
| one that failed | what the failure says that it used counts |
| one that was cut off before it could tell | what it might have used counts, until the hour is over |
| in the next hour | nothing is used yet |
| of another tenant | its own count |
| at a clock that went back | counts in the hour that was |
| the rules, or nothing to send | no count |
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from muniment.domain.extraction import Extraction, SaidTurn
from muniment.domain.slot import Slot
from muniment.errors import ModelBudgetSpent, ModelOutputInvalid, MunimentError
from muniment.ports import World
from muniment.postgres.embedded import ADMIN
from muniment.records.model_budget import propose
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

TURNS = [SaidTurn(1, "user", None, "I live in Gouda.", START)]


@dataclass
class Metered:
    """An extractor of known cost."""

    most: int
    used: int
    name: str = "metered"
    tokens_per_hour: int = 1000
    error: MunimentError | None = None
    asked: int = 0

    def most_tokens(
        self, _turns: Sequence[SaidTurn], _slots: Mapping[str, Slot], _name: str | None, /
    ) -> int:
        return self.most

    async def propose(
        self, _turns: Sequence[SaidTurn], _slots: Mapping[str, Slot], _name: str | None, /
    ) -> Extraction:
        self.asked += 1
        if self.error is not None:
            raise self.error
        return Extraction((), tokens=self.used)


def world_of(service: Local, extractor: Any) -> World:
    return replace(service.world, extractor=extractor, clock=service.clock)


async def ask(service: Local, tenant: Tenant, extractor: Any) -> Extraction:
    return await propose(world_of(service, extractor), tenant.tenant_id, TURNS, {}, None)


def count(database: Database, tenant: Tenant) -> tuple[datetime, int] | None:
    """The hour and its tokens."""
    with database.connect(ADMIN) as admin:
        row = admin.execute(
            "SELECT window_start, tokens::int FROM muniment.model_budget WHERE tenant_id = %s",
            [tenant.tenant_id],
        ).fetchone()
    return None if row is None else (row[0], row[1])


async def test_many_at_once(
    database: Database, service: Local, worker: Local, tenant: Tenant
) -> None:
    extractor = Metered(most=300, used=300)
    worker.clock = service.clock
    done = await asyncio.gather(
        *(ask(one, tenant, extractor) for one in (service, worker) * 5), return_exceptions=True
    )
    waiting = [error for error in done if isinstance(error, ModelBudgetSpent)]
    assert (extractor.asked, len(waiting)) == (3, 7)
    assert count(database, tenant) == (START, 900)


@pytest.mark.parametrize(("past", "left"), [(0, 3600), (1, 3599), (3599, 1), (3599.5, 1)])
async def test_how_long_to_wait(service: Local, tenant: Tenant, past: float, left: int) -> None:
    service.clock.advance(seconds=past)
    await ask(service, tenant, Metered(most=900, used=900))
    with pytest.raises(ModelBudgetSpent) as raised:
        await ask(service, tenant, Metered(most=900, used=900))
    assert raised.value.extra["retry_after"] == left


async def test_one_that_is_larger_than_an_hour(
    database: Database, service: Local, tenant: Tenant
) -> None:
    large = Metered(most=5000, used=4000)
    await ask(service, tenant, large)
    assert count(database, tenant) == (START, 4000)
    with pytest.raises(ModelBudgetSpent):
        await ask(service, tenant, large)
    service.clock.advance(hours=1)
    await ask(service, tenant, Metered(most=10, used=1))
    with pytest.raises(ModelBudgetSpent):
        await ask(service, tenant, large)
    assert count(database, tenant) == (START + timedelta(hours=1), 1)


@pytest.mark.parametrize("used", [0, 1, 300, 1500])
async def test_what_was_used_counts(
    database: Database, service: Local, tenant: Tenant, used: int
) -> None:
    await ask(service, tenant, Metered(most=300, used=used))
    assert count(database, tenant) == (START, used)


@pytest.mark.parametrize(("extra", "used"), [({"tokens": 240}, 240), ({}, 0)])
async def test_a_failure_counts_as_it_says(
    database: Database, service: Local, tenant: Tenant, extra: dict[str, int], used: int
) -> None:
    failing = Metered(most=300, used=0, error=ModelOutputInvalid(extra=extra))
    with pytest.raises(ModelOutputInvalid):
        await ask(service, tenant, failing)
    assert count(database, tenant) == (START, used)


async def test_what_is_cut_off_stays_taken(
    database: Database, service: Local, tenant: Tenant
) -> None:
    asked = asyncio.Event()

    class Endless(Metered):
        async def propose(self, *_: Any) -> Extraction:
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

    task = asyncio.create_task(ask(service, tenant, Endless(most=700, used=0)))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert count(database, tenant) == (START, 700)
    with pytest.raises(ModelBudgetSpent):
        await ask(service, tenant, Metered(most=400, used=400))
    service.clock.advance(hours=1)
    await ask(service, tenant, Metered(most=400, used=400))
    assert count(database, tenant) == (START + timedelta(hours=1), 400)


async def test_it_ends_in_another_hour(database: Database, service: Local, tenant: Tenant) -> None:
    """What is settled late does not touch the hour that it is by then."""

    class Slow(Metered):
        async def propose(self, *_: Any) -> Extraction:
            service.clock.advance(hours=1)
            await ask(service, tenant, Metered(most=100, used=100))
            return Extraction((), tokens=0)

    await ask(service, tenant, Slow(most=900, used=0))
    assert count(database, tenant) == (START + timedelta(hours=1), 100)


async def test_a_clock_that_went_back(database: Database, service: Local, tenant: Tenant) -> None:
    service.clock.advance(hours=2)
    await ask(service, tenant, Metered(most=900, used=900))
    service.clock.advance(hours=-2)
    with pytest.raises(ModelBudgetSpent):
        await ask(service, tenant, Metered(most=900, used=900))
    assert count(database, tenant) == (START + timedelta(hours=2), 900)


async def test_another_tenant(database: Database, service: Local, tenant: Tenant) -> None:
    other = await service.tenant("other")
    await ask(service, tenant, Metered(most=900, used=900))
    await ask(service, other, Metered(most=900, used=800))
    assert (count(database, tenant), count(database, other)) == ((START, 900), (START, 800))


async def test_what_costs_nothing(database: Database, service: Local, tenant: Tenant) -> None:
    await ask(service, tenant, service.world.extractor)
    await ask(service, tenant, Metered(most=0, used=0))
    assert count(database, tenant) is None
