-- What waits for a person. A memory shows once, by the first of its versions that wait.

-- name: review_page
SELECT * FROM (
  (SELECT v.version_id AS place, v.memory_id AS id, 'semantic' AS tier, v.standing AS why, s.level, u.user_id, s.namespace,
          m.kind, m.text, m.slot, m.value, v.trust, lower(v.recorded) AS recorded_at, v.expires_at,
          CASE WHEN v.standing IN ('contested', 'quarantined') THEN (
            SELECT jsonb_agg(jsonb_build_object('id', o.memory_id, 'text', b.text, 'value', b.value, 'trust', o.trust)
                             ORDER BY o.version_id)
            FROM memory_version o
            JOIN memory b ON b.tenant_id = %(tenant_id)s AND b.scope_id = o.scope_id AND b.memory_id = o.memory_id
            WHERE o.tenant_id = %(tenant_id)s AND o.scope_id = v.scope_id AND o.subject_id = v.subject_id
              AND o.standing = 'asserted' AND upper_inf(o.recorded) AND o.valid && v.valid
              AND (o.expires_at IS NULL OR o.expires_at > %(now)s)
              AND ((o.slot = v.slot AND v.standing = 'contested')
                   OR ((v.slot IS NULL OR v.standing = 'quarantined') AND o.memory_id IN (
                SELECT d.incumbent_id FROM decision d
                WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = v.scope_id AND d.memory_id = v.memory_id
                  AND d.outcome IN ('contested', 'quarantined'))))) END AS against
   FROM memory_version v
   JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
   JOIN scope s ON s.tenant_id = v.tenant_id AND s.scope_id = v.scope_id
   LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
   WHERE v.tenant_id = %(tenant_id)s AND %(semantic)s AND upper_inf(v.recorded) AND v.standing <> 'asserted'
     AND v.version_id > %(after)s::uuid AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
     AND (%(user_id)s::text IS NULL OR u.user_id = %(user_id)s::text) AND v.standing = ANY(%(why)s::text[])
     AND NOT EXISTS (SELECT FROM review r WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = v.scope_id AND r.version_id = v.version_id)
     AND NOT EXISTS (
       SELECT FROM memory_version w
       WHERE w.tenant_id = %(tenant_id)s AND w.scope_id = v.scope_id AND w.memory_id = v.memory_id
         AND w.version_id < v.version_id AND upper_inf(w.recorded) AND w.standing <> 'asserted'
         AND (w.expires_at IS NULL OR w.expires_at > %(now)s)
         AND NOT EXISTS (SELECT FROM review r WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = w.scope_id AND r.version_id = w.version_id))
   ORDER BY v.version_id LIMIT %(limit)s)
  UNION ALL
  (SELECT v.version_id, v.memory_id, 'semantic', 'unconfirmed', s.level, NULL, s.namespace, m.kind, m.text, m.slot, m.value,
          v.trust, lower(v.recorded), v.expires_at, NULL
   FROM scope s
   JOIN memory_version v ON v.tenant_id = s.tenant_id AND v.scope_id = s.scope_id AND upper_inf(v.recorded)
                        AND v.standing = 'asserted' AND v.trust IN ('agent_inferred', 'external_content')
   JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
   WHERE s.tenant_id = %(tenant_id)s AND %(semantic)s AND s.user_pk IS NULL AND %(user_id)s::text IS NULL
     AND 'unconfirmed' = ANY(%(why)s::text[]) AND v.version_id > %(after)s::uuid
     AND (v.expires_at IS NULL OR v.expires_at > %(now)s) AND observers(v.tenant_id, v.scope_id, v.memory_id) < 2
     AND NOT EXISTS (
       SELECT FROM memory_version w
       WHERE w.tenant_id = %(tenant_id)s AND w.scope_id = v.scope_id AND w.memory_id = v.memory_id
         AND w.version_id < v.version_id AND upper_inf(w.recorded) AND w.standing = 'asserted'
         AND w.trust IN ('agent_inferred', 'external_content') AND (w.expires_at IS NULL OR w.expires_at > %(now)s))
   ORDER BY v.version_id LIMIT %(limit)s)
  UNION ALL
  (SELECT e.event_id, e.event_id, 'episodic', 'quarantined', s.level, u.user_id, s.namespace, 'event', e.content, NULL, NULL,
          e.trust, e.recorded_at, e.expires_at, NULL
   FROM event e
   JOIN scope s ON s.tenant_id = e.tenant_id AND s.scope_id = e.scope_id
   LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
   WHERE e.tenant_id = %(tenant_id)s AND %(episodic)s AND e.standing = 'quarantined' AND 'quarantined' = ANY(%(why)s::text[])
     AND e.event_id > %(after)s::uuid AND (e.expires_at IS NULL OR e.expires_at > %(now)s)
     AND (%(user_id)s::text IS NULL OR u.user_id = %(user_id)s::text)
   ORDER BY e.event_id LIMIT %(limit)s)
) AS waiting
ORDER BY place LIMIT %(limit)s;

-- name: review_versions
-- The versions of one memory that wait, under the scope's lock.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, v.standing, v.trust, m.value, m.value_key, v.superseded_by,
       v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.text, v.slot, v.cardinality, v.subject_id, n.name AS subject,
       n.kind = 'self' AS of_self, m.detail, m.data_source, m.agent_id,
       (SELECT d.incumbent_id FROM decision d
        WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s AND d.memory_id = v.memory_id
          AND d.outcome IN ('contested', 'quarantined') AND d.incumbent_id IS NOT NULL ORDER BY d.decision_id DESC LIMIT 1) AS incumbent_id
FROM memory_version v
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
JOIN entity n ON n.tenant_id = v.tenant_id AND n.scope_id = v.scope_id AND n.entity_id = v.subject_id
JOIN scope s ON s.tenant_id = v.tenant_id AND s.scope_id = v.scope_id
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.memory_id = %(id)s AND upper_inf(v.recorded)
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
  AND (v.standing <> 'asserted' OR (s.user_pk IS NULL AND v.trust IN ('agent_inferred', 'external_content')
                                    AND observers(v.tenant_id, v.scope_id, v.memory_id) < 2))
  AND NOT EXISTS (SELECT FROM review r WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = v.scope_id AND r.version_id = v.version_id)
ORDER BY v.version_id;

-- name: review_event
-- A turn that waits, with what its index row is made of.
SELECT event_id, trust, category, recorded_at FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = %(id)s AND standing = 'quarantined'
  AND (expires_at IS NULL OR expires_at > %(now)s);

-- name: review_there
-- Whether anything of it is not past its time.
SELECT EXISTS (SELECT FROM memory_version WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = %(id)s
                 AND (expires_at IS NULL OR expires_at > %(now)s))
    OR EXISTS (SELECT FROM event WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = %(id)s
                 AND (expires_at IS NULL OR expires_at > %(now)s))
    OR EXISTS (SELECT FROM episode WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND episode_id = %(id)s
                 AND (expires_at IS NULL OR expires_at > %(now)s));

-- name: review_done
SELECT EXISTS (SELECT FROM review WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = %(id)s)
    OR EXISTS (SELECT FROM review WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = %(id)s);

-- name: review_requesters
-- Whose keys brought it here: who stated it, who supported it, who wrote the turns that it rests on.
SELECT DISTINCT w.key_id, k.principal
FROM (
  SELECT created_by AS key_id FROM memory
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = %(id)s
  UNION
  SELECT written_by FROM event WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = %(id)s
  UNION
  SELECT unnest(ARRAY[r.key_id, e.written_by]) FROM memory_evidence r
  LEFT JOIN event e ON e.tenant_id = r.tenant_id AND e.scope_id = r.source_scope_id AND e.event_id = r.event_id
  WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.memory_id = %(id)s) w
JOIN api_key k ON k.tenant_id = %(tenant_id)s AND k.key_id = w.key_id;

-- name: review_insert
INSERT INTO review (
  tenant_id, scope_id, review_id, event_id, memory_id, version_id, why, decision, reason, trust_before, trust_after, key_id,
  decided_at
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(review_id)s, %(event_id)s, %(memory_id)s, %(version_id)s, %(why)s, %(decision)s,
  %(reason)s, %(trust_before)s, %(trust_after)s, %(key_id)s, %(decided_at)s
);

-- name: version_reject
-- It was never so: its record ends, and says so.
UPDATE memory_version SET recorded = tstzrange(lower(recorded), %(at)s), retracted = true
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version_id = %(version_id)s AND upper_inf(recorded);

-- name: event_decided
UPDATE event SET standing = %(standing)s, kept = %(kept)s, rule = %(rule)s, retention_class = %(retention_class)s,
                 expires_at = %(expires_at)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = %(event_id)s;

-- name: event_index_decided
-- In the record of what is recalled from the decision on, or not at all.
UPDATE memory_index
SET standing = %(standing)s, rev = %(rev)s, expires_at = %(expires_at)s,
    recorded = CASE WHEN %(kept)s THEN tstzrange(%(at)s, NULL) ELSE tstzrange(lower(recorded), %(at)s) END
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND id = %(event_id)s;

-- name: erase_reviews
-- Of memories that lose a turn that they rest on: what a person said of them may name it.
DELETE FROM review WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = ANY(%(memories)s::uuid[]);
