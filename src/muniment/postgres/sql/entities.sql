-- name: entity_put
INSERT INTO entity (tenant_id, scope_id, entity_id, kind, name, name_key, defined)
VALUES (%(tenant_id)s, %(scope_id)s, %(entity_id)s, %(kind)s, %(name)s, %(name_key)s, true)
ON CONFLICT (tenant_id, scope_id, entity_id) DO UPDATE SET kind = excluded.kind, defined = true;

-- name: entity_rows
-- Entities with every other name of each: aliases, and what was merged into it.
SELECT n.entity_id, n.kind, n.name, n.defined, n.defined OR n.kind = 'self' OR EXISTS (
    SELECT FROM memory_version v
    WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = n.scope_id AND v.subject_id = n.entity_id
      AND v.standing <> 'quarantined') AS shown, (
    SELECT coalesce(array_agg(other.name::text ORDER BY other.name COLLATE "C"), '{}') FROM (
      SELECT m.name FROM entity m
      WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = n.scope_id AND m.merged_into = n.entity_id
      UNION
      SELECT a.alias FROM entity_alias a
      WHERE a.tenant_id = %(tenant_id)s AND a.scope_id = n.scope_id AND (a.entity_id = n.entity_id OR a.entity_id IN (
        SELECT m.entity_id FROM entity m
        WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = n.scope_id AND m.merged_into = n.entity_id))
    ) AS other
  ) AS aliases
FROM entity n
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.entity_id = ANY(%(entities)s::uuid[]);

-- name: entities_page
-- Those that stand for themselves, in the order of their names; none that nobody defined and that only
-- what waits for a person, or was rejected, is about.
SELECT n.entity_id, n.name_key
FROM entity n
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.merged_into IS NULL AND n.kind <> 'self'
  AND (n.defined OR EXISTS (
    SELECT FROM memory_version v
    WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = n.entity_id
      AND v.standing <> 'quarantined'))
  AND (%(kind)s::text IS NULL OR n.kind = %(kind)s::text)
  AND (%(after)s::text IS NULL OR n.name_key COLLATE "C" > %(after)s::text)
ORDER BY n.name_key COLLATE "C" LIMIT %(limit)s;

-- name: entity_names_taken
-- Keys that name another entity than this one already.
SELECT taken.key FROM (
  SELECT n.name_key AS key FROM entity n
  WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.name_key = ANY(%(keys)s::text[])
    AND coalesce(n.merged_into, n.entity_id) <> %(entity_id)s
  UNION
  SELECT a.alias_key FROM entity_alias a JOIN entity n USING (tenant_id, scope_id, entity_id)
  WHERE a.tenant_id = %(tenant_id)s AND a.scope_id = %(scope_id)s AND a.alias_key = ANY(%(keys)s::text[])
    AND coalesce(n.merged_into, n.entity_id) <> %(entity_id)s
) AS taken;

-- name: entity_aliases_drop
DELETE FROM entity_alias WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND entity_id = %(entity_id)s;

-- name: entity_alias_insert
INSERT INTO entity_alias (tenant_id, scope_id, alias_key, alias, entity_id)
VALUES (%(tenant_id)s, %(scope_id)s, %(alias_key)s, %(alias)s, %(entity_id)s)
ON CONFLICT (tenant_id, scope_id, alias_key) DO NOTHING;

-- name: entity_facts
-- What holds of entities at a moment, with what it says: what matters most first.
SELECT v.version_id AS index_id, v.subject_id, m.value
FROM memory_version v
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = ANY(%(entities)s::uuid[])
  AND v.standing = 'asserted' AND NOT v.archived
  AND v.valid @> %(as_of)s::timestamptz AND v.recorded @> %(known_at)s::timestamptz
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
ORDER BY v.importance DESC, v.slot COLLATE "C" NULLS LAST, lower(v.valid), v.version_id
LIMIT %(limit)s;

-- name: entity_mentions
-- What holds of others and has the entity for its value, under one of its names.
SELECT v.version_id AS index_id, v.subject_id, m.value
FROM memory m
JOIN memory_version v ON v.tenant_id = m.tenant_id AND v.scope_id = m.scope_id AND v.memory_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.slot IS NOT NULL
  AND m.subject_id <> %(entity_id)s
  AND lower(m.value) IN (SELECT lower(name) FROM unnest(%(names)s::text[]) AS given (name))
  AND v.standing = 'asserted' AND NOT v.archived
  AND v.valid @> %(as_of)s::timestamptz AND v.recorded @> %(known_at)s::timestamptz
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
ORDER BY v.importance DESC, lower(v.valid), v.version_id
LIMIT %(limit)s;

-- name: entities_named
-- The entities behind keys of names.
SELECT n.name_key AS key, coalesce(n.merged_into, n.entity_id) AS entity_id FROM entity n
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.name_key = ANY(%(keys)s::text[])
UNION
SELECT a.alias_key, coalesce(n.merged_into, n.entity_id)
FROM entity_alias a JOIN entity n USING (tenant_id, scope_id, entity_id)
WHERE a.tenant_id = %(tenant_id)s AND a.scope_id = %(scope_id)s AND a.alias_key = ANY(%(keys)s::text[]);

-- name: entity_open_versions
-- What is held of an entity, expired or not, oldest first, with all that a statement of it needs.
SELECT v.version_id, v.memory_id, m.kind, m.text, m.slot, v.cardinality, m.value, m.detail, m.data_source, m.agent_id,
       m.metadata, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to, v.standing, v.trust, v.confidence,
       v.importance, v.pinned, v.archived, v.observed_at, v.category
FROM memory_version v
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = %(entity_id)s AND upper_inf(v.recorded)
ORDER BY lower(v.recorded), lower(v.valid), v.version_id;

-- name: entity_evidence
-- The turns that memories rest on.
SELECT r.memory_id, r.event_id, r.source_scope_id AS scope_id, r.session_pk, r.turn, r.observed_at, r.trust
FROM memory_evidence r
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.memory_id = ANY(%(memories)s::uuid[])
  AND r.session_pk IS NOT NULL AND NOT upper_inf(r.withdrawn)
ORDER BY r.observed_at, r.turn;

-- name: entity_merged_into
UPDATE entity SET merged_into = %(into)s::uuid, defined = true
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND entity_id = ANY(%(entities)s::uuid[]);

-- name: entity_followers
SELECT entity_id FROM entity
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND merged_into = %(entity_id)s::uuid ORDER BY entity_id;

-- name: entity_merge_insert
INSERT INTO entity_merge (tenant_id, scope_id, merge_id, source_id, target_id, followed, touched, began_at, ended_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(merge_id)s, %(source_id)s, %(target_id)s, %(followed)s::uuid[], %(touched)s::uuid[],
        %(began_at)s, %(ended_at)s);

-- name: entity_merge_find
SELECT g.scope_id, s.level, u.user_id, g.source_id, g.target_id, g.followed, g.touched, g.began_at, g.ended_at, g.undone_at
FROM entity_merge g JOIN scope s USING (tenant_id, scope_id)
LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
WHERE g.tenant_id = %(tenant_id)s AND g.merge_id = %(merge_id)s;

-- name: entity_merge_standing
-- The merge that moved what was held of an entity, if it was not undone.
SELECT merge_id FROM entity_merge
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND source_id = %(source_id)s AND undone_at IS NULL
ORDER BY merge_id DESC LIMIT 1;

-- name: entity_merge_undone
UPDATE entity_merge SET undone_at = %(at)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND merge_id = %(merge_id)s;

-- name: entity_versions_made
-- Versions that came about between two moments, and what holds the same yet: that one, or another of
-- its memory, which an undoing brought back.
SELECT v.version_id, v.trust, v.slot, CASE WHEN upper_inf(v.recorded) THEN v.version_id ELSE (
    SELECT w.version_id FROM memory_version w
    WHERE w.tenant_id = %(tenant_id)s AND w.scope_id = v.scope_id AND w.memory_id = v.memory_id AND upper_inf(w.recorded)
      AND (w.valid, w.standing, w.trust, w.pinned, w.retracted, w.archived)
        = (v.valid, v.standing, v.trust, v.pinned, v.retracted, v.archived)
    LIMIT 1) END AS held_as
FROM memory_version v
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = ANY(%(entities)s::uuid[])
  AND lower(v.recorded) BETWEEN %(began_at)s AND %(ended_at)s
  AND (upper_inf(v.recorded) OR upper(v.recorded) > %(ended_at)s);

-- name: entity_versions_ended
-- Versions that were held before the first moment and ended up to the second.
SELECT v.version_id
FROM memory_version v
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = ANY(%(entities)s::uuid[])
  AND lower(v.recorded) < %(began_at)s AND upper(v.recorded) BETWEEN %(began_at)s AND %(ended_at)s;

-- name: entity_said_of
-- Whether anything was ever said of it.
SELECT EXISTS (
  SELECT FROM memory m
  WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.subject_id = %(entity_id)s) AS said;

-- name: entity_remove
DELETE FROM entity
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND entity_id = ANY(%(entities)s::uuid[]) AND kind <> 'self';

-- name: entity_names
-- Every name in a scope, and whom it stands for.
SELECT coalesce(n.merged_into, n.entity_id) AS entity_id, n.name FROM entity n
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.kind <> 'self'
UNION ALL
SELECT coalesce(n.merged_into, n.entity_id), a.alias
FROM entity_alias a JOIN entity n USING (tenant_id, scope_id, entity_id)
WHERE a.tenant_id = %(tenant_id)s AND a.scope_id = %(scope_id)s
LIMIT %(limit)s;

-- name: named_facts
-- What holds of entities and is admitted by the filters of a recall, what matters most first.
SELECT v.version_id AS index_id, v.subject_id, m.value
FROM memory_version v
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = ANY(%(entities)s::uuid[])
  AND v.standing = 'asserted' AND NOT v.archived AND v.confidence >= %(confidence)s
  AND v.valid @> %(as_of)s::timestamptz AND v.recorded @> %(known_at)s::timestamptz
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
  AND (%(kinds)s::text[] IS NULL OR m.kind = ANY(%(kinds)s::text[]))
  AND (%(path)s::text IS NULL OR EXISTS (
    SELECT FROM item t
    WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s AND t.index_id = v.version_id
      AND jsonb_path_match(item_document(t), %(path)s::text::jsonpath, %(variables)s::jsonb)))
ORDER BY v.importance DESC, v.confidence DESC, v.slot COLLATE "C" NULLS LAST, lower(v.valid), v.version_id
LIMIT %(limit)s;

-- name: entity_touched
-- How many of these memories are there yet.
SELECT count(*) FROM memory
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = ANY(%(memories)s::uuid[]);
