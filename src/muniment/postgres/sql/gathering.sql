-- Many memories without a slot become one, and are given back when that one goes.

-- name: scopes_to_gather
-- Scopes of users that were written to since they were last looked at, those that wait longest first.
SELECT t.scope_id FROM scope_state t
JOIN scope s ON s.tenant_id = t.tenant_id AND s.scope_id = t.scope_id
JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
WHERE t.tenant_id = %(tenant_id)s AND t.watermark > t.gathered_at AND u.opted_out_at IS NULL
ORDER BY t.gathered_at, t.scope_id LIMIT %(limit)s;

-- name: gathering_of
-- A scope at one version, and what the turns weigh together that were not summed up yet.
SELECT t.version, t.summed_to,
       (SELECT coalesce(sum(e.importance), 0) FROM event e
        WHERE e.tenant_id = %(tenant_id)s AND e.scope_id = %(scope_id)s AND e.standing = 'asserted' AND e.role = 'user'
          AND e.recorded_at > t.summed_to AND (e.expires_at IS NULL OR e.expires_at > %(now)s))::bigint AS recent_importance
FROM scope_state t WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s;

-- name: loose_memories
-- What is held without a slot, is true without an end, and is neither pinned nor of great importance.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, v.standing, v.trust, m.value_key, v.superseded_by,
       v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.value, m.text, m.data_source, v.subject_id,
       CASE WHEN n.kind <> 'self' THEN n.name END AS subject
FROM memory_version v
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
JOIN entity n ON n.tenant_id = v.tenant_id AND n.scope_id = v.scope_id AND n.entity_id = v.subject_id
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND upper_inf(v.recorded) AND v.slot IS NULL
  AND v.standing = 'asserted' AND NOT v.archived AND NOT v.pinned AND NOT v.retracted AND v.importance < %(immune)s
  AND upper_inf(v.valid) AND lower(v.valid) < %(now)s AND m.kind = ANY(%(kinds)s::text[])
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
  AND NOT EXISTS ( -- who undid a summary does not want it again
    SELECT FROM memory_derivation d
    JOIN memory s ON s.tenant_id = %(tenant_id)s AND s.scope_id = d.scope_id AND s.memory_id = d.memory_id AND s.kind = 'summary'
    WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = v.scope_id AND d.source_id = v.memory_id)
ORDER BY v.observed_at, v.memory_id LIMIT %(limit)s;

-- name: gathering_evidence
-- The turns that these memories rest on, each once.
SELECT DISTINCT ON (r.source_scope_id, r.session_pk, r.turn)
       r.event_id, r.source_scope_id AS scope_id, r.session_pk, '' AS session_id, r.turn, 'user' AS role, '' AS content,
       r.observed_at AS occurred_at, r.trust, 'asserted' AS standing
FROM memory_evidence r
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.memory_id = ANY(%(memories)s::uuid[])
  AND r.turn IS NOT NULL AND NOT upper_inf(r.withdrawn)
ORDER BY r.source_scope_id, r.session_pk, r.turn, r.observed_at;

-- name: scope_gathered
-- No row if the scope moved on: then it waits for the next time.
UPDATE scope_state SET gathered_at = watermark, summed_to = CASE WHEN %(summed)s THEN watermark ELSE summed_to END
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version = %(version)s
RETURNING true;

-- name: versions_gathered
-- What is left of the memories behind summaries that go, and does not go itself.
SELECT v.version_id AS id
FROM memory_derivation d
JOIN memory s ON s.tenant_id = d.tenant_id AND s.scope_id = d.scope_id AND s.memory_id = d.memory_id AND s.kind = 'summary'
JOIN memory_version v ON v.tenant_id = d.tenant_id AND v.scope_id = d.scope_id AND v.memory_id = d.source_id
WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s AND d.memory_id = ANY(%(memories)s::uuid[])
  AND d.source_id <> ALL(%(memories)s::uuid[]) AND upper_inf(v.recorded) AND v.superseded_by = d.memory_id;

-- name: versions_to_reopen
-- Of these the ones that are still there.
SELECT version_id AS id, memory_id, trust, confidence FROM memory_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version_id = ANY(%(ids)s::uuid[]) AND upper_inf(recorded)
ORDER BY version_id;

-- name: version_reopen
INSERT INTO memory_version (
  tenant_id, scope_id, version_id, memory_id, subject_id, slot, cardinality, valid, recorded, standing,
  trust, confidence, importance, pinned, is_durative, archived, retracted, superseded_by, observed_at,
  expires_at, category, retention_class
)
SELECT tenant_id, scope_id, %(new_id)s, memory_id, subject_id, slot, cardinality, tstzrange(lower(valid), NULL),
       tstzrange(%(at)s, NULL), standing, trust, confidence, importance, pinned, is_durative, archived, false, NULL, observed_at,
       expires_at, category, retention_class
FROM memory_version WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version_id = %(id)s;

-- name: index_reopen
INSERT INTO memory_index (
  tenant_id, scope_id, version_id, group_id, position, rev, tier, kind, standing, valid, recorded, occurred_at,
  expires_at, importance, confidence, emb, emb_a, emb_b, terms
)
SELECT tenant_id, scope_id, %(new_id)s, group_id, position, %(rev)s, tier, kind, standing, tstzrange(lower(valid), NULL),
       tstzrange(%(at)s, NULL), occurred_at, expires_at, importance, confidence, emb, emb_a, emb_b, terms
FROM memory_index WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND id = %(id)s;
