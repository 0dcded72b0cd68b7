-- What is past its time goes: looked for by index in a tenant, removed scope by scope.

-- name: expiry_due
-- How much a pass would remove now that an operator has not let go. What an application keeps for less
-- than a day goes by the thousand as a matter of course.
SELECT
  (SELECT count(*) FROM event
   WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s AND expires_at > %(released)s)
  + (SELECT count(*) FROM episode
     WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s AND expires_at > %(released)s)
  + (SELECT count(*) FROM analysis
     WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s AND expires_at > %(released)s)
  + (SELECT count(*) FROM knowledge_document
     WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s AND expires_at > %(released)s)
  + (SELECT count(*) FROM store_item
     WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s AND expires_at > %(released)s AND ttl >= 86400)
  + (SELECT count(*)
     FROM memory_version v JOIN memory m USING (tenant_id, scope_id, memory_id)
     LEFT JOIN unnest(%(kinds)s::text[], %(spans)s::interval[]) AS g (kind, span) ON g.kind = m.kind
     WHERE v.tenant_id = %(tenant_id)s AND v.expires_at <= %(now)s AND upper_inf(v.recorded)
       AND v.expires_at + coalesce(g.span, '0') <= %(now)s AND v.expires_at + coalesce(g.span, '0') > %(released)s);

-- name: expired
-- The next rows that are past their time, and past the grace of their kind, by scope.
(SELECT 'event' AS what, scope_id, event_id AS id FROM event
 WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s ORDER BY expires_at LIMIT %(limit)s)
UNION ALL
(SELECT 'episode', scope_id, episode_id FROM episode
 WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s ORDER BY expires_at LIMIT %(limit)s)
UNION ALL
(SELECT 'analysis', scope_id, analysis_id FROM analysis
 WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s ORDER BY expires_at LIMIT %(limit)s)
UNION ALL
(SELECT 'version', v.scope_id, v.version_id
 FROM memory_version v JOIN memory m USING (tenant_id, scope_id, memory_id)
 LEFT JOIN unnest(%(kinds)s::text[], %(spans)s::interval[]) AS g (kind, span) ON g.kind = m.kind
 WHERE v.tenant_id = %(tenant_id)s AND v.expires_at <= %(now)s AND v.expires_at + coalesce(g.span, '0') <= %(now)s
 ORDER BY v.expires_at LIMIT %(limit)s);

-- name: expire_events
DELETE FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = ANY(%(ids)s::uuid[]) AND expires_at <= %(now)s;

-- name: expire_episodes
DELETE FROM episode
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND episode_id = ANY(%(ids)s::uuid[]) AND expires_at <= %(now)s;

-- name: expire_analyses
DELETE FROM analysis
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND analysis_id = ANY(%(ids)s::uuid[]) AND expires_at <= %(now)s;

-- name: expire_versions
DELETE FROM memory_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND version_id = ANY(%(ids)s::uuid[]) AND expires_at <= %(now)s
RETURNING memory_id, upper_inf(recorded) AS current;

-- name: expire_memories
-- Memories that lost their last version, or the last one that was held: of those the past goes too.
DELETE FROM memory m
WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.memory_id = ANY(%(ids)s::uuid[])
  AND NOT EXISTS (
    SELECT FROM memory_version v
    WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = m.scope_id AND v.memory_id = m.memory_id
      AND (upper_inf(v.recorded) OR m.memory_id <> ALL(%(ended)s::uuid[])))
RETURNING m.memory_id AS id;

-- name: expire_sessions
-- Closed sessions of which nothing is left, and on which nothing rests.
DELETE FROM session s
WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = %(scope_id)s AND s.closed_at IS NOT NULL AND s.dirty_since IS NULL
  AND s.last_event_at < %(before)s
  AND NOT EXISTS (SELECT FROM event x WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = s.scope_id AND x.session_pk = s.session_pk)
  AND NOT EXISTS (SELECT FROM episode x WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = s.scope_id AND x.session_pk = s.session_pk)
  AND NOT EXISTS (SELECT FROM working_item x WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = s.scope_id AND x.session_pk = s.session_pk)
  AND NOT EXISTS (SELECT FROM analysis x WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = s.scope_id AND x.session_pk = s.session_pk)
  AND NOT EXISTS (SELECT FROM memory_evidence x
                  WHERE x.tenant_id = %(tenant_id)s AND x.source_scope_id = s.scope_id AND x.session_pk = s.session_pk);

-- name: expire_working
DELETE FROM working_item w
WHERE w.tenant_id = %(tenant_id)s AND w.expires_at <= %(now)s
  AND (w.scope_id, w.session_pk, w.key) IN (
    SELECT o.scope_id, o.session_pk, o.key FROM working_item o
    WHERE o.tenant_id = %(tenant_id)s AND o.expires_at <= %(now)s
    ORDER BY o.expires_at LIMIT %(limit)s);

-- name: expire_recalls
DELETE FROM recall_log r
WHERE r.tenant_id = %(tenant_id)s AND r.at <= %(since)s
  AND (r.scope_id, r.recall_id) IN (
    SELECT o.scope_id, o.recall_id FROM recall_log o
    WHERE o.tenant_id = %(tenant_id)s AND o.at <= %(since)s
    ORDER BY o.at LIMIT %(limit)s);

-- name: expire_job_failures
DELETE FROM job_failure WHERE tenant_id = %(tenant_id)s AND at <= %(since)s;

-- name: pass_of
SELECT duty, stopped_at, due, held, released_through FROM worker_pass
WHERE tenant_id = %(tenant_id)s AND duty = %(duty)s;

-- name: passes
SELECT duty, stopped_at, due, held, released_through FROM worker_pass
WHERE tenant_id = %(tenant_id)s ORDER BY duty;

-- name: pass_stop
INSERT INTO worker_pass (tenant_id, duty, stopped_at, due, held)
VALUES (%(tenant_id)s, %(duty)s, %(now)s, %(due)s, %(held)s)
ON CONFLICT (tenant_id, duty) DO UPDATE
SET stopped_at = excluded.stopped_at, due = excluded.due, held = excluded.held;

-- name: pass_gone_through
UPDATE worker_pass SET stopped_at = NULL
WHERE tenant_id = %(tenant_id)s AND duty = %(duty)s AND stopped_at IS NOT NULL;

-- name: pass_release
UPDATE worker_pass SET released_through = least(stopped_at, %(now)s)
WHERE tenant_id = %(tenant_id)s AND duty = %(duty)s AND stopped_at IS NOT NULL
RETURNING duty, stopped_at, due, held, released_through;
