-- What the checks of the start and of readiness look at, as the role that the service works as.

-- name: facts
SELECT current_setting('server_version_num')::int AS server,
       (SELECT coalesce(jsonb_object_agg(extname, extversion), '{}') FROM pg_extension) AS extensions,
       current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit,
       ARRAY(SELECT name FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
                                      'transaction_timeout']) AS limits (name)
             WHERE current_setting(name, true) = '0') AS unlimited,
       current_user::text AS role,
       r.rolsuper AS superuser,
       r.rolbypassrls AS bypasses,
       r.rolreplication AS replicates,
       r.rolcreaterole OR r.rolcreatedb OR has_database_privilege(current_database(), 'CREATE')
         OR EXISTS (SELECT FROM pg_namespace n
                    WHERE n.nspname NOT LIKE 'pg\_%' AND has_schema_privilege(n.oid, 'CREATE')) AS creates,
       has_database_privilege(current_database(), 'TEMPORARY') AS makes_temporary,
       EXISTS (SELECT FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace
               AND p.proname IN ('lo_creat', 'lo_create', 'lo_from_bytea') AND has_function_privilege(p.oid, 'EXECUTE'))
         AS makes_large_objects,
       (SELECT count(*) FROM pg_class c WHERE c.relowner = r.oid)::int AS owns,
       (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname LIKE 'muniment%' AND c.relkind IN ('r', 'p') AND has_table_privilege(c.oid, 'TRUNCATE'))::int AS truncates,
       -- What it could become, and what reads, writes or runs anything.
       ARRAY(SELECT o.rolname::text FROM pg_roles o
             WHERE o.oid <> r.oid AND pg_has_role(r.oid, o.oid, 'MEMBER')
               AND (o.rolsuper OR o.rolbypassrls OR o.rolcreaterole OR o.rolcreatedb OR o.rolreplication
                    OR o.rolname IN ('muniment_owner', 'muniment_app', 'muniment_worker', 'pg_read_all_data',
                                     'pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files',
                                     'pg_execute_server_program', 'pg_create_subscription', 'pg_maintain',
                                     'pg_signal_backend', 'pg_checkpoint'))
             ORDER BY o.rolname) AS powerful,
       (SELECT coalesce(jsonb_object_agg(c.relname, obj_description(c.oid, 'pg_class')), '{}')
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'muniment' AND c.relkind IN ('r', 'p') AND NOT c.relispartition) AS comments,
       ARRAY(SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = 'muniment' AND c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
             ORDER BY c.relname) AS unprotected
FROM pg_roles r WHERE r.rolname = current_user;

-- name: clock
SELECT clock_timestamp();

-- name: tells_about_workers
SELECT to_regprocedure('muniment_queue.worker_seen()') IS NOT NULL;

-- name: worker_silence
SELECT clock_timestamp() - muniment_queue.worker_seen();

-- name: tells_about_passes
SELECT to_regprocedure('muniment.stopped_passes()') IS NOT NULL;

-- name: passes_stopped
SELECT muniment.stopped_passes();

-- name: tells_about_rereviews
SELECT to_regprocedure('muniment.open_rereviews()') IS NOT NULL;

-- name: rereviews_open
SELECT muniment.open_rereviews();

-- name: tells_about_models
SELECT to_regprocedure('muniment.models_in_use()') IS NOT NULL;

-- name: models_in_use
SELECT muniment.models_in_use();

-- name: tells_about_erasures
SELECT to_regprocedure('muniment.erasures_carried_out()') IS NOT NULL;

-- name: erasures_carried_out
SELECT muniment.erasures_carried_out();

-- name: ledger_lines
SELECT line FROM muniment.erasure_lines();

-- name: tells_about_seals
SELECT to_regprocedure('muniment.seal_lag()') IS NOT NULL;

-- name: oldest_unsealed
SELECT muniment.seal_lag();
