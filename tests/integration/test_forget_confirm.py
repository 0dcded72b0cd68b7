"""What a dry run showed is confirmed, and a source is forgotten wherever it is.

| between dry run and forget | with the token |
|---|---|
| nothing | deletes what was shown |
| a write about the user, a hold, an item that the filter admits too, another version of a document | `changed`; nothing is deleted |
| a recall, logged a moment later | deletes, the log of it as well |
| a write that does not concern the target | deletes |
| the token of another target, or a made-up one | `changed` |
| none given | deletes, unless the policy asks for one |

| source | goes |
|---|---|
| of a user | what names it in their namespace |
| without a user | what names it in every scope of the tenant |
"""

from typing import Any
from uuid import UUID

import pytest

from muniment.errors import Changed, InvalidInput
from tests.integration.forgetting import CANARY, counts, live, turn
from tests.support.databases import Database
from tests.support.world import Local, Tenant

TARGETS: list[dict[str, Any]] = [
    {"user_id": "u"},
    {"user_id": "u", "session_id": "u-1"},
    {"user_id": "u", "filter": {"role": "user"}},
    {"user_id": "u", "data_source": CANARY},
    {"data_source": CANARY},
]


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("target", TARGETS)
async def test_the_same_goes(tenant: Tenant, target: dict[str, Any], held: bool) -> None:
    await live(tenant, "u", CANARY)
    if held:
        await tenant("holds.place", user_id="u", session_id="u-1", reason="A case.")
    dry = await tenant("forget", **target, dry_run=True)
    again = await tenant("forget", **target, dry_run=True)
    assert (dry.confirm, dry.counts, dry.held) == (again.confirm, again.counts, again.held)
    done = await tenant("forget", **target, confirm=dry.confirm)
    assert (done.counts, done.held, done.confirm) == (dry.counts, dry.held, None)
    assert bool(done.held) == held


@pytest.mark.parametrize("target", TARGETS)
async def test_reading_changes_nothing(
    service: Local, tenant: Tenant, target: dict[str, Any]
) -> None:
    await live(tenant, "u", CANARY)
    dry = await tenant("forget", **target, dry_run=True)
    await tenant("recall", user_id="u", session_id="u-1", query="Where does everybody live?")
    await service.recalls.flush()
    done = await tenant("forget", **target, confirm=dry.confirm)
    reads = {"access", "recall_log"}
    assert {one: done.counts[one] for one in done.counts if one not in reads} == {
        one: dry.counts[one] for one in dry.counts if one not in reads
    }


@pytest.mark.parametrize("target", TARGETS)
async def test_something_else_would_go(
    database: Database, tenant: Tenant, target: dict[str, Any]
) -> None:
    await live(tenant, "u", CANARY)
    dry = await tenant("forget", **target, dry_run=True)
    more = turn(7, "I moved to Breda.", data_source=CANARY)
    await tenant("events.write", user_id="u", session_id="u-1", events=[more])
    before = counts(database, tenant)
    with pytest.raises(Changed):
        await tenant("forget", **target, confirm=dry.confirm)
    assert counts(database, tenant) == before
    dry = await tenant("forget", **target, dry_run=True)
    await tenant("holds.place", user_id="u", reason="A case.")
    for token in (dry.confirm, "0" * 64):
        with pytest.raises(Changed):
            await tenant("forget", **target, confirm=token)
    assert (await tenant("forget", **target)).held


async def test_what_does_not_concern_it(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    target = {"user_id": "u", "session_id": "u-1"}
    dry = await tenant("forget", **target, dry_run=True)
    await tenant("events.write", user_id="u", session_id="u-9", events=[turn(1, "I like tea.")])
    with pytest.raises(Changed):
        await tenant("forget", user_id="u", session_id="u-2", confirm=dry.confirm)
    assert (await tenant("forget", **target, confirm=dry.confirm)).counts == dry.counts


async def test_a_source_of_the_whole_tenant(service: Local, tenant: Tenant) -> None:
    other = await service.tenant("other")
    for one, user in ((tenant, "u"), (tenant, "v"), (other, "u")):
        told = [
            turn(1, "The orders table lags.", data_source="orders"),
            turn(2, "I live in Gouda."),
        ]
        await one("events.write", user_id=user, session_id="s", events=told)
    fault = {"kind": "data_quality", "text": "The orders table lags.", "data_source": "orders"}
    await tenant("memories.remember", **fault)
    assert (await tenant("forget", user_id="u", data_source="orders", dry_run=True)).counts[
        "event"
    ] == 1
    done = await tenant("forget", data_source="orders")
    assert (done.target, done.counts["event"], done.counts["memory"]) == ("source", 2, 1)
    assert (await tenant("forget", data_source="orders")).counts == {}
    assert (await other("forget", data_source="orders", dry_run=True)).counts["event"] == 1


async def test_a_policy_that_asks_for_it(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    await tenant("policy.put", document={"forget": {"confirm": True}})
    with pytest.raises(InvalidInput) as caught:
        await tenant("forget", user_id="u")
    assert caught.value.faults[0].pointer == "/confirm"
    dry = await tenant("forget", user_id="u", dry_run=True)
    assert (await tenant("forget", user_id="u", confirm=dry.confirm)).counts == dry.counts


@pytest.mark.parametrize("confirm", ["", "x", "0" * 63, "A" * 64])
async def test_no_token(tenant: Tenant, confirm: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await tenant("forget", user_id="u", confirm=confirm)
    assert caught.value.faults[0].pointer == "/confirm"


async def test_a_token_beside_a_dry_run(tenant: Tenant) -> None:
    with pytest.raises(InvalidInput):
        await tenant("forget", user_id="u", dry_run=True, confirm="0" * 64)


@pytest.mark.parametrize("by", ["data_source", "ids"])
async def test_another_version_of_a_document(tenant: Tenant, by: str) -> None:
    document = {"source": "s", "title": "t", "data_source": "crm"}
    made = await tenant("knowledge.put", **document, version=1, text="Thirty days.")
    target: dict[str, Any] = {"data_source": "crm"} if by == "data_source" else {"ids": [made.document_id]}  # fmt: skip
    dry = await tenant("forget", **target, dry_run=True)
    await tenant("knowledge.put", **document, version=2, text="Sixty days.")
    with pytest.raises(Changed):
        await tenant("forget", **target, confirm=dry.confirm)
    assert (await tenant("knowledge.get", source="s")).version == 2
    again = await tenant("forget", **target, dry_run=True)
    assert again.counts == dry.counts
    assert (await tenant("forget", **target, confirm=again.confirm)).counts == dry.counts


@pytest.mark.parametrize(
    "target",
    [{"ids": [UUID(int=7)]}, {"session_id": "nowhere"}, {"filter": {"turn": 99}}],
    ids=["ids", "session", "filter"],
)
async def test_what_matches_nothing_leaves_what_waits(
    tenant: Tenant, target: dict[str, Any]
) -> None:
    await tenant("memories.remember", kind="fact", user_id="u", text="Sails on Sundays.")
    made = await tenant("exports.create", user_id="u")
    dry = await tenant("forget", user_id="u", **target, dry_run=True)
    done = await tenant("forget", user_id="u", **target)
    assert (dry.counts, done.counts) == ({}, {})
    page = await tenant("exports.read", user_id="u", export_id=made.export_id)
    assert len(page.items) == made.lines
