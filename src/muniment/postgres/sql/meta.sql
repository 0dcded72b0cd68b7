-- name: stopped_passes
SELECT stopped_passes();

-- name: schema_version
SELECT max(version) FROM muniment_meta.migration;
