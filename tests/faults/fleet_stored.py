"""What is stored of a tenant, without ids and moments: to be compared with another's."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from psycopg import sql

Admin = psycopg.Connection[Any]
Rows = Counter[tuple[Any, ...]]

_OF_USERS: LiteralString = """
JOIN muniment.scope c USING (tenant_id, scope_id) JOIN muniment.end_user u USING (tenant_id, user_pk)
WHERE tenant_id = %(tenant)s
"""
_EVENTS = """
SELECT u.user_id, s.session_id, e.turn, e.content
FROM muniment.event e JOIN muniment.session s USING (tenant_id, scope_id, session_pk)
"""
_EPISODES = """
SELECT u.user_id, s.session_id, p.through_turn, p.text, p.outcome, p.category, p.importance,
       upper_inf(p.recorded), s.dirty_since IS NULL,
       (SELECT count(*) FROM muniment.episode_source r
        WHERE (r.tenant_id, r.scope_id, r.episode_id) = (p.tenant_id, p.scope_id, p.episode_id)),
       (SELECT count(*) FROM muniment.memory_index i
        WHERE (i.tenant_id, i.scope_id, i.episode_id) = (p.tenant_id, p.scope_id, p.episode_id))
FROM muniment.episode p JOIN muniment.session s USING (tenant_id, scope_id, session_pk)
"""
_CANDIDATES = """
SELECT u.user_id, s.session_id, x.outcome, x.rule
FROM muniment.extraction x JOIN muniment.session s USING (tenant_id, scope_id, session_pk)
"""
_VERSIONS = """
SELECT u.user_id, m.kind, m.text, v.slot, m.value, v.standing, upper_inf(v.valid), upper_inf(v.recorded)
FROM muniment.memory_version v JOIN muniment.memory m USING (tenant_id, scope_id, memory_id)
JOIN muniment.scope c USING (tenant_id, scope_id) LEFT JOIN muniment.end_user u USING (tenant_id, user_pk)
WHERE tenant_id = %(tenant)s
"""
_PASSES = """
SELECT u.user_id, s.session_id, a.operation, a.detail::text
FROM (SELECT *, subjects[1] AS scope_id, subjects[2] AS session_pk FROM muniment.audit_entry) a
JOIN muniment.session s USING (tenant_id, scope_id, session_pk)
"""
_PASSES_AGAIN = """
SELECT subjects, operation, count(*) FROM muniment.audit_entry
WHERE tenant_id = %(tenant)s AND operation IN ('worker.summarise', 'worker.consolidate')
GROUP BY 1, 2 HAVING count(*) > 1
"""
_CHANGES = """
SELECT operation FROM muniment.audit_entry
WHERE tenant_id = %(tenant)s AND effect <> 'read' AND operation NOT LIKE 'worker.%%'
"""
# Of answers, a moment after these; what a killed process had not noted is not noted.
NOTED_LATER = {"recall_log", "access"}


@dataclass(frozen=True)
class Stored:
    """What is stored of a tenant when nobody works any more."""

    events: Rows
    episodes: Rows
    candidates: Rows
    versions: Rows
    passes: Rows
    passes_again: Rows
    changes: Rows
    counts: dict[str, int]
    recalls: Counter[UUID]

    @classmethod
    def of(cls, admin: Admin, tenant: UUID, users: Sequence[str]) -> "Stored":
        """Read it; ``counts`` of rows are those in scopes of these users, table by table."""

        def rows(statement: LiteralString) -> Rows:
            return Counter(
                tuple(map(_plain, row))
                for row in admin.execute(statement, {"tenant": tenant}).fetchall()
            )

        return cls(
            rows(_EVENTS + _OF_USERS), rows(_EPISODES + _OF_USERS), rows(_CANDIDATES + _OF_USERS),
            rows(_VERSIONS), rows(_PASSES + _OF_USERS),
            rows(_PASSES_AGAIN), rows(_CHANGES), _counts(admin, tenant, users),
            Counter(
                recall_id
                for (recall_id,) in admin.execute(
                    "SELECT recall_id FROM muniment.recall_log WHERE tenant_id = %s", [tenant]
                ).fetchall()
            ),
        )  # fmt: skip


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | None) else str(value)


def tables(admin: Admin) -> Iterator[tuple[str, str]]:
    """Every table of any schema that is not the server's own."""
    yield from admin.execute(
        "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition"
        " AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"
    ).fetchall()


def tables_with(admin: Admin, said: str) -> list[str]:
    """Tables of any schema that have a word in a row."""
    return [
        ".".join(name)
        for name in tables(admin)
        if admin.execute(
            sql.SQL("SELECT FROM {} r WHERE r::text ILIKE ANY(%s) LIMIT 1").format(
                sql.Identifier(*name)
            ),
            [[f"%{said}%", f"%{said.encode().hex()}%"]],
        ).rowcount
    ]


def _counts(admin: Admin, tenant: UUID, users: Sequence[str]) -> dict[str, int]:
    scopes = admin.execute(
        "SELECT array_agg(scope_id) FROM muniment.scope JOIN muniment.end_user"
        " USING (tenant_id, user_pk) WHERE tenant_id = %s AND user_id = ANY(%s)",
        [tenant, list(users)],
    ).fetchone()
    found: dict[str, int] = {}
    for (name,) in admin.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p')"
        " AND NOT c.relispartition AND a.attname = 'scope_id'"
    ).fetchall():
        if name not in NOTED_LATER:
            asked = sql.SQL("SELECT count(*) FROM {} WHERE tenant_id = %s AND scope_id = ANY(%s)")
            of_table = asked.format(sql.Identifier("muniment", name))
            (found[name],) = admin.execute(of_table, [tenant, *(scopes or [])]).fetchone() or (0,)
    return found
