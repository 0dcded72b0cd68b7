"""recall of what a query's time is of (RULES 11): kept to, preferred, or not read at all.

| query, on 1 June 2026 | then |
|---|---|
| what was said on 3 May | the turns of that day alone, whatever their words; the answer says so |
| the same with a subject | those of that day that are about it |
| of a day on which nothing was said | abstained, with the period |
| a subject that nothing of that day is about | what is about it, preferred near the day |
| `times: ignore` | words alone, no period |
| days of a zone: the request's, the user's own, that of `as_of` | other turns |
| a zone that is none | refused |
| what an organisation holds of that day | not what was said to the user |
"""

from datetime import UTC, datetime
from typing import Any

import pytest

from muniment.errors import InvalidInput
from tests.support.world import Tenant

SAID = {
    1: ("2026-04-02T09:00:00Z", "Flour from Molenaar costs 62 cents a kilo."),
    2: ("2026-05-03T18:20:00Z", "We decided to bake rye on Fridays only."),
    3: ("2026-05-03T18:30:00Z", "Elke keeps the books from now on."),
    4: ("2026-05-04T02:30:00Z", "We decided to replace the thermostat of the oven."),
    5: ("2026-05-19T09:00:00Z", "Flour from Molenaar costs 64 cents a kilo."),
    6: ("2026-05-19T09:01:00Z", "Joost works with us until 30 June."),
}
LOS_ANGELES = "America/Los_Angeles"


@pytest.fixture
async def told(tenant: Tenant) -> Tenant:
    """A user of six turns, and a fault of the organisation's data, told on the same day."""
    for turn, (at, text) in SAID.items():
        event = {"turn": turn, "role": "user", "content": text, "occurred_at": at}
        await tenant("events.write", user_id="u", session_id=f"s{turn}", events=[event])
    await tenant(
        "memories.remember", kind="data_quality", text="The till drops refunds.",
        data_source="till", speaker="operator", valid_from="2026-05-03T10:00:00Z",
    )  # fmt: skip
    return tenant


async def asked(tenant: Tenant, query: str, **more: Any) -> tuple[Any, list[int]]:
    view = await tenant("recall", user_id="u", query=query, **more)
    return view, sorted(one.turn for item in view.items for one in item.evidence)


@pytest.mark.parametrize(
    ("query", "turns"),
    [
        ("What did we discuss on 3 May?", [2, 3]),
        ("What did I tell you last month?", [2, 3, 4, 5, 6]),
        ("What did I say about the flour last month?", [5]),
        ("What did I say about flour on 2 April?", [1]),
        ("What happened 13 days ago?", [5, 6]),
    ],
)
async def test_a_time_is_kept_to(told: Tenant, query: str, turns: list[int]) -> None:
    view, found = await asked(told, query)
    assert found == turns
    assert view.period.use == "only"


async def test_the_answer_says_which_time_was_understood(told: Tenant) -> None:
    view, _ = await asked(told, "What did we discuss on 3 May?")
    assert (view.period.words, view.period.timezone) == ("on 3 May", "UTC")
    assert view.period.start == datetime(2026, 5, 3, tzinfo=UTC)
    assert view.period.end == datetime(2026, 5, 4, tzinfo=UTC)
    assert not view.abstained
    again, _ = await asked(
        told, "What did we discuss on 3 May?", known_at=view.watermark.isoformat()
    )
    assert [one.id for one in again.items] == [one.id for one in view.items]


async def test_nothing_was_said_then(told: Tenant) -> None:
    view, found = await asked(told, "What did we discuss on 10 May?")
    assert (found, view.abstained, view.period.use) == ([], True, "only")


async def test_a_time_that_may_be_misread_hides_nothing(told: Tenant) -> None:
    view, found = await asked(told, "What did I say about the thermostat on 19 May?")
    assert (view.items[0].evidence[0].turn, view.period.use) == (4, "near")
    view, found = await asked(told, "How much does flour cost in May?")
    assert set(found) == {1, 5}
    assert view.items[0].evidence[0].turn == 5
    assert view.period.use == "near"


async def test_times_are_not_read(told: Tenant) -> None:
    view, found = await asked(told, "What did I say about flour on 2 April?", times="ignore")
    assert (set(found), view.period) == ({1, 5}, None)
    view, _ = await asked(told, "Which flour do we use?")
    assert view.period is None


async def test_days_are_those_of_a_zone(told: Tenant) -> None:
    query = "What did we discuss on 3 May?"
    view, found = await asked(told, query, timezone=LOS_ANGELES)
    assert (found, view.period.timezone) == ([2, 3, 4], LOS_ANGELES)
    _, found = await asked(told, query, as_of="2026-05-30T12:00:00-07:00")
    assert found == [2, 3, 4]
    await told(
        "memories.remember", kind="fact", user_id="u", text="Lives by the clock of Los Angeles.",
        slot="timezone", value=LOS_ANGELES,
    )  # fmt: skip
    view, found = await asked(told, query)
    assert (found, view.period.timezone) == ([2, 3, 4], LOS_ANGELES)
    _, found = await asked(told, query, timezone="UTC")
    assert found == [2, 3]


@pytest.mark.parametrize("zone", ["Nowhere/Town", "../../etc/passwd", "Europe"])
async def test_no_zone(told: Tenant, zone: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        await asked(told, "What did we discuss on 3 May?", timezone=zone)
    assert [fault.pointer for fault in refused.value.faults] == ["/timezone"]


async def test_whoever_is_not_known_has_said_nothing(tenant: Tenant) -> None:
    view, found = await asked(tenant, "What did we discuss last week?")
    assert (found, view.abstained, view.period.use) == ([], True, "only")
