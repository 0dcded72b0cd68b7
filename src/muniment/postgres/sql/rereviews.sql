-- Changes of the rules that a second person has to look at.

-- name: rereview_open
INSERT INTO rereview (tenant_id, rereview_id, changed, operation, detail, ids, user_pk, asked, opened_by, opened_at)
VALUES (%(tenant_id)s, %(rereview_id)s, %(changed)s, %(operation)s, %(detail)s, %(ids)s::uuid[], %(user_pk)s, %(asked)s,
        %(key_id)s, %(now)s);

-- name: rereview_opened
-- Whoever decides on it waits here for who is at it.
SELECT r.opened_by, (SELECT k.principal FROM api_key k WHERE k.tenant_id = %(tenant_id)s AND k.key_id = r.opened_by) AS principal,
       r.decided_at IS NOT NULL AS decided
FROM rereview r WHERE r.tenant_id = %(tenant_id)s AND r.rereview_id = %(rereview_id)s FOR UPDATE OF r;

-- name: rereview_decide
UPDATE rereview SET verdict = %(verdict)s, reason = %(reason)s, decided_by = %(key_id)s, decided_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND rereview_id = %(rereview_id)s;

-- name: rereview_page
SELECT rereview_id, changed, operation, detail, ids, asked, opened_by, opened_at, verdict, reason, decided_by, decided_at
FROM rereview
WHERE tenant_id = %(tenant_id)s AND rereview_id > %(after)s AND (%(decided)s OR decided_at IS NULL)
ORDER BY rereview_id LIMIT %(limit)s;

-- name: open_rereviews
SELECT open_rereviews();
