"""What stops the start: each in one sentence with its cure (DESIGN 10).

| database or role | refused because |
|---|---|
| the test server, with fsync off | would lose acknowledged writes |
| the administrator | superuser; not the expected role |
| a role that may bypass, create, truncate, or is the owner | that power |
| no schema, an old schema | 'muniment db migrate' |
| a table without forced row-level security | that table |
"""

import pytest
from psycopg import sql

from muniment.bootstrap import load_policy
from muniment.errors import StartRefused
from muniment.postgres.checks import check_database, problems
from muniment.postgres.embedded import ADMIN, APP, WORKER, Postmaster
from muniment.settings import Settings
from tests.support.databases import Database

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
        admin.execute(sql.SQL(grant))
        try:
            assert any(power in what for what in found(own_database, APP))
        finally:
            admin.execute(sql.SQL(revoke))


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
