-- name: audit_insert
WITH entry AS (
  INSERT INTO audit_entry (tenant_id, entry_id, at, operation, effect, key_id, request, subjects, detail, changes)
  VALUES (%(tenant_id)s, %(entry_id)s, %(at)s, %(operation)s, %(effect)s, %(key_id)s, %(request)s,
          %(subjects)s::uuid[], %(detail)s, %(changes)s)
  RETURNING tenant_id, entry_id
)
INSERT INTO audit_pending (tenant_id, entry_id) SELECT tenant_id, entry_id FROM entry;

-- name: audit_changes
-- What changed in a scope since it was opened at a version and moment: digests before and after.
WITH changed AS MATERIALIZED (
  SELECT event_id, episode_id, version_id FROM memory_index
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND rev >= %(rev)s AND rev > 0
), now AS (
  SELECT version FROM scope_state WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
)
SELECT e.event_id AS id, CASE WHEN e.recorded_at < %(moment)s THEN event_digest(e) END AS before, event_digest(e) AS after, now.version
FROM event e, now WHERE e.tenant_id = %(tenant_id)s AND e.scope_id = %(scope_id)s
  AND e.event_id IN (SELECT event_id FROM changed)
UNION ALL
SELECT p.episode_id, CASE WHEN lower(p.recorded) < %(moment)s THEN episode_digest(p) END,
       CASE WHEN upper_inf(p.recorded) THEN episode_digest(p) END, now.version
FROM episode p, now WHERE p.tenant_id = %(tenant_id)s AND p.scope_id = %(scope_id)s
  AND p.episode_id IN (SELECT episode_id FROM changed)
UNION ALL
SELECT m.memory_id, memory_digest(m, %(moment)s - interval '1 microsecond'), memory_digest(m, 'infinity'), now.version
FROM memory m, now WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s
  AND m.memory_id IN (
    SELECT v.memory_id FROM memory_version v JOIN changed USING (version_id)
    WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s);

-- name: pending_tenants
-- For the worker alone: its role sees whose entries wait.
SELECT DISTINCT tenant_id FROM audit_pending LIMIT %(limit)s;

-- name: pending_entries
-- An entry as texts that say every bit of it: what a seal is made of.
SELECT e.tenant_id::text, e.entry_id::text, extract(epoch FROM e.at)::text AS at, e.operation, e.effect,
       e.key_id::text, e.request, e.subjects::text, e.detail::text,
       encode(sha256(convert_to(e.changes::text, 'UTF8')), 'hex') AS changes
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
  DELETE FROM audit_pending p USING sealed s WHERE p.tenant_id = %(tenant_id)s AND p.entry_id = s.entry_id
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
       e.key_id::text, e.request, e.subjects::text, e.detail::text,
       encode(sha256(convert_to(e.changes::text, 'UTF8')), 'hex') AS changes
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
-- Of many changes the first few; of those about the record that is asked for, it alone.
SELECT e.entry_id, e.at, e.operation, e.effect, e.key_id, e.request, e.subjects, e.detail,
       (SELECT count(*) FROM jsonb_object_keys(e.changes)) AS changed,
       ARRAY(SELECT jsonb_build_object('record', c.key, 'before', c.value -> 0, 'after', c.value -> 1, 'version', c.value -> 2)
             FROM jsonb_each(e.changes) c
             WHERE %(subject)s::uuid IS NULL OR c.key = %(subject)s::uuid::text
             ORDER BY c.key LIMIT %(most)s) AS changes,
       s.seq, s.sealed_at
FROM audit_entry e LEFT JOIN audit_seal s ON s.tenant_id = e.tenant_id AND s.entry_id = e.entry_id
WHERE e.tenant_id = %(tenant_id)s AND e.at >= %(since)s AND e.at < %(until)s
  AND (%(operation)s::text IS NULL OR e.operation = %(operation)s::text)
  AND (%(effect)s::text IS NULL OR e.effect = %(effect)s::text)
  AND (%(key_id)s::uuid IS NULL OR e.key_id = %(key_id)s::uuid)
  AND (%(subject)s::uuid IS NULL OR %(subject)s::uuid = ANY(e.subjects) OR e.changes ? %(subject)s::uuid::text)
  AND (%(before_at)s::timestamptz IS NULL OR (e.at, e.entry_id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
ORDER BY e.at DESC, e.entry_id DESC LIMIT %(limit)s;

-- name: records_told
-- Of records that are there: the digest that the trail tells last, with its entry, and the one that they have.
WITH live AS (
  SELECT e.event_id AS id, event_digest(e) AS digest
  FROM event e WHERE e.tenant_id = %(tenant_id)s AND e.event_id = ANY(%(ids)s::uuid[])
  UNION ALL
  SELECT p.episode_id, CASE WHEN upper_inf(p.recorded) THEN episode_digest(p) END
  FROM episode p WHERE p.tenant_id = %(tenant_id)s AND p.episode_id = ANY(%(ids)s::uuid[])
  UNION ALL
  SELECT m.memory_id, memory_digest(m, 'infinity')
  FROM memory m
  WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s::uuid[])
  UNION ALL
  SELECT d.document_id, document_digest(d)
  FROM knowledge_document d WHERE d.tenant_id = %(tenant_id)s AND d.document_id = ANY(%(ids)s::uuid[])
)
SELECT l.id, told.entry_id::text, told.after, l.digest
FROM live l LEFT JOIN LATERAL (
  SELECT e.entry_id, e.changes -> l.id::text ->> 1 AS after FROM audit_entry e
  WHERE e.tenant_id = %(tenant_id)s AND e.changes ? l.id::text
  ORDER BY (e.changes -> l.id::text ->> 2)::bigint DESC LIMIT 1
) told ON true;
