"""Items that say the same words in one context: nobody drives out what somebody else holds.

| held | then |
|---|---|
| required faults that differ by case, or by white space alone | as many as the plan has, required |
| a pinned fact; an unconfirmed fault of another user in its words, and no room for both | the pinned fact, in its profile |
| a required fault; a fact that the user stated in its words | both |
| a required fault; an unconfirmed record in its words | the fault; the other is out: `duplicate` |
| a long turn of an agent in the words of a document, and no room in its section | the turn is out: `budget`; the document is in |
| an open question of a run; a turn in its words | both |
"""

from typing import Any

import pytest

from tests.integration.analysing import LAG, SOURCE, first, report
from tests.integration.test_context import assemble, reasons, say, sections, tell
from tests.support.world import Tenant

WORDS = "Is allergic to peanuts and to shellfish."
FAULT: dict[str, Any] = {
    "kind": "data_quality", "speaker": "operator", "user_id": None, "data_source": SOURCE,
}  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [("Column a of the sheet is empty.", "Column A of the sheet is empty."),
     ("Path /Data/Raw has gaps.", "Path /data/raw has gaps."),
     ("The key 'x y' is missing.", "The key 'x  y' is missing.")],
)  # fmt: skip
async def test_required_ones(tenant: Tenant, one: str, other: str) -> None:
    await first(tenant)
    for text in (one, other):
        await tell(tenant, text, **FAULT)
    found = await assemble(tenant, data_source=SOURCE)
    plan = await tenant("analysis.plan", user_id="ann", data_source=SOURCE, question="How?")
    told = [text.text for text in plan.required_workarounds]
    assert sections(found)["required_workarounds"] == told
    assert told[:1] == [one]
    assert len(told) == 2 or not one.startswith("Column")
    assert not found.dropped


async def test_a_pinned_fact(tenant: Tenant) -> None:
    await first(tenant)
    await say(tenant, WORDS)
    pinned = await tell(tenant, WORDS, slot="allergy", value="peanuts", evidence=[{"session_id": "s", "turn": 0}])  # fmt: skip
    for at in range(0, 41, 20):
        faults = [LAG | {"text": WORDS if number == 0 else f"Filler fault {number}: column {number} has gaps."} for number in range(at, at + 20)]  # fmt: skip
        await report(tenant, user_id="mallory", session_id=f"x{at}", findings=faults)
    found = await assemble(tenant, query="lunch menu", budget=300, data_source=SOURCE)
    assert sections(found)["profile"] == [WORDS]
    assert pinned not in reasons(found)
    assert "budget" in reasons(found).values()
    assert found.text.count(WORDS) == 1


async def test_beside_what_is_required(tenant: Tenant) -> None:
    await first(tenant)
    second = await tenant.key_for(principal="second")
    for number, key in enumerate((None, second)):
        await report(tenant, key, session_id=f"s{number}", findings=[LAG | {"text": WORDS}])
    stated: dict[str, Any] = {"slot": "allergy", "value": "peanuts"}
    await say(tenant, WORDS)
    known = await tell(tenant, WORDS, evidence=[{"session_id": "s", "turn": 0}], **stated)
    found = await assemble(tenant, data_source=SOURCE)
    assert sections(found)["required_workarounds"] == sections(found)["profile"] == [WORDS]
    assert known not in reasons(found)
    agents = await tell(tenant, WORDS, user_id="bob", **stated)
    found = await assemble(tenant, user_id="bob", data_source=SOURCE)
    assert list(sections(found)) == ["required_workarounds"]
    assert reasons(found)[agents] == "duplicate"


async def test_what_has_no_room(tenant: Tenant) -> None:
    """The twin that was to be in does not fit: the other one is in."""
    await tell(tenant, WORDS, kind="fact")
    await tenant("knowledge.put", source="guide", version=1, title="Who", text=WORDS)
    query = "Who is allergic to peanuts and shellfish?"
    shares = dict.fromkeys(("run_state", "profile", "findings", "interactions"), 0.0)
    shares |= {"facts": 0.9, "knowledge": 0.1}
    await tenant("policy.put", document={"context": {"shares": shares}})
    whole = await assemble(tenant, query=query)
    assert list(sections(whole)) == ["knowledge"]
    assert set(reasons(whole).values()) == {"duplicate"}
    await tenant("knowledge.put", source="guide", version=2, title="Who T " * 60, text=WORDS)
    small = await assemble(tenant, query=query, budget=200)
    assert list(sections(small)) == ["facts"]
    assert set(reasons(small).values()) == {"budget"}


async def test_what_a_run_holds(tenant: Tenant) -> None:
    await say(tenant, WORDS)
    run = await tenant("runs.open", agent_id="a", user_id="ann")
    place = {"run_id": str(run.run_id)}
    await tenant("runs.checkpoint", **place, fence=1, step=1, open_questions=[WORDS])
    found = await assemble(tenant, query="Who is allergic to peanuts?", **place)
    assert sections(found)["run_state"][1:] == [WORDS]
    assert sections(found)["interactions"] == [WORDS]
