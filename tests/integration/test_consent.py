"""Sessions that store nothing, users who opted out (RULES 2.2).

| given | when | then |
|---|---|---|
| nothing | sessions.open | a session that stores; again: the same |
| nothing | sessions.open with no_store | a session that stores nothing |
| that | events.write, remember that cites it | WritesRefused; nothing stored |
| that | working memory, recall, close | as ever; the log of recalls has ids alone |
| that | sessions.open without no_store | stays so |
| that | sessions.open with no_store false | stores from here on |
| a session with turns | sessions.open with no_store | they stay; from here on none is taken, none is cited |
| an unknown or known user | users.opt_out | every write about them is WritesRefused; reads and forget go on |
| that | users.opt_out again | the same moment |
| that | users.opt_in | writes are taken again |
| an unknown user | users.opt_in | NotFound |
| a user who opted out | forget, then opt_out | refused still |
| a key of one user | opts another out | Forbidden |
"""

from typing import Any

import pytest

from muniment.errors import Forbidden, InvalidInput, NotFound, WritesRefused
from tests.integration.forgetting import mentions, turn
from tests.support.databases import Database
from tests.support.world import Local, Tenant

PLACE = {"user_id": "u", "session_id": "s"}
CITES = {"session_id": "s", "turn": 1}
FACT: dict[str, Any] = {"kind": "fact", "user_id": "u", "text": "Keeps kestrels."}
QUALITY: dict[str, Any] = {"kind": "data_quality", "text": "The kestrels table lags."}


async def write(tenant: Tenant, number: int = 1, **more: Any) -> Any:
    """One turn of session s of user u."""
    return await tenant(
        "events.write", **(PLACE | {"events": [turn(number, "I keep kestrels.")]} | more)
    )


async def test_a_session_is_opened(service: Local, tenant: Tenant) -> None:
    made = await tenant("sessions.open", **PLACE)
    assert (made.session_id, made.no_store, made.events, made.dirty) == ("s", False, 0, False)
    service.clock.advance(seconds=5)
    assert await tenant("sessions.open", **PLACE) == made
    assert await tenant("sessions.get", **PLACE) == made
    assert (await write(tenant)).stored == 1


async def test_a_session_that_stores_nothing(database: Database, tenant: Tenant) -> None:
    assert (await tenant("sessions.open", **PLACE, no_store=True)).no_store
    with pytest.raises(WritesRefused):
        await write(tenant)
    for told in (FACT | {"evidence": [CITES]}, QUALITY | {"evidence": [CITES | {"user_id": "u"}]}):
        with pytest.raises(WritesRefused):
            await tenant("memories.remember", **told)
    assert mentions(database, tenant, "kestrels") == []
    assert (await write(tenant, session_id="other")).stored == 1


async def test_what_a_silent_session_may(
    database: Database, service: Local, tenant: Tenant
) -> None:
    await tenant("sessions.open", **PLACE, no_store=True)
    await tenant("working.put", **PLACE, key="k", value=1)
    assert (await tenant("working.get", **PLACE, key="k")).value == 1
    await tenant("recall", **PLACE, query="Who keeps kestrels?", run_id="r")
    await tenant("recall", **PLACE, query="Who keeps kestrels?")
    await service.recalls.flush()
    assert mentions(database, tenant, "kestrels") == []
    closed = await tenant("sessions.close", **PLACE)
    assert (closed.job_id, closed.session.no_store) == (None, True)


async def test_it_says_so_by_itself_alone(tenant: Tenant) -> None:
    await tenant("sessions.open", **PLACE, no_store=True)
    assert (await tenant("sessions.open", **PLACE)).no_store
    assert not (await tenant("sessions.open", **PLACE, no_store=False)).no_store
    assert (await write(tenant)).stored == 1


async def test_from_here_on(tenant: Tenant) -> None:
    await write(tenant)
    await tenant("sessions.open", **PLACE, no_store=True)
    with pytest.raises(WritesRefused):
        await write(tenant, 2)
    with pytest.raises(WritesRefused):
        await tenant("memories.remember", **FACT, evidence=[CITES])
    assert (await tenant("sessions.get", **PLACE)).kept == 1
    await tenant("sessions.open", **PLACE, no_store=False)
    assert (await tenant("memories.remember", **FACT, evidence=[CITES])).outcome == "inserted"
    with pytest.raises(InvalidInput):
        await tenant("memories.remember", **FACT, evidence=[CITES | {"turn": 9}])


@pytest.mark.parametrize("known", [True, False])
async def test_who_opted_out(service: Local, tenant: Tenant, known: bool) -> None:
    if known:
        await write(tenant)
    out = await tenant("users.opt_out", user_id="u")
    assert (out.user_id, out.opted_out_at) == ("u", service.clock.now())
    service.clock.advance(seconds=5)
    assert await tenant("users.opt_out", user_id="u") == out
    writes: list[tuple[str, dict[str, Any]]] = [
        ("events.write", PLACE | {"events": [turn(2, "I keep kestrels.")]}),
        ("memories.remember", FACT),
        ("working.put", PLACE | {"key": "k", "value": 1}),
        ("sessions.open", PLACE),
    ]
    for name, given in writes:
        with pytest.raises(WritesRefused):
            await tenant(name, **given)
        with pytest.raises(WritesRefused):
            await tenant(name, **given, namespace="other")
    view = await tenant("recall", user_id="u", query="Who keeps kestrels?")
    assert len(view.items) == known
    assert (await tenant("users.opt_in", user_id="u")).opted_out_at is None
    assert (await write(tenant, 2)).stored == 1


async def test_opting_out_after_a_forget(tenant: Tenant) -> None:
    await write(tenant)
    await tenant("forget", user_id="u")
    await tenant("users.opt_out", user_id="u")
    with pytest.raises(WritesRefused):
        await write(tenant)
    assert (await tenant("forget", user_id="u", dry_run=True)).counts == {"end_user": 1}


async def test_who_may(tenant: Tenant) -> None:
    with pytest.raises(NotFound):
        await tenant("users.opt_in", user_id="nobody")
    own = await tenant.key_for(user_id="u", verbs=["read", "write", "forget"])
    assert (await tenant("users.opt_out", _as=own, user_id="u")).opted_out_at
    for name, user in (("users.opt_out", "v"), ("users.opt_in", "u")):
        with pytest.raises(Forbidden):
            await tenant(name, _as=own, user_id=user)
