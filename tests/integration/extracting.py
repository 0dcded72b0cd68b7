"""What the tests of extraction share: turns as people write them, and the worker's job at once."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg import sql

from muniment.domain.extraction import Extracted, Extraction, SaidTurn
from muniment.postgres.embedded import ADMIN
from muniment.worker import consolidate
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

DAY = timedelta(days=1)
EVERY = ["asserted", "contested", "quarantined"]


class Scripted:
    """Implements ``ports.Extractor``: proposes what it is told to, and remembers what it was asked.

    ``meanwhile`` is done while it "thinks".
    """

    name = "scripted"
    tokens_per_hour = 0

    def __init__(self, *candidates: Extracted, meanwhile: Any = None) -> None:
        self.candidates = candidates
        self.meanwhile = meanwhile
        self.asked: list[Sequence[SaidTurn]] = []

    def most_tokens(self, turns: Sequence[SaidTurn], _slots: Any, _name: str | None, /) -> int:
        """A quarter of the characters, so that an estimate can be told; nothing is paid for it."""
        return 0 * sum(len(one.content) for one in turns)

    async def propose(
        self, turns: Sequence[SaidTurn], _slots: Any, _name: str | None, /
    ) -> Extraction:
        """The script, once ``meanwhile`` is done."""
        self.asked.append(turns)
        if self.meanwhile is not None:
            await self.meanwhile()
        return Extraction(self.candidates)


def candidate(kind: str, text: str, *cited: int, **more: Any) -> Extracted:
    """A candidate of a script."""
    plain = Extracted(
        kind=kind, text=text, subject=None, slot=None, value=None, data_source=None,
        valid_from=None, valid_to=None, cited=cited, rule="scripted",
    )  # fmt: skip
    return replace(plain, **more)


async def say(
    tenant: Tenant,
    *contents: str,
    start: int = 0,
    user: str = "u",
    session: str = "s",
    at: datetime = START - 2 * DAY,
    **more: Any,
) -> None:
    """Turns of a session; ``ROLE|`` in front of one gives its role, else the user says it."""
    events = []
    for number, said in enumerate(contents):
        role, bar, content = said.partition("|")
        told = {"role": role, "content": content} if bar else {"role": "user", "content": said}
        moment = at + timedelta(minutes=start + number)
        events.append({"turn": start + number, "occurred_at": moment} | told | more)
    await tenant("events.write", user_id=user, session_id=session, events=events)


def place_of(database: Database, tenant: Tenant, session: str = "s") -> tuple[UUID, UUID]:
    """Scope and key of a session."""
    with database.connect(ADMIN) as admin:
        row = admin.execute(
            "SELECT scope_id, session_pk FROM muniment.session WHERE tenant_id = %s AND session_id = %s",
            [tenant.tenant_id, session],
        ).fetchone()
    assert row is not None
    return row[0], row[1]


async def work(database: Database, worker: Local, tenant: Tenant, session: str = "s") -> bool:
    """Run the job of a session."""
    place = place_of(database, tenant, session)
    return await consolidate.run_once(worker.world, tenant.tenant_id, *place)


async def held(tenant: Tenant, user: str | None = "u", **more: Any) -> list[Any]:
    """Memories of a user, or of the organisation, oldest first."""
    asked: dict[str, Any] = {"tiers": ["semantic"], "standing": EVERY, "limit": 200}
    if user is not None:
        asked["user_id"] = user
    return list((await tenant("memories.list", **(asked | more))).items)


async def texts(tenant: Tenant, user: str | None = "u", **more: Any) -> list[str]:
    """What these say."""
    return [item.text for item in await held(tenant, user, **more)]


def scripted(worker: Local, extractor: Any) -> None:
    """Let the worker ask this extractor."""
    worker.world = replace(worker.world, extractor=extractor)


def tables(database: Database, tenant: Tenant, *names: str) -> dict[str, list[Any]]:
    """Rows of these tables, as they are."""
    found = {}
    with database.connect(ADMIN) as admin:
        for name in names:
            found[name] = admin.execute(
                sql.SQL("SELECT r::text FROM {} r WHERE tenant_id = %s ORDER BY 1").format(
                    sql.Identifier("muniment", name)
                ),
                [tenant.tenant_id],
            ).fetchall()
    return found
