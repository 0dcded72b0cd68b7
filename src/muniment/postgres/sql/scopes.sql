-- name: user_ensure
INSERT INTO end_user (tenant_id, user_pk, user_id, created_at)
VALUES (%(tenant_id)s, %(user_pk)s, %(user_id)s, %(now)s)
ON CONFLICT (tenant_id, user_id) DO NOTHING;

-- name: user_find
SELECT user_pk, opted_out_at FROM end_user WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: scope_ensure
WITH made AS (
  INSERT INTO scope (tenant_id, scope_id, level, user_pk, namespace)
  VALUES (%(tenant_id)s, %(scope_id)s, %(level)s, %(user_pk)s, %(namespace)s)
  ON CONFLICT (tenant_id, user_pk, namespace) DO NOTHING
  RETURNING tenant_id, scope_id
)
INSERT INTO scope_state (tenant_id, scope_id) SELECT tenant_id, scope_id FROM made;

-- name: scope_find
SELECT s.scope_id, s.level, t.version, t.rebuilt, t.watermark
FROM scope s JOIN scope_state t USING (tenant_id, scope_id)
WHERE s.tenant_id = %(tenant_id)s
  AND s.user_pk IS NOT DISTINCT FROM %(user_pk)s::uuid
  AND s.namespace = %(namespace)s;

-- name: scopes_of_reader
-- The scopes that a reader asks about: a user's, the organisation's, or both.
SELECT s.scope_id, s.level, t.version, t.rebuilt, t.watermark
FROM scope s JOIN scope_state t USING (tenant_id, scope_id)
LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
WHERE s.tenant_id = %(tenant_id)s AND s.namespace = %(namespace)s
  AND ((s.level = 'user' AND u.user_id = %(user_id)s::text) OR (s.level = 'org' AND %(org)s))
ORDER BY s.level DESC;

-- name: scope_mark
SELECT scope_id, version, rebuilt, watermark FROM scope_state
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;

-- name: scope_share
-- Holds writers of the scope back until the reader's transaction ends.
SELECT scope_id, version, rebuilt, watermark FROM scope_state
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s FOR SHARE;

-- name: scope_bump
-- First statement of every write into a scope: takes its row lock and its next moment.
UPDATE scope_state
SET version = version + 1, watermark = greatest(%(now)s, watermark + interval '1 microsecond')
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
RETURNING scope_id, version, rebuilt, watermark;

-- name: scope_rebuilt
-- Rows have gone: caches of this scope start again.
UPDATE scope_state SET rebuilt = version WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;
