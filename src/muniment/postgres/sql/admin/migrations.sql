-- The bookkeeping of migrations and of what was settled once.

-- name: bookkeeping_exists
SELECT to_regclass('muniment_meta.migration') IS NOT NULL;

-- name: migrations_applied
SELECT version, name, digest, applied_at FROM muniment_meta.migration ORDER BY version;

-- name: migration_insert
INSERT INTO muniment_meta.migration VALUES (%(version)s, %(name)s, %(digest)s, %(now)s);

-- name: migration_lock
SELECT pg_advisory_lock(%(key)s);

-- name: migration_unlock
SELECT pg_advisory_unlock(%(key)s);

-- name: setting_get
SELECT value FROM muniment_meta.setting WHERE name = %(name)s;

-- name: setting_lock
SELECT value FROM muniment_meta.setting WHERE name = %(name)s FOR UPDATE;

-- name: setting_settle
INSERT INTO muniment_meta.setting VALUES (%(name)s, %(value)s) ON CONFLICT DO NOTHING;

-- name: setting_put
INSERT INTO muniment_meta.setting VALUES (%(name)s, %(value)s) ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: tenant_exists
SELECT EXISTS (SELECT FROM tenant WHERE tenant_id = %(tenant_id)s);

-- A dump brings no statistics; without them a cascade may look through a whole scope for every row.
-- name: statistics_take
ANALYZE;
