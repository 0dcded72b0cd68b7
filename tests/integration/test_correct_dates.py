"""memories.correct with dates, on the database (RULES 1.3, 1.5): never a conflict, never a gap.

| held | corrected | then |
|---|---|---|
| Aa since January, Bb since March, Cc since June | Cc since February; March; a year before | Cc holds today; from then on; before it what was |
| the same, Cc since September | Cc since February | the same: it holds today |
| the same | Cc since February is Dd | Dd holds today |
| Rome since January, Bern for March alone | Rome since February; a year before | Rome holds today, in one window |
| a desk for March, expired; one since May | the latter since February | it holds from then on |
| the same | Rome, for February alone | what was asked for; Rome until March still |
"""

from datetime import datetime
from typing import Any

import pytest

from tests.integration.test_changes import DAY, city, guessed
from tests.support.world import Local, Tenant


def first_of(month: int, year: int = 2026) -> datetime:
    return datetime.fromisoformat(f"{year}-{month:02}-01T00:00:00+00:00")


@pytest.mark.parametrize("third", [5, 9])
@pytest.mark.parametrize(
    ("since", "before"), [(first_of(2), ["Aa"]), (first_of(3), ["Aa"]), (first_of(1, 2025), [])]
)
@pytest.mark.parametrize("value", [None, "Dd"])
async def test_a_start_that_moves_back_over_others(
    tenant: Tenant, third: int, since: datetime, before: list[str], value: str | None
) -> None:
    await guessed(tenant, "Aa", first_of(1))
    await guessed(tenant, "Bb", first_of(3))
    last = await guessed(tenant, "Cc", first_of(third))
    given: dict[str, Any] = {} if value is None else {"value": value}
    done = await tenant("memories.correct", id=last.id, valid_from=since, **given)
    assert (done.outcome, done.rule) == ("superseded", "corrected")
    held = [value or "Cc"]
    assert await city(tenant) == held
    for moment in (since, first_of(4), first_of(12)):
        assert await city(tenant, as_of=moment) == held
    assert await city(tenant, as_of=since - DAY) == before


@pytest.mark.parametrize("since", [first_of(2), first_of(1, 2025)])
async def test_a_value_in_two_windows(tenant: Tenant, since: datetime) -> None:
    rome = await guessed(tenant, "Rome", first_of(1))
    await guessed(tenant, "Bern", first_of(3), valid_to=first_of(4))
    done = await tenant("memories.correct", id=rome.id, valid_from=since)
    assert (done.outcome, done.id) == ("superseded", rome.id)
    for moment in (first_of(2), first_of(3) + DAY, first_of(4), first_of(9)):
        assert await city(tenant, as_of=moment) == ["Rome"]
    assert await city(tenant) == ["Rome"]
    await tenant("memories.undo", id=rome.id)
    assert await city(tenant, as_of=first_of(3) + DAY) == ["Bern"]
    assert await city(tenant) == ["Rome"]


async def test_a_window_that_is_asked_for(tenant: Tenant) -> None:
    rome = await guessed(tenant, "Rome", first_of(1))
    await guessed(tenant, "Bern", first_of(3), valid_to=first_of(4))
    february = first_of(2), first_of(3)
    await tenant("memories.correct", id=rome.id, valid_from=february[0], valid_to=february[1])
    held = [await city(tenant, as_of=first_of(month)) for month in (1, 2, 3, 4)]
    assert held == [["Rome"], ["Rome"], ["Bern"], []]


async def test_what_expired_is_in_nobodys_way(service: Local, tenant: Tenant) -> None:
    await tenant("slots.define", name="desk", cardinality="one", ttl=10)

    async def at(value: str, **window: Any) -> Any:
        stated: dict[str, Any] = {"kind": "fact", "user_id": "u", "slot": "desk", "value": value}
        return await tenant("memories.remember", text=f"Sits at {value}.", **stated, **window)

    await at("Aa", valid_from=first_of(3), valid_to=first_of(4))
    service.clock.advance(days=11)
    moved = await at("Bb", valid_from=first_of(5))
    await tenant("memories.correct", id=moved.id, valid_from=first_of(2))
    for month in (2, 3, 4, 6):
        found = await tenant("memories.list", user_id="u", as_of=first_of(month))
        assert [item.value for item in found.items] == ["Bb"]
