"""A plan that is cancelled or postponed gives its window back to what yielded to it (RULES 1.5).

| told, in this order | then | held |
|---|---|---|
| Aachen from June; Essen from March; Cork from September | Essen retracted | Cork goes on |
| Essen from March; Aachen from June | the same | Aachen goes on |
| the first | Essen postponed to June | Cork up to then |
| Essen from March; Aachen until March, stated | Essen retracted | Aachen until March |
"""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.support.world import Tenant

JUNE, SEPTEMBER = datetime(2026, 6, 1, tzinfo=UTC), datetime(2026, 9, 1, tzinfo=UTC)
MARCH, LATER = datetime(2027, 3, 1, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC)
AACHEN, ESSEN, CORK = ("Aachen", JUNE), ("Essen", MARCH), ("Cork", SEPTEMBER)
Window = tuple[str, datetime, datetime | None]


async def tell(tenant: Tenant, city: str, start: datetime, **more: Any) -> Any:
    return await tenant(
        "memories.remember", kind="fact", user_id="u", slot="city", value=city,
        text=f"Lives in {city}.", valid_from=start, **more,
    )  # fmt: skip


async def held(tenant: Tenant) -> list[Window]:
    moments = [JUNE, SEPTEMBER, MARCH, LATER]
    found: dict[Window, None] = {}
    for moment in moments:
        for item in (await tenant("memories.list", user_id="u", as_of=moment)).items:
            found[item.value, item.valid_from, item.valid_to] = None
    return list(found)


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ([AACHEN, ESSEN, CORK], [("Aachen", JUNE, SEPTEMBER), ("Cork", SEPTEMBER, None)]),
        ([ESSEN, AACHEN], [("Aachen", JUNE, None)]),
        ([ESSEN, AACHEN, CORK], [("Aachen", JUNE, SEPTEMBER), ("Cork", SEPTEMBER, None)]),
    ],
)
async def test_cancelled(tenant: Tenant, told: list[tuple[str, datetime]], left: Any) -> None:
    made = {city: await tell(tenant, city, start) for city, start in told}
    await tenant("memories.retract", id=made["Essen"].id, at=MARCH)
    assert await held(tenant) == left


async def test_postponed(tenant: Tenant) -> None:
    made = {city: await tell(tenant, city, start) for city, start in (AACHEN, ESSEN, CORK)}
    await tenant("memories.correct", id=made["Essen"].id, valid_from=LATER)
    assert await held(tenant) == [
        ("Aachen", JUNE, SEPTEMBER), ("Cork", SEPTEMBER, LATER), ("Essen", LATER, None),
    ]  # fmt: skip


async def test_an_end_that_was_stated_stays(tenant: Tenant) -> None:
    plan = await tell(tenant, *ESSEN)
    await tell(tenant, *AACHEN, valid_to=MARCH)
    await tenant("memories.retract", id=plan.id, at=MARCH)
    assert await held(tenant) == [("Aachen", JUNE, MARCH)]
