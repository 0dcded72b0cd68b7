-- Users on their way out of this service or into it: lines that wait, and rows made of them.

-- name: transfer_begin
INSERT INTO transfer (tenant_id, transfer_id, direction, user_id, created_at, expires_at)
VALUES (%(tenant_id)s, %(transfer_id)s, %(direction)s, %(user_id)s, %(now)s, %(expires_at)s)
ON CONFLICT (tenant_id, transfer_id) DO NOTHING;

-- name: transfer_find
SELECT transfer_id, user_id, expires_at, done FROM transfer
WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s AND direction = %(direction)s AND expires_at > %(now)s;

-- name: transfer_lock
-- Uploads and the commit of one import wait for each other.
SELECT transfer_id, user_id, expires_at, done FROM transfer
WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s AND direction = %(direction)s AND expires_at > %(now)s
FOR UPDATE;

-- name: transfer_done
UPDATE transfer SET done = %(done)s
WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s;

-- name: transfer_lines_clear
DELETE FROM transfer_line WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s;

-- name: transfer_line_replace
DELETE FROM transfer_line
WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s AND line >= %(first)s AND line < %(after)s;

-- name: transfer_line_insert
INSERT INTO transfer_line (tenant_id, transfer_id, line, kind, namespace, record, keys, refs, recorded_at)
VALUES (%(tenant_id)s, %(transfer_id)s, %(line)s, %(kind)s, %(namespace)s, %(record)s, %(keys)s::text[], %(refs)s::text[],
        %(recorded_at)s);

-- name: transfer_expire
DELETE FROM transfer WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s;

-- name: transfer_erase
-- What waits of a user goes with whatever of theirs is forgotten.
DELETE FROM transfer WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: transfer_erase_of_scope
DELETE FROM transfer
WHERE tenant_id = %(tenant_id)s AND user_id IN (
  SELECT u.user_id FROM scope s JOIN end_user u USING (tenant_id, user_pk)
  WHERE s.tenant_id = %(tenant_id)s AND s.scope_id = %(scope_id)s);

-- name: export_page
-- The next lines, no more of them than fit, but one at least.
SELECT line, record FROM (
  SELECT line, record, sum(octet_length(record::text)) OVER (ORDER BY line) - octet_length(record::text) AS before
  FROM (SELECT line, record FROM transfer_line
        WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s AND line > %(after)s
        ORDER BY line LIMIT %(limit)s) page
) sized
WHERE before < %(size)s ORDER BY line;

-- name: export_frame
-- The first line and the last one, around those that were taken.
WITH taken AS (
  SELECT coalesce(max(line), 1) + 1 AS lines FROM transfer_line
  WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s
), framed AS (
  INSERT INTO transfer_line (tenant_id, transfer_id, line, kind, record)
  SELECT %(tenant_id)s, %(transfer_id)s, 1, 'export',
         jsonb_build_object('type', 'export', 'format', %(format)s::text, 'version', %(version)s::int,
                            'user_id', %(user_id)s::text, 'taken_at', %(now)s::timestamptz)
  UNION ALL
  SELECT %(tenant_id)s, %(transfer_id)s, lines, 'end', jsonb_build_object('type', 'end', 'lines', lines) FROM taken
)
SELECT lines FROM taken;

-- name: export_take
-- All that is held of a user, in one statement: one snapshot, whatever else is written meanwhile.
-- What is past its time is left out, and what would refer to it refers to nothing.
WITH mine AS MATERIALIZED (
  SELECT s.tenant_id, s.scope_id, s.namespace, t.watermark, t.curated_at, t.gathered_at, t.summed_to
  FROM scope s JOIN scope_state t USING (tenant_id, scope_id)
  WHERE s.tenant_id = %(tenant_id)s AND s.user_pk = %(user_pk)s
), said AS MATERIALIZED (
  SELECT e.event_id FROM mine JOIN event e USING (tenant_id, scope_id)
  WHERE e.tenant_id = %(tenant_id)s AND (e.expires_at IS NULL OR e.expires_at > %(now)s)
), held AS MATERIALIZED (
  SELECT v.version_id, v.memory_id FROM mine JOIN memory_version v USING (tenant_id, scope_id)
  WHERE v.tenant_id = %(tenant_id)s AND (v.expires_at IS NULL OR v.expires_at > %(now)s)
), lines AS (
  SELECT 1 AS place, NULL::text AS namespace, '' AS name, 'user' AS kind,
         jsonb_build_object('created_at', u.created_at, 'opted_out_at', u.opted_out_at) AS record
  FROM end_user u WHERE u.tenant_id = %(tenant_id)s AND u.user_pk = %(user_pk)s
  UNION ALL
  SELECT 2, namespace, '', 'scope', to_jsonb(mine) - '{namespace}'::text[] FROM mine
  UNION ALL
  SELECT 3, namespace, x.session_pk::text, 'session', to_jsonb(x) - 'erased_turns' FROM mine JOIN session x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s
  UNION ALL
  SELECT 4, namespace, x.event_id::text, 'event',
         to_jsonb(x) || jsonb_build_object('valid_from', lower(i.valid), 'recorded_from', lower(i.recorded), 'recorded_to', upper(i.recorded))
  FROM mine JOIN event x USING (tenant_id, scope_id)
  JOIN memory_index i ON i.tenant_id = x.tenant_id AND i.scope_id = x.scope_id AND i.event_id = x.event_id
  WHERE x.tenant_id = %(tenant_id)s AND x.event_id IN (SELECT event_id FROM said)
  UNION ALL
  SELECT 5, namespace, x.episode_id::text, 'episode',
         to_jsonb(x) - '{recorded}'::text[] || jsonb_build_object(
           'valid_from', lower(i.valid), 'recorded_from', lower(x.recorded), 'recorded_to', upper(x.recorded),
           'sources', coalesce((SELECT jsonb_agg(q.event_id ORDER BY q.event_id) FROM episode_source q
                                WHERE q.tenant_id = %(tenant_id)s AND q.scope_id = x.scope_id AND q.episode_id = x.episode_id
                                  AND q.event_id IN (SELECT event_id FROM said)), '[]'))
  FROM mine JOIN episode x USING (tenant_id, scope_id)
  JOIN memory_index i ON i.tenant_id = x.tenant_id AND i.scope_id = x.scope_id AND i.episode_id = x.episode_id
  WHERE x.tenant_id = %(tenant_id)s AND (x.expires_at IS NULL OR x.expires_at > %(now)s)
  UNION ALL
  SELECT 6, namespace, x.session_pk::text || x.digest::text, 'extraction', to_jsonb(x)
  FROM mine JOIN extraction x USING (tenant_id, scope_id) WHERE x.tenant_id = %(tenant_id)s
  UNION ALL
  SELECT 7, namespace, x.session_pk::text || x.key, 'working', to_jsonb(x)
  FROM mine JOIN working_item x USING (tenant_id, scope_id) WHERE x.tenant_id = %(tenant_id)s AND x.expires_at > %(now)s
  UNION ALL
  SELECT 8, namespace, x.entity_id::text, 'entity', to_jsonb(x) FROM mine JOIN entity x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s
  UNION ALL
  SELECT 9, namespace, x.alias_key, 'alias', to_jsonb(x) FROM mine JOIN entity_alias x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s
  UNION ALL
  SELECT 10, namespace, x.merge_id::text, 'merge', to_jsonb(x) FROM mine JOIN entity_merge x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s
  UNION ALL
  -- By what its like is found is made anew, as the index is.
  SELECT 11, namespace, x.memory_id::text, 'memory', to_jsonb(x) - '{alike,said}'::text[]
  FROM mine JOIN memory x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s AND x.memory_id IN (SELECT memory_id FROM held)
  UNION ALL
  SELECT 12, namespace, x.version_id::text, 'version',
         to_jsonb(x) - '{valid,recorded}'::text[] || jsonb_build_object(
           'valid_from', lower(x.valid), 'valid_to', upper(x.valid), 'recorded_from', lower(x.recorded), 'recorded_to', upper(x.recorded),
           'superseded_by', CASE WHEN x.superseded_by IN (SELECT memory_id FROM held) THEN x.superseded_by END,
           'ended_by', CASE WHEN x.ended_by IN (SELECT memory_id FROM held) THEN x.ended_by END)
  FROM mine JOIN memory_version x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s AND x.version_id IN (SELECT version_id FROM held)
  UNION ALL
  -- A turn of somebody else's, where there is one, is not theirs to take along.
  SELECT 13, mine.namespace, x.evidence_id::text, 'evidence',
         to_jsonb(x) - '{source_scope_id}'::text[] || jsonb_build_object(
           'source_namespace', src.namespace,
           'session_pk', CASE WHEN src.scope_id IS NOT NULL THEN x.session_pk END,
           'turn', CASE WHEN src.scope_id IS NOT NULL THEN x.turn END,
           'event_id', CASE WHEN src.scope_id IS NOT NULL AND x.event_id IN (SELECT event_id FROM said) THEN x.event_id END,
           'withdrawn', coalesce((SELECT jsonb_agg(jsonb_build_object('start', lower(w), 'end', upper(w))) FROM unnest(x.withdrawn) AS w), '[]'))
  FROM mine JOIN memory_evidence x ON x.tenant_id = mine.tenant_id AND x.scope_id = mine.scope_id
  LEFT JOIN mine src ON src.scope_id = x.source_scope_id
  WHERE x.tenant_id = %(tenant_id)s AND x.memory_id IN (SELECT memory_id FROM held)
  UNION ALL
  SELECT 14, namespace, x.memory_id::text || x.source_id, 'derivation', to_jsonb(x)
  FROM mine JOIN memory_derivation x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s AND x.memory_id IN (SELECT memory_id FROM held) AND x.source_id IN (SELECT memory_id FROM held)
  UNION ALL
  SELECT 15, namespace, x.decision_id::text, 'decision',
         to_jsonb(x) || jsonb_build_object(
           'incumbent_id', CASE WHEN x.incumbent_id IN (SELECT memory_id FROM held) THEN x.incumbent_id END,
           'undoes', (SELECT o.decision_id FROM decision o
                      WHERE o.tenant_id = %(tenant_id)s AND o.scope_id = x.scope_id AND o.decision_id = x.undoes
                        AND o.memory_id IN (SELECT memory_id FROM held)))
  FROM mine JOIN decision x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s AND x.memory_id IN (SELECT memory_id FROM held)
  UNION ALL
  SELECT 16, namespace, x.review_id::text, 'review', to_jsonb(x) FROM mine JOIN review x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s
    AND (x.event_id IN (SELECT event_id FROM said) OR x.version_id IN (SELECT version_id FROM held))
  UNION ALL
  SELECT 17, namespace, x.event_id::text || to_char(x.sentence, '0000000000'), 'promotion',
         to_jsonb(x) || jsonb_build_object('memory_id', CASE WHEN x.memory_id IN (SELECT memory_id FROM held) THEN x.memory_id END)
  FROM mine JOIN promotion x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s AND x.event_id IN (SELECT event_id FROM said)
  UNION ALL
  SELECT 18, namespace, x.item_id::text, 'access', to_jsonb(x) FROM mine JOIN access x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s
  UNION ALL
  SELECT 19, namespace, x.analysis_id::text, 'analysis', to_jsonb(x) - '{size}'::text[] FROM mine JOIN analysis x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s AND (x.expires_at IS NULL OR x.expires_at > %(now)s)
  UNION ALL
  SELECT 20, namespace, array_to_string(x.path || x.key, E'\x1f'), 'item', to_jsonb(x) - '{size,vectors,vectors_a,vectors_b}'::text[]
  FROM mine JOIN store_item x USING (tenant_id, scope_id)
  WHERE x.tenant_id = %(tenant_id)s AND (x.expires_at IS NULL OR x.expires_at > %(now)s)
  UNION ALL
  SELECT 21, namespace, x.path || to_char(x.version, '0000000000'), 'file', to_jsonb(x) - '{size}'::text[]
  FROM mine JOIN file_version x USING (tenant_id, scope_id) WHERE x.tenant_id = %(tenant_id)s
)
INSERT INTO transfer_line (tenant_id, transfer_id, line, kind, record)
SELECT %(tenant_id)s, %(transfer_id)s, 1 + row_number() OVER (ORDER BY place, namespace, name), kind,
       record - '{tenant_id,scope_id,salt}'::text[] || jsonb_build_object('type', kind)
       || CASE WHEN namespace IS NULL THEN '{}' ELSE jsonb_build_object('namespace', namespace) END
FROM lines;
