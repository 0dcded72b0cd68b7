-- name: job_defer
SELECT defer_job(%(task)s, %(key)s, %(arguments)s::jsonb);

-- name: job_get
-- A key of one user finds the jobs on that user's scopes.
SELECT j.id, j.task, j.state, j.attempts, j.scheduled_at, j.args, j.created_at, j.updated_at,
       (SELECT code FROM job_failure f WHERE f.tenant_id = %(tenant_id)s AND f.job_id = j.id
        ORDER BY attempt DESC LIMIT 1) AS last_error
FROM tenant_job j
WHERE j.tenant_id = %(tenant_id)s AND j.id = %(id)s
  AND (%(user_id)s::text IS NULL OR EXISTS (
    SELECT FROM scope s JOIN end_user u ON u.tenant_id = s.tenant_id AND u.user_pk = s.user_pk
    WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = (j.args ->> 'scope_id')::uuid
      AND u.user_id = %(user_id)s::text));

-- name: job_list
SELECT j.id, j.task, j.state, j.attempts, j.scheduled_at, j.args, j.created_at, j.updated_at,
       (SELECT code FROM job_failure f WHERE f.tenant_id = %(tenant_id)s AND f.job_id = j.id
        ORDER BY attempt DESC LIMIT 1) AS last_error
FROM tenant_job j
WHERE j.tenant_id = %(tenant_id)s AND (%(state)s::text IS NULL OR j.state = %(state)s::text)
  AND (%(before)s::bigint IS NULL OR j.id < %(before)s::bigint)
ORDER BY j.id DESC LIMIT %(limit)s;

-- name: job_retry
SELECT retry_job(%(id)s, %(now)s);

-- name: job_failure_note
-- Notes a failure and tells how many of the job have its code, this one too.
WITH noted AS (
  INSERT INTO job_failure (tenant_id, job_id, attempt, code, at)
  VALUES (%(tenant_id)s, %(job_id)s, %(attempt)s, %(code)s, %(at)s)
  ON CONFLICT (tenant_id, job_id, attempt) DO UPDATE SET code = excluded.code, at = excluded.at
)
SELECT 1 + count(*) FROM job_failure
WHERE tenant_id = %(tenant_id)s AND job_id = %(job_id)s AND attempt <> %(attempt)s AND code = %(code)s;

-- name: jobs_retry_stalled
SELECT retry_stalled(%(silent)s::interval);
