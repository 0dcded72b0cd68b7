"""By which documents a closed run went, and which of them are in force still (RULES 14.5).

| the run | and since | its episode is governed by |
|---|---|---|
| recalled no document | | none |
| recalled one | nothing | that version |
| | a next version was put | that version, retired |
| | it was deleted | that version without a source, retired |
| | its time in force is over | the same |
| recalled one, and its next version later | nothing | the next version |
| closed, and then corrected after its recalls have left the log | | what it was governed by |
| | it was archived | the same |
| | another store read it from an export | the same, retired: the document is not there |
| asked by a key that does not reach shared knowledge | | the version, without a source |
| the context of a later question | a next version was put | its item, where guidance is told to be retired |
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from muniment.postgres.embedded import ADMIN
from tests.integration.moving import bring, export
from tests.support.databases import Database
from tests.support.world import Local, Tenant

PLACE = {"user_id": "u"}
TEXT = "Refunds above 500 euro need two approvals."
ASKED = "How was the refund of the billing agent decided?"


async def put(tenant: Tenant, version: int, **more: Any) -> UUID:
    put = await tenant(
        "knowledge.put", source="refunds", version=version, title="Refunds",
        text=f"{TEXT} Issue {version}.", **more,
    )  # fmt: skip
    found: UUID = put.document_id
    return found


async def run_of(tenant: Tenant, versions: int = 1, **more: Any) -> str:
    """A closed run that recalled so many versions of the document, one after another."""
    run = await tenant("runs.open", agent_id="billing", **PLACE)
    for version in range(1, versions + 1):
        await put(tenant, version, **more)
        await tenant(
            "recall", **PLACE, query="Refunds: how many approvals?", run_id=str(run.run_id)
        )
    told = {"key": "refund", "value": "approved by billing", "source": "s"}
    await tenant("runs.checkpoint", run_id=run.run_id, fence=1, step=1, committed_facts=[told])
    await tenant("runs.close", run_id=run.run_id, fence=1, outcome="success")
    return str(run.run_id)


async def governed(tenant: Tenant, **more: Any) -> list[tuple[int, str | None, bool]]:
    """Versions, sources and whether retired, of the episode that recall finds."""
    found = await tenant("recall", **PLACE, query=ASKED, tiers=["episodic"], **more)
    (episode,) = [one for one in found.items if one.kind == "session_summary"]
    return [(one.version, one.source, one.retired) for one in episode.governed_by]


async def test_none_and_one(tenant: Tenant) -> None:
    await run_of(tenant, 0)
    assert await governed(tenant) == []


async def test_the_version_that_came_last(tenant: Tenant) -> None:
    await run_of(tenant, 2)
    assert await governed(tenant) == [(2, "refunds", False)]


@pytest.mark.parametrize("since", ["nothing", "next", "deleted", "over"])
async def test_what_became_of_it(service: Local, tenant: Tenant, since: str) -> None:
    soon = service.clock.now() + timedelta(days=30)
    more: dict[str, Any] = {"valid_to": soon} if since == "over" else {}
    await run_of(tenant, **more)
    retired: tuple[int, str | None, bool] = (1, None, True)
    match since:
        case "next":
            await put(tenant, 2)
            retired = (1, "refunds", True)
        case "deleted":
            await tenant("knowledge.delete", source="refunds")
        case "over":
            service.clock.advance(days=31)
        case _:
            retired = (1, "refunds", False)
    assert await governed(tenant) == [retired]


async def test_a_correction_keeps_it(database: Database, tenant: Tenant) -> None:
    run_id = await run_of(tenant)
    with database.connect(ADMIN) as admin:
        admin.execute("DELETE FROM muniment.recall_log WHERE tenant_id = %s", [tenant.tenant_id])
    await tenant("runs.close", run_id=run_id, outcome="partial", correction="Asked one approver.")
    assert await governed(tenant) == [(1, "refunds", False)]


async def test_in_another_store(service: Local, tenant: Tenant) -> None:
    await run_of(tenant)
    other = await service.tenant("other")
    await bring(other, await export(tenant))
    assert await governed(other) == [(1, None, True)]


async def test_a_key_that_does_not_reach_documents(tenant: Tenant) -> None:
    await run_of(tenant)
    made = await tenant(
        "keys.create", principal="p", verbs=["read"], layers=["episodic", "semantic"]
    )
    assert await governed(tenant, _as=made.secret) == [(1, None, False)]


async def test_in_a_context(tenant: Tenant) -> None:
    await run_of(tenant)
    before = await tenant("context.assemble", **PLACE, query=ASKED)
    assert "no longer in force" not in before.text
    await put(tenant, 2)
    after = await tenant("context.assemble", **PLACE, query=ASKED)
    assert "by refunds version 1, no longer in force" in after.text
