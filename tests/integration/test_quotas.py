"""Quotas and the disk's reserve.

| stored | limit | a write |
|---|---|---|
| less than the user's | | goes on, and may pass it once |
| the user's or more | | QuotaExceeded; reads and forgets go on |
| the tenant's or more | | QuotaExceeded for every user of the tenant |
| by runs | the user's or the tenant's | QuotaExceeded, of runs and of memories; a result is taken |
| any, free space below the reserve | | StorageFull |
"""

from pathlib import Path
from typing import Any

import pytest

from muniment.errors import QuotaExceeded, StorageFull
from muniment.postgres.embedded import ADMIN
from muniment.postgres.quota import QuotaLimits, StorageQuotas
from tests.support.databases import Database
from tests.support.world import SCHEMA, START, Local, Tenant


def limit(service: Local, limits: QuotaLimits, data_dir: Path | None = None) -> None:
    """Give the service other limits; time stands still for what is looked up now and then."""
    ticks = iter(range(0, 10**6, 60))
    made = StorageQuotas(limits, SCHEMA, data_dir, monotonic=lambda: float(next(ticks)))
    object.__setattr__(service.world, "quotas", made)


async def write(tenant: Tenant, number: int, user: str = "u", size: int = 1000) -> Any:
    """A turn of about ``size`` bytes."""
    content = f"Fact {number}: " + "the heron nests; " * (size // 17)
    event = {"turn": number, "role": "user", "content": content, "occurred_at": START}
    return await tenant("events.write", user_id=user, session_id="s", events=[event])


async def test_a_users_quota(service: Local, tenant: Tenant) -> None:
    limit(service, QuotaLimits(2500, None, 0))
    for number in range(3):
        await write(tenant, number)
    for operation, arguments in (
        (
            "events.write",
            {
                "session_id": "s",
                "events": [{"turn": 9, "role": "user", "content": "x", "occurred_at": START}],
            },
        ),
        ("memories.remember", {"kind": "fact", "text": "A fact."}),
        ("working.put", {"session_id": "s", "key": "k", "value": 1}),
    ):
        with pytest.raises(QuotaExceeded):
            await tenant(operation, user_id="u", **arguments)
    await write(tenant, 1, user="v")
    assert (await tenant("recall", user_id="u", query="Where does the heron nest?")).items
    await tenant("forget", user_id="u", filter={"turn": {"$gt": 0}})
    await write(tenant, 5)


async def test_a_tenants_quota(service: Local, tenant: Tenant) -> None:
    limit(service, QuotaLimits(None, 2500, 0))
    for user in ("a", "b", "c"):
        await write(tenant, 1, user=user)
    with pytest.raises(QuotaExceeded):
        await write(tenant, 1, user="d")
    other = await service.tenant("other")
    await write(other, 1)


async def test_runs_count(service: Local, tenant: Tenant) -> None:
    run: dict[str, Any] = {"fence": 1}
    run["run_id"] = (await tenant("runs.open", agent_id="a", user_id="u")).run_id
    await tenant("tools.define", name="t", effect="write")
    await tenant("schemas.register", name="s", schema={})
    call: dict[str, Any] = {"tool": "t", "key": "k"}
    await tenant("runs.claim_tool", **run, **call, arguments={"a": "x" * 1000})
    put: dict[str, Any] = {"run_id": run["run_id"], "schema": "s", "value": "y" * 1000}
    await tenant("artifacts.put", **put, name="n", if_version=0)
    fact = {"key": "k", "value": "z" * 1000, "source": "s"}
    await tenant("runs.checkpoint", **run, step=1, committed_facts=[fact])
    for limits in (QuotaLimits(3000, None, 0), QuotaLimits(None, 3000, 0)):
        limit(service, limits)
        for operation, arguments in (
            ("runs.checkpoint", run | {"step": 2}),
            ("runs.claim_tool", run | {"tool": "t", "key": "l", "arguments": {}}),
            ("artifacts.put", put | {"name": "m", "if_version": 0}),
            ("memories.remember", {"user_id": "u", "kind": "fact", "text": "A fact."}),
        ):
            with pytest.raises(QuotaExceeded):
                await tenant(operation, **arguments)
    done = {"run_id": run["run_id"], "attempt": 1, "status": "succeeded"}
    assert (await tenant("runs.record_tool", **call, **done)).status == "succeeded"
    limit(service, QuotaLimits(6000, 6000, 0))
    await tenant("runs.checkpoint", **run, step=2)


async def test_the_disks_reserve(service: Local, tenant: Tenant, tmp_path: Path) -> None:
    await write(tenant, 1)
    limit(service, QuotaLimits(None, None, 2**62), tmp_path)
    with pytest.raises(StorageFull):
        await write(tenant, 2)
    assert (await tenant("recall", user_id="u", query="Where does the heron nest?")).items
    await tenant("forget", user_id="u")
    limit(service, QuotaLimits(None, None, 0), tmp_path)
    await write(tenant, 2, user="v")


async def test_what_is_counted_is_what_is_held(
    database: Database, service: Local, tenant: Tenant
) -> None:
    def counted() -> Any:
        with database.connect(ADMIN) as admin:
            return admin.execute(
                "SELECT sum(items)::int, sum(bytes)::int FROM muniment.scope_state WHERE tenant_id = %s",
                [tenant.tenant_id],
            ).fetchone()

    await write(tenant, 1)
    await write(tenant, 1)
    await tenant(
        "memories.remember",
        kind="fact",
        text="Ünïcode.",
        user_id="u",
        detail="more",
        metadata={"a": "ü"},
    )
    before = counted()
    assert before[0] == 2
    await tenant("forget", user_id="u", filter={"turn": 999})
    assert counted() == before
