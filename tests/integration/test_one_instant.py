"""Of two turns of a session at one instant, the one with the higher number is the later (RULES 1.4).

| turns at one instant | remembered | then |
|---|---|---|
| 0: Oslo, 1: Bergen | 0, 1 | Bergen, a correction |
| the same | 0, 1, and 0 again | Bergen; the retry is rejected |
| the same | 1, 0 | Bergen |
| the same, 1 by a guess | 1, 0 | Oslo: a guess corrects nobody |
| the same, in two sessions | 0, 1, and 0 again | Oslo: their numbers say nothing of each other |
"""

from typing import Any

import pytest

from tests.support.world import START, Tenant

OSLO, BERGEN = (0, "Oslo", "s"), (1, "Bergen", "s")


async def tell(tenant: Tenant, *turns: tuple[int, str, str], words: str = "I live in") -> None:
    for number, city, session in turns:
        event = {"turn": number, "role": "user", "occurred_at": START}
        event |= {"content": f"{words} {city}."}
        await tenant("events.write", user_id="u", session_id=session, events=[event])


async def remember(tenant: Tenant, number: int, city: str, session: str) -> Any:
    return await tenant(
        "memories.remember",
        user_id="u",
        kind="fact",
        text=f"Lives in {city}.",
        slot="city",
        value=city,
        evidence=[{"session_id": session, "turn": number}],
    )


async def cities(tenant: Tenant) -> list[str]:
    page = await tenant("memories.list", user_id="u", tiers=["semantic"])
    return [item.value for item in page.items]


@pytest.mark.parametrize("order", [[OSLO, BERGEN], [OSLO, BERGEN, OSLO], [BERGEN, OSLO]])
async def test_the_later_turn_holds(tenant: Tenant, order: list[tuple[int, str, str]]) -> None:
    await tell(tenant, OSLO, BERGEN)
    done = [await remember(tenant, *one) for one in order][-1]
    assert await cities(tenant) == ["Bergen"]
    if order[-1] == OSLO:
        assert (done.outcome, done.rule) == ("rejected", "corrected_in_a_later_turn")
        assert done.id is None
    else:
        assert (done.outcome, done.rule) == ("superseded", "correction")


async def test_a_guess_of_a_later_turn_corrects_nobody(tenant: Tenant) -> None:
    await tell(tenant, OSLO)
    await tell(tenant, BERGEN, words="Is it nice in")
    assert (await remember(tenant, *BERGEN)).trust == "agent_inferred"
    assert (await remember(tenant, *OSLO)).outcome == "superseded"
    assert await cities(tenant) == ["Oslo"]


async def test_turns_of_two_sessions_have_no_order(tenant: Tenant) -> None:
    elsewhere = (1, "Bergen", "t")
    await tell(tenant, OSLO, elsewhere)
    done = [await remember(tenant, *one) for one in (OSLO, elsewhere, OSLO)][-1]
    assert (done.outcome, done.rule) == ("superseded", "correction")
    assert await cities(tenant) == ["Oslo"]
