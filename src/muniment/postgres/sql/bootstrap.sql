-- What stands around the schema: roles, extensions, schemas, bookkeeping. Idempotent. Run by an
-- administrator of the database (in the embedded server: muniment_admin) under the migration lock.

DO $$
DECLARE
  wanted record;
BEGIN
  FOR wanted IN SELECT * FROM (VALUES ('muniment_owner', 'NOLOGIN'), ('muniment_app', 'LOGIN'), ('muniment_worker', 'LOGIN')) AS r (name, login) LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted.name) THEN
        EXECUTE format('CREATE ROLE %I %s NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', wanted.name, wanted.login);
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- another database of this cluster was migrated at the same moment
    END;
  END LOOP;
  IF NOT pg_has_role(current_user, 'muniment_owner', 'SET') THEN
    EXECUTE format('GRANT muniment_owner TO %I', current_user);
  END IF;
END $$;

CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE SCHEMA IF NOT EXISTS muniment_meta AUTHORIZATION muniment_owner;
CREATE SCHEMA IF NOT EXISTS muniment AUTHORIZATION muniment_owner;
CREATE SCHEMA IF NOT EXISTS muniment_queue AUTHORIZATION muniment_owner;
GRANT USAGE ON SCHEMA muniment, muniment_meta, muniment_queue TO muniment_app, muniment_worker;

DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET search_path = muniment, muniment_queue, public', current_database());
  EXECUTE format('ALTER DATABASE %I SET timezone = ''UTC''', current_database());
  -- Statements are few and prepared once; planning one over hash partitions anew costs ten times
  -- what running it does.
  EXECUTE format('ALTER DATABASE %I SET plan_cache_mode = force_generic_plan', current_database());
END $$;

SET ROLE muniment_owner;

CREATE TABLE IF NOT EXISTS muniment_meta.setting (
  name  text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE IF NOT EXISTS muniment_meta.migration (
  version    integer PRIMARY KEY,
  name       text NOT NULL,
  digest     text NOT NULL,
  applied_at timestamptz NOT NULL
);

GRANT SELECT ON muniment_meta.setting, muniment_meta.migration TO muniment_app, muniment_worker;

RESET ROLE;
