-- What recurs in the sessions of a user, for the curator: it reads a scope as a whole.

-- name: scopes_to_curate
-- Scopes of users that were written to since they were last curated, those that wait longest first.
SELECT t.scope_id, t.curated_at FROM scope_state t
JOIN scope s ON s.tenant_id = t.tenant_id AND s.scope_id = t.scope_id
JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
WHERE t.tenant_id = %(tenant_id)s AND t.watermark > t.curated_at AND u.opted_out_at IS NULL
ORDER BY t.curated_at, t.scope_id LIMIT %(limit)s;

-- name: scope_curated
-- No row if the scope moved on: then it waits for the next time.
UPDATE scope_state SET curated_at = watermark
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version = %(version)s
RETURNING true;

-- name: curation_opted_out
SELECT u.opted_out_at IS NOT NULL FROM scope s JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = %(scope_id)s;

-- name: curation_turns
-- Turns of the user that may confirm something: extracted already, of sessions that are remembered
-- and did not fail, kept or no more than a wish or a question; the latest.
SELECT e.event_id, e.session_pk, n.session_id, e.turn, e.name, e.content, e.occurred_at, e.occurred_text, e.recorded_at,
       e.reason, e.trust, e.category, e.standing, e.data_source, e.agent_id
FROM session n
JOIN event e ON e.tenant_id = n.tenant_id AND e.scope_id = n.scope_id AND e.session_pk = n.session_pk
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND NOT n.no_store
  AND n.outcome IS DISTINCT FROM 'failure' AND e.recorded_at <= n.extracted_at AND e.recorded_at > %(since)s
  AND e.role = 'user' AND (e.standing = 'asserted' OR (e.standing = 'dropped' AND e.reason = ANY(%(dropped)s::text[])))
  AND (e.expires_at IS NULL OR e.expires_at > %(now)s)
ORDER BY e.recorded_at DESC, e.turn DESC LIMIT %(limit)s;

-- name: curation_drawn
-- Memories that rest on these turns, whatever became of them, but for those that were promoted; and
-- how many candidates of each turn were decided on.
SELECT t.event_id,
       coalesce((SELECT array_agg(m.text ORDER BY m.memory_id) FROM memory_evidence r
                 JOIN memory m ON m.tenant_id = r.tenant_id AND m.scope_id = r.scope_id AND m.memory_id = r.memory_id
                 WHERE r.tenant_id = %(tenant_id)s AND r.source_scope_id = %(scope_id)s AND r.event_id = t.event_id
                   AND NOT EXISTS (SELECT FROM promotion p
                                   WHERE p.tenant_id = %(tenant_id)s AND p.scope_id = r.scope_id AND p.memory_id = r.memory_id)),
                '{}') AS texts,
       coalesce(x.settled, 0) AS settled, coalesce(x.refused, 0) AS refused
FROM unnest(%(events)s::uuid[]) AS t (event_id)
LEFT JOIN (
  SELECT c.event_id, count(*) FILTER (WHERE outcome IN ('inserted', 'reinforced', 'superseded', 'contested')) AS settled,
         count(*) FILTER (WHERE outcome IN ('rejected', 'retracted', 'quarantined')) AS refused
  FROM extraction CROSS JOIN LATERAL unnest(cited) AS c (event_id)
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
  GROUP BY c.event_id) x ON x.event_id = t.event_id;

-- name: curation_held
-- What the scope holds and held, by the versions whose record is open.
SELECT m.memory_id, m.kind, m.data_source, m.text, v.slot, v.standing, v.observed_at, upper(v.valid) AS valid_to,
       n.kind = 'self' AS of_self,
       EXISTS (SELECT FROM promotion p
               WHERE p.tenant_id = %(tenant_id)s AND p.scope_id = v.scope_id AND p.memory_id = v.memory_id) AS promoted
FROM memory_version v
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
JOIN entity n ON n.tenant_id = v.tenant_id AND n.scope_id = v.scope_id AND n.entity_id = v.subject_id
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND upper_inf(v.recorded)
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
ORDER BY m.memory_id, lower(v.valid), v.version_id;

-- name: promotions
SELECT p.event_id, p.sentence, p.memory_id FROM promotion p
WHERE p.tenant_id = %(tenant_id)s AND p.scope_id = %(scope_id)s;

-- name: promotion_insert
INSERT INTO promotion (tenant_id, scope_id, event_id, sentence, memory_id, decided_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(event_id)s, %(sentence)s, %(memory_id)s, %(decided_at)s)
ON CONFLICT (tenant_id, scope_id, event_id, sentence) DO NOTHING;
