"""Every table with rows of somebody × what happens to them × what stands against it.

The tables are those of the schema that name a scope or a user; each has a row of the user, or the
test fails. A cell is a table under one of nine cases:

| | hold on the user | retention: every class is kept for ten years | neither |
|---|---|---|---|
| delete (forget of all items) | what goes is kept back | as neither | what goes is gone, nothing is kept |
| expire (800 days later) | as neither, and kept back | classes with days lose nothing | what is over goes |
| forget (the user) | everything goes, and is kept back | as neither | everything goes, nothing is kept |

Kept back is every row of a table with a scope or a user; never what is a copy for a day at most.
A hold that is released takes with it what it kept, and nothing comes back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal, get_args

from psycopg import sql

from muniment.bootstrap import load_policy
from muniment.domain.policy import CATEGORIES
from muniment.postgres.embedded import ADMIN, WORKER
from muniment.settings import Settings
from muniment.worker import expire, expire_answers, expire_transfers
from tests.integration.full_tenant import full_tenant
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant, local_service

Action = Literal["delete", "expire", "forget"]
Against = Literal["hold", "retention", "neither"]
COPIES = {"idempotency", "transfer", "transfer_line"}
GOVERNANCE = {"hold", "api_key", "erasure"}
OF_STEWARDS = {"knowledge_document", "knowledge_chunk"}  # no user's: see test_knowledge.py
SUBJECT = ("scope_id", "user_pk", "user_id", "transfer_id")
LATER = timedelta(days=800)
ACTIONS: tuple[Action, ...] = get_args(Action)
AGAINST: tuple[Against, ...] = get_args(Against)
BRIEF = COPIES | {
    "working_item",
    "store_item",
}  # of hours, or as the application says, not the policy
_YEARS = dict.fromkeys(CATEGORIES, 3650)
TEN_YEARS: dict[str, Any] = {
    "retention": {
        name: {"days": _YEARS, "locked": True}
        for name, one in load_policy(Settings()).retention.items()
        if one.days is not None
    },
    "kinds": {
        name: {"ttl": 3650} for name, one in load_policy(Settings()).kinds.items() if one.ttl
    },
}


@dataclass
class Outcome:
    """Rows of the user by table: before, after, and those that are kept back."""

    before: Mapping[str, int]
    after: Mapping[str, int] = field(default_factory=dict)
    kept: Mapping[str, int] = field(default_factory=dict)

    def gone(self, table: str) -> int:
        return self.before[table] - self.after[table]


def tables(database: Database) -> dict[str, tuple[str, list[str]]]:
    """Tables with rows of somebody: by which column, and every column."""
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT c.relname, array_agg(a.attname::text) FROM pg_class c"
            " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
            " WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p')"
            " AND NOT c.relispartition GROUP BY c.relname"
        ).fetchall()
    return {
        name: (next(one for one in SUBJECT if one in columns), columns)
        for name, columns in rows
        if name not in GOVERNANCE | OF_STEWARDS and set(SUBJECT) & set(columns)
    }


@dataclass
class Case:
    """A tenant that is full, under one case."""

    database: Database
    tenant: Tenant
    ids: dict[str, list[Any]]

    def count(self, known: Mapping[str, tuple[str, list[str]]]) -> dict[str, int]:
        found = {}
        with self.database.connect(ADMIN) as admin:
            for table, (column, _) in known.items():
                query = sql.SQL("SELECT count(*) FROM {} WHERE tenant_id = %s AND {} = ANY(%s)")
                name = sql.Identifier("muniment", table)
                row = admin.execute(
                    query.format(name, sql.Identifier(column)),
                    [self.tenant.tenant_id, self.ids[column]],
                ).fetchone()
                found[table] = int(row[0]) if row else 0
        return found

    def kept(self) -> dict[str, int]:
        with self.database.connect(ADMIN) as admin:
            return dict(
                admin.execute(
                    "SELECT source, count(*) FROM muniment.kept_row"
                    " WHERE tenant_id = %s AND change = 'deleted' GROUP BY 1",
                    [self.tenant.tenant_id],
                ).fetchall()
            )


async def prepare(service: Local, database: Database, policy: dict[str, Any] | None) -> Case:
    """A full tenant without a hold, and by what the rows of its user are known."""
    tenant = await full_tenant(service, database, policy)
    for one in (await tenant("holds.list")).items:
        await tenant("holds.release", hold_id=one.hold_id, reason="Over.")
    ids: dict[str, list[Any]] = {"user_id": ["u"]}
    asked = {
        "user_pk": "SELECT user_pk FROM muniment.end_user WHERE user_id = 'u' AND tenant_id = %s",
        "scope_id": "SELECT scope_id FROM muniment.scope JOIN muniment.end_user USING (tenant_id, user_pk)"
        " WHERE user_id = 'u' AND tenant_id = %s",
        "transfer_id": "SELECT transfer_id FROM muniment.transfer WHERE user_id = 'u' AND tenant_id = %s",
    }
    with database.connect(ADMIN) as admin:
        for column, query in asked.items():
            found = admin.execute(query, [tenant.tenant_id]).fetchall()
            ids[column] = [row[0] for row in found]
    return Case(database, tenant, ids)


async def outcome(service: Local, database: Database, action: Action, against: Against) -> Outcome:
    """What one case does to every table."""
    known = tables(database)
    service.clock.moment = START
    case = await prepare(service, database, TEN_YEARS if against == "retention" else None)
    tenant = case.tenant
    found = Outcome(case.count(known))
    assert [name for name, rows in found.before.items() if not rows] == []
    assert case.kept() == {}
    hold = None
    if against == "hold":
        hold = (await tenant("holds.place", user_id="u", reason="A case.")).hold_id
    if action == "forget":
        await tenant("forget", user_id="u")
    elif action == "delete":
        await tenant("forget", user_id="u", filter={"id": {"$exists": True}})
    else:
        await _expire(service, database, tenant)
    found.after, found.kept = case.count(known), case.kept()
    if hold is not None:
        released = await tenant("holds.release", hold_id=hold, reason="Over.")
        assert released.counts == found.kept
        assert case.kept() == {}
        assert case.count(known) == found.after
    return found


async def _expire(service: Local, database: Database, tenant: Tenant) -> None:
    with database.connect(ADMIN) as admin:
        admin.execute("DELETE FROM muniment.worker_pass")
    async with local_service(database.conninfo(WORKER), seed=f"matrix {tenant.tenant_id}") as made:
        made.clock.moment = service.clock.moment = START + LATER
        for duty in (expire, expire_answers, expire_transfers):
            await duty.run_once(made.world)


def wrong(
    known: Mapping[str, tuple[str, list[str]]], action: Action, cases: Mapping[Against, Outcome]
) -> list[str]:
    """Cells that are not as they have to be."""
    found = []
    for table in known:
        bare = cases["neither"]
        for against, one in cases.items():
            kept = one.kept.get(table, 0)
            gone = one.gone(table)
            held = against == "hold" and table not in COPIES
            right = kept == (gone if held else 0)
            if action == "forget":
                right &= one.after[table] == 0
            elif against == "hold" or action == "delete":
                right &= gone == bare.gone(table)
            elif against == "retention" and table not in BRIEF:
                right &= gone == 0
            if not right:
                found.append(f"{table}, {action}, {against}: {gone} gone, {kept} kept")
    return found


async def test_no_cell_is_wrong(own_database: Database) -> None:
    known = tables(own_database)
    assert len(known) > 20
    lost = {}
    found = []
    async with local_service(own_database.conninfo(), seed="matrix") as service:
        for action in ACTIONS:
            cases = {one: await outcome(service, own_database, action, one) for one in AGAINST}
            found += wrong(known, action, cases)
            lost[action] = {table for table in known if cases["neither"].gone(table)}
    assert found == []
    assert lost["forget"] == set(known)
    assert {"event", "episode", "memory", "memory_index", "review"} <= lost["delete"]
    assert {"event", "episode", "memory", "working_item", "recall_log"} <= lost["expire"]


def test_a_table_that_no_hold_keeps_is_found() -> None:
    """One that is added with a scope and without its trigger: its cell is wrong."""
    known = {"notes": ("scope_id", ["scope_id"]), "transfer": ("user_id", ["user_id"])}
    full, empty = {"notes": 2, "transfer": 1}, {"notes": 0, "transfer": 0}
    cases: dict[Against, Outcome] = {
        "hold": Outcome(full, empty, {}), "neither": Outcome(full, empty, {}),
    }  # fmt: skip
    assert wrong(known, "forget", cases) == ["notes, forget, hold: 2 gone, 0 kept"]
    assert wrong(known, "forget", {"neither": cases["neither"]}) == []
