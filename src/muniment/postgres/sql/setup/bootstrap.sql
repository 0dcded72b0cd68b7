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
  -- On Citus a statement goes to the node of its tenant, which is known only with the values.
  EXECUTE format('ALTER DATABASE %I SET plan_cache_mode = %s', current_database(),
                 CASE WHEN to_regclass('pg_dist_partition') IS NULL THEN 'force_generic_plan' ELSE 'force_custom_plan' END);
END $$;

-- Nobody but the owner makes temporary objects: a temporary table hides the real one of its name
-- from every later statement of its connection. Large objects know no tenant. Who may not revoke
-- that is told at the start of the service.
DO $$
DECLARE
  routine record;
BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC, muniment_app, muniment_worker', current_database());
  FOR routine IN
    SELECT p.oid::regprocedure AS name FROM pg_proc p
    WHERE p.pronamespace = 'pg_catalog'::regnamespace
      AND (p.proname LIKE 'lo\_%' OR p.proname IN ('loread', 'lowrite'))
      AND pg_has_role(current_user, p.proowner, 'USAGE')
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, muniment_app, muniment_worker', routine.name);
  END LOOP;
END $$;

-- Nobody waits for ever: not for a statement, nor for a lock, nor for a client that went silent in a
-- transaction. Migrations run as somebody else and have all the time. What an operator has set for a
-- role stays. Who may not alter a role is told so by the check of the start.
DO $$
DECLARE
  wanted record;
BEGIN
  FOR wanted IN
    SELECT * FROM (VALUES
      ('muniment_app', 'statement_timeout', '60s'),
      ('muniment_worker', 'statement_timeout', '10min'),
      ('muniment_app', 'lock_timeout', '10s'),
      ('muniment_worker', 'lock_timeout', '10s'),
      ('muniment_app', 'idle_in_transaction_session_timeout', '60s'),
      ('muniment_worker', 'idle_in_transaction_session_timeout', '60s'),
      -- The one before does not begin while a client's last messages came in one packet.
      ('muniment_app', 'transaction_timeout', '5min'),
      ('muniment_worker', 'transaction_timeout', '30min')
    ) AS v (role, name, value)
    WHERE NOT EXISTS (
      SELECT FROM pg_db_role_setting s
      JOIN pg_roles r ON r.oid = s.setrole
      JOIN pg_database d ON d.oid = s.setdatabase
      CROSS JOIN unnest(s.setconfig) AS kept
      WHERE d.datname = current_database() AND r.rolname = v.role AND starts_with(kept, v.name || '='))
  LOOP
    BEGIN
      EXECUTE format('ALTER ROLE %I IN DATABASE %I SET %I = %L', wanted.role, current_database(), wanted.name, wanted.value);
    EXCEPTION WHEN insufficient_privilege THEN
      NULL;
    END;
  END LOOP;
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

-- The key of the digests in the erasure ledger: 244 random bits, made once, restored with a backup.
INSERT INTO muniment_meta.setting
VALUES ('erasure_key', encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'))
ON CONFLICT DO NOTHING;

RESET ROLE;
