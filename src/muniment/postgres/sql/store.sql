-- The application's own items. A path is in order right behind every path that it goes on from, so
-- what lies under a prefix is one range; no label holds U+10FFFF, which ends it. Row security lets no
-- comparison of arrays into an index: what is asked for by its key is found by that, and a search looks
-- through the items of the scope.

-- name: store_get
-- No value where all of them together are more than there is room for. One by one: however little the
-- planner knows, each is looked up in the index.
SELECT i.path, i.key, CASE WHEN sum(i.size) OVER () <= %(room)s THEN i.value END AS value, i.created_at, i.updated_at,
       i.expires_at, i.ttl, NULL::double precision AS score, (sum(i.size) OVER ())::bigint AS size
FROM json_to_recordset(%(asked)s::json) AS a (path text[], key text)
CROSS JOIN LATERAL (
  SELECT * FROM store_item x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.key = a.key AND x.path = a.path
    AND (x.expires_at IS NULL OR x.expires_at > %(now)s) LIMIT 1) i;

-- name: store_search
-- What lies under a prefix and meets every condition, by the best of its vectors; without a vector, or
-- where an item has none, the latest first.
SELECT s.path, s.key, CASE WHEN s.total <= %(room)s THEN s.value END AS value, s.created_at, s.updated_at, s.expires_at, s.ttl,
       s.score, s.total AS size
FROM (
  SELECT f.*, (sum(f.size) OVER ())::bigint AS total FROM (
    SELECT i.path, i.key, i.value, i.created_at, i.updated_at, i.expires_at, i.ttl, i.size,
           CASE WHEN %(vector)s::halfvec IS NOT NULL THEN
             (SELECT max(-(v.emb <#> %(vector)s::halfvec)) FROM unnest(
               CASE %(place)s::text WHEN 'emb_a' THEN i.vectors_a WHEN 'emb_b' THEN i.vectors_b ELSE i.vectors END) AS v (emb)) END AS score
    FROM store_item i
    CROSS JOIN LATERAL (SELECT CASE WHEN %(conditions)s::jsonb <> '[]' THEN i.value::jsonb END AS value OFFSET 0) j
    WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s
      AND i.path >= %(prefix)s::text[] AND i.path < %(prefix)s::text[] || chr(1114111)
      AND (i.expires_at IS NULL OR i.expires_at > %(now)s)
      AND NOT EXISTS (
        SELECT FROM jsonb_to_recordset(%(conditions)s::jsonb) AS c (at text[], test text, operand jsonb)
        CROSS JOIN LATERAL (SELECT j.value #> c.at AS held) h
        WHERE (CASE c.test
          WHEN 'object' THEN jsonb_typeof(h.held) = 'object'
          WHEN 'list' THEN CASE WHEN jsonb_typeof(h.held) = 'array' THEN jsonb_array_length(h.held) = c.operand::int END
          WHEN '$eq' THEN coalesce(h.held, 'null') = coalesce(c.operand, 'null')
          WHEN '$ne' THEN coalesce(h.held, 'null') <> coalesce(c.operand, 'null')
          ELSE CASE
            WHEN jsonb_typeof(h.held) <> jsonb_typeof(c.operand) THEN false
            WHEN jsonb_typeof(h.held) = 'number' THEN CASE c.test
              WHEN '$gt' THEN h.held > c.operand WHEN '$gte' THEN h.held >= c.operand
              WHEN '$lt' THEN h.held < c.operand WHEN '$lte' THEN h.held <= c.operand END
            WHEN jsonb_typeof(h.held) = 'string' THEN CASE c.test
              WHEN '$gt' THEN (h.held #>> '{}') COLLATE "C" > (c.operand #>> '{}')
              WHEN '$gte' THEN (h.held #>> '{}') COLLATE "C" >= (c.operand #>> '{}')
              WHEN '$lt' THEN (h.held #>> '{}') COLLATE "C" < (c.operand #>> '{}')
              WHEN '$lte' THEN (h.held #>> '{}') COLLATE "C" <= (c.operand #>> '{}') END
          END
        END) IS NOT TRUE)
    ORDER BY score DESC NULLS LAST, i.updated_at DESC, i.path, i.key LIMIT %(limit)s OFFSET %(offset)s
  ) f
) s
ORDER BY s.score DESC NULLS LAST, s.updated_at DESC, s.path, s.key;

-- name: store_paths
-- Paths with an item under them, as far as `depth`: those that begin, or end, as every pattern says.
-- `*` stands for any label.
SELECT DISTINCT i.path[1:coalesce(%(depth)s::int, 16)] AS path FROM store_item i
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND (i.expires_at IS NULL OR i.expires_at > %(now)s)
  AND NOT EXISTS (
    SELECT FROM json_to_recordset(%(patterns)s::json) AS p (suffix boolean, labels text[])
    WHERE cardinality(i.path) < cardinality(p.labels) OR EXISTS (
      SELECT FROM unnest(p.labels) WITH ORDINALITY AS l (label, place)
      WHERE l.label <> '*' AND l.label <> i.path[l.place::int + CASE WHEN p.suffix THEN cardinality(i.path) - cardinality(p.labels) ELSE 0 END]))
ORDER BY 1 LIMIT %(limit)s OFFSET %(offset)s;

-- name: store_touch
-- What was read stays as long again. A row that somebody else has locked is being read, written or
-- forgotten this moment: nobody waits for it here.
UPDATE store_item i SET expires_at = greatest(i.expires_at, %(now)s::timestamptz + make_interval(secs => i.ttl))
FROM json_to_recordset(%(asked)s::json) AS a (path text[], key text)
CROSS JOIN LATERAL (
  SELECT x.path, x.key FROM store_item x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.key = a.key AND x.path = a.path AND x.ttl IS NOT NULL
  LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
) due
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.path = due.path AND i.key = due.key
  AND i.key = ANY(ARRAY(SELECT k.key FROM json_to_recordset(%(asked)s::json) AS k (key text)));

-- name: store_take
DELETE FROM store_item i USING json_to_recordset(%(asked)s::json) AS a (path text[], key text)
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.path = a.path AND i.key = a.key
  AND i.key = ANY(ARRAY(SELECT k.key FROM json_to_recordset(%(asked)s::json) AS k (key text)))
RETURNING i.path, i.key, i.item_id, i.size, i.created_at, (i.expires_at IS NULL OR i.expires_at > %(now)s) AS alive;

-- name: store_add
INSERT INTO store_item (tenant_id, scope_id, path, key, item_id, value, fields, vectors, vectors_a, vectors_b, size, ttl, key_id,
                        created_at, updated_at, expires_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(path)s::text[], %(key)s, %(item_id)s, %(value)s, %(fields)s::text[], %(vectors)b::halfvec[],
        %(vectors_a)b::halfvec[], %(vectors_b)b::halfvec[],
        %(size)s, %(ttl)s::double precision, %(key_id)s, %(created_at)s, %(updated_at)s,
        %(now)s::timestamptz + make_interval(secs => %(ttl)s::double precision));

-- name: store_expired
SELECT DISTINCT scope_id FROM store_item
WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s LIMIT %(limit)s;

-- name: store_expire
DELETE FROM store_item WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND expires_at <= %(now)s;
