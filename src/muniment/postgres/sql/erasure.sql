-- Forgetting: what rests on a target is found first, counted, then deleted; foreign keys take
-- every derived row along. Counts name each table that a deletion reaches.

-- name: erasure_sessions
SELECT session_pk FROM session
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_id = %(session_id)s;

-- name: erasure_events
-- Turns of the sessions, and those that were named.
SELECT event_id AS id, session_pk FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
  AND (session_pk = ANY(%(sessions)s::uuid[]) OR event_id = ANY(%(items)s::uuid[]));

-- name: erasure_episodes
-- Summaries of the sessions, those that were named, and those that quote an erased turn.
SELECT episode_id AS id, session_pk FROM episode
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s
  AND (session_pk = ANY(%(sessions)s::uuid[]) OR episode_id = ANY(%(items)s::uuid[])
       OR episode_id IN (SELECT episode_id FROM episode_source
                         WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = ANY(%(events)s::uuid[])));

-- name: erasure_memories
-- Memories that were named, and those whose every evidence goes, in whatever scope they are.
SELECT m.scope_id, m.memory_id FROM memory m
WHERE m.tenant_id = %(tenant_id)s
  AND ((m.scope_id = %(scope_id)s AND m.memory_id = ANY(%(items)s::uuid[]))
       OR (m.scope_id, m.memory_id) IN (
         SELECT r.scope_id, r.memory_id FROM memory_evidence r
         WHERE r.tenant_id = %(tenant_id)s AND r.source_scope_id = %(scope_id)s
           AND (r.session_pk = ANY(%(sessions)s::uuid[]) OR r.event_id = ANY(%(events)s::uuid[]))
           AND NOT EXISTS (
             SELECT FROM memory_evidence o
             WHERE o.tenant_id = r.tenant_id AND o.scope_id = r.scope_id AND o.memory_id = r.memory_id
               AND NOT coalesce(o.source_scope_id = %(scope_id)s AND (
                 o.session_pk = ANY(%(sessions)s::uuid[]) OR o.event_id = ANY(%(events)s::uuid[])), false))));

-- name: erasure_memories_of_scopes
-- Memories elsewhere that rest wholly on turns of these scopes.
SELECT DISTINCT r.scope_id, r.memory_id FROM memory_evidence r
WHERE r.tenant_id = %(tenant_id)s AND r.source_scope_id = ANY(%(scopes)s::uuid[]) AND r.scope_id <> ALL(%(scopes)s::uuid[])
  AND NOT EXISTS (
    SELECT FROM memory_evidence o
    WHERE o.tenant_id = r.tenant_id AND o.scope_id = r.scope_id AND o.memory_id = r.memory_id
      AND (o.source_scope_id IS NULL OR o.source_scope_id <> ALL(%(scopes)s::uuid[])));

-- name: erasure_scope_counts
SELECT 'end_user' AS name, count(DISTINCT user_pk) AS rows FROM scope WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'scope', count(*) FROM scope WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'scope_state', count(*) FROM scope_state WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'session', count(*) FROM session WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'event', count(*) FROM event WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'episode', count(*) FROM episode WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'episode_source', count(*) FROM episode_source WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'working_item', count(*) FROM working_item WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'entity', count(*) FROM entity WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'memory', count(*) FROM memory WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'memory_version', count(*) FROM memory_version WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'memory_evidence', count(*) FROM memory_evidence WHERE tenant_id = %(tenant_id)s AND (scope_id = ANY(%(scopes)s::uuid[]) OR source_scope_id = ANY(%(scopes)s::uuid[]))
UNION ALL SELECT 'memory_derivation', count(*) FROM memory_derivation WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'decision', count(*) FROM decision WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'memory_index', count(*) FROM memory_index WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'access', count(*) FROM access WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
UNION ALL SELECT 'recall_log', count(*) FROM recall_log WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[]);

-- name: erasure_item_counts
SELECT 'session' AS name, count(*) AS rows FROM session WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = ANY(%(sessions)s::uuid[])
UNION ALL SELECT 'event', count(*) FROM event WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = ANY(%(events)s::uuid[])
UNION ALL SELECT 'episode', count(*) FROM episode WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND episode_id = ANY(%(episodes)s::uuid[])
UNION ALL SELECT 'episode_source', count(*) FROM episode_source WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND (episode_id = ANY(%(episodes)s::uuid[]) OR event_id = ANY(%(events)s::uuid[]))
UNION ALL SELECT 'working_item', count(*) FROM working_item WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = ANY(%(sessions)s::uuid[])
UNION ALL SELECT 'entity', count(*) FROM entity n
  WHERE n.tenant_id = %(tenant_id)s AND n.kind <> 'self'
    AND EXISTS (SELECT FROM memory m WHERE m.tenant_id = n.tenant_id AND m.scope_id = n.scope_id AND m.subject_id = n.entity_id
                  AND m.memory_id = ANY(%(memories)s::uuid[]))
    AND NOT EXISTS (SELECT FROM memory m WHERE m.tenant_id = n.tenant_id AND m.scope_id = n.scope_id AND m.subject_id = n.entity_id
                      AND m.memory_id <> ALL(%(memories)s::uuid[]))
UNION ALL SELECT 'memory', count(*) FROM memory WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(memories)s::uuid[])
UNION ALL SELECT 'memory_version', count(*) FROM memory_version WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(memories)s::uuid[])
UNION ALL SELECT 'memory_evidence', count(*) FROM memory_evidence WHERE tenant_id = %(tenant_id)s AND (memory_id = ANY(%(memories)s::uuid[]) OR (source_scope_id = %(scope_id)s AND (session_pk = ANY(%(sessions)s::uuid[]) OR event_id = ANY(%(events)s::uuid[]))))
UNION ALL SELECT 'memory_derivation', count(*) FROM memory_derivation WHERE tenant_id = %(tenant_id)s AND (memory_id = ANY(%(memories)s::uuid[]) OR source_id = ANY(%(memories)s::uuid[]))
UNION ALL SELECT 'decision', count(*) FROM decision WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(memories)s::uuid[])
UNION ALL SELECT 'memory_index', count(*) FROM memory_index WHERE tenant_id = %(tenant_id)s AND (event_id = ANY(%(events)s::uuid[]) OR episode_id = ANY(%(episodes)s::uuid[]) OR group_id = ANY(%(memories)s::uuid[]))
UNION ALL SELECT 'access', count(*) FROM access WHERE tenant_id = %(tenant_id)s AND item_id = ANY(%(events)s::uuid[] || %(episodes)s::uuid[] || %(memories)s::uuid[]);

-- name: erase_user
DELETE FROM end_user WHERE tenant_id = %(tenant_id)s AND user_pk = %(user_pk)s;

-- name: erase_sessions
DELETE FROM session WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = ANY(%(sessions)s::uuid[]);

-- name: erase_evidence
DELETE FROM memory_evidence
WHERE tenant_id = %(tenant_id)s AND source_scope_id = %(scope_id)s AND event_id = ANY(%(events)s::uuid[]);

-- name: erase_events
DELETE FROM event WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = ANY(%(events)s::uuid[]);

-- name: erase_episodes
DELETE FROM episode WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND episode_id = ANY(%(episodes)s::uuid[]);

-- name: erase_memories
DELETE FROM memory WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = ANY(%(memories)s::uuid[]);

-- name: erase_access
DELETE FROM access WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND item_id = ANY(%(items)s::uuid[]);

-- name: erase_nameless
-- Entities that nothing is said about any more.
DELETE FROM entity n
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.kind <> 'self'
  AND NOT EXISTS (SELECT FROM memory m WHERE m.tenant_id = n.tenant_id AND m.scope_id = n.scope_id AND m.subject_id = n.entity_id);

-- name: receipt_insert
INSERT INTO erasure_receipt (tenant_id, receipt_id, target, state, counts, key_id, erased_at)
VALUES (%(tenant_id)s, %(receipt_id)s, %(target)s, 'erased', %(counts)s, %(key_id)s, %(erased_at)s);
