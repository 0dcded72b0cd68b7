"""What has no slot is shown as contested too, wherever it is shown (RULES 4.5, 14.4).

| held | said | then |
|---|---|---|
| a finding that a user stated; a fault that an operator did; a fault that two agents observed | an agent invalidates it with another | `contested_by` in recall, get, plan, context, and "contested" in their texts; before that moment not |
| the same, as an input of a run | the same | stale, and the step is explained by it |
| the same | the contested one is retracted, undone or expires | contested no more |
| another memory of the source | | not contested |
"""

from typing import Any

import pytest

from tests.integration.analysing import LAG, SOURCE, plan, report
from tests.support.world import Local, Tenant

HELD = "Returns rose from 6 % to 9 % with the new courier."
OTHER = "Returns fell to 5 % with the new courier."
BESIDE = "Weekend orders are 22 % below those of weekdays."
CASES = ("finding", "operator", "observed")


async def contested(service: Local, tenant: Tenant, case: str) -> tuple[Any, Any]:
    """What is held, and what contests it once ``invalidate`` ran."""
    kind = "finding" if case == "finding" else "data_quality"
    found: dict[str, Any] = {"text": HELD, "label": "confirmatory", "kind": kind}
    beside = {"text": BESIDE, "label": "confirmatory", "kind": kind}
    told: Any
    if case == "finding":
        turn = {"turn": 1, "role": "user", "content": HELD, "occurred_at": service.clock.now()}
        await tenant("events.write", user_id="ann", session_id="c1", events=[turn])
        found |= {"evidence": [{"session_id": "c1", "turn": 1}]}
        told = await report(tenant, session_id="c1", findings=[found, beside])
    elif case == "operator":
        told = await report(tenant, speaker="operator", findings=[found, beside])
    else:
        for number in range(2):
            key = await tenant.key_for(principal=f"p{number}")
            told = await report(tenant, key, session_id=f"o{number}", findings=[found, beside])
    service.clock.advance(days=1)
    return told.findings[0].id, kind


async def invalidate(tenant: Tenant, held: Any, kind: str) -> Any:
    key = await tenant.key_for(principal="other")
    other = {"text": OTHER, "label": "confirmatory", "kind": kind}
    again = {"id": held, "outcome": "invalidated", "finding": 0}
    told = await report(tenant, key, session_id="c2", mode="revalidate", findings=[other], revalidation=again)  # fmt: skip
    assert told.findings[0].became == "contested"
    return told.findings[0].id


def of(items: Any, held: Any) -> Any:
    (found,) = [one for one in items if one.id == held]
    return found.contested_by


async def everywhere(tenant: Tenant, held: Any, kind: str) -> list[Any]:
    """By what it is contested in each place that shows it."""
    asked: dict[str, Any] = {"user_id": "ann", "query": HELD}
    planned = await plan(tenant, mode="extend", k=100)
    context = await tenant("context.assemble", **asked, data_source=SOURCE)
    plain = await tenant("context.assemble", **asked)
    part = planned.findings if kind == "finding" else planned.required_workarounds
    lines = [line for text in (planned.text, context.text) for line in text.splitlines() if HELD in line]  # fmt: skip
    assert len({"contested" in line for line in lines}) == 1
    assert not any("contested" in line for line in planned.text.splitlines() if BESIDE in line)
    return [
        of((await tenant("recall", **asked)).items, held),
        (await tenant("memories.get", id=held)).contested_by,
        of(part, held),
        of([one for section in context.sections for one in section.items], held),
        of([one for section in plain.sections for one in section.items], held),
        (held,) if "contested" in lines[0] else (),
    ]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("end", ["retract", "undo"])
async def test_where_it_is_shown(service: Local, tenant: Tenant, case: str, end: str) -> None:
    held, kind = await contested(service, tenant, case)
    assert await everywhere(tenant, held, kind) == [()] * 6
    before = (await tenant("memories.get", id=held)).watermark
    other = await invalidate(tenant, held, kind)
    assert await everywhere(tenant, held, kind) == [*[(other,)] * 5, (held,)]
    assert (await tenant("memories.get", id=held, known_at=before)).contested_by == ()
    await tenant(f"memories.{end}", id=other)
    assert await everywhere(tenant, held, kind) == [()] * 6


@pytest.mark.parametrize("case", CASES)
async def test_inputs_of_a_run(service: Local, tenant: Tenant, case: str) -> None:
    held, kind = await contested(service, tenant, case)
    run = (await tenant("runs.open", agent_id="a", user_id="ann")).run_id
    await plan(tenant, mode="extend", run_id=str(run), step=1)
    assert (await tenant("runs.get", run_id=run)).stale_inputs == ()
    other = await invalidate(tenant, held, kind)
    (stale,) = (await tenant("runs.get", run_id=run)).stale_inputs
    assert (stale.id, stale.why, stale.contested_by) == (held, "contested", (other,))
    told = await tenant("runs.explain", run_id=run, step=1, user_id="ann")
    (item,) = [one for one in told.items if one.id == held]
    assert item.now.contested_by == (other,)
    await plan(tenant, mode="extend", run_id=str(run), step=2)
    assert (await tenant("runs.get", run_id=run)).stale_inputs == ()


async def test_what_takes_its_place_for_good(service: Local, tenant: Tenant) -> None:
    held, kind = await contested(service, tenant, "observed")
    other = await invalidate(tenant, held, kind)
    await tenant("review.decide", id=other, decision="approve", reason="seen")
    planned = await plan(tenant)
    assert held not in [one.id for one in planned.required_workarounds]
    assert not [one for one in planned.required_workarounds if one.contested_by]
    assert LAG["text"] not in planned.text
