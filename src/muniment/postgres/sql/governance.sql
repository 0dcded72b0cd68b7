-- name: report_tables
SELECT name, comment, columns, parents, held, rows, oldest, overdue
FROM governance_tables(%(tenant_id)s, %(now)s, %(classes)s::text[], %(days)s::int[], %(kinds)s::text[], %(spans)s::interval[])
ORDER BY name;

-- name: report_kinds
SELECT i.kind::text, count(*) AS rows, min(lower(i.recorded)) AS oldest,
       count(*) FILTER (WHERE upper_inf(i.recorded) AND i.expires_at + coalesce(g.span, '0') <= %(now)s) AS overdue
FROM memory_index i LEFT JOIN unnest(%(kinds)s::text[], %(spans)s::interval[]) AS g (kind, span) ON g.kind = i.kind
WHERE i.tenant_id = %(tenant_id)s GROUP BY i.kind
UNION ALL
SELECT 'document', count(*), min(d.recorded_at), 0 FROM knowledge_document d WHERE d.tenant_id = %(tenant_id)s HAVING count(*) > 0;
