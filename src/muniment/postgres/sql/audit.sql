-- name: audit_insert
WITH entry AS (
  INSERT INTO audit_entry (tenant_id, entry_id, at, operation, effect, key_id, request, subjects, detail)
  VALUES (%(tenant_id)s, %(entry_id)s, %(at)s, %(operation)s, %(effect)s, %(key_id)s, %(request)s,
          %(subjects)s::uuid[], %(detail)s)
  RETURNING tenant_id, entry_id
)
INSERT INTO audit_pending (tenant_id, entry_id) SELECT tenant_id, entry_id FROM entry;

-- name: pending_tenants
-- For the worker alone: its role sees whose entries wait.
SELECT DISTINCT tenant_id FROM audit_pending LIMIT %(limit)s;

-- name: pending_entries
-- An entry as texts that say every bit of it: what a seal is made of.
SELECT e.tenant_id::text, e.entry_id::text, extract(epoch FROM e.at)::text AS at, e.operation, e.effect,
       e.key_id::text, e.request, e.subjects::text, e.detail::text
FROM audit_pending p JOIN audit_entry e USING (tenant_id, entry_id)
WHERE p.tenant_id = %(tenant_id)s
ORDER BY p.entry_id LIMIT %(limit)s;

-- name: chain_head
SELECT seq, hash, sealed_at FROM audit_seal WHERE tenant_id = %(tenant_id)s ORDER BY seq DESC LIMIT 1;

-- name: seals_insert
-- Whoever comes second puts in nothing: each place of the chain is taken once.
WITH sealed AS (
  INSERT INTO audit_seal (tenant_id, seq, entry_id, digest, previous, hash, sealed_at)
  SELECT %(tenant_id)s, s.seq, s.entry_id, s.digest, s.previous, s.hash, %(sealed_at)s
  FROM unnest(%(seqs)s::bigint[], %(entry_ids)s::uuid[], %(digests)s::bytea[], %(previouses)s::bytea[],
              %(hashes)s::bytea[]) AS s (seq, entry_id, digest, previous, hash)
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, entry_id
), done AS (
  DELETE FROM audit_pending p USING sealed s WHERE p.tenant_id = s.tenant_id AND p.entry_id = s.entry_id
)
SELECT count(*) FROM sealed;

-- name: seal_exists
SELECT EXISTS (SELECT FROM audit_seal WHERE tenant_id = %(tenant_id)s AND entry_id = %(entry_id)s);

-- name: seal_lag
SELECT seal_lag();

-- name: seals_after
-- Seals and their entries as texts that say every bit of them; an entry that is not there is null.
SELECT s.tenant_id::text AS seal_tenant, s.seq, s.entry_id::text AS seal_entry, s.digest, s.previous, s.hash,
       extract(epoch FROM s.sealed_at)::text AS sealed_at,
       e.tenant_id::text, e.entry_id::text, extract(epoch FROM e.at)::text AS at, e.operation, e.effect,
       e.key_id::text, e.request, e.subjects::text, e.detail::text
FROM audit_seal s LEFT JOIN audit_entry e ON e.tenant_id = s.tenant_id AND e.entry_id = s.entry_id
WHERE s.tenant_id = %(tenant_id)s AND s.seq > %(after)s
ORDER BY s.seq LIMIT %(limit)s;

-- name: seal_at
SELECT hash FROM audit_seal WHERE tenant_id = %(tenant_id)s AND seq = %(seq)s;

-- name: unsealed
-- Entries that no seal names and that do not wait for one, or have waited for too long.
SELECT e.entry_id::text, p.entry_id IS NOT NULL AS pending
FROM audit_entry e
LEFT JOIN audit_seal s ON s.tenant_id = e.tenant_id AND s.entry_id = e.entry_id
LEFT JOIN audit_pending p ON p.tenant_id = e.tenant_id AND p.entry_id = e.entry_id
WHERE e.tenant_id = %(tenant_id)s AND s.seq IS NULL
  AND (p.entry_id IS NULL OR p.since < clock_timestamp() - %(longest)s::interval)
ORDER BY e.entry_id LIMIT %(limit)s;

-- name: pending_count
SELECT count(*) FROM audit_pending WHERE tenant_id = %(tenant_id)s;

-- name: audit_list
SELECT e.entry_id, e.at, e.operation, e.effect, e.key_id, e.request, e.subjects, e.detail, s.seq, s.sealed_at
FROM audit_entry e LEFT JOIN audit_seal s ON s.tenant_id = e.tenant_id AND s.entry_id = e.entry_id
WHERE e.tenant_id = %(tenant_id)s AND e.at >= %(since)s AND e.at < %(until)s
  AND (%(operation)s::text IS NULL OR e.operation = %(operation)s::text)
  AND (%(effect)s::text IS NULL OR e.effect = %(effect)s::text)
  AND (%(key_id)s::uuid IS NULL OR e.key_id = %(key_id)s::uuid)
  AND (%(subject)s::uuid IS NULL OR %(subject)s::uuid = ANY(e.subjects))
  AND (%(before_at)s::timestamptz IS NULL OR (e.at, e.entry_id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
ORDER BY e.at DESC, e.entry_id DESC LIMIT %(limit)s;
