"""exports.* and imports.*: a user leaves one tenant and arrives in another, whole.

| held of the user | in the file | there |
|---|---|---|
| turns and verdicts, summaries and sources, sessions | yes | the same, by the same ids, to the microsecond |
| memories, versions, evidence, decisions, reviews, merges | yes | the same |
| vectors, stems, hashes | no | made anew, of that service |
| keys that wrote | ids | kept where the tenant has the key, else the key that imports |
| scope and user surrogates | no | new ones |
| records of the organisation, recall log, audit | no | none |
| what is past its time | no | none |
"""

from typing import Any

from muniment.postgres.embedded import ADMIN
from tests.integration.moving import bring, export, live
from tests.support.databases import Database
from tests.support.told import untold
from tests.support.world import Local, Tenant

KEYS = {"written_by", "created_by", "key_id"}


def plain(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Lines without what an import changes: keys of the other tenant, and when the file was made."""
    return [
        {name: value for name, value in line.items() if name not in KEYS | {"taken_at"}}
        for line in lines
    ]


async def test_a_user_goes_and_arrives_the_same(
    service: Local, worker: Local, tenant: Tenant, database: Database
) -> None:
    await live(tenant, worker, database)
    lines = await export(tenant)
    assert {line["type"] for line in lines} >= {
        "export", "end", "user", "scope", "session", "event", "episode", "extraction", "working", "entity",
        "alias", "merge", "memory", "version", "evidence", "decision", "review", "access",
    }  # fmt: skip
    other = await service.tenant("other")
    made = await bring(other, lines)
    assert sum(made.counts.values()) == len(lines) - 2
    assert plain(await export(other)) == plain(lines)
    assert index(database, other) == index(database, tenant)
    with database.connect(ADMIN) as admin:
        assert await untold(other, admin) == []


def index(database: Database, tenant: Tenant) -> list[Any]:
    """What recall ranks of a tenant, revisions aside."""
    with database.connect(ADMIN) as admin:
        return admin.execute(
            "SELECT i.id, i.group_id, i.position, i.tier, i.kind, i.standing, i.valid, i.recorded, i.occurred_at,"
            " i.expires_at, i.importance, i.confidence, i.emb::text, i.terms, m.alike, m.said"
            " FROM muniment.memory_index i JOIN muniment.scope s USING (tenant_id, scope_id)"
            " LEFT JOIN muniment.memory m USING (tenant_id, scope_id)"
            " WHERE i.tenant_id = %s AND s.level = 'user' AND (m.memory_id = i.group_id) IS NOT FALSE"
            " AND (i.expires_at IS NULL OR i.expires_at > %s) ORDER BY i.id",
            [tenant.tenant_id, tenant.service.clock.now()],
        ).fetchall()
