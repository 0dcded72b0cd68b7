-- Forgetting: what rests on a target is found first, counted, then deleted; foreign keys take
-- every derived row along. Counts name each table that a deletion reaches.
--
-- The order of locks, in every transaction that takes several: the policy, the documents of the
-- tenant, the user, the scopes of users by their ids, the scopes of the organisation by their ids, the
-- rows. Only who puts or deletes a document locks its row before the scope.

-- name: user_lock
-- A user who is locked gets no new scope.
SELECT user_pk, opted_out_at FROM end_user WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s FOR UPDATE;

-- name: scopes_of_user
SELECT s.scope_id, s.level, t.version, t.rebuilt, t.watermark
FROM scope s JOIN scope_state t USING (tenant_id, scope_id)
WHERE s.tenant_id = %(tenant_id)s AND s.user_pk = %(user_pk)s
ORDER BY s.scope_id;

-- name: scopes_of_user_lock
SELECT s.scope_id, s.level, t.version, t.rebuilt, t.watermark
FROM scope s JOIN scope_state t USING (tenant_id, scope_id)
WHERE s.tenant_id = %(tenant_id)s AND s.user_pk = %(user_pk)s
ORDER BY s.scope_id FOR UPDATE OF t;

-- name: erasure_sessions
SELECT session_pk FROM session
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_id = %(session_id)s;

-- name: erasure_scopes_of_source
-- With anything of a source, under whichever of its names.
SELECT s.scope_id FROM scope s
WHERE s.tenant_id = %(tenant_id)s AND (
  EXISTS (SELECT FROM event e WHERE e.tenant_id = %(tenant_id)s AND e.scope_id = s.scope_id AND e.data_source = ANY(%(names)s::text[]))
  OR EXISTS (SELECT FROM memory m WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = s.scope_id AND m.data_source = ANY(%(names)s::text[]))
  OR EXISTS (SELECT FROM analysis a WHERE a.tenant_id = %(tenant_id)s AND a.scope_id = s.scope_id AND a.data_source = ANY(%(names)s::text[]))
  OR EXISTS (SELECT FROM knowledge_document d WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = s.scope_id AND (d.data_source = ANY(%(names)s::text[]) OR d.source = ANY(%(names)s::text[]))))
ORDER BY s.level DESC, s.scope_id;

-- name: erasure_matching
-- Ids of everything in a scope that a filter admits: of every standing, of any time, in any version;
-- documents among it.
SELECT DISTINCT i.id FROM item i
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s
  AND jsonb_path_match(item_document(i), %(path)s::jsonpath, %(variables)s::jsonb)
UNION ALL
SELECT d.document_id FROM knowledge_document d
WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s
  AND jsonb_path_match(document_item(d), %(path)s::jsonpath, %(variables)s::jsonb);

-- name: erasure_events
-- Turns of the sessions, and those that were named.
SELECT event_id AS id, session_pk, standing = 'asserted' AS summarised FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
  AND (session_pk = ANY(%(sessions)s::uuid[]) OR event_id = ANY(%(items)s::uuid[]));

-- name: erasure_episodes
-- Summaries of the sessions, those that were named, and those of a session that loses a turn which
-- they may rest on: they quote it, or are dated by it.
SELECT episode_id AS id, session_pk FROM episode
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
  AND (session_pk = ANY(%(losing)s::uuid[]) OR episode_id = ANY(%(items)s::uuid[])
       OR episode_id IN (SELECT episode_id FROM episode_source
                         WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = ANY(%(events)s::uuid[])));

-- name: erasure_analyses
-- Records of analyses of a source, and those that were named.
SELECT analysis_id AS id FROM analysis
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
  AND (data_source = ANY(%(names)s::text[]) OR analysis_id = ANY(%(items)s::uuid[]));

-- name: erasure_named
-- What was made of other memories, a summary or a fact of a merged entity, is named with them: they
-- say the same.
WITH RECURSIVE named AS (
  SELECT tenant_id, scope_id, memory_id, kind FROM memory
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = ANY(%(items)s::uuid[])
  UNION
  SELECT m.tenant_id, m.scope_id, m.memory_id, m.kind FROM named n
  JOIN memory_derivation d ON d.tenant_id = n.tenant_id AND d.scope_id = n.scope_id AND d.memory_id = n.memory_id
  JOIN memory m ON m.tenant_id = d.tenant_id AND m.scope_id = d.scope_id AND m.memory_id = d.source_id
)
SELECT scope_id, memory_id FROM named;

-- name: erasure_scopes_resting
-- Other scopes with a memory that loses evidence.
SELECT DISTINCT r.scope_id FROM memory_evidence r
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id <> ALL(%(scopes)s::uuid[])
  AND r.source_scope_id = ANY(%(scopes)s::uuid[]) AND (%(whole)s OR r.session_pk = ANY(%(sessions)s::uuid[]) OR r.event_id = ANY(%(events)s::uuid[]));

-- name: erasure_resting
-- Memories that lose evidence, those of a scope that goes as a whole aside.
SELECT m.scope_id, m.memory_id, m.kind, m.text, m.slot, m.value, m.data_source, m.detail, m.agent_id, m.metadata,
       m.created_at, CASE WHEN n.kind <> 'self' THEN n.name END AS subject
FROM memory m JOIN entity n ON n.tenant_id = m.tenant_id AND n.scope_id = m.scope_id AND n.entity_id = m.subject_id
WHERE m.tenant_id = %(tenant_id)s AND NOT (%(whole)s AND m.scope_id = ANY(%(scopes)s::uuid[]))
  AND (m.scope_id, m.memory_id) IN (
    SELECT r.scope_id, r.memory_id FROM memory_evidence r
    WHERE r.tenant_id = %(tenant_id)s AND r.source_scope_id = ANY(%(scopes)s::uuid[]) AND (%(whole)s OR r.session_pk = ANY(%(sessions)s::uuid[]) OR r.event_id = ANY(%(events)s::uuid[])))
ORDER BY m.scope_id, m.memory_id;

-- name: erasure_supports
-- Every evidence of these memories, whether it goes, and how its statement was graded. What is
-- withdrawn supports nothing, as if it went; its words are no trace.
SELECT r.memory_id, r.recorded_at, r.observed_at, r.trust, e.role,
       CASE WHEN gone.erased OR NOT upper_inf(r.withdrawn) THEN e.content END AS content, e.name,
       gone.erased OR upper_inf(r.withdrawn) AS erased,
       d.inputs ->> 'trust' AS stated_trust, coalesce((d.inputs ->> 'confidence')::double precision, 1) AS stated_confidence
FROM memory_evidence r
CROSS JOIN LATERAL (SELECT coalesce(r.source_scope_id = ANY(%(scopes)s::uuid[]) AND (%(whole)s OR r.session_pk = ANY(%(sessions)s::uuid[]) OR r.event_id = ANY(%(events)s::uuid[])), false) AS erased) gone
LEFT JOIN event e ON e.tenant_id = r.tenant_id AND e.scope_id = r.source_scope_id AND e.event_id = r.event_id
LEFT JOIN LATERAL (
  SELECT inputs FROM decision
  WHERE tenant_id = %(tenant_id)s AND scope_id = r.scope_id AND memory_id = r.memory_id AND decided_at = r.recorded_at
  LIMIT 1) d ON true
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = ANY(%(places)s::uuid[]) AND r.memory_id = ANY(%(memories)s::uuid[])
ORDER BY r.memory_id, r.recorded_at;

-- name: erasure_versions
SELECT memory_id, version_id, lower(recorded) AS recorded_from, upper(recorded) AS recorded_to, standing, trust,
       confidence, observed_at, expires_at
FROM memory_version
WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(places)s::uuid[]) AND memory_id = ANY(%(memories)s::uuid[])
ORDER BY memory_id;

-- name: erasure_derivations
-- What was made from memories that go, and from that again: it has their words.
WITH RECURSIVE made AS (
  SELECT tenant_id, scope_id, memory_id FROM memory_derivation
  WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(places)s::uuid[]) AND source_id = ANY(%(memories)s::uuid[])
  UNION
  SELECT d.tenant_id, d.scope_id, d.memory_id FROM memory_derivation d
  JOIN made ON made.tenant_id = d.tenant_id AND made.scope_id = d.scope_id AND made.memory_id = d.source_id
)
SELECT scope_id, memory_id FROM made;

-- name: erasure_counts
-- Rows by table: those of whole scopes, and of the rest those that were found.
SELECT 'end_user' AS name, count(*) AS rows FROM end_user WHERE tenant_id = %(tenant_id)s AND user_pk = %(user_pk)s
UNION ALL SELECT 'rereview', count(*) FROM rereview WHERE tenant_id = %(tenant_id)s AND user_pk = %(user_pk)s
UNION ALL SELECT 'scope', count(*) FROM scope WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'scope_state', count(*) FROM scope_state WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'session', count(*) FROM session WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND session_pk = ANY(%(sessions)s::uuid[])))
UNION ALL SELECT 'event', count(*) FROM event WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND event_id = ANY(%(events)s::uuid[])))
UNION ALL SELECT 'episode', count(*) FROM episode WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND episode_id = ANY(%(episodes)s::uuid[])))
UNION ALL SELECT 'episode_source', count(*) FROM episode_source WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND (episode_id = ANY(%(episodes)s::uuid[]) OR event_id = ANY(%(events)s::uuid[]))))
UNION ALL SELECT 'knowledge_document', count(*) FROM knowledge_document WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(places)s::uuid[]) AND document_id = ANY(%(documents)s::uuid[])
UNION ALL SELECT 'knowledge_chunk', count(*) FROM knowledge_chunk WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(places)s::uuid[]) AND document_id = ANY(%(documents)s::uuid[])
UNION ALL SELECT 'extraction', count(*) FROM extraction WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND (session_pk = ANY(%(sessions)s::uuid[]) OR cited && %(events)s::uuid[])))
UNION ALL SELECT 'promotion', count(*) FROM promotion WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND event_id = ANY(%(events)s::uuid[])))
UNION ALL SELECT 'working_item', count(*) FROM working_item WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND session_pk = ANY(%(sessions)s::uuid[])))
UNION ALL SELECT 'analysis', count(*) FROM analysis WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND (session_pk = ANY(%(sessions)s::uuid[]) OR analysis_id = ANY(%(analyses)s::uuid[]))))
UNION ALL SELECT 'store_item', count(*) FROM store_item WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'file_version', count(*) FROM file_version WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'run', count(*) FROM run WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'run_checkpoint', count(*) FROM run_checkpoint WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'run_fact', count(*) FROM run_fact WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'tool_call', count(*) FROM tool_call WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'approval', count(*) FROM approval WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'run_transition', count(*) FROM run_transition WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'run_input', count(*) FROM run_input WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'artifact', count(*) FROM artifact WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'thread', count(*) FROM thread WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'thread_checkpoint', count(*) FROM thread_checkpoint WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'thread_value', count(*) FROM thread_value WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'thread_write', count(*) FROM thread_write WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'thread_piece', count(*) FROM thread_piece WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'entity', count(*) FROM entity n WHERE n.tenant_id = %(tenant_id)s AND (n.scope_id = ANY(%(whole)s::uuid[])
  OR (n.scope_id = ANY(%(places)s::uuid[]) AND n.kind <> 'self' AND NOT n.defined AND NOT EXISTS (
    SELECT FROM memory m WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = n.scope_id AND m.subject_id = n.entity_id
                           AND m.memory_id <> ALL(%(memories)s::uuid[]))))
UNION ALL SELECT 'entity_alias', count(*) FROM entity_alias WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'entity_merge', count(*) FROM entity_merge WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(whole)s::uuid[])
UNION ALL SELECT 'memory', count(*) FROM memory WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND memory_id = ANY(%(memories)s::uuid[])))
UNION ALL SELECT 'memory_version', count(*) FROM memory_version WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND (memory_id = ANY(%(memories)s::uuid[]) OR version_id = ANY(%(versions)s::uuid[]))))
UNION ALL SELECT 'memory_evidence', count(*) FROM memory_evidence WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR source_scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND memory_id = ANY(%(memories)s::uuid[]))
  OR (source_scope_id = ANY(%(places)s::uuid[]) AND (session_pk = ANY(%(sessions)s::uuid[]) OR event_id = ANY(%(events)s::uuid[]))))
UNION ALL SELECT 'memory_derivation', count(*) FROM memory_derivation WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND (memory_id = ANY(%(memories)s::uuid[]) OR source_id = ANY(%(memories)s::uuid[]))))
UNION ALL SELECT 'decision', count(*) FROM decision WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND memory_id = ANY(%(memories)s::uuid[])))
UNION ALL SELECT 'review', count(*) FROM review WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[])
  OR (scope_id = ANY(%(places)s::uuid[]) AND (event_id = ANY(%(events)s::uuid[]) OR memory_id = ANY(%(memories)s::uuid[] || %(derived)s::uuid[]))))
UNION ALL SELECT 'memory_index', count(*) FROM memory_index WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[])
  OR (scope_id = ANY(%(places)s::uuid[]) AND (event_id = ANY(%(events)s::uuid[]) OR episode_id = ANY(%(episodes)s::uuid[]) OR version_id = ANY(%(versions)s::uuid[]) OR group_id = ANY(%(memories)s::uuid[]))))
UNION ALL SELECT 'access', count(*) FROM access WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR (scope_id = ANY(%(places)s::uuid[]) AND item_id = ANY(%(events)s::uuid[] || %(episodes)s::uuid[] || %(memories)s::uuid[])))
UNION ALL SELECT 'recall_log', count(*) FROM recall_log WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(whole)s::uuid[]) OR user_key = %(user_key)s OR (scope_id = ANY(%(places)s::uuid[]) AND session_pk = ANY(%(sessions)s::uuid[])))
UNION ALL SELECT 'transfer', count(*) FROM transfer t WHERE t.tenant_id = %(tenant_id)s AND (t.user_id = %(user_id)s OR t.user_id IN (
  SELECT u.user_id FROM scope s JOIN end_user u USING (tenant_id, user_pk) WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = ANY(%(losing)s::uuid[])))
UNION ALL SELECT 'transfer_line', count(*) FROM transfer t JOIN transfer_line l USING (tenant_id, transfer_id) WHERE t.tenant_id = %(tenant_id)s AND (t.user_id = %(user_id)s OR t.user_id IN (
  SELECT u.user_id FROM scope s JOIN end_user u USING (tenant_id, user_pk) WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = ANY(%(losing)s::uuid[])))
UNION ALL SELECT 'api_key', count(*) FROM api_key WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
UNION ALL SELECT 'job', count(*) FROM tenant_job j WHERE j.tenant_id = %(tenant_id)s AND j.state <> 'doing'
  AND ((j.args ->> 'scope_id')::uuid = ANY(%(whole)s::uuid[]) OR (j.args ->> 'session_pk')::uuid = ANY(%(sessions)s::uuid[]));

-- name: erase_user
DELETE FROM end_user WHERE tenant_id = %(tenant_id)s AND user_pk = %(user_pk)s;

-- name: erase_scope
DELETE FROM scope WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;

-- name: erase_keys_of_user
-- A key of one user ends with them, and names them no more.
UPDATE api_key SET revoked_at = coalesce(revoked_at, %(now)s), user_id = NULL, principal = 'forgotten'
WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: erase_jobs
SELECT forget_jobs(%(scopes)s::uuid[], %(sessions)s::uuid[]);

-- name: erase_sessions
DELETE FROM session WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = ANY(%(sessions)s::uuid[]);

-- name: erase_recalls
DELETE FROM recall_log WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = ANY(%(sessions)s::uuid[]);

-- name: erase_recalls_of_user
-- Those that were logged where the user had no scope.
DELETE FROM recall_log WHERE tenant_id = %(tenant_id)s AND user_key = %(user_key)s;

-- name: erase_analyses
DELETE FROM analysis WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND analysis_id = ANY(%(analyses)s::uuid[]);

-- name: erase_evidence
DELETE FROM memory_evidence
WHERE tenant_id = %(tenant_id)s AND source_scope_id = %(scope_id)s AND event_id = ANY(%(events)s::uuid[]);

-- name: erase_turns
-- A turn that was erased is not written again under its number.
UPDATE session s SET erased_turns = s.erased_turns + g.turns
FROM (SELECT session_pk, range_agg(int4range(turn, turn, '[]')) AS turns FROM event
      WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = ANY(%(events)s::uuid[])
      GROUP BY session_pk) g
WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = %(scope_id)s AND s.session_pk = g.session_pk;

-- name: erase_events
DELETE FROM event WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = ANY(%(events)s::uuid[]);

-- name: erase_episodes
DELETE FROM episode WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND episode_id = ANY(%(episodes)s::uuid[]);

-- name: erase_memories
DELETE FROM memory WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = ANY(%(memories)s::uuid[]);

-- name: erase_versions
DELETE FROM memory_version WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version_id = ANY(%(versions)s::uuid[]);

-- name: forget_versions
SELECT forget_versions(%(tenant_id)s, %(scope_id)s, %(memories)s::uuid[], %(versions)s::uuid[]);

-- name: erase_access
DELETE FROM access WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND item_id = ANY(%(items)s::uuid[]);

-- name: erase_nameless
-- Entities that nothing is said about any more, but for those that the application defined.
DELETE FROM entity n
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.kind <> 'self' AND NOT n.defined
  AND NOT EXISTS (SELECT FROM memory m WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = n.scope_id AND m.subject_id = n.entity_id);

-- name: memory_reword
SELECT reword_memory(%(tenant_id)s, %(scope_id)s, %(memory_id)s, %(text)s::text, %(detail)s::text, %(agent_id)s::text,
                     %(metadata)s::jsonb, %(alike)s::bigint, %(said)s::bigint);

-- name: version_regrade
SELECT regrade_version(%(tenant_id)s, %(scope_id)s, %(version_id)s, %(recorded_from)s, %(trust)s::text, %(confidence)s::float8,
                       %(observed_at)s, %(expires_at)s);

-- name: index_regrade
UPDATE memory_index
SET recorded = tstzrange(%(recorded_from)s, upper(recorded)), confidence = %(confidence)s,
    occurred_at = %(observed_at)s, expires_at = %(expires_at)s, rev = %(rev)s, emb = %(emb)s, emb_a = %(emb_a)s, emb_b = %(emb_b)s,
    terms = %(terms)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND id = %(version_id)s;
