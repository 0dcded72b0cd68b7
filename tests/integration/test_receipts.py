"""Receipts, and what was forgotten takes no writes (RULES 15.2, 15.4).

| given | when | then |
|---|---|---|
| a forget of a user, a session, items, a filter | receipts.get | state erased, both instants, the counts of the answer; no row named what went, in every table |
| a forget of what never was | receipts.get | looks the same, without counts |
| another tenant's, an unknown id | receipts.get | NotFound, alike |
| a key without the verb audit | receipts.get, .list | Forbidden |
| more than a page | receipts.list | pages, newest first; by state |
| any | | the digest is that over the rest of it; the audit entry has it |
| a forgotten user, known before or not | every write about them | Forgotten, nothing stored; reads answer nothing |
| that | users.opt_out, users.opt_in | taken; writes stay refused |
| that | users.reopen | writes are taken; again: NotFound |
| that, a write under an idempotency key of before | again, after users.reopen too | not done anew |
| a forgotten session | writes into it | Forgotten; another session is free |
| an erased turn | written again | Forgotten at its place; other turns are taken |
| a forget that fails after the ledger has it | | the ledger takes it back |
| the ledger cannot be written | forget | Unavailable, nothing erased |
"""

from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from muniment.domain.erasures import pending, read_ledger
from muniment.errors import AlreadyDone, Forbidden, Forgotten, NotFound, Unavailable
from muniment.postgres.embedded import ADMIN
from muniment.providers.erasure_ledger import FileLedger
from tests.integration.digests import digest
from tests.integration.forgetting import CANARY, counts, live, mentions, turn
from tests.support.databases import Database
from tests.support.interposing import interposed
from tests.support.world import Local, Tenant

PLACE: dict[str, Any] = {"user_id": "u", "session_id": "u-1"}
WRITES: list[tuple[str, dict[str, Any]]] = [
    ("events.write", PLACE | {"events": [turn(9, "I prefer weekly reports.")]}),
    ("events.write", PLACE | {"namespace": "new", "events": [turn(9, "I like tea.")]}),
    ("sessions.open", PLACE),
    ("working.put", PLACE | {"key": "k", "value": 1}),
    ("memories.remember", {"kind": "fact", "user_id": "u", "text": "Likes herons."}),
    ("entities.define", {"name": "Acme", "kind": "account", "user_id": "u"}),
]


@pytest.mark.parametrize("target", ["user", "session", "items", "filter", "nobody"])
async def test_a_receipt(service: Local, database: Database, tenant: Tenant, target: str) -> None:
    made = await live(tenant, "u", CANARY)
    given = {
        "user": {"user_id": "u"},
        "session": PLACE,
        "items": {"user_id": "u", "ids": [made["first"], made["dog"]]},
        "filter": {"user_id": "u", "filter": {"turn": 2}},
        "nobody": {"user_id": "nobody"},
    }[target]
    done = await tenant("forget", **given)
    shown = await tenant("receipts.get", receipt_id=done.receipt_id)
    assert (shown.state, shown.hidden_at, shown.erased_at) == ("erased", *[service.clock.now()] * 2)
    assert (shown.counts, shown.held, shown.scrubbed_at) == (done.counts, {}, None)
    assert bool(shown.counts) == (target != "nobody")
    with database.connect(ADMIN) as admin:
        tables = [
            name
            for (name,) in admin.execute(
                "SELECT relname FROM pg_class WHERE relnamespace = 'muniment'::regnamespace"
                " AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT LIKE 'audit%'"
                " AND relname NOT LIKE 'erasure%' AND relname NOT IN ('hold', 'hold_item', 'kept_row')"
                " ORDER BY 1"
            )
        ]
    assert shown.verified is not None
    assert (shown.verified["rows"], shown.verified["tables"]) == (0, tables)
    assert shown.digest == digest(tenant, shown)
    (entry,) = (await tenant("audit.list", operation="forget")).items
    assert entry.detail["receipt"] == shown.digest
    assert (await tenant("receipts.list")).items == (shown,)


async def test_what_is_left_is_found(database: Database, tenant: Tenant) -> None:
    """The scan sees a row that names what went: a forget that leaves one does nothing."""
    await live(tenant, "u", CANARY)

    async def leave() -> None:
        with database.connect(ADMIN) as admin:
            admin.execute(
                "INSERT INTO muniment.transfer SELECT tenant_id, %s, 'out', 'u', now(), now(), NULL"
                " FROM muniment.tenant WHERE tenant_id = %s",
                [UUID(int=9), tenant.tenant_id],
            )

    within, _ = interposed(tenant, "rows_mentioning", leave)
    before = counts(database, tenant)
    with pytest.raises(Exception, match="transfer"):
        await within("forget", user_id="u")
    assert counts(database, tenant) == before | {"transfer": 1}


async def test_who_sees_receipts(service: Local, tenant: Tenant) -> None:
    receipt_id = (await tenant("forget", user_id="u")).receipt_id
    other = await service.tenant()
    for asked in ({"receipt_id": receipt_id}, {"receipt_id": UUID(int=3)}):
        with pytest.raises(NotFound) as caught:
            await other("receipts.get", **asked)
        assert caught.value.detail == "There is no such receipt."
    plain = await tenant.key_for(verbs=["read", "write", "forget"])
    for name, asked in (("receipts.get", {"receipt_id": receipt_id}), ("receipts.list", {})):
        with pytest.raises(Forbidden):
            await tenant(name, _as=plain, **asked)


async def test_pages(tenant: Tenant) -> None:
    made = [(await tenant("forget", user_id=f"u{n}")).receipt_id for n in range(5)]
    found, cursor = [], None
    while True:
        page = await tenant("receipts.list", limit=2, cursor=cursor, state="erased")
        found += [one.receipt_id for one in page.items]
        if (cursor := page.next) is None:
            break
    assert found == made[::-1]
    assert (await tenant("receipts.list", state="scrubbed")).items == ()


@pytest.mark.parametrize("known", [True, False])
async def test_a_forgotten_user(database: Database, tenant: Tenant, known: bool) -> None:
    if known:
        await live(tenant, "u", CANARY)
    await tenant("forget", user_id="u")
    await tenant("users.opt_out", user_id="u")
    await tenant("users.opt_in", user_id="u")
    limited = await tenant.key_for(verbs=["operate"], user_id="v")
    with pytest.raises(Forbidden):
        await tenant("users.reopen", _as=limited, user_id="u")
    before = counts(database, tenant)
    for name, given in WRITES:
        with pytest.raises(Forgotten):
            await tenant(name, **given)
    assert counts(database, tenant) == before
    assert (await tenant("recall", user_id="u", query="herons")).items == ()
    assert (await tenant("users.reopen", user_id="u")).forgets == 1
    for name, given in WRITES:
        await tenant(name, **given)
    assert mentions(database, tenant, CANARY) == []
    with pytest.raises(NotFound):
        await tenant("users.reopen", user_id="u")
    await tenant("forget", user_id="u")
    with pytest.raises(Forgotten):
        await tenant(WRITES[0][0], **WRITES[0][1])


async def test_a_retry_of_before(database: Database, tenant: Tenant) -> None:
    name, given = WRITES[0]
    await tenant.once("before", name, **given)
    await tenant("forget", user_id="u")
    with pytest.raises(AlreadyDone):
        await tenant.once("before", name, **given)
    with pytest.raises(Forgotten):
        await tenant.once("after", name, **given)
    await tenant("users.reopen", user_id="u")
    with pytest.raises(AlreadyDone):
        await tenant.once("before", name, **given)
    assert mentions(database, tenant, "weekly") == []


async def test_a_forgotten_session(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    await tenant("forget", **PLACE)
    for name, given in WRITES[:1] + WRITES[2:4]:
        with pytest.raises(Forgotten):
            await tenant(name, **given)
        await tenant(name, **(given | {"session_id": "another"}))


async def test_an_erased_turn(tenant: Tenant) -> None:
    made = await live(tenant, "u", CANARY)
    await tenant("forget", user_id="u", ids=[made["second"]])
    events = [turn(3, "I like tea."), turn(2, "My dog is called Bo.")]
    with pytest.raises(Forgotten) as caught:
        await tenant("events.write", **PLACE, events=events)
    assert [fault.pointer for fault in caught.value.faults] == ["/events/1/turn"]
    assert (await tenant("events.write", **PLACE, events=events[:1])).stored == 1


async def key_of(tenant: Tenant) -> bytes:
    """The key of the ledger's digests."""
    async with tenant.service.world.units.open(tenant.tenant_id) as unit:
        return bytes.fromhex(await unit.value("erasure_key"))


async def test_a_forget_that_fails_is_taken_back(database: Database, tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)

    async def fail() -> None:
        raise Unavailable

    within, _ = interposed(tenant, "audit_insert", fail)
    before = counts(database, tenant)
    with pytest.raises(Unavailable):
        await within("forget", user_id="u")
    assert counts(database, tenant) == before
    reading = read_ledger(await key_of(tenant), tenant.service.world.ledger.text())
    own = [entry for entry in reading.entries if entry.tenant_id == tenant.tenant_id]
    assert [entry.step for entry in own] == ["user", "void"]
    assert not [*pending(own, ())]


async def test_a_ledger_that_cannot_be_written(
    database: Database, tenant: Tenant, tmp_path: Path
) -> None:
    await live(tenant, "u", CANARY)
    (tmp_path / "file").write_text("")
    closed = FileLedger(tmp_path / "file" / "ledger")
    service = tenant.service
    shut = Local(replace(service.world, ledger=closed), service.clock, service.recalls)
    before = counts(database, tenant)
    with pytest.raises(Unavailable):
        await replace(tenant, service=shut)("forget", user_id="u")
    assert counts(database, tenant) == before
