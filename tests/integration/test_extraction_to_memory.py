"""From what a person says to what is held of them, by the rules extractor (RULES 4 to 7, 10).

| said | held |
|---|---|
| "I always want weekly grain, not daily" | a preference, literally stated |
| "Exclude OpenAI namespaces from all my revenue queries" | a preference, literally stated |
| "Never contact me by phone" | do_not_contact: phone, pinned, importance 10 |
| an assistant's guess, corrected | the correction alone |
| a move with its date | the old value until then, the new one from then on |
| something that is over | its window closed, nothing new |
| something said to be so no more, or to be forgotten | the same, at the user's grade |
| the same session goes on | what is new is added, the rest is not touched |
| what was recalled is said again | nothing |
| of a brother, quoted, asked, supposed | nothing |
| a fault of the data | the organisation's, with the user's turn as evidence |
| only the assistant says it | nothing |
"""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from muniment.errors import Forbidden
from tests.integration.extracting import DAY, held, say, tables, texts, work
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

WRITTEN = (
    "memory", "memory_version", "memory_evidence", "decision", "memory_index", "extraction",
    "episode", "entity",
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("I always want weekly grain, not daily.", "weekly grain"),
        ("Exclude OpenAI namespaces from all my revenue queries.", "OpenAI namespaces"),
    ],
)
async def test_preferences(
    database: Database, worker: Local, tenant: Tenant, said: str, word: str
) -> None:
    await say(tenant, "Good morning!", said, "assistant|Noted.")
    assert await work(database, worker, tenant)
    (item,) = await held(tenant)
    assert (item.kind, item.trust, item.confidence) == ("user_preference", "user_stated", 0.9)
    assert word in item.text
    assert item.status == "active"
    assert [(e.session_id, e.turn) for e in item.evidence] == [("s", 1)]
    assert item.importance in (6, 7)
    assert item.as_of == START - 2 * DAY + timedelta(minutes=1)
    assert item.expires_at == item.as_of + timedelta(days=365)


async def test_never_by_phone(database: Database, worker: Local, tenant: Tenant) -> None:
    await say(tenant, "Never contact me by phone.")
    await work(database, worker, tenant)
    (item,) = await held(tenant)
    assert (item.slot, item.value, item.pinned) == ("do_not_contact", "phone", True)
    assert (item.importance, item.trust, item.confidence) == (10, "user_stated", 0.9)
    profile = (await tenant("profile.get", user_id="u")).items
    assert [one.value for one in profile] == ["phone"]


async def test_a_guess_that_is_corrected(database: Database, worker: Local, tenant: Tenant) -> None:
    await say(tenant, "assistant|You live in Utrecht, right?", "No, I live in Gouda.")
    await work(database, worker, tenant)
    assert [(one.slot, one.value) for one in await held(tenant)] == [("city", "Gouda")]
    assert "Utrecht" not in " ".join(await texts(tenant))


async def test_corrected_in_the_same_session(
    database: Database, worker: Local, tenant: Tenant
) -> None:
    await say(
        tenant,
        "I live in Utrecht.",
        "assistant|Utrecht, noted.",
        "Sorry, I mean I live in Gouda.",
    )
    await work(database, worker, tenant)
    held_now = [one.value for one in await held(tenant) if one.slot == "city"]
    assert held_now == ["Gouda"]


async def test_a_move_with_its_date(
    database: Database, service: Local, worker: Local, tenant: Tenant
) -> None:
    await say(tenant, "I live in Utrecht.", session="may", at=START - 60 * DAY)
    await work(database, worker, tenant, "may")
    worker.clock.moment = service.clock.advance(seconds=1)
    await say(tenant, "I moved to Gouda on 26 May.", session="june", at=START - DAY)
    await work(database, worker, tenant, "june")
    (now,) = await held(tenant)
    moved = datetime(2026, 5, 26, tzinfo=UTC)
    assert (now.value, now.valid_from, now.valid_to) == ("Gouda", moved, None)
    (before,) = await held(tenant, as_of=moved - DAY)
    assert (before.value, before.valid_to) == ("Utrecht", moved)
    assert (await tenant("memories.get", id=before.id)).status == "superseded"


async def test_days_are_those_of_the_speaker(
    database: Database, worker: Local, tenant: Tenant
) -> None:
    tokyo = timezone(timedelta(hours=9))
    late = datetime(2026, 5, 26, 1, tzinfo=tokyo)  # still the 25th in UTC
    await say(tenant, "I moved to Gouda yesterday.", at=late)
    await work(database, worker, tenant)
    (now,) = await held(tenant)
    assert now.valid_from == datetime(2026, 5, 25, tzinfo=tokyo)


async def test_what_is_over(
    database: Database, service: Local, worker: Local, tenant: Tenant
) -> None:
    await say(tenant, "I work at Philips.", session="may", at=START - 60 * DAY)
    await work(database, worker, tenant, "may")
    worker.clock.moment = service.clock.advance(seconds=1)
    await say(tenant, "I left Philips.", session="june", at=START - DAY)
    await work(database, worker, tenant, "june")
    assert await held(tenant) == []
    (was,) = await held(tenant, as_of=START - 30 * DAY)
    assert (was.value, was.valid_to) == ("Philips", START - DAY)
    assert (await tenant("memories.get", id=was.id)).status == "retracted"
    history = (await tenant("memories.history", id=was.id)).versions
    assert [one.outcome for version in history for one in version.decisions] == [
        "inserted",
        "retracted",
    ]
    assert history[-1].decisions[0].rule == "retraction"
    # The turn that ended it is no evidence for it.
    assert [(e.session_id, e.turn) for e in was.evidence] == [("may", 0)]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I have a dog.", "I no longer have a dog."),
        ("I have a dog.", "I don't have a dog any more."),
        ("I have a cat.", "Forget that I have a cat."),
        ("I live in Berlin.", "I no longer live in Berlin."),
        ("I live in Berlin.", "I don't live in Berlin anymore."),
        ("I live in Berlin.", "I do not live in Berlin any more."),
        ("I work at Acme.", "Please forget that I work at Acme."),
        ("I play tennis.", "Forget that I play tennis."),
    ],
)
async def test_what_is_told_to_be_over(
    database: Database, service: Local, worker: Local, tenant: Tenant, first: str, then: str
) -> None:
    await say(tenant, first, session="may", at=START - 60 * DAY)
    await work(database, worker, tenant, "may")
    (was,) = await held(tenant)
    worker.clock.moment = service.clock.advance(seconds=1)
    await say(tenant, then, session="june", at=START - DAY)
    await work(database, worker, tenant, "june")
    assert await held(tenant) == []
    last = (await tenant("memories.lineage", id=was.id)).decisions[-1]
    assert (last.outcome, last.rule) == ("retracted", "retraction")
    assert [one.id for one in await held(tenant, as_of=START - 30 * DAY)] == [was.id]


async def test_what_was_never_said_is_not_made_by_forgetting_it(
    database: Database, worker: Local, tenant: Tenant
) -> None:
    await say(tenant, "Forget that I have a cat.")
    await work(database, worker, tenant)
    assert await held(tenant) == []


async def test_a_session_that_goes_on(
    database: Database, service: Local, worker: Local, tenant: Tenant
) -> None:
    await say(tenant, "I live in Gouda.", "I always want weekly grain, not daily.")
    await work(database, worker, tenant)
    first = tables(database, tenant, "memory", "memory_version", "decision", "extraction")
    worker.clock.moment = service.clock.advance(hours=1)
    await say(tenant, "Never contact me by phone.", start=2)
    await work(database, worker, tenant)
    second = tables(database, tenant, "memory", "memory_version", "decision", "extraction")
    for name, rows in first.items():
        assert set(rows) <= set(second[name]), name
        assert len(second[name]) == len(rows) + 1, name


async def test_again_changes_nothing(database: Database, worker: Local, tenant: Tenant) -> None:
    await say(tenant, "I live in Gouda.", "I'm allergic to peanuts.", "I left Philips.")
    await work(database, worker, tenant)
    before = tables(database, tenant, *WRITTEN)
    for dirty in (False, True):
        if dirty:
            await tenant("sessions.close", user_id="u", session_id="s")
            with database.connect() as admin:
                admin.execute(
                    "UPDATE muniment.session SET dirty_since = now() WHERE tenant_id = %s",
                    [tenant.tenant_id],
                )
        assert not await work(database, worker, tenant)
        assert tables(database, tenant, *WRITTEN) == before


async def test_an_echo(database: Database, service: Local, worker: Local, tenant: Tenant) -> None:
    """What recall returned and is said again, by whomever, is nothing new; another value is."""
    remembered = "Nora releases the booking service every Tuesday."
    await tenant("memories.remember", user_id="u", kind="fact", text=remembered)
    await say(tenant, "Good morning!")
    await tenant(
        "recall", user_id="u", session_id="s", query="When is the booking service released?"
    )
    await service.recalls.flush()
    worker.clock.moment = service.clock.advance(minutes=1)
    await say(
        tenant,
        "I release the booking service every Tuesday.",
        "I release the ledger service every Friday.",
        start=1,
    )
    await work(database, worker, tenant)
    made = [one for one in await texts(tenant) if one != remembered]
    assert len(made) == 1
    assert "Friday" in made[0]


@pytest.mark.parametrize(
    "said",
    [
        "My brother lives in Oslo.",
        "Should I move to Oslo?",
        "If I lived in Oslo I would ski.",
        'Eve wrote: "I have always lived in the city of Oslo".',
        "assistant|You live in Oslo.",
        "external|The customer lives in Oslo.",
    ],
)
async def test_nothing_is_held_of(
    database: Database, worker: Local, tenant: Tenant, said: str
) -> None:
    await say(tenant, "Good morning!", said)
    await work(database, worker, tenant)
    assert [one for one in await held(tenant) if one.slot == "city"] == []


async def test_a_fault_of_the_data_is_everybodys(
    database: Database, worker: Local, tenant: Tenant
) -> None:
    await say(tenant, "The orders_daily table is missing rows since 3 May.")
    await work(database, worker, tenant)
    assert await held(tenant) == []
    (item,) = await held(tenant, None)
    assert (item.kind, item.trust) == ("data_quality", "user_stated")
    assert [(e.session_id, e.turn) for e in item.evidence] == [("s", 0)]
    # It goes with the only turn that it rests on.
    await tenant("forget", user_id="u")
    assert await held(tenant, None) == []


async def test_the_category_is_that_of_the_turns(
    database: Database, worker: Local, tenant: Tenant
) -> None:
    turn = {"turn": 0, "role": "user", "content": "I'm allergic to peanuts.", "occurred_at": START}
    for session, category in (("s", "regulated"), ("t", "public")):
        place = {"user_id": category, "session_id": session, "category": category}
        await tenant("events.write", **place, events=[turn])
        await work(database, worker, tenant, session)
    with database.connect() as admin:
        rows = admin.execute(
            "SELECT category FROM muniment.memory_version WHERE tenant_id = %s ORDER BY 1",
            [tenant.tenant_id],
        ).fetchall()
    assert rows == [("public",), ("regulated",)]


async def test_another_language_is_left_alone(
    database: Database, worker: Local, tenant: Tenant
) -> None:
    await say(tenant, "Ich wohne seit März in Köln und arbeite bei der Bahn.")
    await work(database, worker, tenant)
    assert await held(tenant) == []
    assert not (await tenant("sessions.get", user_id="u", session_id="s")).dirty


async def test_a_dry_run(database: Database, service: Local, tenant: Tenant) -> None:
    await say(tenant, "I live in Gouda.", "I'm allergic to peanuts.", "I moved to Delft on 30 May.")
    names = (*WRITTEN, "session", "scope_state", "memory_evidence")
    before = tables(database, tenant, *names)
    asked: dict[str, Any] = {"user_id": "u", "session_id": "s", "dry_run": True}
    foreseen = await tenant("sessions.consolidate", **asked)
    assert tables(database, tenant, *names) == before
    assert (foreseen.job_id, foreseen.estimated_tokens) == (None, 0)
    allergy = next(one for one in foreseen.candidates if one.slot == "allergy")
    assert (allergy.value, allergy.outcome, allergy.rule) == ("peanuts", "inserted", "new_value")
    assert (allergy.turns, allergy.memory_id) == ((1,), None)
    assert all(one.turns for one in foreseen.candidates)
    assert (await tenant("jobs.list")).items == ()
    # The same key and another layer.
    key = await tenant.key_for(verbs=["write"], layers=["episodic"])
    with pytest.raises(Forbidden):
        await tenant("sessions.consolidate", _as=key, **asked)


async def test_the_dry_run_foretells_the_run(
    database: Database, service: Local, worker: Local, tenant: Tenant
) -> None:
    await say(tenant, "I live in Utrecht.", session="may", at=START - 60 * DAY)
    await work(database, worker, tenant, "may")
    worker.clock.moment = service.clock.advance(seconds=1)
    await say(tenant, "I moved to Gouda on 26 May.", "Never contact me by phone.")
    foreseen = await tenant("sessions.consolidate", user_id="u", session_id="s", dry_run=True)
    await work(database, worker, tenant)
    with database.connect() as admin:
        made = admin.execute(
            "SELECT x.outcome, x.rule FROM muniment.extraction x JOIN muniment.session s"
            " USING (tenant_id, scope_id, session_pk) WHERE tenant_id = %s AND session_id = 's'",
            [tenant.tenant_id],
        ).fetchall()
    assert sorted((one.outcome, one.rule) for one in foreseen.candidates) == sorted(made)
    assert ("superseded", "world_change") in made
    again = await tenant("sessions.consolidate", user_id="u", session_id="s", dry_run=True)
    assert again.candidates == ()


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I opted in to the marketing mails.", "I opted out of the marketing mails."),
        ("I took up jazz dancing.", "I gave up jazz dancing."),
    ],
)
async def test_what_a_small_word_turns_round_is_not_the_same(
    database: Database, worker: Local, tenant: Tenant, first: str, then: str
) -> None:
    """Two memories, or the first one over: never the first alone, fresh by the second turn."""
    await say(tenant, first, session="s", at=START - 60 * DAY)
    await work(database, worker, tenant, "s")
    before = await held(tenant)
    await say(tenant, then, session="t")
    await work(database, worker, tenant, "t")
    after = await held(tenant)
    assert [(one.text, one.as_of) for one in before] == [
        (one.text, one.as_of) for one in after if one.as_of < START - 30 * DAY
    ]
    assert len(after) > len(before) or any(one.status != "active" for one in after)
