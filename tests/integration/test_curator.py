"""The curator: what recurs in several sessions is promoted (RULES 4.4, 6, 8; DESIGN 5.7).

| said in so many sessions | and | becomes |
|---|---|---|
| three, a wish for the task at hand | | a `user_preference`, inferred, 0.70, dated and with an end |
| three, a statement that consolidation left out | | a `fact` |
| three, a habit, each time on the same data source | | a `domain_pattern` of it |
| two; three times in one session | | nothing |
| three | one of them failed | nothing |
| three | one of them stores nothing, or the user opted out | nothing |
| three | one of them was forgotten, or is not consolidated yet | nothing |
| three | one of them said what had been recalled, or was withdrawn | nothing |
| three | over more than the look-back | nothing |
| three | another value was said since | nothing |
| three, what consolidation drew a memory from | | nothing more |
| three, in words that a user's memory has | | that is reinforced, at its own grade |
| more, after the promotion | | reinforced once a run |
| more, of another value | | takes the place of what was promoted before |
| so many habits that there is no room | | those of the most sessions |
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.integration.curating import BY_WEEK, Curator
from tests.integration.extracting import DAY, Scripted, held, say, scripted, tables, texts, work
from tests.support.world import START, Tenant

PATTERN = "On orders, the user keeps asking: Drop the test accounts before you count."


@pytest.fixture
def tenant(curator: Curator) -> Tenant:
    return curator.tenant


def turn(number: int, content: str) -> dict[str, Any]:
    return {"turn": number, "role": "user", "content": content, "occurred_at": START}


async def test_a_wish(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    assert await held(tenant) == []
    assert await curator.run() == 1
    (item,) = await held(tenant)
    assert (item.kind, item.text) == ("user_preference", "The user keeps asking for it by week.")
    assert (item.trust, item.confidence, item.status) == ("agent_inferred", 0.7, "active")
    assert (item.valid_from, item.as_of) == (START - 10 * DAY, START - 8 * DAY)
    assert item.expires_at == item.as_of + timedelta(days=365)
    assert [(e.session_id, e.turn) for e in item.evidence] == [("s0", 0), ("s1", 0), ("s2", 0)]
    assert item.importance == 6


async def test_the_decision_names_what_promoted_it(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await curator.run()
    (item,) = await held(tenant)
    ((rule, outcome, inputs),) = curator.query(
        "SELECT rule, outcome, inputs FROM muniment.decision"
    )
    assert (rule, outcome) == ("recurred_in_3_sessions", "inserted")
    assert inputs["proposed_by"] == "curator: recurred_in_3_sessions"
    assert datetime.fromisoformat(inputs["expires_at"]) == item.expires_at
    (version,) = (await tenant("memories.history", id=item.id)).versions
    assert [one.rule for one in version.decisions] == ["recurred_in_3_sessions"]


async def test_a_statement_and_a_habit(curator: Curator, tenant: Tenant) -> None:
    scripted(curator.worker, Scripted())
    for at in range(3):
        when = START - (9 - at) * DAY
        await curator.session("The invoices go to the accounting office in Breda.", at=when)
        await curator.session(
            "Drop the test accounts before you count.", at=when, data_source="orders"
        )
    assert await curator.run() == 2
    assert {
        (item.kind, item.data_source, item.text, item.trust) for item in await held(tenant)
    } == {
        ("fact", None, "The invoices go to the accounting office in Breda.", "agent_inferred"),
        ("domain_pattern", "orders", PATTERN, "agent_inferred"),
    }


@pytest.mark.parametrize(
    ("said", "more"),
    [
        (BY_WEEK[:2], {}),
        (("What was revenue last week?",) * 3, {}),
        (("Thanks!",) * 3, {}),
        (("If I moved to Delft I would take the train.",) * 3, {}),
        (("My brother collects old maps of Delft.",) * 3, {}),
        (("Show me that by week.", "Show me that by month.", "Show me that by day."), {}),
        (("> Show me that by week.\n\nWhat does he mean?",) * 3, {}),
    ],
)  # fmt: skip
async def test_nothing_recurs(
    curator: Curator, tenant: Tenant, said: tuple[str, ...], more: Any
) -> None:
    await curator.sessions(*said, **more)
    before = await texts(tenant)
    assert await curator.run() == 0
    assert await texts(tenant) == before


async def test_in_one_session(curator: Curator, tenant: Tenant) -> None:
    await curator.session(*BY_WEEK, "Please show it by week.", at=START - DAY)
    assert await curator.run() == 0
    assert await held(tenant) == []


async def test_what_failed_does_not_confirm(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK[:2], outcome="success")
    await curator.sessions(BY_WEEK[2], outcome="failure")
    assert await curator.run() == 0
    await curator.sessions(BY_WEEK[2], outcome="partial")
    assert await curator.run() == 1


async def test_what_is_not_to_be_remembered(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await tenant("sessions.open", user_id="u", session_id="s1", no_store=True)
    assert await curator.run() == 0
    await tenant("sessions.open", user_id="u", session_id="s1", no_store=False)
    await tenant("users.opt_out", user_id="u")
    assert await curator.run() == 0
    await tenant("users.opt_in", user_id="u")
    assert await curator.run() == 1


async def test_what_was_forgotten_is_not_counted(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await tenant("forget", user_id="u", session_id="s1")
    assert await curator.run() == 0
    await curator.sessions("By week, please.")
    assert await curator.run() == 1


async def test_an_echo_does_not_confirm(curator: Curator, tenant: Tenant) -> None:
    said = "I cycle to the office in Breda along the canal."
    scripted(curator.worker, Scripted())
    await curator.sessions(said, said)
    again = {"user_id": "u", "session_id": "s2"}
    await tenant("events.write", **again, events=[turn(0, "Good morning!")])
    view = await tenant("recall", query="How do I get to the office in Breda?", **again)
    assert view.items
    await curator.service.recalls.flush()
    curator.service.clock.advance(minutes=1)
    await tenant("events.write", **again, events=[turn(1, said)])
    await work(curator.database, curator.worker, tenant, "s2")
    curator.count += 1
    assert await curator.run() == 0
    await curator.sessions(said)
    assert await curator.run() == 1
    (item,) = await held(tenant)
    assert [e.session_id for e in item.evidence] == ["s0", "s1", "s3"]


async def test_what_was_withdrawn_does_not_confirm(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK[:2])
    await curator.session(BY_WEEK[2], "Please don't remember that.", at=START - DAY)
    assert await curator.run() == 0
    assert await held(tenant) == []


async def test_what_is_not_consolidated_is_not_read(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK[:2])
    await say(tenant, BY_WEEK[2], session="open")
    assert await curator.run() == 0
    await work(curator.database, curator.worker, tenant, "open")
    assert await curator.run() == 1


async def test_over_a_long_time(curator: Curator, tenant: Tenant) -> None:
    for said, days in zip(BY_WEEK, (200, 100, 1), strict=True):
        await curator.session(said, at=START - days * DAY)
    assert await curator.run() == 0


async def test_told_long_ago(curator: Curator, tenant: Tenant) -> None:
    """Imported: its life would be over already."""
    for said, days in zip(BY_WEEK, (400, 399, 398), strict=True):
        await curator.session(said, at=START - days * DAY)
    assert await curator.run() == 0
    assert await held(tenant) == []


async def test_another_value_since(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK, "Show me that by month.")
    assert await curator.run() == 0
    await curator.sessions("Show me that by week.")
    assert await curator.run() == 1
    assert await texts(tenant) == ["The user keeps asking for it by week."]


async def test_another_value_takes_over(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await curator.run()
    await curator.sessions("By month, please.", "Monthly, please.", "Show me that by month.")
    assert await curator.run() == 1
    assert await texts(tenant) == ["The user keeps asking for it by month."]
    (item,) = await held(tenant, as_of=(START - 8 * DAY).isoformat())
    assert item.text == "The user keeps asking for it by week."


async def test_what_consolidation_drew(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*["I live in Gouda."] * 3, *["Please always answer in Dutch."] * 3)
    before = tables(curator.database, tenant, "memory", "memory_version", "decision")
    assert before["memory"]
    assert await curator.run() == 0
    assert tables(curator.database, tenant, "memory", "memory_version", "decision") == before


async def test_what_was_taken_back(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*["I live in Gouda."] * 3, "I no longer live in Gouda.")
    before = await held(tenant)
    assert await curator.run() == 0
    assert await held(tenant) == before


async def test_the_same_words_are_held(curator: Curator, tenant: Tenant) -> None:
    scripted(curator.worker, Scripted())
    text = "Invoices go to the accounting office."
    await curator.session(text, at=START - 20 * DAY)
    cited = [{"session_id": "s0", "turn": 0}]
    kept = await tenant("memories.remember", kind="fact", user_id="u", text=text, evidence=cited)
    versions = tables(curator.database, tenant, "memory_version")
    await curator.sessions(*["The invoices go to the accounting office."] * 3)
    assert await curator.run() == 1
    assert tables(curator.database, tenant, "memory_version") == versions
    (item,) = await held(tenant)
    assert (item.id, item.text, item.trust) == (kept.id, text, "user_stated")
    assert len(item.evidence) == 4


async def test_more_of_it(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await curator.run()
    (first,) = await held(tenant)
    assert await curator.run() == 0
    await curator.sessions("By week, please.")
    assert await curator.run() == 1
    assert await curator.run() == 0
    (item,) = await held(tenant)
    assert (item.id, item.text, item.trust, item.confidence) == (
        first.id, first.text, "agent_inferred", 0.7,
    )  # fmt: skip
    assert len(item.evidence) == 4
    # A preference's life is not renewed by repetition: policy says of which kinds it is.
    assert (item.expires_at, item.as_of) == (first.expires_at, START - 7 * DAY)


async def test_no_room(curator: Curator, tenant: Tenant) -> None:
    policy = curator.worker.world.policy
    few = replace(policy, recurrence=replace(policy.recurrence, most=1))
    object.__setattr__(curator.worker.world, "policy", few)
    await curator.sessions(*["as a table please"] * 3, *BY_WEEK, "By week, please.")
    assert await curator.run() == 1
    assert await texts(tenant) == ["The user keeps asking for it by week."]
    await curator.sessions("as a table please", "By week, please.")
    assert await curator.run() == 1
    assert len(await held(tenant)) == 1
