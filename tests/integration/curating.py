"""Sessions that are consolidated at once, and the curator's duty on a database of its own."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any, LiteralString

from psycopg import sql

from muniment.postgres.embedded import ADMIN, WORKER
from muniment.worker import curate
from tests.integration.extracting import DAY, say, work
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant, local_service

BY_WEEK = ("Show me that by week.", "Can you show me that by week?", "Weekly, please.")


class Curator:
    """Sessions that were consolidated, and the duty."""

    def __init__(self, database: Database, service: Local, worker: Local, tenant: Tenant) -> None:
        self.database, self.service, self.worker, self.tenant = database, service, worker, tenant
        self.count = 0

    async def sessions(self, *said: str, outcome: str | None = None, **more: Any) -> None:
        """A session for each, a day apart, the first ten days ago."""
        for content in said:
            at = more.pop("at", None) or START - (10 - self.count) * DAY
            await self.session(content, outcome=outcome, at=at, **more)

    async def session(self, *said: str, outcome: str | None = None, **more: Any) -> str:
        """One session with these turns, closed and consolidated."""
        name = f"s{self.count}"
        self.count += 1
        await say(self.tenant, *said, session=name, **more)
        user = more.get("user", "u")
        await self.tenant("sessions.close", user_id=user, session_id=name, outcome=outcome)
        await work(self.database, self.worker, self.tenant, name)
        return name

    async def run(self) -> int:
        """The duty once."""
        return await curate.run_once(self.worker.world)

    def query(self, text: LiteralString | sql.Composed) -> list[Any]:
        with self.database.connect(ADMIN) as admin:
            done = admin.execute(text)
            return [] if done.description is None else done.fetchall()

    async def other(self) -> "Curator":
        """The same for another tenant."""
        made = await self.service.tenant()
        return Curator(self.database, self.service, self.worker, made)


@contextlib.asynccontextmanager
async def curating(database: Database, seed: str) -> AsyncIterator[Curator]:
    """A service, a worker on the same clock, and a tenant."""
    async with (
        local_service(database.conninfo(), seed=seed) as service,
        local_service(database.conninfo(WORKER), seed=f"worker {seed}") as worker,
    ):
        worker.clock = service.clock
        object.__setattr__(worker.world, "clock", service.clock)
        yield Curator(database, service, worker, await service.tenant())
