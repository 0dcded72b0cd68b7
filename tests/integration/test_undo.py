"""memories.undo: what was before a decision is held again, as new versions (RULES 5).

| decided | undone | then |
|---|---|---|
| Rome inserted | | nothing is held; known_at before the undo says Rome |
| Paris, then Rome by world change | Rome | Paris goes on; history has both, and the undo |
| the same | Rome, and the undo | Paris until May, Rome since |
| the same, twice over | undo of undo of undo | as after one |
| Rome said again with another turn | the second | the turn is no evidence any more; after a redo it is |
| Rome inserted and said again | the first | refused: the second rests on it |
| the same | both, the last first | nothing is held |
| Paris retracted, then Rome inserted | the retraction | refused: in the way |
| Rome undone | again by its id | refused: undone already |
| a retraction that was rejected | by its id | refused: it changed nothing |
| Paris by the user, then Rome; the turn behind Paris erased | Rome | refused: erased |
| a fact of an entity, merged into another | the fact | refused: merged; done once the merge is undone |
| Oslo contested beside Paris | Paris inserted | Oslo is asserted |
| the user's word | by a key that may relay no user | Forbidden |
| a guess | by the same key | done |
| an erased turn behind what was undone | | nothing of it is left |
| another user's memory, by a key of one user | | NotFound |
"""

from datetime import datetime
from typing import Any

import pytest

from muniment.errors import CannotUndo, Forbidden, NotFound
from muniment.postgres.embedded import ADMIN
from tests.integration.test_changes import (
    APRIL,
    DAY,
    JANUARY,
    MAY,
    city,
    guessed,
    now_known,
    say,
    told,
)
from tests.support.databases import Database
from tests.support.world import Tenant


async def last(tenant: Tenant, memory_id: Any) -> Any:
    """The last decision of a memory's lineage."""
    return (await tenant("memories.lineage", id=memory_id)).decisions[-1]


async def refused(tenant: Tenant, memory_id: Any, **more: Any) -> dict[str, Any]:
    """What a refusal says."""
    with pytest.raises(CannotUndo) as error:
        await tenant("memories.undo", id=memory_id, **more)
    return error.value.extra


async def test_an_insertion(tenant: Tenant) -> None:
    rome = await told(tenant, 1, "Rome", MAY)
    before = await now_known(tenant)
    undone = await tenant("memories.undo", id=rome.id)
    assert (undone.outcome, undone.rule, undone.ended) == ("undone", "undo", (rome.id,))
    assert await city(tenant) == []
    assert await city(tenant, as_of=MAY) == []
    assert await city(tenant, known_at=before) == ["Rome"]
    assert (await tenant("memories.get", id=rome.id)).status == "superseded"
    assert (await tenant("memories.get", id=rome.id, known_at=before)).status == "active"


async def test_a_change_of_the_world_and_back(tenant: Tenant) -> None:
    paris = await told(tenant, 1, "Paris", JANUARY)
    rome = await told(tenant, 2, "Rome", MAY)
    states = [(await now_known(tenant), ["Rome"], ["Paris"])]
    expected = [["Paris"], ["Rome"], ["Paris"], ["Rome"]]
    for now in expected:
        done = await tenant("memories.undo", id=rome.id)
        assert await city(tenant) == now
        assert await city(tenant, as_of=APRIL) == ["Paris"]
        assert (paris.id in done.restored) is True
        states.append((await now_known(tenant), now, ["Paris"]))
    for known_at, current, earlier in states:
        assert await city(tenant, known_at=known_at) == current
        assert await city(tenant, known_at=known_at, as_of=APRIL) == earlier
    held = await tenant("memories.get", id=paris.id)
    assert (held.status, held.valid_to) == ("superseded", MAY)
    decisions = (await tenant("memories.lineage", id=rome.id)).decisions
    assert [one.outcome for one in decisions] == ["superseded", *["undone"] * 4]
    assert [one.undone for one in decisions] == [False, True, False, True, False]


async def test_what_a_repetition_brought_goes(tenant: Tenant) -> None:
    rome = await told(tenant, 1, "Rome", MAY)
    await told(tenant, 2, "Rome", MAY + DAY)
    both, first = [1, 2], [1]
    moments = []
    for turns in (both, first, both, first):
        held = await tenant("memories.get", id=rome.id)
        assert [one.turn for one in held.evidence] == turns
        assert held.as_of == (MAY + DAY if turns == both else MAY)
        moments.append((await now_known(tenant), turns))
        await tenant("memories.undo", id=rome.id)
    for known_at, turns in moments:
        held = await tenant("memories.get", id=rome.id, known_at=known_at)
        assert [one.turn for one in held.evidence] == turns


async def test_the_later_one_comes_first(tenant: Tenant) -> None:
    rome = await told(tenant, 1, "Rome", MAY)
    await told(tenant, 2, "Rome", MAY + DAY)
    first, second = (await tenant("memories.lineage", id=rome.id)).decisions
    why = await refused(tenant, rome.id, decision_id=first.decision_id)
    assert why == {"reason": "later_decision", "decisions": [str(second.decision_id)]}
    await tenant("memories.undo", id=rome.id, decision_id=second.decision_id)
    await tenant("memories.undo", id=rome.id, decision_id=first.decision_id)
    assert await city(tenant) == []
    why = await refused(tenant, rome.id, decision_id=first.decision_id)
    assert why["reason"] == "undone_already"


async def test_something_else_is_held_there_now(tenant: Tenant) -> None:
    paris = await guessed(tenant, "Paris", JANUARY)
    await tenant("memories.retract", id=paris.id, at=APRIL)
    await guessed(tenant, "Rome", MAY)
    assert (await refused(tenant, paris.id))["reason"] == "in_the_way"
    assert await city(tenant) == ["Rome"]


async def test_what_changed_nothing(tenant: Tenant) -> None:
    rome = await told(tenant, 1, "Rome", MAY)
    await tenant("memories.retract", id=rome.id)
    rejected = await last(tenant, rome.id)
    assert rejected.outcome == "rejected"
    why = await refused(tenant, rome.id, decision_id=rejected.decision_id)
    assert why["reason"] == "changed_nothing"
    assert (await tenant("memories.undo", id=rome.id)).ended == (rome.id,)


async def test_what_was_erased_comes_never_back(tenant: Tenant) -> None:
    paris = await told(tenant, 1, "Paris", JANUARY)
    event = {"turn": 1, "role": "user", "content": "I live in Rome.", "occurred_at": MAY}
    await tenant("events.write", user_id="u", session_id="other", events=[event])
    cited = [{"session_id": "other", "turn": 1}]
    rome = await guessed(tenant, "Rome", MAY, evidence=cited)
    await tenant("forget", user_id="u", session_id="s")
    with pytest.raises(NotFound):
        await tenant("memories.get", id=paris.id)
    assert (await refused(tenant, rome.id))["reason"] == "erased"
    assert await city(tenant) == ["Rome"]


async def test_what_stood_against_it_is_held(tenant: Tenant) -> None:
    paris = await told(tenant, 1, "Paris", JANUARY)
    oslo = await guessed(tenant, "Oslo", APRIL)
    assert oslo.outcome == "contested"
    await tenant("memories.undo", id=paris.id)
    assert await city(tenant) == ["Oslo"]
    await tenant("memories.undo", id=paris.id)
    assert await city(tenant) == ["Paris"]
    assert (await tenant("memories.get", id=paris.id)).contested_by == (oslo.id,)


async def test_who_may(tenant: Tenant) -> None:
    stated = await told(tenant, 1, "Rome", MAY)
    pet = await tenant("memories.remember", kind="fact", text="Has a cat.", user_id="u")
    key = await tenant.key_for(verbs=["read", "write"], roles=["assistant", "tool"])
    with pytest.raises(Forbidden):
        await tenant("memories.undo", _as=key, id=stated.id)
    await tenant("memories.undo", _as=key, id=pet.id)
    with pytest.raises(Forbidden):
        await tenant("memories.undo", _as=await tenant.key_for(verbs=["read"]), id=stated.id)
    other = await tenant.key_for(verbs=["read", "write"], user_id="v")
    for name in ("correct", "retract", "confirm", "pin", "unpin", "restore", "undo", "lineage"):
        given = {"text": "Lives in Oslo."} if name == "correct" else {}
        with pytest.raises(NotFound):
            await tenant(f"memories.{name}", _as=other, id=stated.id, **given)
    own = await tenant.key_for(verbs=["read", "write"], user_id="u")
    await tenant("memories.undo", _as=own, id=stated.id)
    with pytest.raises(NotFound):
        await tenant("memories.undo", id=stated.id, decision_id=pet.id)


async def test_a_forget_reaches_what_was_undone(tenant: Tenant, database: Database) -> None:
    rome = await told(tenant, 1, "Rome", MAY)
    await tenant("memories.undo", id=rome.id)
    await tenant("forget", user_id="u", session_id="s")
    with database.connect(ADMIN) as admin:
        left = admin.execute(
            "SELECT (SELECT count(*) FROM muniment.memory_version WHERE tenant_id = %(t)s),"
            " (SELECT count(*) FROM muniment.decision WHERE tenant_id = %(t)s)",
            {"t": tenant.tenant_id},
        ).fetchone()
    assert left == (0, 0)


async def test_what_was_withdrawn_supports_nothing(tenant: Tenant) -> None:
    """The user's word was undone, so that forgetting the guess's turn leaves nothing."""
    asked = {"turn": 1, "role": "assistant", "content": "You live in Rome?", "occurred_at": MAY}
    await tenant("events.write", user_id="u", session_id="guess", events=[asked])
    cited = [{"session_id": "guess", "turn": 1}]
    rome = await guessed(tenant, "Rome", MAY, evidence=cited)
    confirmed = await tenant(
        "memories.confirm", id=rome.id, **await say(tenant, 2, "I live in Rome.")
    )
    assert confirmed.trust == "user_stated"
    await tenant("memories.undo", id=rome.id)
    await tenant("forget", user_id="u", session_id="guess")
    with pytest.raises(NotFound):
        await tenant("memories.get", id=rome.id)


async def test_it_is_recalled_again(tenant: Tenant) -> None:
    await told(tenant, 1, "Paris", JANUARY)
    rome = await told(tenant, 2, "Rome", MAY)
    await tenant("memories.undo", id=rome.id)
    asked: dict[str, Any] = {"user_id": "u", "query": "Which city?", "filter": {"slot": "city"}}
    view = await tenant("recall", **asked)
    assert [item.value for item in view.items] == ["Paris"]
    assert isinstance(view.watermark, datetime)


async def test_what_a_merge_moved(tenant: Tenant) -> None:
    for name in ("Ana", "Anna"):
        await tenant("entities.define", user_id="u", name=name, kind="person")
    bern = await guessed(tenant, "Bern", MAY, subject="Ana")
    merged = await tenant("entities.merge", user_id="u", name="Ana", into="Anna")
    assert (await refused(tenant, bern.id))["reason"] == "merged"
    await tenant("entities.unmerge", merge_id=merged.merge_id)
    assert (await tenant("memories.undo", id=bern.id)).ended == (bern.id,)
