-- The schema of Muniment as it stands: the readable truth. A fresh database is built by the
-- migrations beside this file, and a test holds both equal. Run by a member of muniment_owner
-- with search_path = muniment, muniment_meta, public.
--
-- Every table of the schema muniment: tenant_id first in every key, forced row-level security,
-- and a comment "what | layer | retention class | owner" that the service checks at start.
-- Tables with a person's text or vectors are hash-partitioned by (tenant_id, scope_id), so that
-- rewriting one person's share is short; their text has no statistics and is never compressed.

CREATE PROCEDURE muniment_meta.make_partitions(parent text) LANGUAGE plpgsql AS $$
DECLARE
  ways int := (SELECT value::int FROM muniment_meta.setting WHERE name = 'partitions');
BEGIN
  FOR i IN 0 .. ways - 1 LOOP
    EXECUTE format('CREATE TABLE muniment.%I PARTITION OF muniment.%I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                   parent || '_p' || lpad(i::text, 2, '0'), parent, ways, i);
  END LOOP;
END $$;

-- Text and vectors leave no copies: no statistics (pg_statistic keeps samples), no compression
-- (an erasure is verified by looking for the bytes).
CREATE PROCEDURE muniment_meta.keep_no_copies(target text, VARIADIC columns text[]) LANGUAGE plpgsql AS $$
DECLARE
  col text;
BEGIN
  FOREACH col IN ARRAY columns LOOP
    EXECUTE format('ALTER TABLE muniment.%I ALTER COLUMN %I SET STATISTICS 0', target, col);
    EXECUTE format('ALTER TABLE muniment.%I ALTER COLUMN %I SET STORAGE EXTERNAL', target, col);
  END LOOP;
END $$;

-- Rows of one tenant alone, for whoever asks: forced, so for the owner too.
CREATE PROCEDURE muniment_meta.protect(target text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE muniment.%I ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE muniment.%I FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY of_tenant ON muniment.%I USING (tenant_id = nullif(current_setting(%L, true), %L)::uuid)',
                 target, 'muniment.tenant_id', '');
END $$;

CREATE DOMAIN identifier AS text CHECK (octet_length(VALUE) BETWEEN 1 AND 256);
CREATE DOMAIN trust_grade AS text
  CHECK (VALUE IN ('user_stated', 'operator', 'tool_verified', 'agent_inferred', 'external_content'));
CREATE DOMAIN data_category AS text CHECK (VALUE IN ('public', 'internal', 'personal', 'regulated'));

-- Tenants, keys, people, scopes ------------------------------------------------------------

CREATE TABLE tenant (
  tenant_id  uuid PRIMARY KEY,
  name       identifier NOT NULL,
  language   identifier NOT NULL DEFAULT 'english',
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE tenant IS 'One customer of this installation | layer: governance | retention: tenant | owner: operator';

CREATE TABLE api_key (
  tenant_id   uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  key_id      uuid NOT NULL,
  principal   identifier NOT NULL,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  verbs       text[] NOT NULL CHECK (cardinality(verbs) > 0),
  proposes    boolean NOT NULL GENERATED ALWAYS AS ('propose' = ANY(verbs) AND NOT 'write' = ANY(verbs)) STORED, -- what it writes waits
  layers      text[] NOT NULL,
  roles       text[] NOT NULL,
  gates       text[] NOT NULL DEFAULT '{}', -- what it may approve; * is everything
  user_id     identifier,
  created_at  timestamptz NOT NULL,
  created_by  uuid,
  expires_at  timestamptz,
  revoked_at  timestamptz,
  PRIMARY KEY (tenant_id, key_id),
  CHECK (expires_at > created_at)
);
CALL muniment_meta.keep_no_copies('api_key', 'principal', 'user_id');
COMMENT ON TABLE api_key IS 'API keys, hashed | layer: governance | retention: key | owner: admin';

-- What a tenant changes of the policy of the installation. `revision` counts every change, those of
-- its slots too: what a process knows of it counts while the revision is that one.
CREATE TABLE tenant_policy (
  tenant_id  uuid PRIMARY KEY REFERENCES tenant ON DELETE CASCADE,
  revision   bigint NOT NULL CHECK (revision > 0),
  version    bigint NOT NULL CHECK (version BETWEEN 0 AND revision), -- of the document
  document   jsonb NOT NULL CHECK (jsonb_typeof(document) = 'object'),
  changed_at timestamptz NOT NULL
);
COMMENT ON TABLE tenant_policy IS 'What a tenant changes of the policy | layer: governance | retention: tenant | owner: operator';

-- Whose vectors a tenant's texts are found by, and in which columns they are; and those of another
-- embedder that are being made beside them, or that are no longer used and being removed.
CREATE TABLE tenant_embedding (
  tenant_id  uuid PRIMARY KEY REFERENCES tenant ON DELETE CASCADE,
  embedder   text, -- none: the static table
  place      text NOT NULL CHECK (place IN ('emb', 'emb_a', 'emb_b')),
  since      bigint NOT NULL, -- the revision of the policy from which on it serves
  state      text NOT NULL CHECK (state IN ('settled', 'building', 'clearing')),
  other      text, -- the embedder whose vectors are made; none: the static table
  beside     text CHECK (beside IN ('emb', 'emb_a', 'emb_b')),
  done       bigint NOT NULL CHECK (done >= 0),
  changed_at timestamptz NOT NULL,
  changed_by uuid NOT NULL,
  CHECK ((embedder IS NULL) = (place = 'emb')),
  CHECK ((state = 'settled') = (beside IS NULL)),
  CHECK (beside <> place),
  CHECK (state <> 'building' OR (other IS NULL) = (beside = 'emb'))
);
COMMENT ON TABLE tenant_embedding IS 'Whose vectors a tenant has, and which are made beside them | layer: governance | retention: tenant | owner: operator';

CREATE TABLE tenant_slot (
  tenant_id  uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  name       identifier NOT NULL,
  definition jsonb CHECK (jsonb_typeof(definition) = 'object'), -- none hides the slot of the installation
  changed_at timestamptz NOT NULL,
  changed_by uuid NOT NULL,
  PRIMARY KEY (tenant_id, name)
);
COMMENT ON TABLE tenant_slot IS 'Slots that a tenant defines or hides | layer: governance | retention: tenant | owner: operator';

CREATE TABLE end_user (
  tenant_id    uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  user_pk      uuid NOT NULL,
  user_id      identifier NOT NULL,
  created_at   timestamptz NOT NULL,
  opted_out_at timestamptz,
  PRIMARY KEY (tenant_id, user_pk),
  UNIQUE (tenant_id, user_id)
);
CALL muniment_meta.keep_no_copies('end_user', 'user_id');
COMMENT ON TABLE end_user IS 'The people whom memories are about | layer: governance | retention: subject | owner: subject';

CREATE TABLE scope (
  tenant_id uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  scope_id  uuid NOT NULL,
  level     text NOT NULL CHECK (level IN ('user', 'org')),
  user_pk   uuid,
  namespace identifier NOT NULL,
  PRIMARY KEY (tenant_id, scope_id),
  UNIQUE NULLS NOT DISTINCT (tenant_id, user_pk, namespace),
  FOREIGN KEY (tenant_id, user_pk) REFERENCES end_user ON DELETE CASCADE,
  CHECK ((level = 'user') = (user_pk IS NOT NULL))
);
CALL muniment_meta.keep_no_copies('scope', 'namespace');
COMMENT ON TABLE scope IS 'Surrogate for (tenant, user or org, namespace) | layer: governance | retention: subject | owner: subject';

-- Locked and bumped first by every write into the scope: serialises reconciliation, gives
-- recorded_at = max(clock, watermark + 1 microsecond), and tells caches what they miss.
-- A cache older than `rebuilt` cannot catch up by reading newer rows: rows have gone.
CREATE TABLE scope_state (
  tenant_id uuid NOT NULL,
  scope_id  uuid NOT NULL,
  version   bigint NOT NULL DEFAULT 0 CHECK (version >= rebuilt),
  rebuilt   bigint NOT NULL DEFAULT 0,
  watermark timestamptz NOT NULL DEFAULT 'epoch',
  curated_at timestamptz NOT NULL DEFAULT 'epoch', -- the watermark that the curator last saw
  gathered_at timestamptz NOT NULL DEFAULT 'epoch', -- the same of the duty that makes one of many
  summed_to  timestamptz NOT NULL DEFAULT 'epoch', -- turns recorded by then were summed up
  chunks     bigint NOT NULL DEFAULT 0, -- of shared knowledge; a recall looks for none where there are none
  -- What the scope stores, for quotas; counted where the lock is held anyway.
  items     bigint NOT NULL DEFAULT 0,
  bytes     bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, scope_id),
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE
) WITH (fillfactor = 50);
COMMENT ON TABLE scope_state IS 'Version and watermark of a scope | layer: governance | retention: subject | owner: subject';

-- Sessions, events, episodes, working memory ------------------------------------------------

CREATE TABLE session (
  tenant_id     uuid NOT NULL,
  scope_id      uuid NOT NULL,
  session_pk    uuid NOT NULL,
  session_id    identifier NOT NULL,
  use_case      text NOT NULL DEFAULT 'low' CHECK (use_case IN ('low', 'medium', 'high')),
  no_store      boolean NOT NULL DEFAULT false,
  opened_at     timestamptz NOT NULL,
  last_event_at timestamptz NOT NULL,
  dirty_since   timestamptz,
  closed_at     timestamptz,
  outcome       text CHECK (outcome IN ('success', 'failure', 'partial', 'abandoned')),
  -- Up to where candidates were drawn from it: moments of the scope's record.
  extracted_at   timestamptz,
  transcribed_at timestamptz,
  erased_turns   int4multirange NOT NULL DEFAULT '{}', -- not to be written again
  run_id         uuid, -- the run that it tells of: nothing else is written into it
  PRIMARY KEY (tenant_id, scope_id, session_pk),
  UNIQUE (tenant_id, scope_id, session_id),
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE session IS 'A conversation | layer: episodic | retention: session | owner: subject';
CALL muniment_meta.make_partitions('session');
CALL muniment_meta.keep_no_copies('session', 'session_id');
CREATE INDEX session_idle ON session (tenant_id, last_event_at) WHERE closed_at IS NULL;
CREATE INDEX session_dirty ON session (tenant_id, dirty_since) WHERE dirty_since IS NOT NULL;
CREATE INDEX session_run ON session (tenant_id, scope_id, run_id) WHERE run_id IS NOT NULL;

CREATE TABLE event (
  tenant_id       uuid NOT NULL,
  scope_id        uuid NOT NULL,
  event_id        uuid NOT NULL,
  session_pk      uuid NOT NULL,
  turn            integer NOT NULL CHECK (turn >= 0),
  role            text NOT NULL CHECK (role IN ('user', 'assistant', 'tool', 'external')),
  name            identifier,
  content         text NOT NULL CHECK (octet_length(content) <= 65536),
  fingerprint     bytea NOT NULL,
  occurred_at     timestamptz NOT NULL,
  occurred_text   text, -- as written, where it said more than the instant: an offset
  recorded_at     timestamptz NOT NULL,
  sentences       text[] NOT NULL, -- digests, by which a repetition is known
  data_source     identifier,
  tool            identifier,
  agent_id        identifier,
  metadata        jsonb NOT NULL CHECK (jsonb_typeof(metadata) = 'object'),
  redacted        text[] NOT NULL DEFAULT '{}', -- kinds of secrets that were in it
  trust           trust_grade NOT NULL,
  kept            boolean NOT NULL,
  reason          text NOT NULL,
  rule            text NOT NULL,
  importance      smallint NOT NULL CHECK (importance BETWEEN 1 AND 10),
  standing        text NOT NULL CHECK (standing IN ('asserted', 'quarantined', 'dropped')),
  written_by      uuid NOT NULL, -- the key, which does not decide on it
  category        data_category NOT NULL,
  retention_class text NOT NULL,
  expires_at      timestamptz,
  salt            uuid NOT NULL DEFAULT gen_random_uuid(), -- of its digests in the audit trail; goes with the row
  PRIMARY KEY (tenant_id, scope_id, event_id),
  UNIQUE (tenant_id, scope_id, session_pk, turn),
  FOREIGN KEY (tenant_id, scope_id, session_pk) REFERENCES session ON DELETE CASCADE,
  CHECK (kept = (standing <> 'dropped'))
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE event IS 'Turns as they were written, with the verdict of the gate | layer: episodic | retention: episode | owner: subject';
CALL muniment_meta.make_partitions('event');
CALL muniment_meta.keep_no_copies('event', 'name', 'content', 'sentences', 'data_source', 'tool', 'agent_id', 'metadata', 'redacted');
CREATE INDEX event_by_id ON event (tenant_id, event_id);
CREATE INDEX event_waiting ON event (tenant_id, event_id) WHERE standing = 'quarantined';
CREATE INDEX event_expiry ON event (tenant_id, expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE episode (
  tenant_id       uuid NOT NULL,
  scope_id        uuid NOT NULL,
  episode_id      uuid NOT NULL,
  session_pk      uuid NOT NULL,
  text            text NOT NULL,
  outcome         text,
  started_at      timestamptz NOT NULL,
  ended_at        timestamptz NOT NULL CHECK (ended_at >= started_at),
  through_turn    integer NOT NULL,
  recorded        tstzrange NOT NULL CHECK (NOT isempty(recorded)),
  trust           trust_grade NOT NULL,
  importance      smallint NOT NULL CHECK (importance BETWEEN 1 AND 10),
  archived        boolean NOT NULL DEFAULT false,
  category        data_category NOT NULL,
  retention_class text NOT NULL,
  expires_at      timestamptz,
  knowledge       jsonb CHECK (jsonb_typeof(knowledge) = 'array'), -- of a run: the versions of documents that it recalled
  salt            uuid NOT NULL DEFAULT gen_random_uuid(), -- of its digests in the audit trail; goes with the row
  PRIMARY KEY (tenant_id, scope_id, episode_id),
  FOREIGN KEY (tenant_id, scope_id, session_pk) REFERENCES session ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE episode IS 'Summaries of sessions, one current for each | layer: episodic | retention: episode | owner: subject';
CALL muniment_meta.make_partitions('episode');
CALL muniment_meta.keep_no_copies('episode', 'text', 'knowledge');
CREATE UNIQUE INDEX episode_current ON episode (tenant_id, scope_id, session_pk) WHERE upper_inf(recorded);
CREATE INDEX episode_by_id ON episode (tenant_id, episode_id);
CREATE INDEX episode_session ON episode (tenant_id, scope_id, session_pk);
CREATE INDEX episode_expiry ON episode (tenant_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX episode_fading ON episode (tenant_id, importance, ended_at) WHERE upper_inf(recorded) AND NOT archived;

CREATE TABLE episode_source (
  tenant_id  uuid NOT NULL,
  scope_id   uuid NOT NULL,
  episode_id uuid NOT NULL,
  event_id   uuid NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, episode_id, event_id),
  FOREIGN KEY (tenant_id, scope_id, episode_id) REFERENCES episode ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, event_id) REFERENCES event ON DELETE CASCADE
);
COMMENT ON TABLE episode_source IS 'The turns that a summary quotes | layer: episodic | retention: episode | owner: subject';
CREATE INDEX episode_source_event ON episode_source (tenant_id, scope_id, event_id);

CREATE TABLE extraction (
  tenant_id  uuid NOT NULL,
  scope_id   uuid NOT NULL,
  session_pk uuid NOT NULL,
  digest     bytea NOT NULL CHECK (octet_length(digest) = 32),
  cited      uuid[] NOT NULL, -- the turns, while they are there
  outcome    text NOT NULL CHECK (outcome IN ('inserted', 'reinforced', 'superseded', 'contested', 'quarantined', 'rejected', 'retracted')),
  rule       text NOT NULL,
  decided_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, session_pk, digest),
  FOREIGN KEY (tenant_id, scope_id, session_pk) REFERENCES session ON DELETE CASCADE
);
COMMENT ON TABLE extraction IS 'Candidates of a session that were decided on, by digest | layer: episodic | retention: derived | owner: subject';
CALL muniment_meta.keep_no_copies('extraction', 'digest');

CREATE TABLE working_item (
  tenant_id  uuid NOT NULL,
  scope_id   uuid NOT NULL,
  session_pk uuid NOT NULL,
  key        identifier NOT NULL,
  value      json NOT NULL,
  version    bigint NOT NULL CHECK (version > 0),
  updated_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, session_pk, key),
  FOREIGN KEY (tenant_id, scope_id, session_pk) REFERENCES session ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE working_item IS 'Scratch state of a session, by key | layer: working | retention: working | owner: agent';
CALL muniment_meta.make_partitions('working_item');
CALL muniment_meta.keep_no_copies('working_item', 'key', 'value');
CREATE INDEX working_item_expiry ON working_item (tenant_id, expires_at);

-- Runs: what an agent has decided and done so far, exactly ----------------------------------

CREATE TABLE run (
  tenant_id        uuid NOT NULL,
  scope_id         uuid NOT NULL,
  run_id           uuid NOT NULL,
  agent_id         identifier NOT NULL,
  first_stage      identifier, -- where it began
  stage            identifier,
  machine          identifier,
  machine_version  integer,
  step             integer NOT NULL DEFAULT 0 CHECK (step >= 0), -- of the last checkpoint
  step_ceiling     integer CHECK (step_ceiling > 0),
  cost             numeric(18, 6) NOT NULL DEFAULT 0 CHECK (cost >= 0),
  cost_ceiling     numeric(18, 6) CHECK (cost_ceiling >= 0),
  -- Who holds the lease writes with its fence; each that takes it over gets the next one.
  fence            bigint NOT NULL DEFAULT 1 CHECK (fence > 0),
  lease_seconds    integer NOT NULL CHECK (lease_seconds > 0),
  lease_expires_at timestamptz NOT NULL,
  strict           boolean NOT NULL DEFAULT false, -- no checkpoint on stale inputs
  opened_by        uuid NOT NULL,
  opened_at        timestamptz NOT NULL,
  resumed          integer NOT NULL DEFAULT 0, -- how often it went on after an interruption
  bytes            bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0), -- what it stores, for quotas
  closed_at        timestamptz,
  outcome          text CHECK (outcome IN ('success', 'failure', 'partial', 'abandoned')),
  correction       text,
  told             boolean NOT NULL DEFAULT false, -- its episode was written, or must not be: it is not made anew
  salt             uuid NOT NULL DEFAULT gen_random_uuid(), -- of digests of all that belongs to it in the audit trail
  PRIMARY KEY (tenant_id, scope_id, run_id),
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE,
  CHECK ((closed_at IS NULL) = (outcome IS NULL)),
  CHECK ((machine IS NULL) = (machine_version IS NULL))
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE run IS 'A run of an agent, its lease and its budget | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('run');
CALL muniment_meta.keep_no_copies('run', 'agent_id', 'first_stage', 'stage', 'correction');
CREATE INDEX run_by_id ON run (tenant_id, run_id);
CREATE INDEX run_closed ON run (tenant_id, closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX run_resumed ON run (tenant_id, run_id) WHERE resumed > 0;

CREATE TABLE run_checkpoint (
  tenant_id   uuid NOT NULL,
  scope_id    uuid NOT NULL,
  run_id      uuid NOT NULL,
  step        integer NOT NULL CHECK (step > 0),
  stage       identifier,
  questions   json NOT NULL, -- what was open then
  cost        numeric(18, 6) NOT NULL, -- of the run by then
  stale       json NOT NULL, -- inputs that were stale then
  digest      bytea NOT NULL CHECK (octet_length(digest) = 32), -- of what was sent: the same again is the same
  fence       bigint NOT NULL,
  key_id      uuid NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, run_id, step),
  FOREIGN KEY (tenant_id, scope_id, run_id) REFERENCES run ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE run_checkpoint IS 'The state of a run after a step | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('run_checkpoint');
CALL muniment_meta.keep_no_copies('run_checkpoint', 'stage', 'questions', 'stale', 'digest');

CREATE TABLE run_fact (
  tenant_id   uuid NOT NULL,
  scope_id    uuid NOT NULL,
  run_id      uuid NOT NULL,
  fact_id     uuid NOT NULL,
  step        integer NOT NULL,
  place       integer NOT NULL CHECK (place >= 0), -- in its checkpoint
  key         identifier NOT NULL,
  value       json NOT NULL,
  source      text NOT NULL,
  valid_from  timestamptz NOT NULL,
  supersedes  uuid,
  superseded_from timestamptz NOT NULL DEFAULT 'infinity', -- from when what supersedes it holds
  PRIMARY KEY (tenant_id, scope_id, run_id, fact_id),
  UNIQUE (tenant_id, scope_id, run_id, supersedes), -- one pointer to each
  FOREIGN KEY (tenant_id, scope_id, run_id, step) REFERENCES run_checkpoint ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, run_id, supersedes) REFERENCES run_fact ON DELETE CASCADE,
  CHECK (supersedes <> fact_id)
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE run_fact IS 'Facts that a run committed to, with what they supersede | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('run_fact');
CALL muniment_meta.keep_no_copies('run_fact', 'key', 'value', 'source');
CREATE INDEX run_fact_step ON run_fact (tenant_id, scope_id, run_id, step);
CREATE INDEX run_fact_in_force ON run_fact (tenant_id, scope_id, run_id, superseded_from);

CREATE TABLE tool (
  tenant_id      uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  name           identifier NOT NULL,
  effect         text NOT NULL CHECK (effect IN ('read', 'write')),
  idempotent     boolean NOT NULL,
  trust          trust_grade NOT NULL CHECK (trust IN ('tool_verified', 'external_content')),
  dedupe_seconds integer CHECK (dedupe_seconds > 0), -- across runs of one scope
  gate           identifier, -- whose approval a call needs
  defined_at     timestamptz NOT NULL,
  defined_by     uuid NOT NULL,
  PRIMARY KEY (tenant_id, name)
);
COMMENT ON TABLE tool IS 'Tools that agents may call, and what they do | layer: governance | retention: tenant | owner: operator';

CREATE TABLE tool_call (
  tenant_id     uuid NOT NULL,
  scope_id      uuid NOT NULL,
  run_id        uuid NOT NULL,
  tool          identifier NOT NULL,
  key           identifier NOT NULL,
  arguments     json NOT NULL,
  digest        bytea NOT NULL CHECK (octet_length(digest) = 32), -- of the arguments
  effect        text NOT NULL CHECK (effect IN ('read', 'write')), -- as the tool was when it was first claimed
  idempotent    boolean NOT NULL,
  state         text NOT NULL CHECK (state IN ('claimed', 'succeeded', 'failed', 'in_doubt', 'settled')),
  attempt       integer NOT NULL CHECK (attempt > 0),
  fence         bigint NOT NULL, -- of who claimed it last
  step          integer NOT NULL CHECK (step > 0),
  claimed_at    timestamptz NOT NULL,
  recorded_at   timestamptz,
  result        bytea CHECK (octet_length(result) <= 1048576),
  result_digest bytea CHECK (octet_length(result_digest) = 32),
  happened      boolean, -- as it was settled
  reason        text,
  settled_by    uuid,
  PRIMARY KEY (tenant_id, scope_id, run_id, tool, key),
  FOREIGN KEY (tenant_id, scope_id, run_id) REFERENCES run ON DELETE CASCADE,
  CHECK ((state = 'settled') = (happened IS NOT NULL AND settled_by IS NOT NULL))
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE tool_call IS 'Calls of tools by idempotency key, with their results | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('tool_call');
CALL muniment_meta.keep_no_copies('tool_call', 'tool', 'key', 'arguments', 'digest', 'effect', 'state', 'result', 'result_digest', 'reason');
CREATE INDEX tool_call_order ON tool_call (tenant_id, scope_id, run_id, claimed_at);
CREATE INDEX tool_call_open ON tool_call (tenant_id, scope_id, run_id) WHERE state IN ('claimed', 'in_doubt');
CREATE INDEX tool_call_key ON tool_call (tenant_id, scope_id, tool, key, claimed_at);

-- Stages and the moves between them, as an operator defined them; a run keeps the version that it began with.
CREATE TABLE machine (
  tenant_id   uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  name        identifier NOT NULL,
  version     integer NOT NULL CHECK (version > 0),
  initial     identifier NOT NULL,
  transitions jsonb NOT NULL CHECK (jsonb_typeof(transitions) = 'array'),
  defined_at  timestamptz NOT NULL,
  defined_by  uuid NOT NULL,
  PRIMARY KEY (tenant_id, name, version)
);
COMMENT ON TABLE machine IS 'State machines of runs, by version | layer: governance | retention: tenant | owner: operator';

CREATE TABLE approval (
  tenant_id    uuid NOT NULL,
  scope_id     uuid NOT NULL,
  run_id       uuid NOT NULL,
  approval_id  uuid NOT NULL,
  action       identifier NOT NULL,
  amount       numeric(18, 6) CHECK (amount >= 0),
  gate         identifier NOT NULL,
  asked        json NOT NULL,
  reason       text,
  step         integer NOT NULL CHECK (step > 0), -- the one under way when it was asked for
  requested_by uuid NOT NULL,
  requested_at timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL CHECK (expires_at > requested_at),
  decision     text CHECK (decision IN ('approve', 'reject')),
  granted      json,
  note         text,
  decided_by   uuid,
  decided_at   timestamptz,
  used_for     text, -- the call or the move, once
  PRIMARY KEY (tenant_id, scope_id, run_id, approval_id),
  FOREIGN KEY (tenant_id, scope_id, run_id) REFERENCES run ON DELETE CASCADE,
  CHECK (num_nonnulls(decision, decided_by, decided_at) IN (0, 3)),
  CHECK ((granted IS NOT NULL) = (decision IS NOT DISTINCT FROM 'approve')),
  CHECK (decided_by <> requested_by)
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE approval IS 'What a run asked a person for, and what was decided | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('approval');
CALL muniment_meta.keep_no_copies('approval', 'action', 'gate', 'asked', 'reason', 'granted', 'note', 'used_for');
CREATE INDEX approval_by_id ON approval (tenant_id, approval_id);
CREATE INDEX approval_open ON approval (tenant_id, approval_id) WHERE decision IS NULL;

CREATE TABLE run_transition (
  tenant_id   uuid NOT NULL,
  scope_id    uuid NOT NULL,
  run_id      uuid NOT NULL,
  place       integer NOT NULL CHECK (place > 0),
  from_stage  identifier NOT NULL,
  to_stage    identifier NOT NULL,
  step        integer NOT NULL, -- after which checkpoint
  approval_id uuid,
  key_id      uuid NOT NULL,
  moved_at    timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, run_id, place),
  FOREIGN KEY (tenant_id, scope_id, run_id) REFERENCES run ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE run_transition IS 'The moves of a run between stages | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('run_transition');
CALL muniment_meta.keep_no_copies('run_transition', 'from_stage', 'to_stage');

-- What a run recalled, by the ids alone: the item may be another's, and may be gone. The same question
-- asked again takes the place of what it answered before.
CREATE TABLE run_input (
  tenant_id       uuid NOT NULL,
  scope_id        uuid NOT NULL,
  run_id          uuid NOT NULL,
  question        text NOT NULL, -- a digest
  item_id         uuid NOT NULL,
  item_scope_id   uuid NOT NULL, -- where the item is
  tier            text NOT NULL CHECK (tier IN ('episodic', 'semantic', 'knowledge')),
  step            integer NOT NULL, -- the one under way
  recalled_at     timestamptz NOT NULL,
  seen_at         timestamptz NOT NULL, -- the moment of the record of its scope by which it held
  as_of           timestamptz, -- what was asked, where it was not the present
  known_at        timestamptz,
  expires_at      timestamptz,
  until           timestamptz, -- when it ends by itself
  acknowledged    text, -- what the run knows of it
  acknowledged_at timestamptz,
  PRIMARY KEY (tenant_id, scope_id, run_id, question, item_id),
  FOREIGN KEY (tenant_id, scope_id, run_id) REFERENCES run ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE run_input IS 'What a run recalled, by ids | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('run_input');
CALL muniment_meta.keep_no_copies('run_input', 'question', 'acknowledged');

-- The types of artifacts: JSON Schema, as an operator registered it.
CREATE TABLE artifact_schema (
  tenant_id     uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  name          identifier NOT NULL,
  version       integer NOT NULL CHECK (version > 0),
  schema        json NOT NULL,
  registered_at timestamptz NOT NULL,
  registered_by uuid NOT NULL,
  PRIMARY KEY (tenant_id, name, version)
);
COMMENT ON TABLE artifact_schema IS 'Types of artifacts, by version | layer: governance | retention: tenant | owner: operator';

CREATE TABLE artifact (
  tenant_id      uuid NOT NULL,
  scope_id       uuid NOT NULL,
  run_id         uuid NOT NULL,
  name           identifier NOT NULL,
  version        integer NOT NULL CHECK (version > 0),
  last           boolean NOT NULL, -- whether no other version follows
  schema         identifier NOT NULL,
  schema_version integer NOT NULL,
  value          json NOT NULL,
  digest         bytea NOT NULL CHECK (octet_length(digest) = 32), -- of the value and its type
  step           integer NOT NULL, -- after which checkpoint
  agent_id       identifier,
  key_id         uuid NOT NULL,
  put_at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, run_id, name, version),
  FOREIGN KEY (tenant_id, scope_id, run_id) REFERENCES run ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE artifact IS 'Versions of the artifacts of a run | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('artifact');
CALL muniment_meta.keep_no_copies('artifact', 'name', 'schema', 'value', 'digest', 'agent_id');
CREATE INDEX artifact_last ON artifact (tenant_id, scope_id, run_id, name) WHERE last;

-- Threads: the states of a graph that an agent saves, as opaque values, and what its tasks wrote --

-- Names are compared byte by byte, which is the order that their makers count on.
CREATE TABLE thread (
  tenant_id  uuid NOT NULL,
  scope_id   uuid NOT NULL,
  thread_pk  uuid NOT NULL,
  thread_id  identifier COLLATE "C" NOT NULL,
  bytes      bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0), -- what it stores, for quotas
  created_at timestamptz NOT NULL,
  touched_at timestamptz NOT NULL, -- when it was last written to: its time counts from then
  salt       uuid NOT NULL DEFAULT gen_random_uuid(), -- of digests of all that belongs to it in the audit trail
  PRIMARY KEY (tenant_id, scope_id, thread_pk),
  UNIQUE (tenant_id, scope_id, thread_id),
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE thread IS 'A thread of a graph, by the name that its application gave | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('thread');
CALL muniment_meta.keep_no_copies('thread', 'thread_id');
CREATE INDEX thread_touched ON thread (tenant_id, touched_at);

-- A value is here (data), or cut into pieces: their digests, one after another.
CREATE TABLE thread_checkpoint (
  tenant_id     uuid NOT NULL,
  scope_id      uuid NOT NULL,
  thread_pk     uuid NOT NULL,
  ns            text COLLATE "C" NOT NULL CHECK (octet_length(ns) <= 1024), -- of a graph within the graph
  checkpoint_id identifier COLLATE "C" NOT NULL,
  parent_id     identifier COLLATE "C",
  type          identifier NOT NULL,
  data          bytea CHECK (octet_length(data) <= 65536),
  pieces        bytea CHECK (octet_length(pieces) > 0 AND octet_length(pieces) % 32 = 0),
  versions      jsonb NOT NULL CHECK (jsonb_typeof(versions) = 'object'), -- of its channels
  partial       text[] NOT NULL, -- channels that may have to be made of what tasks wrote
  labels        jsonb NOT NULL CHECK (jsonb_typeof(labels) = 'object'), -- what it is filtered by
  run_id        text,
  digest        bytea NOT NULL CHECK (octet_length(digest) = 32), -- of what was sent: the same again is the same
  recorded_at      timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, thread_pk, ns, checkpoint_id),
  FOREIGN KEY (tenant_id, scope_id, thread_pk) REFERENCES thread ON DELETE CASCADE,
  CHECK (num_nonnulls(data, pieces) = 1)
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE thread_checkpoint IS 'States that a thread was in | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('thread_checkpoint');
CALL muniment_meta.keep_no_copies('thread_checkpoint', 'ns', 'checkpoint_id', 'parent_id', 'type', 'data', 'pieces', 'versions', 'partial', 'labels', 'run_id', 'digest');
CREATE INDEX thread_checkpoint_run ON thread_checkpoint (tenant_id, scope_id, run_id) WHERE run_id IS NOT NULL;

-- The last checkpoints of a graph of a thread below a name, the latest first. The planner knows nothing of
-- the names of graphs, takes the checkpoints of one for few, and would sort them all.
CREATE FUNCTION last_checkpoints(tenant uuid, scope uuid, thread uuid, space text, below text, most bigint) RETURNS SETOF text
LANGUAGE plpgsql STABLE ROWS 10
SET search_path = muniment, pg_temp SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
  RETURN QUERY SELECT c.checkpoint_id::text FROM thread_checkpoint c
    WHERE c.tenant_id = tenant AND c.scope_id = scope AND c.thread_pk = thread AND c.ns = space
      AND (below IS NULL OR c.checkpoint_id < below)
    ORDER BY c.checkpoint_id DESC LIMIT most;
END $$;

-- The value of a channel, once for each version of it.
CREATE TABLE thread_value (
  tenant_id uuid NOT NULL,
  scope_id  uuid NOT NULL,
  thread_pk uuid NOT NULL,
  ns        text COLLATE "C" NOT NULL CHECK (octet_length(ns) <= 1024),
  channel   identifier COLLATE "C" NOT NULL,
  version   identifier COLLATE "C" NOT NULL,
  type      identifier NOT NULL,
  data      bytea CHECK (octet_length(data) <= 65536),
  pieces    bytea CHECK (octet_length(pieces) > 0 AND octet_length(pieces) % 32 = 0),
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, thread_pk, ns, channel, version),
  FOREIGN KEY (tenant_id, scope_id, thread_pk) REFERENCES thread ON DELETE CASCADE,
  CHECK (num_nonnulls(data, pieces) = 1)
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE thread_value IS 'Values of the channels of a thread, by version | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('thread_value');
CALL muniment_meta.keep_no_copies('thread_value', 'ns', 'channel', 'version', 'type', 'data', 'pieces');

-- What a task wrote on top of a checkpoint, which may come after it.
CREATE TABLE thread_write (
  tenant_id     uuid NOT NULL,
  scope_id      uuid NOT NULL,
  thread_pk     uuid NOT NULL,
  ns            text COLLATE "C" NOT NULL CHECK (octet_length(ns) <= 1024),
  checkpoint_id identifier COLLATE "C" NOT NULL,
  task_id       identifier COLLATE "C" NOT NULL,
  place         integer NOT NULL, -- among the writes of the task; below 0: the last of its kind counts
  task_path     text COLLATE "C" NOT NULL CHECK (octet_length(task_path) <= 1024),
  channel       identifier COLLATE "C" NOT NULL,
  type          identifier NOT NULL,
  data          bytea CHECK (octet_length(data) <= 65536),
  pieces        bytea CHECK (octet_length(pieces) > 0 AND octet_length(pieces) % 32 = 0),
  recorded_at      timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, thread_pk, ns, checkpoint_id, task_id, place),
  FOREIGN KEY (tenant_id, scope_id, thread_pk) REFERENCES thread ON DELETE CASCADE,
  CHECK (num_nonnulls(data, pieces) = 1)
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE thread_write IS 'What tasks of a thread wrote since a checkpoint | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('thread_write');
CALL muniment_meta.keep_no_copies('thread_write', 'ns', 'checkpoint_id', 'task_id', 'task_path', 'channel', 'type', 'data', 'pieces');

-- Pieces of values that are too large for a row, each once, by SHA-256.
CREATE TABLE thread_piece (
  tenant_id uuid NOT NULL,
  scope_id  uuid NOT NULL,
  thread_pk uuid NOT NULL,
  digest    bytea NOT NULL CHECK (octet_length(digest) = 32),
  data      bytea NOT NULL CHECK (octet_length(data) BETWEEN 1 AND 524288),
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, thread_pk, digest),
  FOREIGN KEY (tenant_id, scope_id, thread_pk) REFERENCES thread ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE thread_piece IS 'Pieces of large values of a thread | layer: run | retention: run | owner: agent';
CALL muniment_meta.make_partitions('thread_piece');
CALL muniment_meta.keep_no_copies('thread_piece', 'digest', 'data');

-- Analyses: what was run on a data source, and what stayed open ----------------------------

-- Names of data sources that an operator defined: each is its own name or another one of that.
CREATE TABLE data_source (
  tenant_id  uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  name       identifier NOT NULL,
  canonical  identifier NOT NULL,
  owner      identifier, -- the principal who answers for it
  defined_at timestamptz NOT NULL,
  defined_by uuid NOT NULL,
  PRIMARY KEY (tenant_id, name),
  FOREIGN KEY (tenant_id, canonical) REFERENCES data_source ON DELETE CASCADE,
  CHECK (owner IS NULL OR name = canonical)
);
COMMENT ON TABLE data_source IS 'Data sources by any of their names | layer: governance | retention: tenant | owner: operator';
CREATE INDEX data_source_canonical ON data_source (tenant_id, canonical);

CREATE TABLE analysis (
  tenant_id       uuid NOT NULL,
  scope_id        uuid NOT NULL,
  analysis_id     uuid NOT NULL,
  session_pk      uuid NOT NULL,
  data_source     identifier NOT NULL,
  mode            text NOT NULL CHECK (mode IN ('fresh', 'extend', 'revalidate', 're-run')),
  question        text,
  fingerprint     identifier, -- of the data as it was
  battery         json NOT NULL, -- steps that ran, with their parameters
  unknowns        json NOT NULL, -- what stayed open
  answered        json NOT NULL, -- what had been open
  outcome         text CHECK (outcome IN ('confirmed', 'invalidated', 'inconclusive')), -- of a revalidation
  agent_id        identifier,
  key_id          uuid NOT NULL,
  analysed_at     timestamptz NOT NULL,
  recorded_at     timestamptz NOT NULL,
  size            integer NOT NULL CHECK (size >= 0), -- bytes, for quotas
  category        data_category NOT NULL,
  retention_class text NOT NULL,
  expires_at      timestamptz,
  PRIMARY KEY (tenant_id, scope_id, analysis_id),
  FOREIGN KEY (tenant_id, scope_id, session_pk) REFERENCES session ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE analysis IS 'What was run on a data source, and what stayed open | layer: semantic | retention: analysis | owner: subject';
CALL muniment_meta.make_partitions('analysis');
CALL muniment_meta.keep_no_copies('analysis', 'data_source', 'question', 'fingerprint', 'battery', 'unknowns', 'answered', 'agent_id');
CREATE INDEX analysis_session ON analysis (tenant_id, scope_id, session_pk);
CREATE INDEX analysis_source ON analysis (tenant_id, scope_id, data_source, analysed_at);
CREATE INDEX analysis_expiry ON analysis (tenant_id, expires_at) WHERE expires_at IS NOT NULL;

-- The application's own items ---------------------------------------------------------------

-- What the application keeps for itself under a path and a key. It is no memory: nothing is drawn from
-- it, and no recall returns it. `fields` are the places of its value by whose texts it is found (none
-- given: as a whole), a vector for each text. A new value takes the place of the row, so that a hold
-- keeps the one before.
CREATE TABLE store_item (
  tenant_id  uuid NOT NULL,
  scope_id   uuid NOT NULL,
  path       text[] COLLATE "C" NOT NULL CHECK (cardinality(path) BETWEEN 1 AND 16) CHECK (array_position(path, NULL) IS NULL),
  key        text COLLATE "C" NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 256),
  item_id    uuid NOT NULL, -- the same through its values
  value      json NOT NULL CHECK (json_typeof(value) = 'object'),
  fields     text[],
  vectors    halfvec[], -- where the tenant has those of the table
  vectors_a  halfvec[],
  vectors_b  halfvec[],
  size       integer NOT NULL CHECK (size >= 0), -- bytes, for quotas
  ttl        double precision CHECK (ttl > 0), -- seconds from the last write or read on
  key_id     uuid NOT NULL, -- who put it
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz CHECK ((expires_at IS NULL) = (ttl IS NULL)),
  PRIMARY KEY (tenant_id, scope_id, key, path), -- the key first: row security lets no array into an index
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE store_item IS 'The application''s own items, by path and key | layer: semantic | retention: store | owner: agent';
CALL muniment_meta.make_partitions('store_item');
CALL muniment_meta.keep_no_copies('store_item', 'path', 'key', 'value', 'fields', 'vectors', 'vectors_a', 'vectors_b');
CREATE INDEX store_item_expiry ON store_item (tenant_id, expires_at) WHERE expires_at IS NOT NULL;

-- Files: texts that an agent keeps for itself --------------------------------------------------

-- A version of a file, under a path in the scope. The one that has not ended is what the file says;
-- a file that was deleted or moved away has none. Directories are what paths have in common.
CREATE TABLE file_version (
  tenant_id  uuid NOT NULL,
  scope_id   uuid NOT NULL,
  path       text COLLATE "C" NOT NULL CHECK (octet_length(path) BETWEEN 1 AND 512),
  version    integer NOT NULL CHECK (version > 0),
  content    text NOT NULL,
  size       integer NOT NULL CHECK (size >= 0), -- bytes of path and content, for quotas
  agent_id   identifier,
  key_id     uuid NOT NULL,
  written_at timestamptz NOT NULL,
  ended_at   timestamptz,
  PRIMARY KEY (tenant_id, scope_id, path, version),
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE file_version IS 'Versions of files that agents keep, by path | layer: semantic | retention: subject | owner: subject';
CALL muniment_meta.make_partitions('file_version');
CALL muniment_meta.keep_no_copies('file_version', 'path', 'content', 'agent_id');
CREATE UNIQUE INDEX file_version_current ON file_version (tenant_id, scope_id, path) WHERE ended_at IS NULL;

-- Semantic memory: an immutable record, and a chain of versions with two ranges -------------

CREATE TABLE entity (
  tenant_id uuid NOT NULL,
  scope_id  uuid NOT NULL,
  entity_id uuid NOT NULL,
  kind      identifier NOT NULL,
  name      identifier NOT NULL,
  name_key  identifier NOT NULL,
  defined   boolean NOT NULL DEFAULT false, -- by the application; stays though nothing is said of it
  merged_into uuid, -- the entity that it turned out to be
  PRIMARY KEY (tenant_id, scope_id, entity_id),
  UNIQUE (tenant_id, scope_id, name_key),
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, merged_into) REFERENCES entity ON DELETE SET NULL (merged_into),
  CHECK (merged_into <> entity_id)
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE entity IS 'What facts are about; the user is one | layer: semantic | retention: memory | owner: subject';
CALL muniment_meta.make_partitions('entity');
CALL muniment_meta.keep_no_copies('entity', 'kind', 'name', 'name_key');
CREATE INDEX entity_merged ON entity (tenant_id, scope_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE entity_alias (
  tenant_id uuid NOT NULL,
  scope_id  uuid NOT NULL,
  alias_key identifier NOT NULL,
  alias     identifier NOT NULL,
  entity_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, alias_key),
  FOREIGN KEY (tenant_id, scope_id, entity_id) REFERENCES entity ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE entity_alias IS 'Other names of an entity | layer: semantic | retention: memory | owner: subject';
CALL muniment_meta.make_partitions('entity_alias');
CALL muniment_meta.keep_no_copies('entity_alias', 'alias', 'alias_key');
CREATE INDEX entity_alias_entity ON entity_alias (tenant_id, scope_id, entity_id);

-- What it takes to undo a merge: between the two moments nothing else wrote into the scope.
CREATE TABLE entity_merge (
  tenant_id uuid NOT NULL,
  scope_id  uuid NOT NULL,
  merge_id  uuid NOT NULL,
  source_id uuid NOT NULL,
  target_id uuid NOT NULL,
  followed  uuid[] NOT NULL, -- entities that had been merged into the source before
  touched   uuid[] NOT NULL, -- memories that hold what was held of the source since
  began_at  timestamptz NOT NULL,
  ended_at  timestamptz NOT NULL CHECK (ended_at >= began_at),
  undone_at timestamptz,
  PRIMARY KEY (tenant_id, scope_id, merge_id),
  FOREIGN KEY (tenant_id, scope_id, source_id) REFERENCES entity ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, target_id) REFERENCES entity ON DELETE CASCADE
);
COMMENT ON TABLE entity_merge IS 'Entities that turned out to be one | layer: semantic | retention: memory | owner: subject';
CREATE INDEX entity_merge_by_id ON entity_merge (tenant_id, merge_id);
CREATE INDEX entity_merge_source ON entity_merge (tenant_id, scope_id, source_id);
CREATE INDEX entity_merge_target ON entity_merge (tenant_id, scope_id, target_id);

CREATE TABLE memory (
  tenant_id   uuid NOT NULL,
  scope_id    uuid NOT NULL,
  memory_id   uuid NOT NULL,
  kind        identifier NOT NULL,
  subject_id  uuid NOT NULL,
  slot        identifier,
  value       text,
  value_key   text,
  text        text NOT NULL CHECK (octet_length(text) <= 65536),
  detail      text,
  data_source identifier,
  agent_id    identifier,
  metadata    jsonb NOT NULL CHECK (jsonb_typeof(metadata) = 'object'),
  created_at  timestamptz NOT NULL,
  created_by  uuid NOT NULL,
  alike       bigint, -- a hash of the values and the polarity, which memories that say the same share
  said        bigint, -- a hash of these and of the words of content
  salt        uuid NOT NULL DEFAULT gen_random_uuid(), -- of its digests in the audit trail; goes with the row
  PRIMARY KEY (tenant_id, scope_id, memory_id),
  FOREIGN KEY (tenant_id, scope_id, subject_id) REFERENCES entity ON DELETE CASCADE,
  CHECK ((slot IS NULL) = (value IS NULL) AND (slot IS NULL) = (value_key IS NULL))
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE memory IS 'What is held to be true: text and value | layer: semantic | retention: memory | owner: subject';
CALL muniment_meta.make_partitions('memory');
CALL muniment_meta.keep_no_copies('memory', 'value', 'value_key', 'text', 'detail', 'data_source', 'agent_id', 'metadata');
CREATE INDEX memory_by_id ON memory (tenant_id, memory_id);
CREATE INDEX memory_alike ON memory (tenant_id, scope_id, alike) WHERE alike IS NOT NULL;
CREATE INDEX memory_said ON memory (tenant_id, scope_id, said) WHERE said IS NOT NULL;
CREATE INDEX memory_subject ON memory (tenant_id, scope_id, subject_id, slot);
CREATE INDEX memory_source ON memory (tenant_id, scope_id, kind, data_source);

CREATE TABLE memory_version (
  tenant_id       uuid NOT NULL,
  scope_id        uuid NOT NULL,
  version_id      uuid NOT NULL,
  memory_id       uuid NOT NULL,
  subject_id      uuid NOT NULL,
  slot            identifier,
  cardinality     text CHECK (cardinality IN ('one', 'many')),
  valid           tstzrange NOT NULL CHECK (NOT isempty(valid) AND lower_inc(valid) AND NOT upper_inc(valid)),
  recorded        tstzrange NOT NULL CHECK (NOT isempty(recorded) AND lower_inc(recorded) AND NOT upper_inc(recorded)),
  standing        text NOT NULL CHECK (standing IN ('asserted', 'contested', 'quarantined')),
  trust           trust_grade NOT NULL,
  confidence      double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  importance      smallint NOT NULL CHECK (importance BETWEEN 1 AND 10),
  pinned          boolean NOT NULL,
  is_durative     boolean NOT NULL DEFAULT false,
  archived        boolean NOT NULL DEFAULT false,
  retracted       boolean NOT NULL DEFAULT false,
  superseded_by   uuid, -- what took over where this window ends
  ended_by        uuid, -- what ended this record; set once, with the end of recorded
  restores        uuid, -- the first version with this content, where an undo brought it back
  observed_at     timestamptz NOT NULL,
  expires_at      timestamptz,
  category        data_category NOT NULL,
  retention_class text NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, version_id),
  FOREIGN KEY (tenant_id, scope_id, memory_id) REFERENCES memory ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, subject_id) REFERENCES entity ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, superseded_by) REFERENCES memory ON DELETE SET NULL (superseded_by),
  FOREIGN KEY (tenant_id, scope_id, ended_by) REFERENCES memory ON DELETE SET NULL (ended_by),
  CHECK ((slot IS NULL) = (cardinality IS NULL)),
  -- The invariant of RULES 3.2: two truths at one time are refused here, whatever the code does.
  CONSTRAINT one_truth_at_a_time EXCLUDE USING gist (
    tenant_id WITH =, scope_id WITH =, subject_id WITH =, slot WITH =, valid WITH &&
  ) WHERE (upper_inf(recorded) AND standing = 'asserted' AND cardinality = 'one')
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE memory_version IS 'What was held when: valid (world) and recorded (service) | layer: semantic | retention: memory | owner: subject';
CALL muniment_meta.make_partitions('memory_version');
CREATE INDEX memory_version_memory ON memory_version (tenant_id, scope_id, memory_id);
CREATE INDEX memory_version_subject ON memory_version (tenant_id, scope_id, subject_id, slot);
CREATE INDEX memory_version_successor ON memory_version (tenant_id, scope_id, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_version_restores ON memory_version (tenant_id, scope_id, restores) WHERE restores IS NOT NULL;
CREATE INDEX memory_version_ender ON memory_version (tenant_id, scope_id, ended_by) WHERE ended_by IS NOT NULL;
CREATE INDEX memory_version_expiry ON memory_version (tenant_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memory_version_kept ON memory_version (tenant_id, scope_id) WHERE pinned OR cardinality = 'one';
CREATE INDEX memory_version_weight ON memory_version (tenant_id, scope_id, importance);
CREATE INDEX memory_version_fading ON memory_version (tenant_id, importance, observed_at)
  WHERE upper_inf(recorded) AND standing = 'asserted' AND NOT archived AND NOT pinned AND coalesce(cardinality, 'many') = 'many';
CREATE INDEX memory_version_waiting ON memory_version (tenant_id, version_id) WHERE upper_inf(recorded) AND standing <> 'asserted';
CREATE INDEX memory_version_unsure ON memory_version (tenant_id, scope_id, version_id)
  WHERE upper_inf(recorded) AND standing = 'asserted' AND trust IN ('agent_inferred', 'external_content');
CREATE INDEX memory_version_slot ON memory_version (tenant_id, slot) WHERE slot IS NOT NULL AND upper_inf(recorded);

CREATE TABLE memory_evidence (
  tenant_id   uuid NOT NULL,
  scope_id    uuid NOT NULL,
  evidence_id uuid NOT NULL,
  memory_id   uuid NOT NULL,
  source_scope_id uuid, -- where the turn is; an org memory may rest on a user's turn
  session_pk  uuid,
  event_id    uuid,
  turn        integer,
  key_id      uuid NOT NULL,
  trust       trust_grade NOT NULL,
  observed_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  withdrawn   tstzmultirange NOT NULL DEFAULT '{}', -- while what brought it is undone
  PRIMARY KEY (tenant_id, scope_id, evidence_id),
  UNIQUE (tenant_id, scope_id, memory_id, source_scope_id, session_pk, turn),
  FOREIGN KEY (tenant_id, scope_id, memory_id) REFERENCES memory ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, source_scope_id, session_pk) REFERENCES session ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, source_scope_id, event_id) REFERENCES event ON DELETE SET NULL (event_id),
  CHECK ((source_scope_id IS NULL) = (session_pk IS NULL)),
  CHECK (turn IS NULL OR session_pk IS NOT NULL), -- none where a session reported it, and no turn says it
  CHECK (event_id IS NULL OR session_pk IS NOT NULL)
);
COMMENT ON TABLE memory_evidence IS 'What supports a memory | layer: semantic | retention: memory | owner: subject';
CREATE INDEX memory_evidence_session ON memory_evidence (tenant_id, source_scope_id, session_pk);
CREATE INDEX memory_evidence_event ON memory_evidence (tenant_id, source_scope_id, event_id);

CREATE TABLE memory_derivation (
  tenant_id uuid NOT NULL,
  scope_id  uuid NOT NULL,
  memory_id uuid NOT NULL,
  source_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, memory_id, source_id),
  FOREIGN KEY (tenant_id, scope_id, memory_id) REFERENCES memory ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, source_id) REFERENCES memory ON DELETE CASCADE,
  CHECK (memory_id <> source_id)
);
COMMENT ON TABLE memory_derivation IS 'Memories made from memories | layer: semantic | retention: memory | owner: subject';
CREATE INDEX memory_derivation_source ON memory_derivation (tenant_id, scope_id, source_id);

CREATE TABLE decision (
  tenant_id    uuid NOT NULL,
  scope_id     uuid NOT NULL,
  decision_id  uuid NOT NULL,
  memory_id    uuid NOT NULL,
  incumbent_id uuid,
  outcome      text NOT NULL CHECK (outcome IN ('inserted', 'reinforced', 'superseded', 'contested', 'quarantined', 'rejected', 'retracted', 'archived', 'changed', 'restored', 'undone')),
  rule         text NOT NULL,
  inputs       jsonb NOT NULL,
  ended        uuid[] NOT NULL, -- versions whose record it ended; nil for one that was erased
  made         uuid[] NOT NULL, -- versions that it wrote; nil for one that was erased
  undoes       uuid,
  key_id       uuid NOT NULL,
  decided_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, decision_id),
  FOREIGN KEY (tenant_id, scope_id, memory_id) REFERENCES memory ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, incumbent_id) REFERENCES memory ON DELETE SET NULL (incumbent_id),
  FOREIGN KEY (tenant_id, scope_id, undoes) REFERENCES decision ON DELETE SET NULL (undoes)
);
COMMENT ON TABLE decision IS 'Outcomes of reconciliation, with the rule | layer: semantic | retention: memory | owner: subject';
CREATE INDEX decision_memory ON decision (tenant_id, scope_id, memory_id);
CREATE INDEX decision_moment ON decision (tenant_id, scope_id, decided_at);
CREATE INDEX decision_undoes ON decision (tenant_id, scope_id, undoes) WHERE undoes IS NOT NULL;
CREATE INDEX decision_incumbent ON decision (tenant_id, scope_id, incumbent_id) WHERE incumbent_id IS NOT NULL;

CREATE TABLE review (
  tenant_id    uuid NOT NULL,
  scope_id     uuid NOT NULL,
  review_id    uuid NOT NULL,
  event_id     uuid,
  memory_id    uuid,
  version_id   uuid, -- the one that waited
  why          text NOT NULL CHECK (why IN ('quarantined', 'contested', 'unconfirmed')),
  decision     text NOT NULL CHECK (decision IN ('approve', 'reject', 'keep_both')),
  reason       text NOT NULL,
  trust_before trust_grade NOT NULL,
  trust_after  trust_grade NOT NULL,
  key_id       uuid NOT NULL,
  decided_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, review_id),
  FOREIGN KEY (tenant_id, scope_id, event_id) REFERENCES event ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, memory_id) REFERENCES memory ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, version_id) REFERENCES memory_version ON DELETE CASCADE,
  CHECK ((event_id IS NULL) <> (memory_id IS NULL) AND (memory_id IS NULL) = (version_id IS NULL))
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE review IS 'What people decided on what waited for them, and why | layer: semantic | retention: derived | owner: subject';
CALL muniment_meta.make_partitions('review');
CALL muniment_meta.keep_no_copies('review', 'reason');
CREATE INDEX review_event ON review (tenant_id, scope_id, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX review_memory ON review (tenant_id, scope_id, memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX review_version ON review (tenant_id, scope_id, version_id) WHERE version_id IS NOT NULL;

-- By how many a memory was observed by then (RULES 2.3): users whose turns say it, or principals whose
-- keys wrote it, whichever are more; not what was withdrawn by then. Two bind what nobody decided on.
CREATE FUNCTION observers(tenant uuid, scope uuid, memory uuid, by_then timestamptz DEFAULT 'infinity')
RETURNS bigint LANGUAGE sql STABLE
RETURN (
  SELECT greatest(count(DISTINCT o.user_pk), count(DISTINCT k.principal)) FROM memory_evidence r
  LEFT JOIN muniment.scope o ON o.tenant_id = r.tenant_id AND o.scope_id = r.source_scope_id
  LEFT JOIN event e ON e.tenant_id = r.tenant_id AND e.scope_id = r.source_scope_id AND e.event_id = r.event_id
  LEFT JOIN api_key k ON k.tenant_id = r.tenant_id AND k.key_id = coalesce(e.written_by, r.key_id)
  WHERE r.tenant_id = tenant AND r.scope_id = scope AND r.memory_id = memory AND r.recorded_at <= by_then
    AND r.trust <> 'external_content' AND NOT r.withdrawn @> by_then);

CREATE TABLE promotion (
  tenant_id  uuid NOT NULL,
  scope_id   uuid NOT NULL,
  event_id   uuid NOT NULL,
  sentence   integer NOT NULL CHECK (sentence >= 0), -- of the turn, from 0
  memory_id  uuid, -- what it was promoted to, while that is there
  decided_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, event_id, sentence),
  FOREIGN KEY (tenant_id, scope_id, event_id) REFERENCES event ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, memory_id) REFERENCES memory ON DELETE SET NULL (memory_id)
);
COMMENT ON TABLE promotion IS 'Sentences that recurred and were counted once, by the curator | layer: semantic | retention: derived | owner: subject';
CREATE INDEX promotion_memory ON promotion (tenant_id, scope_id, memory_id) WHERE memory_id IS NOT NULL;

-- Recall: the index that is cached, the clock of use, the log -------------------------------

CREATE TABLE memory_index (
  tenant_id   uuid NOT NULL,
  scope_id    uuid NOT NULL,
  id          uuid NOT NULL GENERATED ALWAYS AS (coalesce(event_id, episode_id, version_id)) STORED,
  event_id    uuid,
  episode_id  uuid,
  version_id  uuid,
  group_id    uuid NOT NULL,
  position    integer NOT NULL,
  rev         bigint NOT NULL,
  tier        text NOT NULL CHECK (tier IN ('episodic', 'semantic')),
  kind        identifier NOT NULL,
  standing    text NOT NULL CHECK (standing IN ('asserted', 'contested', 'quarantined', 'dropped', 'archived')),
  valid       tstzrange NOT NULL,
  recorded    tstzrange NOT NULL,
  occurred_at timestamptz NOT NULL,
  expires_at  timestamptz,
  importance  smallint NOT NULL,
  confidence  double precision, -- none for what happened: events and summaries
  emb         halfvec(256),
  emb_a       halfvec, -- of a model that the tenant went over to, or is going over to
  emb_b       halfvec, -- the same of the next one
  terms       bytea NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, id)
    INCLUDE (tier, kind, standing, valid, recorded, expires_at, emb),
  FOREIGN KEY (tenant_id, scope_id, event_id) REFERENCES event ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, episode_id) REFERENCES episode ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, version_id) REFERENCES memory_version ON DELETE CASCADE,
  CHECK (num_nonnulls(event_id, episode_id, version_id) = 1)
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE memory_index IS 'What recall ranks: filters, vector, hashed stems | layer: episodic | retention: derived | owner: subject';
CALL muniment_meta.make_partitions('memory_index');
CALL muniment_meta.keep_no_copies('memory_index', 'emb', 'emb_a', 'emb_b', 'terms');
-- Partial, so that it serves whoever asks for revisions and is not taken for a way to find one row.
CREATE INDEX memory_index_rev ON memory_index (tenant_id, scope_id, rev) WHERE rev > 0;
CREATE INDEX memory_index_event ON memory_index (tenant_id, scope_id, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX memory_index_episode ON memory_index (tenant_id, scope_id, episode_id) WHERE episode_id IS NOT NULL;
CREATE INDEX memory_index_version ON memory_index (tenant_id, scope_id, version_id) WHERE version_id IS NOT NULL;

-- The name of a session anywhere in the tenant, for evidence that lies in another scope.
CREATE FUNCTION session_named(tenant uuid, scope uuid, session uuid) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT s.session_id FROM session s WHERE s.tenant_id = tenant AND s.scope_id = scope AND s.session_pk = session);

-- What stands against a memory without a slot, as it was decided: contested versions, each with what
-- it may not take the place of. In a slot it is what the slot holds besides.
CREATE VIEW contest WITH (security_invoker = true) AS
SELECT d.tenant_id, d.scope_id, d.incumbent_id, c.memory_id, c.valid, c.recorded, c.expires_at
FROM decision d
JOIN memory_version c ON c.tenant_id = d.tenant_id AND c.scope_id = d.scope_id AND c.memory_id = d.memory_id
WHERE d.incumbent_id IS NOT NULL AND d.outcome = 'contested' AND c.slot IS NULL AND c.standing = 'contested'
  AND c.memory_id <> d.incumbent_id;

-- Items as people see them: what recall, list, get and filters read. One row of the index each;
-- evaluated as the caller, so that row-level security holds.
CREATE VIEW item WITH (security_invoker = true) AS
SELECT i.tenant_id, i.scope_id, i.id AS index_id, i.rev, i.tier, i.kind, i.standing, i.valid, i.recorded,
       i.expires_at, i.importance, i.confidence,
       coalesce(i.event_id, i.episode_id, v.memory_id) AS id,
       coalesce(e.content, p.text, m.text) AS text,
       coalesce(e.occurred_at, p.ended_at, v.observed_at) AS as_of,
       coalesce(e.trust, p.trust, v.trust) AS trust,
       coalesce(e.category, p.category, v.category) AS category,
       coalesce(e.data_source, m.data_source) AS data_source,
       coalesce(e.agent_id, m.agent_id) AS agent_id,
       coalesce(e.metadata, m.metadata, '{}') AS metadata,
       s.session_id, e.turn, e.role, e.name, e.tool, i.episode_id, v.memory_id, v.subject_id, m.slot, m.value, m.detail,
       n.name AS subject, n.kind AS subject_kind, v.superseded_by, coalesce(v.pinned, false) AS pinned,
       coalesce(v.is_durative, false) AS is_durative, coalesce(v.retracted, false) AS retracted,
       coalesce(v.archived, p.archived, false) AS archived
FROM memory_index i
LEFT JOIN event e ON e.tenant_id = i.tenant_id AND e.scope_id = i.scope_id AND e.event_id = i.event_id
LEFT JOIN episode p ON p.tenant_id = i.tenant_id AND p.scope_id = i.scope_id AND p.episode_id = i.episode_id
LEFT JOIN session s ON s.tenant_id = i.tenant_id AND s.scope_id = i.scope_id
                   AND s.session_pk = coalesce(e.session_pk, p.session_pk)
LEFT JOIN memory_version v ON v.tenant_id = i.tenant_id AND v.scope_id = i.scope_id AND v.version_id = i.version_id
LEFT JOIN memory m ON m.tenant_id = i.tenant_id AND m.scope_id = i.scope_id AND m.memory_id = v.memory_id
LEFT JOIN entity n ON n.tenant_id = i.tenant_id AND n.scope_id = i.scope_id AND n.entity_id = m.subject_id;
GRANT SELECT ON item TO muniment_app, muniment_worker;
GRANT SELECT ON contest TO muniment_app, muniment_worker;

-- The same as one document a filter can ask (RULES 11.4); instants in microseconds since 1970.
CREATE FUNCTION micros(moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (extract(epoch FROM moment) * 1000000)::bigint;

CREATE FUNCTION item_document(i item) RETURNS jsonb LANGUAGE sql STABLE
RETURN jsonb_build_object(
  'id', i.id, 'tier', i.tier, 'kind', i.kind, 'session_id', i.session_id, 'turn', i.turn, 'role', i.role,
  'name', i.name, 'tool', i.tool, 'agent_id', i.agent_id, 'data_source', i.data_source,
  'subject', CASE WHEN i.subject_kind <> 'self' THEN i.subject END,
  'slot', i.slot, 'value', i.value, 'trust', i.trust, 'standing', i.standing, 'category', i.category,
  'as_of', micros(i.as_of), 'valid_from', micros(lower(i.valid)), 'valid_to', micros(upper(i.valid)),
  'recorded_at', micros(lower(i.recorded)), 'expires_at', micros(i.expires_at), 'importance', i.importance,
  'confidence', i.confidence, 'pinned', i.pinned, 'is_durative', i.is_durative, 'archived', i.archived,
  'metadata', i.metadata);

CREATE TABLE access (
  tenant_id uuid NOT NULL,
  scope_id  uuid NOT NULL,
  item_id   uuid NOT NULL,
  last_at   timestamptz NOT NULL,
  count     bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (tenant_id, scope_id, item_id),
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE
) WITH (fillfactor = 50);
COMMENT ON TABLE access IS 'When an item was last useful | layer: governance | retention: derived | owner: subject';

CREATE TABLE recall_log (
  tenant_id  uuid NOT NULL,
  scope_id   uuid NOT NULL,
  recall_id  uuid NOT NULL,
  at         timestamptz NOT NULL,
  key_id     uuid NOT NULL,
  session_pk uuid,
  user_key   text, -- digest of whom it was about, where they have no scope here
  run_id     identifier,
  step       integer,
  agent_id   identifier,
  tiers      text[] NOT NULL,
  k          integer NOT NULL,
  as_of      timestamptz NOT NULL,
  known_at   timestamptz NOT NULL,
  watermark  timestamptz NOT NULL,
  user_watermark timestamptz, -- how far the record of each went, where it was asked
  org_watermark  timestamptz,
  abstained  boolean NOT NULL,
  items      jsonb NOT NULL,
  budget     integer, -- of a context: how many tokens it might have, and has, by which counter
  tokens     integer,
  counter    text,
  dropped    jsonb, -- what was left out of it, and why
  PRIMARY KEY (tenant_id, scope_id, recall_id),
  CHECK (num_nonnulls(budget, tokens, counter, dropped) IN (0, 4)),
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id, session_pk) REFERENCES session ON DELETE SET NULL (session_pk)
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE recall_log IS 'Which ids an answer or a context was made of, with scores | layer: audit | retention: recall_log | owner: auditor';
CALL muniment_meta.make_partitions('recall_log');
CALL muniment_meta.keep_no_copies('recall_log', 'user_key', 'run_id', 'agent_id', 'counter', 'dropped');
CREATE INDEX recall_log_age ON recall_log (tenant_id, at);
CREATE INDEX recall_log_run ON recall_log (tenant_id, scope_id, run_id, step) WHERE run_id IS NOT NULL;
CREATE INDEX recall_log_user ON recall_log (tenant_id, user_key) WHERE user_key IS NOT NULL;
CREATE INDEX recall_log_session ON recall_log (tenant_id, scope_id, session_pk, recall_id) WHERE session_pk IS NOT NULL;

-- Shared knowledge: what stewards put, and agents only read ----------------------------------

-- A document as its source has it now: another version takes its place, with all its chunks.
CREATE TABLE knowledge_document (
  tenant_id       uuid NOT NULL,
  scope_id        uuid NOT NULL,
  document_id     uuid NOT NULL, -- of the source, through its versions
  source          identifier NOT NULL,
  version         bigint NOT NULL CHECK (version > 0), -- of the source
  title           text NOT NULL,
  format          text NOT NULL CHECK (format IN ('markdown', 'text')),
  text            text NOT NULL CHECK (octet_length(text) <= 4194304),
  owner           identifier NOT NULL, -- who answers for it
  data_source     identifier,
  metadata        jsonb NOT NULL CHECK (jsonb_typeof(metadata) = 'object'),
  redacted        text[] NOT NULL DEFAULT '{}', -- kinds of secrets that were in it
  valid           tstzrange NOT NULL CHECK (NOT isempty(valid) AND NOT upper_inc(valid)),
  recorded_at     timestamptz NOT NULL,
  chunks          integer NOT NULL CHECK (chunks >= 0),
  category        data_category NOT NULL,
  retention_class text NOT NULL,
  key_id          uuid NOT NULL, -- who put it
  waits           boolean NOT NULL DEFAULT false, -- for a steward: proposed, without chunks, and nobody's answer
  expires_at      timestamptz CHECK (waits OR expires_at IS NULL), -- of what waits
  salt            uuid NOT NULL DEFAULT gen_random_uuid(), -- of its digests in the audit trail; goes with the row
  PRIMARY KEY (tenant_id, scope_id, document_id),
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scope ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE knowledge_document IS 'Documents that stewards put | layer: knowledge | retention: knowledge | owner: steward';
CALL muniment_meta.make_partitions('knowledge_document');
CALL muniment_meta.keep_no_copies('knowledge_document', 'source', 'title', 'format', 'text', 'owner', 'data_source', 'metadata', 'redacted');
CREATE UNIQUE INDEX knowledge_document_source ON knowledge_document (tenant_id, scope_id, source) WHERE NOT waits;
CREATE INDEX knowledge_document_waiting ON knowledge_document (tenant_id, document_id) WHERE waits;
CREATE INDEX knowledge_document_expiry ON knowledge_document (tenant_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX knowledge_document_data ON knowledge_document (tenant_id, scope_id, data_source) WHERE data_source IS NOT NULL;

-- `keys` are hashed stems, each together with its scope: a word of one tenant is none of another's.
CREATE TABLE knowledge_chunk (
  tenant_id   uuid NOT NULL,
  scope_id    uuid NOT NULL,
  chunk_id    uuid NOT NULL,
  document_id uuid NOT NULL,
  position    integer NOT NULL CHECK (position >= 0),
  headings    text[] NOT NULL,
  text        text NOT NULL,
  valid       tstzrange NOT NULL, -- its document's
  emb         halfvec(256),
  emb_a       halfvec,
  emb_b       halfvec,
  terms       bytea NOT NULL,
  keys        bigint[] NOT NULL,
  PRIMARY KEY (tenant_id, scope_id, chunk_id),
  UNIQUE (tenant_id, scope_id, document_id, position),
  FOREIGN KEY (tenant_id, scope_id, document_id) REFERENCES knowledge_document ON DELETE CASCADE
) PARTITION BY HASH (tenant_id, scope_id);
COMMENT ON TABLE knowledge_chunk IS 'Pieces of documents by which they are found | layer: knowledge | retention: derived | owner: steward';
CALL muniment_meta.make_partitions('knowledge_chunk');
CALL muniment_meta.keep_no_copies('knowledge_chunk', 'headings', 'text', 'emb', 'emb_a', 'emb_b', 'terms', 'keys');
CREATE INDEX knowledge_chunk_near ON knowledge_chunk USING hnsw (emb halfvec_ip_ops);
-- What waits to be merged into the index would be read whole for every word.
CREATE INDEX knowledge_chunk_word ON knowledge_chunk USING gin (keys) WITH (fastupdate = off);

-- A document as a filter asks it, with the fields of an item.
CREATE FUNCTION document_item(d knowledge_document) RETURNS jsonb LANGUAGE sql STABLE
RETURN jsonb_build_object(
  'id', d.document_id, 'tier', 'knowledge', 'kind', 'document', 'session_id', NULL, 'turn', NULL, 'role', NULL,
  'name', NULL, 'tool', NULL, 'agent_id', NULL, 'data_source', d.data_source, 'subject', NULL, 'slot', NULL, 'value', NULL,
  'trust', 'operator', 'standing', 'asserted', 'category', d.category,
  'as_of', micros(d.recorded_at), 'valid_from', micros(lower(d.valid)), 'valid_to', micros(upper(d.valid)),
  'recorded_at', micros(d.recorded_at), 'expires_at', NULL, 'importance', 5, 'confidence', NULL,
  'pinned', false, 'is_durative', false, 'archived', false, 'metadata', d.metadata);

-- Governance: audit, receipts, failed jobs --------------------------------------------------

-- What the audit trail keeps of a record before and after a change: SHA-256 over its salt and what
-- it says, in lower-case hexadecimal. The salt goes with the row, and with it what a digest could tell.
CREATE FUNCTION salted_digest(salt uuid, said jsonb) RETURNS text LANGUAGE sql IMMUTABLE
RETURN encode(sha256(uuid_send(salt) || convert_to(said::text, 'UTF8')), 'hex');

CREATE FUNCTION event_digest(e event) RETURNS text LANGUAGE sql STABLE
RETURN salted_digest(e.salt, jsonb_build_array(
  e.turn, e.role, e.name, e.content, extract(epoch FROM e.occurred_at), e.data_source, e.tool, e.agent_id, e.metadata, e.trust));

CREATE FUNCTION episode_digest(p episode) RETURNS text LANGUAGE sql STABLE
RETURN salted_digest(p.salt, jsonb_build_array(
  p.text, p.outcome, extract(epoch FROM p.started_at), extract(epoch FROM p.ended_at), p.through_turn, p.trust));

-- As the service held it at a moment of its record, or holds it (infinity); null where it holds nothing of it.
CREATE FUNCTION memory_digest(m memory, known_at timestamptz) RETURNS text LANGUAGE sql STABLE
RETURN (
  SELECT salted_digest(m.salt, jsonb_build_array(
    m.kind, m.subject_id, m.slot, m.value, m.text, m.detail, m.data_source, m.agent_id, m.metadata,
    jsonb_agg(jsonb_build_array(
      v.version_id, extract(epoch FROM lower(v.valid)), extract(epoch FROM upper(v.valid)), v.standing, v.trust, v.confidence,
      v.importance, v.pinned, v.is_durative, v.archived) ORDER BY v.version_id)))
  FROM memory_version v
  WHERE v.tenant_id = m.tenant_id AND v.scope_id = m.scope_id AND v.memory_id = m.memory_id AND v.recorded @> known_at
  HAVING count(*) > 0
);

-- With its chunks: they are what is answered.
CREATE FUNCTION document_digest(d knowledge_document) RETURNS text LANGUAGE sql STABLE
RETURN (
  SELECT salted_digest(d.salt, jsonb_build_array(
    d.source, d.version, d.title, d.format, d.text, d.owner, d.data_source, d.metadata, d.category,
    extract(epoch FROM lower(d.valid)), extract(epoch FROM upper(d.valid)),
    jsonb_agg(jsonb_build_array(c.chunk_id, c.headings, c.text, extract(epoch FROM lower(c.valid)), extract(epoch FROM upper(c.valid)))
              ORDER BY c.position)))
  FROM knowledge_chunk c
  WHERE c.tenant_id = d.tenant_id AND c.scope_id = d.scope_id AND c.document_id = d.document_id
);

-- Entries are chained after commit, in seal order, so that writers never queue on the chain
-- head. They hold surrogate ids, counts and salted digests: erasure leaves the chain valid.
CREATE TABLE audit_entry (
  tenant_id uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  entry_id  uuid NOT NULL,
  at        timestamptz NOT NULL,
  operation text NOT NULL,
  effect    text NOT NULL CHECK (effect IN ('read', 'write', 'destructive', 'refused')),
  key_id    uuid NOT NULL,
  request   text NOT NULL,
  subjects  uuid[] NOT NULL,
  detail    jsonb NOT NULL,
  changes   jsonb NOT NULL DEFAULT '{}', -- by record: its salted digests before and after
  PRIMARY KEY (tenant_id, entry_id)
);
COMMENT ON TABLE audit_entry IS 'Who did what, by ids | layer: audit | retention: audit | owner: auditor';
CREATE INDEX audit_entry_at ON audit_entry (tenant_id, at, entry_id);

CREATE TABLE audit_pending (
  tenant_id uuid NOT NULL,
  entry_id  uuid NOT NULL,
  since     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, entry_id),
  FOREIGN KEY (tenant_id, entry_id) REFERENCES audit_entry ON DELETE CASCADE
);
COMMENT ON TABLE audit_pending IS 'Entries not yet sealed | layer: audit | retention: audit | owner: auditor';

CREATE TABLE audit_seal (
  tenant_id uuid NOT NULL,
  seq       bigint NOT NULL CHECK (seq > 0),
  entry_id  uuid NOT NULL,
  digest    bytea NOT NULL CHECK (octet_length(digest) = 32),
  previous  bytea NOT NULL CHECK (octet_length(previous) = 32),
  hash      bytea NOT NULL CHECK (octet_length(hash) = 32),
  sealed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, seq),
  UNIQUE (tenant_id, entry_id),
  FOREIGN KEY (tenant_id, entry_id) REFERENCES audit_entry
);
COMMENT ON TABLE audit_seal IS 'The hash chain over the entries | layer: audit | retention: audit | owner: auditor';

CREATE TABLE erasure_receipt (
  tenant_id   uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  receipt_id  uuid NOT NULL,
  target      text NOT NULL CHECK (target IN ('user', 'session', 'source', 'items', 'filter', 'hold')),
  state       text NOT NULL CHECK (state IN ('hidden', 'erased', 'scrubbed')),
  counts      jsonb NOT NULL,
  held        jsonb NOT NULL DEFAULT '{}', -- rows that went as far as a hold lets them, by table
  key_id      uuid NOT NULL,
  hidden_at   timestamptz NOT NULL, -- from here on no operation answers with it
  erased_at   timestamptz, -- the rows are gone
  scrubbed_at timestamptz, -- and so are the bytes
  verified    jsonb, -- what was looked through for rows that name what went
  scrub       jsonb NOT NULL DEFAULT '{}', -- what was done about the bytes, and what is left to do
  at_once     boolean NOT NULL DEFAULT false, -- the scrub does not wait for its hour
  digest      text NOT NULL, -- over the receipt as it stands
  PRIMARY KEY (tenant_id, receipt_id),
  CHECK ((state = 'hidden') = (erased_at IS NULL)),
  CHECK ((state = 'scrubbed') = (scrubbed_at IS NOT NULL))
);
CREATE INDEX erasure_receipt_hidden ON erasure_receipt (tenant_id) WHERE state = 'hidden';
CREATE INDEX erasure_receipt_unscrubbed ON erasure_receipt (tenant_id, erased_at) WHERE state = 'erased';
COMMENT ON TABLE erasure_receipt IS 'What a forget erased, in numbers | layer: audit | retention: audit | owner: auditor';

-- What may not be erased yet, whoever forgets it and whatever expires. A hold names its target by
-- surrogates; hold_item has the ids of what it covers, as far as that is known.
CREATE TABLE hold (
  tenant_id      uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  hold_id        uuid NOT NULL,
  target         text NOT NULL CHECK (target IN ('user', 'session', 'source', 'filter')),
  user_pk        uuid, -- whom it is about, while they are there and after; none: the organisation, or everybody
  user_key       text, -- digest of their name
  place          uuid, -- the scope of a session or a filter
  session_pk     uuid,
  data_source    identifier,
  names          text[] NOT NULL DEFAULT '{}', -- of the source: every one that it has had since
  filter         jsonb CHECK (jsonb_typeof(filter) = 'object'),
  reason         text NOT NULL,
  placed_by      uuid NOT NULL,
  placed_at      timestamptz NOT NULL,
  released_by    uuid,
  released_at    timestamptz,
  release_reason text,
  PRIMARY KEY (tenant_id, hold_id),
  CHECK ((released_by IS NULL) = (released_at IS NULL) AND (released_at IS NULL) = (release_reason IS NULL))
);
CALL muniment_meta.keep_no_copies('hold', 'user_key', 'data_source', 'names', 'filter', 'reason', 'release_reason');
COMMENT ON TABLE hold IS 'Legal holds | layer: governance | retention: hold | owner: operator';
CREATE INDEX hold_open ON hold (tenant_id, hold_id) WHERE released_at IS NULL;

CREATE TABLE hold_item (
  tenant_id uuid NOT NULL,
  hold_id   uuid NOT NULL,
  id        uuid NOT NULL, -- a user, scope, session, turn, summary, memory or entity
  whole     boolean NOT NULL, -- with every row that names it; else its own row alone
  PRIMARY KEY (tenant_id, id, hold_id),
  FOREIGN KEY (tenant_id, hold_id) REFERENCES hold ON DELETE CASCADE
);
COMMENT ON TABLE hold_item IS 'What a hold covers, by ids | layer: governance | retention: hold | owner: operator';
CREATE INDEX hold_item_hold ON hold_item (tenant_id, hold_id);

-- Rows that were deleted while a hold covered them. No role of the service reads them: nothing that
-- waits here is answered with, and it goes with the last of its holds.
CREATE TABLE kept_row (
  tenant_id  uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  kept_id    uuid NOT NULL DEFAULT gen_random_uuid(),
  source     text NOT NULL, -- the table that it was in
  change     text NOT NULL CHECK (change IN ('deleted', 'changed')),
  ids        uuid[] NOT NULL,
  holds      uuid[] NOT NULL,
  record     json NOT NULL,
  receipt_id uuid, -- of the forget that deleted it
  kept_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, kept_id)
);
CALL muniment_meta.keep_no_copies('kept_row', 'record');
COMMENT ON TABLE kept_row IS 'Rows that a hold keeps, out of reach | layer: governance | retention: hold | owner: operator';
CREATE INDEX kept_row_receipt ON kept_row (tenant_id, receipt_id) WHERE receipt_id IS NOT NULL;

-- A row that is deleted, by whatever way, stays as a copy where an open hold covers it: the row
-- itself, or anything that it names. Arguments: the table, its own id, the ids that it names.
CREATE FUNCTION keep_back() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = muniment, pg_temp AS $$
DECLARE
  gone jsonb;
  named uuid[];
  covering uuid[];
BEGIN
  IF NOT EXISTS (SELECT FROM hold h WHERE h.tenant_id = OLD.tenant_id AND h.released_at IS NULL) THEN
    RETURN NULL;
  END IF;
  gone := to_jsonb(OLD);
  named := ARRAY(SELECT (gone ->> a.name)::uuid FROM unnest(TG_ARGV[2:]) AS a (name) WHERE gone ->> a.name IS NOT NULL);
  covering := ARRAY(
    SELECT DISTINCT i.hold_id FROM hold_item i JOIN hold h USING (tenant_id, hold_id)
    WHERE i.tenant_id = OLD.tenant_id AND i.id = ANY(named) AND h.released_at IS NULL
      AND (i.whole OR i.id = (gone ->> TG_ARGV[1])::uuid));
  IF covering <> '{}' THEN
    INSERT INTO kept_row (tenant_id, source, change, ids, holds, record, receipt_id)
    VALUES (OLD.tenant_id, TG_ARGV[0], CASE TG_OP WHEN 'DELETE' THEN 'deleted' ELSE 'changed' END, named, covering,
            to_json(OLD), nullif(current_setting('muniment.receipt', true), '')::uuid);
  END IF;
  RETURN NULL;
END $$;

-- Every table with a scope, and that of users. Ids that a row names only as what came before or after
-- it, or as who wrote it, do not make it a part of them.
CREATE PROCEDURE muniment_meta.keep_held(target text) LANGUAGE plpgsql AS $$
DECLARE
  own text;
  names text;
BEGIN
  SELECT a.attname INTO own FROM pg_index i
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[i.indnkeyatts - 1]
  WHERE i.indrelid = format('muniment.%I', target)::regclass AND i.indisprimary AND a.atttypid = 'uuid'::regtype;
  SELECT string_agg(quote_literal(a.attname), ', ' ORDER BY a.attnum) INTO names FROM pg_attribute a
  WHERE a.attrelid = format('muniment.%I', target)::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'uuid'::regtype
    AND a.attname NOT IN ('tenant_id', 'key_id', 'written_by', 'created_by', 'superseded_by', 'ended_by', 'restores',
                          'incumbent_id', 'undoes', 'merged_into');
  EXECUTE format(
    'CREATE TRIGGER keep_back AFTER DELETE ON muniment.%I FOR EACH ROW'
    ' WHEN (current_setting(''muniment.held'', true) IS DISTINCT FROM ''none'')'
    ' EXECUTE FUNCTION muniment.keep_back(%L, %L, %s)', target, target, coalesce(own, ''), names);
END $$;

-- How many rows a forget left with a hold, how many each open hold keeps, and what goes with a hold
-- that was released: the rows that no other open hold covers.
CREATE FUNCTION kept_of(tenant uuid, receipt uuid) RETURNS TABLE (name text, rows bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
BEGIN ATOMIC
  SELECT k.source, count(*) FROM kept_row k
  WHERE k.tenant_id = tenant AND k.receipt_id = receipt AND k.change = 'deleted' GROUP BY k.source;
END;

CREATE FUNCTION kept_by(tenant uuid, held_by uuid) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
BEGIN ATOMIC
  SELECT count(*) FROM kept_row k WHERE k.tenant_id = tenant AND held_by = ANY(k.holds);
END;

CREATE FUNCTION keep_more(tenant uuid, held_by uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = muniment, pg_temp
BEGIN ATOMIC
  UPDATE kept_row k SET holds = k.holds || held_by
  WHERE k.tenant_id = tenant AND held_by <> ALL(k.holds)
    AND k.ids && ARRAY(SELECT i.id FROM hold_item i WHERE i.tenant_id = tenant AND i.hold_id = held_by AND i.whole);
END;

CREATE FUNCTION release_kept(tenant uuid, held_by uuid) RETURNS TABLE (name text, rows bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = muniment, pg_temp
BEGIN ATOMIC
  WITH gone AS (
    DELETE FROM kept_row k
    WHERE k.tenant_id = tenant AND held_by = ANY(k.holds)
      AND NOT EXISTS (SELECT FROM hold h WHERE h.tenant_id = tenant AND h.hold_id = ANY(k.holds) AND h.released_at IS NULL)
    RETURNING k.source)
  SELECT g.source, count(*) FROM gone g GROUP BY g.source;
END;

-- Whether a hold keeps anything of a forget still; the receipts of forgets of which none does any more,
-- and that one of these is erased now.
CREATE FUNCTION still_kept(tenant uuid, receipt uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
RETURN EXISTS (SELECT FROM kept_row k WHERE k.tenant_id = tenant AND k.receipt_id = receipt);

CREATE FUNCTION receipts_let_go(tenant uuid)
RETURNS TABLE (receipt_id uuid, target text, counts jsonb, held jsonb, hidden_at timestamptz, verified jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
BEGIN ATOMIC
  SELECT r.receipt_id, r.target, r.counts, r.held, r.hidden_at, r.verified FROM erasure_receipt r
  WHERE r.tenant_id = tenant AND r.state = 'hidden' AND NOT still_kept(tenant, r.receipt_id);
END;

CREATE FUNCTION receipt_erased(tenant uuid, receipt uuid, at timestamptz, hashed text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = muniment, pg_temp
BEGIN ATOMIC
  UPDATE erasure_receipt r SET state = 'erased', erased_at = at, digest = hashed
  WHERE r.tenant_id = tenant AND r.receipt_id = receipt AND r.state = 'hidden' AND NOT still_kept(tenant, receipt);
END;

REVOKE ALL ON FUNCTION keep_back, kept_of, kept_by, keep_more, release_kept, still_kept, receipts_let_go, receipt_erased FROM PUBLIC;
GRANT EXECUTE ON FUNCTION kept_of, kept_by, keep_more, release_kept, still_kept, receipts_let_go, receipt_erased TO muniment_app;

-- The lines of the erasure ledger that were carried out in this database. The ledger itself is a file
-- outside of it and of its backups: a line there and not here is carried out before serving.
CREATE TABLE erasure (
  tenant_id uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  entry_id  uuid NOT NULL,
  name_key  text, -- keyed digest of the user or session that takes no writes any more
  line      text NOT NULL,
  noted     bigint GENERATED ALWAYS AS IDENTITY, -- in which order
  PRIMARY KEY (tenant_id, entry_id)
);
COMMENT ON TABLE erasure IS 'What was erased and takes no writes, as keyed digests | layer: governance | retention: audit | owner: auditor';
CREATE INDEX erasure_name ON erasure (tenant_id, name_key) WHERE name_key IS NOT NULL;

-- A change of the rules waits until somebody else than who made it has looked.
CREATE TABLE rereview (
  tenant_id   uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  rereview_id uuid NOT NULL,
  changed     text NOT NULL CHECK (changed IN ('policy', 'slot', 'key', 'consent')),
  operation   text NOT NULL,
  detail      jsonb NOT NULL CHECK (jsonb_typeof(detail) = 'object'),
  ids         uuid[] NOT NULL,
  user_pk     uuid, -- whose consent it was
  asked       text NOT NULL CHECK (asked IN ('operator', 'admin', 'steward', 'auditor')),
  opened_by   uuid NOT NULL,
  opened_at   timestamptz NOT NULL,
  verdict     text CHECK (verdict IN ('approve', 'reject')),
  reason      text,
  decided_by  uuid,
  decided_at  timestamptz,
  PRIMARY KEY (tenant_id, rereview_id),
  FOREIGN KEY (tenant_id, user_pk) REFERENCES end_user ON DELETE CASCADE,
  CHECK (num_nonnulls(verdict, reason, decided_by, decided_at) IN (0, 4))
);
CALL muniment_meta.keep_no_copies('rereview', 'detail', 'reason');
COMMENT ON TABLE rereview IS 'Changes of the rules that a second person looks at | layer: governance | retention: tenant | owner: operator';
CREATE INDEX rereview_waiting ON rereview (tenant_id, rereview_id) WHERE decided_at IS NULL;
CREATE INDEX rereview_user ON rereview (tenant_id, user_pk);

CREATE TABLE job_failure (
  tenant_id uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  job_id    bigint NOT NULL,
  attempt   integer NOT NULL,
  code      text NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, job_id, attempt)
);
COMMENT ON TABLE job_failure IS 'Why an attempt of a job failed, by error code | layer: governance | retention: job | owner: operator';

-- A pass of the worker that would take too much of a tenant at once stops here.
CREATE TABLE worker_pass (
  tenant_id        uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  duty             text NOT NULL CHECK (duty IN ('expire', 'decay')),
  stopped_at       timestamptz, -- null once a pass went through
  due              bigint NOT NULL CHECK (due >= 0),
  held             bigint NOT NULL CHECK (held >= 0),
  released_through timestamptz, -- what was due by then may go, however much it is
  PRIMARY KEY (tenant_id, duty)
);
COMMENT ON TABLE worker_pass IS 'Passes of the worker that stopped, and what was let go on | layer: governance | retention: tenant | owner: operator';

CREATE TABLE model_budget (
  tenant_id    uuid PRIMARY KEY REFERENCES tenant ON DELETE CASCADE,
  window_start timestamptz NOT NULL,
  tokens       bigint NOT NULL CHECK (tokens >= 0)
);
COMMENT ON TABLE model_budget IS 'Tokens of language models that a tenant used in the current hour | layer: governance | retention: tenant | owner: operator';

-- What a write answered, so that sending it again answers the same and does nothing.
CREATE TABLE idempotency (
  tenant_id  uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  principal  identifier NOT NULL,
  key        identifier NOT NULL,
  operation  text NOT NULL,
  digest     bytea NOT NULL CHECK (octet_length(digest) = 32),
  user_id    identifier,
  ids        uuid[], -- of what else the answer names that can be forgotten
  response   bytea,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, principal, key)
);
COMMENT ON TABLE idempotency IS 'Answers to repeat for a day | layer: governance | retention: idempotency | owner: operator';
CALL muniment_meta.keep_no_copies('idempotency', 'principal', 'key', 'user_id', 'response');
CREATE INDEX idempotency_user ON idempotency (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX idempotency_age ON idempotency (tenant_id, created_at);
CREATE INDEX idempotency_ids ON idempotency USING gin (ids) WHERE ids IS NOT NULL;

-- Users on their way out of this service or into it. What waits here goes within a day, and with
-- whatever is forgotten of its user.
CREATE TABLE transfer (
  tenant_id   uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  transfer_id uuid NOT NULL,
  direction   text NOT NULL CHECK (direction IN ('out', 'in')),
  user_id     identifier NOT NULL,
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  done        jsonb, -- what an import made, once it has
  PRIMARY KEY (tenant_id, transfer_id)
);
COMMENT ON TABLE transfer IS 'Exports and imports under way | layer: governance | retention: transfer | owner: operator';
CALL muniment_meta.keep_no_copies('transfer', 'user_id');
CREATE INDEX transfer_user ON transfer (tenant_id, user_id);
CREATE INDEX transfer_age ON transfer (tenant_id, expires_at);

CREATE TABLE transfer_line (
  tenant_id   uuid NOT NULL,
  transfer_id uuid NOT NULL,
  line        bigint NOT NULL CHECK (line > 0),
  kind        text NOT NULL,
  namespace   identifier,
  record      jsonb NOT NULL CHECK (jsonb_typeof(record) = 'object'),
  keys        text[] NOT NULL DEFAULT '{}', -- digests of what it is named by, and of what it refers to
  refs        text[] NOT NULL DEFAULT '{}',
  recorded_at timestamptz, -- the latest moment of the service's record that it names
  PRIMARY KEY (tenant_id, transfer_id, line),
  FOREIGN KEY (tenant_id, transfer_id) REFERENCES transfer ON DELETE CASCADE
);
COMMENT ON TABLE transfer_line IS 'Lines of exports and imports under way | layer: governance | retention: transfer | owner: subject';
CALL muniment_meta.keep_no_copies('transfer_line', 'namespace', 'record', 'keys', 'refs');
CREATE INDEX transfer_line_kind ON transfer_line (tenant_id, transfer_id, kind, line);

-- Memories do not change, but where a turn that they rest on is erased: by these two functions, and
-- no role may do it otherwise. No grade, no confidence and no date rises by that.
CREATE FUNCTION reword_memory(
  tenant uuid, scope uuid, memory uuid, new_text text, new_detail text, new_agent text, new_metadata jsonb,
  new_alike bigint, new_said bigint
) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = muniment, pg_temp
BEGIN ATOMIC
  UPDATE memory m SET text = new_text, detail = new_detail, agent_id = new_agent, metadata = new_metadata, alike = new_alike,
      said = new_said
  WHERE m.tenant_id = tenant AND m.scope_id = scope AND m.memory_id = memory;
END;

CREATE FUNCTION regrade_version(
  tenant uuid, scope uuid, version uuid, since timestamptz, new_trust text, new_confidence double precision,
  new_observed_at timestamptz, new_expires_at timestamptz
) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = muniment, pg_temp
BEGIN ATOMIC
  UPDATE memory_version v
  SET recorded = tstzrange(greatest(lower(v.recorded), since), upper(v.recorded)), trust = new_trust,
      confidence = least(v.confidence, new_confidence), observed_at = least(v.observed_at, new_observed_at),
      expires_at = least(v.expires_at, new_expires_at)
  WHERE v.tenant_id = tenant AND v.scope_id = scope AND v.version_id = version;
END;

-- What is said elsewhere of versions that were erased, or go with their memories: of decisions that made or
-- ended them the nil UUID stays in their place, so that nobody takes those back in part.
CREATE FUNCTION forget_versions(tenant uuid, scope uuid, memories uuid[], versions uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = muniment, pg_temp AS $$
DECLARE
  gone uuid[] := versions || ARRAY(SELECT v.version_id FROM memory_version v
                                   WHERE v.tenant_id = tenant AND v.scope_id = scope AND v.memory_id = ANY(memories));
BEGIN
  UPDATE decision d
  SET ended = ARRAY(SELECT CASE WHEN e.id = ANY(gone) THEN '00000000-0000-0000-0000-000000000000' ELSE e.id END FROM unnest(d.ended) WITH ORDINALITY e (id, place) ORDER BY e.place),
      made = ARRAY(SELECT CASE WHEN m.id = ANY(gone) THEN '00000000-0000-0000-0000-000000000000' ELSE m.id END FROM unnest(d.made) WITH ORDINALITY m (id, place) ORDER BY m.place)
  WHERE d.tenant_id = tenant AND d.scope_id = scope AND (d.ended && gone OR d.made && gone);
END $$;

REVOKE ALL ON FUNCTION reword_memory, regrade_version, forget_versions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reword_memory, regrade_version, forget_versions TO muniment_app;

-- Every table of the schema as it is: what it says of itself, with which tables its rows go, whether a
-- hold keeps them, how many rows the tenant has, since when, and how many are past their time. What a
-- table has no date for has no oldest row. As the owner, since kept rows are read by nobody else.
CREATE FUNCTION governance_tables(
  tenant uuid, by_then timestamptz, classes text[], days int[], kinds text[], spans interval[]
) RETURNS TABLE (name text, comment text, columns text[], parents text[], held boolean, rows bigint, oldest timestamptz, overdue bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp AS $$
DECLARE
  t record;
  since text;
  late text;
BEGIN
  FOR t IN
    SELECT c.oid, c.relname,
           ARRAY(SELECT a.attname::text FROM pg_attribute a
                 WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS names,
           ARRAY(SELECT DISTINCT p.relname::text FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid
                 WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confdeltype = 'c' AND p.relname <> 'tenant'
                   AND NOT p.relispartition ORDER BY 1) AS above,
           EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 'keep_back') AS is_held,
           substring(obj_description(c.oid, 'pg_class') FROM 'retention: ([a-z_]+)') AS class
    FROM pg_class c
    WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  LOOP
    since := (SELECT CASE WHEN n.name = 'recorded' THEN 'lower(recorded)' ELSE quote_ident(n.name) END
              FROM unnest(ARRAY['recorded_at', 'recorded', 'created_at', 'at', 'decided_at', 'opened_at', 'placed_at', 'kept_at',
                                'hidden_at', 'erased_at', 'sealed_at', 'since', 'updated_at', 'changed_at', 'last_at', 'began_at',
                                'stopped_at', 'window_start']) WITH ORDINALITY AS n (name, place)
              JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = n.name AND NOT a.attisdropped
              ORDER BY n.place LIMIT 1);
    late := CASE
      WHEN t.relname = 'memory_version' THEN
        'upper_inf(recorded) AND expires_at + coalesce((SELECT g.span FROM memory m JOIN unnest($4, $5) AS g (kind, span) ON g.kind = m.kind'
        ' WHERE m.tenant_id = r.tenant_id AND m.scope_id = r.scope_id AND m.memory_id = r.memory_id), ''0'') <= $2'
      WHEN 'expires_at' = ANY(t.names) AND t.relname NOT IN ('api_key', 'memory_index') THEN 'expires_at <= $2'
      WHEN t.class = ANY(classes) AND since IS NOT NULL AND NOT 'expires_at' = ANY(t.names) THEN
        format('%s <= $2 - make_interval(days => $3)', since)
      ELSE 'false' END;
    EXECUTE format('SELECT count(*), min(%s), count(*) FILTER (WHERE %s) FROM %I r WHERE r.tenant_id = $1',
                   coalesce(since, 'NULL::timestamptz'), late, t.relname)
      INTO rows, oldest, overdue
      USING tenant, by_then, days[array_position(classes, t.class)], kinds, spans;
    name := t.relname; comment := obj_description(t.oid, 'pg_class'); columns := t.names; parents := t.above; held := t.is_held;
    RETURN NEXT;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION governance_tables FROM PUBLIC;
GRANT EXECUTE ON FUNCTION governance_tables TO muniment_app;

-- What a hold covers leaves a copy behind.
DO $$
DECLARE
  target text;
BEGIN
  FOR target IN
    SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('scope_id', 'user_pk') AND NOT a.attisdropped)
      AND c.relname <> 'hold'
    ORDER BY c.relname LOOP
    CALL muniment_meta.keep_held(target);
  END LOOP;
END $$;
CREATE TRIGGER keep_back_words AFTER UPDATE ON memory FOR EACH ROW
  WHEN (current_setting('muniment.held', true) IS DISTINCT FROM 'none'
        AND (OLD.text IS DISTINCT FROM NEW.text OR OLD.detail IS DISTINCT FROM NEW.detail
             OR OLD.agent_id IS DISTINCT FROM NEW.agent_id OR OLD.metadata IS DISTINCT FROM NEW.metadata))
  EXECUTE FUNCTION keep_back('memory', 'memory_id', 'scope_id', 'memory_id', 'subject_id');
-- A version of a document that another one replaces.
CREATE TRIGGER keep_back_words AFTER UPDATE ON knowledge_document FOR EACH ROW
  WHEN (current_setting('muniment.held', true) IS DISTINCT FROM 'none' AND OLD.version <> NEW.version)
  EXECUTE FUNCTION keep_back('knowledge_document', 'document_id', 'scope_id', 'document_id');
-- Rows of the tenant that name what a forget took, by table, as the schema has them: in these scopes
-- where rows lie in scopes. What proves the erasure (audit, receipts, the ledger) names ids and stays;
-- so does what a run recalled, by which it is told that an item was erased, and what a merge moved, by
-- which its undo knows that.
CREATE FUNCTION rows_mentioning(scopes uuid[], ids uuid[], names text[]) RETURNS TABLE (name text, rows bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  t record;
BEGIN
  FOR t IN
    SELECT c.relname, bool_or(a.attname = 'scope_id') AS scoped, bool_or(a.attname = 'source_scope_id') AS cites,
           string_agg(CASE WHEN a.atttypid = 'uuid'::regtype THEN format('%I = ANY($2)', a.attname)
                           WHEN a.atttypid = 'uuid[]'::regtype THEN format('%I && $2', a.attname)
                           WHEN a.attname = 'user_id' THEN format('%I = ANY($3)', a.attname) END, ' OR ') AS named
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attname <> 'tenant_id' AND (c.relname, a.attname) NOT IN (('run_input', 'item_id'), ('entity_merge', 'touched'))
      AND c.relname NOT IN ('audit_entry', 'audit_pending', 'audit_seal', 'erasure_receipt', 'erasure', 'hold', 'hold_item', 'kept_row')
    GROUP BY c.relname ORDER BY c.relname
  LOOP
    name := t.relname;
    rows := 0;
    IF t.named IS NOT NULL THEN
      EXECUTE format('SELECT count(*) FROM muniment.%I WHERE tenant_id = $4 AND (%s)', t.relname,
                     CASE WHEN t.scoped THEN format('scope_id = ANY($1) AND (%s)', t.named) ELSE t.named END
                     || CASE WHEN t.cites THEN ' OR source_scope_id = ANY($2)' ELSE '' END)
        INTO rows USING scopes, ids, names, nullif(current_setting('muniment.tenant_id', true), '')::uuid;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Who may do what -----------------------------------------------------------------------------

-- Both service roles read and add; what they may change or remove is named here, column by
-- column where only some may move. Audit is append-only: nobody updates, deletes or truncates.
DO $$
DECLARE
  t record;
BEGIN
  FOR t IN SELECT relname, relispartition FROM pg_class
           WHERE relnamespace = 'muniment'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname LOOP
    CALL muniment_meta.protect(t.relname);
    IF NOT t.relispartition THEN -- a partition is reached through its parent alone
      EXECUTE format('GRANT SELECT, INSERT ON muniment.%I TO muniment_app, muniment_worker', t.relname);
    END IF;
  END LOOP;
END $$;

CREATE POLICY worker_lists ON tenant FOR SELECT TO muniment_worker USING (true);
CREATE POLICY worker_lists ON audit_pending FOR SELECT TO muniment_worker USING (true);
-- How long the oldest entry waits for its seal, over all tenants: for alarms, which name none.
CREATE POLICY owner_counts ON audit_pending FOR SELECT TO muniment_owner USING (true);
CREATE FUNCTION seal_lag() RETURNS double precision LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
RETURN (SELECT coalesce(greatest(extract(epoch FROM clock_timestamp() - min(since)), 0), 0) FROM audit_pending);
REVOKE ALL ON FUNCTION seal_lag FROM PUBLIC;
GRANT EXECUTE ON FUNCTION seal_lag TO muniment_app, muniment_worker;
-- How many passes wait for an operator, over all tenants: for alarms, which name none.
CREATE POLICY owner_counts ON worker_pass FOR SELECT TO muniment_owner USING (true);
CREATE FUNCTION stopped_passes() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
RETURN (SELECT count(*) FROM worker_pass WHERE stopped_at > coalesce(released_through, '-infinity'));
REVOKE ALL ON FUNCTION stopped_passes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION stopped_passes TO muniment_app, muniment_worker;
-- How many changes of the rules wait for a second person, over all tenants: for alarms, which name none.
CREATE POLICY owner_counts ON rereview FOR SELECT TO muniment_owner USING (true);
CREATE FUNCTION open_rereviews() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
RETURN (SELECT count(*) FROM rereview WHERE decided_at IS NULL);
REVOKE ALL ON FUNCTION open_rereviews FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_rereviews TO muniment_app, muniment_worker;
-- The models whose vectors tenants have or are to have, over all tenants: for readiness.
CREATE POLICY owner_names ON tenant_embedding FOR SELECT TO muniment_owner USING (true);
CREATE FUNCTION models_in_use() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
RETURN (SELECT coalesce(array_agg(DISTINCT m.name), '{}') FROM tenant_embedding e
        CROSS JOIN LATERAL (VALUES (e.embedder), (CASE e.state WHEN 'building' THEN e.other END)) m (name) WHERE m.name IS NOT NULL);
REVOKE ALL ON FUNCTION models_in_use FROM PUBLIC;
GRANT EXECUTE ON FUNCTION models_in_use TO muniment_app, muniment_worker;
-- The erasure ledger as this database carried it out, over all tenants: for whoever writes it again.
CREATE POLICY owner_writes_again ON erasure FOR SELECT TO muniment_owner USING (true);
CREATE FUNCTION erasure_lines() RETURNS TABLE (tenant_id uuid, entry_id uuid, line text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
BEGIN ATOMIC
  SELECT e.tenant_id, e.entry_id, e.line FROM erasure e ORDER BY e.noted;
END;
CREATE FUNCTION erasures_carried_out() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
RETURN (SELECT count(*) FROM erasure);
REVOKE ALL ON FUNCTION erasure_lines, erasures_carried_out FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erasure_lines, erasures_carried_out TO muniment_app, muniment_worker;
-- Who scrubs looks for receipts of every tenant, and notes what became of the bytes.
CREATE POLICY owner_scrubs ON erasure_receipt TO muniment_owner USING (true);
-- How runs fare, over all tenants: for metrics, which name none. How many were gone on with after an
-- interruption, as far as that is decided; how many of these went on with no effect in doubt; effects in
-- doubt; requests that are open; and how long the oldest of them waits.
CREATE POLICY owner_counts ON run FOR SELECT TO muniment_owner USING (true);
CREATE POLICY owner_counts ON run_checkpoint FOR SELECT TO muniment_owner USING (true);
CREATE POLICY owner_counts ON tool_call FOR SELECT TO muniment_owner USING (true);
CREATE POLICY owner_counts ON approval FOR SELECT TO muniment_owner USING (true);
CREATE FUNCTION run_figures(now timestamptz) RETURNS double precision[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
RETURN (
  WITH doubt AS (
    SELECT c.tenant_id, c.scope_id, c.run_id FROM tool_call c
    JOIN run r ON r.tenant_id = c.tenant_id AND r.scope_id = c.scope_id AND r.run_id = c.run_id
    WHERE c.state IN ('claimed', 'in_doubt') AND c.effect = 'write' AND NOT c.idempotent
      AND (c.state = 'in_doubt' OR c.fence < r.fence OR r.lease_expires_at <= now OR r.closed_at IS NOT NULL)
  ), resumed AS (
    SELECT EXISTS (SELECT FROM doubt d WHERE d.tenant_id = r.tenant_id AND d.scope_id = r.scope_id AND d.run_id = r.run_id) AS in_doubt,
           r.outcome IS DISTINCT FROM 'abandoned' AND (r.closed_at IS NOT NULL OR EXISTS (
             SELECT FROM run_checkpoint k
             WHERE k.tenant_id = r.tenant_id AND k.scope_id = r.scope_id AND k.run_id = r.run_id AND k.step = r.step
               AND k.fence = r.fence)) AS went_on,
           r.closed_at IS NOT NULL OR r.lease_expires_at <= now AS over
    FROM run r WHERE r.resumed > 0
  ), waiting AS (
    SELECT count(*) AS requests, extract(epoch FROM now - min(a.requested_at)) AS oldest FROM approval a
    JOIN run r ON r.tenant_id = a.tenant_id AND r.scope_id = a.scope_id AND r.run_id = a.run_id
    WHERE a.decision IS NULL AND a.expires_at > now AND r.closed_at IS NULL
  )
  SELECT ARRAY[
    (SELECT count(*) FROM resumed WHERE went_on OR in_doubt OR over), (SELECT count(*) FROM resumed WHERE went_on AND NOT in_doubt),
    (SELECT count(*) FROM doubt), w.requests, greatest(coalesce(w.oldest, 0), 0)]::double precision[]
  FROM waiting w);
REVOKE ALL ON FUNCTION run_figures FROM PUBLIC;
GRANT EXECUTE ON FUNCTION run_figures TO muniment_app, muniment_worker;
-- Shared knowledge is searched by the owner of the tables: an index that orders by distance or looks for
-- words is of no use below row-level security. The functions ask for the tenant of the transaction, in the
-- partition of one scope, and answer ids alone; whoever asks reads the rows under its own policies.
DO $$
DECLARE
  t record;
BEGIN
  FOR t IN SELECT relname FROM pg_class
           WHERE relnamespace = 'muniment'::regnamespace AND relkind IN ('r', 'p') AND relname ~ '^knowledge_(chunk|document)(_p[0-9]+)?$' LOOP
    EXECUTE format('CREATE POLICY owner_searches ON muniment.%I FOR SELECT TO muniment_owner USING (true)', t.relname);
  END LOOP;
END $$;

-- Ids of the chunks of a scope that may answer: the nearest, and those with the rarest of the words sought.
-- `held`: how many chunks there are to look through. Few are compared one by one; many by the graph, which
-- goes on until enough of the tenant's own are found. `frequencies`: in how many chunks each word is; one
-- that is in more than are read is estimated by how far into the table these reach. What a condition on a
-- leaf is worth is not left to the planner: IS TRUE keeps keys of the scope out of it.
CREATE FUNCTION knowledge_candidates(
  scope uuid, vector halfvec, sought bigint[], at timestamptz, documents uuid[], held bigint, nearest int, worded int, place text
) RETURNS TABLE (chunk_id uuid, frequencies bigint[]) LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = muniment, public, pg_temp SET enable_seqscan = off SET enable_sort = off SET jit = off
SET hnsw.iterative_scan = 'relaxed_order' SET hnsw.ef_search = 600 SET hnsw.max_scan_tuples = 40000 AS $$
DECLARE
  tenant uuid := nullif(current_setting('muniment.tenant_id', true), '')::uuid;
  own text := 'c.tenant_id = $1 AND c.scope_id = $2';
  filter text := 'c.valid @> $3';
  leaf text;
  near uuid[];
BEGIN
  SELECT c.tableoid::regclass::text INTO leaf FROM knowledge_chunk c WHERE c.tenant_id = tenant AND c.scope_id = scope LIMIT 1;
  IF leaf IS NULL THEN
    RETURN;
  END IF;
  IF documents IS NOT NULL THEN
    filter := filter || ' AND c.document_id = ANY($4)';
  END IF;
  IF held > 5000 THEN
    own := '(c.tenant_id = $1) IS TRUE AND (c.scope_id = $2) IS TRUE';
  END IF;
  IF vector IS NOT NULL THEN
    -- The graph is of the static table's vectors; those of a model are compared one by one.
    EXECUTE format('SELECT array_agg(n.chunk_id) FROM (SELECT c.chunk_id FROM %s c WHERE %s AND %s AND c.%I IS NOT NULL ORDER BY %s LIMIT %s) n',
                   leaf, CASE WHEN place = 'emb' THEN own ELSE 'c.tenant_id = $1 AND c.scope_id = $2' END, filter, place,
                   CASE WHEN held > 5000 AND place = 'emb' THEN 'c.emb <#> $5' ELSE format('(c.%I <#> $5) + 0', place) END, nearest)
      INTO near USING tenant, scope, at, documents, vector;
  END IF;
  RETURN QUERY EXECUTE format(
    'WITH hit AS MATERIALIZED ('
    '  SELECT k.place, x.chunk_id, x.ctid FROM unnest($5) WITH ORDINALITY AS k (key, place)'
    '  CROSS JOIN LATERAL (SELECT c.chunk_id, c.ctid FROM %1$s c WHERE c.keys @> ARRAY[k.key] AND %2$s AND %3$s LIMIT 1000) x'
    '), word AS MATERIALIZED ('
    '  SELECT place, CASE WHEN count(*) < 1000 THEN count(*) ELSE'
    '    least($7, (1000 * pg_relation_size(%1$L) / 8192 / (1 + (max(ctid)::text::point)[0]::bigint)))::bigint END AS frequency'
    '  FROM hit GROUP BY place'
    '), rare AS MATERIALIZED ('
    '  SELECT place, ln(1 + ($7 - least(frequency, $7) + 0.5::float8) / (frequency + 0.5::float8)) AS weight FROM word'
    '), best AS ('
    '  SELECT h.chunk_id FROM hit h JOIN rare w USING (place) GROUP BY h.chunk_id ORDER BY sum(w.weight) DESC, h.chunk_id LIMIT %4$s'
    '), whole AS ('
    '  SELECT c.chunk_id FROM %1$s c WHERE cardinality($5) > 1 AND c.keys @> $5 AND %2$s AND %3$s LIMIT %4$s'
    ')'
    ' SELECT f.chunk_id, (SELECT array_agg(coalesce(w.frequency, 0) ORDER BY place)'
    '                     FROM generate_series(1, cardinality($5)) AS p (place) LEFT JOIN word w USING (place))'
    ' FROM (SELECT b.chunk_id FROM best b UNION SELECT w.chunk_id FROM whole w UNION SELECT unnest($6)) f',
    leaf, own, filter, worded)
    USING tenant, scope, at, documents, sought, coalesce(near, '{}'), held;
END $$;
REVOKE ALL ON FUNCTION knowledge_candidates FROM PUBLIC;
GRANT EXECUTE ON FUNCTION knowledge_candidates TO muniment_app, muniment_worker;

-- How many documents and chunks there are, over all tenants: for metrics, which name none.
CREATE FUNCTION knowledge_figures() RETURNS double precision[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp
RETURN (SELECT ARRAY[count(*), coalesce(sum(d.chunks), 0)]::double precision[] FROM knowledge_document d WHERE NOT d.waits);
REVOKE ALL ON FUNCTION knowledge_figures FROM PUBLIC;
GRANT EXECUTE ON FUNCTION knowledge_figures TO muniment_app, muniment_worker;
REVOKE INSERT ON tenant, tenant_policy, tenant_slot, api_key FROM muniment_worker;
REVOKE INSERT ON audit_seal, job_failure FROM muniment_app;

GRANT UPDATE (revoked_at, user_id, principal) ON api_key TO muniment_app;
GRANT UPDATE (opted_out_at) ON end_user TO muniment_app;
GRANT UPDATE (version, rebuilt, watermark, curated_at, gathered_at, summed_to, chunks, items, bytes) ON scope_state TO muniment_app, muniment_worker;
GRANT UPDATE (last_event_at, dirty_since, closed_at, outcome, use_case, no_store, extracted_at, transcribed_at) ON session TO muniment_app, muniment_worker;
GRANT UPDATE (value, version, updated_at, expires_at) ON working_item TO muniment_app;
GRANT UPDATE (expires_at), DELETE ON store_item TO muniment_app;
GRANT DELETE ON store_item TO muniment_worker;

GRANT UPDATE (ended_at), DELETE ON file_version TO muniment_app;
GRANT UPDATE (kind, name, defined, merged_into) ON entity TO muniment_app, muniment_worker;
GRANT UPDATE (undone_at) ON entity_merge TO muniment_app;
GRANT UPDATE ON tenant_policy, tenant_slot TO muniment_app;
GRANT INSERT, UPDATE ON tenant_embedding TO muniment_app;
GRANT UPDATE ON tenant_embedding, tenant_policy TO muniment_worker;
GRANT UPDATE (emb, emb_a, emb_b) ON knowledge_chunk TO muniment_worker;
GRANT UPDATE (vectors, vectors_a, vectors_b) ON store_item TO muniment_worker;
GRANT DELETE ON tenant_slot TO muniment_app;
GRANT UPDATE (name_key) ON erasure TO muniment_app;
GRANT UPDATE (erased_turns) ON session TO muniment_app;
GRANT UPDATE (expires_at) ON event, episode TO muniment_app;
GRANT UPDATE (standing, kept, rule, retention_class) ON event TO muniment_app;
GRANT DELETE ON review TO muniment_app;
GRANT UPDATE (decision, granted, note, decided_by, decided_at, used_for) ON approval TO muniment_app;
GRANT UPDATE ON tool TO muniment_app;
GRANT UPDATE, DELETE ON data_source TO muniment_app;
GRANT UPDATE (state, attempt, fence, step, claimed_at, recorded_at, result, result_digest, happened, reason, settled_by) ON tool_call TO muniment_app;
GRANT UPDATE (stage, step, cost, fence, lease_seconds, lease_expires_at, resumed, bytes, closed_at, outcome, correction, told) ON run TO muniment_app;
GRANT UPDATE (superseded_from) ON run_fact TO muniment_app;
GRANT UPDATE (step, recalled_at, seen_at, as_of, known_at, expires_at, until, acknowledged, acknowledged_at), DELETE ON run_input TO muniment_app;
GRANT UPDATE (last) ON artifact TO muniment_app;
GRANT DELETE ON run TO muniment_worker;
GRANT UPDATE (bytes, touched_at), DELETE ON thread TO muniment_app, muniment_worker;
GRANT UPDATE (parent_id, type, data, pieces, versions, partial, labels, run_id, digest, recorded_at), DELETE ON thread_checkpoint TO muniment_app;
GRANT UPDATE (task_path, channel, type, data, pieces, recorded_at), DELETE ON thread_write TO muniment_app;
GRANT DELETE ON thread_value, thread_piece TO muniment_app;
GRANT UPDATE (version, title, format, text, owner, data_source, metadata, redacted, valid, recorded_at, chunks, category, retention_class, key_id,
              expires_at), DELETE ON knowledge_document TO muniment_app;
GRANT UPDATE (expires_at), DELETE ON knowledge_document TO muniment_worker;
GRANT DELETE ON knowledge_chunk TO muniment_app;
GRANT UPDATE (recorded) ON episode TO muniment_app, muniment_worker;
GRANT UPDATE (recorded, ended_by) ON memory_version TO muniment_app, muniment_worker;
GRANT UPDATE (withdrawn) ON memory_evidence TO muniment_app, muniment_worker;
GRANT UPDATE (cardinality, expires_at, retracted) ON memory_version TO muniment_app;
GRANT UPDATE ON memory_index, access TO muniment_app, muniment_worker;
GRANT DELETE ON end_user, scope, session, event, episode, working_item, entity, entity_alias, memory, memory_version, memory_evidence, memory_index, access, recall_log, extraction,
  analysis
  TO muniment_app, muniment_worker;
GRANT UPDATE (expires_at, done) ON transfer TO muniment_app;
GRANT DELETE ON transfer, transfer_line TO muniment_app, muniment_worker;
GRANT UPDATE (verdict, reason, decided_by, decided_at) ON rereview TO muniment_app;
REVOKE SELECT, INSERT ON kept_row FROM muniment_app, muniment_worker;
REVOKE INSERT ON hold FROM muniment_worker;
GRANT UPDATE (released_by, released_at, release_reason, reason, user_key, data_source, names, filter) ON hold TO muniment_app;
GRANT UPDATE (user_pk) ON hold TO muniment_app, muniment_worker;
GRANT UPDATE (whole), DELETE ON hold_item TO muniment_app, muniment_worker;
GRANT DELETE ON audit_pending TO muniment_worker;
GRANT UPDATE, DELETE ON job_failure TO muniment_worker;
GRANT UPDATE ON worker_pass TO muniment_app, muniment_worker;
GRANT UPDATE ON model_budget TO muniment_app, muniment_worker;
GRANT UPDATE, DELETE ON idempotency TO muniment_app, muniment_worker;
