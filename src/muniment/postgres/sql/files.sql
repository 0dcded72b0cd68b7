-- name: file_current
SELECT path, version, content, agent_id, written_at, ended_at FROM file_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND path = %(path)s AND ended_at IS NULL;

-- name: file_at_version
SELECT path, version, content, agent_id, written_at, ended_at FROM file_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND path = %(path)s AND version = %(version)s;

-- name: file_last
-- The number of the last version that there was, whether or not it ended.
SELECT version FROM file_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND path = %(path)s
ORDER BY version DESC LIMIT 1;

-- name: file_page
-- Files below a directory, in order; '0' is the character after '/'.
SELECT path, version, size - octet_length(path) AS size, written_at FROM file_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND ended_at IS NULL
  AND path > greatest(%(below)s::text || '/', %(after)s::text) AND path < %(below)s::text || '0'
ORDER BY path LIMIT %(limit)s;

-- name: file_page_all
-- The same of all files.
SELECT path, version, size - octet_length(path) AS size, written_at FROM file_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND ended_at IS NULL AND path > coalesce(%(after)s::text, '')
ORDER BY path LIMIT %(limit)s;

-- name: file_there
-- Whether there is a file at one of these paths, or below the last of them.
SELECT EXISTS (
  SELECT FROM file_version
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND ended_at IS NULL AND path = ANY(%(paths)s::text[])
) OR EXISTS (
  SELECT FROM file_version
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND ended_at IS NULL
    AND path > %(below)s::text || '/' AND path < %(below)s::text || '0');

-- name: file_versions
SELECT version, size - octet_length(path) AS size, agent_id, written_at, ended_at FROM file_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND path = %(path)s
  AND (%(before)s::integer IS NULL OR version < %(before)s::integer)
ORDER BY version DESC LIMIT %(limit)s;

-- name: file_insert
INSERT INTO file_version (tenant_id, scope_id, path, version, content, size, agent_id, key_id, written_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(path)s, %(version)s, %(content)s, %(size)s, %(agent_id)s::text, %(key_id)s, %(at)s);

-- name: file_end
-- Files at a path and below it end.
UPDATE file_version SET ended_at = %(at)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND ended_at IS NULL
  AND (path = %(path)s OR (path > %(path)s::text || '/' AND path < %(path)s::text || '0'))
RETURNING path, content, agent_id;

-- name: file_thin
-- Versions that are older than those that are kept.
DELETE FROM file_version
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND path = %(path)s AND version <= %(upto)s
RETURNING size;
