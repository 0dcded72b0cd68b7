"""Duties that clean up and count anew; those of sessions and jobs have files of their own.

| answer under an idempotency key | expire_answers |
|---|---|
| a day old, of any tenant | gone |
| younger by a second | stays, and is replayed |
| a day old, but the key is being taken again | stays with the new answer |
| more of them than fit one transaction | all gone |

| count of a scope | recount_usage |
|---|---|
| never counted (stored before an upgrade) | what is held |
| too large, too small | what is held |
| right | not touched |
| right, while a write is under way | right with the write |
| a scope that was forgotten meanwhile | nothing happens |
| any, of several tenants and more scopes than a page | each its own |

On a schema that has neither yet, both do nothing.
"""

import asyncio
import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from muniment.errors import QuotaExceeded
from muniment.operations.registry import REGISTRY
from muniment.postgres.embedded import ADMIN, WORKER
from muniment.postgres.queue import queue_app
from muniment.postgres.quota import QuotaLimits, StorageQuotas
from muniment.postgres.schema_state import SchemaState
from muniment.records.scopes import find_scope
from muniment.records.usage import heal_usage, miscounted
from muniment.worker import expire_answers, recount_usage
from muniment.worker.duty import as_worker
from muniment.worker.loop import register_duties
from tests.support.databases import Database
from tests.support.waiting import until
from tests.support.world import SCHEMA, START, Local, Tenant, local_service

PUT: dict[str, Any] = {"user_id": "u", "session_id": "s", "key": "k", "value": 1}
# Text and metadata whose JSON is written in more than one way.
ODD: dict[str, Any] = {"a": 'ü\u0001"\\/', "b": [1, 2.5, None, True, {}], "c": {"d": {"e": ""}}}


@pytest_asyncio.fixture
async def service(own_database: Database, request: pytest.FixtureRequest) -> Any:
    """Duties go over every tenant, so each test has a database of its own."""
    async with local_service(own_database.conninfo(), seed=request.node.nodeid) as made:
        yield made


@pytest_asyncio.fixture
async def worker(own_database: Database, service: Local) -> Any:
    """The same as the worker role, on the same clock."""
    async with local_service(own_database.conninfo(WORKER), seed="worker") as made:
        made.clock = service.clock
        object.__setattr__(made.world, "clock", service.clock)
        yield made


def query(database: Database, text: str, *values: Any) -> list[Any]:
    with database.connect(ADMIN) as admin:
        done = admin.execute(text.encode(), values or None)
        return [] if done.description is None else done.fetchall()


def kept(database: Database) -> list[datetime]:
    """When the answers that are there were given."""
    return [at for (at,) in query(database, "SELECT created_at FROM muniment.idempotency")]


async def test_answers_go_after_a_day(
    own_database: Database, service: Local, worker: Local
) -> None:
    one, two = await service.tenant("one"), await service.tenant("two")
    await one.once("old", "working.put", **PUT)
    await two.once("old too", "working.put", **PUT)
    service.clock.advance(seconds=1)
    await one.once("young", "working.put", **PUT)
    service.clock.advance(hours=24, seconds=-1)
    assert await expire_answers.run_once(worker.world) == 2
    assert kept(own_database) == [START + timedelta(seconds=1)]
    assert (await one.once("young", "working.put", **PUT)).replayed
    assert await expire_answers.run_once(worker.world) == 0
    service.clock.advance(seconds=1)
    assert await expire_answers.run_once(worker.world) == 1
    assert kept(own_database) == []


async def test_more_answers_than_one_transaction_takes(
    own_database: Database, service: Local, worker: Local
) -> None:
    tenant = await service.tenant()
    for number in range(7):
        await tenant.once(f"k{number}", "working.put", **PUT)
    service.clock.advance(hours=24)
    assert await expire_answers.run_once(worker.world, at_once=3) == 7
    assert kept(own_database) == []


async def test_a_key_that_is_taken_again_stays(
    own_database: Database, service: Local, worker: Local
) -> None:
    tenant = await service.tenant()
    await tenant.once("again", "working.put", **PUT)
    service.clock.advance(hours=24)
    with own_database.connect(ADMIN) as taker, taker.transaction():
        taker.execute("UPDATE muniment.idempotency SET created_at = %s", [service.clock.now()])
        duty = asyncio.create_task(expire_answers.run_once(worker.world))
        await asyncio.to_thread(until, lambda: waits_for_a_lock(own_database))
    assert await duty == 0
    assert kept(own_database) == [service.clock.now()]


def waits_for_a_lock(database: Database) -> bool:
    found = query(
        database,
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    return len(found) == 1


def counted(database: Database, tenant: Tenant) -> list[tuple[int, int]]:
    return query(
        database,
        "SELECT items::int, bytes::int FROM muniment.scope_state WHERE tenant_id = %s ORDER BY scope_id",
        tenant.tenant_id,
    )


async def filled(tenant: Tenant, users: int = 3) -> None:
    """Events, a repeated one, a dropped one, memories of users and of the organisation."""
    for number in range(users):
        user = f"u{number}"
        events = [
            {"turn": at, "role": "user", "content": text, "occurred_at": START, "metadata": ODD}
            for at, text in enumerate(("I live in Gouda.", "Thanks!", "Ünïcode " * number))
            if text
        ]
        await tenant("events.write", user_id=user, session_id="s", events=events)
        await tenant("events.write", user_id=user, session_id="s", events=events[:1])
        for _ in range(2):
            await tenant(
                "memories.remember", kind="fact", user_id=user, text=f"Ünï {number}.",
                detail="more", metadata=ODD,
            )  # fmt: skip
    await tenant("memories.remember", kind="data_quality", text="The lag is five days.")


WRONG = (
    "UPDATE muniment.scope_state SET items = 0, bytes = 0",
    "UPDATE muniment.scope_state SET bytes = bytes + 7",
    "UPDATE muniment.scope_state SET items = items - 1",
)


@pytest.mark.parametrize("change", WRONG)
async def test_a_wrong_count_is_healed(
    own_database: Database, service: Local, worker: Local, change: str
) -> None:
    one, two = await service.tenant("one"), await service.tenant("two")
    await filled(one)
    await filled(two, users=5)
    right = [counted(own_database, tenant) for tenant in (one, two)]
    scopes = sum(len(counts) for counts in right)
    # What writers added one by one is what is counted.
    assert await recount_usage.run_once(worker.world) == 0
    query(own_database, change)
    assert await recount_usage.run_once(worker.world, at_once=2) == scopes
    assert [counted(own_database, tenant) for tenant in (one, two)] == right
    assert await recount_usage.run_once(worker.world) == 0


async def test_a_right_count_is_not_touched(
    own_database: Database, service: Local, worker: Local
) -> None:
    await filled(await service.tenant())
    rows = "SELECT xmin::text, r::text FROM muniment.scope_state r ORDER BY 2"
    before = query(own_database, rows)
    assert await recount_usage.run_once(worker.world) == 0
    assert query(own_database, rows) == before


async def test_a_count_waits_for_the_write_under_way(
    own_database: Database, service: Local, worker: Local
) -> None:
    tenant = await service.tenant()
    await filled(tenant, users=1)
    ((scope_id,),) = query(own_database, "SELECT scope_id FROM muniment.scope WHERE level = 'user'")
    remember = REGISTRY["memories.remember"]
    command = {"kind": "fact", "user_id": "u0", "text": "Has a dog."}
    async with as_worker(service.world, tenant.tenant_id) as ctx:
        caller = replace(ctx.caller, verbs=frozenset(["write"]), layers=frozenset(["semantic"]))
        parsed = remember.parse(json.dumps(command).encode(), {}).command
        await remember.handler(parsed, replace(ctx, caller=caller))
        heal = asyncio.create_task(_heal(worker, tenant.tenant_id, scope_id))
        await asyncio.to_thread(until, lambda: waits_for_a_lock(own_database))
    # Its count was right before and is right after; counted without the lock it would lack the dog.
    assert await heal == 0
    async with as_worker(worker.world, tenant.tenant_id) as ctx:
        assert not [one for one in await miscounted(ctx, UUID(int=0), 10) if one.wrong]


async def _heal(worker: Local, tenant_id: UUID, scope_id: UUID) -> int:
    async with as_worker(worker.world, tenant_id) as ctx:
        return await heal_usage(ctx, scope_id)


async def test_writers_and_the_count_at_once(
    own_database: Database, service: Local, worker: Local
) -> None:
    tenant = await service.tenant()
    await filled(tenant)
    query(own_database, WRONG[0])
    writes = [
        tenant("memories.remember", kind="fact", user_id=f"u{at % 3}", text=f"Fact {at}.")
        for at in range(30)
    ]
    await asyncio.gather(*writes, *(recount_usage.run_once(worker.world) for _ in range(3)))
    assert await recount_usage.run_once(worker.world) == 0


async def test_a_scope_that_was_forgotten(service: Local, worker: Local) -> None:
    tenant = await service.tenant()
    await filled(tenant, users=1)
    async with as_worker(worker.world, tenant.tenant_id) as ctx:
        scope = await find_scope(ctx, "u0", "default")
    assert scope is not None
    await tenant("forget", user_id="u0")
    assert await _heal(worker, tenant.tenant_id, scope.scope_id) == 0


async def test_a_quota_counts_what_was_there_before(
    own_database: Database, service: Local, worker: Local
) -> None:
    """A tenant that existed before anything was counted is full once it was counted."""
    tenant = await service.tenant()
    for number in range(3):
        await tenant(
            "memories.remember", kind="fact", user_id="u", text=f"{number} " + "x y " * 200
        )
    query(own_database, WRONG[0])
    quotas = StorageQuotas(QuotaLimits(2000, None, 0), SCHEMA, None)
    object.__setattr__(service.world, "quotas", quotas)
    await tenant("memories.remember", kind="fact", user_id="u", text="Not known to be full.")
    await recount_usage.run_once(worker.world)
    with pytest.raises(QuotaExceeded):
        await tenant("memories.remember", kind="fact", user_id="u", text="Full.")


async def test_a_schema_that_has_neither(service: Local, worker: Local) -> None:
    tenant = await service.tenant()
    await tenant.once("old", "working.put", **PUT)
    service.clock.advance(hours=24)
    object.__setattr__(worker.world, "schema", SchemaState(1))
    assert await expire_answers.run_once(worker.world) == 0
    assert await recount_usage.run_once(worker.world) == 0


EVERY = {
    "curate": "23 3 * * *",
    "close_idle_sessions": "*/10 * * * *",
    "decay": "23 3 * * *",
    "expire": "37 * * * *",
    "tend_embeddings": "*/10 * * * *",
    "expire_answers": "17 * * * *",
    "expire_transfers": "17 * * * *",
    "gather": "23 3 * * *",
    "recount_usage": "23 3 * * *",
    "remove_old_jobs": "23 3 * * *",
}


async def test_when_each_is_due(own_database: Database, worker: Local) -> None:
    app = queue_app(own_database.conninfo(WORKER), size=1)
    register_duties(app, worker.world)
    found = {one.task.name: one.cron for one in app.periodic_registry.periodic_tasks.values()}
    assert found == EVERY
