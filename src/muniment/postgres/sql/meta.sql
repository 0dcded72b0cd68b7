-- name: schema_version
SELECT max(version) FROM muniment_meta.migration;
