-- What the service adds to the queue library's tables: the tenant of a job, read from its
-- arguments (ids only), so that the app role sees the jobs of one tenant alone.

ALTER TABLE procrastinate_jobs
  ADD COLUMN IF NOT EXISTS tenant_id uuid GENERATED ALWAYS AS ((args ->> 'tenant_id')::uuid) STORED;
CREATE INDEX IF NOT EXISTS muniment_jobs_tenant ON procrastinate_jobs (tenant_id, id);

ALTER TABLE procrastinate_jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE procrastinate_jobs FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS of_tenant ON procrastinate_jobs;
DROP POLICY IF EXISTS of_worker ON procrastinate_jobs;
CREATE POLICY of_tenant ON procrastinate_jobs TO muniment_app
  USING (tenant_id = nullif(current_setting('muniment.tenant_id', true), '')::uuid);
CREATE POLICY of_worker ON procrastinate_jobs TO muniment_worker USING (true);

GRANT SELECT, INSERT, UPDATE ON procrastinate_jobs TO muniment_app;
GRANT SELECT, INSERT ON procrastinate_events TO muniment_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA muniment_queue TO muniment_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA muniment_queue TO muniment_app, muniment_worker;
