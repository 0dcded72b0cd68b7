-- Runs of agents: their checkpoints and what they committed to. A run that was closed longer ago
-- than its class is kept (since) is there no more, removed yet or not.

-- name: run_insert
INSERT INTO run (tenant_id, scope_id, run_id, agent_id, first_stage, stage, machine, machine_version, step_ceiling, cost_ceiling, lease_seconds,
                 lease_expires_at, strict, opened_by, opened_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(run_id)s, %(agent_id)s, %(stage)s, %(stage)s, %(machine)s::text, %(machine_version)s::integer, %(step_ceiling)s,
        %(cost_ceiling)s::numeric, %(lease_seconds)s, %(lease_expires_at)s, %(strict)s, %(opened_by)s, %(now)s);

-- name: run_scope
-- Where a run lies: what knows it reads one partition, and this all of them.
SELECT scope_id FROM run WHERE tenant_id = %(tenant_id)s AND run_id = %(run_id)s;

-- name: run_find
SELECT r.scope_id, r.run_id, r.agent_id, r.first_stage, r.stage, r.machine, r.machine_version, r.step, r.step_ceiling, r.cost::text AS cost,
       r.cost_ceiling::text AS cost_ceiling, r.fence, r.lease_seconds, r.lease_expires_at, r.opened_at, r.resumed,
       r.closed_at, r.outcome, r.correction, r.told, r.strict, r.salt, s.namespace, u.user_id, u.opted_out_at,
       EXISTS (SELECT FROM run_input i WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = r.run_id) AS recalled
FROM run r
CROSS JOIN LATERAL (
  SELECT x.namespace, x.user_pk FROM scope x WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = r.scope_id LIMIT 1) s
LEFT JOIN end_user u ON u.tenant_id = %(tenant_id)s AND u.user_pk = s.user_pk
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.run_id = %(run_id)s AND (r.closed_at IS NULL OR r.closed_at > %(since)s);

-- name: run_lock
-- The same for a write, which others of the same run wait for.
SELECT r.scope_id, r.run_id, r.agent_id, r.first_stage, r.stage, r.machine, r.machine_version, r.step, r.step_ceiling, r.cost::text AS cost,
       r.cost_ceiling::text AS cost_ceiling, r.fence, r.lease_seconds, r.lease_expires_at, r.opened_at, r.resumed,
       r.closed_at, r.outcome, r.correction, r.told, r.strict, r.salt, s.namespace, u.user_id, u.opted_out_at,
       EXISTS (SELECT FROM run_input i WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = r.run_id) AS recalled
FROM run r
CROSS JOIN LATERAL (
  SELECT x.namespace, x.user_pk FROM scope x WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = r.scope_id LIMIT 1) s
LEFT JOIN end_user u ON u.tenant_id = %(tenant_id)s AND u.user_pk = s.user_pk
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.run_id = %(run_id)s AND (r.closed_at IS NULL OR r.closed_at > %(since)s)
FOR UPDATE OF r;

-- name: run_lock_step
-- The same for a checkpoint: how many facts of the run nothing superseded; of these facts those that
-- it has, and those of them that are superseded. They are as they were before the wait.
SELECT r.scope_id, r.run_id, r.agent_id, r.first_stage, r.stage, r.machine, r.machine_version, r.step, r.step_ceiling, r.cost::text AS cost,
       r.cost_ceiling::text AS cost_ceiling, r.fence, r.lease_seconds, r.lease_expires_at, r.opened_at, r.resumed,
       r.closed_at, r.outcome, r.correction, r.told, r.strict, r.salt, s.namespace, u.user_id, u.opted_out_at,
       EXISTS (SELECT FROM run_input i WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = r.run_id) AS recalled,
       f.held, f.named, f.superseded
FROM run r
CROSS JOIN LATERAL (
  SELECT x.namespace, x.user_pk FROM scope x WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = r.scope_id LIMIT 1) s
LEFT JOIN end_user u ON u.tenant_id = %(tenant_id)s AND u.user_pk = s.user_pk
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE superseded_from = 'infinity') AS held,
         coalesce(array_agg(fact_id) FILTER (WHERE fact_id = ANY(%(ids)s::uuid[])), '{}') AS named,
         coalesce(array_agg(fact_id) FILTER (WHERE superseded_from < 'infinity'), '{}') AS superseded
  FROM run_fact
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s
    AND (superseded_from = 'infinity' OR fact_id = ANY(%(ids)s::uuid[]))) f
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.run_id = %(run_id)s AND (r.closed_at IS NULL OR r.closed_at > %(since)s)
FOR UPDATE OF r;

-- name: run_page
SELECT r.run_id, r.agent_id, u.user_id, s.namespace, r.stage, r.step, r.opened_at, r.lease_expires_at, r.closed_at, r.outcome
FROM run r
JOIN scope s ON s.tenant_id = r.tenant_id AND s.scope_id = r.scope_id
LEFT JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
WHERE r.tenant_id = %(tenant_id)s AND (r.closed_at IS NULL OR r.closed_at > %(since)s)
  AND (%(user_id)s::text IS NULL OR u.user_id = %(user_id)s::text)
  AND (%(agent_id)s::text IS NULL OR r.agent_id = %(agent_id)s::text)
  AND (%(closed)s::boolean IS NULL OR (r.closed_at IS NOT NULL) = %(closed)s::boolean)
  AND (%(after)s::uuid IS NULL OR r.run_id < %(after)s::uuid)
ORDER BY r.run_id DESC LIMIT %(limit)s;

-- name: run_lease
UPDATE run SET fence = %(fence)s, lease_seconds = %(lease_seconds)s, lease_expires_at = %(lease_expires_at)s, resumed = %(resumed)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s;

-- name: run_close
UPDATE run SET closed_at = coalesce(closed_at, %(now)s), outcome = %(outcome)s, correction = %(correction)s::text,
               bytes = bytes - coalesce(octet_length(correction), 0) + coalesce(octet_length(%(correction)s::text), 0)
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s;

-- name: run_step
-- A checkpoint with its facts, and the run after it. What a fact supersedes is of an earlier step.
-- It divides by none where the run is not as it was found: stepped, moved, resumed by somebody else,
-- closed or gone, with inputs or without, its user opted out.
-- The null of JSON comes out of a record as that of SQL.
WITH made AS (
  INSERT INTO run_checkpoint (tenant_id, scope_id, run_id, step, stage, questions, cost, stale, digest, fence, key_id, recorded_at)
  VALUES (%(tenant_id)s, %(scope_id)s, %(run_id)s, %(step)s, %(stage)s::text, %(questions)s::json, %(cost)s::numeric,
          %(stale)s::json, %(digest)s, %(fence)s, %(key_id)s, %(now)s)
), given AS (
  SELECT * FROM json_to_recordset(%(facts)s::json)
    AS f (fact_id uuid, place integer, key text, value json, source text, valid_from timestamptz, supersedes uuid)
), facts AS (
  INSERT INTO run_fact (tenant_id, scope_id, run_id, fact_id, step, place, key, value, source, valid_from, supersedes)
  SELECT %(tenant_id)s, %(scope_id)s, %(run_id)s, g.fact_id, %(step)s, g.place, g.key, coalesce(g.value, 'null'), g.source, g.valid_from, g.supersedes
  FROM given g
), over AS (
  UPDATE run_fact o SET superseded_from = g.valid_from FROM given g
  WHERE o.tenant_id = %(tenant_id)s AND o.scope_id = %(scope_id)s AND o.run_id = %(run_id)s AND o.fact_id = g.supersedes
    AND o.fact_id = ANY(%(pointers)s::uuid[])
), moved AS (
  UPDATE run r SET stage = %(stage)s::text, step = %(step)s, cost = %(cost)s::numeric, lease_expires_at = %(lease_expires_at)s,
                   bytes = bytes + %(bytes)s
  WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.run_id = %(run_id)s
    AND r.step = %(step)s - 1 AND r.fence = %(fence)s AND r.lease_seconds = %(lease_seconds)s AND r.closed_at IS NULL
    AND r.stage IS NOT DISTINCT FROM %(stage_before)s::text
    AND %(recalled)s = EXISTS (
      SELECT FROM run_input i WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = %(run_id)s)
    AND NOT EXISTS (
      SELECT FROM scope s JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
      WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = %(scope_id)s AND u.opted_out_at IS NOT NULL)
  RETURNING r.step
)
SELECT 1 / count(*) FROM moved;

-- name: checkpoint_find
SELECT step, stage, questions, cost::text AS cost, stale, digest, recorded_at FROM run_checkpoint
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND step = %(step)s;

-- name: checkpoint_page
SELECT c.step, c.stage, c.cost::text AS cost, c.recorded_at,
       (SELECT count(*) FROM run_fact f WHERE f.tenant_id = %(tenant_id)s AND f.scope_id = c.scope_id AND f.run_id = c.run_id
                                          AND f.step = c.step) AS facts,
       json_array_length(c.questions) AS open_questions
FROM run_checkpoint c
WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.run_id = %(run_id)s
  AND (%(after)s::integer IS NULL OR c.step < %(after)s::integer)
ORDER BY c.step DESC LIMIT %(limit)s;

-- name: stages
-- Through which stages a run went, each once: where it began, its checkpoints, its moves, where it is.
SELECT g.stage FROM (
  SELECT c.stage, ARRAY[c.step, 0] AS place FROM run_checkpoint c
  WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.run_id = %(run_id)s
  UNION ALL
  SELECT m.stage, ARRAY[t.step, 2 * t.place + m.arrived] FROM run_transition t
  CROSS JOIN LATERAL (VALUES (t.from_stage, 0), (t.to_stage, 1)) m (stage, arrived)
  WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s AND t.run_id = %(run_id)s
  UNION ALL
  SELECT m.stage, m.place FROM run r
  CROSS JOIN LATERAL (VALUES (r.first_stage, ARRAY[0, 0]), (r.stage, ARRAY[r.step + 1, 0])) m (stage, place)
  WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.run_id = %(run_id)s) g
WHERE g.stage IS NOT NULL
GROUP BY g.stage ORDER BY min(g.place) LIMIT 50;

-- name: facts_of_step
SELECT fact_id, key, value, source, valid_from, supersedes, step FROM run_fact
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND step = %(step)s
ORDER BY place;

-- name: facts_now
-- What holds at an instant, after everything that the run committed to.
SELECT fact_id, key, value, source, valid_from, supersedes, step FROM run_fact
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s
  AND superseded_from > %(as_of)s AND valid_from <= %(as_of)s
ORDER BY step, place;

-- name: facts_then
-- The same after an earlier step.
SELECT f.fact_id, f.key, f.value, f.source, f.valid_from, f.supersedes, f.step FROM run_fact f
WHERE f.tenant_id = %(tenant_id)s AND f.scope_id = %(scope_id)s AND f.run_id = %(run_id)s
  AND f.step <= %(step)s AND f.valid_from <= %(as_of)s
  AND NOT EXISTS (
    SELECT FROM run_fact s
    WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = f.scope_id AND s.run_id = f.run_id AND s.supersedes = f.fact_id
      AND s.step <= %(step)s AND s.valid_from <= %(as_of)s)
ORDER BY f.step, f.place;

-- name: run_told
UPDATE run SET told = true
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s;

-- name: run_figures
SELECT run_figures(%(now)s);

-- name: run_due
-- How many runs are past their time that an operator has not let go.
SELECT count(*) FROM run WHERE tenant_id = %(tenant_id)s AND closed_at <= %(since)s
  AND closed_at > %(since)s::timestamptz - (%(now)s::timestamptz - %(released)s::timestamptz);

-- name: expire_runs
DELETE FROM run r
WHERE r.tenant_id = %(tenant_id)s AND r.closed_at <= %(since)s
  AND (r.scope_id, r.run_id) IN (
    SELECT o.scope_id, o.run_id FROM run o
    WHERE o.tenant_id = %(tenant_id)s AND o.closed_at <= %(since)s
    ORDER BY o.closed_at LIMIT %(limit)s);
