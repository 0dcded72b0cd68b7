-- Threads of graphs: checkpoints, the values of their channels, and what tasks wrote on top of them.
-- A thread that nobody wrote to for as long as its class is kept (since) is there no more, removed yet
-- or not. Names are compared in the collation C.

-- name: thread_find
SELECT t.scope_id, t.thread_pk, t.thread_id, t.bytes, t.salt FROM thread t
WHERE t.tenant_id = %(tenant_id)s AND t.thread_id = %(thread_id)s AND t.touched_at > %(since)s AND t.scope_id = (
  SELECT s.scope_id FROM end_user u JOIN scope s ON s.tenant_id = u.tenant_id AND s.user_pk = u.user_pk
  WHERE u.tenant_id = %(tenant_id)s AND u.user_id = %(user_id)s::text AND s.namespace = %(namespace)s
  UNION ALL
  SELECT s.scope_id FROM scope s
  WHERE s.tenant_id = %(tenant_id)s AND s.user_pk IS NULL AND s.namespace = %(namespace)s AND %(user_id)s::text IS NULL);

-- name: thread_lock
-- The same for a write, which others of the same thread wait for.
SELECT t.scope_id, t.thread_pk, t.thread_id, t.bytes, t.salt, s.opted_out_at FROM (
  SELECT x.scope_id, u.opted_out_at FROM end_user u JOIN scope x ON x.tenant_id = u.tenant_id AND x.user_pk = u.user_pk
  WHERE u.tenant_id = %(tenant_id)s AND u.user_id = %(user_id)s::text AND x.namespace = %(namespace)s
  UNION ALL
  SELECT x.scope_id, NULL FROM scope x
  WHERE x.tenant_id = %(tenant_id)s AND x.user_pk IS NULL AND x.namespace = %(namespace)s AND %(user_id)s::text IS NULL
) s JOIN thread t ON t.tenant_id = %(tenant_id)s AND t.scope_id = s.scope_id AND t.thread_id = %(thread_id)s
WHERE t.touched_at > %(since)s
FOR UPDATE OF t;

-- name: thread_insert
INSERT INTO thread (tenant_id, scope_id, thread_pk, thread_id, created_at, touched_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(thread_pk)s, %(thread_id)s, %(now)s, %(now)s)
ON CONFLICT (tenant_id, scope_id, thread_id) DO NOTHING;

-- name: thread_outdated
-- One of this name that is past its time makes room.
DELETE FROM thread
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_id = %(thread_id)s AND touched_at <= %(since)s;

-- name: thread_lock_many
-- Threads by their names, and those with checkpoints of these runs, in one order.
SELECT t.scope_id, t.thread_pk, t.thread_id, t.bytes, t.salt FROM thread t
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s
  AND (t.thread_id = ANY(%(thread_ids)s::text[]) OR t.thread_pk IN (
    SELECT c.thread_pk FROM thread_checkpoint c
    WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.run_id = ANY(%(run_ids)s::text[])))
ORDER BY t.thread_pk FOR UPDATE;

-- name: thread_saved
-- What a checkpoint of this name was, if there is one.
SELECT digest, (coalesce(octet_length(data), 0) + octet_length(labels::text))::bigint AS bytes FROM thread_checkpoint
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s AND ns = %(ns)s
  AND checkpoint_id = %(checkpoint_id)s;

-- name: thread_put
-- A checkpoint with the values that are new in it; a value that is there under its version stays.
WITH added AS (
  INSERT INTO thread_value (tenant_id, scope_id, thread_pk, ns, channel, version, type, data, pieces, recorded_at)
  SELECT %(tenant_id)s, %(scope_id)s, %(thread_pk)s, %(ns)s, v.channel, v.version, v.type, v.data, v.pieces, %(now)s
  FROM unnest(%(channels)s::text[], %(channel_versions)s::text[], %(types)s::text[], %(datas)s::bytea[], %(cut)s::bytea[])
    AS v (channel, version, type, data, pieces)
  ON CONFLICT (tenant_id, scope_id, thread_pk, ns, channel, version) DO NOTHING
  RETURNING octet_length(data) AS size
), saved AS (
  INSERT INTO thread_checkpoint AS c (tenant_id, scope_id, thread_pk, ns, checkpoint_id, parent_id, type, data, pieces, versions, partial,
                                      labels, run_id, digest, recorded_at)
  VALUES (%(tenant_id)s, %(scope_id)s, %(thread_pk)s, %(ns)s, %(checkpoint_id)s, %(parent_id)s::text, %(type)s, %(data)s::bytea,
          %(pieces)s::bytea, %(versions)s::jsonb, %(partial)s::text[], %(labels)s::jsonb, %(run_id)s::text, %(digest)s, %(now)s)
  ON CONFLICT (tenant_id, scope_id, thread_pk, ns, checkpoint_id) DO UPDATE
  SET parent_id = excluded.parent_id, type = excluded.type, data = excluded.data, pieces = excluded.pieces, versions = excluded.versions,
      partial = excluded.partial, labels = excluded.labels, run_id = excluded.run_id, digest = excluded.digest, recorded_at = excluded.recorded_at
  RETURNING coalesce(octet_length(data), 0) + octet_length(labels::text) AS size
)
UPDATE thread SET touched_at = %(now)s,
  bytes = bytes - %(replaced)s + (SELECT coalesce(sum(size), 0) FROM added) + (SELECT size FROM saved)
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s;

-- name: thread_put_writes
-- What a task wrote, once for each place; below 0 the last counts.
WITH saved AS (
  INSERT INTO thread_write (tenant_id, scope_id, thread_pk, ns, checkpoint_id, task_id, place, task_path, channel, type, data, pieces, recorded_at)
  SELECT %(tenant_id)s, %(scope_id)s, %(thread_pk)s, %(ns)s, %(checkpoint_id)s, %(task_id)s, w.place, %(task_path)s, w.channel, w.type, w.data,
         w.pieces, %(now)s
  FROM unnest(%(places)s::integer[], %(channels)s::text[], %(types)s::text[], %(datas)s::bytea[], %(cut)s::bytea[])
    AS w (place, channel, type, data, pieces)
  ON CONFLICT (tenant_id, scope_id, thread_pk, ns, checkpoint_id, task_id, place) DO UPDATE
  SET task_path = excluded.task_path, channel = excluded.channel, type = excluded.type, data = excluded.data, pieces = excluded.pieces,
      recorded_at = excluded.recorded_at
  WHERE excluded.place < 0
  RETURNING octet_length(data) AS size
), replaced AS (
  SELECT octet_length(o.data) AS size FROM thread_write o
  WHERE o.tenant_id = %(tenant_id)s AND o.scope_id = %(scope_id)s AND o.thread_pk = %(thread_pk)s AND o.ns = %(ns)s
    AND o.checkpoint_id = %(checkpoint_id)s AND o.task_id = %(task_id)s AND o.place < 0 AND o.place = ANY(%(places)s::integer[])
)
UPDATE thread SET touched_at = %(now)s,
  bytes = bytes + (SELECT coalesce(sum(size), 0) FROM saved) - (SELECT coalesce(sum(size), 0) FROM replaced)
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s;

-- name: thread_put_pieces
WITH saved AS (
  INSERT INTO thread_piece (tenant_id, scope_id, thread_pk, digest, data, recorded_at)
  SELECT %(tenant_id)s, %(scope_id)s, %(thread_pk)s, p.digest, p.data, %(now)s
  FROM unnest(%(digests)s::bytea[], %(datas)s::bytea[]) AS p (digest, data)
  ON CONFLICT (tenant_id, scope_id, thread_pk, digest) DO NOTHING
  RETURNING octet_length(data) AS size
)
UPDATE thread SET touched_at = %(now)s, bytes = bytes + (SELECT coalesce(sum(size), 0) FROM saved)
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s;

-- name: thread_pieces
SELECT digest, data FROM thread_piece
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s AND digest = ANY(%(digests)s::bytea[]);

-- name: thread_pieces_there
SELECT count(*) FROM thread_piece
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s AND digest = ANY(%(digests)s::bytea[]);

-- name: thread_page
-- Checkpoints of one graph of a thread, the latest first; or the one of a name.
SELECT %(thread_id)s::text AS thread_id, c.thread_pk, c.ns, c.checkpoint_id, c.parent_id, c.type, c.data, c.pieces, c.versions, c.recorded_at
FROM (
  SELECT %(checkpoint_id)s::text AS name WHERE %(checkpoint_id)s::text IS NOT NULL
  UNION ALL
  SELECT l.name
  FROM last_checkpoints(%(tenant_id)s, %(scope_id)s, %(thread_pk)s, %(ns)s, %(before)s::text, %(limit)s::bigint) AS l (name)
  WHERE %(checkpoint_id)s::text IS NULL
) k CROSS JOIN LATERAL (
  SELECT * FROM thread_checkpoint x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.thread_pk = %(thread_pk)s AND x.ns = %(ns)s
    AND x.checkpoint_id = k.name LIMIT 1) c
WHERE %(before)s::text IS NULL OR c.checkpoint_id < %(before)s::text
ORDER BY c.checkpoint_id DESC;

-- name: thread_pages
-- The same of one graph or of every one, of these threads or of all threads of a scope; a filter's values
-- are compared as they are.
SELECT t.thread_id, c.thread_pk, c.ns, c.checkpoint_id, c.parent_id, c.type, c.data, c.pieces, c.versions, c.recorded_at
FROM thread t JOIN thread_checkpoint c USING (tenant_id, scope_id, thread_pk)
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s AND t.touched_at > %(since)s
  AND t.thread_pk = ANY(coalesce(%(threads)s::uuid[], ARRAY(
    SELECT a.thread_pk FROM thread a WHERE a.tenant_id = %(tenant_id)s AND a.scope_id = %(scope_id)s)))
  AND (%(ns)s::text IS NULL OR c.ns = %(ns)s::text)
  AND (%(checkpoint_id)s::text IS NULL OR c.checkpoint_id = %(checkpoint_id)s::text)
  AND (%(before)s::text IS NULL OR c.checkpoint_id < %(before)s::text)
  AND (%(after)s::text IS NULL OR (c.checkpoint_id, t.thread_id, c.ns) < (%(after)s::text, %(after_thread)s::text, %(after_ns)s::text))
  AND (%(filter)s::jsonb IS NULL OR NOT EXISTS (
    SELECT FROM jsonb_each(%(filter)s::jsonb) f WHERE coalesce(c.labels -> f.key, 'null') <> f.value))
ORDER BY c.checkpoint_id DESC, t.thread_id DESC, c.ns DESC LIMIT %(limit)s;

-- name: thread_values
-- Values of channels by their versions. One by one: however little the planner knows, each is looked
-- up in the index.
SELECT v.thread_pk, v.ns, v.channel, v.version, v.type, v.data, v.pieces
FROM unnest(%(threads)s::uuid[], %(spaces)s::text[], %(channels)s::text[], %(versions)s::text[]) AS k (thread_pk, ns, channel, version)
CROSS JOIN LATERAL (
  SELECT * FROM thread_value x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.thread_pk = k.thread_pk AND x.ns = k.ns
    AND x.channel = k.channel AND x.version = k.version LIMIT 1) v;

-- name: thread_writes
-- What tasks wrote since these checkpoints, in the order in which it is carried out.
SELECT w.thread_pk, w.ns, w.checkpoint_id, w.task_id, w.place, w.task_path, w.channel, w.type, w.data, w.pieces
FROM unnest(%(threads)s::uuid[], %(spaces)s::text[], %(checkpoints)s::text[]) AS k (thread_pk, ns, checkpoint_id)
CROSS JOIN LATERAL (
  SELECT * FROM thread_write x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.thread_pk = k.thread_pk AND x.ns = k.ns
    AND x.checkpoint_id = k.checkpoint_id AND (%(only)s::text[] IS NULL OR x.channel = ANY(%(only)s::text[]))
  OFFSET 0) w
ORDER BY w.task_path, w.task_id, w.place;

-- name: thread_latest
SELECT name FROM last_checkpoints(%(tenant_id)s, %(scope_id)s, %(thread_pk)s, %(ns)s, NULL, 1) AS l (name);

-- name: thread_path
-- A checkpoint and those that it came from, one after another.
WITH RECURSIVE path AS (
  SELECT c.checkpoint_id, c.parent_id, c.versions, 1 AS place FROM thread_checkpoint c
  WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.thread_pk = %(thread_pk)s AND c.ns = %(ns)s
    AND c.checkpoint_id = %(checkpoint_id)s
  UNION ALL
  SELECT c.checkpoint_id, c.parent_id, c.versions, path.place + 1
  FROM path CROSS JOIN LATERAL (
    SELECT x.checkpoint_id, x.parent_id, x.versions FROM thread_checkpoint x
    WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.thread_pk = %(thread_pk)s AND x.ns = %(ns)s
      AND x.checkpoint_id = path.parent_id LIMIT 1) c
  WHERE path.place < %(limit)s
)
SELECT checkpoint_id, parent_id, versions FROM path ORDER BY place;

-- name: thread_prune
-- All but the last checkpoint of each graph of these threads, and those before it that its channels
-- have to be made of: back to the one with a value of each.
WITH RECURSIVE newest AS (
  SELECT DISTINCT ON (c.thread_pk, c.ns) c.thread_pk, c.ns, c.checkpoint_id, c.parent_id, c.versions, c.partial
  FROM thread_checkpoint c
  WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.thread_pk = ANY(%(threads)s::uuid[])
  ORDER BY c.thread_pk, c.ns, c.checkpoint_id DESC
), kept AS (
  SELECT n.thread_pk, n.ns, n.checkpoint_id, n.parent_id, n.versions, ARRAY(
    SELECT p.name FROM unnest(n.partial) AS p (name) WHERE n.versions ? p.name AND NOT EXISTS (
      SELECT FROM thread_value v
      WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.thread_pk = n.thread_pk AND v.ns = n.ns
        AND v.channel = p.name AND v.version = n.versions ->> p.name)) AS missing
  FROM newest n
  UNION
  SELECT c.thread_pk, c.ns, c.checkpoint_id, c.parent_id, c.versions, ARRAY(
    SELECT p.name FROM unnest(k.missing) AS p (name) WHERE c.versions ? p.name AND NOT EXISTS (
      SELECT FROM thread_value v
      WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.thread_pk = c.thread_pk AND v.ns = c.ns
        AND v.channel = p.name AND v.version = c.versions ->> p.name))
  FROM kept k JOIN thread_checkpoint c ON c.thread_pk = k.thread_pk AND c.ns = k.ns AND c.checkpoint_id = k.parent_id
  WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND k.missing <> '{}'
)
DELETE FROM thread_checkpoint c
WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.thread_pk = ANY(%(threads)s::uuid[])
  AND NOT EXISTS (SELECT FROM kept k WHERE k.thread_pk = c.thread_pk AND k.ns = c.ns AND k.checkpoint_id = c.checkpoint_id)
RETURNING c.thread_pk, c.ns, c.checkpoint_id;

-- name: thread_delete_runs
DELETE FROM thread_checkpoint
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND run_id = ANY(%(run_ids)s::text[])
RETURNING thread_pk, ns, checkpoint_id;

-- name: thread_delete_writes
DELETE FROM thread_write w
USING unnest(%(threads)s::uuid[], %(spaces)s::text[], %(checkpoints)s::text[]) AS k (thread_pk, ns, checkpoint_id)
WHERE w.tenant_id = %(tenant_id)s AND w.scope_id = %(scope_id)s AND w.thread_pk = k.thread_pk AND w.ns = k.ns
  AND w.checkpoint_id = k.checkpoint_id;

-- name: thread_delete_values
-- Values that no checkpoint names any more.
DELETE FROM thread_value v
WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.thread_pk = ANY(%(threads)s::uuid[])
  AND (v.thread_pk, v.ns, v.channel, v.version) NOT IN (
    SELECT c.thread_pk, c.ns, n.key, n.value FROM thread_checkpoint c CROSS JOIN LATERAL jsonb_each_text(c.versions) n
    WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.thread_pk = ANY(%(threads)s::uuid[]));

-- name: thread_delete_pieces
-- Pieces of which no value is made any more.
DELETE FROM thread_piece p
WHERE p.tenant_id = %(tenant_id)s AND p.scope_id = %(scope_id)s AND p.thread_pk = ANY(%(threads)s::uuid[])
  AND (p.thread_pk, p.digest) NOT IN (
    SELECT h.thread_pk, substring(h.pieces FROM g.at FOR 32) FROM (
      SELECT c.thread_pk, c.pieces FROM thread_checkpoint c
      WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = %(scope_id)s AND c.thread_pk = ANY(%(threads)s::uuid[])
      UNION ALL
      SELECT v.thread_pk, v.pieces FROM thread_value v
      WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = %(scope_id)s AND v.thread_pk = ANY(%(threads)s::uuid[])
      UNION ALL
      SELECT w.thread_pk, w.pieces FROM thread_write w
      WHERE w.tenant_id = %(tenant_id)s AND w.scope_id = %(scope_id)s AND w.thread_pk = ANY(%(threads)s::uuid[])
    ) h CROSS JOIN LATERAL generate_series(1, octet_length(h.pieces), 32) AS g (at)
    WHERE h.pieces IS NOT NULL);

-- name: thread_recount
UPDATE thread t SET touched_at = %(now)s, bytes = (
  SELECT coalesce(sum(size), 0) FROM (
    SELECT coalesce(octet_length(c.data), 0) + octet_length(c.labels::text) AS size FROM thread_checkpoint c
    WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = t.scope_id AND c.thread_pk = t.thread_pk
    UNION ALL
    SELECT octet_length(v.data) FROM thread_value v
    WHERE v.tenant_id = %(tenant_id)s AND v.scope_id = t.scope_id AND v.thread_pk = t.thread_pk
    UNION ALL
    SELECT octet_length(w.data) FROM thread_write w
    WHERE w.tenant_id = %(tenant_id)s AND w.scope_id = t.scope_id AND w.thread_pk = t.thread_pk
    UNION ALL
    SELECT octet_length(p.data) FROM thread_piece p
    WHERE p.tenant_id = %(tenant_id)s AND p.scope_id = t.scope_id AND p.thread_pk = t.thread_pk) held)
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s AND t.thread_pk = ANY(%(threads)s::uuid[]);

-- name: thread_delete
DELETE FROM thread
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = ANY(%(threads)s::uuid[]);

-- name: thread_delete_empty
-- Of these, the ones that have no checkpoint any more.
DELETE FROM thread t
WHERE t.tenant_id = %(tenant_id)s AND t.scope_id = %(scope_id)s AND t.thread_pk = ANY(%(threads)s::uuid[])
  AND NOT EXISTS (SELECT FROM thread_checkpoint c
                  WHERE c.tenant_id = %(tenant_id)s AND c.scope_id = t.scope_id AND c.thread_pk = t.thread_pk);

-- name: thread_size
SELECT count(*) FROM thread_checkpoint
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = ANY(%(threads)s::uuid[]);

-- name: thread_empty
-- What tasks wrote before there was a checkpoint, and pieces that nothing is made of.
WITH written AS (
  DELETE FROM thread_write WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s
), given AS (
  DELETE FROM thread_value WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s
)
DELETE FROM thread_piece WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s;

-- name: thread_copy
-- Everything of one thread for another of the same scope; how many checkpoints that are.
WITH pieces AS (
  INSERT INTO thread_piece (tenant_id, scope_id, thread_pk, digest, data, recorded_at)
  SELECT tenant_id, scope_id, %(target)s, digest, data, %(now)s FROM thread_piece
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s
), given AS (
  INSERT INTO thread_value (tenant_id, scope_id, thread_pk, ns, channel, version, type, data, pieces, recorded_at)
  SELECT tenant_id, scope_id, %(target)s, ns, channel, version, type, data, pieces, %(now)s FROM thread_value
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s
), written AS (
  INSERT INTO thread_write (tenant_id, scope_id, thread_pk, ns, checkpoint_id, task_id, place, task_path, channel, type, data, pieces, recorded_at)
  SELECT tenant_id, scope_id, %(target)s, ns, checkpoint_id, task_id, place, task_path, channel, type, data, pieces, %(now)s FROM thread_write
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s
), saved AS (
  INSERT INTO thread_checkpoint (tenant_id, scope_id, thread_pk, ns, checkpoint_id, parent_id, type, data, pieces, versions, partial, labels,
                                 run_id, digest, recorded_at)
  SELECT tenant_id, scope_id, %(target)s, ns, checkpoint_id, parent_id, type, data, pieces, versions, partial, labels, run_id, digest, %(now)s
  FROM thread_checkpoint
  WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(thread_pk)s
  RETURNING 1
), counted AS (
  UPDATE thread SET bytes = %(bytes)s WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND thread_pk = %(target)s
)
SELECT count(*) FROM saved;

-- name: thread_due
-- How many threads are past their time that an operator has not let go.
SELECT count(*) FROM thread WHERE tenant_id = %(tenant_id)s AND touched_at <= %(since)s
  AND touched_at > %(since)s::timestamptz - (%(now)s::timestamptz - %(released)s::timestamptz);

-- name: expire_threads
DELETE FROM thread t
WHERE t.tenant_id = %(tenant_id)s AND t.touched_at <= %(since)s
  AND (t.scope_id, t.thread_pk) IN (
    SELECT o.scope_id, o.thread_pk FROM thread o
    WHERE o.tenant_id = %(tenant_id)s AND o.touched_at <= %(since)s
    ORDER BY o.touched_at LIMIT %(limit)s);
