"""What is held under any name of a data source is held on it: for who forgets, holds and looks.

The source ``shop.orders`` has the names ``orders`` and ``raw.orders``; under each there are turns,
memories, an analysis, and a document.

| by any of its names | then |
|---|---|
| forget, of everybody or of a user; its dry run | what is under every one of them goes, of all or of that user; the same is counted |
| a hold, of everybody or of a user | what is under every one of them is kept |
| recall, memories.list with a `data_source` | what is under every one of them |
| a source of another tenant with the same names | untouched |

| a hold on it, and then | under the hold |
|---|---|
| another name is given to it | what is under that too |
| a name is taken from it | what is under that still |
| both, and an older database is restored | the same there |
| nobody had used it when the hold was placed, and an older database is restored | the same there |
| another source gets a name that it lost | not what is under that one's others |
| the hold is released, the source gets another name | nothing |
"""

from pathlib import Path
from typing import Any

import pytest

from muniment.records.catching_up import catch_up, open_ledger
from tests.integration.forgetting import mentions, turn
from tests.integration.test_catching_up import copied, on
from tests.integration.test_holds import kept
from tests.support.databases import Database
from tests.support.world import Local, Tenant

NAMES = ("shop.orders", "orders", "raw.orders")


async def tell(tenant: Tenant, name: str, user: str = "u", document: bool = True) -> None:
    """A bit of everything under one name of a source."""
    place = {"user_id": user, "session_id": f"s {name}"}
    told = turn(1, f"The {name} table lags.", data_source=name)
    await tenant("events.write", **place, events=[told])
    await tenant("memories.remember", user_id=user, kind="finding", data_source=name, text=f"Returns in {name} rose.")  # fmt: skip
    await tenant("analysis.report", user_id=user, session_id=f"a {name}", data_source=name, unknowns=[f"Why {name}?"])  # fmt: skip
    if document:
        await tenant(
            "knowledge.put", source=f"about {name}", version=1, title="Orders", data_source=name,
            text="Loaded at night.",
        )  # fmt: skip


async def told(tenant: Tenant, users: tuple[str, ...] = ("u", "v")) -> None:
    """That under every name; only then is it said that they are one source."""
    for name in NAMES:
        for user in users:
            await tell(tenant, name, user, document=user == "u")
    await tenant("sources.define", name=NAMES[0], aliases=NAMES[1:])


@pytest.mark.parametrize("name", NAMES)
async def test_forgotten_by_any_name(
    database: Database, service: Local, tenant: Tenant, name: str
) -> None:
    other = await service.tenant("other")
    await told(other, ("u",))
    await told(tenant)
    target = {"data_source": name, "user_id": "u"}
    mine = (await tenant("forget", **target, dry_run=True)).counts
    assert (mine["event"], mine["analysis"], mine["memory"]) == (3, 3, 3)
    assert "knowledge_document" not in mine
    assert (await tenant("forget", **target)).counts == mine
    dry = await tenant("forget", data_source=name, dry_run=True)
    done = await tenant("forget", data_source=name, confirm=dry.confirm)
    assert done.counts == dry.counts
    assert [done.counts[one] for one in ("event", "analysis", "memory", "knowledge_document")] == [3] * 4  # fmt: skip
    found = set(mentions(database, tenant, "orders"))
    assert found <= {"data_source", "session", "idempotency"}, found
    plan = await tenant("analysis.plan", user_id="v", data_source=NAMES[0], question="Returns?", mode="extend")  # fmt: skip
    assert (plan.gate.count, plan.findings, plan.open_unknowns) == (0, (), ())
    assert "knowledge_document" in mentions(database, other, "orders")


@pytest.mark.parametrize("of_user", [False, True])
@pytest.mark.parametrize("name", NAMES)
async def test_held_by_any_name(
    database: Database, tenant: Tenant, name: str, of_user: bool
) -> None:
    await told(tenant)
    user = {"user_id": "u"} if of_user else {}
    hold = await tenant("holds.place", **user, data_source=name, reason="A case.")
    for one in ("u", "v"):
        await tenant("forget", user_id=one)
    for one in NAMES:
        await tenant("forget", data_source=one)
    found = kept(database, tenant)
    wanted = 3 if of_user else 6
    assert (found["event"], found["analysis"], found["memory"]) == (wanted,) * 3
    assert found.get("knowledge_document", 0) == (0 if of_user else 3)
    await tenant("holds.release", hold_id=hold.hold_id, reason="Over.")
    assert kept(database, tenant) == {}


@pytest.mark.parametrize("name", NAMES)
async def test_found_by_any_name(tenant: Tenant, name: str) -> None:
    await told(tenant, ("u",))
    await tell(tenant, "returns", "u")
    asked: dict[str, Any] = {"user_id": "u", "data_source": name}
    listed = (await tenant("memories.list", **asked, limit=200)).items
    assert {one.data_source for one in listed} == set(NAMES)
    tiers = ["episodic", "semantic", "knowledge"]
    found = await tenant("recall", **asked, query="Which table lags, in which did returns rise, what is loaded at night?", tiers=tiers, k=50)  # fmt: skip
    assert {one.data_source for one in found.items} == set(NAMES)
    assert {one.tier for one in found.items} == set(tiers)


async def test_a_hold_follows_the_names(database: Database, tenant: Tenant) -> None:
    await tenant("sources.define", name="shop.orders", aliases=["orders"])
    hold = await tenant("holds.place", data_source="orders", reason="A case.")
    await tenant("sources.define", name="shop.orders", aliases=["raw.orders"])
    # A name that was lost may be another source's: what is under that one's others is not held.
    await tenant("sources.define", name="orders", aliases=["old"])
    for name in (*NAMES, "old"):
        await tell(tenant, name)
    await tenant("forget", user_id="u")
    assert kept(database, tenant)["event"] == 3
    await tenant("holds.release", hold_id=hold.hold_id, reason="Over.")
    assert kept(database, tenant) == {}
    await tenant("sources.define", name="shop.orders", aliases=["raw.orders", "new"])
    assert (await tenant("forget", data_source="new")).held == {}


@pytest.mark.parametrize("first", NAMES)
async def test_a_restored_hold_is_on_every_name(
    own_database: Database, tmp_path: Path, first: str
) -> None:
    """The backup knows nothing of the names, and perhaps nothing of the one that was held."""
    ledger = tmp_path / "erasures"
    async with on(own_database, ledger) as tenant:
        await open_ledger(tenant.service.world)
        for name in NAMES[1:]:
            await tell(tenant, name)
    older = copied(own_database)
    async with on(own_database, ledger, tenant) as here:
        await here("holds.place", data_source=first, reason="A case.")
        await here("sources.define", name=NAMES[0], aliases=NAMES[1:2])
        await here("sources.define", name=NAMES[0], aliases=NAMES[1:])
        await here("sources.define", name=NAMES[0])
        held = (await here("forget", user_id="u")).held
    async with on(older, ledger, tenant) as there:
        await catch_up(there.service.world)
        (receipt,) = (await there("receipts.list")).items
        assert receipt.held == held
        assert held["event"] == 2
        (hold,) = (await there("holds.list")).items
        await there("holds.release", hold_id=hold.hold_id, reason="Over.")
        assert kept(older, there) == {}
    older.drop()
