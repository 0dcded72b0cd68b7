-- name: episode_current
SELECT episode_id, text, outcome, through_turn FROM episode
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND session_pk = %(session_pk)s AND upper_inf(recorded);

-- name: episode_end
UPDATE episode SET recorded = tstzrange(lower(recorded), %(at)s)
WHERE tenant_id = %(tenant_id)s AND scope_id = %(scope_id)s AND episode_id = %(episode_id)s;

-- name: episode_insert
INSERT INTO episode (
  tenant_id, scope_id, episode_id, session_pk, text, outcome, started_at, ended_at, through_turn, recorded,
  trust, importance, category, retention_class, expires_at, knowledge
) VALUES (
  %(tenant_id)s, %(scope_id)s, %(episode_id)s, %(session_pk)s, %(text)s, %(outcome)s, %(started_at)s,
  %(ended_at)s, %(through_turn)s, tstzrange(%(recorded_at)s, NULL), %(trust)s, %(importance)s,
  %(category)s, %(retention_class)s, %(expires_at)s, %(knowledge)s::jsonb
);

-- name: episode_source_insert
INSERT INTO episode_source (tenant_id, scope_id, episode_id, event_id)
VALUES (%(tenant_id)s, %(scope_id)s, %(episode_id)s, %(event_id)s);
