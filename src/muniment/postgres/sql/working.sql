-- name: working_put
INSERT INTO working_item (tenant_id, scope_id, session_pk, key, value, version, updated_at, expires_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(session_pk)s, %(key)s, %(value)s, 1, %(now)s, %(expires_at)s)
ON CONFLICT (tenant_id, scope_id, session_pk, key) DO UPDATE
SET value = excluded.value, version = CASE WHEN working_item.expires_at <= %(now)s THEN 1 ELSE working_item.version + 1 END,
    updated_at = excluded.updated_at, expires_at = excluded.expires_at
WHERE %(if_version)s::bigint IS NULL
   OR %(if_version)s::bigint = CASE WHEN working_item.expires_at <= %(now)s THEN 0 ELSE working_item.version END
RETURNING version;

-- name: working_get
SELECT key, value, version, updated_at, expires_at FROM working_item
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND key = %(key)s AND expires_at > %(now)s;

-- name: working_list
SELECT key, version, updated_at, expires_at FROM working_item
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND expires_at > %(now)s AND (%(after)s::text IS NULL OR key > %(after)s::text)
ORDER BY key LIMIT %(limit)s;

-- name: working_delete
DELETE FROM working_item
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s AND key = %(key)s
RETURNING expires_at > %(now)s;

-- name: working_clear
DELETE FROM working_item
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s;
