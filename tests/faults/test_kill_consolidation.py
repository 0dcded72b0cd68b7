"""The worker killed with -9 at every step of consolidation: the end is that of a run without kills.

Row by row over all tables, with ids named by what they are for, and without what counts the tries:
moments of recording, versions of scopes. The short run strikes where most is at stake, the long one
(``make faults``) everywhere.
"""

import asyncio
import contextlib
import hashlib
import os
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio
from psycopg import sql

from muniment.postgres.embedded import ADMIN, APP, WORKER
from tests.integration.extracting import say
from tests.support.cluster import fresh_place
from tests.support.databases import Database, durable_database
from tests.support.world import START, Tenant, local_service

EVERYWHERE = int(os.environ.get("TEST_KILLS", "3")) >= 20
STEPS = (
    "locked", "summarised", "ended", "stored", "read", "proposed", "locked_again", "decided",
    "noted", "applied", "committed",
)  # fmt: skip
EACH_CANDIDATE = {"decided", "noted"}
POINTS = STEPS if EVERYWHERE else ("proposed", "noted")

TALK = (
    (40, "may", ("I live in Utrecht.", "I work at Philips.", "I have a dog called Rex.")),
    (3, "june", ("I moved to Gouda on 26 May.", "I left Philips.", "Never contact me by phone.")),
    (2, "june", ("I always want weekly grain, not daily.", "I'm allergic to peanuts.")),
    (1, "july", ("The orders_daily table is missing rows since 3 May.", "Good morning!")),
)
# What differs between two runs of the same, kills or not.
APART = {"audit_entry", "audit_pending", "audit_seal", "api_key", "tenant"}
COUNTS_TRIES = {"version", "rebuilt", "rev", "digest"}
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NOW = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\.\d+\+00(?::00)?")
Rows = Mapping[str, list[str]]


@dataclass
class Worker:
    """A worker in a process of its own, armed to die, and started again whenever it did."""

    command: list[str]
    environment: dict[str, str]
    log: Any
    process: "subprocess.Popen[bytes] | None" = None
    deaths: int = 0

    def keep_running(self) -> None:
        """Start it if it does not run."""
        if self.process is not None:
            if self.process.poll() is None:
                return
            assert self.process.returncode == -signal.SIGKILL, self.log.name
            self.deaths += 1
        self.process = subprocess.Popen(
            self.command, env=self.environment, stdout=self.log, stderr=self.log
        )

    def stop(self) -> None:
        """End it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="module")
def durable() -> Iterator[Database]:
    """A database that survives what is done here."""
    with durable_database() as database:
        yield database


@contextlib.contextmanager
def worker_of(database: Database, place: Path, point: str | None) -> Iterator[Worker]:
    """A worker on this database, armed for a point."""
    environment = {
        **os.environ,
        "MUNIMENT_DATA_DIR": str(place / "data"),
        "MUNIMENT_DATABASE_URL": database.conninfo(APP),
        "MUNIMENT_WORKER_DATABASE_URL": database.conninfo(WORKER),
        "MUNIMENT_WORKER_HEARTBEAT_SECONDS": "0.5",
    }
    if point is not None:
        # A process counts anew; a job alone must not reach it so often, or it never ends.
        count = 6 if point in EACH_CANDIDATE else 2
        environment["MUNIMENT_KILL_AT"] = f"consolidation.{point}:{count}"
    with (place / "worker.log").open("ab") as log:
        made = Worker([sys.executable, "-m", "muniment", "worker"], environment, log)
        try:
            yield made
        finally:
            made.stop()


async def talk(tenant: Tenant, worker: Worker) -> None:
    """Three sessions, one of which goes on after it was closed; each job is waited for."""
    turns: defaultdict[str, int] = defaultdict(int)
    for days, session, contents in TALK:
        at = START - timedelta(days=days)
        await say(tenant, *contents, session=session, start=turns[session], at=at)
        turns[session] += len(contents)
        place = {"user_id": "u", "session_id": session}
        job = (await tenant("sessions.close", **place, outcome="success")).job_id
        async with asyncio.timeout(240):
            while (await tenant("jobs.get", job_id=job)).state != "succeeded":
                worker.keep_running()
                await asyncio.sleep(0.05)


def rows(database: Database, tenant_id: UUID) -> Rows:
    """Every row of a tenant in every table, as text."""
    found: dict[str, list[str]] = {}
    with database.connect(ADMIN) as admin:
        columns: defaultdict[str, list[str]] = defaultdict(list)
        for table, column in admin.execute(
            "SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p')"
            " AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, a.attnum"
        ).fetchall():
            if table not in APART and column not in COUNTS_TRIES:
                columns[table].append(column)
        for table, names in columns.items():
            asked = sql.SQL("SELECT row({})::text FROM {} WHERE tenant_id = %s").format(
                sql.SQL(", ").join(map(sql.Identifier, names)), sql.Identifier("muniment", table)
            )
            texts = admin.execute(asked, [tenant_id]).fetchall()
            found[table] = [NOW.sub("now", row[0]) for row in texts]
    return found


def named(found: Rows) -> Rows:
    """The rows with each id named by the rows in which it stands, and sorted."""
    names: dict[str, str] = {}
    for _ in range(4):
        stands: defaultdict[str, list[str]] = defaultdict(list)
        for table, texts in found.items():
            for text in texts:
                for one in set(ID.findall(text)):
                    stands[one].append(f"{table} {_with(text, names, own=one)}")
        names = {
            one: hashlib.sha256("\n".join(sorted(places)).encode()).hexdigest()[:12]
            for one, places in stands.items()
        }
    return {table: sorted(_with(text, names) for text in texts) for table, texts in found.items()}


def _with(text: str, names: Mapping[str, str], own: str | None = None) -> str:
    return ID.sub(lambda one: "own" if one[0] == own else names.get(one[0], "id"), text)


async def lived(database: Database, point: str | None) -> tuple[Rows, int]:
    """What is stored after the talk, and how often the worker died on the way."""
    with fresh_place() as place, worker_of(database, place, point) as worker:
        async with local_service(database.conninfo(APP), seed=str(point)) as service:
            # The worker's clock is the machine's.
            service.clock.moment = datetime.now(UTC)
            tenant = await service.tenant(str(point))
            await talk(tenant, worker)
        return named(rows(database, tenant.tenant_id)), worker.deaths


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def unharmed(durable: Database) -> AsyncIterator[Rows]:
    """A run without kills."""
    found, deaths = await lived(durable, None)
    assert deaths == 0
    yield found


def test_what_a_run_without_kills_leaves(unharmed: Rows) -> None:
    """The comparison would be of little worth if little were stored."""
    counted: dict[str, Any] = {table: len(texts) for table, texts in unharmed.items() if texts}
    assert counted["extraction"] >= 8
    assert counted["memory"] >= 7
    assert counted["memory_version"] > counted["memory"]
    assert counted["scope"] == 2
    assert counted["episode"] == 4
    outcomes = " ".join(unharmed["decision"])
    assert all(one in outcomes for one in ("inserted", "superseded", "retracted"))


@pytest.mark.parametrize("point", POINTS)
async def test_the_worker_dies_at(durable: Database, unharmed: Rows, point: str) -> None:
    found, deaths = await lived(durable, point)
    assert deaths > 0
    for table, texts in unharmed.items():
        assert found[table] == texts, table
