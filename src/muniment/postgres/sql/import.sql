-- From the lines of an import that waits to rows: what stands in the way first, by line.

-- name: import_count
SELECT count(*) AS lines, coalesce(max(line), 0) AS last,
       count(*) FILTER (WHERE (kind = 'export' AND line = 1) OR kind = 'user') AS heads,
       coalesce(max((record ->> 'lines')::bigint) FILTER (WHERE kind = 'end'), 0) AS told
FROM transfer_line WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s;

-- name: import_faults
-- The first lines that do not fit the others.
WITH l AS MATERIALIZED (
  SELECT line, kind, namespace, record, keys, refs, recorded_at FROM transfer_line
  WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s
), named AS MATERIALIZED (SELECT line, unnest(keys) AS name FROM l)
(SELECT line, 'is there already, or something of its name' AS what FROM (
   SELECT line, row_number() OVER (PARTITION BY name ORDER BY line) AS nth FROM named) n
 WHERE nth > 1)
UNION
SELECT line, 'refers to what is not in the file' FROM (SELECT line, unnest(refs) AS name FROM l) r
WHERE NOT EXISTS (SELECT FROM named n WHERE n.name = r.name)
UNION
SELECT line, 'has no version' FROM l
WHERE kind = 'memory' AND keys[3] IS NOT NULL
  AND NOT EXISTS (SELECT FROM (SELECT unnest(refs) AS name FROM l WHERE kind = 'version') v WHERE v.name = l.keys[3])
UNION
SELECT l.line, 'was recorded after the watermark of its namespace' FROM l
JOIN l AS s ON s.kind = 'scope' AND s.namespace = l.namespace
WHERE l.recorded_at > (s.record ->> 'watermark')::timestamptz
UNION
SELECT line, 'is a second truth at one time in a slot of one value' FROM (
  SELECT line, valid, lag(valid) OVER (PARTITION BY namespace, subject, slot ORDER BY valid) AS before FROM (
    SELECT line, namespace, record ->> 'subject_id' AS subject, record ->> 'slot' AS slot, (record ->> 'valid')::tstzrange AS valid
    FROM l WHERE kind = 'version' AND record ->> 'standing' = 'asserted' AND record ->> 'cardinality' = 'one'
      AND record ->> 'recorded_to' IS NULL) current) pairs
WHERE valid && before
ORDER BY 1 LIMIT %(limit)s;

-- name: import_taken
-- The first lines whose ids are somebody else's in this tenant.
SELECT l.line, 'has an id that is held in this tenant already' AS what FROM transfer_line l
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND (
  (l.kind = 'event' AND EXISTS (SELECT FROM event x WHERE x.tenant_id = %(tenant_id)s AND x.event_id = (l.record ->> 'event_id')::uuid))
  OR (l.kind = 'episode' AND EXISTS (SELECT FROM episode x WHERE x.tenant_id = %(tenant_id)s AND x.episode_id = (l.record ->> 'episode_id')::uuid))
  OR (l.kind = 'memory' AND EXISTS (SELECT FROM memory x WHERE x.tenant_id = %(tenant_id)s AND x.memory_id = (l.record ->> 'memory_id')::uuid))
  OR (l.kind = 'merge' AND EXISTS (SELECT FROM entity_merge x WHERE x.tenant_id = %(tenant_id)s AND x.merge_id = (l.record ->> 'merge_id')::uuid)))
ORDER BY l.line LIMIT %(limit)s;

-- name: import_known_keys
SELECT key_id FROM api_key WHERE tenant_id = %(tenant_id)s AND key_id = ANY(%(ids)s::uuid[]);

-- name: import_user
INSERT INTO end_user (tenant_id, user_pk, user_id, created_at, opted_out_at)
SELECT l.tenant_id, %(user_pk)s, %(user_id)s, (l.record ->> 'created_at')::timestamptz, (l.record ->> 'opted_out_at')::timestamptz
FROM transfer_line l WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'user'
ON CONFLICT (tenant_id, user_id) DO NOTHING;

-- name: import_scopes
SELECT l.namespace, (l.record ->> 'watermark')::timestamptz AS watermark, (l.record ->> 'curated_at')::timestamptz AS curated_at,
       (l.record ->> 'gathered_at')::timestamptz AS gathered_at, (l.record ->> 'summed_to')::timestamptz AS summed_to
FROM transfer_line l WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'scope'
ORDER BY l.line;

-- name: import_scope
-- Above any version that the scope had, under which the trail told of these records before it was erased: that
-- goes up by one with a write, this by one in a millisecond.
UPDATE scope_state
SET version = (extract(epoch FROM %(now)s::timestamptz) * 1000)::bigint,
    rebuilt = (extract(epoch FROM %(now)s::timestamptz) * 1000)::bigint, watermark = %(watermark)s, curated_at = %(curated_at)s, gathered_at = %(gathered_at)s,
    summed_to = %(summed_to)s
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s;

-- name: import_lines
-- The next lines of a kind, with the scope that they are for.
WITH page AS MATERIALIZED (
  SELECT line, namespace, record FROM transfer_line
  WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s AND kind = %(kind)s AND line > %(after)s
  ORDER BY line LIMIT %(limit)s
)
SELECT p.line, s.scope_id, p.record FROM page p
JOIN scope s ON s.tenant_id = %(tenant_id)s AND s.user_pk = %(user_pk)s AND s.namespace = p.namespace
ORDER BY p.line;

-- name: import_versions_found
-- The next versions, with the words by which each is found. One look-up a line: what this transaction
-- wrote has no statistics to join by.
WITH page AS MATERIALIZED (
  SELECT line, namespace, record, (record ->> 'memory_id')::uuid AS memory_id, (record ->> 'subject_id')::uuid AS subject_id
  FROM transfer_line
  WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s AND kind = 'version' AND line > %(after)s
  ORDER BY line LIMIT %(limit)s
)
SELECT p.line, s.scope_id, p.record, m.text, m.kind, n.name AS subject, n.kind = 'self' AS of_self
FROM page p
JOIN scope s ON s.tenant_id = %(tenant_id)s AND s.user_pk = %(user_pk)s AND s.namespace = p.namespace
CROSS JOIN LATERAL (
  SELECT x.text, x.kind FROM memory x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = s.scope_id AND x.memory_id = p.memory_id LIMIT 1) m
CROSS JOIN LATERAL (
  SELECT x.name, x.kind FROM entity x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = s.scope_id AND x.entity_id = p.subject_id LIMIT 1) n
ORDER BY p.line;

-- name: import_memory
INSERT INTO memory
SELECT r.* FROM transfer_line l
CROSS JOIN LATERAL jsonb_populate_record(NULL::memory, l.record || jsonb_build_object(
  'tenant_id', l.tenant_id, 'scope_id', %(scope_id)s::uuid, 'alike', %(alike)s::bigint, 'said', %(said)s::bigint,
  'salt', gen_random_uuid())) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.line = %(line)s;

-- name: import_index
INSERT INTO memory_index (
  tenant_id, scope_id, event_id, episode_id, version_id, group_id, position, rev, tier, kind, standing,
  valid, recorded, occurred_at, expires_at, importance, confidence, emb, emb_a, emb_b, terms
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(event_id)s, %(episode_id)s, %(version_id)s, %(group_id)s, %(position)s,
  1, %(tier)s, %(kind)s, %(standing)s, tstzrange(%(valid_from)s, %(valid_to)s),
  tstzrange(%(recorded_from)s, %(recorded_to)s), %(occurred_at)s, %(expires_at)s, %(importance)s, %(confidence)s,
  %(emb)s, %(emb_a)s, %(emb_b)s, %(terms)s
);

-- name: import_dirty
-- Closed sessions whose summary was still to be made.
SELECT x.scope_id, x.session_pk FROM session x JOIN scope s USING (tenant_id, scope_id)
WHERE x.tenant_id = %(tenant_id)s AND s.user_pk = %(user_pk)s AND x.dirty_since IS NOT NULL AND x.closed_at IS NOT NULL
ORDER BY x.session_pk;

-- Rows are made of lines whose members are named like the columns; the rest of a line is left.

-- name: import_session
INSERT INTO session
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::session, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id, 'erased_turns', '{}')) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'session';

-- name: import_event
INSERT INTO event
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::event, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id, 'salt', gen_random_uuid())) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'event';

-- name: import_episode
INSERT INTO episode
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::episode, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id, 'salt', gen_random_uuid())) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'episode';

-- name: import_extraction
INSERT INTO extraction
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::extraction, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'extraction';

-- name: import_working
INSERT INTO working_item
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::working_item, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'working';

-- name: import_entity
INSERT INTO entity
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::entity, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'entity';

-- name: import_alias
INSERT INTO entity_alias
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::entity_alias, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'alias';

-- name: import_merge
INSERT INTO entity_merge
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::entity_merge, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'merge';

-- name: import_version
INSERT INTO memory_version
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::memory_version, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'version';

-- name: import_derivation
INSERT INTO memory_derivation
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::memory_derivation, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'derivation';

-- name: import_decision
INSERT INTO decision
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::decision, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'decision';

-- name: import_review
INSERT INTO review
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::review, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'review';

-- name: import_promotion
INSERT INTO promotion
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::promotion, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'promotion';

-- name: import_access
INSERT INTO access
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::access, l.record || jsonb_build_object('tenant_id', l.tenant_id, 'scope_id', s.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'access';

-- name: import_source
INSERT INTO episode_source (tenant_id, scope_id, episode_id, event_id)
SELECT l.tenant_id, s.scope_id, (l.record ->> 'episode_id')::uuid, q::uuid FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_array_elements_text(l.record -> 'sources') AS q
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'episode';

-- name: import_analysis
INSERT INTO analysis
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::analysis, l.record || jsonb_build_object(
  'tenant_id', l.tenant_id, 'scope_id', s.scope_id, 'size', octet_length(l.record ->> 'battery'))) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'analysis';

-- name: import_item
INSERT INTO store_item (tenant_id, scope_id, path, key, item_id, value, fields, vectors, vectors_a, vectors_b, size, ttl, key_id, created_at, updated_at,
                        expires_at)
SELECT l.tenant_id, %(scope_id)s, r.path, r.key, r.item_id, r.value, r.fields, %(vectors)b::halfvec[],
       %(vectors_a)b::halfvec[], %(vectors_b)b::halfvec[], %(size)s, r.ttl, r.key_id,
       r.created_at, r.updated_at, r.expires_at
FROM transfer_line l
CROSS JOIN LATERAL jsonb_to_record(l.record) AS r (
  path text[], key text, item_id uuid, value json, fields text[], ttl double precision, key_id uuid, created_at timestamptz,
  updated_at timestamptz, expires_at timestamptz)
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.line = %(line)s;

-- name: import_file
INSERT INTO file_version
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
CROSS JOIN LATERAL jsonb_populate_record(NULL::file_version, l.record || jsonb_build_object(
  'tenant_id', l.tenant_id, 'scope_id', s.scope_id,
  'size', octet_length(l.record ->> 'path') + octet_length(l.record ->> 'content'))) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'file';

-- name: import_evidence
INSERT INTO memory_evidence
SELECT r.* FROM transfer_line l
JOIN scope s ON s.tenant_id = l.tenant_id AND s.user_pk = %(user_pk)s AND s.namespace = l.namespace
LEFT JOIN scope q ON q.tenant_id = l.tenant_id AND q.user_pk = %(user_pk)s AND q.namespace = l.record ->> 'source_namespace'
CROSS JOIN LATERAL jsonb_populate_record(NULL::memory_evidence, l.record || jsonb_build_object(
  'tenant_id', l.tenant_id, 'scope_id', s.scope_id, 'source_scope_id', q.scope_id)) r
WHERE l.tenant_id = %(tenant_id)s AND l.transfer_id = %(transfer_id)s AND l.kind = 'evidence';

-- name: import_kinds
SELECT kind, count(*) AS lines FROM transfer_line
WHERE tenant_id = %(tenant_id)s AND transfer_id = %(transfer_id)s GROUP BY kind ORDER BY kind;

-- name: scopes_ids_of_user
SELECT scope_id FROM scope WHERE tenant_id = %(tenant_id)s AND user_pk = %(user_pk)s LIMIT 1;
