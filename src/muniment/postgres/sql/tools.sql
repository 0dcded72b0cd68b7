-- Tools that agents may call, and the ledger of their calls.

-- name: tool_define
INSERT INTO tool (tenant_id, name, effect, idempotent, trust, dedupe_seconds, gate, defined_at, defined_by)
VALUES (%(tenant_id)s, %(name)s, %(effect)s, %(idempotent)s, %(trust)s, %(dedupe_seconds)s::integer, %(gate)s::text,
        %(now)s, %(defined_by)s)
ON CONFLICT (tenant_id, name) DO UPDATE
SET effect = excluded.effect, idempotent = excluded.idempotent, trust = excluded.trust,
    dedupe_seconds = excluded.dedupe_seconds, gate = excluded.gate, defined_at = excluded.defined_at, defined_by = excluded.defined_by;

-- name: tool_find
SELECT name, effect, idempotent, trust, dedupe_seconds, gate, defined_at FROM tool
WHERE tenant_id = %(tenant_id)s AND name = %(name)s;

-- name: tools_verified
SELECT name FROM tool
WHERE tenant_id = %(tenant_id)s AND name = ANY(%(names)s::text[]) AND trust = 'tool_verified';

-- name: tool_page
SELECT name, effect, idempotent, trust, dedupe_seconds, gate, defined_at FROM tool
WHERE tenant_id = %(tenant_id)s AND (%(after)s::text IS NULL OR name > %(after)s::text)
ORDER BY name LIMIT %(limit)s;

-- name: call_find
SELECT c.run_id, c.tool, c.key, c.digest, c.effect, c.idempotent, c.state, c.attempt, c.step, c.claimed_at, c.recorded_at,
       c.result, c.result_digest, c.happened, c.fence < r.fence OR r.lease_expires_at <= %(now)s OR r.closed_at IS NOT NULL AS lapsed
FROM tool_call c JOIN run r USING (tenant_id, scope_id, run_id)
WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.run_id = %(run_id)s
  AND c.tool = %(tool)s AND c.key = %(key)s;

-- name: call_elsewhere
-- The last call under this key in another run of the scope since a moment, unless it came to nothing.
SELECT c.run_id, c.tool, c.key, c.digest, c.effect, c.idempotent, c.state, c.attempt, c.step, c.claimed_at, c.recorded_at,
       c.result, c.result_digest, c.happened, c.fence < r.fence OR r.lease_expires_at <= %(now)s OR r.closed_at IS NOT NULL AS lapsed
FROM tool_call c JOIN run r USING (tenant_id, scope_id, run_id)
WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.tool = %(tool)s AND c.key = %(key)s
  AND c.run_id <> %(run_id)s AND c.claimed_at > %(since)s
  AND c.state <> 'failed' AND c.happened IS DISTINCT FROM false
ORDER BY c.claimed_at DESC LIMIT 1;

-- name: run_scope_lock
-- Holds back other runs of the scope that ask for the same key.
SELECT scope_id FROM scope_state WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s FOR UPDATE;

-- name: call_insert
WITH counted AS (
  UPDATE run SET bytes = bytes + %(bytes)s
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s
)
INSERT INTO tool_call (tenant_id, scope_id, run_id, tool, key, arguments, digest, effect, idempotent, state, attempt, fence,
                       step, claimed_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(run_id)s, %(tool)s, %(key)s, %(arguments)s::json, %(digest)s, %(effect)s,
        %(idempotent)s, 'claimed', 1, %(fence)s, %(step)s, %(now)s);

-- name: call_again
-- What the attempt before left goes, from what is counted too.
WITH counted AS (
  UPDATE run SET bytes = bytes - (
    SELECT coalesce(octet_length(c.result), 0) + coalesce(octet_length(c.reason), 0) FROM tool_call c
    WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.run_id = %(run_id)s AND c.tool = %(tool)s AND c.key = %(key)s)
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s
)
UPDATE tool_call
SET state = 'claimed', attempt = %(attempt)s, fence = %(fence)s, step = %(step)s, claimed_at = %(now)s, recorded_at = NULL,
    result = NULL, result_digest = NULL, happened = NULL, reason = NULL, settled_by = NULL
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND tool = %(tool)s AND key = %(key)s;

-- name: call_record
WITH counted AS (
  UPDATE run SET bytes = bytes + coalesce(octet_length(%(result)s::bytea), 0) + coalesce(octet_length(%(reason)s::text), 0) - (
    SELECT coalesce(octet_length(c.result), 0) + coalesce(octet_length(c.reason), 0) FROM tool_call c
    WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.run_id = %(run_id)s AND c.tool = %(tool)s AND c.key = %(key)s)
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s
)
UPDATE tool_call
SET state = %(state)s, recorded_at = %(now)s, result = %(result)s::bytea, result_digest = %(result_digest)s::bytea,
    happened = %(happened)s::boolean, reason = %(reason)s::text, settled_by = %(settled_by)s::uuid
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND tool = %(tool)s AND key = %(key)s;

-- name: calls_shown
-- The last calls of a run, and before them every one that is not known to be over; results that are
-- small. One more than is shown, so that a cut is known.
SELECT c.run_id, c.tool, c.key, c.digest, c.effect, c.idempotent, c.state, c.attempt, c.step, c.claimed_at, c.recorded_at,
       CASE WHEN octet_length(c.result) <= %(small)s THEN c.result END AS result, c.result_digest, c.happened,
       c.fence < %(fence)s OR %(lapsed)s AS lapsed
FROM tool_call c
WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.run_id = %(run_id)s AND c.step <= %(step)s
  AND (c.state IN ('claimed', 'in_doubt') OR c.claimed_at >= coalesce((
    SELECT o.claimed_at FROM tool_call o
    WHERE o.tenant_id = %(tenant_id)s AND o.scope_id = %(scope_id)s AND o.run_id = %(run_id)s AND o.step <= %(step)s
    ORDER BY o.claimed_at DESC OFFSET %(last)s LIMIT 1), '-infinity'))
ORDER BY c.claimed_at, c.tool, c.key LIMIT %(most)s;

-- name: run_renew
UPDATE run SET lease_expires_at = %(lease_expires_at)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s;

-- name: approval_insert
WITH counted AS (
  UPDATE run SET bytes = bytes + octet_length(%(asked)s::text) + coalesce(octet_length(%(reason)s::text), 0)
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s
)
INSERT INTO approval (tenant_id, scope_id, run_id, approval_id, action, amount, gate, asked, reason, step, requested_by,
                      requested_at, expires_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(run_id)s, %(approval_id)s, %(action)s, %(amount)s::numeric, %(gate)s, %(asked)s::json,
        %(reason)s::text, %(step)s, %(requested_by)s, %(now)s, %(expires_at)s);

-- name: approval_find
SELECT a.scope_id, a.run_id, a.approval_id, a.action, a.amount::text AS amount, a.gate, a.asked, a.reason, a.requested_by,
       k.principal, a.requested_at, a.expires_at, a.decision, a.granted, a.note, a.decided_by, a.decided_at, a.used_for, u.user_id,
       r.closed_at
FROM approval a
JOIN run r ON r.tenant_id = a.tenant_id AND r.scope_id = a.scope_id AND r.run_id = a.run_id
JOIN scope s ON s.tenant_id = a.tenant_id AND s.scope_id = a.scope_id
LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
LEFT JOIN api_key k ON k.tenant_id = a.tenant_id AND k.key_id = a.requested_by
WHERE a.tenant_id = %(tenant_id)s AND a.approval_id = %(approval_id)s AND (r.closed_at IS NULL OR r.closed_at > %(since)s);

-- name: approval_page
-- What waits, or everything, oldest first; of the gates that are asked for.
SELECT a.scope_id, a.run_id, a.approval_id, a.action, a.amount::text AS amount, a.gate, a.asked, a.reason, a.requested_by,
       k.principal, a.requested_at, a.expires_at, a.decision, a.granted, a.note, a.decided_by, a.decided_at, a.used_for, u.user_id,
       r.closed_at
FROM approval a
JOIN run r ON r.tenant_id = a.tenant_id AND r.scope_id = a.scope_id AND r.run_id = a.run_id
JOIN scope s ON s.tenant_id = a.tenant_id AND s.scope_id = a.scope_id
LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
LEFT JOIN api_key k ON k.tenant_id = a.tenant_id AND k.key_id = a.requested_by
WHERE a.tenant_id = %(tenant_id)s AND (r.closed_at IS NULL OR r.closed_at > %(since)s)
  AND (NOT %(waiting)s OR (a.decision IS NULL AND a.expires_at > %(now)s AND r.closed_at IS NULL))
  AND (%(user_id)s::text IS NULL OR u.user_id = %(user_id)s::text)
  AND (%(gate)s::text IS NULL OR a.gate = %(gate)s::text)
  AND (%(run_id)s::uuid IS NULL OR a.run_id = %(run_id)s::uuid)
  AND (%(after)s::uuid IS NULL OR a.approval_id > %(after)s::uuid)
ORDER BY a.approval_id LIMIT %(limit)s;

-- name: approvals_of_run
SELECT approval_id, action, amount::text AS amount, gate, requested_at, expires_at, decision, used_for
FROM approval
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND used_for IS NULL
  AND step <= %(step)s AND decision IS DISTINCT FROM 'reject' AND expires_at > %(now)s
ORDER BY approval_id LIMIT %(most)s;

-- name: approval_decide
WITH counted AS (
  UPDATE run SET bytes = bytes + coalesce(octet_length(%(granted)s::text), 0) + coalesce(octet_length(%(note)s::text), 0)
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s
)
UPDATE approval
SET decision = %(decision)s, granted = %(granted)s::json, note = %(note)s::text, decided_by = %(decided_by)s, decided_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND approval_id = %(approval_id)s
  AND decision IS NULL;

-- name: approval_use
UPDATE approval SET used_for = %(used_for)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND approval_id = %(approval_id)s;

-- name: machine_insert
INSERT INTO machine (tenant_id, name, version, initial, transitions, defined_at, defined_by)
VALUES (%(tenant_id)s, %(name)s, %(version)s, %(initial)s, %(transitions)s::jsonb, %(now)s, %(defined_by)s);

-- name: machine_find
-- A version, or the last one.
SELECT name, version, initial, transitions, defined_at FROM machine
WHERE tenant_id = %(tenant_id)s AND name = %(name)s AND (%(version)s::integer IS NULL OR version = %(version)s::integer)
ORDER BY version DESC LIMIT 1;

-- name: machine_page
SELECT name, version, initial, transitions, defined_at FROM machine
WHERE tenant_id = %(tenant_id)s AND (%(after)s::text IS NULL OR (name, version) > (%(after)s::text, %(after_version)s::integer))
ORDER BY name, version LIMIT %(limit)s;

-- name: transition_insert
WITH made AS (
  INSERT INTO run_transition (tenant_id, scope_id, run_id, place, from_stage, to_stage, step, approval_id, key_id, moved_at)
  SELECT %(tenant_id)s, %(scope_id)s, %(run_id)s,
         1 + (SELECT coalesce(max(t.place), 0) FROM run_transition t
              WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s AND t.run_id = %(run_id)s),
         %(from_stage)s, %(to_stage)s, %(step)s, %(approval_id)s::uuid, %(key_id)s, %(now)s
)
UPDATE run SET stage = %(to_stage)s, lease_expires_at = %(lease_expires_at)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s;

-- name: transitions
SELECT place, from_stage, to_stage, step, approval_id, moved_at FROM run_transition
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s
  AND place > %(after)s
ORDER BY place LIMIT %(limit)s;
