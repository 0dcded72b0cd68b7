-- Erased bytes: what is rewritten, and what keeps them. As the owner of the tables, outside tenants.

-- name: scrub_alone
SELECT pg_try_advisory_lock(%(key)s);

-- name: scrub_done
SELECT pg_advisory_unlock(%(key)s);

-- name: scrub_pending
SELECT tenant_id, receipt_id, target, counts, held, hidden_at, erased_at, verified, at_once
FROM erasure_receipt WHERE state = 'erased' ORDER BY erased_at, receipt_id;

-- name: scrub_due
SELECT EXISTS (SELECT FROM erasure_receipt WHERE state = 'erased' AND (at_once OR erased_at <= %(before)s));

-- name: scrub_sees
-- Who does not see what other sessions look at cannot tell whether erased rows are seen still.
SELECT pg_has_role('pg_read_all_stats', 'USAGE');

-- name: scrub_as_owner
SET ROLE muniment_owner;

-- name: scrub_as_oneself
RESET ROLE;

-- name: scrub_file
SELECT pg_relation_filenode(c.oid) FROM pg_class c
WHERE c.relnamespace = 'muniment'::regnamespace AND c.relname = %(name)s;

-- name: scrub_horizon
-- A transaction that comes after everything that has been erased so far.
SELECT pg_current_xact_id()::text;

-- name: scrub_held_up
-- What still sees rows that went before that: a transaction, a prepared one, a slot of a replica.
SELECT count(*) FROM (
  SELECT age(backend_xmin) AS seen FROM pg_stat_activity
  WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid() AND (datname = current_database() OR datname IS NULL)
  UNION ALL SELECT age(transaction) FROM pg_prepared_xacts WHERE database = current_database()
  UNION ALL SELECT greatest(age(xmin), age(catalog_xmin)) FROM pg_replication_slots) AS s
WHERE s.seen > age(%(horizon)s::text::xid);

-- name: scrub_leaves
-- Every table with what people said, as the schema marks it: columns without statistics. One that is
-- empty may have keys in its indexes still, or long texts beside it.
SELECT c.relname AS name FROM pg_class c
WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind = 'r'
  AND (pg_relation_size(c.oid) > 0 OR pg_indexes_size(c.oid) > 8192 * (SELECT count(*) FROM pg_index i WHERE i.indrelid = c.oid)
       OR (c.reltoastrelid <> 0 AND pg_total_relation_size(c.reltoastrelid) > 8192))
  AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attstattarget = 0)
ORDER BY c.relname;

-- name: scrub_statistics
-- Samples that the planner keeps of such columns; there must be none.
SELECT count(*) FROM pg_statistic s JOIN pg_attribute a ON a.attrelid = s.starelid AND a.attnum = s.staattnum
JOIN pg_class c ON c.oid = s.starelid
WHERE c.relnamespace = 'muniment'::regnamespace AND a.attstattarget = 0;

-- name: scrub_rewrite
VACUUM (FULL) muniment.{};

-- name: scrub_patience
SET lock_timeout = {};

-- name: scrub_checkpoint
CHECKPOINT;

-- name: scrub_switch
SELECT pg_switch_wal();

-- name: scrub_old_wal
-- Segments of the log before the one in which a recovery would begin.
SELECT count(*) FROM pg_ls_waldir() w, pg_control_checkpoint() c WHERE w.name ~ '^[0-9A-F]{24}$' AND w.name < c.redo_wal_file;

-- name: scrub_elsewhere
-- Where copies may be that no rewrite reaches.
SELECT current_setting('archive_mode') <> 'off' AS archive,
       EXISTS (SELECT FROM pg_replication_slots) OR EXISTS (SELECT FROM pg_stat_replication) AS replicas;

-- name: scrub_note
UPDATE erasure_receipt SET state = 'scrubbed', scrubbed_at = %(at)s, scrub = %(scrub)s, digest = %(digest)s
WHERE tenant_id = %(tenant_id)s AND receipt_id = %(receipt_id)s AND state = 'erased';
