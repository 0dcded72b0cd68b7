-- What the service adds to the queue library's tables. The app role has no right on them: it sees
-- and enqueues the jobs of its own tenant through the view and the functions here. (Row-level
-- security on them would not do: it hides the detail of a unique violation, which the library
-- reads.) Arguments are ids only; the tenant is one of them.

ALTER TABLE procrastinate_jobs
  ADD COLUMN IF NOT EXISTS tenant_id uuid GENERATED ALWAYS AS ((args ->> 'tenant_id')::uuid) STORED;
CREATE INDEX IF NOT EXISTS muniment_jobs_tenant ON procrastinate_jobs (tenant_id, id);
CREATE INDEX IF NOT EXISTS muniment_jobs_waiting ON procrastinate_jobs (lock) WHERE status = 'todo';

CREATE OR REPLACE VIEW tenant_job WITH (security_barrier = true) AS
SELECT j.tenant_id, j.id, j.task_name AS task, j.status::text AS state, j.attempts, j.scheduled_at, j.args,
       (SELECT min(e.at) FROM procrastinate_events e WHERE e.job_id = j.id) AS created_at,
       (SELECT max(e.at) FROM procrastinate_events e WHERE e.job_id = j.id) AS updated_at
FROM procrastinate_jobs j
WHERE j.tenant_id = nullif(current_setting('muniment.tenant_id', true), '')::uuid;

-- One waiting job for each key; jobs of one key run one after the other. Null if one waits already.
CREATE OR REPLACE FUNCTION defer_job(task text, key text, arguments jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = muniment_queue, pg_temp AS $$
DECLARE
  made bigint;
BEGIN
  IF (arguments ->> 'tenant_id')::uuid IS DISTINCT FROM nullif(current_setting('muniment.tenant_id', true), '')::uuid THEN
    RAISE insufficient_privilege USING MESSAGE = 'a job belongs to the tenant that enqueues it';
  END IF;
  INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args)
  SELECT 'default', task, key, arguments
  WHERE NOT EXISTS (SELECT FROM procrastinate_jobs j WHERE j.lock = key AND j.status = 'todo')
  RETURNING id INTO made;
  RETURN made;
END $$;

-- Runs a failed job of the tenant again; false if there is none.
CREATE OR REPLACE FUNCTION retry_job(job bigint, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = muniment_queue, pg_temp AS $$
BEGIN
  PERFORM FROM tenant_job WHERE id = job AND state = 'failed';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM procrastinate_retry_job_v2(job, at, NULL, NULL, NULL);
  RETURN true;
END $$;

-- Jobs of the tenant about scopes or sessions that are forgotten go; one at work finds nothing there.
CREATE OR REPLACE FUNCTION forget_jobs(scopes uuid[], sessions uuid[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = muniment_queue, pg_temp AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM procrastinate_jobs
  WHERE tenant_id = nullif(current_setting('muniment.tenant_id', true), '')::uuid AND status <> 'doing'
    AND ((args ->> 'scope_id')::uuid = ANY(scopes) OR (args ->> 'session_pk')::uuid = ANY(sessions));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;

-- Jobs of a worker that was not heard of for so long go back to waiting; the library leaves them.
-- Two who look at once do not take the same.
CREATE OR REPLACE FUNCTION retry_stalled(silent interval) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = muniment_queue, pg_temp AS $$
DECLARE
  stalled record;
  retried bigint := 0;
BEGIN
  FOR stalled IN
    SELECT j.id FROM procrastinate_jobs j
    WHERE j.status = 'doing'
      AND NOT EXISTS (SELECT FROM procrastinate_workers w WHERE w.id = j.worker_id AND w.last_heartbeat > now() - silent)
    FOR UPDATE SKIP LOCKED
  LOOP
    PERFORM procrastinate_retry_job_v2(stalled.id, now(), NULL, NULL, NULL);
    retried := retried + 1;
  END LOOP;
  RETURN retried;
END $$;

-- When a worker last said that it lives; null if none ever did. Of no tenant.
CREATE OR REPLACE FUNCTION worker_seen() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment_queue, pg_temp
RETURN (SELECT max(last_heartbeat) FROM procrastinate_workers);

-- Jobs by state, over all tenants: for metrics, which name none.
CREATE OR REPLACE FUNCTION job_counts() RETURNS TABLE (state text, jobs bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment_queue, pg_temp
BEGIN ATOMIC
  SELECT status::text, count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing', 'failed') GROUP BY status;
END;

REVOKE ALL ON FUNCTION defer_job, retry_job, forget_jobs, retry_stalled, worker_seen, job_counts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION retry_stalled TO muniment_worker;
GRANT EXECUTE ON FUNCTION defer_job, retry_job, forget_jobs, worker_seen, job_counts TO muniment_app, muniment_worker;
GRANT SELECT ON tenant_job TO muniment_app, muniment_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA muniment_queue TO muniment_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA muniment_queue TO muniment_worker;
