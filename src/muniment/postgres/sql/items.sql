-- name: items_fetch
-- The wanted ids of one scope, every filter applied again, with the version of the scope that this
-- answer holds for. A row without an id says the version alone.
-- Each table is looked up by its key for each id, whatever the planner takes a scope's size to be:
-- LIMIT 1 keeps it from joining whole scopes. Tenant and scope are given to every table, so that the
-- partitions of the others are left alone.
SELECT t.version, t.watermark, i.id AS index_id, i.tier, i.kind, coalesce(i.event_id, i.episode_id, m.memory_id) AS id,
       coalesce(e.content, p.text, m.text) AS text, e.name, coalesce(e.occurred_at, p.ended_at, m.observed_at) AS as_of,
       CASE WHEN i.tier = 'semantic' THEN lower(i.valid) END AS valid_from,
       CASE WHEN i.tier = 'semantic' THEN upper(i.valid) END AS valid_to,
       lower(i.recorded) AS recorded_at, upper(i.recorded) AS superseded_at, i.standing,
       coalesce(e.trust, p.trust, m.trust) AS trust, i.confidence, i.importance, i.expires_at, m.slot, m.value,
       n.name AS subject, n.kind AS subject_kind, coalesce(e.data_source, m.data_source) AS data_source,
       coalesce(m.pinned, false) AS pinned, m.superseded_by, coalesce(m.retracted, false) AS retracted,
       coalesce(m.archived, p.archived, false) AS archived, coalesce(e.metadata, m.metadata, '{}') AS metadata,
       CASE
         WHEN e.turn IS NOT NULL THEN jsonb_build_array(jsonb_build_object('session_id', s.session_id, 'turn', e.turn))
         WHEN i.episode_id IS NOT NULL THEN (
           SELECT jsonb_agg(jsonb_build_object('session_id', s.session_id, 'turn', q.turn) ORDER BY q.turn)
           FROM episode_source r JOIN event q USING (tenant_id, scope_id, event_id)
           WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.episode_id = i.episode_id)
         WHEN i.version_id IS NOT NULL THEN (
           SELECT jsonb_agg(jsonb_build_object('session_id', session_named(r.tenant_id, r.source_scope_id, r.session_pk),
                                               'turn', r.turn) ORDER BY r.observed_at, r.turn)
           FROM memory_evidence r
           WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.memory_id = m.memory_id
             AND r.turn IS NOT NULL AND r.recorded_at <= %(known_at)s
             AND NOT r.withdrawn @> %(known_at)s)
       END AS evidence,
       CASE
         WHEN i.standing <> 'asserted' THEN NULL
         WHEN m.slot IS NOT NULL THEN (
           SELECT array_agg(c.memory_id ORDER BY c.memory_id) FROM memory_version c
           WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.subject_id = m.subject_id AND c.slot = m.slot
             AND c.standing = 'contested' AND c.memory_id <> m.memory_id
             AND c.valid @> %(as_of)s AND c.recorded @> %(known_at)s AND coalesce(c.expires_at > %(now)s, true))
         WHEN i.version_id IS NOT NULL THEN (
           SELECT array_agg(DISTINCT c.memory_id) FROM contest c
           WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.incumbent_id = m.memory_id
             AND c.valid @> %(as_of)s AND c.recorded @> %(known_at)s AND coalesce(c.expires_at > %(now)s, true))
       END AS contested_by,
       coalesce(m.is_durative, false) AS is_durative,
       CASE WHEN m.trust IN ('agent_inferred', 'external_content')
         THEN observers(%(tenant_id)s, %(scope_id)s, m.memory_id, %(known_at)s)
       END AS observers,
       p.knowledge
FROM scope_state t
LEFT JOIN unnest(%(ids)s::uuid[]) AS want (id) ON true
LEFT JOIN LATERAL (
  SELECT * FROM memory_index x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.id = want.id
    AND x.standing = ANY(%(standings)s::text[])
    AND (%(anytime)s OR (x.valid @> %(as_of)s::timestamptz AND x.recorded @> %(known_at)s::timestamptz))
    AND (x.expires_at IS NULL OR x.expires_at > %(now)s)
  LIMIT 1) i ON true
LEFT JOIN LATERAL (
  SELECT * FROM event x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.event_id = i.event_id LIMIT 1) e ON true
LEFT JOIN LATERAL (
  SELECT * FROM episode x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.episode_id = i.episode_id LIMIT 1) p ON true
LEFT JOIN LATERAL (
  SELECT * FROM session x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s
    AND x.session_pk = coalesce(e.session_pk, p.session_pk) LIMIT 1) s ON true
LEFT JOIN LATERAL (
  SELECT m.*, x.observed_at, x.trust, x.is_durative, x.pinned, x.superseded_by, x.retracted, x.archived
  FROM memory_version x JOIN memory m USING (tenant_id, scope_id, memory_id)
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.version_id = i.version_id LIMIT 1) m ON true
LEFT JOIN LATERAL (
  SELECT * FROM entity x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.entity_id = m.subject_id LIMIT 1) n ON true
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s;

-- name: contested_values
-- What those that contest something say instead.
SELECT m.memory_id, m.value FROM memory m
WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.memory_id = ANY(%(ids)s::uuid[]) AND m.value IS NOT NULL;

-- name: items_matching
-- Ids in one scope that a filter admits, with the version of the scope they hold for.
SELECT t.version, t.watermark, i.index_id
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
-- What a session starts with: pinned, single-valued and important facts that hold, and what is of
-- certain kinds; whether each could fit into so many characters, and how many there are. Each part is
-- looked up by an index of its own, so that it does not read the scope.
SELECT v.version_id AS index_id, char_length(m.text) <= %(characters)s AS fits, count(*) OVER () AS eligible
FROM (
  SELECT * FROM memory_version x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND (x.pinned OR x.cardinality = 'one')
  UNION ALL
  SELECT * FROM memory_version x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.importance >= %(importance)s
    AND NOT x.pinned AND x.cardinality IS DISTINCT FROM 'one'
  UNION ALL
  SELECT x.* FROM memory k
  CROSS JOIN LATERAL (
    SELECT * FROM memory_version y
    WHERE y.tenant_id = %(tenant_id)s AND y.scope_id = %(scope_id)s AND y.memory_id = k.memory_id OFFSET 0) x
  WHERE k.tenant_id = %(tenant_id)s AND k.scope_id = %(scope_id)s AND k.kind = ANY(%(kinds)s::text[])
    AND NOT x.pinned AND x.cardinality IS DISTINCT FROM 'one' AND x.importance < %(importance)s) v
CROSS JOIN LATERAL (
  SELECT y.text FROM memory y
  WHERE y.tenant_id = %(tenant_id)s AND y.scope_id = %(scope_id)s AND y.memory_id = v.memory_id LIMIT 1) m
WHERE v.standing = 'asserted' AND NOT v.archived
  AND v.valid @> %(as_of)s::timestamptz AND v.recorded @> %(known_at)s::timestamptz
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s) AND v.confidence >= %(floor)s
ORDER BY v.pinned DESC, v.importance DESC, v.slot COLLATE "C" NULLS LAST, lower(v.valid), v.memory_id, v.version_id
LIMIT %(limit)s;

-- name: context_profile
-- The same with what a context tells of each, those that could fit.
SELECT m.memory_id AS id, m.kind, m.text, v.slot, v.trust, v.observed_at AS as_of, upper(v.valid) AS valid_to, v.expires_at,
       v.is_durative,
       CASE WHEN v.slot IS NOT NULL THEN (
         SELECT array_agg(c.memory_id ORDER BY c.memory_id) FROM memory_version c
         WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.subject_id = v.subject_id AND c.slot = v.slot
           AND c.standing = 'contested' AND c.memory_id <> v.memory_id
           AND c.valid @> %(as_of)s::timestamptz AND c.recorded @> %(known_at)s::timestamptz
           AND (c.expires_at IS NULL OR c.expires_at > %(now)s))
       ELSE (
         SELECT array_agg(DISTINCT c.memory_id ORDER BY c.memory_id) FROM contest c
         WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.incumbent_id = v.memory_id
           AND c.valid @> %(as_of)s::timestamptz AND c.recorded @> %(known_at)s::timestamptz
           AND (c.expires_at IS NULL OR c.expires_at > %(now)s)) END AS contested_by
FROM (
  SELECT * FROM memory_version x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND (x.pinned OR x.cardinality = 'one')
  UNION ALL
  SELECT * FROM memory_version x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.importance >= %(importance)s
    AND NOT x.pinned AND x.cardinality IS DISTINCT FROM 'one'
  UNION ALL
  SELECT x.* FROM memory k
  CROSS JOIN LATERAL (
    SELECT * FROM memory_version y
    WHERE y.tenant_id = %(tenant_id)s AND y.scope_id = %(scope_id)s AND y.memory_id = k.memory_id OFFSET 0) x
  WHERE k.tenant_id = %(tenant_id)s AND k.scope_id = %(scope_id)s AND k.kind = ANY(%(kinds)s::text[])
    AND NOT x.pinned AND x.cardinality IS DISTINCT FROM 'one' AND x.importance < %(importance)s) v
CROSS JOIN LATERAL (
  SELECT y.memory_id, y.kind, y.text FROM memory y
  WHERE y.tenant_id = %(tenant_id)s AND y.scope_id = %(scope_id)s AND y.memory_id = v.memory_id LIMIT 1) m
WHERE v.standing = 'asserted' AND NOT v.archived
  AND v.valid @> %(as_of)s::timestamptz AND v.recorded @> %(known_at)s::timestamptz
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s) AND v.confidence >= %(floor)s
  AND char_length(m.text) <= %(characters)s
ORDER BY v.pinned DESC, v.importance DESC, v.slot COLLATE "C" NULLS LAST, lower(v.valid), v.memory_id, v.version_id
LIMIT %(limit)s;

-- name: item_places
-- Where an item that people name by its id lives, with the row of the index that is current.
SELECT s.scope_id, s.level, u.user_id, s.namespace
FROM (
  SELECT scope_id FROM memory WHERE tenant_id = %(tenant_id)s AND memory_id = %(id)s
  UNION ALL SELECT scope_id FROM event WHERE tenant_id = %(tenant_id)s AND event_id = %(id)s
  UNION ALL SELECT scope_id FROM episode WHERE tenant_id = %(tenant_id)s AND episode_id = %(id)s
  LIMIT 1) AS place
CROSS JOIN LATERAL (
  SELECT * FROM scope x WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = place.scope_id LIMIT 1) s
LEFT JOIN LATERAL (
  SELECT * FROM end_user x WHERE x.tenant_id = %(tenant_id)s AND x.user_pk = s.user_pk LIMIT 1) u ON true;

-- name: item_versions
-- Rows of the index behind one item that were recorded by then: what held comes first.
SELECT i.id AS index_id
FROM (
  SELECT %(id)s::uuid AS id
  UNION ALL SELECT v.version_id FROM memory_version v
  WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.memory_id = %(id)s::uuid) AS wanted
CROSS JOIN LATERAL (
  SELECT * FROM memory_index x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.id = wanted.id LIMIT 1) i
WHERE i.standing <> 'dropped' AND lower(i.recorded) <= %(known_at)s::timestamptz
ORDER BY (i.recorded @> %(known_at)s::timestamptz) DESC, (i.valid @> %(as_of)s::timestamptz) DESC,
         lower(i.recorded) DESC, lower(i.valid) DESC
LIMIT 1;
