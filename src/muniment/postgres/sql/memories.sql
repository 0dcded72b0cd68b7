-- name: entity_ensure
INSERT INTO entity (tenant_id, scope_id, entity_id, kind, name, name_key)
VALUES (%(tenant_id)s, %(scope_id)s, %(entity_id)s, %(kind)s, %(name)s, %(name_key)s)
ON CONFLICT (tenant_id, scope_id, name_key) DO NOTHING;

-- name: entity_find
-- By its name or another name of it; one that was merged is the one that it turned out to be.
SELECT coalesce(merged_into, entity_id) AS entity_id FROM entity
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND name_key = %(name_key)s
UNION ALL
SELECT coalesce(n.merged_into, n.entity_id)
FROM entity_alias a JOIN entity n USING (tenant_id, scope_id, entity_id)
WHERE a.tenant_id = %(tenant_id)s AND a.scope_id = %(scope_id)s AND a.alias_key = %(name_key)s
LIMIT 1;

-- name: versions_in_slot
-- What is held in one slot of one subject: the versions whose record is open, expired ones too.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, v.standing, v.trust, m.value, m.value_key, v.superseded_by,
       v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.text
FROM memory_version v JOIN memory m USING (tenant_id, scope_id, memory_id)
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = %(subject_id)s
  AND v.slot = %(slot)s AND upper_inf(v.recorded);

-- name: versions_alike
-- Memories without a slot that say the same: what a repetition reinforces.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, v.standing, v.trust, m.value, m.value_key, v.superseded_by,
       v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.text
FROM memory_version v JOIN memory m USING (tenant_id, scope_id, memory_id)
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = %(subject_id)s
  AND v.slot IS NULL AND m.kind = %(kind)s AND m.data_source IS NOT DISTINCT FROM %(data_source)s::text
  AND m.text = %(text)s AND upper_inf(v.recorded) AND v.standing <> 'quarantined'
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
ORDER BY lower(v.valid);

-- name: memory_insert
INSERT INTO memory (
  tenant_id, scope_id, memory_id, kind, subject_id, slot, value, value_key, text, detail, data_source,
  agent_id, metadata, created_at, created_by
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(memory_id)s, %(kind)s, %(subject_id)s, %(slot)s, %(value)s,
  %(value_key)s, %(text)s, %(detail)s, %(data_source)s, %(agent_id)s, %(metadata)s, %(created_at)s,
  %(created_by)s
);

-- name: version_insert
INSERT INTO memory_version (
  tenant_id, scope_id, version_id, memory_id, subject_id, slot, cardinality, valid, recorded, standing,
  trust, confidence, importance, pinned, is_durative, archived, retracted, superseded_by, observed_at,
  expires_at, category, retention_class
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(version_id)s, %(memory_id)s, %(subject_id)s, %(slot)s, %(cardinality)s,
  tstzrange(%(valid_from)s, %(valid_to)s), tstzrange(%(recorded_from)s, %(recorded_to)s), %(standing)s,
  %(trust)s, %(confidence)s, %(importance)s, %(pinned)s, %(is_durative)s, %(archived)s, %(retracted)s,
  %(superseded_by)s, %(observed_at)s, %(expires_at)s, %(category)s, %(retention_class)s
);

-- name: version_end
UPDATE memory_version SET recorded = tstzrange(lower(recorded), %(at)s), ended_by = %(ended_by)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version_id = %(version_id)s AND upper_inf(recorded);

-- name: evidence_insert
INSERT INTO memory_evidence (
  tenant_id, scope_id, evidence_id, memory_id, source_scope_id, session_pk, event_id, turn, key_id, trust,
  observed_at, recorded_at
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(evidence_id)s, %(memory_id)s, %(source_scope_id)s, %(session_pk)s,
  %(event_id)s, %(turn)s, %(key_id)s, %(trust)s, %(observed_at)s, %(recorded_at)s
) ON CONFLICT (tenant_id, scope_id, memory_id, source_scope_id, session_pk, turn) DO NOTHING;

-- name: turns_cited
-- What a memory may rest on: not what was asked not to be remembered.
SELECT e.event_id, e.scope_id, e.session_pk, s.session_id, e.turn, e.role, e.content, e.occurred_at, e.trust, e.standing,
       s.no_store
FROM (SELECT DISTINCT * FROM unnest(%(sessions)s::text[], %(turns)s::int[]) AS given (session_id, turn)) AS wanted
CROSS JOIN LATERAL (
  SELECT * FROM session x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.session_id = wanted.session_id LIMIT 1) s
CROSS JOIN LATERAL (
  SELECT * FROM event x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.session_pk = s.session_pk
    AND x.turn = wanted.turn LIMIT 1) e
WHERE e.reason <> 'privacy' AND (e.expires_at IS NULL OR e.expires_at > %(now)s);

-- name: decision_insert
INSERT INTO decision (
  tenant_id, scope_id, decision_id, memory_id, incumbent_id, outcome, rule, inputs, key_id, decided_at
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(decision_id)s, %(memory_id)s, %(incumbent_id)s, %(outcome)s, %(rule)s,
  %(inputs)s, %(key_id)s, %(decided_at)s
);

-- name: memory_scope
SELECT m.scope_id, s.level, u.user_id
FROM memory m JOIN scope s USING (tenant_id, scope_id)
LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = %(memory_id)s;

-- name: memory_history
-- Every version of a memory and of what stood in its slot before and after, oldest record first.
SELECT v.version_id, v.memory_id AS id, m.text, m.slot, m.value, lower(v.valid) AS valid_from,
       upper(v.valid) AS valid_to, lower(v.recorded) AS recorded_at, upper(v.recorded) AS superseded_at,
       coalesce(v.ended_by, v.superseded_by) AS superseded_by, v.standing, v.trust, v.confidence, v.importance,
       v.pinned, v.retracted, v.archived,
       v.observed_at, v.expires_at,
       coalesce((
         SELECT jsonb_agg(jsonb_build_object('outcome', d.outcome, 'rule', d.rule, 'decided_at', d.decided_at)
                          ORDER BY d.decided_at)
         FROM decision d
         WHERE d.tenant_id = v.tenant_id AND d.scope_id = v.scope_id AND d.decided_at = lower(v.recorded)
           AND (d.memory_id = v.memory_id OR d.incumbent_id = v.memory_id)), '[]') AS decisions
FROM memory own
JOIN memory m ON m.tenant_id = own.tenant_id AND m.scope_id = own.scope_id AND m.subject_id = own.subject_id
             AND (m.memory_id = own.memory_id OR m.slot = own.slot)
JOIN memory_version v ON v.tenant_id = m.tenant_id AND v.scope_id = m.scope_id AND v.memory_id = m.memory_id
WHERE own.tenant_id = %(tenant_id)s AND own.scope_id = %(scope_id)s AND own.memory_id = %(memory_id)s
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
ORDER BY lower(v.recorded), lower(v.valid), v.version_id;
