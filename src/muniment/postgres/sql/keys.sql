-- name: tenant_insert
INSERT INTO tenant (tenant_id, name, created_at) VALUES (%(tenant_id)s, %(name)s, %(now)s);

-- name: key_insert
INSERT INTO api_key (tenant_id, key_id, principal, secret_hash, verbs, layers, roles, gates, user_id, created_at, created_by, expires_at)
VALUES (%(tenant_id)s, %(key_id)s, %(principal)s, %(secret_hash)s, %(verbs)s, %(layers)s, %(roles)s, %(gates)s, %(user_id)s,
        %(now)s, %(created_by)s, %(expires_at)s);

-- name: key_authenticate
SELECT key_id, principal, secret_hash, verbs, layers, roles, gates, user_id, expires_at, revoked_at,
       coalesce((SELECT p.revision FROM tenant_policy p WHERE p.tenant_id = %(tenant_id)s), 0) AS policy_revision
FROM api_key WHERE tenant_id = %(tenant_id)s AND key_id = %(key_id)s;

-- name: key_is_still
-- Of a key nothing else changes.
SELECT 1 / count(*) FROM api_key
WHERE tenant_id = %(tenant_id)s AND key_id = %(key_id)s AND principal = %(principal)s
  AND revoked_at IS NOT DISTINCT FROM %(revoked_at)s::timestamptz
  AND coalesce((SELECT p.revision FROM tenant_policy p WHERE p.tenant_id = %(tenant_id)s), 0) = %(policy_revision)s;

-- name: key_list
SELECT key_id, principal, verbs, layers, roles, gates, user_id, created_at, expires_at, revoked_at
FROM api_key
WHERE tenant_id = %(tenant_id)s AND (%(after)s::uuid IS NULL OR key_id > %(after)s::uuid)
ORDER BY key_id LIMIT %(limit)s;

-- name: key_revoke
UPDATE api_key SET revoked_at = coalesce(revoked_at, %(now)s)
WHERE tenant_id = %(tenant_id)s AND key_id = %(key_id)s
RETURNING key_id, principal, verbs, layers, roles, gates, user_id, created_at, expires_at, revoked_at;

-- name: tenant_list
-- For the worker alone: its role sees every tenant's row, and nothing else across tenants.
SELECT tenant_id FROM tenant ORDER BY tenant_id;
