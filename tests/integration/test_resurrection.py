"""Whatever a forget meets, nothing of the user comes back (RULES 15.4).

| beside the forget, from a random statement of either on | afterwards |
|---|---|
| the session is consolidated | |
| a write is sent again under its idempotency key | sent once more: not done anew |
| the session is closed: its job was taken before, or waits | the job is done |
| a backup is made | it is restored, and carries out the ledger |

Each time no row of any table mentions the user, nor has a scope of theirs. FORGET_ROUNDS says how
many rounds of each (``make forget-proof``: 200).
"""

import asyncio
import contextlib
import os
import random
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from muniment.errors import AlreadyDone, Forgotten, NotFound
from muniment.ports import Units
from muniment.postgres.embedded import ADMIN, shipped_program
from muniment.postgres.migrate import migrate
from muniment.records.catching_up import catch_up, open_ledger
from muniment.worker import consolidate as duty
from tests.integration.forgetting import CANARY, mentions, turn
from tests.support.databases import Database
from tests.support.interposing import InterposedUnits
from tests.support.world import START, Local, Tenant, local_service

ROUNDS = int(os.environ.get("FORGET_ROUNDS", "4"))
STATEMENTS = 60
Work = Callable[[Tenant], Awaitable[Any]]


async def nothing() -> None:
    """No action."""


class Reaching(InterposedUnits):
    """Transactions that say when they have come to a statement by its number."""

    def __init__(self, units: Units, number: int) -> None:
        super().__init__(units, "", nothing)
        self._left_to_go = number
        self.there = asyncio.Event()

    async def reached(self, statement: str) -> None:
        self._left_to_go -= bool(statement)
        if self._left_to_go <= 0:
            self.there.set()


def with_units(tenant: Tenant, units: Any) -> Tenant:
    """The same tenant on other transactions."""
    service = tenant.service
    world = replace(service.world, units=units)
    return replace(tenant, service=Local(world, service.clock, service.recalls))


async def beside(
    first: tuple[Work, Tenant], second: tuple[Work, Tenant], chance: random.Random
) -> None:
    """Both; the second begins when the first has come to a statement drawn at random."""
    begin, later = chance.sample([first, second], 2)
    units = Reaching(begin[1].service.world.units, chance.randrange(STATEMENTS))
    running = asyncio.ensure_future(begin[0](with_units(begin[1], units)))
    running.add_done_callback(lambda _: units.there.set())
    await units.there.wait()
    answers = await asyncio.gather(running, later[0](later[1]), return_exceptions=True)
    known = AlreadyDone | Forgotten | NotFound
    assert [
        one for one in answers if isinstance(one, Exception) and not isinstance(one, known)
    ] == []


def forgetting(user: str) -> Work:
    """Forget them."""
    return lambda tenant: tenant("forget", user_id=user)


async def write(tenant: Tenant, user: str) -> Any:
    """What a client sends, and may send again."""
    events = [
        turn(1, f"I live in {CANARY}."),
        turn(2, f"I always sail from {CANARY} on Sundays."),
    ]
    return await tenant.once(
        f"key of {user}", "events.write", user_id=user, session_id="s", events=events
    )


def sessions(database: Database, tenant: Tenant) -> list[tuple[UUID, UUID]]:
    """Every session of the tenant: what a job is told."""
    with database.connect(ADMIN) as admin:
        return admin.execute(
            "SELECT scope_id, session_pk FROM muniment.session WHERE tenant_id = %s",
            [tenant.tenant_id],
        ).fetchall()


def consolidating(places: list[tuple[UUID, UUID]]) -> Work:
    """What a worker does who took the jobs of these sessions."""

    async def work(tenant: Tenant) -> None:
        for place in places:
            await duty.run_once(tenant.service.world, tenant.tenant_id, *place)

    return work


def came_back(database: Database, tenant: Tenant) -> list[str]:
    """What there is of anybody who was forgotten."""
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT 'scope ' || scope_id FROM muniment.scope WHERE tenant_id = %s AND level = 'user'",
            [tenant.tenant_id],
        ).fetchall()
    return [*mentions(database, tenant, CANARY), *(name for (name,) in rows)]


async def test_beside_consolidation(database: Database, tenant: Tenant, worker: Local) -> None:
    chance = random.Random(1)
    working = replace(tenant, service=worker)
    for number in range(ROUNDS):
        user = f"u{number}"
        await write(tenant, user)
        work = consolidating(sessions(database, tenant))
        await beside((forgetting(user), tenant), (work, working), chance)
        await work(working)
    assert came_back(database, tenant) == []


async def test_beside_a_retry(database: Database, tenant: Tenant) -> None:
    chance = random.Random(2)
    for number in range(ROUNDS):
        user = f"u{number}"
        await write(tenant, user)

        async def again(tenant: Tenant, user: str = user) -> Any:
            return await write(tenant, user)

        await beside((forgetting(user), tenant), (again, tenant), chance)
        with pytest.raises(AlreadyDone):
            await write(tenant, user)
        await tenant("users.reopen", user_id=user)
        with pytest.raises(AlreadyDone):
            await write(tenant, user)
    assert came_back(database, tenant) == []


async def test_beside_a_job(database: Database, tenant: Tenant, worker: Local) -> None:
    chance = random.Random(3)
    working = replace(tenant, service=worker)
    for number in range(ROUNDS):
        user = f"u{number}"
        await write(tenant, user)
        taken = sessions(database, tenant)

        async def close(tenant: Tenant, user: str = user) -> Any:
            return await tenant("sessions.close", user_id=user, session_id="s")

        await beside((forgetting(user), tenant), (close, tenant), chance)
        await consolidating(taken)(working)
        with database.connect(ADMIN) as admin:
            waiting = admin.execute(
                "SELECT FROM muniment_queue.procrastinate_jobs WHERE status = 'todo' AND args ->> 'tenant_id' = %s",
                [str(tenant.tenant_id)],
            ).fetchall()
        assert waiting == []
    assert came_back(database, tenant) == []


# An older backup --------------------------------------------------------------------------------


async def tool(name: str, *arguments: str) -> None:
    """A tool of PostgreSQL, while everything else goes on."""
    await asyncio.to_thread(
        subprocess.run, [str(shipped_program(name)), *arguments], check=True, capture_output=True
    )


@contextlib.asynccontextmanager
async def restored(database: Database, file: Path) -> AsyncIterator[Database]:
    """The backup in a database of its own."""
    made = Database(database.cluster, f"{database.name}_older")
    with psycopg.connect(database.cluster.conninfo(ADMIN, "postgres"), autocommit=True) as admin:
        admin.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(made.name))
        )
    try:
        await tool("pg_restore", f"--dbname={made.conninfo(ADMIN)}", "--exit-on-error", str(file))
        with made.connect(ADMIN) as admin:
            migrate(admin, partitions=1, now=START)
        yield made
    finally:
        made.drop()


async def test_beside_a_backup(own_database: Database, tmp_path: Path) -> None:
    """All users of a round are forgotten while the backup is made: some before, some after."""
    chance = random.Random(4)
    ledger = tmp_path / "erasures"
    async with local_service(own_database.conninfo(), seed="backup", ledger=ledger) as service:
        await open_ledger(service.world)
        for first in range(0, ROUNDS, 20):
            tenant = await service.tenant()
            users = [f"u{number}" for number in range(first, min(first + 20, ROUNDS))]
            for user in users:
                await write(tenant, user)
            file = tmp_path / f"{first}.dump"
            early = chance.randrange(len(users))
            for user in users[:early]:
                await tenant("forget", user_id=user)
            dump = asyncio.ensure_future(
                tool(
                    "pg_dump",
                    f"--dbname={own_database.conninfo(ADMIN)}",
                    "--format=custom",
                    f"--file={file}",
                )
            )
            for user in users[early:]:
                await tenant("forget", user_id=user)
            await dump
            assert came_back(own_database, tenant) == []
            async with restored(own_database, file) as older:
                await older_is_caught_up(older, tenant, ledger, users)


async def older_is_caught_up(
    older: Database, tenant: Tenant, ledger: Path, users: list[str]
) -> None:
    """The restored database starts, and then clients send again what they had sent."""
    async with local_service(older.conninfo(), seed=older.name, ledger=ledger) as service:
        service.clock.moment = tenant.service.clock.moment
        await catch_up(service.world)
        there = replace(tenant, service=service)
        for user in users:
            with pytest.raises((AlreadyDone, Forgotten)):
                await write(there, user)
        assert came_back(older, there) == []
