-- name: user_ensure
INSERT INTO end_user (tenant_id, user_pk, user_id, created_at)
VALUES (%(tenant_id)s, %(user_pk)s, %(user_id)s, %(now)s)
ON CONFLICT (tenant_id, user_id) DO NOTHING;

-- name: user_find
SELECT user_pk, opted_out_at FROM end_user WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: users_page
SELECT u.user_id, u.created_at AS known_since, u.opted_out_at
FROM end_user u
WHERE u.tenant_id = %(tenant_id)s AND u.user_id > coalesce(%(after)s::text, '')
ORDER BY u.user_id
LIMIT %(limit)s;

-- name: user_opt_out
UPDATE end_user SET opted_out_at = coalesce(opted_out_at, %(now)s)
WHERE tenant_id = %(tenant_id)s AND user_pk = %(user_pk)s;

-- name: user_opt_in
UPDATE end_user SET opted_out_at = NULL WHERE tenant_id = %(tenant_id)s AND user_pk = %(user_pk)s;

-- name: scope_ensure
WITH made AS (
  INSERT INTO scope (tenant_id, scope_id, level, user_pk, namespace)
  VALUES (%(tenant_id)s, %(scope_id)s, %(level)s, %(user_pk)s, %(namespace)s)
  ON CONFLICT (tenant_id, user_pk, namespace) DO NOTHING
  RETURNING tenant_id, scope_id, user_pk
), held AS (
  INSERT INTO hold_item (tenant_id, hold_id, id, whole)
  SELECT m.tenant_id, h.hold_id, m.scope_id, true FROM made m JOIN hold h USING (tenant_id, user_pk)
  WHERE h.tenant_id = %(tenant_id)s AND h.target = 'user' AND h.released_at IS NULL
)
INSERT INTO scope_state (tenant_id, scope_id) SELECT tenant_id, scope_id FROM made;

-- name: scope_find
-- Two branches, because the index of the unique key serves each of them and not both at once.
SELECT s.scope_id, s.level, t.version, t.rebuilt, t.watermark
FROM scope s JOIN scope_state t USING (tenant_id, scope_id)
WHERE s.tenant_id = %(tenant_id)s AND s.user_pk = %(user_pk)s::uuid AND s.namespace = %(namespace)s
UNION ALL
SELECT s.scope_id, s.level, t.version, t.rebuilt, t.watermark
FROM scope s JOIN scope_state t USING (tenant_id, scope_id)
WHERE s.tenant_id = %(tenant_id)s AND s.user_pk IS NULL AND s.namespace = %(namespace)s
  AND %(user_pk)s::uuid IS NULL;

-- name: scopes_of_reader
-- The scopes that a reader asks about, a user's first: a user's, the organisation's, or both.
SELECT s.scope_id, s.level, t.version, t.rebuilt, t.watermark, t.chunks
FROM end_user u
JOIN scope s ON s.tenant_id = u.tenant_id AND s.user_pk = u.user_pk AND s.namespace = %(namespace)s
JOIN scope_state t ON t.tenant_id = s.tenant_id AND t.scope_id = s.scope_id
WHERE u.tenant_id = %(tenant_id)s AND u.user_id = %(user_id)s::text
UNION ALL
SELECT s.scope_id, s.level, t.version, t.rebuilt, t.watermark, t.chunks
FROM scope s JOIN scope_state t USING (tenant_id, scope_id)
WHERE s.tenant_id = %(tenant_id)s AND s.user_pk IS NULL AND s.namespace = %(namespace)s AND %(org)s
ORDER BY level DESC;

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

-- name: scope_bump_known
-- The same for the scope of a user who is known and takes writes.
UPDATE scope_state t
SET version = t.version + 1, watermark = greatest(%(now)s, t.watermark + interval '1 microsecond')
FROM end_user u
JOIN scope s ON s.tenant_id = u.tenant_id AND s.user_pk = u.user_pk AND s.namespace = %(namespace)s
WHERE u.tenant_id = %(tenant_id)s AND u.user_id = %(user_id)s AND u.opted_out_at IS NULL
  AND t.tenant_id = s.tenant_id AND t.scope_id = s.scope_id
RETURNING t.scope_id, t.version, t.rebuilt, t.watermark;

-- name: scope_rebuilt
-- Rows have gone: caches of this scope start again.
UPDATE scope_state SET rebuilt = version WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;
