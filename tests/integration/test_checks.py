"""What stops the start: each in one sentence with its cure (DESIGN 10).

| database or role | refused because |
|---|---|
| the test server, with fsync off | would lose acknowledged writes |
| the administrator | superuser; not the expected role |
| a role that may bypass, replicate, create, truncate, or become one that may | that power |
| a role without a limit on waiting | 'muniment db migrate' |
| no schema, an old schema | 'muniment db migrate' |
| a table without forced row-level security | that table |
"""

import psycopg
import pytest
from psycopg import sql

from muniment.bootstrap import load_policy
from muniment.errors import StartRefused
from muniment.postgres.checks import advice, check_database, problems
from muniment.postgres.embedded import ADMIN, APP, WORKER, Postmaster
from muniment.postgres.migrate import migrate
from muniment.settings import Settings
from tests.support.databases import Database
from tests.support.world import START

POLICY = load_policy(Settings())


def found(database: Database, role: str) -> list[str]:
    """Problems as a role sees them, without what the test server is started with."""
    with database.connect(role) as connection:
        return [
            what
            for what, cure in problems(connection, POLICY, role)
            if "would lose acknowledged writes" not in what and cure.endswith(".")
        ]


@pytest.mark.parametrize("role", [APP, WORKER])
def test_the_roles_as_they_are_made(database: Database, role: str) -> None:
    assert found(database, role) == []


def test_a_server_that_loses_writes(database: Database) -> None:
    with database.connect(APP) as connection:
        whats = [what for what, _ in problems(connection, POLICY, APP)]
        lost = {what.split(" = ")[0].rpartition(" ")[2] for what in whats}
        assert lost == {"fsync", "full_page_writes"}
        with pytest.raises(StartRefused, match="fsync = off"):
            check_database(connection, POLICY, APP)


def test_an_administrator_is_not_served(database: Database) -> None:
    with database.connect(ADMIN) as connection:
        whats = " ".join(what for what, _ in problems(connection, POLICY, APP))
    for power in (
        "not as muniment_app",
        "is a superuser",
        "bypasses",
        "may create",
        "may truncate",
    ):
        assert power in whats


@pytest.mark.parametrize(
    ("grant", "revoke", "power"),
    [
        ("ALTER ROLE muniment_app BYPASSRLS", "ALTER ROLE muniment_app NOBYPASSRLS", "bypasses"),
        ("ALTER ROLE muniment_app CREATEDB", "ALTER ROLE muniment_app NOCREATEDB", "may create"),
        (
            "GRANT muniment_owner TO muniment_app",
            "REVOKE muniment_owner FROM muniment_app",
            "member of muniment_owner",
        ),
        (
            "ALTER ROLE muniment_app REPLICATION",
            "ALTER ROLE muniment_app NOREPLICATION",
            "may replicate",
        ),
        (
            "GRANT muniment_worker TO muniment_app",
            "REVOKE muniment_worker FROM muniment_app",
            "member of muniment_worker",
        ),
        (
            "GRANT pg_read_all_data TO muniment_app",
            "REVOKE pg_read_all_data FROM muniment_app",
            "member of pg_read_all_data",
        ),
        ("GRANT TEMPORARY ON DATABASE {} TO muniment_app", "SELECT 1", "may create temporary"),
        ("GRANT TEMPORARY ON DATABASE {} TO PUBLIC", "SELECT 1", "may create temporary"),
        ("GRANT CREATE ON SCHEMA public TO PUBLIC", "SELECT 1", "may create"),
        ("GRANT TRUNCATE ON muniment.event TO muniment_app", "SELECT 1", "may truncate"),
        ("GRANT CREATE ON SCHEMA muniment TO muniment_app", "SELECT 1", "may create"),
        (
            "CREATE TABLE public.theirs (); ALTER TABLE public.theirs OWNER TO muniment_app",
            "DROP TABLE public.theirs",
            "owns tables",
        ),
    ],
)
def test_powers_that_a_role_must_not_have(
    own_database: Database, grant: str, revoke: str, power: str
) -> None:
    with own_database.connect(ADMIN) as admin:
        admin.execute(sql.SQL(grant).format(sql.Identifier(own_database.name)))
        try:
            assert any(power in what for what in found(own_database, APP))
        finally:
            admin.execute(sql.SQL(revoke))


LIMITS = (
    "statement_timeout",
    "lock_timeout",
    "idle_in_transaction_session_timeout",
    "transaction_timeout",
)


@pytest.mark.parametrize("role", [APP, WORKER])
@pytest.mark.parametrize("name", LIMITS)
def test_a_role_that_could_wait_for_ever(own_database: Database, role: str, name: str) -> None:
    change = sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} = {}")
    with own_database.connect(ADMIN) as admin:
        for value, whats in (("0", [f"works without {name}"]), ("7s", [])):
            admin.execute(
                change.format(
                    *map(sql.Identifier, (role, own_database.name, name)), sql.Literal(value)
                )
            )
            said = found(own_database, role)
            assert len(said) == len(whats)
            assert all(what in one for what, one in zip(whats, said, strict=True))
        # What the operator has set stays.
        migrate(admin, partitions=1, now=START)
    with own_database.connect(role) as connection:
        assert connection.execute("SELECT current_setting(%s)", [name]).fetchone() == ("7s",)


def test_an_administrator_who_may_not_alter_the_roles(own_database: Database) -> None:
    """The migration goes through; the start says what is lacking and who can set it."""
    name = sql.Identifier(own_database.name)
    reset = sql.SQL("ALTER ROLE {} IN DATABASE {} RESET ALL")
    grant = "GRANT muniment_app, muniment_worker TO dba WITH ADMIN TRUE, INHERIT FALSE, SET FALSE"
    with own_database.connect(ADMIN) as admin:
        admin.execute("CREATE ROLE dba CREATEROLE")
        try:
            admin.execute("GRANT muniment_owner TO dba")
            admin.execute(sql.SQL("ALTER DATABASE {} OWNER TO dba").format(name))
            for role in (APP, WORKER):
                admin.execute(reset.format(sql.Identifier(role), name))
            for change, lacking in (("SELECT 1", len(LIMITS)), (grant, 0)):
                admin.execute(sql.SQL(change))
                admin.execute("SET SESSION AUTHORIZATION dba")
                migrate(admin, partitions=1, now=START)
                admin.execute("RESET SESSION AUTHORIZATION")
                for role in (APP, WORKER):
                    assert len(found(own_database, role)) == lacking
        finally:
            admin.execute("RESET SESSION AUTHORIZATION")
            admin.execute(sql.SQL("ALTER DATABASE {} OWNER TO CURRENT_USER").format(name))
            admin.execute("DROP OWNED BY dba")
            admin.execute("DROP ROLE dba")


def test_the_limits_are_of_the_services_roles_alone(database: Database) -> None:
    with database.connect(ADMIN) as admin:
        for name in LIMITS:
            assert admin.execute("SELECT current_setting(%s)", [name]).fetchone() == ("0",)


@pytest.mark.parametrize("role", [APP, WORKER])
@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TEMPORARY TABLE event (a int)",
        "CREATE TEMPORARY VIEW event AS SELECT 1",
        "CREATE TEMPORARY SEQUENCE s",
        "CREATE TABLE muniment.t (a int)",
        "CREATE TABLE public.t (a int)",
        "CREATE SCHEMA s",
        "SELECT lo_create(0)",
        "SELECT lo_creat(-1)",
        "SELECT lo_from_bytea(0, 'a')",
        "SELECT lo_import('/etc/hostname')",
        "TRUNCATE muniment.event",
    ],
)
def test_what_the_roles_may_not_do(database: Database, role: str, statement: str) -> None:
    with (
        database.connect(role) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(sql.SQL(statement))


def test_large_objects_are_advised_against(own_database: Database) -> None:
    with own_database.connect(ADMIN) as admin:
        with own_database.connect(APP) as connection:
            assert list(advice(connection)) == []
        admin.execute("GRANT EXECUTE ON FUNCTION lo_create(oid) TO muniment_app")
        with own_database.connect(APP) as connection:
            assert ["large objects" in what for what, _ in advice(connection)] == [True]
            assert not any("large objects" in what for what in found(own_database, APP))


def test_schemas_that_are_not_there(cluster: Postmaster, own_database: Database) -> None:
    empty = Database.empty(cluster)
    assert any("no schema" in what for what in found(empty, APP))
    assert any("lacks the extension vector" in what for what in found(empty, APP))
    empty.drop()
    with own_database.connect(ADMIN) as admin:
        admin.execute("DELETE FROM muniment_meta.migration WHERE version > 0")
    assert any("no schema" in what for what in found(own_database, APP))


def test_a_table_that_lost_its_protection(own_database: Database) -> None:
    with own_database.connect(ADMIN) as admin:
        admin.execute("ALTER TABLE muniment.event NO FORCE ROW LEVEL SECURITY")
    assert any("table event has no forced" in what for what in found(own_database, APP))
