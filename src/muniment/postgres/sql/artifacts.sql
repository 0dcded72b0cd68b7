-- The blackboard of a run: artifacts of a registered type, each a row of versions.

-- name: schema_insert
INSERT INTO artifact_schema (tenant_id, name, version, schema, registered_at, registered_by)
VALUES (%(tenant_id)s, %(name)s, %(version)s, %(schema)s::json, %(now)s, %(registered_by)s);

-- name: schema_find
-- A version, or the last one.
SELECT name, version, schema, registered_at FROM artifact_schema
WHERE tenant_id = %(tenant_id)s AND name = %(name)s AND (%(version)s::integer IS NULL OR version = %(version)s::integer)
ORDER BY version DESC LIMIT 1;

-- name: schema_page
SELECT name, version, schema, registered_at FROM artifact_schema
WHERE tenant_id = %(tenant_id)s AND (%(after)s::text IS NULL OR (name, version) > (%(after)s::text, %(after_version)s::integer))
ORDER BY name, version LIMIT %(limit)s;

-- name: artifact_insert
WITH counted AS (
  UPDATE run SET bytes = bytes + octet_length(%(value)s::text)
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s
), before AS (
  UPDATE artifact SET last = false
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND name = %(name)s AND last
)
INSERT INTO artifact (tenant_id, scope_id, run_id, name, version, last, schema, schema_version, value, digest, step, agent_id, key_id,
                      put_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(run_id)s, %(name)s, %(version)s, true, %(schema)s, %(schema_version)s, %(value)s::json,
        %(digest)s, %(step)s, %(agent_id)s::text, %(key_id)s, %(now)s);

-- name: artifact_find
-- A version, or the last one.
SELECT name, version, schema, schema_version, value, digest, step, agent_id, put_at FROM artifact
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND name = %(name)s
  AND (%(version)s::integer IS NULL OR version = %(version)s::integer)
ORDER BY version DESC LIMIT 1;

-- name: artifact_page
-- The last version of each.
SELECT name, version, schema, schema_version, octet_length(value::text) AS bytes, step, agent_id, put_at FROM artifact
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND last
  AND (%(after)s::text IS NULL OR name > %(after)s::text)
ORDER BY name LIMIT %(limit)s;

-- name: artifact_versions
SELECT name, version, schema, schema_version, octet_length(value::text) AS bytes, step, agent_id, put_at FROM artifact
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND name = %(name)s
  AND (%(after)s::integer IS NULL OR version < %(after)s::integer)
ORDER BY version DESC LIMIT %(limit)s;

-- name: artifacts_held
SELECT count(*) FROM artifact
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND last;
