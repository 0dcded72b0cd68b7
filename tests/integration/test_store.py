"""store.*: items of the application's own, as the service keeps them.

| given | when | then |
|---|---|---|
| an item with a TTL | its time passes without a read | gone at that instant, for every read; removed by the duty |
| the same | it is read, searched, or put again | stays as long again; not where the read asks for none |
| an item | it is put again | its id and first date stay; expired before, it is new |
| a secret in a value | put | a marker, and no vector of it |
| a user under a hold | an item is put again, deleted, expired, or its user forgotten | the row before is kept |
| a user with items | exported and imported | the same items, found the same |
| items | put, deleted, expired, imported | usage counts what is there |
| a call that names one twice | | InvalidInput, nothing changed |
| values beyond 16 MiB | read | TooLarge |
| more conditions or texts than a call looks at | read, put | InvalidInput |
| a key of one user, one without the layer, one that only reads | | Forbidden beyond that |
| an item that says a fact | recall | not there |
"""

from typing import Any

import pytest

from muniment.domain.store import texts_of
from muniment.errors import Forbidden, InvalidInput, TooLarge, WritesRefused
from muniment.operations.store import StoreItem
from muniment.postgres.embedded import ADMIN
from muniment.records.store import MOST_ANSWERED, Room, expire_items, scopes_with_expired
from muniment.worker.duty import as_worker
from tests.integration.moving import bring, export
from tests.support.databases import Database
from tests.support.world import Local, Tenant

KEY = {"path": ["notes"], "key": "k"}
ITEM = KEY | {"value": {"text": "She takes her tea without milk."}}
U = {"user_id": "u"}


async def put(tenant: Tenant, **more: Any) -> None:
    await tenant("store.write", **U, puts=[ITEM | more])


async def held(tenant: Tenant, **more: Any) -> StoreItem | None:
    """The item, read without refreshing it."""
    read = await tenant("store.read", **(U | {"gets": [KEY | {"refresh": False}]} | more))
    found: StoreItem | None = read.items[0]
    return found


def rows(database: Database, tenant: Tenant, statement: str) -> list[Any]:
    with database.connect(ADMIN) as admin:
        admin.execute("SELECT set_config('search_path', 'muniment', false)")
        return admin.execute(statement.encode(), [tenant.tenant_id]).fetchall()


def usage(database: Database, tenant: Tenant) -> Any:
    """What is noted of the scopes, and what lies in them."""
    noted = "SELECT coalesce(sum(items), 0), coalesce(sum(bytes), 0) FROM scope_state WHERE tenant_id = %s"
    there = "SELECT count(*), coalesce(sum(size), 0) FROM store_item WHERE tenant_id = %s"
    assert rows(database, tenant, noted) == rows(database, tenant, there)
    return rows(database, tenant, there)[0][0]


@pytest.mark.parametrize("read", ["get", "search", "put", "none"])
async def test_a_time_to_live(service: Local, tenant: Tenant, read: str) -> None:
    await put(tenant, ttl_seconds=60)
    first = await held(tenant)
    service.clock.advance(seconds=40)
    if read == "get":
        await tenant("store.read", **U, gets=[KEY])
    elif read == "search":
        await tenant("store.read", **U, searches=[{"prefix": ["notes"]}])
    elif read == "put":
        await put(tenant, ttl_seconds=60)
    service.clock.advance(seconds=20, microseconds=-1)
    assert await held(tenant)
    service.clock.advance(microseconds=1)
    assert (await held(tenant) is None) == (read == "none")
    service.clock.advance(seconds=40)
    assert await held(tenant) is None
    asked = await tenant("store.read", **U, searches=[{}, {"query": "tea"}], listings=[{}])
    assert [one.items for one in asked.found] == [(), ()]
    assert asked.listed[0].paths == ()
    assert (await tenant("store.write", **U, deletes=[KEY])).deleted == 0
    await put(tenant)
    again = await held(tenant)
    assert first is not None
    assert again is not None
    assert again.created_at > first.created_at
    assert again.expires_at is None


async def test_the_duty_removes_them(
    service: Local, worker: Local, tenant: Tenant, database: Database
) -> None:
    await put(tenant, ttl_seconds=60)
    await put(tenant, key="stays")
    service.clock.advance(seconds=61)
    worker.clock.moment = service.clock.moment
    async with as_worker(worker.world, tenant.tenant_id) as ctx:
        (scope_id,) = await scopes_with_expired(ctx, 10)
    async with as_worker(worker.world, tenant.tenant_id) as ctx:
        assert await expire_items(ctx, scope_id) == 1
        assert await scopes_with_expired(ctx, 10) == []
    assert usage(database, tenant) == 1


async def test_secrets_are_taken_out(tenant: Tenant, database: Database) -> None:
    secret = {"note": "password: hunter2-Zq9x8", "deep": [{"api_key": "Zq9x8-hunter2-Lm4"}]}
    done = await tenant("store.write", **U, puts=[ITEM | {"value": secret}])
    assert done.redacted
    assert "hunter2" not in str(
        rows(database, tenant, "SELECT i::text FROM store_item i WHERE tenant_id = %s")
    )


async def test_a_hold_keeps_what_was_there(tenant: Tenant, database: Database) -> None:
    await put(tenant, value={"n": 1})
    hold = await tenant("holds.place", **U, reason="A case.")
    await put(tenant, value={"n": 2})
    await tenant("store.write", **U, deletes=[KEY])
    await put(tenant, value={"n": 3})
    done = await tenant("forget", **U)
    assert done.held["store_item"] == 1
    kept = "SELECT (record->'value'->>'n')::int FROM kept_row WHERE tenant_id = %s AND source = 'store_item'"
    assert sorted(rows(database, tenant, kept)) == [(1,), (2,), (3,)]
    await tenant("holds.release", hold_id=hold.hold_id, reason="Over.")
    assert rows(database, tenant, kept) == []


async def test_a_forget_takes_them(tenant: Tenant, database: Database) -> None:
    await put(tenant)
    await tenant("store.write", user_id="v", puts=[ITEM])
    await tenant("store.write", puts=[ITEM])
    assert (await tenant("forget", **U, dry_run=True)).counts["store_item"] == 1
    assert (await tenant("forget", **U)).counts["store_item"] == 1
    assert await held(tenant) is None
    assert await held(tenant, user_id="v")
    assert await held(tenant, user_id=None)
    with pytest.raises(WritesRefused):
        await put(tenant)
    assert usage(database, tenant) == 2


async def test_a_user_moves(service: Local, tenant: Tenant, database: Database) -> None:
    numbers = {"a": [1, 1.5e10, 0.1, 10**30, None, True, "é"], "text": "Trains were late."}
    await put(tenant, value=numbers, fields=["text"], ttl_seconds=90)
    await put(tenant, path=["a", "ab"], fields=[])
    ask: dict[str, Any] = U | {
        "searches": [
            {"query": "late trains", "refresh": False},
            {"filter": {"text": "Trains were late."}},
        ],
        "listings": [{}],
    }
    before = await tenant("store.read", **ask)
    lines = await export(tenant)
    other = await service.tenant("other")
    made = await bring(other, lines)
    assert made.counts["item"] == 2
    after = await other("store.read", **ask)
    assert after.listed == before.listed
    for one, two in zip(before.found, after.found, strict=True):
        assert [
            (i.path, i.key, i.created_at, i.updated_at, i.expires_at, i.score) for i in one.items
        ] == [(i.path, i.key, i.created_at, i.updated_at, i.expires_at, i.score) for i in two.items]
    assert after.found[0].items[0].value == before.found[0].items[0].value
    assert [one["type"] for one in await export(other)] == [one["type"] for one in lines]
    assert usage(database, other) == 2


async def test_usage(tenant: Tenant, database: Database) -> None:
    await put(tenant)
    await put(tenant, value={"text": "much longer than it was before, and then some"})
    await put(tenant, key="l")
    await tenant("store.write", **U, puts=[ITEM], deletes=[KEY | {"key": "l"}, KEY | {"key": "x"}])
    assert usage(database, tenant) == 1


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ({"puts": [ITEM, ITEM]}, "/puts/1"),
        ({"puts": [ITEM], "deletes": [KEY]}, "/deletes/0"),
        ({"deletes": [KEY, KEY | {"key": "k "}, KEY]}, "/deletes/2"),
        ({"puts": [ITEM | {"key": "e\u0301"}, ITEM | {"key": "é"}]}, "/puts/1"),
        ({"puts": [ITEM | {"path": []}]}, "/puts/0/path"),
        ({"puts": [ITEM | {"path": ["a", ""]}]}, "/puts/0/path/1"),
        ({"puts": [ITEM | {"key": "a\x00"}]}, "/puts/0/key"),
        ({"puts": [ITEM | {"value": [1]}]}, "/puts/0/value"),
        ({"puts": [ITEM | {"ttl_seconds": 0}]}, "/puts/0/ttl_seconds"),
    ],
)
async def test_what_is_refused(tenant: Tenant, given: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        await tenant("store.write", **U, **given)
    assert [one.pointer for one in refused.value.faults] == [pointer]
    assert await held(tenant) is None


async def test_a_filter_that_is_none(tenant: Tenant) -> None:
    asked = [{}, {"filter": {"a": {"$in": [1]}}}]
    with pytest.raises(InvalidInput) as refused:
        await tenant("store.read", **U, searches=asked)
    assert refused.value.faults[0].pointer == "/searches/1/filter/a"


async def test_conditions_of_a_call_are_bounded(tenant: Tenant) -> None:
    filters = [{"filter": {str(n): n for n in range(200)}, "prefix": [str(at)]} for at in range(5)]
    assert len((await tenant("store.read", **U, searches=filters)).found) == 5
    with pytest.raises(InvalidInput) as refused:
        await tenant("store.read", **U, searches=[*filters, {"filter": {"a": 1}}])
    assert refused.value.faults[0].pointer == "/searches"


async def test_texts_of_a_write_are_bounded(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each place of these names nearly all of the value.
    value = {"a": {"a": {"a": {"text": "late trains " * 20}}}}
    puts: list[dict[str, Any]] = [
        ITEM | {"key": str(n), "value": value, "fields": ["$", "a", "a.a", "a.a.a"]}
        for n in range(5)
    ]
    size = sum(map(len, texts_of(value, puts[0]["fields"])))
    assert size > 4 * 240
    monkeypatch.setattr("muniment.records.store.MOST_SEARCHED", 4 * size)
    await tenant("store.write", **U, puts=puts[:4])
    with pytest.raises(InvalidInput) as refused:
        await tenant("store.write", **U, puts=puts)
    assert refused.value.faults[0].pointer == "/puts/4/fields"


async def test_an_answer_has_room(tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.operations.store.Room", lambda: Room(MOST_ANSWERED // 1000))
    for number in range(6):
        large = {"pad": "x" * 3_000}
        await put(tenant, key=str(number), value=large, fields=[])
    keys = [KEY | {"key": str(number)} for number in range(6)]
    assert len((await tenant("store.read", **U, gets=keys[:5])).items) == 5
    several: list[dict[str, Any]] = [
        {"gets": keys},
        {"searches": [{}]},
        {"gets": keys[:3], "searches": [{"limit": 3}]},
    ]
    for asked in several:
        with pytest.raises(TooLarge):
            await tenant("store.read", **U, **asked)


async def test_who_may(tenant: Tenant) -> None:
    await put(tenant)
    own = await tenant.key_for(user_id="u", verbs=["read", "write"])
    await tenant("store.write", _as=own, **U, puts=[ITEM])
    for refused in ({"user_id": "v"}, {}):
        for operation in ("store.read", "store.write"):
            with pytest.raises(Forbidden):
                await tenant(operation, _as=own, **refused)
    for grant in ({"layers": ["working", "episodic"]}, {"verbs": ["read"]}, {"verbs": ["propose"]}):
        other = await tenant.key_for(**grant)
        with pytest.raises(Forbidden):
            await tenant("store.write", _as=other, **U, puts=[ITEM])
    reader = await tenant.key_for(verbs=["read"])
    assert (await tenant("store.read", _as=reader, **U, gets=[KEY])).items[0]


async def test_no_recall_returns_them(tenant: Tenant) -> None:
    await put(tenant)
    view = await tenant("recall", **U, query="Does she take milk in her tea?")
    assert view.items == ()
    assert (await tenant("memories.list", **U)).items == ()


async def test_the_trail_names_items_by_their_ids(tenant: Tenant, database: Database) -> None:
    await put(tenant)
    await put(tenant, value={"n": 2})
    await tenant("store.write", **U, deletes=[KEY])
    (one,) = rows(
        database,
        tenant,
        "SELECT array_agg(DISTINCT subjects::text) FROM audit_entry WHERE tenant_id = %s AND operation = 'store.write'",
    )
    assert len(one[0]) == 1
