-- Legal holds. Whoever places or releases one keeps the tenant's writers out (policy_take), so that
-- no deletion is under way that does not know of it.

-- name: holds_open
-- Whether a hold of the tenant is open; where none is, no row that the transaction deletes is looked at.
SELECT set_config('muniment.held',
  CASE WHEN EXISTS (SELECT FROM hold WHERE tenant_id = %(tenant_id)s AND released_at IS NULL) THEN 'some' ELSE 'none' END,
  true) = 'some';

-- name: receipt_begin
-- What the transaction deletes from here on belongs to this receipt, as far as a hold keeps it.
SELECT set_config('muniment.receipt', %(receipt_id)s::text, true);

-- name: hold_insert
INSERT INTO hold (tenant_id, hold_id, target, user_pk, user_key, place, session_pk, data_source, names, filter, reason,
                  placed_by, placed_at)
VALUES (%(tenant_id)s, %(hold_id)s, %(target)s, %(user_pk)s, %(user_key)s, %(place)s, %(session_pk)s, %(data_source)s,
        %(names)s::text[], %(filter)s::jsonb, %(reason)s, %(key_id)s, %(now)s);

-- name: hold_names
-- What a hold names itself: its user, its session.
INSERT INTO hold_item (tenant_id, hold_id, id, whole)
SELECT %(tenant_id)s::uuid, %(hold_id)s::uuid, n.id, true FROM unnest(%(ids)s::uuid[]) AS n (id)
ON CONFLICT (tenant_id, id, hold_id) DO UPDATE SET whole = true WHERE NOT hold_item.whole;

-- name: hold_covers
SELECT id FROM hold_item WHERE tenant_id = %(tenant_id)s AND hold_id = %(hold_id)s AND whole;

-- name: holds_by_filter
-- One that was placed again from the erasure ledger has none: it covers what it covered.
SELECT hold_id, place, filter FROM hold
WHERE tenant_id = %(tenant_id)s AND released_at IS NULL AND target = 'filter' AND filter IS NOT NULL
  AND (%(scopes)s::uuid[] IS NULL OR place = ANY(%(scopes)s::uuid[]));

-- name: hold_matching
INSERT INTO hold_item (tenant_id, hold_id, id, whole)
SELECT DISTINCT %(tenant_id)s::uuid, %(hold_id)s::uuid, i.id, true FROM item i
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = %(place)s
  AND jsonb_path_match(item_document(i), %(path)s::jsonpath, %(variables)s::jsonb)
UNION ALL
SELECT %(tenant_id)s::uuid, %(hold_id)s::uuid, d.document_id, true FROM knowledge_document d
WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(place)s
  AND jsonb_path_match(document_item(d), %(path)s::jsonpath, %(variables)s::jsonb)
ON CONFLICT (tenant_id, id, hold_id) DO UPDATE SET whole = true WHERE NOT hold_item.whole;

-- name: hold_roots
-- What open holds cover by their own words: scopes of a user, turns and summaries of a session, items
-- and documents with a source.
INSERT INTO hold_item (tenant_id, hold_id, id, whole)
SELECT DISTINCT %(tenant_id)s::uuid, f.hold_id, f.id, true FROM (
  SELECT h.hold_id, s.scope_id AS id FROM hold h JOIN scope s USING (tenant_id, user_pk)
  WHERE h.tenant_id = %(tenant_id)s AND h.released_at IS NULL AND h.target = 'user'
  UNION ALL
  SELECT h.hold_id, e.event_id FROM hold h
  JOIN event e ON e.tenant_id = h.tenant_id AND e.scope_id = h.place AND e.session_pk = h.session_pk
  WHERE h.tenant_id = %(tenant_id)s AND h.released_at IS NULL AND h.target = 'session'
  UNION ALL
  SELECT h.hold_id, p.episode_id FROM hold h
  JOIN episode p ON p.tenant_id = h.tenant_id AND p.scope_id = h.place AND p.session_pk = h.session_pk
  WHERE h.tenant_id = %(tenant_id)s AND h.released_at IS NULL AND h.target = 'session'
  UNION ALL
  SELECT h.hold_id, e.event_id FROM hold h
  JOIN event e ON e.tenant_id = h.tenant_id AND e.data_source = ANY(h.names)
  JOIN scope s ON s.tenant_id = e.tenant_id AND s.scope_id = e.scope_id
  WHERE h.tenant_id = %(tenant_id)s AND h.released_at IS NULL AND h.target = 'source'
    AND (h.user_pk IS NULL OR s.user_pk = h.user_pk) AND (%(scopes)s::uuid[] IS NULL OR e.scope_id = ANY(%(scopes)s::uuid[]))
  UNION ALL
  SELECT h.hold_id, m.memory_id FROM hold h
  JOIN memory m ON m.tenant_id = h.tenant_id AND m.data_source = ANY(h.names)
  JOIN scope s ON s.tenant_id = m.tenant_id AND s.scope_id = m.scope_id
  WHERE h.tenant_id = %(tenant_id)s AND h.released_at IS NULL AND h.target = 'source'
    AND (h.user_pk IS NULL OR s.user_pk = h.user_pk) AND (%(scopes)s::uuid[] IS NULL OR m.scope_id = ANY(%(scopes)s::uuid[]))
  UNION ALL
  SELECT h.hold_id, a.analysis_id FROM hold h
  JOIN analysis a ON a.tenant_id = h.tenant_id AND a.data_source = ANY(h.names)
  JOIN scope s ON s.tenant_id = a.tenant_id AND s.scope_id = a.scope_id
  WHERE h.tenant_id = %(tenant_id)s AND h.released_at IS NULL AND h.target = 'source'
    AND (h.user_pk IS NULL OR s.user_pk = h.user_pk) AND (%(scopes)s::uuid[] IS NULL OR a.scope_id = ANY(%(scopes)s::uuid[]))
  UNION ALL
  SELECT h.hold_id, d.document_id FROM hold h
  JOIN knowledge_document d ON d.tenant_id = h.tenant_id AND (d.data_source = ANY(h.names) OR d.source = ANY(h.names))
  WHERE h.tenant_id = %(tenant_id)s AND h.released_at IS NULL AND h.target = 'source' AND h.user_pk IS NULL
    AND (%(scopes)s::uuid[] IS NULL OR d.scope_id = ANY(%(scopes)s::uuid[]))
) f
ON CONFLICT (tenant_id, id, hold_id) DO UPDATE SET whole = true WHERE NOT hold_item.whole;

-- name: hold_resting
-- What rests on what is covered: memories that cite it or were made of it, summaries that quote it.
WITH RECURSIVE covered AS (
  SELECT i.hold_id, i.id FROM hold_item i JOIN hold h USING (tenant_id, hold_id)
  WHERE i.tenant_id = %(tenant_id)s AND i.whole AND h.released_at IS NULL
), resting AS (
  SELECT c.hold_id, r.memory_id AS id FROM memory_evidence r JOIN covered c ON c.id = r.source_scope_id WHERE r.tenant_id = %(tenant_id)s AND r.scope_id <> r.source_scope_id
  UNION
  SELECT c.hold_id, r.memory_id FROM memory_evidence r JOIN covered c ON c.id = r.session_pk WHERE r.tenant_id = %(tenant_id)s
  UNION
  SELECT c.hold_id, r.memory_id FROM memory_evidence r JOIN covered c ON c.id = r.event_id WHERE r.tenant_id = %(tenant_id)s
  UNION
  SELECT c.hold_id, q.episode_id FROM episode_source q JOIN covered c ON c.id = q.event_id WHERE q.tenant_id = %(tenant_id)s
), made AS (
  SELECT hold_id, id FROM covered UNION SELECT hold_id, id FROM resting
  UNION
  SELECT m.hold_id, d.memory_id FROM memory_derivation d JOIN made m ON m.id = d.source_id WHERE d.tenant_id = %(tenant_id)s
)
INSERT INTO hold_item (tenant_id, hold_id, id, whole)
SELECT DISTINCT %(tenant_id)s::uuid, m.hold_id, m.id, true FROM made m
ON CONFLICT (tenant_id, id, hold_id) DO UPDATE SET whole = true WHERE NOT hold_item.whole;

-- name: hold_around
-- By what one knows what is covered: its session, its subject, its scope, its user. Their own rows alone.
WITH covered AS (
  SELECT i.hold_id, i.id FROM hold_item i JOIN hold h USING (tenant_id, hold_id)
  WHERE i.tenant_id = %(tenant_id)s AND i.whole AND h.released_at IS NULL
), inside AS (
  SELECT c.hold_id, e.scope_id, e.session_pk AS id FROM event e JOIN covered c ON c.id = e.event_id WHERE e.tenant_id = %(tenant_id)s
  UNION
  SELECT c.hold_id, p.scope_id, p.session_pk FROM episode p JOIN covered c ON c.id = p.episode_id WHERE p.tenant_id = %(tenant_id)s
  UNION
  SELECT c.hold_id, m.scope_id, m.subject_id FROM memory m JOIN covered c ON c.id = m.memory_id WHERE m.tenant_id = %(tenant_id)s
  UNION
  SELECT c.hold_id, a.scope_id, a.session_pk FROM analysis a JOIN covered c ON c.id = a.analysis_id WHERE a.tenant_id = %(tenant_id)s
  UNION
  SELECT c.hold_id, d.scope_id, d.document_id FROM knowledge_document d JOIN covered c ON c.id = d.document_id WHERE d.tenant_id = %(tenant_id)s
  UNION
  SELECT c.hold_id, s.scope_id, s.session_pk FROM session s JOIN covered c ON c.id = s.session_pk WHERE s.tenant_id = %(tenant_id)s
), places AS (
  SELECT DISTINCT n.hold_id, s.scope_id, s.user_pk FROM inside n JOIN scope s ON s.tenant_id = %(tenant_id)s AND s.scope_id = n.scope_id
)
INSERT INTO hold_item (tenant_id, hold_id, id, whole)
SELECT DISTINCT %(tenant_id)s::uuid, a.hold_id, a.id, false FROM (
  SELECT hold_id, id FROM inside UNION ALL SELECT hold_id, scope_id FROM places
  UNION ALL SELECT hold_id, user_pk FROM places WHERE user_pk IS NOT NULL) a
ON CONFLICT (tenant_id, id, hold_id) DO NOTHING;

-- name: holds_concern
-- Whether anything in these scopes is covered: by hold_around, the scope of all that is has an item.
-- Where nothing is, no row that the transaction deletes there is looked at.
SELECT set_config('muniment.held',
  CASE WHEN cardinality(%(scopes)s::uuid[]) = 0 OR EXISTS (
    SELECT FROM hold_item i JOIN hold h USING (tenant_id, hold_id)
    WHERE i.tenant_id = %(tenant_id)s AND i.id = ANY(%(scopes)s::uuid[]) AND h.released_at IS NULL) THEN 'some' ELSE 'none' END,
  true) = 'some';

-- name: hold_extend
-- What was kept already for another hold is kept for this one too, where it covers that.
SELECT keep_more(%(tenant_id)s, %(hold_id)s)::text;

-- name: hold_hidden_user
SELECT h.hold_id, h.user_pk FROM hold h
WHERE h.tenant_id = %(tenant_id)s AND h.target = 'user' AND h.user_key = %(user_key)s AND h.released_at IS NULL
  AND NOT EXISTS (SELECT FROM end_user u WHERE u.tenant_id = %(tenant_id)s AND u.user_pk = h.user_pk)
ORDER BY h.hold_id DESC LIMIT 1;

-- name: hold_follow
-- A user who was forgotten and is there again: holds on them that are open are on them still.
WITH followed AS (
  UPDATE hold SET user_pk = %(user_pk)s
  WHERE tenant_id = %(tenant_id)s AND user_key = %(user_key)s AND released_at IS NULL AND target IN ('user', 'source')
  RETURNING hold_id, target
)
INSERT INTO hold_item (tenant_id, hold_id, id, whole)
SELECT %(tenant_id)s::uuid, f.hold_id, %(user_pk)s::uuid, true FROM followed f WHERE f.target = 'user'
ON CONFLICT (tenant_id, id, hold_id) DO UPDATE SET whole = true WHERE NOT hold_item.whole;

-- name: hold_like
-- An open hold on a user who was forgotten since: its items are those of a second hold on them.
INSERT INTO hold_item (tenant_id, hold_id, id, whole)
SELECT i.tenant_id, %(hold_id)s, i.id, i.whole FROM hold_item i
WHERE i.tenant_id = %(tenant_id)s AND i.hold_id = %(like_id)s
ON CONFLICT (tenant_id, id, hold_id) DO NOTHING;

-- name: hold_widen
-- A source has other names: holds on it are on them too, and on those that they were on.
UPDATE hold h SET data_source = coalesce(h.data_source, (%(names)s::text[])[1]),
    names = ARRAY(SELECT DISTINCT n.name FROM unnest(h.names || %(names)s::text[]) AS n (name) ORDER BY n.name)
WHERE h.tenant_id = %(tenant_id)s AND h.released_at IS NULL AND h.target = 'source'
  AND (h.hold_id = %(hold_id)s::uuid OR h.data_source = ANY(%(names)s::text[])) AND NOT h.names @> %(names)s::text[]
RETURNING h.hold_id, h.names;

-- name: hold_release
UPDATE hold SET released_by = %(key_id)s, released_at = %(now)s, release_reason = %(reason)s
WHERE tenant_id = %(tenant_id)s AND hold_id = %(hold_id)s AND released_at IS NULL
RETURNING hold_id, user_pk;

-- name: hold_ids
SELECT hold_id AS id, user_pk, user_key FROM hold WHERE tenant_id = %(tenant_id)s AND released_at IS NULL;

-- name: hold_exists
SELECT EXISTS (SELECT FROM hold WHERE tenant_id = %(tenant_id)s AND hold_id = %(hold_id)s);

-- name: hold_let_go
SELECT name, rows FROM release_kept(%(tenant_id)s, %(hold_id)s);

-- name: hold_items_delete
DELETE FROM hold_item WHERE tenant_id = %(tenant_id)s AND hold_id = %(hold_id)s;

-- name: hold_nameless
-- Holds that are over say no names of a user who was forgotten.
UPDATE hold SET user_key = NULL, data_source = NULL, names = '{}', filter = NULL, reason = 'forgotten', release_reason = 'forgotten'
WHERE tenant_id = %(tenant_id)s AND user_pk = %(user_pk)s AND released_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM end_user u WHERE u.tenant_id = %(tenant_id)s AND u.user_pk = hold.user_pk);

-- name: kept_of
SELECT name, rows FROM kept_of(%(tenant_id)s, %(receipt_id)s);

-- name: hold_page
-- Of a user who was forgotten nothing is said but that the hold is there.
SELECT h.hold_id, h.target, u.user_id, s.session_id,
       CASE WHEN h.user_pk IS NULL OR u.user_pk IS NOT NULL THEN h.data_source END AS data_source,
       CASE WHEN h.user_pk IS NULL OR u.user_pk IS NOT NULL THEN h.filter END AS filter,
       p.namespace, h.reason, h.placed_by, h.placed_at, h.released_by, h.released_at, h.release_reason,
       kept_by(h.tenant_id, h.hold_id) AS kept
FROM hold h
LEFT JOIN end_user u ON u.tenant_id = h.tenant_id AND u.user_pk = h.user_pk
LEFT JOIN scope p ON p.tenant_id = h.tenant_id AND p.scope_id = h.place
LEFT JOIN session s ON s.tenant_id = h.tenant_id AND s.scope_id = h.place AND s.session_pk = h.session_pk
WHERE h.tenant_id = %(tenant_id)s AND h.hold_id > %(after)s AND (%(released)s OR h.released_at IS NULL)
ORDER BY h.hold_id LIMIT %(limit)s;
