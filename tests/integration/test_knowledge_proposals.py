"""What agents propose to stewards: versions of documents that wait (RULES 15.5).

| what | then |
|---|---|
| a key that only proposes puts a version | it waits: nothing of it is recalled, listed or shown by its source |
| the same again by the same key; by another | it waits once; twice |
| what is held just so; an earlier version than is held | unchanged; stale_version, and nothing waits |
| what may not be put | is not proposed either |
| a steward lists, reads, approves | it is put, in the place of the one before, and waits no more |
| without an owner; with one | the steward's who approved; as proposed |
| a steward rejects | it is gone |
| decided twice; two at once; unknown | not_found; one of them; not_found |
| who proposed it decides, by whatever key | own_request |
| approved when the source has gone on | stale_version, and it goes on waiting |
| a key that reads, writes, reviews or proposes lists or decides | forbidden |
| its source, its data source, its id is forgotten | gone with its bytes, and counted |
| nobody decides for as long as what is quarantined is kept | at that instant it is neither listed, shown nor decided on, and proposed again it waits anew; the worker takes its bytes, and the trail says so |
| the policy shortens that | what waits goes earlier at once |
| a document is deleted | what was proposed for it waits on |
| the audit trail | names what was proposed, what was decided and what was put |
| what waits | counts towards what the organisation stores, and no more once it is decided |
"""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from muniment.errors import Forbidden, InvalidInput, NotFound, OwnRequest, StaleVersion
from muniment.worker import expire
from tests.integration.curating import Curator
from tests.integration.test_knowledge import rows
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

TEXT = "# Returns\n\nGoods come back within thirty days.\n"
OTHER = "# Returns\n\nGoods come back within ninety days.\n"


async def put(tenant: Tenant, key: Any, version: int = 1, text: str = TEXT, **more: Any) -> Any:
    given = {"source": "returns", "title": "Returns policy"} | more
    return await tenant("knowledge.put", key, **given, version=version, text=text)


async def proposer(tenant: Tenant, principal: str = "agent") -> Any:
    return await tenant.key_for(
        verbs=["read", "propose"], layers=["knowledge", "semantic"], principal=principal
    )


async def waiting(tenant: Tenant) -> list[Any]:
    return list((await tenant("knowledge.proposals")).items)


async def test_it_waits_and_nothing_is_answered_with_it(tenant: Tenant) -> None:
    agent = await proposer(tenant)
    told = await put(tenant, agent)
    assert (told.outcome, told.version, told.chunks) == ("proposed", 1, 1)
    found = await tenant("recall", user_id="u", query="Within how many days do goods come back?")
    assert not found.items
    assert not (await tenant("knowledge.list")).items
    with pytest.raises(NotFound):
        await tenant("knowledge.get", source="returns")
    (one,) = await waiting(tenant)
    assert (one.document_id, one.proposed_by, one.replaces) == (told.document_id, "agent", None)
    shown = await tenant("knowledge.proposal", document_id=told.document_id)
    assert (shown.text, shown.source, shown.version) == (TEXT, "returns", 1)


async def test_it_waits_once_for_each_key(tenant: Tenant) -> None:
    agent, other = await proposer(tenant), await proposer(tenant, "other")
    first, again, others = [await put(tenant, key) for key in (agent, agent, other)]
    assert first.document_id == again.document_id != others.document_id
    assert await put(tenant, agent, text=OTHER)
    assert len(await waiting(tenant)) == 3
    assert len((await tenant("knowledge.proposals", limit=2)).items) == 2


async def test_what_is_held_or_may_not_be_put_does_not_wait(tenant: Tenant) -> None:
    agent = await proposer(tenant)
    held = await put(tenant, None, 3)
    assert (await put(tenant, agent, 3)).outcome == "unchanged"
    for version in (2, 3):
        with pytest.raises(StaleVersion) as told:
            await put(tenant, agent, version, OTHER)
        assert told.value.extra["version"] == 3
    with pytest.raises(InvalidInput):
        await put(tenant, agent, 4, "# a\n" * 5_001)
    assert not await waiting(tenant)
    assert (await tenant("knowledge.get", source="returns")).document_id == held.document_id


async def test_a_steward_approves(tenant: Tenant) -> None:
    agent = await proposer(tenant)
    held = await put(tenant, None)
    told = await put(tenant, agent, 2, OTHER)
    (one,) = await waiting(tenant)
    assert one.replaces == 1
    decided = await tenant("knowledge.decide", document_id=told.document_id, decision="approve")
    assert (decided.put.outcome, decided.put.document_id) == ("replaced", held.document_id)
    found = await tenant("recall", user_id="u", query="Within how many days do goods come back?")
    assert "ninety" in found.items[0].text
    assert not await waiting(tenant)
    shown = await tenant("knowledge.get", source="returns")
    assert (shown.version, shown.owner) == (2, (await tenant("knowledge.list")).items[0].owner)
    assert shown.owner != "agent"
    with pytest.raises(NotFound):
        await tenant("knowledge.decide", document_id=told.document_id, decision="approve")


async def test_who_answers_for_it(tenant: Tenant) -> None:
    agent = await proposer(tenant)
    steward = await tenant.key_for(verbs=["steward"], layers=["knowledge"], principal="sam")
    for source, owner, then in (("a", None, "sam"), ("b", "finance", "finance")):
        told = await put(tenant, agent, source=source, owner=owner)
        given = {"document_id": told.document_id, "decision": "approve"}
        await tenant("knowledge.decide", steward, **given)
        assert (await tenant("knowledge.get", source=source)).owner == then


async def test_a_steward_rejects(tenant: Tenant, database: Database) -> None:
    agent = await proposer(tenant)
    told = await put(tenant, agent)
    assert rows(database, tenant)[:1] == (1,)
    assert rows(database, tenant)[3] > 0
    decided = await tenant("knowledge.decide", document_id=told.document_id, decision="reject")
    assert (decided.decision, decided.put) == ("reject", None)
    assert rows(database, tenant) == (0, 0, 0, 0)
    for call in ("knowledge.proposal", "knowledge.decide"):
        more = {"decision": "reject"} if call == "knowledge.decide" else {}
        with pytest.raises(NotFound):
            await tenant(call, document_id=told.document_id, **more)


async def test_of_two_that_decide_at_once_one_does(tenant: Tenant) -> None:
    agent = await proposer(tenant)
    told = await put(tenant, agent)
    answers = await asyncio.gather(
        *(
            tenant("knowledge.decide", document_id=told.document_id, decision=decision)
            for decision in ("approve", "reject", "approve", "reject")
        ),
        return_exceptions=True,
    )
    done = [one for one in answers if not isinstance(one, BaseException)]
    assert len(done) == 1
    assert all(isinstance(one, NotFound) for one in answers if one not in done)
    there = bool((await tenant("knowledge.list")).items)
    assert there == (done[0].decision == "approve")


async def test_nobody_decides_on_their_own(tenant: Tenant) -> None:
    agent = await proposer(tenant, "both")
    same = await tenant.key_for(verbs=["steward"], layers=["knowledge"], principal="both")
    told = await put(tenant, agent)
    for decision in ("approve", "reject"):
        with pytest.raises(OwnRequest):
            await tenant("knowledge.decide", same, document_id=told.document_id, decision=decision)
    assert len(await waiting(tenant)) == 1


async def test_a_source_that_went_on(tenant: Tenant) -> None:
    agent = await proposer(tenant)
    told = await put(tenant, agent, 2)
    await put(tenant, None, 3, OTHER)
    with pytest.raises(StaleVersion):
        await tenant("knowledge.decide", document_id=told.document_id, decision="approve")
    assert len(await waiting(tenant)) == 1
    assert (await tenant("knowledge.get", source="returns")).version == 3


@pytest.mark.parametrize("verb", ["read", "write", "review", "propose"])
async def test_who_may_not(tenant: Tenant, verb: str) -> None:
    told = await put(tenant, await proposer(tenant))
    key = await tenant.key_for(verbs=[verb], layers=["knowledge", "semantic"])
    calls: list[tuple[str, dict[str, Any]]] = [
        ("knowledge.proposals", {}),
        ("knowledge.proposal", {"document_id": told.document_id}),
        ("knowledge.decide", {"document_id": told.document_id, "decision": "approve"}),
    ]
    for call, given in calls:
        with pytest.raises(Forbidden):
            await tenant(call, key, **given)


@pytest.mark.parametrize("by", ["source", "data_source", "id"])
async def test_what_is_forgotten_waits_no_more(tenant: Tenant, database: Database, by: str) -> None:
    agent = await proposer(tenant)
    told = await put(tenant, agent, data_source="erp")
    target: dict[str, Any] = {"data_source": "returns" if by == "source" else "erp"}
    if by == "id":
        target = {"ids": [told.document_id]}
    gone = await tenant("forget", **target)
    assert gone.counts["knowledge_document"] == 1
    assert not await waiting(tenant)
    assert rows(database, tenant) == (0, 0, 0, 0)


async def test_a_document_that_is_deleted_takes_no_proposal_along(tenant: Tenant) -> None:
    agent = await proposer(tenant)
    await put(tenant, None)
    told = await put(tenant, agent, 2, OTHER)
    await tenant("knowledge.delete", source="returns")
    (one,) = await waiting(tenant)
    assert (one.document_id, one.replaces) == (told.document_id, None)
    decided = await tenant("knowledge.decide", document_id=told.document_id, decision="approve")
    assert decided.put.outcome == "inserted"


async def test_what_waits_is_stored_and_counted(tenant: Tenant, database: Database) -> None:
    agent = await proposer(tenant)
    told = await put(tenant, agent)
    assert rows(database, tenant) == (1, 0, 0, len(TEXT))
    await tenant("knowledge.decide", document_id=told.document_id, decision="approve")
    assert rows(database, tenant) == (1, 1, 1, len(TEXT))


async def test_the_trail_of_a_proposal(tenant: Tenant) -> None:
    agent = await proposer(tenant)
    told = await put(tenant, agent)
    decided = await tenant("knowledge.decide", document_id=told.document_id, decision="approve")
    (asked,) = (await tenant("audit.list", operation="knowledge.put", limit=10)).items
    (answer,) = (await tenant("audit.list", operation="knowledge.decide", limit=10)).items
    assert asked.detail["proposed"] is True
    assert told.document_id in asked.subjects
    assert answer.detail["decision"] == "approve"
    assert {told.document_id, decided.put.document_id} <= {*answer.subjects}


async def test_it_waits_for_as_long_as_what_is_quarantined(curator: Curator) -> None:
    tenant, clock = curator.tenant, curator.service.clock

    def there() -> int:
        return int(curator.query("SELECT count(*) FROM muniment.knowledge_document")[0][0])

    agent = await proposer(tenant)
    held = await put(tenant, None, source="held")
    told = await put(tenant, agent)
    (one,) = await waiting(tenant)
    assert one.expires_at == START + timedelta(days=14)
    assert (await tenant("knowledge.proposal", document_id=told.document_id)).expires_at == one.expires_at  # fmt: skip
    clock.advance(days=14, microseconds=-1)
    assert await expire.run_once(curator.worker.world) == 0
    assert len(await waiting(tenant)) == 1
    clock.advance(microseconds=1)
    assert not await waiting(tenant)
    for name, more in (("proposal", {}), ("decide", {"decision": "approve"})):
        with pytest.raises(NotFound):
            await tenant(f"knowledge.{name}", document_id=told.document_id, **more)
    anew = await put(tenant, agent)
    assert anew.document_id != told.document_id
    assert there() == 3
    assert await expire.run_once(curator.worker.world) == 1
    assert there() == 2
    assert [one.document_id for one in await waiting(tenant)] == [anew.document_id]
    (entry,) = [
        one
        for one in (await tenant("audit.list", operation="worker.expire")).items
        if "proposals" in one.detail
    ]
    assert entry.detail["proposals"] == 1
    assert str(told.document_id) in {one.record for one in entry.changes}
    assert (await tenant("knowledge.get", source="held")).document_id == held.document_id


async def test_a_policy_that_keeps_less(service: Local, tenant: Tenant) -> None:
    agent = await proposer(tenant)
    await put(tenant, agent)
    days = dict.fromkeys(("public", "internal", "personal", "regulated"), 3)
    await tenant("policy.put", document={"retention": {"quarantine": {"days": days}}})
    (one,) = await waiting(tenant)
    assert one.expires_at == START + timedelta(days=3)
    service.clock.advance(days=3)
    assert not await waiting(tenant)
