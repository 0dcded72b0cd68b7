"""What every table must have, read from pg_catalog, so that a new table cannot forget it.

| rule | test |
|---|---|
| schema.sql and the migrations give one schema | catalogs and dumps are equal |
| the catalog that ships is that of the migrations | equal to catalog.json |
| tenant_id leads every key and foreign key | pg_constraint |
| every foreign key has its index | pg_constraint against pg_index |
| every table says layer, retention class, owner | comments, against the policy |
| text leaves no copies: no statistics, no compression, in partitioned tables | pg_attribute |
"""

import re
import subprocess
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg._queries import _query2pg

from muniment.bootstrap import load_policy
from muniment.postgres.checks import problems
from muniment.postgres.embedded import ADMIN, APP, Postmaster
from muniment.postgres.migrate import catalog, differences, expected_catalog
from muniment.postgres.queries import admin_queries, named_queries, sql_text
from muniment.settings import Settings
from tests.conftest import PARTITIONS
from tests.support.databases import Database

# Identifiers that people choose; short, and looked up by equality.
NOT_TEXT = {
    "kind",
    "slot",
    "namespace",
    "principal",
    "rule",
    "reason",
    "outcome",
    "standing",
    "operation",
}
# What orders by distance or looks for words has no room for a tenant: these are searched by a function
# that asks for the tenant, and the words of each scope are keys of their own. Ids are nobody else's.
SEARCHES = {"knowledge_chunk_near", "knowledge_chunk_word", "idempotency_ids"}


@pytest.fixture(scope="module")
def from_schema(cluster: Postmaster) -> Iterator[Database]:
    """A database made by schema.sql alone."""
    made = Database.empty(cluster)
    with made.connect() as connection:
        connection.execute(sql_text("setup/bootstrap.sql"))
        connection.execute(
            "INSERT INTO muniment_meta.setting VALUES ('partitions', %s)", [str(PARTITIONS)]
        )
        with connection.transaction():
            connection.execute("SET LOCAL ROLE muniment_owner")
            connection.execute("SET LOCAL search_path = muniment, muniment_meta, public")
            connection.execute(sql_text("schema.sql"))
    yield made
    made.drop()


@pytest.fixture(scope="module")
def admin(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """An administrator's connection to the shared database."""
    with database.connect(ADMIN) as connection:
        yield connection


def dump(database: Database) -> list[str]:
    """pg_dump of the schema, without what differs by nature."""
    program = database.cluster.binaries.program("pg_dump")
    done = subprocess.run(
        [program, "--schema-only", "--schema=muniment", "--no-owner", database.conninfo(ADMIN)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in done.stdout.splitlines() if not line.startswith(("\\", "--"))]


def test_schema_sql_is_the_sum_of_the_migrations(database: Database, from_schema: Database) -> None:
    with database.connect() as one, from_schema.connect() as other:
        assert catalog(one) == catalog(other)
    assert dump(database) == dump(from_schema)


def test_the_catalog_that_ships_is_current(admin: psycopg.Connection[Any]) -> None:
    assert catalog(admin) == expected_catalog()
    assert differences(admin) == []


def test_a_changed_schema_is_told(own_database: Database) -> None:
    with own_database.connect() as connection:
        connection.execute("ALTER TABLE muniment.tenant ADD COLUMN extra text")
        connection.execute("ALTER TABLE muniment.api_key NO FORCE ROW LEVEL SECURITY")
        found = differences(connection)
    assert any(line.startswith("+ column: muniment.tenant.extra") for line in found)
    assert any(line.startswith("- table: muniment.api_key") for line in found)


def tables(admin: psycopg.Connection[Any]) -> list[str]:
    """Every table of the schema but partitions."""
    rows = admin.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'muniment'::regnamespace"
        " AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname"
    ).fetchall()
    return [row[0] for row in rows]


def test_tenant_id_leads_every_key(admin: psycopg.Connection[Any]) -> None:
    rows = admin.execute(
        "SELECT (SELECT relname FROM pg_class WHERE oid = conrelid), conname, contype::text,"
        " (SELECT attname FROM pg_attribute WHERE attrelid = conrelid AND attnum = conkey[1])"
        " FROM pg_constraint WHERE connamespace = 'muniment'::regnamespace"
        " AND contype IN ('p', 'u', 'f', 'x') AND conparentid = 0"
    ).fetchall()
    assert len(rows) > 40
    assert [row for row in rows if row[3] != "tenant_id"] == []
    assert {row[0] for row in rows if row[2] == "p"} == set(tables(admin))


def test_tenant_id_leads_every_index(admin: psycopg.Connection[Any]) -> None:
    rows = admin.execute(
        "SELECT indexrelid::regclass::text,"
        " (SELECT attname FROM pg_attribute WHERE attrelid = indrelid AND attnum = indkey[0])"
        " FROM pg_index JOIN pg_class c ON c.oid = indrelid"
        " WHERE c.relnamespace = 'muniment'::regnamespace AND NOT c.relispartition"
    ).fetchall()
    assert {row[0] for row in rows if row[1] != "tenant_id"} == SEARCHES


def test_every_foreign_key_has_its_index(admin: psycopg.Connection[Any]) -> None:
    rows = admin.execute(
        "SELECT k.conrelid::regclass::text, k.conname FROM pg_constraint k"
        " WHERE k.contype = 'f' AND k.connamespace = 'muniment'::regnamespace AND k.conparentid = 0"
        " AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = k.conrelid AND ("
        "   SELECT array_agg(a ORDER BY a) FROM unnest(i.indkey[0:cardinality(k.conkey) - 1]) a"
        " ) = (SELECT array_agg(a ORDER BY a) FROM unnest(k.conkey) a))"
    ).fetchall()
    assert rows == []


def test_every_table_names_layer_retention_and_owner(database: Database) -> None:
    with database.connect(APP) as connection:
        found = [what for what, _ in problems(connection, load_policy(Settings()), APP)]
    assert [what for what in found if "names no layer" in what] == []


def test_a_table_without_a_retention_class_stops_the_start(own_database: Database) -> None:
    with own_database.connect() as admin:
        admin.execute(
            "COMMENT ON TABLE muniment.event IS 'Turns | layer: episodic | retention: ever | owner: me'"
        )
    with own_database.connect(APP) as connection:
        found = [what for what, _ in problems(connection, load_policy(Settings()), APP)]
    assert any("table event names no layer" in what for what in found)


def test_text_leaves_no_copies(admin: psycopg.Connection[Any]) -> None:
    rows = admin.execute(
        "SELECT c.relname, a.attname, a.attstattarget, a.attstorage::text, c.relkind::text"
        " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
        " WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
        " AND EXISTS (SELECT FROM pg_attribute s WHERE s.attrelid = c.oid AND s.attname = 'scope_id')"
        " AND format_type(a.atttypid, a.atttypmod) IN ('text', 'jsonb', 'json', 'bytea', 'halfvec(256)', 'text[]')"
    ).fetchall()
    free = [
        (name, column) for name, column, target, storage, _ in rows if (target, storage) != (0, "e")
    ]
    # What is left is a closed vocabulary of the service itself.
    assert {column for _, column in free} <= {
        "decision", "why", "role", "fingerprint", "reason", "rule", "standing", "retention_class", "outcome", "cardinality",
        "tier", "level", "tiers", "items", "mode", "inputs", "use_case", "occurred_text",
    }  # fmt: skip
    assert {
        kind
        for name, _, _, _, kind in rows
        if name in {"event", "episode", "memory", "memory_index", "working_item"}
    } == {"p"}


def test_partitions_are_as_many_as_asked_for(admin: psycopg.Connection[Any]) -> None:
    rows = admin.execute(
        "SELECT inhparent::regclass::text, count(*) FROM pg_inherits JOIN pg_class c ON c.oid = inhparent"
        " WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind = 'p' GROUP BY 1"
    ).fetchall()
    assert len(rows) >= 9
    assert {count for _, count in rows} == {PARTITIONS}


def test_two_truths_at_one_time_are_refused_by_the_database(own_database: Database) -> None:
    with own_database.connect(ADMIN) as c:
        c.execute("SET search_path = muniment")
        ids = {
            name: f"00000000-0000-7000-8000-00000000000{at}"
            for at, name in enumerate(("t", "s", "e", "m", "v"))
        }
        c.execute("INSERT INTO tenant VALUES (%(t)s, 'x', 'english', now())", ids)
        c.execute("INSERT INTO scope VALUES (%(t)s, %(s)s, 'org', NULL, 'default')", ids)
        c.execute("INSERT INTO entity VALUES (%(t)s, %(s)s, %(e)s, 'self', 'user', 'user')", ids)
        c.execute(
            "INSERT INTO memory VALUES (%(t)s, %(s)s, %(m)s, 'fact', %(e)s, 'city', 'Rome', 'rome', 'Rome.',"
            " NULL, NULL, NULL, '{}', now(), %(m)s)",
            ids,
        )

        def version(
            number: int, valid: str, standing: str = "asserted", recorded: str = "[2026-01-01,)"
        ) -> None:
            c.execute(
                "INSERT INTO memory_version (tenant_id, scope_id, version_id, memory_id, subject_id, slot, cardinality,"
                " valid, recorded, standing, trust, confidence, importance, pinned, observed_at, category, retention_class)"
                " VALUES (%s, %s, %s, %s, %s, 'city', 'one', %s, %s, %s, 'user_stated', 0.9, 5, false, now(), 'personal', 'memory')",
                [
                    ids["t"],
                    ids["s"],
                    f"00000000-0000-7000-8000-0000000001{number:02}",
                    ids["m"],
                    ids["e"],
                    valid,
                    recorded,
                    standing,
                ],
            )

        version(1, "[2026-01-01,2026-05-01)")
        version(2, "[2026-05-01,)")
        version(3, "[2026-02-01,)", standing="contested")
        version(4, "[2026-02-01,)", recorded="[2026-01-01,2026-01-02)")
        for number, valid in (
            (5, "[2026-04-30,2026-05-01)"),
            (6, "[2025-01-01,)"),
            (7, "[2027-01-01,)"),
        ):
            with pytest.raises(psycopg.errors.ExclusionViolation):
                version(number, valid)


def test_every_named_statement_prepares(database: Database) -> None:
    """Statements are checked against the schema, those that no test runs too.

    What PostgreSQL prepares not at all, or not with a name in braces, is run by every test. What asks
    for tables or functions of Citus can be prepared there alone.
    """
    unprepared = re.compile(r"(CREATE|SET|ALTER|BEGIN|COMMIT|ROLLBACK|DROP|VACUUM|CHECKPOINT)\b")
    of_citus = re.compile(r"\b(pg_dist_|create_distributed_|run_command_on_workers)")
    outside = {
        name: text
        for name, text in admin_queries().items()
        if not unprepared.match(text) and not of_citus.search(text)
    }
    with database.connect(ADMIN) as connection:
        for name, text in {**named_queries(), **outside}.items():
            query = _query2pg(text.encode(), "utf-8")[0] if "%(" in text else text.encode()
            result = connection.pgconn.prepare(name.encode(), query)
            assert result.status == psycopg.pq.ExecStatus.COMMAND_OK, (
                f"{name}: {result.error_message!r}"
            )
