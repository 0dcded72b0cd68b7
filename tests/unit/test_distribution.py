"""Every named statement as Citus can run it, where tables are distributed by ``tenant_id``.

| rule | checked |
|---|---|
| each table of a statement is kept to one tenant, by the parameter or by equality beside it | all; the worker's two looks across tenants are listed |
| what is written has the tenant's own ``tenant_id``, and keeps it | all |
| an UPDATE calls nothing volatile | all |
| no recursion beside what writes in one statement | all; one is listed |
| a function that reads tables stands alone, to run where the tenant is | those that stand in a statement with tables are listed: nested execution |
| a table that stays on the coordinator is joined by listed statements alone | the queue's |
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from pglast import ast, parse_sql

from muniment.postgres.migrate import expected_catalog
from muniment.postgres.queries import named_queries, sql_text
from tests.support.distribution import (
    Statement,
    functions_in,
    nodes,
    statements_in,
    tables_in,
)

ACROSS_TENANTS = {
    "pending_tenants": "the worker looks whose entries wait; each is then sealed by itself",
    "tenant_list": "the worker looks for whom there is work; each is then worked for by itself",
}
RECURSIVE_BESIDE_WRITES = {
    "inputs_recalled": "what a run was told is replaced in one statement, along a chain of heirs",
}
# Functions that read tables in statements that do: `citus.allow_nested_distributed_execution`.
NESTED = {
    "audit_changes": {"memory_digest"},
    "document_digest": {"document_digest"},
    "fault_bound": {"observers"},
    "hold_page": {"kept_by"},
    "items_fetch": {"observers", "session_named"},
    "knowledge_find": {"knowledge_candidates"},
    "lineage_evidence": {"session_named"},
    "plan_items": {"observers"},
    "records_told": {"document_digest", "memory_digest"},
    "review_page": {"observers"},
    "review_versions": {"observers"},
    "thread_page": {"last_checkpoints"},
    "trail_episodes": {"session_named"},
    "trail_evidence": {"session_named"},
}
QUEUE = "tenant_job"
WITH_THE_QUEUE = {"erasure_counts", "job_get", "job_list", "sessions_left_dirty"}
VOLATILE = {
    "clock_timestamp", "gen_random_uuid", "nextval", "pg_current_xact_id", "random", "set_config",
    "timeofday", "txid_current", "uuidv7",
}  # fmt: skip


@cache
def distributed() -> frozenset[str]:
    """The tables of the schema, and its views of them."""
    named = {line.split()[0] for line in expected_catalog()["table"]}
    tables = {name.partition(".")[2] for name in named if name.startswith("muniment.")}
    return frozenset(tables | {"contest", "item"})


@cache
def routines() -> Mapping[str, Any]:
    """The functions of the schema, as they are made."""
    made = (raw.stmt for raw in parse_sql(sql_text("schema.sql")))
    found: list[Any] = [one for one in made if isinstance(one, ast.CreateFunctionStmt)]
    return {one.funcname[-1].sval: one for one in found if not one.is_procedure}


def reads_tables(name: str) -> bool:
    """Whether a function of the schema does; one whose body is a text may."""
    routine = routines().get(name)
    if routine is None:
        return False
    return routine.sql_body is None or bool(tables_in(routine.sql_body) & distributed())


def is_volatile(name: str) -> bool:
    """Whether a function may answer differently each time."""
    routine = routines().get(name)
    if routine is None:
        return name in VOLATILE
    told = {option.defname: option.arg for option in routine.options}
    return "volatility" not in told or told["volatility"].sval == "volatile"


@cache
def statement(name: str) -> Statement:
    return Statement(named_queries()[name], distributed())


EVERY = sorted(named_queries())


@pytest.mark.parametrize("name", EVERY)
def test_each_table_is_kept_to_one_tenant(name: str) -> None:
    found = statement(name).faults
    assert bool(found) == (name in ACROSS_TENANTS), found


@pytest.mark.parametrize("view", ["contest", "item"])
def test_views_join_by_tenant(view: str) -> None:
    made: list[Any] = [raw.stmt for raw in parse_sql(sql_text("schema.sql"))]
    views: list[Any] = [one for one in made if isinstance(one, ast.ViewStmt)]
    (query,) = (one.query for one in views if one.view.relname == view)
    first: Any = next(node for node in nodes(query.fromClause) if isinstance(node, ast.RangeVar))
    text = sql_text("schema.sql").partition(f"CREATE VIEW {view} WITH")[2].partition(";")[0]
    text = text.partition(" AS\n")[2]
    given = f"{first.alias.aliasname}.tenant_id = %(tenant_id)s"
    text = (
        text.replace("\nWHERE ", f"\nWHERE {given} AND ")
        if "\nWHERE " in text
        else f"{text}\nWHERE {given}"
    )
    assert Statement(text, distributed()).faults == []


def test_an_update_calls_nothing_volatile() -> None:
    called = {
        name: functions
        for name in EVERY
        for one in statements_in(statement(name).tree)
        if isinstance(one, ast.UpdateStmt)
        and (functions := {each for each in functions_in(one) if is_volatile(each)})
    }
    assert called == {}


def test_recursion_beside_writes_is_listed() -> None:
    found = set()
    for name in EVERY:
        inside: list[Any] = list(statements_in(statement(name).tree))
        recursive = any(one.withClause and one.withClause.recursive for one in inside)
        writes = [one for one in inside if not isinstance(one, ast.SelectStmt)]
        # The one that writes alone may be told what by a recursion.
        if recursive and len(writes) > 1:
            found.add(name)
    assert found == set(RECURSIVE_BESIDE_WRITES)


def test_functions_that_read_tables_beside_tables_are_listed() -> None:
    found = {
        name: called
        for name in EVERY
        if statement(name).distributed
        and (called := {each for each in functions_in(statement(name).tree) if reads_tables(each)})
    }
    assert found == NESTED


def test_what_joins_the_queue_is_listed() -> None:
    found = {
        name
        for name in EVERY
        if statement(name).distributed and QUEUE in tables_in(statement(name).tree)
    }
    assert found == WITH_THE_QUEUE


# The check itself: statements, and how many faults each has.
CASES = {
    "SELECT FROM memory WHERE tenant_id = %(tenant_id)s": 0,
    "SELECT FROM memory WHERE memory_id = %(id)s": 1,
    "SELECT FROM memory WHERE tenant_id = %(other)s": 1,
    "SELECT FROM memory WHERE tenant_id = %(tenant_id)s OR pinned": 1,
    "SELECT FROM memory m JOIN scope s USING (tenant_id) WHERE m.tenant_id = %(tenant_id)s": 0,
    "SELECT FROM memory m JOIN scope s USING (scope_id) WHERE m.tenant_id = %(tenant_id)s": 1,
    "SELECT FROM memory m, scope s WHERE m.tenant_id = s.tenant_id AND s.tenant_id = %(tenant_id)s": 0,
    "SELECT FROM memory m, scope s WHERE m.tenant_id = s.tenant_id": 2,
    "SELECT FROM memory m LEFT JOIN scope s ON s.tenant_id = m.tenant_id WHERE m.tenant_id = %(tenant_id)s": 0,
    "SELECT (SELECT 1 FROM scope s WHERE s.tenant_id = m.tenant_id) FROM memory m WHERE tenant_id = %(tenant_id)s": 1,
    "SELECT FROM run r WHERE r.tenant_id = %(tenant_id)s AND EXISTS (SELECT FROM scope)": 1,
    "SELECT FROM (SELECT * FROM memory WHERE tenant_id = %(tenant_id)s) m JOIN scope s USING (tenant_id)": 0,
    "WITH m AS (SELECT tenant_id FROM memory WHERE tenant_id = %(tenant_id)s) SELECT FROM m JOIN scope USING (tenant_id)": 0,
    "WITH m AS (SELECT tenant_id FROM memory) SELECT FROM m JOIN scope USING (tenant_id)": 2,
    "WITH m AS (DELETE FROM memory WHERE tenant_id = %(tenant_id)s RETURNING tenant_id) SELECT FROM m JOIN scope USING (tenant_id)": 1,
    "SELECT FROM memory WHERE tenant_id = %(tenant_id)s UNION ALL SELECT FROM scope": 1,
    "UPDATE memory SET text = '' WHERE tenant_id = %(tenant_id)s": 0,
    "UPDATE memory SET tenant_id = %(id)s WHERE tenant_id = %(tenant_id)s": 1,
    "UPDATE memory m SET text = '' FROM scope s WHERE m.tenant_id = %(tenant_id)s": 1,
    "DELETE FROM memory USING scope s WHERE memory.tenant_id = s.tenant_id AND s.tenant_id = %(tenant_id)s": 0,
    "DELETE FROM memory": 1,
    "INSERT INTO scope (tenant_id, scope_id) VALUES (%(tenant_id)s, %(id)s)": 0,
    "INSERT INTO scope (tenant_id, scope_id) VALUES (%(id)s, %(id)s)": 1,
    "INSERT INTO scope (scope_id) VALUES (%(id)s)": 2,
    "INSERT INTO scope (tenant_id) SELECT tenant_id FROM memory": 1,
    "INSERT INTO scope (tenant_id) VALUES (%(tenant_id)s) ON CONFLICT (tenant_id) DO UPDATE SET tenant_id = %(id)s": 1,
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_what_is_not_kept_is_found(text: str) -> None:
    assert len(Statement(text, distributed()).faults) == CASES[text]
