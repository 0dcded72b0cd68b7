-- name: recall_insert
INSERT INTO recall_log (
  tenant_id, scope_id, recall_id, at, key_id, session_pk, user_key, run_id, step, agent_id, tiers, k, as_of, known_at,
  watermark, user_watermark, org_watermark, abstained, items, budget, tokens, counter, dropped
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(recall_id)s, %(at)s, %(key_id)s, %(session_pk)s, %(user_key)s, %(run_id)s, %(step)s,
  %(agent_id)s, %(tiers)s, %(k)s, %(as_of)s, %(known_at)s, %(watermark)s,
  %(user_watermark)s::timestamptz, %(org_watermark)s::timestamptz, %(abstained)s, %(items)s::jsonb,
  %(budget)s::integer, %(tokens)s::integer, %(counter)s::text, %(dropped)s::jsonb
);

-- name: recall_insert_later
-- The same from a batch: a scope or session that was forgotten meanwhile leaves nothing behind,
-- and one that was written when its writer was stopped stays as it is.
INSERT INTO recall_log (
  tenant_id, scope_id, recall_id, at, key_id, session_pk, user_key, run_id, step, agent_id, tiers, k, as_of, known_at,
  watermark, user_watermark, org_watermark, abstained, items, budget, tokens, counter, dropped
)
SELECT %(tenant_id)s, s.scope_id, %(recall_id)s, %(at)s, %(key_id)s, n.session_pk, %(user_key)s, %(run_id)s, %(step)s,
       %(agent_id)s, %(tiers)s, %(k)s, %(as_of)s, %(known_at)s, %(watermark)s,
       %(user_watermark)s::timestamptz, %(org_watermark)s::timestamptz, %(abstained)s, %(items)s::jsonb,
       %(budget)s::integer, %(tokens)s::integer, %(counter)s::text, %(dropped)s::jsonb
FROM scope s
LEFT JOIN session n ON n.tenant_id = s.tenant_id AND n.scope_id = s.scope_id AND n.session_pk = %(session_pk)s
WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = %(scope_id)s
  AND (%(session_pk)s::uuid IS NULL OR n.session_pk IS NOT NULL)
ON CONFLICT DO NOTHING;

-- name: access_use
-- Moves the clock of use, of items that are still there. Each is looked up once, by its key: an OR of
-- two would compare every use with every row of the scope.
INSERT INTO access (tenant_id, scope_id, item_id, last_at, count)
SELECT %(tenant_id)s, %(scope_id)s, u.item_id, u.last_at, u.count
FROM (
  SELECT item_id, max(at) AS last_at, count(*) AS count FROM unnest(%(items)s::uuid[], %(ats)s::timestamptz[]) AS x (item_id, at)
  GROUP BY item_id) u
CROSS JOIN LATERAL (
  (SELECT FROM memory_index i WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s AND i.id = u.item_id LIMIT 1)
  UNION ALL
  (SELECT FROM memory m WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.memory_id = u.item_id LIMIT 1)
  LIMIT 1) AS there
ORDER BY u.item_id
ON CONFLICT (tenant_id, scope_id, item_id)
DO UPDATE SET last_at = greatest(access.last_at, excluded.last_at), count = access.count + excluded.count;

-- name: recalled_in_session
-- Texts that recall returned lately into a session, in answers that are logged and in those that
-- wait for it. The organisation's memories lie in another scope.
SELECT left(coalesce(e.content, p.text, m.text, o.text), 2000) AS text
FROM (
  SELECT i.id, max(i.at) AS at
  FROM (
    SELECT (x.one ->> 'id')::uuid AS id, r.at
    FROM (
      SELECT items, at, budget FROM recall_log
      WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s
      ORDER BY recall_id DESC LIMIT %(recalls)s) r
    CROSS JOIN LATERAL jsonb_array_elements(r.items) WITH ORDINALITY AS x (one, place)
    WHERE x.place <= CASE WHEN r.budget IS NULL THEN %(items)s::bigint ELSE %(most)s::bigint END
    UNION ALL
    SELECT w.id, 'infinity'::timestamptz FROM unnest(%(waiting)s::uuid[]) AS w (id)
  ) i
  GROUP BY i.id ORDER BY at DESC LIMIT %(most)s
) item
LEFT JOIN LATERAL (
  SELECT content FROM event
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND event_id = item.id LIMIT 1) e ON true
LEFT JOIN LATERAL (
  SELECT text FROM episode
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND episode_id = item.id LIMIT 1) p ON true
LEFT JOIN LATERAL (
  SELECT text FROM memory
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND memory_id = item.id LIMIT 1) m ON true
LEFT JOIN LATERAL (
  SELECT text FROM memory
  WHERE tenant_id = %(tenant_id)s AND memory_id = item.id AND scope_id = (
    SELECT shared.scope_id FROM scope own
    JOIN scope shared ON shared.tenant_id = own.tenant_id AND shared.user_pk IS NULL AND shared.namespace = own.namespace
    WHERE own.tenant_id = %(tenant_id)s AND own.scope_id = %(scope_id)s) LIMIT 1) o ON m.text IS NULL
WHERE coalesce(e.content, p.text, m.text, o.text) <> '';
