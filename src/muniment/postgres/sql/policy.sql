-- The policy of a tenant. Writers of a scope hold it shared, from before their first lock until they
-- commit; who changes it takes it alone. So no writer is under way by a policy that is replaced.
-- These are locks of the transaction under a number made of the tenant's id: those who wait are
-- served in their order, so that a change is not put off for ever, and no row is written for it.

-- name: policy_hold
SELECT pg_advisory_xact_lock_shared(hashtextextended(%(tenant_id)s::text, 7300))::text AS held;

-- name: policy_take
SELECT pg_advisory_xact_lock(hashtextextended(%(tenant_id)s::text, 7300))::text;

-- name: policy_revision
SELECT coalesce((SELECT revision FROM tenant_policy WHERE tenant_id = %(tenant_id)s), 0) AS revision;

-- name: policy_read
SELECT p.revision, p.version, p.changed_at, p.document,
       coalesce((SELECT jsonb_object_agg(s.name, s.definition) FROM tenant_slot s WHERE s.tenant_id = %(tenant_id)s), '{}') AS slots,
       (SELECT to_jsonb(e) FROM tenant_embedding e WHERE e.tenant_id = %(tenant_id)s) AS embedding
FROM tenant_policy p WHERE p.tenant_id = %(tenant_id)s;

-- name: policy_put
-- A new document, or none: a new revision all the same.
INSERT INTO tenant_policy (tenant_id, revision, version, document, changed_at)
VALUES (%(tenant_id)s, 1, CASE WHEN %(document)s::jsonb IS NULL THEN 0 ELSE 1 END, coalesce(%(document)s::jsonb, '{}'), %(now)s)
ON CONFLICT (tenant_id) DO UPDATE
SET revision = tenant_policy.revision + 1,
    version = tenant_policy.version + CASE WHEN %(document)s::jsonb IS NULL THEN 0 ELSE 1 END,
    document = coalesce(%(document)s::jsonb, tenant_policy.document), changed_at = %(now)s
RETURNING version;

-- name: slot_put
INSERT INTO tenant_slot (tenant_id, name, definition, changed_at, changed_by)
VALUES (%(tenant_id)s, %(name)s, %(definition)s::jsonb, %(now)s, %(key_id)s)
ON CONFLICT (tenant_id, name) DO UPDATE
SET definition = excluded.definition, changed_at = excluded.changed_at, changed_by = excluded.changed_by;

-- name: slot_delete
DELETE FROM tenant_slot WHERE tenant_id = %(tenant_id)s AND name = %(name)s;

-- name: slot_disagreements
-- Subjects with two values at one time in a slot, and how many versions that concerns: what one
-- truth at a time would not admit.
SELECT count(DISTINCT (v.scope_id, v.subject_id)) AS subjects, count(DISTINCT v.version_id) AS versions
FROM memory_version v
WHERE v.tenant_id = %(tenant_id)s AND v.slot = %(name)s AND upper_inf(v.recorded) AND v.standing = 'asserted'
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
  AND EXISTS (
    SELECT FROM memory_version w
    WHERE w.tenant_id = %(tenant_id)s AND w.scope_id = v.scope_id AND w.subject_id = v.subject_id AND w.slot = v.slot
      AND w.version_id <> v.version_id AND upper_inf(w.recorded) AND w.standing = 'asserted' AND w.valid && v.valid
      AND (w.expires_at IS NULL OR w.expires_at > %(now)s));

-- name: slot_recount
-- What is held in a slot follows its new cardinality; what has expired holds nothing.
UPDATE memory_version SET cardinality = %(cardinality)s
WHERE tenant_id = %(tenant_id)s AND slot = %(name)s AND upper_inf(recorded) AND cardinality <> %(cardinality)s
  AND (expires_at IS NULL OR expires_at > %(now)s);

-- name: lives_of_classes
-- Scopes with turns, summaries, or memories in quarantine that are kept longer than the new days.
SELECT DISTINCT held.scope_id
FROM unnest(%(classes)s::text[], %(categories)s::text[], %(days)s::int[]) AS l (class, category, days)
CROSS JOIN LATERAL (
  SELECT scope_id FROM event
  WHERE tenant_id = %(tenant_id)s AND retention_class = l.class AND category = l.category
    AND expires_at > greatest(recorded_at + make_interval(days => l.days), %(now)s)
  UNION ALL
  SELECT scope_id FROM episode
  WHERE tenant_id = %(tenant_id)s AND retention_class = l.class AND category = l.category
    AND expires_at > greatest(lower(recorded) + make_interval(days => l.days), %(now)s)
  UNION ALL
  SELECT scope_id FROM memory_version
  WHERE tenant_id = %(tenant_id)s AND retention_class = l.class AND category = l.category
    AND expires_at > greatest(lower(recorded) + make_interval(days => l.days), %(now)s)) held;

-- name: lives_of_kinds
-- Scopes with memories of a kind or in a slot that live longer than the new days.
SELECT DISTINCT v.scope_id
FROM memory_version v
JOIN memory m ON m.tenant_id = v.tenant_id AND m.scope_id = v.scope_id AND m.memory_id = v.memory_id
LEFT JOIN unnest(%(kinds)s::text[], %(kind_days)s::int[]) AS k (kind, days) ON k.kind = m.kind
LEFT JOIN unnest(%(slots)s::text[], %(slot_days)s::int[]) AS s (slot, days) ON s.slot = v.slot
WHERE v.tenant_id = %(tenant_id)s AND v.standing <> 'quarantined' AND least(k.days, s.days) IS NOT NULL
  AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
  AND (v.expires_at IS NULL OR v.expires_at - make_interval(days => least(k.days, s.days)) > v.observed_at);

-- name: scopes_take
-- Scopes in the order in which everybody locks them.
SELECT t.scope_id FROM scope_state t JOIN scope s ON s.tenant_id = t.tenant_id AND s.scope_id = t.scope_id
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = ANY(%(scopes)s::uuid[])
ORDER BY s.level DESC, t.scope_id FOR NO KEY UPDATE OF t;

-- name: scopes_move
UPDATE scope_state SET version = version + 1, watermark = greatest(%(now)s, watermark + interval '1 microsecond')
WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[]);

-- name: event_lives
WITH shorter AS (
  UPDATE event x SET expires_at = x.recorded_at + make_interval(days => l.days)
  FROM unnest(%(classes)s::text[], %(categories)s::text[], %(days)s::int[]) AS l (class, category, days)
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = ANY(%(scopes)s::uuid[]) AND x.retention_class = l.class
    AND x.category = l.category AND x.expires_at > greatest(x.recorded_at + make_interval(days => l.days), %(now)s)
  RETURNING x.scope_id, x.event_id AS id, x.expires_at)
SELECT count(DISTINCT id) AS shortened, count(DISTINCT id) FILTER (WHERE expires_at <= %(now)s) AS expired FROM shorter;

-- name: proposal_lives
-- Documents that wait for a steward; nothing of them is recalled, so that no scope moves on.
WITH shorter AS (
  UPDATE knowledge_document x SET expires_at = x.recorded_at + make_interval(days => l.days)
  FROM unnest(%(classes)s::text[], %(categories)s::text[], %(days)s::int[]) AS l (class, category, days)
  WHERE x.tenant_id = %(tenant_id)s AND x.retention_class = l.class AND x.category = l.category
    AND x.expires_at > greatest(x.recorded_at + make_interval(days => l.days), %(now)s)
  RETURNING x.expires_at)
SELECT count(*) AS shortened, count(*) FILTER (WHERE expires_at <= %(now)s) AS expired FROM shorter;

-- name: episode_lives
WITH shorter AS (
  UPDATE episode x SET expires_at = lower(x.recorded) + make_interval(days => l.days)
  FROM unnest(%(classes)s::text[], %(categories)s::text[], %(days)s::int[]) AS l (class, category, days)
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = ANY(%(scopes)s::uuid[]) AND x.retention_class = l.class
    AND x.category = l.category AND x.expires_at > greatest(lower(x.recorded) + make_interval(days => l.days), %(now)s)
  RETURNING x.scope_id, x.episode_id AS id, x.expires_at)
SELECT count(DISTINCT id) AS shortened, count(DISTINCT id) FILTER (WHERE expires_at <= %(now)s) AS expired FROM shorter;

-- name: memory_version_lives
WITH shorter AS (
  UPDATE memory_version x SET expires_at = lower(x.recorded) + make_interval(days => l.days)
  FROM unnest(%(classes)s::text[], %(categories)s::text[], %(days)s::int[]) AS l (class, category, days)
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = ANY(%(scopes)s::uuid[]) AND x.retention_class = l.class
    AND x.category = l.category AND x.expires_at > greatest(lower(x.recorded) + make_interval(days => l.days), %(now)s)
  RETURNING x.scope_id, x.memory_id AS id, x.expires_at)
SELECT count(DISTINCT id) AS shortened, count(DISTINCT id) FILTER (WHERE expires_at <= %(now)s) AS expired FROM shorter;

-- name: memory_lives
-- From what was observed, as a life of a kind counts; no later than the last instant of 9999.
WITH shorter AS (
  UPDATE memory_version x
  SET expires_at = CASE WHEN x.observed_at > timestamptz '9999-12-31T23:59:59.999999Z' - make_interval(days => l.days) THEN timestamptz '9999-12-31T23:59:59.999999Z'
                        ELSE x.observed_at + make_interval(days => l.days) END
  FROM (
    SELECT m.scope_id, m.memory_id, least(k.days, s.days) AS days
    FROM memory m
    LEFT JOIN unnest(%(kinds)s::text[], %(kind_days)s::int[]) AS k (kind, days) ON k.kind = m.kind
    LEFT JOIN unnest(%(slots)s::text[], %(slot_days)s::int[]) AS s (slot, days) ON s.slot = m.slot
    WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = ANY(%(scopes)s::uuid[]) AND least(k.days, s.days) IS NOT NULL) l
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = l.scope_id AND x.memory_id = l.memory_id
    AND x.standing <> 'quarantined' AND (x.expires_at IS NULL OR x.expires_at > %(now)s)
    AND (x.expires_at IS NULL OR x.expires_at - make_interval(days => l.days) > x.observed_at)
  RETURNING x.memory_id, x.expires_at, upper_inf(x.recorded) AS is_open)
SELECT count(*) AS shortened, count(*) FILTER (WHERE last <= %(now)s) AS expired
FROM (SELECT max(expires_at) AS last FROM shorter WHERE is_open GROUP BY memory_id) held;

-- name: index_lives
-- The index goes by the same dates, at the scope's new version.
UPDATE memory_index i SET expires_at = held.expires_at, rev = t.version
FROM (
  SELECT scope_id, event_id AS id, expires_at FROM event WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
  UNION ALL
  SELECT scope_id, episode_id, expires_at FROM episode WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])
  UNION ALL
  SELECT scope_id, version_id, expires_at FROM memory_version
  WHERE tenant_id = %(tenant_id)s AND scope_id = ANY(%(scopes)s::uuid[])) held
JOIN scope_state t ON t.tenant_id = %(tenant_id)s AND t.scope_id = held.scope_id
WHERE i.tenant_id = %(tenant_id)s AND i.scope_id = held.scope_id AND i.id = held.id
  AND i.expires_at IS DISTINCT FROM held.expires_at;
