"""What a key may read of a scope that several layers share (DESIGN 2, RULES 2.1).

| the key reaches | recall, list of these tiers | get of an event | get of a memory |
|---|---|---|---|
| semantic and episodic | both tiers | there | there |
| semantic | memories | not found | there |
| episodic | events | there | not found |
| neither | forbidden | not found, or forbidden: nothing of it is told | the same |
| less than it asks for | forbidden, at /tiers | | |

| the key is of one user | answer |
|---|---|
| that user's own | there |
| the organisation's | there, without the turns it rests on |
| another user's | not found |
"""

from datetime import timedelta
from typing import Any

import pytest

from muniment.errors import Forbidden, MunimentError, NotFound
from tests.support.world import START, Local, Tenant

TIERS = ("semantic", "episodic")
REACHED = [("semantic", "episodic"), ("semantic",), ("episodic",)]
QUERY = "What does Nora say about the night train to Gouda?"


async def fill(tenant: Tenant, user: str = "nora") -> dict[str, Any]:
    """An event and a memory of a user, and a fault that the organisation knows of: ids by tier."""
    event = {
        "turn": 1,
        "role": "user",
        "content": "I always take the night train to Gouda.",
        "occurred_at": START,
    }
    await tenant("events.write", user_id=user, session_id="s", events=[event])
    memory = await tenant(
        "memories.remember",
        kind="user_preference",
        user_id=user,
        text="Always takes the night train to Gouda.",
        evidence=[{"session_id": "s", "turn": 1}],
    )
    fault = await tenant(
        "memories.remember",
        kind="data_quality",
        text="The table of night trains to Gouda lacks Sundays.",
        data_source="trains",
        evidence=[{"user_id": user, "session_id": "s", "turn": 1}],
    )
    listed = await tenant("memories.list", user_id=user, tiers=["episodic"])
    return {"semantic": memory.id, "episodic": listed.items[0].id, "org": fault.id}


@pytest.mark.parametrize("layers", REACHED, ids="+".join)
async def test_the_tiers_that_a_key_reaches(tenant: Tenant, layers: tuple[str, ...]) -> None:
    ids = await fill(tenant)
    key = await tenant.key_for(verbs=["read"], layers=list(layers))
    view = await tenant("recall", _as=key, user_id="nora", query=QUERY)
    assert {item.tier for item in view.items} == set(layers)
    listed = await tenant("memories.list", _as=key, user_id="nora", tiers=list(layers))
    assert {item.tier for item in listed.items} == set(layers)
    for tier in TIERS:
        if tier in layers:
            assert (await tenant("memories.get", _as=key, id=ids[tier])).id == ids[tier]
        else:
            with pytest.raises(NotFound):
                await tenant("memories.get", _as=key, id=ids[tier])


@pytest.mark.parametrize(
    ("operation", "arguments"), [("recall", {"query": QUERY}), ("memories.list", {})]
)
@pytest.mark.parametrize("layers", [*REACHED[1:], ("working",)], ids="+".join)
async def test_tiers_beyond_the_key(
    tenant: Tenant, operation: str, arguments: dict[str, Any], layers: tuple[str, ...]
) -> None:
    await fill(tenant)
    key = await tenant.key_for(verbs=["read"], layers=list(layers))
    with pytest.raises(Forbidden) as caught:
        await tenant(operation, _as=key, user_id="nora", tiers=list(TIERS), **arguments)
    assert {fault.pointer for fault in caught.value.faults} == {"/tiers"}
    assert len(caught.value.faults) == len(set(TIERS) - set(layers))


async def test_a_key_of_another_layer_reads_nothing(tenant: Tenant) -> None:
    ids = await fill(tenant)
    key = await tenant.key_for(verbs=["read"], layers=["working"])
    for operation, arguments in (
        ("recall", {"user_id": "nora", "query": QUERY}),
        ("memories.list", {"user_id": "nora"}),
    ):
        with pytest.raises(Forbidden):
            await tenant(operation, _as=key, **arguments)
    for item_id in ids.values():
        with pytest.raises(MunimentError) as caught:
            await tenant("memories.get", _as=key, id=item_id)
        assert isinstance(caught.value, Forbidden | NotFound)


async def test_a_key_of_one_user(tenant: Tenant) -> None:
    ids = await fill(tenant)
    other = await fill(tenant, "omar")
    key = await tenant.key_for(verbs=["read"], layers=list(TIERS), user_id="nora")
    own = await tenant("memories.get", _as=key, id=ids["semantic"])
    assert [(one.session_id, one.turn) for one in own.evidence] == [("s", 1)]
    shared = await tenant("memories.get", _as=key, id=ids["org"])
    assert (shared.scope, shared.evidence) == ("org", ())
    assert (await tenant("memories.get", id=ids["org"])).evidence != ()
    view = await tenant("recall", _as=key, user_id="nora", query=QUERY)
    assert {item.scope for item in view.items} == {"user", "org"}
    assert all(item.evidence == () for item in view.items if item.scope == "org")
    for foreign in (other["semantic"], other["episodic"]):
        with pytest.raises(NotFound):
            await tenant("memories.get", _as=key, id=foreign)


async def test_each_scope_can_be_asked_again_as_it_was(service: Local, tenant: Tenant) -> None:
    """A write to one scope that began before the answer may commit after it."""
    await fill(tenant)
    began = service.clock.moment + timedelta(minutes=1)
    service.clock.moment += timedelta(minutes=5)
    event = {
        "turn": 2,
        "role": "user",
        "content": "The night train to Gouda was full.",
        "occurred_at": START,
    }
    await tenant("events.write", user_id="nora", session_id="s", events=[event])
    asked: dict[str, Any] = {"user_id": "nora", "query": QUERY, "k": 100}
    first = await tenant("recall", **asked)
    # The organisation's write took its moment earlier, and is seen only now.
    service.clock.moment = began
    late = await tenant(
        "memories.remember",
        kind="data_quality",
        text="The night train to Gouda is listed twice.",
        data_source="trains",
    )
    service.clock.moment += timedelta(minutes=10)
    by_one = await tenant("recall", known_at=first.watermark, **asked)
    assert late.id in {item.id for item in by_one.items}
    by_each = await tenant(
        "recall", known_at=first.watermarks.user, org_known_at=first.watermarks.org, **asked
    )
    assert {item.id for item in by_each.items} == {item.id for item in first.items}
    assert by_each.watermarks == first.watermarks


async def test_watermarks_of_what_is_not_there(tenant: Tenant) -> None:
    view = await tenant("recall", user_id="nobody", query=QUERY)
    assert (view.watermarks.user, view.watermarks.org) == (None, None)
