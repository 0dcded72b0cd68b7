"""Digests of before and after in the audit trail, and records compared with them (RULES 15.1).

| what happened | the entry tells | verify with the records |
|---|---|---|
| turns are written | each, with no before | fine |
| a memory | it, with no before | fine |
| a correction | the old one, from what was told before; the new one | fine |
| the same is said of two users | digests that differ | fine |
| a session is consolidated | its summary | fine |
| a memory is forgotten | nothing of it any more | fine: it is not there |
| its user is forgotten, reopened and brought back from an export | each, with no before | fine |
| a superuser rewrites a text, a value, a window, a grade, a turn, a summary, a document, a chunk | | `changed_record` |
| a superuser ends a version | | `changed_record` |
| a superuser puts in a memory | | `untold_record` |
| ids that are nobody's or another tenant's | | fine, and not told apart; `compared` counts the others |
| a document is put, replaced, put again unchanged, deleted | by its id, from what was told before | fine |
| the same is put as two documents, and again once one was forgotten | digests that differ: nobody who guesses the text finds it in the trail | fine |
| a policy, a slot, a tool, a machine, a schema, a source of data changes | by its name's digest, before and after | |
| a checkpoint, a call, an artifact, an approval, an outcome | by the run's id, salted with the run | |
"""

from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg.types.json import Jsonb

from muniment.postgres.embedded import ADMIN
from tests.integration.moving import bring, consolidate, export
from tests.support.databases import Database
from tests.support.told import breaks, untold
from tests.support.world import START, Local, Tenant

REWRITES = {
    "text": "UPDATE memory SET text = text || ' Really.' WHERE memory_id = %(memory)s",
    "value": "UPDATE memory SET value = 'Rome' WHERE memory_id = %(memory)s",
    "window": "UPDATE memory_version SET valid = tstzrange(lower(valid) - interval '1 day', upper(valid))"
    " WHERE memory_id = %(memory)s AND upper_inf(recorded)",
    "grade": "UPDATE memory_version SET trust = 'external_content' WHERE memory_id = %(memory)s",
    "end": "UPDATE memory_version SET recorded = tstzrange(lower(recorded), lower(recorded) + interval '1 s')"
    " WHERE memory_id = %(memory)s",
    "turn": "UPDATE event SET content = 'No.' WHERE event_id = %(event)s",
    "summary": "UPDATE episode SET text = 'No.' WHERE episode_id = %(episode)s",
    "document": "UPDATE knowledge_document SET text = 'No.' WHERE document_id = %(document)s",
    "chunk": "UPDATE knowledge_chunk SET text = 'No.' WHERE document_id = %(document)s",
}


async def one_session(tenant: Tenant, user: str = "u") -> dict[str, UUID]:
    """A turn of a closed session, and a memory with a value."""
    said = {
        "role": "user",
        "content": "I decided to move the deploy to Tuesday.",
        "occurred_at": START,
    }
    where = {"user_id": user, "session_id": "s"}
    wrote = await tenant("events.write", **where, events=[{"turn": 1} | said])
    await tenant("sessions.close", **where)
    made = await tenant(
        "memories.remember",
        kind="fact",
        user_id=user,
        slot="city",
        value="Oslo",
        text="Lives in Oslo.",
    )
    return {"event": wrote.verdicts[0].event_id, "memory": made.id}


async def put(tenant: Tenant, version: int = 1, text: str = "Thirty days.", **more: Any) -> Any:
    """A version of a document."""
    given = {"source": "handbook", "title": "Returns"} | more
    return await tenant("knowledge.put", **given, version=version, text=text)


async def told_of(tenant: Tenant, record: UUID) -> list[tuple[str, str | None, str | None]]:
    """What the trail tells of a record, oldest first."""
    items = (await tenant("audit.list", subject_id=record, limit=200)).items
    changes = [(item.operation, change) for item in items for change in item.changes]
    changes.sort(key=lambda one: one[1].version)
    assert all(change.record == str(record) for _, change in changes)
    return [(operation, change.before, change.after) for operation, change in changes]


async def test_a_record_is_told_from_one_change_to_the_next(
    tenant: Tenant, database: Database
) -> None:
    ids = await one_session(tenant)
    ((_, before, after),) = await told_of(tenant, ids["event"])
    assert (before, len(after or "")) == (None, 64)
    ((operation, before, was),) = await told_of(tenant, ids["memory"])
    assert (operation, before, len(was or "")) == ("memories.remember", None, 64)
    await tenant("memories.pin", id=ids["memory"])
    _, (operation, before, confirmed) = await told_of(tenant, ids["memory"])
    assert (operation, before) == ("memories.pin", was)
    corrected = await tenant(
        "memories.correct", id=ids["memory"], value="Paris", text="Lives in Paris."
    )
    last, (operation, before, after) = (await told_of(tenant, ids["memory"]))[-2:]
    assert last[2] == confirmed == before
    assert operation == "memories.correct"
    assert after is None
    new = await told_of(tenant, corrected.id)
    assert [one[0] for one in new] == ["memories.correct"]
    with database.connect(ADMIN) as admin:
        assert (await untold(tenant, admin), breaks(tenant, admin)) == ([], [])


async def test_two_that_say_the_same_have_digests_of_their_own(tenant: Tenant) -> None:
    one, other = await one_session(tenant, "u"), await one_session(tenant, "v")
    digests = [
        (await told_of(tenant, ids[what]))[0][2]
        for ids in (one, other)
        for what in ("event", "memory")
    ]
    assert len(set(digests)) == 4


async def test_of_what_is_forgotten_the_trail_stays_whole(tenant: Tenant) -> None:
    ids = await one_session(tenant)
    before = await told_of(tenant, ids["memory"])
    await tenant("forget", user_id="u", ids=[ids["memory"]])
    assert (await told_of(tenant, ids["memory"])) == before
    check = await tenant("audit.verify", records=list(ids.values()))
    assert (check.ok, check.findings) == (True, ())


async def test_who_moves_back_is_told_by_the_last_that_was_said(
    database: Database, service: Local, tenant: Tenant
) -> None:
    for n in range(4):
        service.clock.advance(seconds=1)
        await one_session(tenant)
        lines = await export(tenant)
        await tenant("forget", user_id="u")
        await tenant("users.reopen", user_id="u")
        await bring(tenant, lines)
        await tenant("memories.remember", kind="fact", user_id="u", text=f"Has {n} boats.")
        with database.connect(ADMIN) as admin:
            assert await untold(tenant, admin) == []


async def test_of_nobodys_ids_nothing_is_told(tenant: Tenant, service: Local) -> None:
    theirs = await one_session(await service.tenant("other"))
    check = await tenant("audit.verify", records=[uuid4(), *theirs.values()])
    assert (check.ok, check.findings, check.compared) == (True, (), 0)
    ids = await one_session(tenant)
    records = [uuid4(), *ids.values(), *theirs.values()]
    assert (await tenant("audit.verify", records=records)).compared == len(ids)


async def test_documents(tenant: Tenant, database: Database) -> None:
    """From what was told before to what is told next; and what was forgotten is not guessed."""
    first, other = await put(tenant), await put(tenant, source="other")
    assert (await put(tenant)).outcome == "unchanged"
    await put(tenant, version=2, text="Sixty days.")
    with database.connect(ADMIN) as admin:
        assert (await untold(tenant, admin), breaks(tenant, admin)) == ([], [])
    await tenant("knowledge.delete", source="handbook")
    told = await told_of(tenant, first.document_id)
    operations = ["knowledge.put", "knowledge.put", "knowledge.delete"]
    assert [operation for operation, _, _ in told] == operations
    assert [before for _, before, _ in told] == [None, *(after for _, _, after in told[:-1])]
    assert told[-1][2] is None
    await tenant("forget", data_source="other")
    again = await put(tenant)
    same = [first.document_id, other.document_id, again.document_id]
    assert len({(await told_of(tenant, one))[0][2] for one in same}) == 3
    entries = (await tenant("audit.list", operation="knowledge.put", limit=200)).items
    assert {one.record for entry in entries for one in entry.changes} == {str(one) for one in same}


@pytest.mark.parametrize("what", REWRITES)
async def test_what_was_rewritten_past_the_service_is_found(
    tenant: Tenant, database: Database, worker: Local, what: str
) -> None:
    ids = await one_session(tenant)
    ids["document"] = (await put(tenant)).document_id
    await consolidate(database, worker, tenant)
    with database.connect(ADMIN) as admin:
        row = admin.execute(
            "SELECT episode_id FROM muniment.episode WHERE tenant_id = %s AND upper_inf(recorded)",
            [tenant.tenant_id],
        ).fetchone()
        assert row is not None
        ids["episode"] = row[0]
        assert await untold(tenant, admin) == []
        admin.execute("SET search_path = muniment")
        assert admin.execute(REWRITES[what], ids).rowcount == 1
        where = {"turn": "event", "summary": "episode", "document": what, "chunk": "document"}
        assert await untold(tenant, admin) == [("changed_record", ids[where.get(what, "memory")])]


async def test_what_was_put_in_past_the_service_is_found(
    tenant: Tenant, database: Database
) -> None:
    ids = await one_session(tenant)
    planted = uuid4()
    with database.connect(ADMIN) as admin:
        admin.execute("SET search_path = muniment")
        for table in ("memory", "memory_version"):
            row = admin.execute(
                f"SELECT to_jsonb(r) FROM {table} r WHERE memory_id = %s",  # noqa: S608
                [ids["memory"]],
            ).fetchone()
            assert row is not None
            other: dict[str, Any] = row[0] | {
                "memory_id": str(planted),
                "slot": None,
                "cardinality": None,
            }
            other |= {name: None for name in ("value", "value_key") if name in other}
            other |= {"version_id": str(uuid4())} if "version_id" in other else {}
            admin.execute(
                f"INSERT INTO {table} SELECT * FROM jsonb_populate_record(NULL::{table}, %s)",  # noqa: S608
                [Jsonb(other)],
            )
        assert await untold(tenant, admin) == [("untold_record", planted)]


async def named(tenant: Tenant, operation: str) -> dict[str, tuple[str | None, str | None]]:
    """What the last entry of an operation tells, by the first part of the name."""
    entry = (await tenant("audit.list", operation=operation, limit=1)).items[0]
    assert entry.changed == len(entry.changes)
    return {one.record.split(":")[0]: (one.before, one.after) for one in entry.changes}


async def test_things_of_the_tenant(tenant: Tenant) -> None:
    states = ({"stages": "a"}, {"stages": "b"})
    calls: dict[str, list[dict[str, Any]]] = {
        "policy": [
            {"document": {}},
            {"document": {"kinds": {"finding": {"ttl": 30}}}},
        ],
        "slot": [
            {"name": "floor", "cardinality": "one"},
            {"name": "floor", "cardinality": "many"},
        ],
        "tool": [
            {"name": "t", "effect": "read", "idempotent": True},
            {"name": "t", "effect": "write", "idempotent": False},
        ],
        "machine": [
            {
                "name": "m",
                "initial": "a",
                "transitions": [{"source": "a", "target": one["stages"] + "x"}],
            }
            for one in states
        ],
        "schema": [
            {"name": "s", "schema": {"type": "object"}},
            {"name": "s", "schema": {"type": "string"}},
        ],
        "source": [
            {"name": "d", "owner": "alice", "aliases": ["e"]},
            {"name": "d", "owner": "mallory", "aliases": ["e"]},
        ],
    }
    operations = {
        "policy": "policy.put", "slot": "slots.define", "tool": "tools.define",
        "machine": "machines.define", "schema": "schemas.register",
        "source": "sources.define",
    }  # fmt: skip
    for what, arguments in calls.items():
        told = []
        for one in arguments:
            await tenant(operations[what], **one)
            told.append((await named(tenant, operations[what]))[what])
        assert told[1][0] == told[0][1], what
        assert told[1][1] not in (None, told[1][0]), what


async def test_parts_of_a_run(tenant: Tenant) -> None:
    await tenant("tools.define", name="pay", effect="write", idempotent=False)
    await tenant("schemas.register", name="s", schema={})
    told: list[dict[str, tuple[str | None, str | None]]] = []
    for user in ("u", "v"):
        run = await tenant("runs.open", agent_id="a", user_id=user)
        held = {"run_id": run.run_id, "fence": run.fence}
        await tenant("runs.checkpoint", **held, step=1, open_questions=["Why?"])
        await tenant("runs.claim_tool", **held, tool="pay", key="k", arguments={})
        await tenant(
            "runs.record_tool",
            run_id=run.run_id,
            tool="pay",
            key="k",
            attempt=1,
            status="succeeded",
        )
        await tenant(
            "artifacts.put", run_id=run.run_id, name="x", schema="s", value=1, if_version=0
        )
        await tenant(
            "artifacts.put", run_id=run.run_id, name="x", schema="s", value=2, if_version=1
        )
        await tenant("approvals.request", **held, action="pay", gate="g")
        await tenant("runs.close", **held, outcome="success")
        items = (await tenant("audit.list", limit=200)).items
        told.append(
            {
                f"{item.operation} {one.record.split(':')[1]}": (one.before, one.after)
                for item in reversed(items)
                for one in item.changes
                if one.record.startswith(str(run.run_id))
            }
        )
    assert {one.split(".")[1] for one in told[0]} == {
        "checkpoint step", "record_tool call", "put artifact", "request approval",
        "close outcome",
    }  # fmt: skip
    assert told[0]["artifacts.put artifact"][0] is not None
    # Each run has a salt of its own.
    assert all(told[0][what] != told[1][what] for what in told[0])
