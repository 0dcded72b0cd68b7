-- name: catalog
-- The schema as lines: two databases with the same lines have the same schema. Partitions are
-- left out (their number is the operator's choice), as are the queue library's own tables.
WITH tables AS (
  SELECT c.oid, n.nspname || '.' || c.relname AS name, c.relrowsecurity, c.relforcerowsecurity,
         c.relkind, c.relacl, c.reloptions, c.relowner
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ('muniment', 'muniment_meta') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
)
SELECT 'table', format('%s kind=%s rls=%s force=%s owner=%s options=%s comment=%s', name, relkind, relrowsecurity,
                       relforcerowsecurity, pg_get_userbyid(relowner), reloptions, obj_description(oid, 'pg_class'))
FROM tables
UNION ALL
SELECT 'partitioning', format('%s %s', name, pg_get_partkeydef(oid)) FROM tables WHERE relkind = 'p'
UNION ALL
SELECT 'column', format('%s.%s %s%s default=%s generated=%s storage=%s statistics=%s', t.name, a.attname,
                        format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN ' not null' END,
                        pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attstorage, a.attstattarget)
FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
UNION ALL
SELECT 'constraint', format('%s %s: %s', t.name, k.conname, pg_get_constraintdef(k.oid))
FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid AND k.conparentid = 0 AND k.contype <> 'n'
UNION ALL
SELECT 'trigger', format('%s: %s', t.name, pg_get_triggerdef(g.oid)) FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
UNION ALL
SELECT 'index', format('%s: %s', t.name, pg_get_indexdef(i.indexrelid)) FROM tables t JOIN pg_index i ON i.indrelid = t.oid
UNION ALL
SELECT 'policy', format('%s %s %s to %s using %s check %s', t.name, p.polname, p.polcmd,
                        (SELECT string_agg(coalesce(r.rolname, 'public'), ',' ORDER BY r.rolname)
                         FROM unnest(p.polroles) AS u (oid) LEFT JOIN pg_roles r ON r.oid = u.oid),
                        pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
FROM tables t JOIN pg_policy p ON p.polrelid = t.oid
UNION ALL
SELECT 'grant', format('%s %s to %s', t.name, g.privilege_type, pg_get_userbyid(g.grantee))
FROM tables t, aclexplode(coalesce(t.relacl, acldefault('r', t.relowner))) g
UNION ALL
SELECT 'grant', format('%s.%s %s to %s', t.name, a.attname, g.privilege_type, pg_get_userbyid(g.grantee))
FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid, aclexplode(a.attacl) g
UNION ALL
SELECT 'domain', format('%s.%s %s %s', n.nspname, y.typname, format_type(y.typbasetype, y.typtypmod), pg_get_constraintdef(k.oid))
FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace LEFT JOIN pg_constraint k ON k.contypid = y.oid
WHERE n.nspname = 'muniment' AND y.typtype = 'd'
UNION ALL
SELECT 'routine', format('%s.%s(%s) %s', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid), md5(p.prosrc))
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname IN ('muniment', 'muniment_meta')
UNION ALL
SELECT 'view', format('%s.%s options=%s acl=%s %s', n.nspname, c.relname, c.reloptions, c.relacl, md5(pg_get_viewdef(c.oid)))
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname IN ('muniment', 'muniment_meta') AND c.relkind = 'v'
