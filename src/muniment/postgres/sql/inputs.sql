-- What runs recalled, and what became of it since.

-- name: inputs_recalled
-- The same question again takes the place of what it answered before. With what an answer says of the
-- present is known too what took its place of the items of other questions, however often that moved on.
WITH RECURSIVE returned AS (
  SELECT * FROM unnest(%(items)s::uuid[], %(scopes)s::uuid[], %(tiers)s::text[], %(seen)s::timestamptz[], %(knowns)s::timestamptz[],
                       %(expire)s::timestamptz[], %(untils)s::timestamptz[])
    AS r (item_id, item_scope_id, tier, seen_at, known_at, expires_at, until)
), present AS (
  SELECT r.item_id, r.tier, r.seen_at FROM returned r WHERE r.known_at IS NULL AND %(as_of)s::timestamptz IS NULL
), heirs (item_id, item_scope_id, seen_at, heir_id) AS (
  SELECT i.item_id, i.item_scope_id, i.seen_at, i.item_id
  FROM run_input i
  CROSS JOIN LATERAL (
    SELECT x.watermark FROM scope_state x WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = i.item_scope_id LIMIT 1) t
  WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = %(run_id)s AND i.tier = 'semantic'
    AND i.item_id <> ALL(%(items)s::uuid[]) AND t.watermark > i.seen_at
  UNION
  SELECT h.item_id, h.item_scope_id, h.seen_at, n.heir_id
  FROM heirs h
  CROSS JOIN LATERAL (
    SELECT x.superseded_by, x.ended_by FROM memory_version x
    WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = h.item_scope_id AND x.memory_id = h.heir_id
      AND (upper_inf(x.recorded) OR upper(x.recorded) > h.seen_at)
    OFFSET 0) v
  CROSS JOIN LATERAL (VALUES (v.superseded_by), (v.ended_by)) n (heir_id)
  WHERE n.heir_id IS NOT NULL
), gone AS (
  DELETE FROM run_input i
  WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = %(run_id)s AND i.item_id <> ALL(%(items)s::uuid[])
    AND (i.question = %(question)s
         OR (i.item_id, i.seen_at) IN (SELECT h.item_id, h.seen_at FROM heirs h JOIN present p ON p.item_id = h.heir_id))
), renewed AS ( -- a document keeps its id
  UPDATE run_input i SET seen_at = p.seen_at
  FROM present p
  WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = %(run_id)s AND i.question <> %(question)s
    AND i.tier = 'knowledge' AND p.tier = 'knowledge' AND i.item_id = p.item_id AND i.seen_at < p.seen_at
)
INSERT INTO run_input (tenant_id, scope_id, run_id, question, item_id, item_scope_id, tier, step, recalled_at, seen_at, as_of,
                       known_at, expires_at, until)
SELECT %(tenant_id)s, %(scope_id)s, %(run_id)s, %(question)s, r.item_id, r.item_scope_id, r.tier, %(step)s, %(now)s, r.seen_at,
       %(as_of)s::timestamptz, r.known_at, r.expires_at, r.until
FROM returned r ORDER BY r.item_id
ON CONFLICT (tenant_id, scope_id, run_id, question, item_id) DO UPDATE
SET step = excluded.step, recalled_at = excluded.recalled_at, seen_at = excluded.seen_at, as_of = excluded.as_of,
    known_at = excluded.known_at, expires_at = excluded.expires_at, until = excluded.until, acknowledged = NULL,
    acknowledged_at = NULL;

-- name: inputs_moved
-- Those of a run's inputs that do not hold as they were recalled, as far as their scopes were written
-- into since or they ended by themselves. Of a memory the version that speaks for it now.
SELECT i.question, i.item_id, i.tier, i.step, i.recalled_at, i.expires_at AS was_due, i.known_at,
       CASE WHEN d.is_newer THEN NULL ELSE i.acknowledged END AS acknowledged, -- of the version before it
       coalesce(v.standing, e.standing, d.standing) AS standing, coalesce(lower(v.valid), lower(d.valid), 'epoch') AS valid_from,
       coalesce(upper(v.valid), upper(d.valid)) AS valid_to,
       coalesce(lower(v.recorded), lower(e.recorded), lower(d.recorded)) AS recorded_at,
       coalesce(upper(v.recorded), upper(e.recorded), upper(d.recorded)) AS superseded_at,
       coalesce(v.expires_at, e.expires_at) AS expires_at, coalesce(v.superseded_by, v.ended_by) AS superseded_by,
       coalesce(v.retracted, false) AS retracted, coalesce(v.archived, false) AS archived, m.as_of, t.watermark, c.by AS contested_by
FROM run_input i
LEFT JOIN scope_state t ON t.tenant_id = i.tenant_id AND t.scope_id = i.item_scope_id
CROSS JOIN LATERAL (SELECT coalesce(i.as_of, greatest(%(now)s::timestamptz, t.watermark)) AS as_of) m
LEFT JOIN LATERAL (
  SELECT x.standing, x.valid, x.recorded, x.expires_at, x.superseded_by, x.ended_by, x.retracted, x.archived, x.subject_id, x.slot
  FROM memory_version x
  WHERE i.tier = 'semantic' AND x.tenant_id = %(tenant_id)s AND x.scope_id = i.item_scope_id AND x.memory_id = i.item_id
    AND lower(x.recorded) <= coalesce(i.known_at, 'infinity')
  ORDER BY CASE WHEN i.known_at IS NULL THEN upper_inf(x.recorded) ELSE x.recorded @> i.known_at END DESC, (x.valid @> m.as_of) DESC,
           lower(x.recorded) DESC, lower(x.valid) DESC
  LIMIT 1) v ON true
LEFT JOIN LATERAL (
  SELECT x.standing, x.recorded, x.expires_at FROM memory_index x
  WHERE i.tier = 'episodic' AND x.tenant_id = %(tenant_id)s AND x.scope_id = i.item_scope_id AND x.id = i.item_id
  LIMIT 1) e ON true
LEFT JOIN LATERAL ( -- a document, as it was seen if no later version took its place
  SELECT 'asserted' AS standing, x.valid, x.recorded_at > i.seen_at AS is_newer,
         CASE WHEN x.recorded_at > i.seen_at THEN tstzrange('epoch', x.recorded_at) ELSE tstzrange(x.recorded_at, NULL) END AS recorded
  FROM knowledge_document x
  WHERE i.tier = 'knowledge' AND x.tenant_id = %(tenant_id)s AND x.scope_id = i.item_scope_id AND x.document_id = i.item_id
  LIMIT 1) d ON true
LEFT JOIN LATERAL (
  SELECT array_agg(DISTINCT x.memory_id ORDER BY x.memory_id) AS by FROM (
    SELECT y.memory_id, y.valid, y.recorded, y.expires_at FROM memory_version y
    WHERE v.slot IS NOT NULL
      AND y.tenant_id = %(tenant_id)s AND y.scope_id = i.item_scope_id AND y.subject_id = v.subject_id AND y.slot = v.slot
      AND y.standing = 'contested' AND y.memory_id <> i.item_id
    UNION ALL
    SELECT y.memory_id, y.valid, y.recorded, y.expires_at FROM contest y
    WHERE v.standing = 'asserted' AND v.slot IS NULL
      AND y.tenant_id = %(tenant_id)s AND y.scope_id = i.item_scope_id AND y.incumbent_id = i.item_id) x
  WHERE i.known_at IS NULL AND upper_inf(x.recorded) AND lower(x.recorded) > i.seen_at
    AND x.valid @> m.as_of AND (x.expires_at IS NULL OR x.expires_at > %(now)s)) c ON true
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = %(run_id)s
  AND (t.scope_id IS NULL OR t.watermark > i.seen_at OR i.until <= %(now)s)
  AND (c.by IS NOT NULL
       OR coalesce(v.expires_at, e.expires_at) <= %(now)s
       OR coalesce(v.standing, e.standing, d.standing, 'gone') NOT IN ('asserted', 'archived')
       OR NOT CASE WHEN i.known_at IS NULL THEN upper_inf(coalesce(v.recorded, e.recorded, d.recorded)) ELSE coalesce(v.recorded, e.recorded, d.recorded) @> i.known_at END
       OR NOT coalesce(v.valid @> m.as_of, d.valid @> m.as_of, true))
ORDER BY i.item_id, i.recalled_at LIMIT 5000;

-- name: inputs_known
-- Which of these items a run recalled.
SELECT DISTINCT i.item_id FROM run_input i
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.run_id = %(run_id)s AND i.item_id = ANY(%(ids)s::uuid[]);

-- name: input_acknowledge
UPDATE run_input
SET acknowledged = %(why)s, acknowledged_at = %(now)s, seen_at = greatest(seen_at, %(seen_at)s::timestamptz)
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = %(run_id)s AND question = %(question)s AND item_id = %(item_id)s;
