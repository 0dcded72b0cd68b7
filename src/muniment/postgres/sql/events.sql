-- name: events_of_turns
-- Turn by turn, each by the unique key: LIMIT 1 keeps the planner from reading the scope for all.
SELECT e.event_id, e.turn, e.fingerprint, e.kept, e.reason, e.rule, e.importance, e.standing, e.trust, e.redacted
FROM (SELECT DISTINCT unnest(%(turns)s::int[]) AS turn) AS wanted
CROSS JOIN LATERAL (
  SELECT * FROM event x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.session_pk = %(session_pk)s
    AND x.turn = wanted.turn LIMIT 1) e;

-- name: event_before
-- The turn before the first one that is written now: what a short answer answers.
SELECT role, content, name FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND turn < %(turn)s AND (expires_at IS NULL OR expires_at > %(now)s)
ORDER BY turn DESC LIMIT 1;

-- name: sentences_said
-- Digests of what was said lately in this session, by which a repetition is known: what was only
-- proposed was said to nobody but who proposes.
SELECT DISTINCT unnest(sentences) AS digest
FROM (
  SELECT sentences FROM event
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s AND kept
    AND (%(proposes)s OR standing <> 'quarantined' OR NOT EXISTS (
      SELECT FROM api_key k WHERE k.tenant_id = %(tenant_id)s AND k.key_id = written_by AND k.proposes))
  ORDER BY turn DESC LIMIT 500
) lately;

-- name: proposals_give_way
-- Turns that a key proposed, and that nobody decided on, make room for who writes them directly.
DELETE FROM event e USING api_key k
WHERE e.tenant_id = %(tenant_id)s AND e.scope_id = %(scope_id)s AND e.session_pk = %(session_pk)s AND e.turn = ANY(%(turns)s::int[])
  AND e.standing <> 'asserted'
  AND k.tenant_id = %(tenant_id)s AND k.key_id = e.written_by AND k.proposes
  AND NOT EXISTS (
    SELECT FROM review r WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.event_id = e.event_id)
RETURNING e.event_id, e.turn, octet_length(e.content) + octet_length(e.metadata::text) - 2 AS size;

-- name: event_insert
INSERT INTO event (
  tenant_id, scope_id, event_id, session_pk, turn, role, name, content, fingerprint, occurred_at,
  occurred_text, recorded_at, sentences, data_source, tool, agent_id, metadata, redacted, written_by, trust, kept, reason,
  rule, importance, standing, category, retention_class, expires_at
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(event_id)s, %(session_pk)s, %(turn)s, %(role)s, %(name)s, %(content)s,
  %(fingerprint)s, %(occurred_at)s, %(occurred_text)s, %(recorded_at)s, %(sentences)s::text[],
  %(data_source)s, %(tool)s, %(agent_id)s, %(metadata)s, %(redacted)s::text[], %(written_by)s, %(trust)s, %(kept)s, %(reason)s, %(rule)s,
  %(importance)s, %(standing)s, %(category)s, %(retention_class)s, %(expires_at)s
);

-- name: events_said_before
-- The turns before one, latest first: what "don't remember that" may speak of.
SELECT event_id, turn, role, name, content, reason FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND turn < %(turn)s AND (expires_at IS NULL OR expires_at > %(now)s)
ORDER BY turn DESC LIMIT %(limit)s;

-- name: events_blanked
-- What stays of turns that are withdrawn: all but what they say.
SELECT event_id, turn, role, name, fingerprint, occurred_at, occurred_text, recorded_at, data_source, tool, agent_id,
       redacted, written_by, trust, category
FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = ANY(%(events)s::uuid[])
ORDER BY turn;

-- name: events_to_summarise
SELECT event_id, turn, role, name, content, occurred_at, reason, importance, trust, category, standing
FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND kept AND (expires_at IS NULL OR expires_at > %(now)s)
ORDER BY turn;

-- name: events_of_session
SELECT turn, role, name, content, occurred_at, kept, reason, rule
FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND turn > %(after)s AND (expires_at IS NULL OR expires_at > %(now)s)
ORDER BY turn LIMIT %(limit)s;

-- name: turns_on
SELECT event_id, turn, role, content, name, occurred_at, data_source, tool, metadata, kept, reason, rule,
       standing = 'quarantined' AS quarantined, redacted, expires_at,
       standing <> 'asserted' AND EXISTS (
         SELECT FROM api_key k WHERE k.tenant_id = %(tenant_id)s AND k.key_id = written_by
                                 AND k.proposes AND k.principal <> %(principal)s) AS proposed
FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND turn > %(after)s::bigint AND (expires_at IS NULL OR expires_at > %(now)s)
ORDER BY turn LIMIT %(limit)s;

-- name: turns_back
SELECT event_id, turn, role, content, name, occurred_at, data_source, tool, metadata, kept, reason, rule,
       standing = 'quarantined' AS quarantined, redacted, expires_at,
       standing <> 'asserted' AND EXISTS (
         SELECT FROM api_key k WHERE k.tenant_id = %(tenant_id)s AND k.key_id = written_by
                                 AND k.proposes AND k.principal <> %(principal)s) AS proposed
FROM event
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
  AND turn < %(after)s::bigint AND (expires_at IS NULL OR expires_at > %(now)s)
ORDER BY turn DESC LIMIT %(limit)s;

-- name: turn_free
-- The first turn behind all that were written or erased.
SELECT greatest(
  (SELECT e.turn::bigint + 1 FROM event e
   WHERE e.tenant_id = %(tenant_id)s AND e.scope_id = s.scope_id AND e.session_pk = s.session_pk
   ORDER BY e.turn DESC LIMIT 1),
  upper(s.erased_turns), 0)
FROM session s
WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = %(scope_id)s AND s.session_pk = %(session_pk)s;

-- name: turns_behind_findings
-- Of these turns and summaries those that a finding rests on, by themselves or by a turn that they quote.
SELECT t.id, f.by
FROM (
  SELECT e.id, e.id AS event_id FROM unnest(%(items)s::uuid[]) AS e (id)
  UNION ALL
  SELECT q.episode_id, q.event_id FROM episode_source q
  WHERE q.tenant_id = %(tenant_id)s AND q.scope_id = %(scope_id)s AND q.episode_id = ANY(%(items)s::uuid[])
  OFFSET 0) t
CROSS JOIN LATERAL (
  SELECT r.memory_id AS by FROM memory_evidence r
  CROSS JOIN LATERAL (
    SELECT FROM memory x
    WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = r.scope_id AND x.memory_id = r.memory_id AND x.kind = 'finding'
      AND (%(names)s::text[] IS NULL OR x.data_source = ANY(%(names)s::text[])) LIMIT 1) m
  WHERE r.tenant_id = %(tenant_id)s AND r.source_scope_id = %(scope_id)s AND r.event_id = t.event_id
    AND r.recorded_at <= %(known_at)s LIMIT 1) f;

-- name: turns_outdated
-- Turns that memories rest on, none of which is held any more while something took over from one.
SELECT t.event_id, gone.by
FROM (
  SELECT e.event_id FROM unnest(%(events)s::uuid[]) AS e (event_id)
  WHERE NOT EXISTS (
    SELECT FROM memory_evidence r
    CROSS JOIN LATERAL (
      SELECT FROM memory_version x
      WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = r.scope_id AND x.memory_id = r.memory_id
        AND x.recorded @> %(known_at)s::timestamptz AND x.valid @> %(as_of)s::timestamptz LIMIT 1) v
    WHERE r.tenant_id = %(tenant_id)s AND r.source_scope_id = %(scope_id)s AND r.event_id = e.event_id)
  OFFSET 0) t
CROSS JOIN LATERAL (
  SELECT v.by FROM memory_evidence r
  CROSS JOIN LATERAL (
    SELECT coalesce(x.superseded_by, x.ended_by) AS by FROM memory_version x
    WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = r.scope_id AND x.memory_id = r.memory_id
      AND lower(x.recorded) <= %(known_at)s::timestamptz AND coalesce(x.superseded_by, x.ended_by) <> x.memory_id LIMIT 1) v
  WHERE r.tenant_id = %(tenant_id)s AND r.source_scope_id = %(scope_id)s AND r.event_id = t.event_id LIMIT 1) gone;
