"""Row-level security as a matrix from pg_catalog: table × verb × tenant setting × role.

| setting | select | insert | update | delete |
|---|---|---|---|---|
| none, empty | no row | refused | no row | no row |
| another tenant | no row | refused | no row | no row |
| the row's tenant | the row | | | |
"""

from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from muniment.postgres.embedded import ADMIN, APP, WORKER
from tests.integration.full_tenant import fill_every_table
from tests.support.databases import Database
from tests.support.world import START, Local, local_service

OTHER = UUID(int=7)
SETTINGS = {"none": None, "empty": "", "other": str(OTHER)}
VERBS = ("SELECT", "UPDATE", "DELETE")
LISTED = {"tenant", "audit_pending"}
OUT_OF_REACH = {"kept_row"}  # what a hold keeps is read by no role of the service


@pytest.fixture(scope="module")
async def filled(database: Database) -> UUID:
    """A tenant with a row in every table."""
    async with local_service(database.conninfo(), seed="row security") as service:
        return await fill_every_table(service, database)


def tables(connection: psycopg.Connection[Any]) -> list[str]:
    """Every table of the schema but partitions."""
    rows = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'muniment'::regnamespace"
        " AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname"
    ).fetchall()
    return [row[0] for row in rows]


def attempt(connection: psycopg.Connection[Any], table: str, verb: str, row: UUID) -> int | str:
    """How many rows a verb reaches, or why it is refused."""
    name = sql.Identifier("muniment", table)
    statements = {
        "SELECT": sql.SQL("SELECT FROM {}").format(name),
        "UPDATE": sql.SQL("UPDATE {} SET tenant_id = tenant_id").format(name),
        "DELETE": sql.SQL("DELETE FROM {}").format(name),
    }
    try:
        with connection.transaction(force_rollback=True):
            return connection.execute(statements[verb]).rowcount
    except psycopg.errors.InsufficientPrivilege:
        return "refused"


@pytest.mark.parametrize("role", [APP, WORKER])
@pytest.mark.parametrize("setting", SETTINGS)
def test_nothing_is_reached_from_outside(
    database: Database, filled: UUID, role: str, setting: str
) -> None:
    with database.connect(ADMIN) as admin:
        names = tables(admin)
        have = {
            name: admin.execute(
                sql.SQL("SELECT count(*) FROM {} WHERE tenant_id = %s").format(
                    sql.Identifier("muniment", name)
                ),
                [filled],
            ).fetchone()
            for name in names
        }
    assert [name for name, row in have.items() if row == (0,)] == []
    with database.connect(role) as connection:
        for name in names:
            for verb in VERBS:
                if role == WORKER and name in LISTED and verb == "SELECT":
                    continue  # the worker lists tenants and what waits for a seal; see below
                with connection.transaction(force_rollback=True):
                    if SETTINGS[setting] is not None:
                        connection.execute(
                            "SELECT set_config('muniment.tenant_id', %s, true)", [SETTINGS[setting]]
                        )
                    found = attempt(connection, name, verb, filled)
                assert found in (0, "refused"), f"{role} {verb} {name} with {setting}: {found}"


@pytest.mark.parametrize("role", [APP, WORKER])
@pytest.mark.parametrize("setting", SETTINGS)
def test_nothing_is_put_into_another_tenant(
    database: Database, filled: UUID, role: str, setting: str
) -> None:
    """A row of the tenant, offered again by somebody who is not it, is refused by policy."""
    with database.connect(ADMIN) as admin, database.connect(role) as connection:
        for name in tables(admin):
            table = sql.Identifier("muniment", name)
            columns = [
                row[0]
                for row in admin.execute(
                    "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
                    " AND NOT attisdropped AND attgenerated = '' AND attidentity = '' ORDER BY attnum",
                    [f"muniment.{name}"],
                ).fetchall()
            ]
            row = admin.execute(
                sql.SQL(
                    "SELECT row_to_json(r)::text FROM {} r WHERE tenant_id = %s LIMIT 1"
                ).format(table),
                [filled],
            ).fetchone()
            assert row is not None, name
            insert = sql.SQL(
                "INSERT INTO {} ({}) SELECT {} FROM json_populate_record(NULL::{}, %s::json)"
            ).format(table, *[sql.SQL(", ").join(map(sql.Identifier, columns))] * 2, table)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                put(connection, SETTINGS[setting], insert, row[0])


def put(
    connection: psycopg.Connection[Any], tenant: str | None, insert: sql.Composed, row: str
) -> None:
    """Insert a row under a tenant setting, and take it back."""
    with connection.transaction(force_rollback=True):
        if tenant is not None:
            connection.execute("SELECT set_config('muniment.tenant_id', %s, true)", [tenant])
        connection.execute(insert, [row])


def test_the_tenant_itself_sees_its_rows(database: Database, filled: UUID) -> None:
    with database.connect(APP) as connection, database.connect(ADMIN) as admin:
        for name in set(tables(admin)) - OUT_OF_REACH:
            with connection.transaction():
                connection.execute(
                    "SELECT set_config('muniment.tenant_id', %s, true)", [str(filled)]
                )
                assert connection.execute(
                    sql.SQL("SELECT FROM {}").format(sql.Identifier("muniment", name))
                ).rowcount


def test_the_worker_lists_tenants_and_no_more(database: Database, filled: UUID) -> None:
    with database.connect(WORKER) as connection:
        rows = connection.execute("SELECT tenant_id FROM muniment.tenant").fetchall()
    assert (filled,) in rows


@pytest.mark.parametrize("role", [APP, WORKER])
def test_what_no_role_of_the_service_may(database: Database, filled: UUID, role: str) -> None:
    forbidden = [
        "TRUNCATE muniment.event",
        "TRUNCATE muniment.audit_entry",
        "DELETE FROM muniment.audit_entry",
        "UPDATE muniment.audit_entry SET operation = 'x'",
        "DELETE FROM muniment.audit_seal",
        "UPDATE muniment.audit_seal SET seq = 1",
        "TRUNCATE muniment.audit_seal",
        "TRUNCATE muniment.audit_pending",
        "UPDATE muniment.audit_pending SET since = now()",
        "DELETE FROM muniment.erasure_receipt",
        "SELECT FROM muniment.kept_row",
        "DELETE FROM muniment.kept_row",
        "ALTER TABLE muniment.event DISABLE TRIGGER keep_back",
        "UPDATE muniment.memory SET text = 'x'",
        "UPDATE muniment.memory_version SET valid = 'empty'",
        "UPDATE muniment.event SET content = 'x'",
        "DROP TABLE muniment.event",
        "CREATE TABLE muniment.mine (x int)",
        "CREATE TABLE public.mine (x int)",
        "ALTER TABLE muniment.event DISABLE ROW LEVEL SECURITY",
        "SELECT * FROM muniment.event_p00",
        "SET ROLE muniment_owner",
        "SET SESSION AUTHORIZATION muniment_admin",
        "DELETE FROM muniment_meta.migration",
    ]
    with database.connect(role) as connection:
        connection.execute("SELECT set_config('muniment.tenant_id', %s, false)", [str(filled)])
        for statement in forbidden:
            with pytest.raises(
                (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidSchemaName)
            ):
                connection.execute(statement)


def test_a_new_table_without_a_policy_is_found(own_database: Database) -> None:
    """The check behind the matrix fails for a table that was added without protection."""
    with own_database.connect(ADMIN) as admin:
        admin.execute("CREATE TABLE muniment.careless (tenant_id uuid PRIMARY KEY)")
        admin.execute("GRANT SELECT ON muniment.careless TO muniment_app")
        admin.execute("INSERT INTO muniment.careless VALUES (gen_random_uuid())")
    with own_database.connect(APP) as connection:
        assert attempt(connection, "careless", "SELECT", OTHER) == 1


def jobs(connection: psycopg.Connection[Any], tenant: UUID) -> int:
    """Jobs that a tenant sees."""
    with connection.transaction():
        connection.execute("SELECT set_config('muniment.tenant_id', %s, true)", [str(tenant)])
        return connection.execute("SELECT FROM muniment_queue.tenant_job").rowcount


async def test_jobs_of_other_tenants_are_not_seen(database: Database, service: Local) -> None:
    one, other = await service.tenant("one"), await service.tenant("other")
    event = {
        "turn": 1,
        "role": "user",
        "content": "I live in Gouda.",
        "occurred_at": service.clock.moment,
    }
    await one("events.write", user_id="u", session_id="s", events=[event])
    closed = await one("sessions.close", user_id="u", session_id="s")
    assert closed.job_id is not None
    with database.connect(APP) as connection:
        assert jobs(connection, one.tenant_id) == 1
        assert jobs(connection, other.tenant_id) == 0


async def test_jobs_are_enqueued_and_retried_for_ones_own_tenant_alone(
    database: Database, service: Local
) -> None:
    one, other = await service.tenant("one"), await service.tenant("other")
    event = {"turn": 1, "role": "user", "content": "I live in Gouda.", "occurred_at": START}
    await one("events.write", user_id="u", session_id="s", events=[event])
    job = (await one("sessions.close", user_id="u", session_id="s")).job_id
    with database.connect(ADMIN) as admin:
        admin.execute(
            "UPDATE muniment_queue.procrastinate_jobs SET status = 'failed' WHERE id = %s", [job]
        )
    arguments = f'{{"tenant_id": "{one.tenant_id}"}}'
    with database.connect(APP) as connection:
        for tenant, retried in ((other, False), (one, True)):
            connection.execute(
                "SELECT set_config('muniment.tenant_id', %s, false)", [str(tenant.tenant_id)]
            )
            assert connection.execute(
                "SELECT muniment_queue.retry_job(%s, now())", [job]
            ).fetchone() == (retried,)
        connection.execute(
            "SELECT set_config('muniment.tenant_id', %s, false)", [str(other.tenant_id)]
        )
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT muniment_queue.defer_job('t', 'k', %s)", [arguments])
        for statement in (
            "SELECT FROM muniment_queue.procrastinate_jobs",
            "DELETE FROM muniment_queue.procrastinate_jobs",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
