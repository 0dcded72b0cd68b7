"""Documents that are put, deleted and forgotten at once.

| at once, again and again | then |
|---|---|
| versions of one document are put, and its source is forgotten | each call answers; no deadlock is counted |
| the same, of documents that move from one source to another, with deletes, filters, holds and a policy that changes | the same |
| a document is put, moved to the source or deleted, and the source is forgotten while that is under way | it is waited for, and goes too |
| the other way round | what is put then stays |
| a document is cut and embedded | nothing is locked yet; what is held already is not cut again |

What is left in the end is whole, and goes with a last forget.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from muniment.domain.documents import chunks_of
from muniment.errors import Conflict, NotFound, StaleVersion
from muniment.postgres.embedded import ADMIN
from muniment.postgres.unit_of_work import PostgresUnit
from muniment.records import knowledge
from tests.integration.test_forget_races import Meeting
from tests.integration.test_knowledge import DOCUMENT, rows
from tests.support.databases import Database
from tests.support.interposing import interposed
from tests.support.world import Tenant

SOURCE = "crm"
ROUNDS = 30


def deadlocks(database: Database) -> int:
    """How many the server ended."""
    with database.connect(ADMIN) as admin:
        row = admin.execute(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    return int(row[0])


async def again(call: Callable[[int], Awaitable[Any]], times: int = ROUNDS) -> list[Any]:
    """What so many calls answered, one after the other; what cannot be helped is an answer, too."""
    answers = []
    for number in range(1, times + 1):
        try:
            answers.append(await call(number))
        except (StaleVersion, NotFound, Conflict) as error:
            answers.append(error)
    return answers


def put(tenant: Tenant, source: str = "s", *homes: str) -> Callable[[int], Awaitable[Any]]:
    """Version after version of a document, now from one source, now from another."""
    where = homes or (SOURCE,)
    return lambda number: tenant(
        "knowledge.put", source=source, version=number, title="t", text="word " * 50,
        data_source=where[number % len(where)], metadata={"case": number % 2},
    )  # fmt: skip


def forget(tenant: Tenant, **target: Any) -> Callable[[int], Awaitable[Any]]:
    return lambda _: tenant("forget", **(target or {"data_source": SOURCE}))


async def all_gone(database: Database, tenant: Tenant) -> None:
    """What is left is whole, and a last forget takes it."""
    documents, chunks, counted, _ = rows(database, tenant)
    assert documents == chunks == counted
    for name in (SOURCE, "erp"):
        await tenant("forget", data_source=name)
    assert rows(database, tenant) == (0, 0, 0, 0)


async def test_one_document_and_its_source(database: Database, tenant: Tenant) -> None:
    before = deadlocks(database)
    await asyncio.gather(again(put(tenant)), again(put(tenant)), again(forget(tenant)))
    assert deadlocks(database) == before
    await all_gone(database, tenant)


async def test_everything_at_once(database: Database, tenant: Tenant) -> None:
    async def held(number: int) -> None:
        hold = await tenant("holds.place", data_source=SOURCE, reason=f"Case {number}")
        await tenant("holds.release", hold_id=hold.hold_id, reason="Over.")

    async def policy(number: int) -> None:
        await tenant("policy.put", document={"kinds": {"finding": {"ttl": 30 + number}}})

    before = deadlocks(database)
    await asyncio.gather(
        again(put(tenant, "a", SOURCE, "erp")),
        again(put(tenant, "a", "erp", SOURCE)),
        again(put(tenant, "b", SOURCE, "erp")),
        again(forget(tenant)),
        again(forget(tenant, data_source="erp")),
        again(lambda _: tenant("knowledge.delete", source="a"), 10),
        again(held, 5),
        again(policy, 5),
    )
    assert deadlocks(database) == before
    await all_gone(database, tenant)


async def new(tenant: Tenant) -> Any:
    return await tenant("knowledge.put", **DOCUMENT, data_source=SOURCE)


async def moved(tenant: Tenant) -> Any:
    return await tenant("knowledge.put", **(DOCUMENT | {"version": 2}), data_source=SOURCE)


async def deleted(tenant: Tenant) -> Any:
    return await tenant("knowledge.delete", source="s")


@pytest.mark.parametrize("statement", ["scope_bump", "document_digest", "chunks_add"])
@pytest.mark.parametrize("call", [new, moved, deleted])
async def test_what_came_first_goes_too(
    database: Database,
    tenant: Tenant,
    call: Callable[[Tenant], Awaitable[Any]],
    statement: str,
) -> None:
    if call is not new:
        await tenant("knowledge.put", **DOCUMENT, data_source="erp")
    before = deadlocks(database)
    meeting = Meeting()
    within, units = interposed(tenant, statement, meeting)
    done, forgot = await meeting.both(database, call(within), tenant("forget", data_source=SOURCE))
    assert (done.source, units.happened, deadlocks(database)) == ("s", 1, before)
    assert forgot.counts.get("knowledge_document", 0) == (0 if call is deleted else 1)
    assert rows(database, tenant) == (0, 0, 0, 0)


@pytest.mark.parametrize("call", [new, moved])
async def test_what_comes_later_stays(
    database: Database, tenant: Tenant, call: Callable[[Tenant], Awaitable[Any]]
) -> None:
    await tenant("knowledge.put", **DOCUMENT, data_source=SOURCE)
    meeting = Meeting()
    within, _ = interposed(tenant, "receipt_insert", meeting)
    forgot, done = await meeting.both(database, within("forget", data_source=SOURCE), call(tenant))
    assert (forgot.counts["knowledge_document"], done.outcome) == (1, "inserted")
    assert rows(database, tenant)[0] == 1


async def test_what_takes_long_holds_up_nobody(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statements and the cutting of documents, in the order in which they come."""
    order: list[str] = []
    send = PostgresUnit._send

    async def noted(self: PostgresUnit, cursor: Any, query: str, params: Any) -> None:
        order.append(query)
        await send(self, cursor, query, params)

    def cut(*given: Any) -> Any:
        order.append("cut")
        return chunks_of(*given)

    monkeypatch.setattr(PostgresUnit, "_send", noted)
    monkeypatch.setattr(knowledge, "chunks_of", cut)
    for version, outcome in ((1, "inserted"), (1, "unchanged"), (2, "replaced")):
        order.clear()
        given = DOCUMENT | {"version": version, "text": f"Text {version}."}
        assert (await tenant("knowledge.put", **given)).outcome == outcome
        assert order.count("cut") == (outcome != "unchanged")
        before = order[: order.index("cut")] if "cut" in order else []
        locks = {"knowledge_hold", "policy_hold", "document_lock", "scope_ensure"}
        assert locks.isdisjoint(before)
        assert "document_lock" in order
