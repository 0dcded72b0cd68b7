-- name: model_budget_take
-- Tokens that are about to be used count at once, whoever else takes some. No row if they are more
-- than what is left of the hour; the first of an hour always may, so that nothing waits for ever.
INSERT INTO model_budget AS b (tenant_id, window_start, tokens)
VALUES (%(tenant_id)s, %(window)s, %(tokens)s)
ON CONFLICT (tenant_id) DO UPDATE
SET tokens = CASE WHEN b.window_start < excluded.window_start THEN excluded.tokens ELSE b.tokens + excluded.tokens END,
    window_start = greatest(b.window_start, excluded.window_start)
WHERE b.window_start < excluded.window_start OR b.tokens = 0 OR b.tokens + excluded.tokens <= %(budget)s
RETURNING tokens;

-- name: model_budget_settle
-- What was used in truth was more or less; an hour that is over does not matter any more.
UPDATE model_budget SET tokens = greatest(tokens + %(difference)s, 0)
WHERE tenant_id = %(tenant_id)s AND window_start = %(window)s;
