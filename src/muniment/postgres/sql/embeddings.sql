-- Whose vectors a tenant has. Who changes that has taken the policy alone.

-- name: embedding_put
INSERT INTO tenant_embedding (tenant_id, embedder, place, since, state, other, beside, done, changed_at, changed_by)
VALUES (%(tenant_id)s, %(embedder)s::text, %(place)s, %(since)s, %(state)s, %(other)s::text, %(beside)s::text, 0, %(now)s, %(key_id)s)
ON CONFLICT (tenant_id) DO UPDATE
SET embedder = excluded.embedder, place = excluded.place, since = excluded.since, state = excluded.state, other = excluded.other,
    beside = excluded.beside, done = excluded.done, changed_at = excluded.changed_at, changed_by = excluded.changed_by;

-- name: embedding_move
UPDATE tenant_embedding
SET embedder = %(embedder)s::text, place = %(place)s, since = %(since)s, state = %(state)s, other = %(other)s::text,
    beside = %(beside)s::text, changed_at = %(now)s
WHERE tenant_id = %(tenant_id)s;

-- name: embedding_done
UPDATE tenant_embedding SET done = done + %(count)s WHERE tenant_id = %(tenant_id)s;

-- name: revision_raise
UPDATE tenant_policy SET revision = revision + 1, changed_at = %(now)s WHERE tenant_id = %(tenant_id)s RETURNING revision;

-- name: rows_without
-- The next rows of the index without a vector in a place, with the words by which each is found.
SELECT i.scope_id, i.id, coalesce(e.content, p.text, m.text) AS text, v.slot, v.cardinality,
       CASE WHEN n.kind <> 'self' THEN n.name END AS subject
FROM (
  SELECT x.tenant_id, x.scope_id, x.id, x.event_id, x.episode_id, x.version_id FROM memory_index x
  WHERE x.tenant_id = %(tenant_id)s AND (x.scope_id, x.id) > (%(scope_id)s::uuid, %(after)s::uuid)
    AND CASE %(place)s::text WHEN 'emb_a' THEN x.emb_a WHEN 'emb_b' THEN x.emb_b ELSE x.emb END IS NULL
  ORDER BY x.scope_id, x.id LIMIT %(limit)s) i
LEFT JOIN event e ON e.tenant_id = i.tenant_id AND e.scope_id = i.scope_id AND e.event_id = i.event_id
LEFT JOIN episode p ON p.tenant_id = i.tenant_id AND p.scope_id = i.scope_id AND p.episode_id = i.episode_id
LEFT JOIN memory_version v ON v.tenant_id = i.tenant_id AND v.scope_id = i.scope_id AND v.version_id = i.version_id
LEFT JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
LEFT JOIN entity n ON n.tenant_id = v.tenant_id AND n.scope_id = v.scope_id AND n.entity_id = v.subject_id
ORDER BY i.scope_id, i.id;

-- name: row_vector
-- What has one by now, of a writer, keeps it.
UPDATE memory_index
SET emb = CASE WHEN %(place)s::text = 'emb' THEN %(vector)s::halfvec ELSE emb END,
    emb_a = CASE WHEN %(place)s::text = 'emb_a' THEN %(vector)s::halfvec ELSE emb_a END,
    emb_b = CASE WHEN %(place)s::text = 'emb_b' THEN %(vector)s::halfvec ELSE emb_b END
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND id = %(id)s
  AND CASE %(place)s::text WHEN 'emb_a' THEN emb_a WHEN 'emb_b' THEN emb_b ELSE emb END IS NULL;

-- name: chunks_without
SELECT x.scope_id, x.chunk_id AS id, x.headings, x.text, d.title
FROM knowledge_chunk x JOIN knowledge_document d USING (tenant_id, scope_id, document_id)
WHERE x.tenant_id = %(tenant_id)s AND (x.scope_id, x.chunk_id) > (%(scope_id)s::uuid, %(after)s::uuid)
  AND CASE %(place)s::text WHEN 'emb_a' THEN x.emb_a WHEN 'emb_b' THEN x.emb_b ELSE x.emb END IS NULL
ORDER BY x.scope_id, x.chunk_id LIMIT %(limit)s;

-- name: chunk_vector
UPDATE knowledge_chunk
SET emb = CASE WHEN %(place)s::text = 'emb' THEN %(vector)s::halfvec ELSE emb END,
    emb_a = CASE WHEN %(place)s::text = 'emb_a' THEN %(vector)s::halfvec ELSE emb_a END,
    emb_b = CASE WHEN %(place)s::text = 'emb_b' THEN %(vector)s::halfvec ELSE emb_b END
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND chunk_id = %(id)s
  AND CASE %(place)s::text WHEN 'emb_a' THEN emb_a WHEN 'emb_b' THEN emb_b ELSE emb END IS NULL;

-- name: items_without
-- An item has another id for each value.
SELECT x.scope_id, x.item_id AS id, x.value, x.fields FROM store_item x
WHERE x.tenant_id = %(tenant_id)s
  AND CASE %(place)s::text WHEN 'emb_a' THEN x.vectors_a WHEN 'emb_b' THEN x.vectors_b ELSE x.vectors END IS NULL
LIMIT %(limit)s;

-- name: item_vectors
UPDATE store_item
SET vectors = CASE WHEN %(place)s::text = 'emb' THEN %(vectors)b::halfvec[] ELSE vectors END,
    vectors_a = CASE WHEN %(place)s::text = 'emb_a' THEN %(vectors)b::halfvec[] ELSE vectors_a END,
    vectors_b = CASE WHEN %(place)s::text = 'emb_b' THEN %(vectors)b::halfvec[] ELSE vectors_b END
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND item_id = %(id)s
  AND CASE %(place)s::text WHEN 'emb_a' THEN vectors_a WHEN 'emb_b' THEN vectors_b ELSE vectors END IS NULL;

-- name: any_without
SELECT EXISTS (SELECT FROM memory_index x WHERE x.tenant_id = %(tenant_id)s
               AND CASE %(place)s::text WHEN 'emb_a' THEN x.emb_a WHEN 'emb_b' THEN x.emb_b ELSE x.emb END IS NULL)
    OR EXISTS (SELECT FROM knowledge_chunk x WHERE x.tenant_id = %(tenant_id)s
               AND CASE %(place)s::text WHEN 'emb_a' THEN x.emb_a WHEN 'emb_b' THEN x.emb_b ELSE x.emb END IS NULL)
    OR EXISTS (SELECT FROM store_item x WHERE x.tenant_id = %(tenant_id)s
               AND CASE %(place)s::text WHEN 'emb_a' THEN x.vectors_a WHEN 'emb_b' THEN x.vectors_b ELSE x.vectors END IS NULL);

-- name: rows_clear
-- Some rows whose vectors of a place are no longer used.
WITH picked AS (
  SELECT x.scope_id, x.id FROM memory_index x
  WHERE x.tenant_id = %(tenant_id)s
    AND CASE %(place)s::text WHEN 'emb_a' THEN x.emb_a WHEN 'emb_b' THEN x.emb_b ELSE x.emb END IS NOT NULL
  LIMIT %(limit)s)
UPDATE memory_index i
SET emb = CASE WHEN %(place)s::text = 'emb' THEN NULL ELSE i.emb END,
    emb_a = CASE WHEN %(place)s::text = 'emb_a' THEN NULL ELSE i.emb_a END,
    emb_b = CASE WHEN %(place)s::text = 'emb_b' THEN NULL ELSE i.emb_b END
FROM picked s WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = s.scope_id AND i.id = s.id;

-- name: chunks_clear
WITH picked AS (
  SELECT x.scope_id, x.chunk_id FROM knowledge_chunk x
  WHERE x.tenant_id = %(tenant_id)s
    AND CASE %(place)s::text WHEN 'emb_a' THEN x.emb_a WHEN 'emb_b' THEN x.emb_b ELSE x.emb END IS NOT NULL
  LIMIT %(limit)s)
UPDATE knowledge_chunk i
SET emb = CASE WHEN %(place)s::text = 'emb' THEN NULL ELSE i.emb END,
    emb_a = CASE WHEN %(place)s::text = 'emb_a' THEN NULL ELSE i.emb_a END,
    emb_b = CASE WHEN %(place)s::text = 'emb_b' THEN NULL ELSE i.emb_b END
FROM picked s WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = s.scope_id AND i.chunk_id = s.chunk_id;

-- name: items_clear
WITH picked AS (
  SELECT x.scope_id, x.item_id FROM store_item x
  WHERE x.tenant_id = %(tenant_id)s
    AND CASE %(place)s::text WHEN 'emb_a' THEN x.vectors_a WHEN 'emb_b' THEN x.vectors_b ELSE x.vectors END IS NOT NULL
  LIMIT %(limit)s)
UPDATE store_item i
SET vectors = CASE WHEN %(place)s::text = 'emb' THEN NULL ELSE i.vectors END,
    vectors_a = CASE WHEN %(place)s::text = 'emb_a' THEN NULL ELSE i.vectors_a END,
    vectors_b = CASE WHEN %(place)s::text = 'emb_b' THEN NULL ELSE i.vectors_b END
FROM picked s WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = s.scope_id AND i.item_id = s.item_id;

-- name: embedding_clearable
SELECT EXISTS (SELECT FROM tenant_embedding WHERE tenant_id = %(tenant_id)s AND state = 'clearing'
                 AND changed_at <= %(now)s::timestamptz - make_interval(secs => %(wait)s::double precision));

-- name: embedding_shown
SELECT done, changed_at FROM tenant_embedding WHERE tenant_id = %(tenant_id)s;
