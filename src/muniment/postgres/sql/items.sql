-- name: items_fetch
-- The top ids of one scope, every filter applied again, with the version of the scope that this
-- answer holds for. A row without an id says the version alone.
SELECT t.version, t.watermark, i.index_id, i.tier, i.kind, i.id, i.text, i.name, i.as_of,
       CASE WHEN i.tier = 'semantic' THEN lower(i.valid) END AS valid_from,
       CASE WHEN i.tier = 'semantic' THEN upper(i.valid) END AS valid_to,
       lower(i.recorded) AS recorded_at, upper(i.recorded) AS superseded_at, i.standing, i.trust,
       i.confidence, i.importance, i.expires_at, i.slot, i.value, i.subject, i.subject_kind, i.data_source,
       i.pinned, i.superseded_by, i.retracted, i.archived, i.metadata,
       CASE
         WHEN i.turn IS NOT NULL THEN jsonb_build_array(jsonb_build_object('session_id', i.session_id, 'turn', i.turn))
         WHEN i.episode_id IS NOT NULL THEN (
           SELECT jsonb_agg(jsonb_build_object('session_id', i.session_id, 'turn', q.turn) ORDER BY q.turn)
           FROM episode_source r JOIN event q USING (tenant_id, scope_id, event_id)
           WHERE r.tenant_id = i.tenant_id AND r.scope_id = i.scope_id AND r.episode_id = i.episode_id)
         WHEN i.memory_id IS NOT NULL THEN (
           SELECT jsonb_agg(jsonb_build_object('session_id', w.session_id, 'turn', r.turn) ORDER BY r.observed_at, r.turn)
           FROM memory_evidence r JOIN session w
             ON w.tenant_id = r.tenant_id AND w.scope_id = r.source_scope_id AND w.session_pk = r.session_pk
           WHERE r.tenant_id = i.tenant_id AND r.scope_id = i.scope_id AND r.memory_id = i.memory_id AND r.turn IS NOT NULL)
       END AS evidence,
       CASE WHEN i.slot IS NOT NULL AND i.standing = 'asserted' THEN (
         SELECT array_agg(c.memory_id ORDER BY c.memory_id) FROM memory_version c
         WHERE c.tenant_id = i.tenant_id AND c.scope_id = i.scope_id AND c.subject_id = i.subject_id AND c.slot = i.slot
           AND c.standing = 'contested' AND c.memory_id <> i.memory_id
           AND c.valid @> %(as_of)s::timestamptz AND c.recorded @> %(known_at)s::timestamptz
           AND (c.expires_at IS NULL OR c.expires_at > %(now)s))
       END AS contested_by
FROM scope_state t
LEFT JOIN item i ON i.tenant_id = t.tenant_id AND i.scope_id = t.scope_id AND i.index_id = ANY(%(ids)s::uuid[])
  AND i.standing = ANY(%(standings)s::text[])
  AND (%(anytime)s OR (i.valid @> %(as_of)s::timestamptz AND i.recorded @> %(known_at)s::timestamptz))
  AND (i.expires_at IS NULL OR i.expires_at > %(now)s)
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s;

-- name: items_matching
-- Ids in one scope that a filter admits, with the version of the scope they hold for.
SELECT t.version, t.watermark, i.index_id, i.id
FROM scope_state t
LEFT JOIN item i ON i.tenant_id = t.tenant_id AND i.scope_id = t.scope_id
  AND i.standing <> 'dropped' AND jsonb_path_match(item_document(i), %(path)s::jsonpath, %(variables)s::jsonb)
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s;

-- name: items_page
-- Ids of one page in one scope, oldest record first.
SELECT i.index_id, lower(i.recorded) AS recorded_at
FROM item i
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s
  AND i.tier = ANY(%(tiers)s::text[]) AND (%(kinds)s::text[] IS NULL OR i.kind = ANY(%(kinds)s::text[]))
  AND i.standing = ANY(%(standings)s::text[])
  AND i.valid @> %(as_of)s::timestamptz AND i.recorded @> %(known_at)s::timestamptz
  AND (i.expires_at IS NULL OR i.expires_at > %(now)s)
  AND (%(path)s::text IS NULL OR jsonb_path_match(item_document(i), %(path)s::text::jsonpath, %(variables)s::jsonb))
  AND (%(after_at)s::timestamptz IS NULL
       OR (lower(i.recorded), i.index_id) > (%(after_at)s::timestamptz, %(after_id)s::uuid))
ORDER BY lower(i.recorded), i.index_id LIMIT %(limit)s;

-- name: items_profile
-- What a session starts with: pinned, single-valued and important facts that hold, by key.
SELECT i.index_id
FROM item i JOIN memory_version v ON v.tenant_id = i.tenant_id AND v.scope_id = i.scope_id AND v.version_id = i.index_id
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s
  AND i.tier = 'semantic' AND i.standing = 'asserted' AND NOT i.archived
  AND i.valid @> %(as_of)s::timestamptz AND i.recorded @> %(known_at)s::timestamptz
  AND (i.expires_at IS NULL OR i.expires_at > %(now)s)
  AND (i.pinned OR v.cardinality = 'one' OR i.importance >= %(importance)s)
ORDER BY i.pinned DESC, i.importance DESC, i.slot NULLS LAST, lower(i.valid), i.index_id
LIMIT %(limit)s;

-- name: item_places
-- Where an item that people name by its id lives, with the row of the index that is current.
SELECT s.scope_id, s.level, u.user_id, s.namespace
FROM scope s LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
WHERE s.tenant_id = %(tenant_id)s AND s.scope_id IN (
  SELECT scope_id FROM memory WHERE tenant_id = %(tenant_id)s AND memory_id = %(id)s
  UNION ALL SELECT scope_id FROM event WHERE tenant_id = %(tenant_id)s AND event_id = %(id)s
  UNION ALL SELECT scope_id FROM episode WHERE tenant_id = %(tenant_id)s AND episode_id = %(id)s);

-- name: item_versions
-- Rows of the index behind one item that were recorded by then: what held comes first.
SELECT i.id AS index_id
FROM memory_index i
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s
  AND (i.id = %(id)s OR (i.group_id = %(id)s AND i.version_id IS NOT NULL))
  AND i.standing <> 'dropped' AND lower(i.recorded) <= %(known_at)s::timestamptz
ORDER BY (i.recorded @> %(known_at)s::timestamptz) DESC, (i.valid @> %(as_of)s::timestamptz) DESC,
         lower(i.recorded) DESC, lower(i.valid) DESC
LIMIT 1;
