-- What faded is archived: a new version on the record axis, with the vector and stems of the old one.
-- Of each importance what was last used before its cut has faded.

-- name: faded_due
-- How much has faded that an operator has not let go. OFFSET keeps the planner from reading a tenant
-- whole: each importance is looked up in the index for what fades.
SELECT
  (SELECT count(*)
   FROM unnest(%(importances)s::int[], %(cuts)s::timestamptz[], %(let_go)s::timestamptz[]) AS c (importance, cut, let_go)
   CROSS JOIN LATERAL (
     SELECT v.scope_id, v.memory_id, greatest(v.observed_at, lower(v.recorded), lower(v.valid)) AS used_at FROM memory_version v
     WHERE v.tenant_id = %(tenant_id)s AND v.importance = c.importance AND v.observed_at < c.cut
       AND upper_inf(v.recorded) AND v.standing = 'asserted' AND NOT v.archived AND NOT v.pinned
       AND coalesce(v.cardinality, 'many') = 'many' AND (v.expires_at IS NULL OR v.expires_at > %(now)s) OFFSET 0) v
   JOIN memory m ON m.tenant_id = %(tenant_id)s AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
   LEFT JOIN access a ON a.tenant_id = %(tenant_id)s AND a.scope_id = v.scope_id AND a.item_id = v.memory_id
   WHERE m.kind = ANY(%(kinds)s::text[]) AND greatest(v.used_at, a.last_at) < c.cut AND greatest(v.used_at, a.last_at) >= c.let_go)
  + (SELECT count(*)
     FROM unnest(%(importances)s::int[], %(cuts)s::timestamptz[], %(let_go)s::timestamptz[]) AS c (importance, cut, let_go)
     CROSS JOIN LATERAL (
       SELECT p.scope_id, p.episode_id, greatest(p.ended_at, lower(p.recorded)) AS used_at FROM episode p
       WHERE p.tenant_id = %(tenant_id)s AND p.importance = c.importance AND p.ended_at < c.cut
         AND upper_inf(p.recorded) AND NOT p.archived AND (p.expires_at IS NULL OR p.expires_at > %(now)s) OFFSET 0) p
     LEFT JOIN access a ON a.tenant_id = %(tenant_id)s AND a.scope_id = p.scope_id AND a.item_id = p.episode_id
     WHERE %(episodes)s AND greatest(p.used_at, a.last_at) < c.cut AND greatest(p.used_at, a.last_at) >= c.let_go);

-- name: faded
-- The next ones that faded, longest unused first. A memory goes as a whole, if nothing of it is pinned or was used.
(SELECT 'memory' AS what, v.scope_id, v.memory_id AS id
 FROM unnest(%(importances)s::int[], %(cuts)s::timestamptz[]) AS c (importance, cut)
 CROSS JOIN LATERAL (
   SELECT v.scope_id, v.memory_id, v.version_id, v.observed_at
   FROM memory_version v
   JOIN memory m ON m.tenant_id = %(tenant_id)s AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
   LEFT JOIN access a ON a.tenant_id = %(tenant_id)s AND a.scope_id = v.scope_id AND a.item_id = v.memory_id
   WHERE v.tenant_id = %(tenant_id)s AND v.importance = c.importance AND v.observed_at < c.cut
     AND upper_inf(v.recorded) AND v.standing = 'asserted' AND NOT v.archived AND NOT v.pinned
     AND coalesce(v.cardinality, 'many') = 'many' AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
     AND m.kind = ANY(%(kinds)s::text[])
     AND greatest(v.observed_at, lower(v.recorded), lower(v.valid), a.last_at) < c.cut
     AND NOT EXISTS (
       SELECT FROM memory_version o
       WHERE o.tenant_id = %(tenant_id)s AND o.scope_id = v.scope_id AND o.memory_id = v.memory_id AND upper_inf(o.recorded)
         AND (o.pinned OR greatest(o.observed_at, lower(o.recorded), lower(o.valid)) >= c.cut))
   ORDER BY v.observed_at LIMIT %(limit)s) v
 ORDER BY v.observed_at, v.version_id LIMIT %(limit)s)
UNION ALL
(SELECT 'episode', p.scope_id, p.episode_id
 FROM unnest(%(importances)s::int[], %(cuts)s::timestamptz[]) AS c (importance, cut)
 CROSS JOIN LATERAL (
   SELECT p.scope_id, p.episode_id, p.ended_at
   FROM episode p
   LEFT JOIN access a ON a.tenant_id = %(tenant_id)s AND a.scope_id = p.scope_id AND a.item_id = p.episode_id
   WHERE p.tenant_id = %(tenant_id)s AND p.importance = c.importance AND p.ended_at < c.cut
     AND upper_inf(p.recorded) AND NOT p.archived AND (p.expires_at IS NULL OR p.expires_at > %(now)s)
     AND greatest(p.ended_at, lower(p.recorded), a.last_at) < c.cut
   ORDER BY p.ended_at LIMIT %(limit)s) p
 WHERE %(episodes)s
 ORDER BY p.ended_at, p.episode_id LIMIT %(limit)s);

-- name: faded_versions
-- What is held of these memories, as it stands under the scope's lock.
SELECT v.version_id, v.memory_id, v.importance, v.trust, v.confidence, v.expires_at, v.pinned,
       greatest(v.observed_at, lower(v.recorded), lower(v.valid), a.last_at) AS last_used_at
FROM memory_version v
LEFT JOIN access a ON a.tenant_id = v.tenant_id AND a.scope_id = v.scope_id AND a.item_id = v.memory_id
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.memory_id = ANY(%(ids)s::uuid[])
  AND upper_inf(v.recorded) AND v.standing = 'asserted' AND NOT v.archived
ORDER BY v.memory_id, lower(v.valid);

-- name: faded_episodes
SELECT p.episode_id, p.importance, p.expires_at, greatest(p.ended_at, lower(p.recorded), a.last_at) AS last_used_at
FROM episode p
LEFT JOIN access a ON a.tenant_id = p.tenant_id AND a.scope_id = p.scope_id AND a.item_id = p.episode_id
WHERE p.tenant_id = %(tenant_id)s AND p.scope_id = %(scope_id)s AND p.episode_id = ANY(%(ids)s::uuid[])
  AND upper_inf(p.recorded) AND NOT p.archived;

-- name: version_archive
INSERT INTO memory_version (
  tenant_id, scope_id, version_id, memory_id, subject_id, slot, cardinality, valid, recorded, standing,
  trust, confidence, importance, pinned, is_durative, archived, retracted, superseded_by, observed_at,
  expires_at, category, retention_class
)
SELECT tenant_id, scope_id, %(new_id)s, memory_id, subject_id, slot, cardinality, valid, tstzrange(%(at)s, NULL), standing,
       trust, confidence, importance, pinned, is_durative, true, retracted, superseded_by, observed_at,
       %(expires_at)s, category, retention_class
FROM memory_version WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version_id = %(id)s;

-- name: episode_archive
INSERT INTO episode (
  tenant_id, scope_id, episode_id, session_pk, text, outcome, started_at, ended_at, through_turn, recorded, trust,
  importance, archived, category, retention_class, expires_at, knowledge
)
SELECT tenant_id, scope_id, %(new_id)s, session_pk, text, outcome, started_at, ended_at, through_turn,
       tstzrange(%(at)s, NULL), trust, importance, true, category, retention_class, %(expires_at)s, knowledge
FROM episode WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND episode_id = %(id)s;

-- name: episode_source_copy
INSERT INTO episode_source (tenant_id, scope_id, episode_id, event_id)
SELECT tenant_id, scope_id, %(new_id)s, event_id FROM episode_source
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND episode_id = %(id)s;

-- name: index_archive
-- The row of an archived version or summary: that of the one before, under the new id.
INSERT INTO memory_index (
  tenant_id, scope_id, episode_id, version_id, group_id, position, rev, tier, kind, standing, valid, recorded,
  occurred_at, expires_at, importance, confidence, emb, emb_a, emb_b, terms
)
SELECT tenant_id, scope_id, CASE WHEN episode_id IS NOT NULL THEN %(new_id)s::uuid END,
       CASE WHEN version_id IS NOT NULL THEN %(new_id)s::uuid END,
       CASE WHEN episode_id IS NOT NULL THEN %(new_id)s::uuid ELSE group_id END, position, %(rev)s, tier, kind, 'archived',
       valid, tstzrange(%(at)s, NULL), occurred_at, %(expires_at)s, importance, confidence, emb, emb_a, emb_b, terms
FROM memory_index WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND id = %(id)s;
