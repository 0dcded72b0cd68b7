-- From the turns of a session to candidates that are decided on once.

-- name: extraction_turns
-- Every live turn of a session, whatever the gate said of it.
SELECT event_id, turn, role, name, content, occurred_at, occurred_text, recorded_at, kept, reason, trust, category,
       standing, data_source, agent_id
FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND (expires_at IS NULL OR expires_at > %(now)s)
ORDER BY turn;

-- name: extraction_recalled
-- Texts that recall returned into a session, each with the moment when it first did.
SELECT min(r.at) AS at, coalesce(e.content, p.text, m.text) AS text
FROM (
  SELECT at, items FROM recall_log
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  ORDER BY at DESC LIMIT %(recalls)s) r
CROSS JOIN LATERAL (SELECT (one ->> 'id')::uuid AS id FROM jsonb_array_elements(r.items) AS one) item
LEFT JOIN LATERAL (
  SELECT content FROM event x WHERE x.tenant_id = %(tenant_id)s AND x.event_id = item.id LIMIT 1) e ON true
LEFT JOIN LATERAL (
  SELECT text FROM episode x WHERE x.tenant_id = %(tenant_id)s AND x.episode_id = item.id LIMIT 1) p ON true
LEFT JOIN LATERAL (
  SELECT text FROM memory x WHERE x.tenant_id = %(tenant_id)s AND x.memory_id = item.id LIMIT 1) m ON true
WHERE coalesce(e.content, p.text, m.text) IS NOT NULL
GROUP BY 2;

-- name: extraction_known
SELECT digest FROM extraction
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s;

-- name: extraction_insert
INSERT INTO extraction (tenant_id, scope_id, session_pk, digest, cited, outcome, rule, decided_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(session_pk)s, %(digest)s, %(cited)s::uuid[], %(outcome)s, %(rule)s, %(decided_at)s);

-- name: user_value_of_slot
-- What is held of the user in a slot, if anything: their name, their time zone.
SELECT m.value FROM entity n
JOIN memory_version v ON v.tenant_id = n.tenant_id AND v.scope_id = n.scope_id AND v.subject_id = n.entity_id
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.kind = 'self' AND v.slot = %(slot)s
  AND v.standing = 'asserted' AND upper_inf(v.recorded) AND v.valid @> %(now)s::timestamptz
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
ORDER BY v.version_id LIMIT 1;

-- name: versions_unslotted
-- Memories without a slot of one kind: what a statement may take back or replace. Without a data
-- source, a statement that takes back looks at all of them.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, v.standing, v.trust, m.value, m.value_key, v.superseded_by,
       v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.text
FROM memory_version v JOIN memory m USING (tenant_id, scope_id, memory_id)
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = %(subject_id)s
  AND v.slot IS NULL AND m.kind = %(kind)s
  AND (m.data_source IS NOT DISTINCT FROM %(data_source)s::text OR (%(anywhere)s AND %(data_source)s::text IS NULL))
  AND upper_inf(v.recorded) AND v.standing <> 'quarantined' AND (upper(v.valid) IS NULL OR upper(v.valid) > %(at)s)
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
ORDER BY v.memory_id, lower(v.valid);

-- name: versions_contested
-- Slots in which something is contested, with all that is held there.
SELECT v.version_id, v.memory_id, lower(v.valid) AS valid_from, upper(v.valid) AS valid_to,
       lower(v.recorded) AS recorded_from, v.standing, v.trust, m.value, m.value_key, v.superseded_by,
       v.retracted, v.archived, v.expires_at, v.confidence, v.importance, v.pinned, v.is_durative,
       v.observed_at, v.category, v.retention_class, m.kind, m.text, v.slot, v.subject_id, n.name AS subject,
       n.kind = 'self' AS of_self
FROM (
  SELECT DISTINCT subject_id, slot FROM memory_version
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND standing = 'contested' AND slot IS NOT NULL
    AND upper_inf(recorded)) c
JOIN memory_version v ON v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.subject_id = c.subject_id
                     AND v.slot = c.slot AND upper_inf(v.recorded)
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
JOIN entity n ON n.tenant_id = v.tenant_id AND n.scope_id = v.scope_id AND n.entity_id = v.subject_id
WHERE v.expires_at IS NULL OR v.expires_at > %(now)s
ORDER BY v.subject_id, v.slot, v.version_id;

-- name: erase_extractions
DELETE FROM extraction
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND cited && %(events)s::uuid[];
