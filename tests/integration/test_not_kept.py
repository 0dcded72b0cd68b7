"""What is not kept: secrets, what a user asks not to have remembered, echoes (RULES 10).

| given | when | then |
|---|---|---|
| a turn with a secret | written | stored, found and shown without it; the verdict says its kind; no table has it |
| the same turn | written again | the same turn, the same verdict |
| the same turn with another secret | written | TurnConflict |
| metadata with a secret, under any name, at any depth | written | without it |
| a memory with a secret in text, value, detail, metadata | remembered | without it; a warning for each place |
| working memory | a secret is put | whole: it is scratch state, and goes within a day |
| a turn | the next says only "don't remember that" | not recalled, no word of it in any table; the row says why |
| the same | in one call | never stored; the answer says which turn |
| a turn with a summary and memories that rest on it | the same | they go as after a forget |
| a turn that asks so of itself | written | dropped, no word of it stored |
| a withdrawn turn | cited | there is no such turn |
| a withdrawn turn | said again later | kept |
| a cached index of another process | a turn is withdrawn | it follows |
| what recall returned into a session | an assistant says it there | echo; in another session it is kept |
| the same, not logged yet | the same process | echo |
"""

from datetime import timedelta
from typing import Any

import psycopg
import pytest

from muniment.errors import InvalidInput, NotFound, TurnConflict
from muniment.postgres.embedded import ADMIN
from tests.integration.forgetting import consolidate, mentions
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant, local_service

KEY = "AK" + "IA" + "QR7ST2UV4WX6YZ3A"
OTHER_KEY = "AK" + "IA" + "QR7ST2UV4WX6YZ3B"
PLACE = {"user_id": "u", "session_id": "s"}
HOME = "My sister Noor keeps kestrels in Zwolle."
FORGET_IT = "Please don't remember that."


def turn(number: int, content: str, **more: Any) -> dict[str, Any]:
    """A user's turn."""
    at = (START - timedelta(days=1) + timedelta(minutes=number)).isoformat()
    return {"turn": number, "role": "user", "content": content, "occurred_at": at} | more


async def write(tenant: Tenant, *events: dict[str, Any], **more: Any) -> Any:
    """Write turns of session s of user u."""
    return await tenant("events.write", **(PLACE | {"events": list(events)} | more))


async def texts(tenant: Tenant, query: str, **more: Any) -> list[str]:
    """What recall answers, as texts."""
    return [item.text for item in (await tenant("recall", user_id="u", query=query, **more)).items]


async def test_a_secret_is_not_stored_anywhere(database: Database, tenant: Tenant) -> None:
    said = turn(1, f"We deploy to eu-west-1 with {KEY}, password=swordfish.", metadata={"n": 1})
    written = await tenant.once("once", "events.write", **PLACE, events=[said])
    (verdict,) = written.result.verdicts
    assert (verdict.kept, verdict.redacted) == (True, ("aws-key", "password"))
    (found,) = await texts(tenant, "Where do we deploy to?")
    assert (
        found == "We deploy to eu-west-1 with [redacted: aws-key], password=[redacted: password]."
    )
    for word in (KEY, "swordfish"):
        assert mentions(database, tenant, word) == []


async def test_the_same_turn_again_is_the_same_turn(tenant: Tenant) -> None:
    first = await write(tenant, turn(1, f"We deploy with {KEY}."))
    again = await write(tenant, turn(1, f"We deploy with {KEY}."))
    assert again.stored == 0
    assert again.verdicts == first.verdicts
    with pytest.raises(TurnConflict):
        await write(tenant, turn(1, f"We deploy with {OTHER_KEY}."))


async def test_metadata_keeps_no_secret(database: Database, tenant: Tenant) -> None:
    beside = {"list": [{"note": f"key {KEY}"}], "password": "swordfish", "port": 5432, "ok": None}
    written = await write(tenant, turn(1, "We deploy to eu-west-1.", metadata=beside))
    assert written.verdicts[0].redacted == ("aws-key", "password")
    item = (await tenant("recall", user_id="u", query="Where do we deploy to?")).items[0]
    assert item.metadata == {
        "list": [{"note": "key [redacted: aws-key]"}],
        "password": "[redacted: password]",
        "port": 5432,
        "ok": None,
    }
    assert mentions(database, tenant, "swordfish") == []


@pytest.mark.parametrize("role", ["assistant", "tool", "external"])
async def test_whoever_says_it(database: Database, tenant: Tenant, role: str) -> None:
    written = await write(tenant, turn(1, f"The deploy key is {KEY} in Gouda.", role=role))
    assert written.verdicts[0].redacted == ("aws-key",)
    assert mentions(database, tenant, KEY) == []


async def test_dropped_turns_keep_no_secret_either(database: Database, tenant: Tenant) -> None:
    written = await write(tenant, turn(1, f"Can you log in with {KEY}?"))
    assert written.verdicts[0].redacted == ("aws-key",)
    assert mentions(database, tenant, KEY) == []


async def test_memories_keep_no_secret(database: Database, tenant: Tenant) -> None:
    told = await tenant(
        "memories.remember",
        kind="fact",
        user_id="u",
        text=f"Deploys with {KEY}.",
        slot="project",
        value=f"Heron {KEY}",
        detail="password=swordfish",
        metadata={"token": "a1b2c3d4e5f6a7b8"},
    )
    assert [(one.pointer, one.message) for one in told.warnings] == [
        ("/text", "held a secret (aws-key), which is not stored"),
        ("/value", "held a secret (aws-key), which is not stored"),
        ("/detail", "held a secret (password), which is not stored"),
        ("/metadata", "held a secret (secret), which is not stored"),
    ]
    item = await tenant("memories.get", id=told.id)
    assert item.text == "Deploys with [redacted: aws-key]."
    assert item.value == "Heron [redacted: aws-key]"
    for word in (KEY, "swordfish", "a1b2c3d4e5f6a7b8"):
        assert mentions(database, tenant, word) == []


async def test_working_memory_is_left_whole(tenant: Tenant) -> None:
    await tenant("working.put", **PLACE, key="k", value={"password": "swordfish"})
    assert (await tenant("working.get", **PLACE, key="k")).value == {"password": "swordfish"}


def event_row(database: Database, tenant: Tenant, number: int) -> dict[str, Any]:
    with database.connect(ADMIN) as admin:
        cursor = admin.cursor(row_factory=psycopg.rows.dict_row)
        row = cursor.execute(
            "SELECT e.*, i.emb, i.terms FROM muniment.event e JOIN muniment.memory_index i USING (tenant_id, scope_id, event_id)"
            " WHERE e.tenant_id = %s AND e.turn = %s",
            [tenant.tenant_id, number],
        ).fetchone()
    assert row is not None
    return row


def assert_blank(row: dict[str, Any]) -> None:
    assert (row["content"], row["metadata"], row["sentences"]) == ("", {}, [])
    assert (row["kept"], row["standing"], row["reason"]) == (False, "dropped", "privacy")
    assert (row["retention_class"], row["emb"]) == ("dropped", None)


async def test_what_was_said_before_is_withdrawn(database: Database, tenant: Tenant) -> None:
    first = await write(
        tenant, turn(1, HOME, metadata={"mark": "kestrels"}), turn(2, "I like tea.")
    )
    assert HOME in await texts(tenant, "Who keeps kestrels?")
    await write(tenant, turn(3, "My kestrels live in Zwolle too."))
    asked = await write(tenant, turn(4, FORGET_IT))
    assert asked.obeyed == (3,)
    assert (asked.verdicts[0].kept, asked.verdicts[0].reason) == (False, "privacy")
    assert HOME in await texts(tenant, "Who keeps kestrels?")
    again = await write(tenant, turn(5, "We moved to Gouda."), turn(6, FORGET_IT))
    assert again.obeyed == (5,)
    row = event_row(database, tenant, 3)
    assert_blank(row)
    assert row["rule"] == "privacy.withdrawn"
    assert (row["role"], row["turn"]) == ("user", 3)
    repeated = await write(tenant, turn(3, "My kestrels live in Zwolle too."))
    assert repeated.stored == 0
    assert (repeated.verdicts[0].kept, repeated.verdicts[0].rule) == (False, "privacy.withdrawn")
    assert first.stored == 2


async def test_no_word_of_it_is_left(database: Database, tenant: Tenant) -> None:
    await write(tenant, turn(1, "I like tea."))
    await write(tenant, turn(2, HOME, metadata={"bird": "kestrels"}))
    assert "event" in mentions(database, tenant, "kestrels")
    await write(tenant, turn(3, FORGET_IT))
    assert mentions(database, tenant, "kestrels") == []
    assert await texts(tenant, "Who keeps kestrels in Zwolle?") == []
    seen = await tenant("sessions.get", **PLACE)
    assert (seen.events, seen.kept) == (3, 1)


async def test_in_one_call_it_is_never_stored(database: Database, tenant: Tenant) -> None:
    written = await write(
        tenant,
        turn(1, "I like tea."),
        turn(2, HOME),
        turn(3, "Noor keeps kestrels in Zwolle, lovely!", role="assistant"),
        turn(4, "So your sister Noor keeps kestrels in Zwolle!", role="assistant"),
        turn(5, FORGET_IT),
    )
    assert written.obeyed == (2, 4)
    assert [v.reason == "privacy" for v in written.verdicts] == [False, True, False, True, True]
    assert_blank(event_row(database, tenant, 2))
    assert_blank(event_row(database, tenant, 4))


async def test_a_turn_that_asks_so_of_itself(database: Database, tenant: Tenant) -> None:
    written = await write(
        tenant, turn(1, "I like tea."), turn(2, f"{HOME} Please don't remember this.")
    )
    assert written.obeyed == ()
    assert [v.kept for v in written.verdicts] == [True, False]
    assert mentions(database, tenant, "kestrels") == []
    row = event_row(database, tenant, 2)
    assert_blank(row)
    assert row["rule"] == "privacy.asked"


async def test_what_rests_on_it_goes_as_after_a_forget(
    database: Database, worker: Local, tenant: Tenant
) -> None:
    await write(tenant, turn(1, "We decided to open the mill in May."), turn(2, HOME))
    cite = [PLACE | {"turn": 2}]
    del cite[0]["user_id"]
    theirs = await tenant(
        "memories.remember", kind="fact", user_id="u", text="Noor keeps kestrels.", evidence=cite
    )
    shared = await tenant(
        "memories.remember",
        kind="data_quality",
        text="The kestrels table lags.",
        evidence=[PLACE | {"turn": 2}],
    )
    await tenant("sessions.close", **PLACE)
    await consolidate(database, worker, tenant)
    assert "episode" in mentions(database, tenant, "kestrels")
    await write(tenant, turn(3, FORGET_IT))
    assert mentions(database, tenant, "kestrels") == []
    for gone in (theirs, shared):
        with pytest.raises(NotFound):
            await tenant("memories.get", id=gone.id)
    await consolidate(database, worker, tenant)
    listed = await tenant(
        "memories.list", user_id="u", tiers=["episodic"], kinds=["session_summary"]
    )
    assert ["kestrels" in item.text for item in listed.items] == [False]
    assert "mill" in listed.items[0].text
    assert mentions(database, tenant, "kestrels") == []


async def test_a_withdrawn_turn_supports_nothing(tenant: Tenant) -> None:
    await write(tenant, turn(1, HOME), turn(2, FORGET_IT))
    with pytest.raises(InvalidInput) as caught:
        await tenant(
            "memories.remember",
            kind="fact",
            user_id="u",
            text="Noor keeps kestrels.",
            evidence=[{"session_id": "s", "turn": 1}],
        )
    assert caught.value.faults[0].pointer == "/evidence/0"


async def test_it_may_be_said_again(tenant: Tenant) -> None:
    for start, calls in ((0, True), (10, False)):
        events = [turn(start + 1, HOME), turn(start + 2, FORGET_IT), turn(start + 3, HOME)]
        if calls:
            written = [await write(tenant, one) for one in events][-1]
        else:
            written = await write(tenant, *events, session_id="other")
        assert written.verdicts[-1].kept
    assert set(await texts(tenant, "Who keeps kestrels?")) == {HOME}


async def test_asked_twice_nothing_more_goes(tenant: Tenant) -> None:
    await write(tenant, turn(1, "We moved to Gouda."), turn(2, HOME))
    first = await write(tenant, turn(3, FORGET_IT))
    second = await write(tenant, turn(4, "I mean it, don't store that."))
    assert (first.obeyed, second.obeyed) == ((2,), ())
    assert await texts(tenant, "Where did we move?") == ["We moved to Gouda."]


async def test_usage_is_counted(database: Database, tenant: Tenant) -> None:
    await write(tenant, turn(1, HOME), turn(2, f"We deploy with {KEY}."))
    await write(tenant, turn(3, FORGET_IT))
    with database.connect(ADMIN) as admin:
        row = admin.execute(
            "SELECT t.items, t.bytes, count(*), sum(octet_length(e.content) + octet_length(e.metadata::text) - 2)"
            " FROM muniment.scope_state t JOIN muniment.event e USING (tenant_id, scope_id)"
            " WHERE t.tenant_id = %s GROUP BY 1, 2",
            [tenant.tenant_id],
        ).fetchone()
    assert row is not None
    assert row[:2] == row[2:]


async def test_the_index_of_another_process_follows(database: Database, tenant: Tenant) -> None:
    await write(tenant, turn(1, HOME))
    async with local_service(database.conninfo(), seed="another") as other:
        there = Tenant(other, tenant.tenant_id, tenant.key)
        assert await texts(there, "Who keeps kestrels?") == [HOME]
        await write(tenant, turn(2, FORGET_IT))
        assert await texts(there, "Who keeps kestrels?") == []
        assert await texts(tenant, "Who keeps kestrels?") == []


ECHO = "Your sister Noor keeps kestrels in Zwolle."


@pytest.mark.parametrize("logged", [True, False])
@pytest.mark.parametrize("role", ["assistant", "tool", "external"])
async def test_an_echo_of_what_was_recalled(
    service: Local, tenant: Tenant, role: str, logged: bool
) -> None:
    await write(tenant, turn(1, HOME))
    await write(tenant, turn(1, "I like tea."), session_id="now")
    assert await texts(tenant, "Who keeps kestrels?", session_id="now") == [HOME]
    if logged:
        await service.recalls.flush()
    written = await write(
        tenant,
        turn(2, ECHO, role=role),
        turn(3, "The mill opens in May.", role="external"),
        session_id="now",
    )
    echo = written.verdicts[0]
    assert (echo.kept, echo.reason, echo.rule) == (False, "echo", "session.recalled")
    assert written.verdicts[1].kept
    elsewhere = await write(tenant, turn(2, ECHO, role=role), session_id="elsewhere")
    assert elsewhere.verdicts[0].reason != "echo"
    assert elsewhere.verdicts[0].kept or role == "assistant"


async def test_an_echo_of_a_memory_of_the_organisation(service: Local, tenant: Tenant) -> None:
    await write(tenant, turn(1, "I like tea."))
    await tenant(
        "memories.remember", kind="data_quality", text="The orders table lags three days behind."
    )
    assert await texts(tenant, "Does the orders table lag?", session_id="s")
    await service.recalls.flush()
    said = "The orders table lags three days behind."
    written = await write(tenant, turn(2, said, role="assistant"))
    assert written.verdicts[0].reason == "echo"


async def test_only_the_last_recalls_count(service: Local, tenant: Tenant) -> None:
    await write(tenant, turn(1, HOME))
    await write(tenant, turn(1, "I like tea."), session_id="now")
    await texts(tenant, "Who keeps kestrels?", session_id="now")
    for at in range(20):
        service.clock.advance(seconds=1)
        await texts(tenant, f"Where is number {at}?", session_id="now")
    await service.recalls.flush()
    written = await write(tenant, turn(2, ECHO, role="external"), session_id="now")
    assert written.verdicts[0].kept
