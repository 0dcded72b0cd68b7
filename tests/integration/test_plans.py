"""What a call reads does not grow with the users of its tenant nor with the size of its scope.

Every statement of the calls below is run again under EXPLAIN, by the plan that connections keep,
once while the planner knows nothing of the tables and once after ANALYZE. Rows that scans went
through are counted, those that a filter threw away included.

| reads | statements |
|---|---|
| a whole scope, which is what it is for | READ_A_SCOPE |
| a session, the memories of one user | bounded only once the planner knows the tables: SMALL |
| everything else | at most MOST rows, whatever the planner knows |
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import numpy as np
import psycopg
import pytest
from psycopg import sql

from muniment.ports import HalfVector
from muniment.postgres.embedded import ADMIN, APP
from muniment.postgres.queries import named_queries
from muniment.postgres.unit_of_work import PostgresUnit
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant, local_service

USERS, SESSIONS, TURNS, MEMORIES, ITEMS = 400, 40, 12, 400, 400
CHECKPOINTS = 80
MOST = 60
READ_A_SCOPE = {
    # Row security lets no comparison of arrays into an index: under a path, a scope's items are looked through.
    "store_search",
    "store_paths",
    "index_load",
    "items_matching",
    "items_page",
    "items_profile",
    "context_profile",
}
SMALL = {"session_counts", "session_events"}
# Every memory here cites one turn, and the planner knows.
OF_ONE_TURN = {"turns_outdated", "turns_behind_findings"}
MEMORIES_OF_A_USER = {"memory", "memory_version", "memory_evidence", "decision"}
# Those that change rows and find them by more than one key.
CHANGES = {"store_take", "store_touch", "access_use"}
ITEM_KEY = {"path": ["p8"], "key": "k8"}
ITEM = ITEM_KEY | {"value": {"text": "For a while."}, "ttl_seconds": 90}
PLACE = {"user_id": "u0", "session_id": "s1"}
QUERY = "Which train was late?"
Statements = dict[str, Mapping[str, Any]]


def turn(number: int) -> dict[str, Any]:
    return {
        "turn": number,
        "role": "user",
        "content": f"The train to city {number} was late.",
        "occurred_at": START - timedelta(minutes=number),
    }


async def fill(tenant: Tenant) -> str:
    """Many users with a turn each, and one with many sessions; the id of one memory."""
    for number in range(USERS):
        await tenant("events.write", user_id=f"u{number}", session_id="s", events=[turn(1)])
    for number in range(SESSIONS):
        await tenant(
            "events.write",
            user_id="u0",
            session_id=f"s{number}",
            events=[turn(at) for at in range(TURNS)],
        )
    remembered = [
        await tenant(
            "memories.remember",
            kind="user_preference",
            user_id="u0",
            text=f"Prefers train number {number}.",
            evidence=[{"session_id": "s1", "turn": 1}],
        )
        for number in range(MEMORIES)
    ]
    await tenant(
        "memories.remember", kind="data_quality", data_source="trains", text="Trains lack Sundays."
    )
    for number in range(CHECKPOINTS):
        await save(tenant, number)
    for first in range(0, ITEMS, 100):
        items = [
            {
                "path": [f"p{number}"],
                "key": f"k{number}",
                "value": {"text": f"Train {number} was late."},
            }
            for number in range(first, first + 100)
        ]
        await tenant("store.write", user_id="u0", puts=items)
    return str(remembered[0].id)


async def save(tenant: Tenant, number: int) -> None:
    """A checkpoint of a graph with a value, and what a task wrote; another graph's beside it."""
    value = {"type": "bytes", "data": "eA=="}
    version = {"channel": "c", "version": f"{number}"}
    at: dict[str, Any] = {
        "user_id": "u0",
        "thread_id": "t0",
        "checkpoint_id": f"{number:04}",
    }
    parent = f"{number - 1:04}" if number else None
    for ns in ("", f"inner:{number}"):
        await tenant(
            "threads.put", **at, checkpoint_ns=ns, parent_id=parent, state=value,
            channels=[version], values=[version | value],
        )  # fmt: skip
    written = {"place": 0, "channel": "c", **value}
    await tenant("threads.put_writes", **at, task_id="t", writes=[written])


async def ask(tenant: Tenant, memory_id: str) -> None:
    """Calls that people make all the time."""
    await tenant("recall", user_id="u0", query=QUERY)
    await tenant("recall", **PLACE, query=QUERY)
    await tenant.service.recalls.flush()
    keys = [{"path": ["p7"], "key": "k7"}]
    under: dict[str, Any] = {"prefix": ["p7"], "query": QUERY, "filter": {"text": {"$ne": "x"}}}
    await tenant("store.read", user_id="u0", gets=keys, searches=[under], listings=[{}])
    await tenant("store.write", user_id="u0", puts=[ITEM], deletes=keys)
    await tenant("store.read", user_id="u0", gets=[ITEM_KEY])
    await tenant("sessions.open", **PLACE)
    await tenant("profile.get", user_id="u0")
    await tenant("memories.get", id=memory_id)
    await tenant("memories.history", id=memory_id)
    await tenant("sessions.get", **PLACE)
    await tenant("working.put", **PLACE, key="k", value=1)
    await tenant("working.get", **PLACE, key="k")
    await tenant("working.list", **PLACE)
    for latest in (False, True):
        await tenant("events.list", **PLACE, latest=latest)
    await tenant("events.write", **PLACE, events=[turn(TURNS + 1)])
    await tenant(
        "memories.remember",
        kind="fact",
        user_id="u0",
        slot="city",
        value="Gouda",
        text="Lives in Gouda.",
        evidence=[{"session_id": "s1", "turn": 2}],
    )
    run = (await tenant("runs.open", agent_id="a", user_id="u0")).run_id
    for query in (QUERY, "Where is Gouda?", QUERY):
        await tenant("recall", user_id="u0", query=query, run_id=str(run))
    await tenant("runs.get", run_id=run)
    await save(tenant, CHECKPOINTS)
    thread: dict[str, Any] = {"user_id": "u0", "thread_id": "t0"}
    for one in ({"checkpoint_id": "0040"}, {}):
        await tenant("threads.list", **thread, checkpoint_ns="", limit=1, **one)
    await tenant("threads.history", **thread, channels=["c"], limit=5)
    await tenant("threads.get_pieces", **thread, pieces=["0" * 64])
    await tenant("keys.list")
    asked: dict[str, Any] = {"user_id": "u0", "run_id": "r", "step": 1}
    made = await tenant("context.assemble", **asked, query=QUERY, data_source="trains")
    await tenant("context.assemble", **asked, query=QUERY, data_source="trains", mode="fresh")
    await tenant("context.get", user_id="u0", context_id=made.context_id)
    await tenant("runs.explain", **asked)
    await tenant("memories.appearances", user_id="u0", id=memory_id)


def scans(plan: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The table of every scan of a plan, and how many of its rows the scan went through."""
    if "Scan" in plan["Node Type"] and "Relation Name" in plan:
        rows = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
        table = re.sub(r"_p\d\d$", "", plan["Relation Name"])
        yield table, rows * plan["Actual Loops"]
    for inner in plan.get("Plans", ()):
        yield from scans(inner)


def written(value: Any) -> Any:
    """A value as a statement can hold it: vectors as texts."""
    if isinstance(value, HalfVector):
        return str(np.frombuffer(value, ">f2").tolist())
    return value


def explained(
    connection: psycopg.Connection[Any], name: str, params: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The plan that a connection keeps for a statement, run with these values."""
    names: list[str] = []

    def place(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    text = re.sub(r"%\((\w+)\)s", place, named_queries()[name]).replace("%%", "%")
    prepared = sql.Identifier(f"run_{name}")
    values = sql.SQL(", ").join(sql.Literal(written(params[one])) for one in names)
    connection.execute(sql.SQL("PREPARE {} AS {}").format(prepared, sql.SQL(text)))
    with connection.transaction(force_rollback=True):
        found = connection.execute(
            sql.SQL("EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE {}({})").format(
                prepared, values
            )
        ).fetchone()
    assert found is not None
    document = found[0] if isinstance(found[0], list) else json.loads(found[0])
    plan: Mapping[str, Any] = document[0]["Plan"]
    return plan


async def statements(tenant: Tenant, monkeypatch: pytest.MonkeyPatch, memory_id: str) -> Statements:
    """What the calls select, with the values of the last time."""
    seen: Statements = {}
    send = PostgresUnit._send

    async def noted(self: PostgresUnit, cursor: Any, query: str, params: Mapping[str, Any]) -> None:
        reads = named_queries()[query].startswith(("SELECT", "WITH RECURSIVE"))
        if reads or query in CHANGES:
            seen[query] = {"tenant_id": self.tenant_id, **params}
        await send(self, cursor, query, params)

    monkeypatch.setattr(PostgresUnit, "_send", noted)
    await ask(tenant, memory_id)
    return seen


async def test_no_call_reads_more_than_it_needs(
    own_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with local_service(own_database.conninfo()) as service:
        tenant = await Local.tenant(service)
        memory_id = await fill(tenant)
        seen = await statements(tenant, monkeypatch, memory_id)
    assert {"items_fetch", "scopes_of_reader", "scope_find", "key_authenticate"} <= set(seen)
    assert {"store_get", "store_search", "store_paths", *CHANGES} <= set(seen)
    assert {"recalled_in_session", "inputs_recalled", "inputs_moved"} <= set(seen)
    for analysed in (False, True):
        if analysed:
            with own_database.connect(ADMIN) as admin:
                admin.execute("ANALYZE")
        with own_database.connect(APP) as connection:
            identity = str(tenant.tenant_id)
            connection.execute("SELECT set_config('muniment.tenant_id', %s, false)", [identity])
            read = {
                name: list(scans(explained(connection, name, params)))
                for name, params in seen.items()
                if name not in READ_A_SCOPE | (OF_ONE_TURN if analysed else SMALL)
            }
        small = set() if analysed else MEMORIES_OF_A_USER
        beyond = {
            (name, table): rows
            for name, found in read.items()
            for table, rows in found
            if rows > MOST and table not in small
        }
        assert beyond == {}, f"after ANALYZE: {analysed}"
