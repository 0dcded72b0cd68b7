"""A fault that binds by two principals ends by no one of them, nor by a third, alone (RULES 2.3).

| said by one principal: `retired`, `invalidated`, with a replacement, one below the floor, one that is held, `memories.retract`, `memories.correct` | then |
|---|---|
| alone, once and again; with a turn of a user | noted: it binds as before, in every plan; what would take its place is there too, contested |
| then by a second one, in the same or another way | it ends, or is superseded |
| by the owner of the source, by an operator | it ends at once |
| by a second one, when it was observed since | noted again |
| by a second one, when the first took its word back | noted again |
| of a fault that does not bind yet | it ends at once, but for `retired` |
| dates alone that go on | corrected |
| what another one observed is taken back, by a third; by a reviewer, the owner, who observed it | Forbidden; it does not bind |
"""

from typing import Any

import pytest

from muniment.errors import Forbidden
from tests.integration.analysing import LAG, SOURCE, plan, report
from tests.support.world import Local, Tenant

RIGHT = "The orders table is complete every morning."
WAYS = ("retired", "invalidated", "replaced", "low", "held", "retract", "correct")
BECAME = {"noted", "rejected", "contested", "reinforced"}


async def say(
    tenant: Tenant, key: str | None, way: str, fault: Any, **more: Any
) -> tuple[str, str]:
    """That it is gone, in one of the ways; what became of it, and by which rule."""
    if way in {"retract", "correct"}:
        text = {"text": RIGHT} if way == "correct" else {}
        found = await tenant(f"memories.{way}", _as=key, id=fault, **text, **more)
        return found.outcome, found.rule
    if way == "retired":
        gone = {"id": fault} | ({"evidence": more.pop("evidence")} if "evidence" in more else {})
        told = await report(tenant, key, session_id="gone", retired=[gone], **more)
        return told.retired[0].became, told.retired[0].rule
    again: dict[str, Any] = {"id": fault, "outcome": "invalidated"}
    if "evidence" in more:
        again["evidence"] = more.pop("evidence")
    findings: list[dict[str, Any]] = []
    if way != "invalidated":
        label = "exploratory_divergent" if way == "low" else "confirmatory"
        findings = [{"kind": "data_quality", "text": RIGHT, "label": label}]
        again["finding"] = 0
    told = await report(tenant, key, session_id="gone", mode="revalidate", findings=findings, revalidation=again, **more)  # fmt: skip
    return told.revalidation.became, told.revalidation.rule


async def bound(tenant: Tenant, way: str, keys: tuple[str | None, ...]) -> Any:
    """A fault that so many observed; for ``held`` what says otherwise is there already."""
    told: Any = None
    for number, key in enumerate(keys):
        told = await report(tenant, key, user_id=f"u{number}", session_id=f"b{number}", findings=[LAG])  # fmt: skip
    if way == "held":
        await report(tenant, keys[0], session_id="other", findings=[LAG | {"text": RIGHT}])
    return told.findings[0].id


async def required(tenant: Tenant) -> list[str]:
    return [one.text for one in (await plan(tenant, user_id="bob")).required_workarounds]


@pytest.mark.parametrize("way", WAYS)
async def test_one_alone_ends_nothing(service: Local, tenant: Tenant, way: str) -> None:
    one, two, three = [await tenant.key_for(principal=name) for name in ("p1", "p2", "p3")]
    fault = await bound(tenant, way, (one, two))
    service.clock.advance(days=1)
    for key in (three, three):
        became, rule = await say(tenant, key, way, fault)
        assert (became, rule) == (became if became in BECAME else "noted", "gone_once")
        assert LAG["text"] in await required(tenant)
        assert (await tenant("memories.get", id=fault)).status == "active"
    if way in {"replaced", "correct"}:
        (waits,) = [each for each in (await tenant("review.list")).items if each.text == RIGHT]
        assert waits.why == "contested"
    became, rule = await say(tenant, one, "retract", fault)
    assert became == "retracted"
    assert LAG["text"] not in await required(tenant)


@pytest.mark.parametrize("way", [one for one in WAYS if one != "retired"])
async def test_the_second_way(service: Local, tenant: Tenant, way: str) -> None:
    one, two = [await tenant.key_for(principal=name) for name in ("p1", "p2")]
    fault = await bound(tenant, way, (one, two))
    service.clock.advance(days=1)
    assert (await say(tenant, one, "retired", fault))[1] == "gone_once"
    assert (await say(tenant, two, way, fault))[0] in {"retracted", "superseded"}
    assert LAG["text"] not in await required(tenant)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("who", ["owner", "operator"])
async def test_who_may(service: Local, tenant: Tenant, way: str, who: str) -> None:
    await tenant("sources.define", name=SOURCE, owner="steward")
    one, two, owner = [await tenant.key_for(principal=name) for name in ("p1", "p2", "steward")]
    fault = await bound(tenant, way, (one, two))
    service.clock.advance(days=1)
    key, more = (owner, {}) if who == "owner" else (None, {"speaker": "operator"})
    if way == "held" and who == "operator":
        return
    assert (await say(tenant, key, way, fault, **more))[0] in {"retracted", "superseded"}
    assert LAG["text"] not in await required(tenant)


@pytest.mark.parametrize("way", ["invalidated", "replaced", "retract", "correct"])
async def test_it_was_seen_since_or_the_word_was_taken_back(
    service: Local, tenant: Tenant, way: str
) -> None:
    one, two, three = [await tenant.key_for(principal=name) for name in ("p1", "p2", "p3")]
    fault = await bound(tenant, way, (one, two))
    service.clock.advance(days=1)
    await say(tenant, one, way, fault)
    service.clock.advance(days=1)
    await tenant("memories.confirm", _as=two, id=fault)
    service.clock.advance(days=1)
    assert (await say(tenant, three, way, fault))[1] == "gone_once"
    assert await required(tenant) == [LAG["text"]]


@pytest.mark.parametrize("way", ["invalidated", "replaced", "retract", "correct"])
async def test_one_that_does_not_bind_yet(service: Local, tenant: Tenant, way: str) -> None:
    one, three = [await tenant.key_for(principal=name) for name in ("p1", "p3")]
    fault = await bound(tenant, way, (one,))
    service.clock.advance(days=1)
    assert (await say(tenant, three, way, fault))[0] in {"retracted", "superseded"}


@pytest.mark.parametrize("way", ["invalidated", "retract", "correct"])
async def test_a_turn_of_a_user_is_one_word_too(service: Local, tenant: Tenant, way: str) -> None:
    one, two, three = [await tenant.key_for(principal=name) for name in ("p1", "p2", "p3")]
    fault = await bound(tenant, way, (one, two))
    turn = {"turn": 1, "role": "user", "content": RIGHT, "occurred_at": service.clock.now()}
    await tenant("events.write", _as=three, user_id="ann", session_id="t", events=[turn])
    cited: dict[str, Any] = {"session_id": "t", "turn": 1}
    cited |= {"user_id": "ann"} if way in {"retract", "correct"} else {}
    service.clock.advance(days=1)
    assert (await say(tenant, three, way, fault, evidence=[cited]))[1] == "gone_once"
    assert await required(tenant) == [LAG["text"]]


async def test_dates_that_go_on(service: Local, tenant: Tenant) -> None:
    one, two, three = [await tenant.key_for(principal=name) for name in ("p1", "p2", "p3")]
    fault = await bound(tenant, "correct", (one, two))
    await tenant("memories.correct", _as=three, id=fault, valid_from="2026-01-01T00:00:00Z")
    assert await required(tenant) == [LAG["text"]]
    ended = await tenant("memories.correct", _as=three, id=fault, valid_to=service.clock.now())
    assert ended.rule == "gone_once"
    service.clock.advance(days=1)
    assert await required(tenant) == [LAG["text"]]


@pytest.mark.parametrize("who", ["second", "owner", "reviewer"])
async def test_an_observation_is_taken_back(tenant: Tenant, who: str) -> None:
    await tenant("sources.define", name=SOURCE, owner="owner")
    plain = {"roles": ["user", "assistant"]}
    keys = {name: await tenant.key_for(principal=name, **plain) for name in ("first", "second", "third", "owner")}  # fmt: skip
    keys["reviewer"] = await tenant.key_for(principal="reviewer", verbs=["read", "write", "review"], **plain)  # fmt: skip
    fault = await bound(tenant, "undo", (keys["first"], keys["second"]))
    for name in ("third", "first"):
        with pytest.raises(Forbidden):
            await tenant("memories.undo", _as=keys[name], id=fault)
    assert await required(tenant) == [LAG["text"]]
    await tenant("memories.undo", _as=keys[who], id=fault)
    assert await required(tenant) == []
