"""The cached scope index against the database: never behind what an answer states.

| cached copy | scope moved on by | then |
|---|---|---|
| at version n | writes | catches up with rows of a higher rev |
| at version n | a forget | starts again |
| beyond the limit | another scope | the least recently used one goes |
| in another process | anything | the verifying statement tells, and it is asked again |

A scope that loads in pieces has every row once, with what is its own:

| rows | vectors |
|---|---|
| none, one, fewer than pieces, many | all have one |
| the same | some have none |
"""

import asyncio
import zlib
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from muniment.ports import ScopeRow, Vectors
from muniment.postgres.embedded import ADMIN, APP
from muniment.postgres.index_cache import IndexCache
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant, local_service

_BLANK = """UPDATE muniment.memory_index SET emb = NULL
WHERE tenant_id = %(tenant)s AND position %% 2 = 0"""
_NONE = "DELETE FROM muniment.memory_index WHERE tenant_id = %(tenant)s"
_ROWS = """SELECT id, position, rev, importance, public.halfvec_send(emb), terms
FROM muniment.memory_index WHERE tenant_id = %(tenant)s"""


async def say(tenant: Tenant, number: int, content: str, user: str = "u") -> None:
    """A user's turn."""
    at = START - timedelta(days=1) + timedelta(seconds=number)
    event = {"turn": number, "role": "user", "content": content, "occurred_at": at}
    await tenant("events.write", user_id=user, session_id="s", events=[event])


async def texts(tenant: Tenant, query: str = "Which bird was it?", user: str = "u") -> set[str]:
    """What recall answers."""
    view = await tenant("recall", user_id=user, query=query, k=100)
    return {item.text for item in view.items}


def cache(service: Local) -> Any:
    """The service's cache."""
    return service.world.indexes


async def test_it_catches_up_and_starts_again(service: Local, tenant: Tenant) -> None:
    await say(tenant, 1, "The bird was a heron.")
    assert await texts(tenant) == {"The bird was a heron."}
    await say(tenant, 2, "We keep another bird, a stork.")
    assert await texts(tenant) == {"The bird was a heron.", "We keep another bird, a stork."}
    done = await tenant("forget", user_id="u", filter={"turn": 1})
    assert done.counts["event"] == 1
    assert await texts(tenant) == {"We keep another bird, a stork."}
    await say(tenant, 3, "We keep a third bird, a crane.")
    assert len(await texts(tenant)) == 2


async def test_two_processes_agree(database: Database, service: Local, tenant: Tenant) -> None:
    async with local_service(database.conninfo(APP), seed="other process") as other_service:
        other_service.clock.moment = service.clock.moment
        other = Tenant(other_service, tenant.tenant_id, tenant.key)
        for number in range(1, 6):
            await say(tenant, number, f"Bird number {number} was a heron.")
            assert await texts(other) == await texts(tenant)
            assert len(await texts(other)) == number
        await tenant("forget", user_id="u", filter={"turn": {"$lt": 3}})
        assert await texts(other) == await texts(tenant)
        assert len(await texts(other)) == 3
        await tenant("forget", user_id="u")
        assert await texts(other) == set()
        await tenant("users.reopen", user_id="u")
        await say(tenant, 1, "The new bird was a swan.")
        assert await texts(other) == {"The new bird was a swan."}


async def test_readers_among_writers_never_miss_what_was_acknowledged(
    database: Database, service: Local, tenant: Tenant
) -> None:
    await say(tenant, 0, "The first bird was a heron.")
    acknowledged: set[str] = set()

    async def write(base: int) -> None:
        for number in range(base, base + 12):
            await say(tenant, number, f"Bird {number} was a heron.")
            acknowledged.add(f"Bird {number} was a heron.")

    async def read(reader: Tenant) -> None:
        for _ in range(25):
            before = set(acknowledged)
            assert before <= await texts(reader)

    async with local_service(database.conninfo(APP), seed="reader") as other:
        other.clock.moment = service.clock.moment
        reader = Tenant(other, tenant.tenant_id, tenant.key)
        await asyncio.gather(write(100), write(200), read(reader), read(tenant))
    assert len(await texts(tenant)) == 25


async def test_it_stays_within_its_bounds(service: Local, tenant: Tenant) -> None:
    small = IndexCache(100_000)
    object.__setattr__(service.world, "indexes", small)
    for number in range(8):
        for turn in range(20):
            await say(tenant, turn, f"Bird {turn} of user {number} was a heron.", user=f"u{number}")
        assert len(await texts(tenant, user=f"u{number}")) == 20
        assert small.nbytes <= 100_000 or len(small) == 1
    assert 0 < len(small) < 8
    assert len(await texts(tenant, user="u0")) == 20


@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("count", [0, 1, 3, 40])
async def test_pieces_are_the_rows_of_the_table(
    database: Database, service: Local, tenant: Tenant, count: int, blank: bool
) -> None:
    await say(tenant, 100, "The first bird was a heron.")
    for turn in range(count):
        await say(tenant, turn, f"Bird {turn} was a {'heron' * (turn % 3)}.")
    whose = {"tenant": tenant.tenant_id}
    with database.connect(ADMIN) as admin:
        if blank:
            admin.execute(_BLANK, whose)
        if not count:
            admin.execute(_NONE, whose)
        wanted = {row[0].bytes: row[1:] for row in admin.execute(_ROWS, whose).fetchall()}
    async with service.world.units.open(tenant.tenant_id) as unit:
        (scope,) = await unit.rows(
            ScopeRow, "scopes_of_reader", user_id="u", namespace="default", org=True
        )
        held = await IndexCache(1).current(unit, scope.mark, Vectors("static", 256, "emb", 0))
    columns = held.index.scope().columns
    assert len(columns) == len(wanted) == (count + 1 if count else 0)
    for at, ident in enumerate(columns.ids):
        position, rev, importance, vector, terms = wanted[ident.tobytes()]
        assert (columns.position[at], columns.rev[at]) == (position, rev)
        assert columns.importance[at] == importance
        assert columns.checksum[at] == zlib.crc32(terms)
        whole = np.zeros(256) if vector is None else np.frombuffer(vector[4:], ">f2")
        assert np.array_equal(columns.vectors[at], whole)


async def test_tenants_share_no_index(service: Local) -> None:
    one, other = await service.tenant("one"), await service.tenant("other")
    await say(one, 1, "The bird was a heron.")
    await say(other, 1, "The bird was a stork.")
    assert await texts(one) == {"The bird was a heron."}
    assert await texts(other) == {"The bird was a stork."}
