"""Whether the audit trail tells of every record of a tenant what it says."""

from typing import Any
from uuid import UUID

import psycopg

from tests.support.world import Tenant

_RECORDS = """
SELECT event_id FROM muniment.event WHERE tenant_id = %(t)s
UNION ALL SELECT episode_id FROM muniment.episode WHERE tenant_id = %(t)s
UNION ALL SELECT memory_id FROM muniment.memory WHERE tenant_id = %(t)s
UNION ALL SELECT document_id FROM muniment.knowledge_document WHERE tenant_id = %(t)s
"""
_CHANGES = """
SELECT c.key, (c.value ->> 2)::bigint, e.effect, e.operation, c.value ->> 0, c.value ->> 1
FROM muniment.audit_entry e, jsonb_each(e.changes) c
WHERE e.tenant_id = %s AND c.value ->> 2 IS NOT NULL ORDER BY 1, 2
"""


async def untold(tenant: Tenant, admin: psycopg.Connection[Any]) -> list[tuple[str, UUID | None]]:
    """What ``audit.verify`` finds wrong of all the records that there are."""
    ids = [row[0] for row in admin.execute(_RECORDS, {"t": tenant.tenant_id}).fetchall()]
    found = []
    for at in range(0, len(ids), 1000):
        check = await tenant("audit.verify", records=ids[at : at + 1000])
        found += [(one.wrong, one.record_id) for one in check.findings]
    return found


def breaks(tenant: Tenant, admin: psycopg.Connection[Any]) -> list[tuple[str, str]]:
    """Changes, with their operations, that do not begin where the one before them ended."""
    found, last = [], ("", "")
    for record, _, effect, operation, before, after in admin.execute(
        _CHANGES, [tenant.tenant_id]
    ).fetchall():
        was = last[1] if record == last[0] else None
        if before != was and effect != "destructive":
            found.append((record, operation))
        last = (record, after)
    return found
