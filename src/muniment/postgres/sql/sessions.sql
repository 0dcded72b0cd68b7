-- name: session_ensure
INSERT INTO session (tenant_id, scope_id, session_pk, session_id, opened_at, last_event_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(session_pk)s, %(session_id)s, %(at)s, %(at)s)
ON CONFLICT (tenant_id, scope_id, session_id) DO NOTHING;

-- name: session_find
SELECT session_pk, scope_id, session_id, no_store, opened_at, last_event_at, dirty_since, closed_at, outcome, run_id,
       erased_turns::text
FROM session
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_id = %(session_id)s;

-- name: session_by_pk
SELECT session_pk, scope_id, session_id, no_store, opened_at, last_event_at, dirty_since, closed_at, outcome, run_id,
       erased_turns::text
FROM session
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s;

-- name: session_tell
-- The session that tells of a run, by the name that is free.
INSERT INTO session (tenant_id, scope_id, session_pk, session_id, opened_at, last_event_at, run_id)
VALUES (%(tenant_id)s, %(scope_id)s, %(session_pk)s,
        'run:' || %(run_id)s::uuid || CASE WHEN EXISTS (
          SELECT FROM session o
          WHERE o.tenant_id = %(tenant_id)s AND o.scope_id = %(scope_id)s AND o.session_id = 'run:' || %(run_id)s::uuid)
        THEN ':' || %(session_pk)s::uuid ELSE '' END,
        %(at)s, %(at)s, %(run_id)s);

-- name: session_told
-- The episode that tells of a run, and its session; none once either was erased or its time is over.
SELECT n.session_pk, n.session_id, e.episode_id, e.knowledge
FROM session n
JOIN episode e ON e.tenant_id = n.tenant_id AND e.scope_id = n.scope_id AND e.session_pk = n.session_pk
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.run_id = %(run_id)s AND upper_inf(e.recorded)
  AND (e.expires_at IS NULL OR e.expires_at > %(now)s);

-- name: session_store
UPDATE session SET no_store = %(no_store)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s;

-- name: session_touch
-- New events: the session is open, and its summary is behind.
UPDATE session
SET last_event_at = %(at)s, dirty_since = coalesce(dirty_since, %(at)s), closed_at = NULL, outcome = NULL
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s;

-- name: session_dirty
UPDATE session SET dirty_since = coalesce(dirty_since, %(at)s)
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s;

-- name: session_clean
UPDATE session SET dirty_since = NULL
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s;

-- name: session_close
UPDATE session SET closed_at = coalesce(closed_at, %(at)s), outcome = coalesce(%(outcome)s::text, outcome)
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s;

-- name: session_counts
SELECT count(*) AS events, count(*) FILTER (WHERE kept) AS kept
FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND (expires_at IS NULL OR expires_at > %(now)s);

-- name: sessions_idle
SELECT scope_id, session_pk FROM session
WHERE tenant_id = %(tenant_id)s AND closed_at IS NULL AND last_event_at < %(before)s
ORDER BY last_event_at LIMIT %(limit)s;

-- name: sessions_left_dirty
-- Closed sessions that are behind and have been for a while: a lost job is enqueued again. One that
-- failed for good is not lost: somebody runs it again, or it is forgotten after thirty days.
SELECT s.scope_id, s.session_pk FROM session s
WHERE s.tenant_id = %(tenant_id)s AND s.closed_at IS NOT NULL AND s.dirty_since < %(before)s
  AND NOT EXISTS (
    SELECT FROM tenant_job j
    WHERE j.tenant_id = s.tenant_id AND j.args ->> 'session_pk' = s.session_pk::text
      AND j.state IN ('todo', 'doing', 'failed'))
ORDER BY s.dirty_since LIMIT %(limit)s;

-- name: session_to_extract
-- A session with its owner, and up to where candidates were drawn from it.
SELECT n.session_pk, n.session_id, n.no_store, n.outcome, n.dirty_since, n.extracted_at, n.transcribed_at, n.run_id, s.namespace,
       coalesce(u.opted_out_at IS NOT NULL, false) AS opted_out
FROM session n
JOIN scope s ON s.tenant_id = n.tenant_id AND s.scope_id = n.scope_id
LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
WHERE n.tenant_id = %(tenant_id)s AND n.scope_id = %(scope_id)s AND n.session_pk = %(session_pk)s;

-- name: session_extracted
UPDATE session
SET extracted_at = coalesce(%(extracted_at)s::timestamptz, extracted_at),
    transcribed_at = coalesce(%(transcribed_at)s::timestamptz, transcribed_at)
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s;
