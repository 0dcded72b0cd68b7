-- name: usage_add
UPDATE scope_state SET items = items + %(items)s, bytes = bytes + %(bytes)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;

-- name: usage_lock
-- Before a count, in a statement of its own: one that waits for a lock counts what was there before.
SELECT true FROM scope_state
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s FOR NO KEY UPDATE;

-- name: usage_recount
UPDATE scope_state t SET items = c.items, bytes = c.bytes, chunks = c.chunks
FROM (
  SELECT count(*) AS items, coalesce(sum(size), 0)::bigint AS bytes, coalesce(sum(chunks), 0)::bigint AS chunks
  FROM (
    SELECT octet_length(content) + octet_length(metadata::text) - 2 AS size, 0 AS chunks FROM event
    WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
    UNION ALL
    SELECT octet_length(text) + coalesce(octet_length(detail), 0) + octet_length(metadata::text) - 2, 0 FROM memory
    WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
    UNION ALL
    SELECT octet_length(text) + octet_length(metadata::text) - 2, chunks FROM knowledge_document
    WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
    UNION ALL
    SELECT size, 0 FROM analysis WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
    UNION ALL
    SELECT size, 0 FROM store_item WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
    UNION ALL
    SELECT size, 0 FROM file_version WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
  ) held
) c
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s
  AND (t.items, t.bytes, t.chunks) IS DISTINCT FROM (c.items, c.bytes, c.chunks);

-- name: usage_compare
-- Scopes in order, and whether what is noted differs from what is held.
SELECT t.scope_id, (t.items, t.bytes, t.chunks) IS DISTINCT FROM (c.items, c.bytes, c.chunks) AS wrong
FROM (
  SELECT tenant_id, scope_id, items, bytes, chunks FROM scope_state
  WHERE tenant_id = %(tenant_id)s AND scope_id > %(after)s ORDER BY scope_id LIMIT %(limit)s
) t
CROSS JOIN LATERAL (
  SELECT count(*) AS items, coalesce(sum(size), 0)::bigint AS bytes, coalesce(sum(chunks), 0)::bigint AS chunks
  FROM (
    SELECT octet_length(e.content) + octet_length(e.metadata::text) - 2 AS size, 0 AS chunks FROM event e
    WHERE e.tenant_id = %(tenant_id)s AND e.scope_id = t.scope_id
    UNION ALL
    SELECT octet_length(m.text) + coalesce(octet_length(m.detail), 0) + octet_length(m.metadata::text) - 2, 0 FROM memory m
    WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = t.scope_id
    UNION ALL
    SELECT a.size, 0 FROM analysis a WHERE a.tenant_id = %(tenant_id)s AND a.scope_id = t.scope_id
    UNION ALL
    SELECT i.size, 0 FROM store_item i WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = t.scope_id
    UNION ALL
    SELECT f.size, 0 FROM file_version f WHERE f.tenant_id = %(tenant_id)s AND f.scope_id = t.scope_id
    UNION ALL
    SELECT octet_length(d.text) + octet_length(d.metadata::text) - 2, d.chunks FROM knowledge_document d
    WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = t.scope_id
  ) held
) c
ORDER BY t.scope_id;

-- name: usage_of_scope
-- Runs and threads count beside it: a checkpoint does not take the scope's lock.
SELECT items, (bytes + (SELECT coalesce(sum(r.bytes), 0) FROM run r WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s)
               + (SELECT coalesce(sum(h.bytes), 0) FROM thread h WHERE h.tenant_id = %(tenant_id)s AND h.scope_id = %(scope_id)s))::bigint AS bytes
FROM scope_state WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;

-- name: usage_of_tenant
SELECT coalesce(sum(items), 0)::bigint AS items,
       (coalesce(sum(bytes), 0) + (SELECT coalesce(sum(r.bytes), 0) FROM run r WHERE r.tenant_id = %(tenant_id)s)
        + (SELECT coalesce(sum(h.bytes), 0) FROM thread h WHERE h.tenant_id = %(tenant_id)s))::bigint AS bytes
FROM scope_state WHERE tenant_id = %(tenant_id)s;

-- name: usage_held
-- What a tenant holds for measuring how much goes at once: turns, memories, summaries, runs, threads.
SELECT (SELECT coalesce(sum(items), 0)::bigint FROM scope_state WHERE tenant_id = %(tenant_id)s)
       + (SELECT count(*) FROM episode WHERE tenant_id = %(tenant_id)s AND upper_inf(recorded))
       + (SELECT count(*) FROM run WHERE tenant_id = %(tenant_id)s)
       + (SELECT count(*) FROM thread WHERE tenant_id = %(tenant_id)s);
