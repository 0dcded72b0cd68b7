"""analysis.plan: what is beside other things, however much of them there is.

| there are | then |
|---|---|
| faults that bind, and newer findings, faults by one key: more than are told | every one that binds is told, to each user |
| findings, more than are told | the gate counts them exactly; what is left out is counted |
| faults by one key, long ones | so many are told, in so many characters; the rest is counted |
| a floor of recall above the confidence of a fault that binds | it is told |
| a question open, answered, open again | the last word counts |
| a battery, and more reports without one than are read | the last whole one |
"""

from typing import Any

import pytest

from muniment.operations import analysis_prior
from muniment.records import analyses
from tests.integration.analysing import BATTERY, FINDINGS, LAG, SOURCE, UNKNOWN, first, plan, report
from tests.support.world import Local, Tenant

FEW = 3


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few of a kind are read and told, so that tests need not write thousands."""
    monkeypatch.setattr(analyses, "_MOST_ALIKE", FEW)
    monkeypatch.setattr(analyses, "_MOST_UNCONFIRMED", FEW)


def fault(number: int) -> dict[str, Any]:
    return LAG | {"text": f"Column {chr(97 + number)}{number * 7} of table {number} is empty."}


async def binding(tenant: Tenant, **changes: Any) -> None:
    """A fault that two principals observed."""
    second = await tenant.key_for(principal="second")
    for number, key in enumerate((None, second)):
        await report(tenant, key, session_id=f"b{number}", findings=[LAG], **changes)


@pytest.mark.usefixtures("few")
async def test_what_binds_is_there_whatever_is_beside_it(service: Local, tenant: Tenant) -> None:
    await binding(tenant)
    service.clock.advance(days=1)
    other = await tenant.key_for(principal="third")
    many = [fault(number) for number in range(FEW + 4)]
    await report(tenant, other, user_id="mallory", session_id="m", findings=many)
    found = [
        {"text": f"Measure {number} of region {number * 3} is {number}.", "label": "confirmatory"}
        for number in range(FEW + 5)
    ]
    await report(tenant, session_id="f", findings=found)
    for user, count in (("ann", FEW + 5), ("bob", 0)):
        told = await plan(tenant, user_id=user)
        assert [one.text for one in told.required_workarounds] == [LAG["text"]]
        assert told.gate.count == count
        left = {one.section: one.count for one in told.left_out}
        assert (len(told.unconfirmed), left["unconfirmed"]) == (FEW, 4)
        assert left.get("findings", 0) == max(0, count - FEW)
        assert "(4 more, not told here.)" in told.text
        context = await tenant("context.assemble", user_id=user, query="Returns?", data_source=SOURCE)  # fmt: skip
        assert LAG["text"] in context.text


async def test_faults_that_do_not_bind_are_told_within_bounds(tenant: Tenant) -> None:
    most, characters = analysis_prior.MOST_ALIKE, analysis_prior.MOST_CHARACTERS
    for batch in range(2):
        many = [
            LAG | {"text": f"Table {batch}x{number} has gaps. " + f"word{number} " * 7_000}
            for number in range(15)
        ]
        await report(tenant, session_id=f"s{batch}", findings=many)
    told = await plan(tenant)
    assert len(told.unconfirmed) == most
    assert [(one.section, one.count) for one in told.left_out] == [("unconfirmed", 30 - most)]
    for one in told.unconfirmed:
        assert one.shortened
        assert len(one.text) <= characters + 3
    assert len(told.text) < most * (characters + 200)


async def test_a_floor_of_recall_hides_nothing_that_binds(tenant: Tenant) -> None:
    await binding(tenant)
    await tenant("policy.put", document={"confidence": {"recall_floor": 0.95}})
    assert [one.text for one in (await plan(tenant)).required_workarounds] == [LAG["text"]]


async def test_the_last_word_on_a_question_counts(service: Local, tenant: Tenant) -> None:
    await first(tenant)
    for word, is_open in (("answered", False), ("unknowns", True), ("answered", False), ("unknowns", True)):  # fmt: skip
        service.clock.advance(days=1)
        said: dict[str, Any] = {word: [UNKNOWN]}
        await report(tenant, **said)
        found = await plan(tenant, mode="extend")
        assert found.open_unknowns == ((UNKNOWN,) if is_open else ())


async def test_the_last_whole_battery_is_found(
    service: Local, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (analyses, analysis_prior):
        monkeypatch.setattr(module, "MOST_ANALYSES", FEW)
    await report(tenant, findings=FINDINGS, battery=BATTERY, unknowns=[UNKNOWN])
    for number in range(FEW + 1):
        service.clock.advance(days=1)
        ran: dict[str, Any] = {"battery": BATTERY[:1], "mode": "revalidate"} if number else {}
        await report(tenant, session_id=f"r{number}", answered=[UNKNOWN], **ran)
    again = await plan(tenant, mode="re-run")
    assert [vars(one) for one in again.battery] == BATTERY
    assert (await plan(tenant, mode="extend")).open_unknowns == ()
