-- Data sources by their names, and what was done on them.

-- name: source_define
INSERT INTO data_source (tenant_id, name, canonical, owner, defined_at, defined_by)
VALUES (%(tenant_id)s, %(name)s, %(canonical)s, %(owner)s::text, %(now)s, %(defined_by)s)
ON CONFLICT (tenant_id, name) DO UPDATE
SET canonical = excluded.canonical, owner = excluded.owner, defined_at = excluded.defined_at, defined_by = excluded.defined_by;

-- name: source_taken
-- Of these names those of another source; one that is a source by itself, with no other name, is free.
SELECT d.name FROM data_source d
WHERE d.tenant_id = %(tenant_id)s AND d.name = ANY(%(names)s::text[]) AND d.canonical <> %(canonical)s
  AND (d.name <> d.canonical OR EXISTS (
    SELECT FROM data_source o WHERE o.tenant_id = %(tenant_id)s AND o.canonical = d.canonical AND o.name <> d.name))
ORDER BY d.name;

-- name: source_unname
-- The names that a source had, and sources that are to be names of it.
DELETE FROM data_source
WHERE tenant_id = %(tenant_id)s AND name <> %(canonical)s AND (canonical = %(canonical)s OR name = ANY(%(names)s::text[]));

-- name: source_find
-- Every name of the source that has this one.
SELECT o.name, o.canonical, o.owner FROM data_source d
JOIN data_source o ON o.tenant_id = d.tenant_id AND o.canonical = d.canonical
WHERE d.tenant_id = %(tenant_id)s AND d.name = %(name)s
ORDER BY o.name COLLATE "C";

-- name: source_page
SELECT d.name, d.owner, d.defined_at,
       ARRAY(SELECT o.name::text FROM data_source o
             WHERE o.tenant_id = %(tenant_id)s AND o.canonical = d.name AND o.name <> d.name ORDER BY o.name COLLATE "C") AS aliases
FROM data_source d
WHERE d.tenant_id = %(tenant_id)s AND d.name = d.canonical AND (%(after)s::text IS NULL OR d.name > %(after)s::text)
ORDER BY d.name LIMIT %(limit)s;

-- name: plan_items
-- What is held on a data source in a scope, and what is held of no source of the kinds that then
-- hold everywhere; a kind with a grace is there till the end of it. Faults that bind (domain/binding.py)
-- are there whatever else is held and however sure. Of the rest each kind has a limit of its own,
-- for what is current and for what is not; ``alike`` is how many there are, however many are told.
-- One scope a statement, so that the plan has one partition and none is chosen row by row.
SELECT %(scope_id)s::uuid AS scope_id, h.id, m.kind, m.text, h.trust, h.confidence, h.is_durative, h.observed_at AS as_of, h.valid_to,
       h.expires_at, h.observers, h.binding, h.alike, c.by AS contested_by
FROM (
  SELECT g.*, count(*) OVER (PARTITION BY g.kind, g.binding, g.over) AS alike,
         row_number() OVER (PARTITION BY g.kind, g.binding, g.over ORDER BY g.observed_at DESC, g.id) AS place
  FROM (
    SELECT m.memory_id AS id, m.kind, v.*, o.observers, coalesce(v.expires_at <= %(now)s, false) AS over,
           m.kind = 'data_quality' AND (NOT %(org)s::boolean OR v.trust = ANY(%(at_once)s::trust_grade[])
             OR (v.trust = 'agent_inferred' AND o.observers >= %(enough)s::bigint)) AS binding
    FROM (
      SELECT x.memory_id, x.kind FROM memory x
      WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.kind = ANY(%(kinds)s::text[])
        AND x.data_source = ANY(%(names)s::text[])
      UNION ALL
      SELECT x.memory_id, x.kind FROM memory x
      WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.kind = ANY(%(everywhere)s::text[])
        AND x.data_source IS NULL) m
    CROSS JOIN LATERAL (
      SELECT x.trust, x.confidence, x.is_durative, x.observed_at, upper(x.valid) AS valid_to, x.expires_at FROM memory_version x
      WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.memory_id = m.memory_id
        AND x.recorded @> coalesce(%(known)s::timestamptz, 'infinity') AND x.standing = 'asserted' AND NOT x.archived
        AND x.valid @> %(at)s::timestamptz
        AND (x.expires_at IS NULL OR x.expires_at > %(now)s OR x.expires_at > coalesce(
          (SELECT %(now)s::timestamptz - g.span FROM unnest(%(graces)s::text[], %(spans)s::interval[]) AS g (kind, span)
           WHERE g.kind = m.kind), %(now)s::timestamptz))
      LIMIT 1) v
    CROSS JOIN LATERAL (
      SELECT CASE WHEN %(org)s::boolean AND m.kind = 'data_quality' AND v.trust IN ('agent_inferred', 'external_content')
               THEN observers(%(tenant_id)s, %(scope_id)s, m.memory_id, coalesce(%(known)s::timestamptz, 'infinity')) END AS observers
      OFFSET 0) o -- worked out once a row, not wherever it is named
  ) g
  WHERE g.binding OR g.confidence >= %(floor)s) h
CROSS JOIN LATERAL (
  SELECT x.kind, x.text FROM memory x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.memory_id = h.id LIMIT 1) m
CROSS JOIN LATERAL (
  SELECT array_agg(DISTINCT x.memory_id ORDER BY x.memory_id) AS by FROM contest x
  WHERE x.tenant_id = %(tenant_id)s AND x.scope_id = %(scope_id)s AND x.incumbent_id = h.id
    AND x.valid @> %(at)s::timestamptz AND x.recorded @> coalesce(%(known)s::timestamptz, 'infinity')
    AND (x.expires_at IS NULL OR x.expires_at > %(now)s)) c
WHERE h.binding OR h.place <= CASE WHEN h.kind = 'data_quality' THEN %(unconfirmed)s::bigint ELSE %(limit)s::bigint END;

-- name: analyses_on
-- The last analyses on a data source in a scope, and the last one that ran a whole battery.
SELECT DISTINCT ON (analysed_at, analysis_id) analysis_id, data_source, mode, fingerprint, battery, unknowns, answered, outcome, analysed_at
FROM (
  (SELECT * FROM analysis
   WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND data_source = ANY(%(names)s::text[])
     AND (expires_at IS NULL OR expires_at > %(now)s)
   ORDER BY analysed_at DESC, analysis_id DESC LIMIT %(limit)s)
  UNION ALL
  (SELECT * FROM analysis
   WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND data_source = ANY(%(names)s::text[])
     AND (expires_at IS NULL OR expires_at > %(now)s) AND mode <> 'revalidate' AND battery::text <> '[]'
   ORDER BY analysed_at DESC, analysis_id DESC LIMIT 1)) AS a
ORDER BY analysed_at DESC, analysis_id DESC;

-- name: analysis_insert
INSERT INTO analysis (tenant_id, scope_id, analysis_id, session_pk, data_source, mode, question, fingerprint, battery, unknowns,
                      answered, outcome, agent_id, key_id, analysed_at, recorded_at, size, category, retention_class, expires_at)
VALUES (%(tenant_id)s, %(scope_id)s, %(analysis_id)s, %(session_pk)s, %(data_source)s, %(mode)s, %(question)s::text,
        %(fingerprint)s::text, %(battery)s::json, %(unknowns)s::json, %(answered)s::json, %(outcome)s::text, %(agent_id)s::text,
        %(key_id)s, %(analysed_at)s, %(recorded_at)s, %(size)s, %(category)s, %(retention_class)s, %(expires_at)s);

-- name: confirmations_of
-- How often a memory was observed.
SELECT count(*) FROM memory_evidence r
WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = %(scope_id)s AND r.memory_id = %(memory_id)s AND NOT upper_inf(r.withdrawn);

-- name: fault_bound
-- The source of a fault that is the organisation's and was observed by enough to bind.
SELECT m.data_source FROM memory m
JOIN scope s ON s.tenant_id = m.tenant_id AND s.scope_id = m.scope_id
WHERE m.tenant_id = %(tenant_id)s AND m.scope_id = %(scope_id)s AND m.memory_id = %(memory_id)s AND m.kind = 'data_quality'
  AND s.user_pk IS NULL AND observers(%(tenant_id)s, %(scope_id)s, %(memory_id)s) >= %(enough)s::bigint;

-- name: decided_by
-- Whose key decided something.
SELECT k.principal FROM decision d
JOIN api_key k ON k.tenant_id = d.tenant_id AND k.key_id = d.key_id
WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s AND d.decision_id = %(decision_id)s;

-- name: gone_before
-- Whether somebody else said that a memory does not hold any more, since it was last observed, alone
-- or with what holds instead.
SELECT EXISTS (
  SELECT FROM decision d
  JOIN api_key k ON k.tenant_id = d.tenant_id AND k.key_id = d.key_id
  WHERE d.tenant_id = %(tenant_id)s AND d.scope_id = %(scope_id)s AND d.incumbent_id = %(memory_id)s AND d.rule = 'gone_once'
    AND k.principal <> %(principal)s
    AND NOT EXISTS (SELECT FROM decision u
                    WHERE u.tenant_id = %(tenant_id)s AND u.scope_id = d.scope_id AND u.undoes = d.decision_id)
    AND d.decided_at > (SELECT coalesce(max(r.recorded_at), '-infinity') FROM memory_evidence r
                        WHERE r.tenant_id = %(tenant_id)s AND r.scope_id = d.scope_id AND r.memory_id = %(memory_id)s));
