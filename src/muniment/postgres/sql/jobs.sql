-- name: job_get
SELECT j.id, j.task_name AS task, j.status::text AS state, j.attempts, j.scheduled_at, j.args,
       (SELECT min(e.at) FROM procrastinate_events e WHERE e.job_id = j.id) AS created_at,
       (SELECT max(e.at) FROM procrastinate_events e WHERE e.job_id = j.id) AS updated_at,
       f.code AS last_error
FROM procrastinate_jobs j
LEFT JOIN LATERAL (
  SELECT code FROM job_failure f WHERE f.tenant_id = j.tenant_id AND f.job_id = j.id ORDER BY attempt DESC LIMIT 1
) f ON true
WHERE j.tenant_id = %(tenant_id)s AND j.id = %(id)s;

-- name: job_list
SELECT j.id, j.task_name AS task, j.status::text AS state, j.attempts, j.scheduled_at, j.args,
       (SELECT min(e.at) FROM procrastinate_events e WHERE e.job_id = j.id) AS created_at,
       (SELECT max(e.at) FROM procrastinate_events e WHERE e.job_id = j.id) AS updated_at,
       f.code AS last_error
FROM procrastinate_jobs j
LEFT JOIN LATERAL (
  SELECT code FROM job_failure f WHERE f.tenant_id = j.tenant_id AND f.job_id = j.id ORDER BY attempt DESC LIMIT 1
) f ON true
WHERE j.tenant_id = %(tenant_id)s AND (%(state)s::text IS NULL OR j.status::text = %(state)s::text)
  AND (%(before)s::bigint IS NULL OR j.id < %(before)s::bigint)
ORDER BY j.id DESC LIMIT %(limit)s;

-- name: job_retry
SELECT procrastinate_retry_job_v2(id, %(now)s, NULL, NULL, NULL) FROM procrastinate_jobs
WHERE tenant_id = %(tenant_id)s AND id = %(id)s AND status = 'failed';

-- name: job_failure_insert
INSERT INTO job_failure (tenant_id, job_id, attempt, code, at)
VALUES (%(tenant_id)s, %(job_id)s, %(attempt)s, %(code)s, %(at)s)
ON CONFLICT (tenant_id, job_id, attempt) DO UPDATE SET code = excluded.code, at = excluded.at;
