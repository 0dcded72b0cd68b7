-- Shared knowledge: documents of stewards, the chunks by which they are found.

-- name: knowledge_hold
-- Behind the policy and before rows and scopes, in every transaction that puts or deletes documents; a
-- forget that may take some takes it alone, so that nobody is at a document whose scope it has.
SELECT pg_advisory_xact_lock_shared(hashtextextended(%(tenant_id)s::text, 7301))::text AS held;

-- name: knowledge_take
SELECT pg_advisory_xact_lock(hashtextextended(%(tenant_id)s::text, 7301))::text;

-- name: document_find
-- What is held of a source, as it stands.
SELECT document_id, version, chunks, octet_length(text) + octet_length(metadata::text) - 2 AS bytes FROM knowledge_document
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND source = %(source)s AND NOT waits;

-- name: document_lock
-- Before scopes, in every transaction that locks both.
SELECT document_id, version, chunks, octet_length(text) + octet_length(metadata::text) - 2 AS bytes FROM knowledge_document
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND source = %(source)s AND NOT waits FOR UPDATE;

-- name: document_insert
INSERT INTO knowledge_document (tenant_id, scope_id, document_id, source, version, title, format, text, owner, data_source, metadata,
                                redacted, valid, recorded_at, chunks, category, retention_class, key_id)
VALUES (%(tenant_id)s, %(scope_id)s, %(document_id)s, %(source)s, %(version)s, %(title)s, %(format)s, %(text)s, %(owner)s,
        %(data_source)s::text, %(metadata)s, %(redacted)s::text[],
        tstzrange(%(valid_from)s::timestamptz, %(valid_to)s::timestamptz), %(now)s, %(chunks)s, %(category)s,
        %(retention_class)s, %(key_id)s)
ON CONFLICT (tenant_id, scope_id, source) WHERE NOT waits DO NOTHING;

-- name: document_replace
-- In its place, so that who waits for its lock gets the version that is there.
UPDATE knowledge_document
SET version = %(version)s, title = %(title)s, format = %(format)s, text = %(text)s, owner = %(owner)s,
    data_source = %(data_source)s::text, metadata = %(metadata)s, redacted = %(redacted)s::text[],
    valid = tstzrange(%(valid_from)s::timestamptz, %(valid_to)s::timestamptz), recorded_at = %(now)s, chunks = %(chunks)s,
    category = %(category)s, retention_class = %(retention_class)s, key_id = %(key_id)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND document_id = %(document_id)s;

-- name: document_same
-- Whether a document is held just so; without an owner that was given, by whomever.
SELECT EXISTS (
  SELECT FROM knowledge_document
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND document_id = %(document_id)s
    AND version = %(version)s AND title = %(title)s AND format = %(format)s AND text = %(text)s
    AND (%(owner)s::text IS NULL OR owner = %(owner)s::text) AND data_source IS NOT DISTINCT FROM %(data_source)s::text
    AND metadata = %(metadata)s::jsonb AND category = %(category)s
    AND valid = tstzrange(%(valid_from)s::timestamptz, %(valid_to)s::timestamptz));

-- name: document_digest
SELECT document_digest(d) FROM knowledge_document d
WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s AND d.document_id = %(document_id)s;

-- name: document_propose
-- A version that waits for a steward. Several may wait of a source.
INSERT INTO knowledge_document (tenant_id, scope_id, document_id, source, version, title, format, text, owner, data_source, metadata,
                                redacted, valid, recorded_at, chunks, category, retention_class, key_id, waits, expires_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(document_id)s, %(source)s, %(version)s, %(title)s, %(format)s, %(text)s, %(owner)s,
        %(data_source)s::text, %(metadata)s, %(redacted)s::text[],
        tstzrange(%(valid_from)s::timestamptz, %(valid_to)s::timestamptz), %(now)s, 0, %(category)s,
        %(retention_class)s, %(key_id)s, true, %(expires_at)s);

-- name: document_proposed
-- What the same key proposed just so, and waits: it waits once.
SELECT document_id FROM knowledge_document
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND source = %(source)s AND waits AND key_id = %(key_id)s
  AND (expires_at IS NULL OR expires_at > %(now)s)
  AND version = %(version)s AND title = %(title)s AND format = %(format)s AND text = %(text)s AND owner = %(owner)s
  AND data_source IS NOT DISTINCT FROM %(data_source)s::text AND metadata = %(metadata)s::jsonb AND category = %(category)s
  AND valid = tstzrange(%(valid_from)s::timestamptz, %(valid_to)s::timestamptz)
ORDER BY document_id LIMIT 1;

-- name: proposal_page
-- What waits for a steward, oldest first, with the version that it would replace.
SELECT d.document_id, s.namespace, d.source, d.version, d.title, d.format, d.owner, d.data_source,
       lower(d.valid) AS valid_from, upper(d.valid) AS valid_to, d.recorded_at AS proposed_at, d.category,
       k.principal AS proposed_by, h.version AS replaces, d.expires_at
FROM knowledge_document d
JOIN scope s ON s.tenant_id = d.tenant_id AND s.scope_id = d.scope_id
JOIN api_key k ON k.tenant_id = d.tenant_id AND k.key_id = d.key_id
LEFT JOIN knowledge_document h ON h.tenant_id = d.tenant_id AND h.scope_id = d.scope_id AND h.source = d.source AND NOT h.waits
WHERE d.tenant_id = %(tenant_id)s AND d.waits AND s.namespace = %(namespace)s AND d.document_id > %(after)s::uuid
  AND (d.expires_at IS NULL OR d.expires_at > %(now)s)
ORDER BY d.document_id LIMIT %(limit)s;

-- name: proposal_get
SELECT d.document_id, s.namespace, d.source, d.version, d.title, d.format, d.owner, d.data_source,
       lower(d.valid) AS valid_from, upper(d.valid) AS valid_to, d.recorded_at AS proposed_at, d.category,
       k.principal AS proposed_by, h.version AS replaces, d.expires_at, d.text, d.metadata, d.redacted, d.scope_id, d.key_id
FROM knowledge_document d
JOIN scope s ON s.tenant_id = d.tenant_id AND s.scope_id = d.scope_id
JOIN api_key k ON k.tenant_id = d.tenant_id AND k.key_id = d.key_id
LEFT JOIN knowledge_document h ON h.tenant_id = d.tenant_id AND h.scope_id = d.scope_id AND h.source = d.source AND NOT h.waits
WHERE d.tenant_id = %(tenant_id)s AND d.waits AND d.document_id = %(document_id)s
  AND (d.expires_at IS NULL OR d.expires_at > %(now)s);

-- name: proposals_expired
-- What nobody decided on in its time.
SELECT scope_id, document_id FROM knowledge_document
WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s ORDER BY expires_at LIMIT %(limit)s;

-- name: proposal_lock
-- Whether it waits still, locked against who else decides; its size as it counts.
SELECT document_id, version, chunks, octet_length(text) + octet_length(metadata::text) - 2 AS bytes FROM knowledge_document
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND document_id = %(document_id)s AND waits FOR UPDATE;

-- name: document_recorded
-- When it can be seen, which is later than when it came.
UPDATE knowledge_document SET recorded_at = %(at)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND document_id = %(document_id)s;

-- name: document_delete
DELETE FROM knowledge_document
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND document_id = ANY(%(documents)s::uuid[]);

-- name: chunks_delete
DELETE FROM knowledge_chunk
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND document_id = %(document_id)s;

-- name: chunk_insert
INSERT INTO knowledge_chunk (tenant_id, scope_id, chunk_id, document_id, position, headings, text, valid, emb, emb_a, emb_b, terms, keys)
VALUES (%(tenant_id)s, %(scope_id)s, %(chunk_id)s, %(document_id)s, %(position)s, %(headings)s::text[], %(text)s,
        tstzrange(%(valid_from)s::timestamptz, %(valid_to)s::timestamptz), %(emb)s, %(emb_a)s, %(emb_b)s, %(terms)s, %(keys)s::bigint[]);

-- name: chunks_add
UPDATE scope_state SET chunks = chunks + %(chunks)s WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;

-- name: document_get
SELECT d.document_id, d.source, d.version, d.title, d.format, d.text, d.owner, d.data_source, d.metadata, d.redacted,
       lower(d.valid) AS valid_from, upper(d.valid) AS valid_to, d.recorded_at, d.chunks, d.category
FROM knowledge_document d JOIN scope s USING (tenant_id, scope_id)
WHERE d.tenant_id = %(tenant_id)s AND s.user_pk IS NULL AND s.namespace = %(namespace)s AND d.source = %(source)s
  AND NOT d.waits;

-- name: document_page
SELECT d.document_id, d.source, d.version, d.title, d.format, d.owner, d.data_source,
       lower(d.valid) AS valid_from, upper(d.valid) AS valid_to, d.recorded_at, d.chunks, d.category
FROM knowledge_document d JOIN scope s USING (tenant_id, scope_id)
WHERE d.tenant_id = %(tenant_id)s AND s.user_pk IS NULL AND s.namespace = %(namespace)s AND NOT d.waits
  AND (%(after)s::text IS NULL OR d.source > %(after)s::text)
ORDER BY d.source LIMIT %(limit)s;

-- name: documents_of_source
-- What was written from a source, or is one.
SELECT document_id AS id, version FROM knowledge_document
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
  AND (data_source = ANY(%(names)s::text[]) OR source = ANY(%(names)s::text[]));

-- name: documents_among
SELECT document_id AS id, version FROM knowledge_document
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND document_id = ANY(%(items)s::uuid[]);

-- name: knowledge_figures
SELECT knowledge_figures();

-- name: knowledge_find
-- The candidates of one scope, each as it may be returned: every filter is applied again, below row-level
-- security. LIMIT 1 looks each up by its key.
WITH admitted AS (
  SELECT array_agg(x.document_id) AS ids, coalesce(sum(x.chunks), 0)::bigint AS chunks FROM knowledge_document x
  WHERE %(path)s::text IS NOT NULL AND x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s
    AND NOT x.waits AND jsonb_path_match(document_item(x), %(path)s::text::jsonpath, %(variables)s::jsonb)
)
SELECT c.chunk_id, c.position, c.headings, c.text, c.terms, coalesce(-((CASE %(place)s::text WHEN 'emb_a' THEN c.emb_a WHEN 'emb_b' THEN c.emb_b ELSE c.emb END) <#> %(vector)s::halfvec), 0)::double precision AS cosine,
       f.frequencies, d.document_id, d.source, d.version, d.title, d.data_source, d.metadata, d.category,
       lower(d.valid) AS valid_from, upper(d.valid) AS valid_to, d.recorded_at
FROM admitted a
CROSS JOIN LATERAL knowledge_candidates(
  %(scope_id)s, %(vector)s::halfvec, %(keys)s::bigint[], %(as_of)s::timestamptz,
  CASE WHEN %(path)s::text IS NOT NULL THEN coalesce(a.ids, '{}') END,
  CASE WHEN %(path)s::text IS NOT NULL THEN a.chunks ELSE %(held)s::bigint END, %(nearest)s, %(worded)s, %(place)s::text) f
CROSS JOIN LATERAL (
  SELECT * FROM knowledge_chunk x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.chunk_id = f.chunk_id AND x.valid @> %(as_of)s::timestamptz
  LIMIT 1) c
CROSS JOIN LATERAL (
  SELECT * FROM knowledge_document x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.document_id = c.document_id
    AND (%(known_at)s::timestamptz IS NULL OR x.recorded_at <= %(known_at)s::timestamptz)
  LIMIT 1) d;

-- name: documents_of_run
-- The versions of documents that the answers of a run had; of a document the one that came last.
SELECT DISTINCT ON (x.one ->> 'document') (x.one ->> 'document')::uuid AS document_id, (x.one ->> 'version')::bigint AS version
FROM recall_log r CROSS JOIN LATERAL jsonb_array_elements(r.items) AS x (one)
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.run_id = %(run_id)s::text AND x.one ? 'document'
ORDER BY x.one ->> 'document', r.recall_id DESC LIMIT 200;

-- name: documents_in_force
-- Which of these versions of documents are the ones in force.
SELECT d.document_id, d.version, d.source FROM knowledge_document d
WHERE d.tenant_id = %(tenant_id)s AND d.scope_id IN (SELECT s.scope_id FROM scope s WHERE s.tenant_id = %(tenant_id)s AND s.user_pk IS NULL)
  AND d.document_id = ANY(%(ids)s::uuid[]) AND NOT d.waits AND d.valid @> %(as_of)s::timestamptz;
