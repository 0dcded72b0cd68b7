"""What was decided in review, taken back (RULES 4.4, 15.5): for who could have decided it.

Everything by `undo`, and where it retracts by `restore` as well.

| decided | taken back by | then |
|---|---|---|
| approved; rejected | the requester, with and without the verb `review` | Forbidden; nothing changes |
| the same | another key without the verb | Forbidden |
| the same | a reviewer | waits again |
| approved, taken back; rejected, taken back | the requester; a key without the verb | Forbidden |
| the same | a reviewer | as decided first |
| approved over what somebody else said | who said that, by its own id | Forbidden |
| a guess about the organisation, confirmed or rejected | the requester | Forbidden |
| no decision of review: retracted by the requester | the requester | as before |
| expired | decided | NotFound |
"""

from typing import Any

import pytest

from muniment.errors import Forbidden, NotFound, OwnRequest
from tests.integration.reviewing import ORDER, Desk
from tests.support.world import Local, Tenant

PEOPLE: dict[str, Any] = {"roles": ["user", "operator", "assistant"]}


@pytest.fixture
async def desk(tenant: Tenant) -> Desk:
    agent = await tenant.key_for(principal="agent", verbs=["read", "write"], **PEOPLE)
    rita = await tenant.key_for(principal="rita", verbs=["read", "write", "review"], **PEOPLE)
    return Desk(tenant, agent, rita)


@pytest.fixture
async def others(desk: Desk) -> dict[str, type[Forbidden]]:
    """Keys that may take nothing of it back, and what they are told."""
    key_for = desk.tenant.key_for
    both = await key_for(principal="agent", verbs=["read", "write", "review"], **PEOPLE)
    clerk = await key_for(principal="clerk", verbs=["read", "write"], **PEOPLE)
    return {desk.agent: Forbidden, both: OwnRequest, clerk: Forbidden}


async def refused(desk: Desk, others: dict[str, type[Forbidden]], item: Any, *names: str) -> None:
    """Nobody of the others takes it back, and it stays as it is."""
    before = await desk.get(item)
    for key, error in others.items():
        for name in names:
            with pytest.raises(error):
                await desk.tenant(f"memories.{name}", _as=key, id=item)
    assert await desk.get(item) == before


async def taken_back(desk: Desk, item: Any, name: str = "undo") -> str:
    """What it is after the reviewer took the last decision back."""
    await desk.tenant(f"memories.{name}", _as=desk.reviewer, id=item)
    return str((await desk.get(item)).status)


@pytest.mark.parametrize("slot", [{}, {"slot": "city", "value": "Breda"}])
@pytest.mark.parametrize(
    ("decision", "names", "status"),
    [("approve", ["undo"], "active"), ("reject", ["undo", "restore"], "retracted")],
)
async def test_an_instruction(
    desk: Desk,
    others: dict[str, type[Forbidden]],
    slot: dict[str, Any],
    decision: str,
    names: list[str],
    status: str,
) -> None:
    made = await desk.remember(ORDER, **slot)
    await desk.decide(made.id, decision)
    await refused(desk, others, made.id, *names)
    assert (await desk.get(made.id)).status == status
    assert await taken_back(desk, made.id, names[-1]) == "quarantined"
    assert await desk.waiting() == [(made.id, "quarantined")]
    await refused(desk, others, made.id, "undo")
    assert ORDER not in await desk.recalled()
    assert await taken_back(desk, made.id) == status


async def test_by_the_id_of_what_it_replaced(
    desk: Desk, others: dict[str, type[Forbidden]]
) -> None:
    gouda, breda = await desk.stated(), await desk.guessed()
    await desk.decide(breda.id, "approve")
    await refused(desk, others, gouda.id, "undo")
    await taken_back(desk, breda.id)
    assert (await desk.get(gouda.id)).status == "active"
    await refused(desk, others, gouda.id, "undo")


@pytest.mark.parametrize(
    ("decision", "names"), [("approve", ["undo"]), ("reject", ["undo", "restore"])]
)
async def test_a_guess_about_the_organisation(
    desk: Desk, others: dict[str, type[Forbidden]], decision: str, names: list[str]
) -> None:
    made = await desk.remember(
        "Orders lag.", kind="data_quality", data_source="orders", user_id=None
    )
    await desk.decide(made.id, decision)
    await refused(desk, others, made.id, *names)
    await taken_back(desk, made.id)
    assert await desk.waiting() == [(made.id, "unconfirmed")]


async def test_what_was_not_decided_in_review(desk: Desk) -> None:
    made = await desk.remember("Has a cat.")
    for name in ("undo", "restore"):
        await desk.tenant("memories.retract", _as=desk.agent, id=made.id)
        await desk.tenant(f"memories.{name}", _as=desk.agent, id=made.id)
        assert (await desk.get(made.id)).status == "active"


async def test_what_expired_is_not_there(service: Local, desk: Desk) -> None:
    """As in every other call."""
    made = await desk.remember(ORDER)
    await desk.tell(ORDER, role="assistant")
    waiting = [item for item, _ in await desk.waiting()]
    assert (len(waiting), made.id in waiting) == (2, True)
    service.clock.advance(days=400)
    for item in waiting:
        with pytest.raises(NotFound):
            await desk.get(item)
        with pytest.raises(NotFound):
            await desk.decide(item, "approve")
