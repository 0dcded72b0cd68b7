-- What a connection or a transaction is told. Braces stand for what PostgreSQL takes as a literal
-- alone.

-- name: begin
BEGIN;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: become_tenant
SET LOCAL muniment.tenant_id = {};

-- name: is_replica
SELECT pg_is_in_recovery();

-- name: plan_anew
-- Where a statement is planned at every call, with its values, the partitions that they leave out are
-- not planned for.
SET LOCAL plan_cache_mode = auto;

-- name: become_owner
SET LOCAL ROLE muniment_owner;

-- name: look_in_schema
SET LOCAL search_path = muniment;

-- name: look_in_schema_and_meta
SET LOCAL search_path = muniment, muniment_meta, public;

-- name: look_in_queue
SET LOCAL search_path = muniment_queue, public;

-- name: look_nowhere
SET LOCAL search_path = pg_catalog;

-- name: take_all_the_time
SET statement_timeout = 0;
