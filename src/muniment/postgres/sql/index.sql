-- name: index_insert
INSERT INTO memory_index (
  tenant_id, scope_id, event_id, episode_id, version_id, group_id, position, rev, tier, kind, standing,
  valid, recorded, occurred_at, expires_at, importance, confidence, emb, emb_a, emb_b, terms
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(event_id)s, %(episode_id)s, %(version_id)s, %(group_id)s, %(position)s,
  %(rev)s, %(tier)s, %(kind)s, %(standing)s, tstzrange(%(valid_from)s, %(valid_to)s),
  tstzrange(%(recorded_at)s, NULL), %(occurred_at)s, %(expires_at)s, %(importance)s, %(confidence)s,
  %(emb)s, %(emb_a)s, %(emb_b)s, %(terms)s
);

-- name: index_end
-- The record of these rows ends: a later version stands in their place.
UPDATE memory_index
SET recorded = tstzrange(lower(recorded), %(at)s), rev = %(rev)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND id = ANY(%(ids)s::uuid[]) AND upper_inf(recorded);

-- name: index_load
-- A whole scope (since = -1) or what is newer than a cached copy, as columns of packed binary: at
-- most eight rows whatever the size, which the process reads without making an object of each
-- value. In pieces, since each value is copied several times on its way, and what is small is
-- copied within memory that is there already. Conditions make them, so that the planner knows how
-- few there are, and sorts nothing; an empty scope is one row.
-- Moments travel as they are stored, in microseconds since 2000: made into numbers here, they would
-- take three quarters of the time. A vector says its length itself, and one that is not there has
-- none.
SELECT t.version, t.rebuilt,
       coalesce((SELECT e.since FROM tenant_embedding e WHERE e.tenant_id = %(tenant_id)s), 0) AS switched, i.*
FROM scope_state t
LEFT JOIN LATERAL (
  SELECT count(*) AS size,
         string_agg(uuid_send(r.id), '') AS ids, string_agg(uuid_send(r.group_id), '') AS groups,
         string_agg(int4send(r.position), '') AS positions, string_agg(int8send(r.rev), '') AS revs,
         string_agg(r.tier, ' ') AS tiers, string_agg(r.kind, ' ') AS kinds, string_agg(r.standing, ' ') AS standings,
         string_agg(timestamptz_send(lower(r.valid)), '') AS valid_from,
         string_agg(timestamptz_send(coalesce(upper(r.valid), 'infinity')), '') AS valid_to,
         string_agg(timestamptz_send(lower(r.recorded)), '') AS recorded_from,
         string_agg(timestamptz_send(coalesce(upper(r.recorded), 'infinity')), '') AS recorded_to,
         string_agg(timestamptz_send(coalesce(r.expires_at, 'infinity')), '') AS expires_at,
         string_agg(timestamptz_send(r.occurred_at), '') AS occurred_at,
         string_agg(timestamptz_send(coalesce(a.last_at, '-infinity')), '') AS last_used_at,
         string_agg(int2send(r.importance), '') AS importance, string_agg(float8send(coalesce(r.confidence, 'NaN')), '') AS confidence,
         string_agg(coalesce(halfvec_send(r.vector), '\x00000000'), '') AS vectors,
         string_agg(int4send(length(r.terms)), '') AS term_sizes, string_agg(r.terms, '') AS terms
  FROM (
    SELECT *, CASE %(place)s::text WHEN 'emb' THEN emb WHEN 'emb_a' THEN emb_a ELSE emb_b END AS vector
    FROM memory_index WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND rev > 0 AND rev > %(since)s
  ) r
  LEFT JOIN access a ON a.tenant_id = r.tenant_id AND a.scope_id = r.scope_id
                    AND a.item_id = CASE WHEN r.version_id IS NULL THEN r.id ELSE r.group_id END
  GROUP BY (r.rev + r.position) & 1 = 0, (r.rev + r.position) & 2 = 0, (r.rev + r.position) & 4 = 0
) i ON true
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s;
