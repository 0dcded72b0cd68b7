-- Idempotency keys, and what each scope stores.

CREATE PROCEDURE muniment_meta.protect(target text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE muniment.%I ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE muniment.%I FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY of_tenant ON muniment.%I USING (tenant_id = nullif(current_setting(%L, true), %L)::uuid)',
                 target, 'muniment.tenant_id', '');
END $$;

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
CALL muniment_meta.protect('idempotency');

-- What a scope stores, for quotas; counted where its row lock is held anyway.
ALTER TABLE scope_state ADD COLUMN items bigint NOT NULL DEFAULT 0;
ALTER TABLE scope_state ADD COLUMN bytes bigint NOT NULL DEFAULT 0;

GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency TO muniment_app, muniment_worker;
GRANT UPDATE (items, bytes) ON scope_state TO muniment_app, muniment_worker;
