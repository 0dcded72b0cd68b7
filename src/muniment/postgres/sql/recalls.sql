-- name: recall_insert
INSERT INTO recall_log (
  tenant_id, scope_id, recall_id, at, key_id, session_pk, user_key, run_id, step, agent_id, tiers, k, as_of, known_at,
  watermark, abstained, items
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(recall_id)s, %(at)s, %(key_id)s, %(session_pk)s, %(user_key)s, %(run_id)s, %(step)s,
  %(agent_id)s, %(tiers)s, %(k)s, %(as_of)s, %(known_at)s, %(watermark)s, %(abstained)s, %(items)s::jsonb
);

-- name: recall_insert_later
-- The same from a batch: a scope or session that was forgotten meanwhile leaves nothing behind.
INSERT INTO recall_log (
  tenant_id, scope_id, recall_id, at, key_id, session_pk, user_key, run_id, step, agent_id, tiers, k, as_of, known_at,
  watermark, abstained, items
)
SELECT %(tenant_id)s, s.scope_id, %(recall_id)s, %(at)s, %(key_id)s, n.session_pk, %(user_key)s, %(run_id)s, %(step)s,
       %(agent_id)s, %(tiers)s, %(k)s, %(as_of)s, %(known_at)s, %(watermark)s, %(abstained)s, %(items)s::jsonb
FROM scope s
LEFT JOIN session n ON n.tenant_id = s.tenant_id AND n.scope_id = s.scope_id AND n.session_pk = %(session_pk)s
WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = %(scope_id)s
  AND (%(session_pk)s::uuid IS NULL OR n.session_pk IS NOT NULL);

-- name: access_use
-- Moves the clock of use, of items that are still there.
INSERT INTO access (tenant_id, scope_id, item_id, last_at, count)
SELECT %(tenant_id)s, %(scope_id)s, u.item_id, max(u.at), count(*)
FROM unnest(%(items)s::uuid[], %(ats)s::timestamptz[]) AS u (item_id, at)
WHERE EXISTS (SELECT FROM memory_index i WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(scope_id)s
                AND (i.id = u.item_id OR i.group_id = u.item_id))
GROUP BY u.item_id ORDER BY u.item_id
ON CONFLICT (tenant_id, scope_id, item_id)
DO UPDATE SET last_at = greatest(access.last_at, excluded.last_at), count = access.count + excluded.count;
