-- What distributing the tables over the nodes of Citus takes, and what stands in its way (ADR 0042).

-- name: citus_present
SELECT to_regclass('pg_dist_partition') IS NOT NULL AND to_regproc('create_distributed_table') IS NOT NULL;

-- name: tables_distributed
SELECT c.relname::text FROM pg_dist_partition p
JOIN pg_class c ON c.oid = p.logicalrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'muniment' AND NOT c.relispartition;

-- name: functions_distributed
SELECT p.oid::bigint FROM pg_dist_object o JOIN pg_proc p ON p.oid = o.objid
WHERE o.classid = 'pg_proc'::regclass;

-- name: tables_to_distribute
-- Every table, with those that it refers to.
SELECT c.relname::text AS name,
       ARRAY(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conparentid = 0 AND f.oid <> c.oid ORDER BY 1) AS refers_to
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'muniment' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
ORDER BY c.relname;

-- name: functions_to_distribute
-- Those of a tenant take it as their first argument, and run where its rows are.
SELECT p.oid::bigint AS number, format('%I.%I(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes)) AS signature,
       coalesce(p.proargnames[1] = 'tenant' AND p.proargtypes[0] = 'uuid'::regtype, false) AS of_tenant
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname = 'muniment' AND p.prokind = 'f' AND p.prorettype <> 'trigger'::regtype
ORDER BY p.proname;

-- name: distribution_faults
-- What breaks a rule of Citus for tables that are distributed by tenant_id, a line each.
WITH tables AS (
  SELECT c.oid, c.relname::text AS name, c.relkind, a.attnum AS key, a.atttypid, a.attnotnull, a.attgenerated
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
  WHERE n.nspname = 'muniment' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
)
SELECT format('%s has no column tenant_id of type uuid that is never NULL', name) AS fault FROM tables
WHERE key IS NULL OR atttypid <> 'uuid'::regtype OR NOT attnotnull OR attgenerated <> ''
UNION ALL
SELECT format('%s has a unique index without tenant_id: %s', t.name, i.indexrelid::regclass)
FROM tables t JOIN pg_index i ON i.indrelid = t.oid WHERE i.indisunique AND t.key <> ALL (i.indkey::int2[])
UNION ALL
SELECT format('%s excludes rows of other tenants: %s', t.name, k.conname)
FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid
WHERE k.contype = 'x' AND NOT EXISTS (
  SELECT FROM unnest(k.conkey, k.conexclop) AS e (attnum, operator)
  JOIN pg_operator o ON o.oid = e.operator WHERE e.attnum = t.key AND o.oprname = '=')
UNION ALL
SELECT format('%s refers to what is not with it: %s', t.name, k.conname)
FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f' AND k.conparentid = 0
LEFT JOIN tables f ON f.oid = k.confrelid
WHERE NOT coalesce(array_position(k.conkey, t.key) = array_position(k.confkey, f.key), false)
UNION ALL
SELECT format('%s changes tenant_id with what it refers to: %s', t.name, k.conname)
FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f' AND k.conparentid = 0
WHERE k.confupdtype <> 'a'
  OR (k.confdeltype IN ('n', 'd') AND (k.confdelsetcols IS NULL OR t.key = ANY (k.confdelsetcols)))
UNION ALL
SELECT format('%s is referred to by %s, which stays where it is: %s', t.name, k.conrelid::regclass, k.conname)
FROM tables t JOIN pg_constraint k ON k.confrelid = t.oid AND k.contype = 'f' AND k.conparentid = 0
WHERE k.conrelid NOT IN (SELECT oid FROM tables)
UNION ALL
SELECT format('%s is partitioned without tenant_id', t.name)
FROM tables t JOIN pg_partitioned_table p ON p.partrelid = t.oid WHERE t.key <> ALL (p.partattrs::int2[])
UNION ALL
SELECT format('%s has partitions that are partitioned', t.name)
FROM tables t JOIN pg_inherits h ON h.inhparent = t.oid JOIN pg_class c ON c.oid = h.inhrelid WHERE c.relkind = 'p'
UNION ALL
SELECT format('%s inherits, or has rules', t.name)
FROM tables t WHERE EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = t.oid OR (h.inhparent = t.oid AND t.relkind = 'r'))
   OR EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = t.oid)
UNION ALL
SELECT format('%s.%s is numbered by a sequence that is not bigint', t.name, a.attname)
FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
WHERE (a.attidentity <> '' OR starts_with(pg_get_expr(d.adbin, d.adrelid), 'nextval(')) AND a.atttypid <> 'bigint'::regtype
UNION ALL
SELECT format('%s has a trigger of a kind that shards cannot have: %s', t.name, g.tgname)
FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
WHERE g.tgconstraint <> 0 OR g.tgoldtable IS NOT NULL OR g.tgnewtable IS NOT NULL OR (g.tgtype & 1) = 0
ORDER BY fault;

-- name: database_setting
ALTER DATABASE {} SET {} = {};

-- name: on_other_nodes
SELECT run_command_on_workers({});

-- name: table_distribute_first
SELECT create_distributed_table({}, 'tenant_id', shard_count => {});

-- name: table_distribute
SELECT create_distributed_table({}, 'tenant_id', colocate_with => {});

-- name: function_distribute
SELECT create_distributed_function({});

-- name: function_distribute_by_tenant
SELECT create_distributed_function({}, distribution_arg_name => 'tenant', colocate_with => {});
