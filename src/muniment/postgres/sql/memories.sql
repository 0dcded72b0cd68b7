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
  AND v.slot = %(slot)s AND upper_inf(v.recorded)
ORDER BY lower(v.valid), v.version_id;

-- name: versions_said
-- Memories without a slot with the values, the polarity and the words of content of a candidate: its
-- own text first.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, v.standing, v.trust, m.value, m.value_key, v.superseded_by,
       v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.text
FROM memory m
JOIN memory_version v ON v.tenant_id = m.tenant_id AND v.scope_id = m.scope_id AND v.memory_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.said = %(said)s
  AND m.subject_id = %(subject_id)s AND m.kind = %(kind)s AND m.data_source IS NOT DISTINCT FROM %(data_source)s::text
  AND upper_inf(v.recorded) AND v.standing <> 'quarantined' AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
ORDER BY m.text = %(text)s DESC, v.memory_id, lower(v.valid) LIMIT %(limit)s;

-- name: versions_alike
-- Memories without a slot with the values and the polarity of a candidate: its own text first, then
-- the nearest.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, v.standing, v.trust, m.value, m.value_key, v.superseded_by,
       v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.text, 
       (CASE %(place)s::text WHEN 'emb_a' THEN i.emb_a WHEN 'emb_b' THEN i.emb_b ELSE i.emb END) <-> %(emb)s::halfvec AS distance
FROM memory m
JOIN memory_version v ON v.tenant_id = m.tenant_id AND v.scope_id = m.scope_id AND v.memory_id = m.memory_id
JOIN memory_index i ON i.tenant_id = v.tenant_id AND i.scope_id = v.scope_id AND i.id = v.version_id
WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.alike = %(alike)s
  AND m.subject_id = %(subject_id)s AND m.kind = %(kind)s AND m.data_source IS NOT DISTINCT FROM %(data_source)s::text
  AND upper_inf(v.recorded) AND v.standing <> 'quarantined' AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
ORDER BY m.text = %(text)s DESC, distance, v.memory_id, lower(v.valid) LIMIT %(limit)s;

-- name: sessions_seen
-- In which sessions what a memory says was seen; what it restates at a higher grade counts along.
WITH RECURSIVE said AS (
  SELECT t.memory_id FROM unnest(%(memories)s::uuid[]) AS t (memory_id)
  UNION
  SELECT v.memory_id FROM said
  JOIN decision d ON d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s AND d.memory_id = said.memory_id
    AND 'restated_at_higher_grade' IN (d.rule, d.inputs ->> 'reconciled_by')
  JOIN memory_version v ON v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.ended_by = said.memory_id
    AND upper(v.recorded) = d.decided_at
)
SELECT DISTINCT r.session_pk FROM said
JOIN memory_evidence r ON r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.memory_id = said.memory_id
WHERE r.session_pk IS NOT NULL AND r.trust <> 'external_content' AND NOT upper_inf(r.withdrawn);

-- name: versions_of_memory
-- What of one memory is asserted, by the versions whose record is open.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, v.standing, v.trust, m.value, m.value_key, v.superseded_by,
       v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.text
FROM memory_version v JOIN memory m USING (tenant_id, scope_id, memory_id)
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.memory_id = %(memory_id)s AND upper_inf(v.recorded)
  AND v.standing = 'asserted' AND (v.expires_at IS NULL OR v.expires_at > %(now)s);

-- name: memory_insert
INSERT INTO memory (
  tenant_id, scope_id, memory_id, kind, subject_id, slot, value, value_key, text, alike, said, detail, data_source,
  agent_id, metadata, created_at, created_by
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(memory_id)s, %(kind)s, %(subject_id)s, %(slot)s, %(value)s,
  %(value_key)s, %(text)s, %(alike)s, %(said)s, %(detail)s, %(data_source)s, %(agent_id)s, %(metadata)s, %(created_at)s,
  %(created_by)s
);

-- name: version_insert
INSERT INTO memory_version (
  tenant_id, scope_id, version_id, memory_id, subject_id, slot, cardinality, valid, recorded, standing,
  trust, confidence, importance, pinned, is_durative, archived, retracted, superseded_by, restores,
  observed_at, expires_at, category, retention_class
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(version_id)s, %(memory_id)s, %(subject_id)s, %(slot)s, %(cardinality)s,
  tstzrange(%(valid_from)s, %(valid_to)s), tstzrange(%(recorded_from)s, %(recorded_to)s), %(standing)s,
  %(trust)s, %(confidence)s, %(importance)s, %(pinned)s, %(is_durative)s, %(archived)s, %(retracted)s,
  %(superseded_by)s, %(restores)s, %(observed_at)s, %(expires_at)s, %(category)s, %(retention_class)s
);

-- name: version_end
UPDATE memory_version SET recorded = tstzrange(lower(recorded), %(at)s), ended_by = %(ended_by)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version_id = %(version_id)s AND upper_inf(recorded);

-- name: proposals_answered
-- What waits since a key only proposed it, and says no more than what a memory holds now: it waits no
-- longer. A proposal that also says what is wrong waits on while that holds.
WITH said AS (
  SELECT v.version_id FROM memory_version v
  WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = %(subject_id)s AND v.slot = %(slot)s::text
    AND v.standing = 'quarantined' AND upper_inf(v.recorded)
  UNION ALL
  SELECT v.version_id FROM memory m
  JOIN memory_version v ON v.tenant_id = m.tenant_id AND v.scope_id = m.scope_id AND v.memory_id = m.memory_id
  WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.said = %(said)s::bigint AND m.text = %(text)s
    AND v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = %(subject_id)s
    AND v.standing = 'quarantined' AND upper_inf(v.recorded)
), answered AS (
  SELECT v.version_id, v.memory_id, row_number() OVER (ORDER BY v.version_id) AS place
  FROM said
  JOIN memory_version v ON v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.version_id = said.version_id
  JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
  WHERE m.kind = %(kind)s AND m.value_key IS NOT DISTINCT FROM %(value_key)s::text
    AND m.data_source IS NOT DISTINCT FROM %(data_source)s::text AND v.trust = ANY(%(trusts)s::trust_grade[])
    AND EXISTS (
      SELECT FROM memory_version h
      WHERE h.tenant_id = %(tenant_id)s AND h.scope_id = %(scope_id)s AND h.memory_id = %(memory_id)s
        AND h.standing = 'asserted' AND upper_inf(h.recorded) AND (h.expires_at IS NULL OR h.expires_at > %(now)s)
        AND CASE WHEN lower(v.valid) = v.observed_at THEN h.valid && v.valid AND upper(h.valid) IS NOT DISTINCT FROM upper(v.valid)
                 ELSE h.valid @> v.valid END)
    AND EXISTS (
      SELECT FROM decision d
      WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s AND d.memory_id = v.memory_id
        AND d.outcome = 'quarantined' AND d.rule = 'proposed')
    AND NOT EXISTS (
      SELECT FROM decision d
      JOIN memory_version w ON w.tenant_id = d.tenant_id AND w.scope_id = d.scope_id AND w.memory_id = d.incumbent_id
      WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s AND d.memory_id = v.memory_id AND d.outcome = 'quarantined'
        AND d.incumbent_id <> %(memory_id)s AND w.standing <> 'quarantined' AND upper_inf(w.recorded)
        AND w.valid && v.valid AND (w.expires_at IS NULL OR w.expires_at > %(now)s))
), ended AS (
  UPDATE memory_version v SET recorded = tstzrange(lower(v.recorded), %(at)s), ended_by = %(memory_id)s
  FROM answered a
  WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.version_id = a.version_id
    AND a.place <= cardinality(%(decisions)s::uuid[])
  RETURNING v.version_id, v.memory_id, v.trust, v.confidence, a.place
), noted AS (
  INSERT INTO decision (
    tenant_id, scope_id, decision_id, memory_id, incumbent_id, outcome, rule, inputs, ended, made, key_id, decided_at
  )
  SELECT %(tenant_id)s, %(scope_id)s, (%(decisions)s::uuid[])[e.place], e.memory_id, %(memory_id)s, 'superseded', 'held_already',
         jsonb_build_object('trust', e.trust, 'confidence', e.confidence), ARRAY[e.version_id], '{}', %(key_id)s, %(at)s
  FROM ended e
)
UPDATE memory_index i SET recorded = tstzrange(lower(i.recorded), %(at)s), rev = %(rev)s
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.id IN (SELECT version_id FROM ended) AND upper_inf(i.recorded);

-- name: evidence_insert
-- A turn that was withdrawn supports it again.
INSERT INTO memory_evidence (
  tenant_id, scope_id, evidence_id, memory_id, source_scope_id, session_pk, event_id, turn, key_id, trust,
  observed_at, recorded_at
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(evidence_id)s, %(memory_id)s, %(source_scope_id)s, %(session_pk)s,
  %(event_id)s, %(turn)s, %(key_id)s, %(trust)s, %(observed_at)s, %(recorded_at)s
) ON CONFLICT (tenant_id, scope_id, memory_id, source_scope_id, session_pk, turn)
DO UPDATE SET withdrawn = memory_evidence.withdrawn - tstzmultirange(tstzrange(excluded.recorded_at, NULL));

-- name: evidence_withdraw
-- What a decision brought does not support the memory any more.
UPDATE memory_evidence SET withdrawn = withdrawn + tstzmultirange(tstzrange(%(at)s, NULL))
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = %(memory_id)s
  AND NOT upper_inf(withdrawn)
  AND (recorded_at = %(decided_at)s OR EXISTS (SELECT FROM unnest(withdrawn) w WHERE upper(w) = %(decided_at)s));

-- name: evidence_restore
-- What a decision withdrew supports the memory again.
UPDATE memory_evidence SET withdrawn = withdrawn - tstzmultirange(tstzrange(%(at)s, NULL))
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = %(memory_id)s
  AND EXISTS (SELECT FROM unnest(withdrawn) w WHERE lower(w) = %(decided_at)s AND upper_inf(w));

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
  tenant_id, scope_id, decision_id, memory_id, incumbent_id, outcome, rule, inputs, ended, made, undoes, key_id,
  decided_at
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(decision_id)s, %(memory_id)s, %(incumbent_id)s, %(outcome)s, %(rule)s,
  %(inputs)s, %(ended)s::uuid[], %(made)s::uuid[], %(undoes)s, %(key_id)s, %(decided_at)s
);

-- name: decisions_about
-- Decisions about a memory, and those of moments at which versions began or ended.
SELECT d.decision_id, d.memory_id, d.outcome, d.rule, d.ended, d.made, d.undoes, d.inputs ->> 'trust' AS trust, d.decided_at
FROM (
  SELECT decision_id FROM decision
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = %(memory_id)s
  UNION
  SELECT decision_id FROM decision
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND decided_at = ANY(%(moments)s::timestamptz[])) AS found
CROSS JOIN LATERAL (
  SELECT * FROM decision x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.decision_id = found.decision_id LIMIT 1) d
ORDER BY d.decided_at, d.decision_id;

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
         WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = v.scope_id AND d.decided_at = lower(v.recorded)
           AND (d.memory_id = v.memory_id OR d.incumbent_id = v.memory_id)), '[]') AS decisions
FROM (
  SELECT %(memory_id)s::uuid AS memory_id
  UNION
  SELECT o.memory_id FROM memory own
  JOIN memory o ON o.tenant_id = own.tenant_id AND o.scope_id = own.scope_id AND o.subject_id = own.subject_id AND o.slot = own.slot
  WHERE own.tenant_id = %(tenant_id)s AND own.scope_id = %(scope_id)s AND own.memory_id = %(memory_id)s) told
JOIN memory m ON m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.memory_id = told.memory_id
JOIN memory_version v ON v.tenant_id = m.tenant_id AND v.scope_id = m.scope_id AND v.memory_id = m.memory_id
WHERE v.expires_at IS NULL OR v.expires_at > %(now)s
ORDER BY lower(v.recorded), lower(v.valid), v.version_id;

-- name: version_ids_of_memory
SELECT version_id FROM memory_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = %(memory_id)s;

-- name: version_ids_of_roots
-- Versions with the content of these, by an undo or as they were first.
SELECT version_id FROM memory_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version_id = ANY(%(roots)s::uuid[])
UNION
SELECT version_id FROM memory_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND restores = ANY(%(roots)s::uuid[]);

-- name: version_ids_beside
-- What is held in one slot of a subject, or without a slot in certain words, and what these replaced.
SELECT v.version_id
FROM memory_version v JOIN memory m USING (tenant_id, scope_id, memory_id)
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = %(subject_id)s
  AND v.slot IS NOT DISTINCT FROM %(slot)s::text AND (%(slot)s::text IS NOT NULL OR m.text = ANY(%(texts)s::text[]))
  AND upper_inf(v.recorded) AND v.standing <> 'quarantined'
UNION
SELECT v.version_id FROM memory_version v
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.superseded_by = ANY(%(memories)s::uuid[])
  AND v.subject_id = %(subject_id)s AND v.slot IS NOT DISTINCT FROM %(slot)s::text AND upper_inf(v.recorded)
  AND v.standing <> 'quarantined';

-- name: versions_kept
-- Versions by their ids, with the memory and what it is about.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, upper(v.recorded) AS recorded_to, v.standing, v.trust, m.value_key,
       v.superseded_by, v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.text, v.slot, v.cardinality, m.value, v.subject_id,
       n.name AS subject, n.kind = 'self' AS of_self, m.data_source, coalesce(v.restores, v.version_id) AS root
FROM unnest(%(ids)s::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM memory_version x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.version_id = wanted.id LIMIT 1) v
CROSS JOIN LATERAL (
  SELECT * FROM memory x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.memory_id = v.memory_id LIMIT 1) m
CROSS JOIN LATERAL (
  SELECT * FROM entity x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.entity_id = v.subject_id LIMIT 1) n
ORDER BY lower(v.valid), v.version_id;

-- name: turns_at_instant
-- The last turn of a session that said each of these memories at one instant.
SELECT r.memory_id, max(r.turn) AS turn
FROM memory_evidence r
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.memory_id = ANY(%(memories)s::uuid[])
  AND r.source_scope_id = %(source_scope_id)s AND r.session_pk = %(session_pk)s AND r.observed_at = %(at)s
  AND NOT upper_inf(r.withdrawn)
GROUP BY r.memory_id;

-- name: derivation_insert
INSERT INTO memory_derivation (tenant_id, scope_id, memory_id, source_id)
VALUES (%(tenant_id)s, %(scope_id)s, %(memory_id)s, %(source_id)s)
ON CONFLICT (tenant_id, scope_id, memory_id, source_id) DO NOTHING;

-- name: lineage_evidence
SELECT session_named(r.tenant_id, r.source_scope_id, r.session_pk) AS session_id, r.turn, r.event_id, r.key_id, r.trust,
       r.observed_at, r.recorded_at,
       (SELECT lower(w) FROM unnest(r.withdrawn) w WHERE upper_inf(w)) AS withdrawn_at
FROM memory_evidence r
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.memory_id = %(memory_id)s
ORDER BY r.recorded_at, r.observed_at, r.turn;

-- name: lineage_derivations
-- What the memory was made of, and what that was made of again; and what was made of it.
WITH RECURSIVE up AS (
  SELECT tenant_id, scope_id, memory_id, source_id FROM memory_derivation
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = %(memory_id)s
  UNION
  SELECT d.tenant_id, d.scope_id, d.memory_id, d.source_id FROM memory_derivation d
  JOIN up ON up.tenant_id = d.tenant_id AND up.scope_id = d.scope_id AND up.source_id = d.memory_id
), down AS (
  SELECT tenant_id, scope_id, memory_id, source_id FROM memory_derivation
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND source_id = %(memory_id)s
  UNION
  SELECT d.tenant_id, d.scope_id, d.memory_id, d.source_id FROM memory_derivation d
  JOIN down ON down.tenant_id = d.tenant_id AND down.scope_id = d.scope_id AND down.memory_id = d.source_id
)
SELECT memory_id AS id, source_id, true AS up FROM up
UNION ALL SELECT memory_id, source_id, false FROM down
ORDER BY 3, 1, 2;

-- name: lineage_links
-- What took the place of the memory, in the world or on the record, and whose place it took.
SELECT DISTINCT later.id, later.later FROM (
  SELECT unnest(ARRAY[v.superseded_by, v.ended_by]) AS id, true AS later FROM memory_version v
  WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.memory_id = %(memory_id)s
  UNION ALL SELECT v.memory_id, false FROM memory_version v
  WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.superseded_by = %(memory_id)s
    AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
  UNION ALL SELECT v.memory_id, false FROM memory_version v
  WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.ended_by = %(memory_id)s
    AND (v.expires_at IS NULL OR v.expires_at > %(now)s)) AS later
WHERE later.id <> %(memory_id)s
ORDER BY 2, 1;

-- name: lineage_decisions
SELECT d.decision_id, d.incumbent_id, d.key_id, d.inputs
FROM unnest(%(ids)s::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM decision x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.decision_id = wanted.id LIMIT 1) d;

-- name: memory_waiting
-- The memory that waits for a person and says just this by the same key; from the moment that it was
-- observed, where no other is asked for.
SELECT m.memory_id
FROM memory_version v
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = %(subject_id)s
  AND v.standing = 'quarantined' AND upper_inf(v.recorded) AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
  AND m.created_by = %(key_id)s AND m.kind = %(kind)s AND m.text = %(text)s AND v.trust = %(trust)s
  AND v.confidence = %(confidence)s
  AND m.slot IS NOT DISTINCT FROM %(slot)s::text AND m.value IS NOT DISTINCT FROM %(value)s::text
  AND m.detail IS NOT DISTINCT FROM %(detail)s::text AND m.data_source IS NOT DISTINCT FROM %(data_source)s::text
  AND m.metadata = %(metadata)s::jsonb
  AND lower(v.valid) = coalesce(%(valid_from)s::timestamptz, v.observed_at)
  AND upper(v.valid) IS NOT DISTINCT FROM %(valid_to)s::timestamptz
  AND NOT EXISTS (
    SELECT FROM decision d
    WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s AND d.memory_id = m.memory_id
      AND d.outcome = 'quarantined' AND d.incumbent_id IS DISTINCT FROM %(against)s::uuid)
ORDER BY v.version_id LIMIT 1;
