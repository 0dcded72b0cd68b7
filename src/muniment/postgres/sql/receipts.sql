-- Receipts of what was forgotten, and the lines of the erasure ledger that were carried out here.

-- name: receipt_insert
INSERT INTO erasure_receipt (tenant_id, receipt_id, target, state, counts, held, key_id, hidden_at, erased_at, verified, at_once, digest)
VALUES (%(tenant_id)s, %(receipt_id)s, %(target)s, %(state)s, %(counts)s, %(held)s, %(key_id)s, %(hidden_at)s, %(erased_at)s,
        %(verified)s, %(at_once)s, %(digest)s)
ON CONFLICT DO NOTHING;

-- name: receipt_kept
SELECT still_kept(%(tenant_id)s, %(receipt_id)s);

-- name: receipts_let_go
SELECT receipt_id, target, counts, held, hidden_at, verified FROM receipts_let_go(%(tenant_id)s);

-- name: receipt_erased
SELECT receipt_erased(%(tenant_id)s, %(receipt_id)s, %(now)s, %(digest)s)::text;

-- name: receipt_get
SELECT receipt_id, target, state, counts, held, hidden_at, erased_at, scrubbed_at, verified, scrub, digest
FROM erasure_receipt WHERE tenant_id = %(tenant_id)s AND receipt_id = %(receipt_id)s;

-- name: receipt_list
SELECT receipt_id, target, state, counts, held, hidden_at, erased_at, scrubbed_at, verified, scrub, digest
FROM erasure_receipt
WHERE tenant_id = %(tenant_id)s AND (%(state)s::text IS NULL OR state = %(state)s)
  AND (%(before)s::uuid IS NULL OR receipt_id < %(before)s)
ORDER BY receipt_id DESC LIMIT %(limit)s;

-- name: rows_mentioning
SELECT name, rows FROM rows_mentioning(%(scopes)s::uuid[], %(ids)s::uuid[], %(names)s::text[]);

-- name: erasure_key
SELECT value FROM muniment_meta.setting WHERE name = 'erasure_key';

-- name: erasure_insert
INSERT INTO erasure (tenant_id, entry_id, name_key, line)
VALUES (%(tenant_id)s, %(entry_id)s, %(name_key)s, %(line)s)
ON CONFLICT DO NOTHING;

-- name: erasure_lines
-- Of every tenant: the ledger is that of the installation.
SELECT tenant_id, entry_id, line FROM erasure_lines();

-- name: erasure_lock
-- Who forgets a user and who makes a scope of theirs wait for each other, also where there is no row
-- of the user to lock yet. What they ask next sees what the other did.
SELECT pg_advisory_xact_lock(hashtextextended(%(name_key)s, 0));

-- name: erasure_of
SELECT EXISTS (SELECT FROM erasure WHERE tenant_id = %(tenant_id)s AND name_key = %(name_key)s);

-- name: erasure_reopen
UPDATE erasure SET name_key = NULL WHERE tenant_id = %(tenant_id)s AND name_key = %(name_key)s RETURNING entry_id;

-- name: tenant_is_there
SELECT EXISTS (SELECT FROM tenant WHERE tenant_id = %(tenant_id)s);

-- name: user_names
SELECT user_id AS name FROM end_user WHERE tenant_id = %(tenant_id)s;

-- name: source_names
SELECT data_source AS name FROM event WHERE tenant_id = %(tenant_id)s AND data_source IS NOT NULL
UNION SELECT data_source FROM memory WHERE tenant_id = %(tenant_id)s AND data_source IS NOT NULL
UNION SELECT data_source FROM analysis WHERE tenant_id = %(tenant_id)s
UNION SELECT source FROM knowledge_document WHERE tenant_id = %(tenant_id)s
UNION SELECT data_source FROM knowledge_document WHERE tenant_id = %(tenant_id)s AND data_source IS NOT NULL
UNION SELECT name FROM data_source WHERE tenant_id = %(tenant_id)s;

-- name: scopes_all
SELECT s.scope_id, u.user_id FROM scope s LEFT JOIN end_user u USING (tenant_id, user_pk)
WHERE s.tenant_id = %(tenant_id)s ORDER BY s.scope_id;

-- name: scope_items
SELECT event_id AS id, false AS is_session FROM event WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
UNION ALL SELECT episode_id, false FROM episode WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
UNION ALL SELECT memory_id, false FROM memory WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
UNION ALL SELECT analysis_id, false FROM analysis WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
UNION ALL SELECT document_id, false FROM knowledge_document WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
UNION ALL SELECT session_pk, true FROM session WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;
