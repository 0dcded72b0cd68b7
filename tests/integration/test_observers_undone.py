"""Evidence that an undo withdrew counts for nothing: not for binding, not for sessions (RULES 2.3, 8.4).

| a data_quality of p1, then | undone | then |
|---|---|---|
| confirmed, or said again, by p2 | | binds, does not wait |
| the same | by p2 | unconfirmed, waits; `known_at` before the undo says that it bound |
| the same | and the undo too | binds |
| seen in three sessions | the third | in the next one it is the third again: durative from then on |
| the same | the second | seen in the third it is the second: not durative yet |
"""

from typing import Any

import pytest

from tests.support.world import START, Tenant

LAG: dict[str, Any] = {
    "kind": "data_quality",
    "text": "The orders table lags by three days.",
    "data_source": "orders",
}


async def waiting(tenant: Tenant) -> list[Any]:
    return [one.id for one in (await tenant("review.list")).items]


async def bound(tenant: Tenant, item: Any, **moment: Any) -> bool:
    return not (await tenant("memories.get", id=item, **moment)).unconfirmed


@pytest.mark.parametrize("again", ["memories.confirm", "memories.remember"])
async def test_an_observation_taken_back(tenant: Tenant, again: str) -> None:
    one, two = [await tenant.key_for(principal=name) for name in ("p1", "p2")]
    made = await tenant("memories.remember", _as=one, **LAG)
    assert (await bound(tenant, made.id), await waiting(tenant)) == (False, [made.id])
    told = {"id": made.id} if again == "memories.confirm" else LAG
    await tenant(again, _as=two, **told)
    assert (await bound(tenant, made.id), await waiting(tenant)) == (True, [])
    before = (await tenant("memories.get", id=made.id)).watermark
    for binds in (False, True, False):
        await tenant("memories.undo", _as=two, id=made.id)
        assert await bound(tenant, made.id) is binds
        assert await waiting(tenant) == ([] if binds else [made.id])
        assert await bound(tenant, made.id, known_at=before)


async def seen(tenant: Tenant, session: str) -> Any:
    """The fault as the user tells of it in a session; the memory."""
    event = {"turn": 1, "role": "user", "content": LAG["text"], "occurred_at": START}
    await tenant("events.write", user_id="u", session_id=session, events=[event])
    cited = [{"user_id": "u", "session_id": session, "turn": 1}]
    made = await tenant("memories.remember", **LAG, evidence=cited)
    return await tenant("memories.get", id=made.id)


@pytest.mark.parametrize(("undone", "durative"), [(2, [False, True]), (3, [True])])
async def test_a_session_taken_back(tenant: Tenant, undone: int, durative: list[bool]) -> None:
    (*_, item) = [await seen(tenant, f"s{number}") for number in range(1, undone + 1)]
    assert item.is_durative is (undone == 3)
    await tenant("memories.undo", id=item.id)
    assert not (await tenant("memories.get", id=item.id)).is_durative
    found = [(await seen(tenant, f"t{number}")).is_durative for number, _ in enumerate(durative)]
    assert found == durative
