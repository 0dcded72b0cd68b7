"""Keys of a user who is forgotten.

| key | after |
|---|---|
| of that user | ended now, unless it had ended before; names nobody |
| of another user, of no user | as before |
| of a user of whom nothing was ever written | ends with them too |
| a new one of that user | refused until they are reopened |
"""

from typing import Any

import pytest

from muniment.errors import Forgotten, Unauthenticated
from muniment.postgres.embedded import ADMIN
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

PUT: dict[str, Any] = {"user_id": "u", "session_id": "s", "key": "k", "value": 1}


async def keys(tenant: Tenant) -> dict[str, Any]:
    """Every key but the admin's, by its id."""
    listed = (await tenant("keys.list")).items
    return {str(key.key_id): key for key in listed if key.principal != "admin"}


@pytest.mark.parametrize("written", [True, False])
async def test_keys_of_the_user_end(service: Local, tenant: Tenant, written: bool) -> None:
    if written:
        await tenant("working.put", **PUT)
    theirs = await tenant("keys.create", principal="phone of u", user_id="u")
    ended = await tenant("keys.create", principal="tablet of u", user_id="u")
    others = [
        await tenant("keys.create", principal="phone of v", user_id="v"),
        await tenant("keys.create", principal="everybody's"),
    ]
    await tenant("keys.revoke", key_id=ended.key_id)
    before = await keys(tenant)
    service.clock.advance(hours=1)
    dry = await tenant("forget", user_id="u", dry_run=True)
    assert await keys(tenant) == before
    done = await tenant("forget", user_id="u")
    assert done.counts == dry.counts
    assert done.counts["api_key"] == 2
    after = await keys(tenant)
    gone = [after[str(key.key_id)] for key in (theirs, ended)]
    assert [(key.principal, key.user_id) for key in gone] == [("forgotten", None)] * 2
    assert [key.revoked_at for key in gone] == [service.clock.now(), START]
    for key in others:
        assert after[str(key.key_id)] == before[str(key.key_id)]
    with pytest.raises(Unauthenticated):
        await tenant("working.put", _as=theirs.secret, **PUT)
    await tenant("working.put", _as=others[0].secret, **(PUT | {"user_id": "v"}))
    assert (await tenant("forget", user_id="u")).counts == {}


async def test_a_forgotten_user_gets_no_key(tenant: Tenant) -> None:
    await tenant("working.put", **PUT)
    await tenant("forget", user_id="u")
    with pytest.raises(Forgotten):
        await tenant("keys.create", principal="phone of u", user_id="u")
    assert await keys(tenant) == {}
    await tenant("users.reopen", user_id="u")
    await tenant("keys.create", principal="phone of u", user_id="u")


async def test_who_forgets_themselves(tenant: Tenant) -> None:
    key = await tenant.key_for(user_id="u", verbs=["write", "forget"])
    await tenant("working.put", _as=key, **PUT)
    assert (await tenant("forget", _as=key, user_id="u")).counts["api_key"] == 1
    with pytest.raises(Unauthenticated):
        await tenant("forget", _as=key, user_id="u")


async def test_a_part_leaves_the_keys(tenant: Tenant) -> None:
    await tenant("working.put", **PUT)
    key = await tenant.key_for(user_id="u")
    done = await tenant("forget", user_id="u", session_id="s")
    assert "api_key" not in done.counts
    await tenant("working.put", _as=key, **(PUT | {"session_id": "another"}))


async def test_answers_that_name_a_forgotten_session_are_not_repeated(
    database: Database, tenant: Tenant
) -> None:
    for number, session in enumerate(("merganser", "other")):
        await tenant.once(
            f"put {number}", "working.put", **(PUT | {"session_id": session, "key": session})
        )
    await tenant.once("close", "sessions.close", user_id="u", session_id="merganser")
    await tenant("forget", user_id="u", session_id="merganser")
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT convert_from(response, 'UTF8') FROM muniment.idempotency WHERE tenant_id = %s",
            [tenant.tenant_id],
        ).fetchall()
    assert rows == [(None,)] * 3


async def test_jobs_about_what_is_forgotten_go(database: Database, tenant: Tenant) -> None:
    said = {"turn": 1, "role": "user", "content": "I live in Gouda.", "occurred_at": START}
    for user, session in (("u", "s"), ("u", "t"), ("v", "s")):
        await tenant("events.write", user_id=user, session_id=session, events=[said])
        await tenant("sessions.close", user_id=user, session_id=session)
    assert (await tenant("forget", user_id="u", session_id="s")).counts["job"] == 1
    assert (await tenant("forget", user_id="u")).counts["job"] == 1
    assert len((await tenant("jobs.list")).items) == 1
