-- name: usage_add
UPDATE scope_state SET items = items + %(items)s, bytes = bytes + %(bytes)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;

-- name: usage_recount
UPDATE scope_state t SET items = c.items, bytes = c.bytes
FROM (
  SELECT count(*) AS items, coalesce(sum(size), 0) AS bytes
  FROM (
    SELECT octet_length(content) + octet_length(metadata::text) - 2 AS size FROM event
    WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
    UNION ALL
    SELECT octet_length(text) + coalesce(octet_length(detail), 0) + octet_length(metadata::text) - 2 FROM memory
    WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
  ) held
) c
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s;

-- name: usage_of_scope
SELECT items, bytes FROM scope_state WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;

-- name: usage_of_tenant
SELECT coalesce(sum(items), 0)::bigint AS items, coalesce(sum(bytes), 0)::bigint AS bytes
FROM scope_state WHERE tenant_id = %(tenant_id)s;
