-- What a policy would keep, archive and expire by a date if nobody used or wrote anything more.
-- What would live shorter does so at once, as policy.put has it; nothing lives longer by it.

-- name: simulate_lives
WITH held AS (
  SELECT m.kind, v.archived,
         least(v.expires_at, v.observed_at + k.ttl, v.observed_at + s.ttl) AS expires_at,
         CASE WHEN k.decays AND f.lasts IS NOT NULL AND NOT v.archived AND NOT v.pinned AND v.standing = 'asserted' AND coalesce(v.cardinality, 'many') = 'many'
              THEN greatest(greatest(v.observed_at, lower(v.recorded), lower(v.valid), a.last_at) + f.lasts, %(now)s) END AS fades_at
  FROM memory_version v
  JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
  LEFT JOIN access a ON a.tenant_id = v.tenant_id AND a.scope_id = v.scope_id AND a.item_id = v.memory_id
  LEFT JOIN unnest(%(kinds)s::text[], %(ttls)s::interval[], %(decays)s::boolean[]) AS k (kind, ttl, decays) ON k.kind = m.kind
  LEFT JOIN unnest(%(slots)s::text[], %(slot_ttls)s::interval[]) AS s (slot, ttl) ON s.slot = v.slot
  LEFT JOIN unnest(%(importances)s::int[], %(lasts)s::interval[]) AS f (importance, lasts) ON f.importance = v.importance
  WHERE v.tenant_id = %(tenant_id)s AND upper_inf(v.recorded) AND v.standing <> 'quarantined'
    AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
  UNION ALL
  SELECT k.kind, p.archived, least(p.expires_at, lower(p.recorded) + c.kept),
         CASE WHEN k.decays AND f.lasts IS NOT NULL AND NOT p.archived
              THEN greatest(greatest(p.ended_at, lower(p.recorded), a.last_at) + f.lasts, %(now)s) END
  FROM episode p
  LEFT JOIN access a ON a.tenant_id = p.tenant_id AND a.scope_id = p.scope_id AND a.item_id = p.episode_id
  JOIN unnest(%(kinds)s::text[], %(decays)s::boolean[]) AS k (kind, decays) ON k.kind = 'session_summary'
  LEFT JOIN unnest(%(classes)s::text[], %(categories)s::text[], %(class_days)s::interval[]) AS c (class, category, kept)
    ON c.class = p.retention_class AND c.category = p.category
  LEFT JOIN unnest(%(importances)s::int[], %(lasts)s::interval[]) AS f (importance, lasts) ON f.importance = p.importance
  WHERE p.tenant_id = %(tenant_id)s AND upper_inf(p.recorded) AND (p.expires_at IS NULL OR p.expires_at > %(now)s)
  UNION ALL
  SELECT 'event', false, least(e.expires_at, e.recorded_at + c.kept), NULL
  FROM event e
  LEFT JOIN unnest(%(classes)s::text[], %(categories)s::text[], %(class_days)s::interval[]) AS c (class, category, kept)
    ON c.class = e.retention_class AND c.category = e.category
  WHERE e.tenant_id = %(tenant_id)s AND e.standing = 'asserted' AND (e.expires_at IS NULL OR e.expires_at > %(now)s)
), fate AS (
  SELECT kind, coalesce(least(expires_at, fades_at + %(grace)s::interval) <= %(until)s, false) AS expired,
         archived OR coalesce(fades_at < %(until)s, false) AS archived
  FROM held
)
SELECT kind, count(*) AS held, count(*) FILTER (WHERE archived AND NOT expired) AS archived,
       count(*) FILTER (WHERE expired) AS expired
FROM fate GROUP BY kind ORDER BY kind;

-- name: simulate_returns
-- How long it took until an item was recalled again, in the answers that are still logged; not
-- within one conversation, and not when the past was asked about.
SELECT g.gap FROM (
  SELECT i.at - lag(i.at) OVER (PARTITION BY i.id ORDER BY i.at) AS gap
  FROM (
    SELECT (x.one ->> 'id')::uuid AS id, r.at
    FROM (
      SELECT at, items FROM recall_log
      WHERE tenant_id = %(tenant_id)s AND at <= %(now)s AND as_of = at ORDER BY at DESC LIMIT %(recalls)s) r
    CROSS JOIN LATERAL jsonb_array_elements(r.items) AS x (one)) i) g
WHERE g.gap >= %(least)s::interval;
