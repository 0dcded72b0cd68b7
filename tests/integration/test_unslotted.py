"""Memories without a slot: the same text is one memory for as long as it holds (RULES 1.5, 5).

| held | the same text comes for | then |
|---|---|---|
| from January | from May | one memory, the same window |
| from January | before January | one memory, from the earlier start |
| January to March | June to August | two windows |
| June to August | January to March | two windows |
| January to March | March to June | one memory, January to June |
| a guess | the user says it | held on the user's own word from there on |
| the user's word | a guess | reinforced; nothing raised or lowered |
"""

from datetime import datetime
from typing import Any

import pytest

from tests.support.world import Tenant

TEXT = "Nora is on parental leave."
QUERY = "Is Nora on leave?"


def day(month: int, date: int = 1) -> datetime:
    return datetime.fromisoformat(f"2026-{month:02}-{date:02}T00:00:00+00:00")


async def tell(tenant: Tenant, start: int, end: int | None, **more: Any) -> Any:
    """The text, for a window of months."""
    return await tenant(
        "memories.remember",
        kind="fact",
        text=TEXT,
        user_id="u",
        valid_from=day(start),
        valid_to=None if end is None else day(end),
        **more,
    )


async def months(tenant: Tenant) -> list[int]:
    """The months at whose middle recall holds the text."""
    found = []
    for month in range(1, 13):
        view = await tenant("recall", user_id="u", query=QUERY, as_of=day(month, 15))
        if [item.text for item in view.items] == [TEXT]:
            found.append(month)
    return found


@pytest.mark.parametrize(
    ("held", "comes", "outcome", "holds"),
    [
        ((1, None), (5, None), "reinforced", range(1, 13)),
        ((5, None), (2, None), "reinforced", range(2, 13)),
        ((5, None), (2, 6), "reinforced", range(2, 13)),
        ((1, 4), (6, 9), "inserted", [1, 2, 3, 6, 7, 8]),
        ((6, 9), (1, 4), "inserted", [1, 2, 3, 6, 7, 8]),
        ((1, 4), (4, 7), "reinforced", range(1, 7)),
        ((4, 7), (1, 4), "reinforced", range(1, 7)),
        ((1, 6), (3, 9), "reinforced", range(1, 9)),
        ((1, 6), (2, 4), "reinforced", range(1, 6)),
    ],
)
async def test_windows(
    tenant: Tenant,
    held: tuple[int, int | None],
    comes: tuple[int, int | None],
    outcome: str,
    holds: range | list[int],
) -> None:
    first = await tell(tenant, *held)
    second = await tell(tenant, *comes)
    assert second.outcome == outcome
    assert (second.id == first.id) is (outcome == "reinforced")
    assert await months(tenant) == list(holds)


async def said(tenant: Tenant) -> dict[str, Any]:
    """A turn of the user that states the text."""
    event = {"turn": 1, "role": "user", "content": TEXT, "occurred_at": day(1)}
    await tenant("events.write", user_id="u", session_id="s", events=[event])
    return {"evidence": [{"session_id": "s", "turn": 1}]}


async def test_what_a_user_states_is_held_on_their_word(tenant: Tenant) -> None:
    guess = await tell(tenant, 1, None)
    stated = await tell(tenant, 1, None, **await said(tenant))
    assert (guess.trust, stated.trust, stated.outcome) == (
        "agent_inferred", "user_stated", "reinforced",
    )  # fmt: skip
    held = await tenant("memories.get", id=stated.id)
    assert (held.trust, held.status) == ("user_stated", "active")
    listed = (await tenant("memories.list", user_id="u", filter={"tier": "semantic"})).items
    assert [item.trust for item in listed] == ["user_stated"]


async def test_a_guess_changes_nothing_of_what_was_stated(tenant: Tenant) -> None:
    stated = await tell(tenant, 1, None, **await said(tenant))
    guess = await tell(tenant, 1, None)
    assert (guess.id, guess.outcome) == (stated.id, "reinforced")
    assert (await tenant("memories.get", id=stated.id)).trust == "user_stated"
