-- What the start-up checks look at, as the role that the service works as.
SELECT current_setting('server_version_num')::int AS server,
       (SELECT coalesce(jsonb_object_agg(extname, extversion), '{}') FROM pg_extension) AS extensions,
       current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_user::text AS role,
       r.rolsuper AS superuser,
       r.rolbypassrls AS bypasses,
       r.rolcreaterole OR r.rolcreatedb OR has_database_privilege(current_database(), 'CREATE')
         OR EXISTS (SELECT FROM pg_namespace n WHERE n.nspname LIKE 'muniment%' AND has_schema_privilege(n.oid, 'CREATE')) AS creates,
       (SELECT count(*) FROM pg_class c WHERE c.relowner = r.oid)::int AS owns,
       (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname LIKE 'muniment%' AND c.relkind IN ('r', 'p') AND has_table_privilege(c.oid, 'TRUNCATE'))::int AS truncates,
       EXISTS (SELECT FROM pg_roles o WHERE o.rolname = 'muniment_owner' AND pg_has_role(r.oid, o.oid, 'MEMBER')) AS in_owner,
       (SELECT coalesce(jsonb_object_agg(c.relname, obj_description(c.oid, 'pg_class')), '{}')
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'muniment' AND c.relkind IN ('r', 'p') AND NOT c.relispartition) AS comments,
       ARRAY(SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = 'muniment' AND c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
             ORDER BY c.relname) AS unprotected
FROM pg_roles r WHERE r.rolname = current_user;
