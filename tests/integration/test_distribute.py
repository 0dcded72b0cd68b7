"""Tables as Citus wants them: what the catalog must hold, and the statements that distribute them.

| rule of Citus | what breaks it |
|---|---|
| the column by which tables are distributed is there, of one type, never NULL | a table without |
| keys, unique indexes and exclusions contain it | one that does not |
| foreign keys pair it, between tables that are distributed alike | one that does not |
| an action of a foreign key leaves it alone | SET NULL of all columns, any ON UPDATE |
| partitions are made by it, one level deep | others |
| no inheritance, no rules, no sequences but of bigint | those |
| triggers are of rows, without transition tables | others |

Citus itself is not there: its functions and tables are stood in for by ones that note what they are
called with, in a database of their own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from muniment.errors import StartRefused
from muniment.postgres.distribute import distribute, distribution
from muniment.postgres.embedded import ADMIN, Postmaster
from tests.support.databases import Database

BREAKS = {
    "has no column tenant_id": "CREATE TABLE extra (id int)",
    "that is never NULL": "CREATE TABLE extra (tenant_id uuid)",
    "of type uuid": "CREATE TABLE extra (tenant_id text NOT NULL)",
    "has a unique index without tenant_id": "CREATE UNIQUE INDEX extra ON end_user (user_pk)",
    "excludes rows of other tenants": (
        "ALTER TABLE end_user ADD CONSTRAINT extra EXCLUDE USING gist (user_pk WITH =)"
    ),
    "refers to what is not with it": (
        "CREATE TABLE extra (tenant_id uuid NOT NULL, other uuid, user_pk uuid,"
        " FOREIGN KEY (other, user_pk) REFERENCES end_user)"
    ),
    "changes tenant_id with what it refers to": (
        "CREATE TABLE extra (tenant_id uuid NOT NULL, user_pk uuid,"
        " FOREIGN KEY (tenant_id, user_pk) REFERENCES end_user ON DELETE SET NULL)"
    ),
    "end_user is referred to by": (
        "CREATE TABLE public.extra (tenant_id uuid NOT NULL, user_pk uuid,"
        " FOREIGN KEY (tenant_id, user_pk) REFERENCES end_user)"
    ),
    "is partitioned without tenant_id": (
        "CREATE TABLE extra (tenant_id uuid NOT NULL, id int) PARTITION BY HASH (id)"
    ),
    "has partitions that are partitioned": (
        "CREATE TABLE extra (tenant_id uuid NOT NULL, id int) PARTITION BY HASH (tenant_id);"
        "CREATE TABLE more PARTITION OF extra FOR VALUES WITH (MODULUS 1, REMAINDER 0)"
        " PARTITION BY HASH (tenant_id)"
    ),
    "inherits, or has rules": "CREATE RULE extra AS ON DELETE TO tenant DO INSTEAD NOTHING",
    "is numbered by a sequence that is not bigint": (
        "CREATE TABLE extra (tenant_id uuid NOT NULL, id serial)"
    ),
    "has a trigger of a kind": (
        "CREATE TRIGGER extra AFTER DELETE ON tenant FOR EACH STATEMENT EXECUTE FUNCTION keep_back()"
    ),
}

STAND_IN = """
CREATE TABLE public.pg_dist_partition (logicalrelid regclass);
CREATE TABLE public.pg_dist_object (classid oid, objid oid);
CREATE TABLE public.called (at bigserial, what text, shards int, beside text);
CREATE FUNCTION public.create_distributed_table(
  t regclass, by text, colocate_with text DEFAULT NULL, shard_count int DEFAULT NULL)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO public.pg_dist_partition VALUES (t);
  INSERT INTO public.called (what, shards, beside) VALUES (t::text || ' by ' || by, shard_count, colocate_with);
$$;
CREATE FUNCTION public.create_distributed_function(
  f regprocedure, distribution_arg_name text DEFAULT NULL, colocate_with text DEFAULT NULL)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO public.pg_dist_object VALUES ('pg_proc'::regclass, f);
$$;
CREATE FUNCTION public.run_command_on_workers(command text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO public.called (what) VALUES (command);
$$;
"""


@pytest.fixture(scope="module")
def own(cluster: Postmaster, template: str) -> Iterator[Database]:
    made = Database.copy(cluster, template)
    yield made
    made.drop()


@contextmanager
def undone(own: Database, change: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the administrator's that sees a change, which is taken back."""
    with own.connect(ADMIN) as admin, admin.transaction(force_rollback=True):
        admin.execute(change.encode())
        yield admin


def test_the_schema_keeps_every_rule(own: Database) -> None:
    with own.connect(ADMIN) as admin:
        assert distribution(admin, shards=32)


@pytest.mark.parametrize("rule", BREAKS)
def test_what_breaks_a_rule_is_refused(own: Database, rule: str) -> None:
    with undone(own, BREAKS[rule]) as admin, pytest.raises(StartRefused, match=rule):
        distribution(admin, shards=32)


def test_a_schema_of_another_build_is_refused(own: Database) -> None:
    change = "DELETE FROM muniment_meta.migration"
    with undone(own, change) as admin, pytest.raises(StartRefused, match="this build's schema"):
        distribution(admin, shards=32)


def test_without_citus_nothing_is_run(own: Database) -> None:
    with own.connect(ADMIN) as admin, pytest.raises(StartRefused, match="no extension citus"):
        distribute(admin, shards=32)


def test_every_table_and_function_is_distributed_once(own: Database) -> None:
    with undone(own, STAND_IN) as admin:
        planned = distribution(admin, shards=8)
        assert distribute(admin, shards=8) == planned
        assert distribution(admin, shards=8) == []
        assert distribute(admin, shards=8) == []
        tables = [row[0] for row in admin.execute(
            "SELECT relname::text FROM pg_class WHERE relnamespace = 'muniment'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition"
        )]  # fmt: skip
        called = admin.execute(
            "SELECT what, shards, beside FROM public.called WHERE what LIKE '% by %' ORDER BY at"
        ).fetchall()
        assert called[0] == ("tenant by tenant_id", 8, None)
        assert {row[1:] for row in called[1:]} == {(None, "muniment.tenant")}
        order = [row[0].removesuffix(" by tenant_id") for row in called]
        assert sorted(order) == sorted(tables)
        for one, other in admin.execute(
            "SELECT k.conrelid::regclass::text, k.confrelid::regclass::text FROM pg_constraint k"
            " JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f' AND k.conparentid = 0"
            " AND NOT c.relispartition AND c.relnamespace = 'muniment'::regnamespace"
        ):
            assert order.index(other) <= order.index(one)
        left = admin.execute(
            "SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'muniment'::regnamespace"
            " AND p.prokind = 'f' AND p.prorettype <> 'trigger'::regtype"
            " AND p.oid NOT IN (SELECT objid FROM public.pg_dist_object)"
        ).fetchall()
        assert left == []


def test_what_was_begun_is_gone_on_with(own: Database) -> None:
    with undone(own, STAND_IN) as admin:
        whole = distribution(admin, shards=8)
        admin.execute(
            "INSERT INTO public.pg_dist_partition VALUES ('muniment.tenant'), ('muniment.scope')"
        )
        rest = distribution(admin, shards=8)
        assert [one for one in whole if one not in rest] == [
            one for one in whole if "'muniment.tenant', 'tenant_id'" in one or "'muniment.scope'," in one
        ]  # fmt: skip
