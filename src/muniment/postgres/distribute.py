"""Tables become distributed ones of Citus, by tenant: the statements that it takes (ADR 0042)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from psycopg import sql
from psycopg.rows import class_row

from muniment.errors import StartRefused
from muniment.postgres.migrate import Admin, applied, migrations, one_value
from muniment.postgres.queries import admin_queries

_FIRST = "tenant"
# Of the coordinator: a value may be one that is known when a statement is planned, and what a
# transaction is told reaches the other nodes.
_HERE = {"plan_cache_mode": "force_custom_plan", "citus.propagate_set_commands": "local"}
# Of every node: triggers keep rows back, and functions of a tenant read its rows where they are.
_EVERYWHERE = {
    "search_path": "muniment, muniment_queue, public",
    "timezone": "UTC",
    "citus.enable_unsafe_triggers": "on",
    "citus.allow_nested_distributed_execution": "on",
}


@dataclass(frozen=True)
class _Table:
    name: str
    refers_to: Sequence[str]


@dataclass(frozen=True)
class _Function:
    number: int
    signature: str
    of_tenant: bool


def distribution(connection: Admin, *, shards: int) -> list[str]:
    """The statements that are still to be run, in order; none where all is distributed.

    Raises StartRefused for a schema that is not this build's, or that breaks a rule of Citus.
    """
    if len(applied(connection)) != len(migrations()):
        raise StartRefused(
            "The database does not have this build's schema.", cure="Run 'muniment db migrate'."
        )
    faults = [row[0] for row in connection.execute(admin_queries()["distribution_faults"])]
    if faults:
        raise StartRefused(
            f"The tables cannot be distributed by tenant: {'; '.join(faults)}.",
            cure="Run 'muniment db verify' and undo what was changed.",
        )
    return [made.as_string(connection) for made in _statements(connection, shards)]


def distribute(connection: Admin, *, shards: int) -> list[str]:
    """Run what ``distribution`` tells, each for itself, so that what failed can be run again.

    ``connection`` is an administrator's, in autocommit. Raises StartRefused without Citus.
    """
    if not one_value(connection, "citus_present"):
        raise StartRefused(
            "The database has no extension citus.",
            cure="Create it there and add the other nodes; docs/how-to/scale-out.md has the steps.",
        )
    statements = distribution(connection, shards=shards)
    for statement in statements:
        connection.execute(statement.encode())
    return statements


def _statements(connection: Admin, shards: int) -> Iterator[sql.Composed]:
    there = bool(one_value(connection, "citus_present"))
    tables = _done(connection, admin_queries()["tables_distributed"]) if there else set()
    functions = _done(connection, admin_queries()["functions_distributed"]) if there else set()
    with connection.cursor(row_factory=class_row(_Table)) as cursor:
        found = cursor.execute(admin_queries()["tables_to_distribute"]).fetchall()
    with connection.cursor(row_factory=class_row(_Function)) as cursor:
        routines = cursor.execute(admin_queries()["functions_to_distribute"]).fetchall()
    wanted = [name for name in _in_order(found) if name not in tables]
    calls = [one for one in routines if one.number not in functions]
    if wanted or calls:
        yield from _settings(connection)
    for name in wanted:
        place = sql.Literal(f"muniment.{name}")
        if name == _FIRST:
            yield _made(admin_queries()["table_distribute_first"], place, sql.Literal(shards))
        else:
            yield _made(
                admin_queries()["table_distribute"], place, sql.Literal(f"muniment.{_FIRST}")
            )
    for one in calls:
        if one.of_tenant:
            with_tenant = sql.Literal(f"muniment.{_FIRST}")
            yield _made(
                admin_queries()["function_distribute_by_tenant"],
                sql.Literal(one.signature),
                with_tenant,
            )
        else:
            yield _made(admin_queries()["function_distribute"], sql.Literal(one.signature))


def _settings(connection: Admin) -> Iterator[sql.Composed]:
    for name, value in {**_EVERYWHERE, **_HERE}.items():
        setting = _made(
            admin_queries()["database_setting"],
            sql.Identifier(connection.info.dbname),
            sql.Identifier(*name.split(".")),
            sql.SQL(", ").join(map(sql.Literal, value.split(", "))),
        )
        yield setting
        if name in _EVERYWHERE:
            yield _made(
                admin_queries()["on_other_nodes"], sql.Literal(setting.as_string(connection))
            )


def _in_order(tables: Sequence[_Table]) -> list[str]:
    """Each after those that it refers to. Raises StartRefused where there is no such order."""
    graph: Mapping[str, Sequence[str]] = {
        one.name: [] if one.name == _FIRST else [_FIRST, *one.refers_to] for one in tables
    }
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise StartRefused(
            f"Tables refer to one another in a circle: {', '.join(error.args[1])}.",
            cure="Run 'muniment db verify' and undo what was changed.",
        ) from error


def _done(connection: Admin, query: str) -> set[object]:
    return {row[0] for row in connection.execute(query)}


def _made(query: str, *values: sql.Composable) -> sql.Composed:
    return sql.SQL(query).format(*values)
