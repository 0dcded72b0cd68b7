-- name: idempotency_find
-- Whether this transaction may work on the key, and what was answered before. The lock ends with
-- the transaction; the unique key decides where both came at one moment.
SELECT pg_try_advisory_xact_lock(%(lock)s) AS free, i.digest, i.response
FROM (SELECT) AS always
LEFT JOIN idempotency i ON i.tenant_id = %(tenant_id)s AND i.principal = %(principal)s AND i.key = %(key)s
                       AND i.created_at > %(since)s;

-- name: idempotency_store
INSERT INTO idempotency (tenant_id, principal, key, operation, digest, user_id, ids, response, created_at)
VALUES (%(tenant_id)s, %(principal)s, %(key)s, %(operation)s, %(digest)s, %(user_id)s, %(ids)s::uuid[], %(response)s, %(now)s)
ON CONFLICT (tenant_id, principal, key) DO UPDATE
SET operation = excluded.operation, digest = excluded.digest, user_id = excluded.user_id,
    ids = excluded.ids, response = excluded.response, created_at = excluded.created_at
WHERE idempotency.created_at <= %(since)s
RETURNING true;

-- name: idempotency_of_user
SELECT count(*) FROM idempotency WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: idempotency_forget_sessions
-- Answers that name a session or a key of one are not repeated any more; that they were given stays.
UPDATE idempotency SET response = NULL
WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
  AND (operation LIKE 'sessions.%%' OR operation LIKE 'working.%%');

-- name: idempotency_forget_user
-- That they were answered stays: a write that is sent again under its key is not done anew.
UPDATE idempotency SET response = NULL, user_id = NULL, ids = NULL WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: idempotency_forget_ids
-- The same of what names a document, an analysis or its session that goes.
UPDATE idempotency SET response = NULL, ids = NULL WHERE tenant_id = %(tenant_id)s AND ids && %(ids)s::uuid[];

-- name: idempotency_expire
-- The age is asked twice: a key that is taken again meanwhile stays.
DELETE FROM idempotency i
WHERE i.tenant_id = %(tenant_id)s AND i.created_at <= %(since)s
  AND (i.principal, i.key) IN (
    SELECT o.principal, o.key FROM idempotency o
    WHERE o.tenant_id = %(tenant_id)s AND o.created_at <= %(since)s
    ORDER BY o.created_at LIMIT %(limit)s);
