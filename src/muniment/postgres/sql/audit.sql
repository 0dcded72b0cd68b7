-- name: audit_insert
WITH entry AS (
  INSERT INTO audit_entry (tenant_id, entry_id, at, operation, effect, key_id, request, subjects, detail)
  VALUES (%(tenant_id)s, %(entry_id)s, %(at)s, %(operation)s, %(effect)s, %(key_id)s, %(request)s,
          %(subjects)s::uuid[], %(detail)s)
  RETURNING tenant_id, entry_id
)
INSERT INTO audit_pending (tenant_id, entry_id) SELECT tenant_id, entry_id FROM entry;
