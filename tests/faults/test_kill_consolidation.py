"""The worker killed with -9 at every step of consolidation: the end is that of a run without kills.

Row by row over all tables, with ids named by what they are for, and without what counts the tries:
moments of recording, versions of scopes. The short run strikes where most is at stake, the long one
(``make faults``) everywhere.
"""

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from psycopg import sql

from muniment.client import Client
from muniment.client.models import Event
from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running, running_service
from tests.faults.harness import process
from tests.support.cluster import fresh_place
from tests.support.waiting import until
from tests.support.world import START

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


def talk(client: Client) -> None:
    """Three sessions, one of which goes on after it was closed; each job is waited for."""
    turns: defaultdict[str, int] = defaultdict(int)
    for days, session, contents in TALK:
        events = []
        for content in contents:
            at = START - timedelta(days=days, minutes=-turns[session])
            turn = turns[session]
            events.append(Event(turn=turn, role="user", content=content, occurred_at=at))
            turns[session] += 1
        client.events.write(user_id="u", session_id=session, events=events)
        job = client.sessions.close(user_id="u", session_id=session, outcome="success").job_id
        assert job is not None
        until(lambda j=job: client.jobs.get(job_id=j).state == "succeeded", within=120)  # type: ignore[misc]


def rows(service: Running) -> Rows:
    """Every row of every table, as text."""
    found: dict[str, list[str]] = {}
    with psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True) as admin:
        columns: defaultdict[str, list[str]] = defaultdict(list)
        for table, column in admin.execute(
            "SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p')"
            " AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, a.attnum"
        ).fetchall():
            if table not in APART and column not in COUNTS_TRIES:
                columns[table].append(column)
        for table, names in columns.items():
            asked = sql.SQL("SELECT row({})::text FROM {}").format(
                sql.SQL(", ").join(map(sql.Identifier, names)), sql.Identifier("muniment", table)
            )
            found[table] = [NOW.sub("now", row[0]) for row in admin.execute(asked).fetchall()]
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


def lived(point: str | None) -> tuple[Rows, bool]:
    """What is stored after the talk, and whether the worker died on the way."""
    armed = {"MUNIMENT_WORKER_HEARTBEAT_SECONDS": "0.3"}
    if point is not None:
        # A process counts anew; a job alone must not reach it so often, or it never ends.
        count = 4 if point in EACH_CANDIDATE else 2
        armed["MUNIMENT_KILL_AT"] = f"consolidation.{point}:{count}"
    with fresh_place() as place, running_service(place / "data", armed) as service:
        until(lambda: process(service, "worker") is not None)
        first = process(service, "worker")
        with Client(service.url, service.key) as client:
            talk(client)
        return named(rows(service)), process(service, "worker") != first


@pytest.fixture(scope="module")
def unharmed() -> Rows:
    """A run without kills."""
    found, died = lived(None)
    assert not died
    return found


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
def test_the_worker_dies_at(unharmed: Rows, point: str) -> None:
    found, died = lived(point)
    assert died
    for table, texts in unharmed.items():
        assert found[table] == texts, table
