-- From an answer to the records in it, and from those to what they rest on.

-- name: trail_scopes
-- Where answers for a user are logged: their scopes, and where they had none yet the organisation's.
SELECT s.scope_id, 'user' AS level FROM end_user u
CROSS JOIN LATERAL (
  SELECT * FROM scope x WHERE x.tenant_id = %(tenant_id)s AND x.user_pk = u.user_pk OFFSET 0) s
WHERE u.tenant_id = %(tenant_id)s AND u.user_id = %(user_id)s
UNION ALL
SELECT s.scope_id, 'org' FROM scope s WHERE s.tenant_id = %(tenant_id)s AND s.user_pk IS NULL;

-- name: context_find
SELECT r.recall_id, r.at, n.session_id, r.run_id, r.step, r.agent_id, r.as_of, r.known_at, r.watermark, r.budget, r.tokens,
       r.counter, r.items, r.dropped
FROM unnest(%(scopes)s::uuid[], %(user_keys)s::text[]) AS place (scope_id, user_key)
CROSS JOIN LATERAL (
  SELECT * FROM recall_log x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = place.scope_id AND x.recall_id = %(context_id)s LIMIT 1) r
LEFT JOIN LATERAL (
  SELECT x.session_id FROM session x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = r.scope_id AND x.session_pk = r.session_pk LIMIT 1) n ON true
WHERE r.budget IS NOT NULL AND r.user_key IS NOT DISTINCT FROM place.user_key LIMIT 1;

-- name: trail_appearances
-- Answers for a user that had an item, the latest first.
SELECT r.recall_id, r.at, r.budget IS NOT NULL AS assembled, n.session_id, r.run_id, r.step, r.agent_id,
       x.one ->> 'section' AS section, x.one ->> 'tier' AS tier, (x.one ->> 'score')::float8 AS score
FROM unnest(%(scopes)s::uuid[], %(user_keys)s::text[]) AS place (scope_id, user_key)
CROSS JOIN LATERAL (
  SELECT * FROM recall_log y
  WHERE y.tenant_id = %(tenant_id)s AND y.scope_id = place.scope_id AND y.user_key IS NOT DISTINCT FROM place.user_key
    AND y.recall_id < %(before)s AND y.items @> %(named)s::jsonb
  ORDER BY y.recall_id DESC LIMIT %(limit)s) r
CROSS JOIN LATERAL (
  SELECT o.one FROM jsonb_array_elements(r.items) WITH ORDINALITY AS o (one, place)
  WHERE o.one @> (%(named)s::jsonb -> 0) ORDER BY o.place LIMIT 1) x
LEFT JOIN LATERAL (
  SELECT x.session_id FROM session x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = r.scope_id AND x.session_pk = r.session_pk LIMIT 1) n ON true
ORDER BY r.recall_id DESC LIMIT %(limit)s;

-- name: trail_of_step
-- Answers for a user that entered a step of a run, the contexts first.
SELECT r.recall_id, r.at, r.budget IS NOT NULL AS assembled, r.as_of, r.known_at,
       coalesce(r.user_watermark, r.known_at) AS user_known_at, coalesce(r.org_watermark, r.known_at) AS org_known_at,
       r.items, coalesce(r.dropped, '[]') AS dropped
FROM unnest(%(scopes)s::uuid[], %(user_keys)s::text[]) AS place (scope_id, user_key)
CROSS JOIN LATERAL (
  SELECT * FROM recall_log x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = place.scope_id AND x.run_id = %(run_id)s AND x.step = %(step)s) r
WHERE r.user_key IS NOT DISTINCT FROM place.user_key
  AND (r.budget IS NULL, r.recall_id) > (%(recalls)s, %(after)s::uuid)
ORDER BY r.budget IS NULL, r.recall_id LIMIT %(limit)s;

-- name: trail_versions
-- Every version of these memories, and what contests the one that is held.
SELECT m.scope_id, m.memory_id AS id, m.kind, m.text, m.slot, m.value, m.data_source, v.version_id, v.standing, v.trust, v.confidence,
       lower(v.valid) AS valid_from, upper(v.valid) AS valid_to, lower(v.recorded) AS recorded_at, upper(v.recorded) AS superseded_at,
       v.superseded_by AS succeeded_by, v.ended_by, v.retracted, v.archived, v.expires_at,
       CASE WHEN upper_inf(v.recorded) AND v.slot IS NOT NULL THEN ARRAY(
         SELECT x.memory_id FROM memory_version x
         WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = v.scope_id AND x.subject_id = v.subject_id AND x.slot = v.slot
           AND x.standing = 'contested' AND x.memory_id <> v.memory_id AND upper_inf(x.recorded) AND x.valid && v.valid
           AND (x.expires_at IS NULL OR x.expires_at > %(now)s)
         ORDER BY x.memory_id)
            WHEN upper_inf(v.recorded) AND v.standing = 'asserted' THEN (
         SELECT array_agg(DISTINCT c.memory_id ORDER BY c.memory_id) FROM contest c
         WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = v.scope_id AND c.incumbent_id = v.memory_id
           AND c.valid && v.valid AND upper_inf(c.recorded)
           AND (c.expires_at IS NULL OR c.expires_at > %(now)s)) END AS contested_by
FROM memory m
CROSS JOIN LATERAL (
  SELECT * FROM memory_version x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = m.scope_id AND x.memory_id = m.memory_id OFFSET 0) v
WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = ANY(%(scopes)s::uuid[]) AND m.memory_id = ANY(%(ids)s::uuid[])
ORDER BY m.memory_id, lower(v.recorded), lower(v.valid);

-- name: trail_evidence
-- What these memories rest on: turns with their words, as far as they are held, and bare words of keys.
SELECT r.memory_id AS id, session_named(r.tenant_id, r.source_scope_id, r.session_pk) AS session_id, r.turn, e.role, e.name,
       CASE WHEN e.expires_at IS NULL OR e.expires_at > %(now)s THEN e.content END AS text, r.trust, r.observed_at, r.recorded_at,
       k.principal AS relayed_by, upper_inf(r.withdrawn) AS withdrawn
FROM memory_evidence r
LEFT JOIN event e ON e.tenant_id = r.tenant_id AND e.scope_id = r.source_scope_id AND e.event_id = r.event_id
LEFT JOIN api_key k ON k.tenant_id = r.tenant_id AND k.key_id = r.key_id
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = ANY(%(scopes)s::uuid[]) AND r.memory_id = ANY(%(ids)s::uuid[])
ORDER BY r.memory_id, r.recorded_at, r.observed_at, r.turn;

-- name: trail_decisions
-- What was decided about these memories, by rules and by people.
SELECT d.memory_id AS id, d.decision_id, d.outcome, d.rule, d.decided_at, k.principal AS decided_by, NULL::text AS reason
FROM decision d
LEFT JOIN api_key k ON k.tenant_id = d.tenant_id AND k.key_id = d.key_id
WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = ANY(%(scopes)s::uuid[]) AND d.memory_id = ANY(%(ids)s::uuid[])
UNION ALL
SELECT w.memory_id, w.review_id, w.decision, 'review', w.decided_at, k.principal, w.reason
FROM review w
LEFT JOIN api_key k ON k.tenant_id = w.tenant_id AND k.key_id = w.key_id
WHERE w.tenant_id = %(tenant_id)s AND w.scope_id = ANY(%(scopes)s::uuid[]) AND w.memory_id = ANY(%(ids)s::uuid[])
ORDER BY 1, 5, 2;

-- name: trail_episodes
-- Turns, and the summaries that quote turns: each with the turns behind it.
SELECT e.event_id AS id, e.scope_id, 'event' AS kind, e.standing, NULL::timestamptz AS superseded_at, e.expires_at, e.event_id,
       session_named(e.tenant_id, e.scope_id, e.session_pk) AS session_id, e.turn, e.role, e.name, e.content AS text, e.content AS said,
       e.trust, e.occurred_at, e.recorded_at, k.principal AS relayed_by
FROM event e
LEFT JOIN api_key k ON k.tenant_id = e.tenant_id AND k.key_id = e.written_by
WHERE e.tenant_id = %(tenant_id)s AND e.scope_id = ANY(%(scopes)s::uuid[]) AND e.event_id = ANY(%(ids)s::uuid[])
  AND (e.expires_at IS NULL OR e.expires_at > %(now)s)
UNION ALL
SELECT p.episode_id, p.scope_id, 'session_summary', 'asserted', upper(p.recorded), p.expires_at, e.event_id,
       session_named(p.tenant_id, p.scope_id, p.session_pk), e.turn, e.role, e.name, p.text,
       CASE WHEN e.expires_at IS NULL OR e.expires_at > %(now)s THEN e.content END, p.trust, coalesce(e.occurred_at, p.ended_at),
       lower(p.recorded), k.principal
FROM episode p
LEFT JOIN episode_source q ON q.tenant_id = p.tenant_id AND q.scope_id = p.scope_id AND q.episode_id = p.episode_id
LEFT JOIN event e ON e.tenant_id = q.tenant_id AND e.scope_id = q.scope_id AND e.event_id = q.event_id
LEFT JOIN api_key k ON k.tenant_id = e.tenant_id AND k.key_id = e.written_by
WHERE p.tenant_id = %(tenant_id)s AND p.scope_id = ANY(%(scopes)s::uuid[]) AND p.episode_id = ANY(%(ids)s::uuid[])
  AND (p.expires_at IS NULL OR p.expires_at > %(now)s)
ORDER BY 1, 9;

-- name: trail_documents
-- Documents, by their own ids or those of their chunks; a chunk is there as long as its version is.
SELECT w.id, d.document_id, d.source, d.title, d.version, d.recorded_at, c.text, lower(d.valid) AS valid_from,
       upper(d.valid) AS valid_to, k.principal AS put_by
FROM unnest(%(ids)s::uuid[], %(documents)s::uuid[]) AS w (id, document_id)
LEFT JOIN knowledge_chunk c ON c.tenant_id = %(tenant_id)s AND c.scope_id = ANY(%(scopes)s::uuid[]) AND c.chunk_id = w.id
JOIN knowledge_document d ON d.tenant_id = %(tenant_id)s AND d.scope_id = ANY(%(scopes)s::uuid[])
  AND d.document_id = coalesce(w.document_id, c.document_id)
LEFT JOIN api_key k ON k.tenant_id = d.tenant_id AND k.key_id = d.key_id
ORDER BY w.id;

-- name: trail_run_facts
-- Facts that a run committed to, and what superseded them.
SELECT f.fact_id AS id, f.key, f.value, f.source, f.step, f.valid_from, nullif(f.superseded_from, 'infinity') AS superseded_from,
       s.fact_id AS superseded_by
FROM run_fact f
LEFT JOIN run_fact s ON s.tenant_id = f.tenant_id AND s.scope_id = f.scope_id AND s.run_id = f.run_id AND s.supersedes = f.fact_id
WHERE f.tenant_id = %(tenant_id)s AND f.scope_id = %(scope_id)s AND f.run_id = %(run_id)s AND f.fact_id = ANY(%(ids)s::uuid[])
ORDER BY f.fact_id;

-- name: trail_due
-- Until when items were to hold, as a run noted it.
SELECT i.item_id AS id, max(i.expires_at) AS due FROM run_input i
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = %(run_id)s AND i.item_id = ANY(%(ids)s::uuid[])
GROUP BY i.item_id;
