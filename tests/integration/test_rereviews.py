"""Changes of the rules wait for somebody else (item "re-review" of governance).

| change | opens | asks |
|---|---|---|
| policy.put of another document | the places that differ | auditor |
| policy.put of the same document | nothing | |
| slots.define, slots.remove | the slot | steward |
| slots.define as it is | nothing | |
| keys.create with more than read and write, or with audit or governance | the rights | admin |
| keys.create with less | nothing | |
| users.opt_in of who had opted out | that somebody is remembered again; goes with the user | auditor |
| users.opt_in of who had not | nothing | |
| a change that is refused | nothing | |

| decided by | |
|---|---|
| who made it; another key of the same principal | own_request |
| another principal with `review` and the layer | once; again: Conflict |
| a key without the verb or the layer, or of one user | Forbidden |
| of another tenant, of nothing | NotFound |
"""

from typing import Any
from uuid import UUID

import psycopg
import pytest

from muniment.errors import Conflict, Forbidden, InvalidInput, NotFound, OwnRequest
from muniment.postgres.checks import rereviews_problem
from muniment.postgres.embedded import ADMIN, APP
from muniment.postgres.watched import open_rereviews
from tests.support.databases import Database
from tests.support.world import Local, Tenant, local_service

REVIEWER = {"principal": "second", "verbs": ["review"], "layers": ["governance"]}


async def waiting(tenant: Tenant, **more: Any) -> list[Any]:
    return list((await tenant("rereviews.list", **more)).items)


async def test_the_policy(tenant: Tenant) -> None:
    document = {"kinds": {"finding": {"ttl": 30}}, "working": {"ttl_hours": 12}}
    await tenant("policy.put", document=document)
    (item,) = await waiting(tenant)
    assert (item.changed, item.operation, item.asked) == ("policy", "policy.put", "auditor")
    assert item.detail["places"] == ["kinds.finding", "working.ttl_hours"]
    await tenant("policy.put", document=document)
    with pytest.raises(InvalidInput):
        await tenant("policy.put", document={"kinds": 1})
    assert len(await waiting(tenant)) == 1
    (entry, _) = (await tenant("audit.list", operation="policy.put")).items[::-1]
    assert item.rereview_id in entry.subjects


async def test_slots_keys_and_consent(tenant: Tenant) -> None:
    await tenant("slots.define", name="boat", cardinality="many")
    await tenant("slots.define", name="boat", cardinality="many")
    await tenant("slots.remove", name="boat")
    made = await tenant(
        "keys.create", principal="p", verbs=["read", "forget"], layers=["episodic", "audit"]
    )
    await tenant("keys.create", principal="p", verbs=["read"], layers=["episodic"])
    await tenant("users.opt_out", user_id="u")
    await tenant("users.opt_in", user_id="u")
    await tenant("users.opt_in", user_id="u")
    found = await waiting(tenant)
    assert [(one.changed, one.operation, one.asked) for one in found] == [
        ("slot", "slots.define", "steward"), ("slot", "slots.remove", "steward"),
        ("key", "keys.create", "admin"), ("consent", "users.opt_in", "auditor"),
    ]  # fmt: skip
    assert found[0].detail["slot"] == "boat"
    assert found[2].detail == {"verbs": ["forget"], "layers": ["audit"]}
    assert found[2].ids == (made.key_id,)
    assert (await tenant("forget", user_id="u")).counts["rereview"] == 1
    assert len(await waiting(tenant)) == 3


async def test_who_decides(service: Local, tenant: Tenant) -> None:
    second = await tenant.key_for(**REVIEWER)
    operator = await tenant.key_for(
        principal="op", verbs=["operate", "review"], layers=["governance"]
    )
    twin = await tenant.key_for(principal="op", verbs=["review"], layers=["governance"])
    for item in await waiting(tenant):
        await tenant(
            "rereviews.decide",
            _as=second,
            rereview_id=item.rereview_id,
            verdict="approve",
            reason="Right.",
        )
    await tenant("slots.define", _as=operator, name="boat", cardinality="many")
    (item,) = await waiting(tenant)
    said = {"rereview_id": item.rereview_id, "verdict": "reject", "reason": "No boats."}
    for key in (operator, twin):
        with pytest.raises(OwnRequest):
            await tenant("rereviews.decide", _as=key, **said)
    bare = await tenant.key_for(verbs=["review"], layers=["semantic"])
    reader = await tenant.key_for(verbs=["read"], layers=["governance"])
    own = await tenant.key_for(verbs=["review"], layers=["governance"], user_id="u")
    for key in (bare, reader, own):
        with pytest.raises(Forbidden):
            await tenant("rereviews.decide", _as=key, **said)
        with pytest.raises(Forbidden):
            await tenant("rereviews.list", _as=key)
    other = await service.tenant("other")
    for tenant_, one in ((other, said), (tenant, said | {"rereview_id": UUID(int=1)})):
        with pytest.raises(NotFound):
            await tenant_("rereviews.decide", **one)
    done = await tenant("rereviews.decide", _as=second, **said)
    assert done.verdict == "reject"
    with pytest.raises(Conflict):
        await tenant("rereviews.decide", _as=second, **said)
    assert item.rereview_id not in {one.rereview_id for one in await waiting(tenant)}
    decided = {one.rereview_id: one for one in await waiting(tenant, decided=True)}
    assert decided[item.rereview_id].reason == "No boats."


async def test_readiness_and_metrics_tell(own_database: Database) -> None:
    async with local_service(own_database.conninfo()) as service:
        tenant = await service.tenant()
        watched = open_rereviews(service.world.units)
        with psycopg.connect(own_database.conninfo(APP)) as connection:
            assert rereviews_problem(connection) is None
            connection.rollback()
            await tenant("slots.define", name="boat", cardinality="many")
            assert "wait for a second person" in (rereviews_problem(connection) or "")
        await watched.refresh()
        assert watched.value == 1
        with own_database.connect(ADMIN) as admin:
            admin.execute(
                "UPDATE muniment.rereview SET verdict = 'approve', reason = 'x', decided_by = opened_by, decided_at = now()"
            )
        await watched.refresh()
        assert watched.value == 0
