"""Legal holds (RULES 15.3).

| on | forgotten or expired meanwhile | kept back |
|---|---|---|
| a user | the user | every row of theirs in every table with a scope, and their own |
| a session | the user, the session | its rows, and memories that rest on it; whose they were |
| a source | the source, the user | turns and memories that name it, later ones too |
| a filter | what it admits | the same, later ones too |
| nothing of that | anything | nothing |

| what is kept back | |
|---|---|
| is answered by | no operation, from the forget on |
| is read by | no role of the service |
| goes | with the release of the last hold over it, with a receipt |
| comes back | never |

| asked | answered |
|---|---|
| a hold on a user, session or namespace that is not there | NotFound |
| by a key of one user, or without the verb | Forbidden |
| two targets, none, a session without a user, a broken filter | InvalidInput |
| a second hold on a user who was forgotten under a first | what the first keeps is under both |
| release of what was released | Conflict |
| release of what is not there, or another tenant's | NotFound |
| release while nothing was forgotten | no rows, no receipt; a forget then erases |
| the receipt of a forget under holds | hidden, whatever is scrubbed, until the last is released; then erased |
| forget, users.reopen, writes, forget under one open hold on the user or their source | both are kept |
| a dry run under a hold | counts and what would be held; nothing has changed |
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from muniment.errors import Conflict, Forbidden, InvalidInput, NotFound
from muniment.postgres.embedded import ADMIN, APP, WORKER
from muniment.postgres.scrub import scrub
from muniment.worker import expire
from tests.integration.curating import Curator
from tests.integration.digests import digest
from tests.integration.forgetting import CANARY, counts, difference, live, mentions, seen, turn
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

GOVERNED = {"hold", "hold_item", "kept_row", "audit_entry", "audit_pending", "erasure_receipt"}
COPIES = {"idempotency", "transfer", "transfer_line"}


def kept(database: Database, tenant: Tenant) -> dict[str, int]:
    """Rows that are kept, by the table that they were in."""
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT source, count(*) FROM muniment.kept_row"
            " WHERE tenant_id = %s AND change = 'deleted' GROUP BY 1",
            [tenant.tenant_id],
        ).fetchall()
    return dict(rows)


async def test_a_user(database: Database, tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    await live(tenant, "v", "merganser")
    other = await seen(tenant, "v")
    before = counts(database, tenant)
    placed = await tenant("holds.place", user_id="u", reason="Case 7")
    dry = await tenant("forget", user_id="u", dry_run=True)
    held_since = counts(database, tenant)
    assert difference(before, held_since) == {}
    assert kept(database, tenant) == {}
    done = await tenant("forget", user_id="u")
    assert (done.counts, done.held) == (dry.counts, dry.held)
    assert done.held == kept(database, tenant)
    gone = difference(held_since, counts(database, tenant))
    assert {name: done.held.get(name, 0) + done.counts.get(name, 0) for name in gone} == gone
    assert set(done.counts) <= COPIES
    assert {"event", "memory", "memory_index", "working_item", "recall_log", "end_user"} <= set(
        done.held
    )
    assert mentions(database, tenant, CANARY) == ["kept_row"]
    assert await seen(tenant, "u") == ((), (), [])
    assert await seen(tenant, "v") == other
    (shown,) = (await tenant("holds.list")).items
    assert (shown.hold_id, shown.user_id, shown.kept) == (
        placed.hold_id,
        None,
        sum(done.held.values()),
    )
    again = await tenant("forget", user_id="u")
    assert (again.counts, again.held) == ({}, {})
    released = await tenant("holds.release", hold_id=placed.hold_id, reason="Settled")
    assert released.counts == done.held
    assert mentions(database, tenant, CANARY) == []
    with database.connect(ADMIN) as admin:
        receipts = admin.execute(
            "SELECT target, counts, held FROM muniment.erasure_receipt WHERE tenant_id = %s ORDER BY receipt_id",
            [tenant.tenant_id],
        ).fetchall()
    assert receipts == [
        ("user", done.counts, done.held), ("user", {}, {}), ("hold", released.counts, {}),
    ]  # fmt: skip
    assert await seen(tenant, "u") == ((), (), [])


async def test_what_is_kept_is_out_of_reach(database: Database, tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    await tenant("holds.place", user_id="u", reason="Case 7")
    await tenant("forget", user_id="u")
    for role in (APP, WORKER):
        with database.connect(role) as connection:
            connection.execute(
                "SELECT set_config('muniment.tenant_id', %s, false)", [str(tenant.tenant_id)]
            )
            for statement in (
                "SELECT FROM muniment.kept_row",
                "DELETE FROM muniment.kept_row",
                "UPDATE muniment.kept_row SET holds = '{}'",
                "INSERT INTO muniment.kept_row (tenant_id) VALUES (gen_random_uuid())",
            ):
                with pytest.raises(Exception, match="permission denied"):
                    connection.execute(statement)


async def test_a_session_and_what_rests_on_it(database: Database, tenant: Tenant) -> None:
    made = await live(tenant, "u", CANARY)
    place = {"user_id": "u", "session_id": "u-1"}
    placed = await tenant("holds.place", **place, reason="Case 8")
    done = await tenant("forget", user_id="u")
    assert done.held == kept(database, tenant)
    assert done.held["event"] == 2
    # The session of another day is not held, but for the memory that rests on both.
    assert done.counts["event"] == 1
    assert done.held["session"] == done.held["end_user"] == done.held["scope"] == 1
    assert done.held["memory"] == 4
    assert made["dog"] in held_ids(database, tenant, "memory")
    released = await tenant("holds.release", hold_id=placed.hold_id, reason="Over")
    assert released.counts == done.held
    assert mentions(database, tenant, CANARY) == []


def held_ids(database: Database, tenant: Tenant, table: str) -> set[UUID]:
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT unnest(ids) FROM muniment.kept_row WHERE tenant_id = %s AND source = %s",
            [tenant.tenant_id, table],
        ).fetchall()
    return {row[0] for row in rows}


@pytest.mark.parametrize(
    "target", [{"data_source": "orders"}, {"user_id": "u", "filter": {"data_source": "orders"}}]
)
async def test_what_comes_later_is_covered_too(
    database: Database, tenant: Tenant, target: dict[str, Any]
) -> None:
    say = {"user_id": "u", "session_id": "s"}
    first = turn(1, "The orders table lags.", data_source="orders")
    await tenant("events.write", **say, events=[first, turn(2, "I live in Gouda.")])
    await tenant("holds.place", **target, reason="Case 9")
    later = turn(3, "The orders table is late by two days.", data_source="orders")
    await tenant("events.write", **say, events=[later])
    done = await tenant("forget", user_id="u", session_id="s")
    assert (done.held["event"], done.held["session"], done.counts["event"]) == (2, 1, 1)


async def test_expiry_keeps_what_is_held(database: Database, curator: Curator) -> None:
    tenant = curator.tenant
    await live(tenant, "u", CANARY)
    await live(tenant, "v", "merganser")
    placed = await tenant("holds.place", user_id="u", reason="Case 10")
    curator.service.clock.moment = START + timedelta(days=800)
    await tenant("passes.show")
    with curator.database.connect(ADMIN) as admin:
        admin.execute("INSERT INTO muniment.worker_pass VALUES (%s, 'expire', %s, 1, 1, %s)", [
            tenant.tenant_id, curator.service.clock.moment, curator.service.clock.moment,
        ])  # fmt: skip
    await expire.run_once(curator.worker.world)
    held = kept(curator.database, tenant)
    assert held["event"] == 3
    assert held["working_item"] == held["recall_log"] == 1
    # The finding that expired, and of the organisation's memories those that cite a held turn.
    assert (held["memory"], held["analysis"]) == (2, 1)
    released = await tenant("holds.release", hold_id=placed.hold_id, reason="Over")
    assert released.counts == held
    assert kept(curator.database, tenant) == {}


async def states(tenant: Tenant) -> dict[str, list[tuple[str, bool]]]:
    """State of the receipts by target, and whether they say when rows were erased."""
    found: dict[str, list[tuple[str, bool]]] = {}
    for one in (await tenant("receipts.list")).items:
        assert one.digest == digest(tenant, one)
        found.setdefault(one.target, []).append((one.state, one.erased_at is not None))
    return found


async def test_a_receipt_is_hidden_as_long_as_a_hold_keeps_rows(
    database: Database, tenant: Tenant
) -> None:
    await live(tenant, "u", CANARY)
    holds = [
        await tenant("holds.place", reason="Case", **target)
        for target in ({"user_id": "u"}, {"user_id": "u", "session_id": "u-1"})
    ]
    done = await tenant("forget", user_id="u", scrub=True)
    assert done.erased_at is None
    await tenant("forget", user_id="other")
    with database.connect(ADMIN) as admin:
        admin.autocommit = True
        assert scrub(admin, tenant.service.clock.now).waiting is None
    assert await states(tenant) == {"user": [("scrubbed", True), ("hidden", False)]}
    await tenant("holds.release", hold_id=holds[0].hold_id, reason="Over")
    assert (await states(tenant))["user"][1] == ("hidden", False)
    await tenant("holds.release", hold_id=holds[1].hold_id, reason="Over")
    assert (await states(tenant))["user"][1] == ("erased", True)
    assert (await tenant("receipts.get", receipt_id=done.receipt_id)).held == done.held


@pytest.mark.parametrize(
    ("place", "target"),
    [("before", {}), ("between", {}), ("before", {"data_source": "orders"})],
    ids=["user", "user, while forgotten", "source"],
)
async def test_who_comes_back_is_under_the_hold_still(
    database: Database, tenant: Tenant, place: str, target: dict[str, Any]
) -> None:
    """Now and later: also where the hold was placed by name while they were forgotten."""
    named = {"user_id": "u", **target}
    say = {"user_id": "u", "session_id": "s"}
    told = turn(1, "The orders table lags.", data_source="orders")
    await tenant("events.write", **say, events=[told])
    first = await tenant("holds.place", **named, reason="One")
    await tenant("forget", user_id="u")
    hold_id = first.hold_id
    if place == "between":
        hold_id = (await tenant("holds.place", **named, reason="Two")).hold_id
        await tenant("holds.release", hold_id=first.hold_id, reason="Over")
    before = kept(database, tenant)["event"]
    await tenant("users.reopen", user_id="u")
    await tenant("events.write", **say, events=[told | {"turn": 5}, turn(6, "I like tea.")])
    again = await tenant("forget", user_id="u")
    assert again.held["event"] == (1 if target else 2)
    assert kept(database, tenant)["event"] == before + again.held["event"]
    assert (await tenant("receipts.get", receipt_id=again.receipt_id)).state == "hidden"
    await tenant("holds.release", hold_id=hold_id, reason="Over")
    assert kept(database, tenant) == {}


async def test_overlapping_holds(database: Database, tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    one = await tenant("holds.place", user_id="u", reason="One")
    two = await tenant("holds.place", user_id="u", session_id="u-1", reason="Two")
    held = (await tenant("forget", user_id="u")).held
    first = await tenant("holds.release", hold_id=one.hold_id, reason="Over")
    left = kept(database, tenant)
    assert left["event"] == 2
    assert {
        name: rows - left.get(name, 0) for name, rows in held.items() if rows > left.get(name, 0)
    } == first.counts
    second = await tenant("holds.release", hold_id=two.hold_id, reason="Over")
    assert second.counts == left
    assert mentions(database, tenant, CANARY) == []


async def test_a_second_hold_on_who_was_forgotten(database: Database, tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    one = await tenant("holds.place", user_id="u", reason="One")
    held = (await tenant("forget", user_id="u")).held
    two = await tenant("holds.place", user_id="u", reason="Two")
    assert (await tenant("holds.release", hold_id=one.hold_id, reason="Over")).counts == {}
    last = await tenant("holds.release", hold_id=two.hold_id, reason="Over")
    assert last.counts == held
    with pytest.raises(NotFound):
        await tenant("holds.place", user_id="u", reason="Three")


async def test_words_that_a_memory_loses_are_kept(database: Database, tenant: Tenant) -> None:
    """A memory of the organisation that says otherwise without a user's turn: as it was, it is kept."""
    for user in ("u", "v"):
        await tenant(
            "events.write",
            user_id=user,
            session_id="s",
            events=[turn(1, f"The table lags, says {CANARY} {user}.")],
        )
    told = {
        "kind": "data_quality",
        "text": "The table lags.",
        "data_source": "t",
        "detail": f"As {CANARY} u said.",
    }
    for user in ("u", "v"):
        await tenant(
            "memories.remember", **told, evidence=[{"user_id": user, "session_id": "s", "turn": 1}]
        )
    placed = await tenant("holds.place", user_id="u", reason="One")
    await tenant("forget", user_id="u")
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT record ->> 'detail' FROM muniment.kept_row WHERE tenant_id = %s AND change = 'changed'",
            [tenant.tenant_id],
        ).fetchall()
    (left,) = (await tenant("memories.list")).items
    assert (left.text, left.data_source) == ("The table lags.", "t")
    assert rows == [(told["detail"],)]
    await tenant("holds.release", hold_id=placed.hold_id, reason="Over")
    assert kept(database, tenant) == {}


async def test_released_before_anything_was_forgotten(database: Database, tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    placed = await tenant("holds.place", user_id="u", reason="One")
    released = await tenant("holds.release", hold_id=placed.hold_id, reason="Over")
    assert (released.counts, released.receipt_id) == ({}, None)
    done = await tenant("forget", user_id="u")
    assert done.held == {}
    assert mentions(database, tenant, CANARY) == []
    assert (await tenant("holds.list")).items == ()
    (over,) = (await tenant("holds.list", released=True)).items
    assert (over.reason, over.release_reason) == ("forgotten", "forgotten")


async def test_of_another_tenant(service: Local, tenant: Tenant) -> None:
    other = await service.tenant("other")
    await live(tenant, "u", CANARY)
    await live(other, "u", CANARY)
    placed = await tenant("holds.place", user_id="u", reason="One")
    with pytest.raises(NotFound):
        await other("holds.release", hold_id=placed.hold_id, reason="Over")
    assert (await other("holds.list")).items == ()
    assert (await other("forget", user_id="u")).held == {}


async def test_who_may(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    rights = {"verbs": ["read", "write", "forget"], "layers": ["governance", "episodic"]}
    plain = await tenant.key_for(**rights)
    own = await tenant.key_for(verbs=["operate", "forget"], layers=["governance"], user_id="u")
    placed = await tenant("holds.place", user_id="u", reason="One")
    for key in (plain, own):
        with pytest.raises(Forbidden):
            await tenant("holds.place", _as=key, user_id="u", reason="Mine")
        with pytest.raises(Forbidden):
            await tenant("holds.release", _as=key, hold_id=placed.hold_id, reason="Mine")
        with pytest.raises(Forbidden):
            await tenant("holds.list", _as=key)
    # Forgetting is theirs all the same; that something is kept is not hidden from them.
    assert (await tenant("forget", _as=own, user_id="u")).held


@pytest.mark.parametrize(
    ("target", "pointer"),
    [
        ({}, "/user_id"),
        ({"session_id": "s"}, "/user_id"),
        ({"user_id": "u", "session_id": "s", "data_source": "t"}, "/data_source"),
        ({"user_id": "u", "filter": {"x": 1}}, "/filter/x"),
        ({"user_id": "u", "reason": " "}, "/reason"),
        ({"user_id": ""}, "/user_id"),
    ],
)
async def test_targets_that_are_none(tenant: Tenant, target: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await tenant("holds.place", **({"reason": "One"} | target))
    assert caught.value.faults[0].pointer == pointer


async def test_what_is_not_there(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    for target in (
        {"user_id": "nobody"},
        {"user_id": "u", "session_id": "none"},
        {"user_id": "u", "session_id": "u-1", "namespace": "none"},
        {"user_id": "nobody", "data_source": "t"},
        {"filter": {"kind": "event"}, "namespace": "none"},
    ):
        with pytest.raises(NotFound):
            await tenant("holds.place", reason="One", **target)
    with pytest.raises(NotFound):
        await tenant("holds.release", hold_id=UUID(int=1), reason="Over")
    placed = await tenant("holds.place", user_id="u", reason="One")
    await tenant("holds.release", hold_id=placed.hold_id, reason="Over")
    with pytest.raises(Conflict):
        await tenant("holds.release", hold_id=placed.hold_id, reason="Over")


async def test_a_new_namespace_of_a_held_user(database: Database, tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    await tenant("holds.place", user_id="u", reason="One")
    await tenant(
        "working.put", user_id="u", session_id="s", namespace="other", key="k", value=CANARY
    )
    await tenant("working.delete", user_id="u", session_id="s", namespace="other", key="k")
    assert kept(database, tenant) == {"working_item": 1}
