"""The sealed audit trail: audit.list, audit.verify, audit.head, and who seals (RULES 15.1).

| what happened | then |
|---|---|
| writes, not sealed yet | listed without a place; verify is fine and counts them as pending |
| the sealer runs | each has a place, from 1 without gaps; nothing waits any more |
| it runs again | nothing changes |
| two run at once, in small batches | the same chain as by one |
| a transaction commits late, with an id from before | it is sealed after what was sealed already |
| the sealer dies before its commit | nothing is sealed; the next run does it |
| a key without the verb, without the layer, or of one user | Forbidden for all three |
| a head that was kept, the chain went on | verify is fine from the start and behind that head |
| a head of another tenant | InvalidInput |
| a head with another hash, signature or key | `head_differs`, `head_not_signed` |
| an entry whose pending row is gone | `not_sealed` |
| an entry that waits for an hour | `pending_too_long`, readiness and a metric tell |
"""

import asyncio
from dataclasses import asdict
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from muniment.errors import Forbidden, InvalidInput
from muniment.postgres.checks import seals_problem
from muniment.postgres.embedded import ADMIN
from muniment.postgres.watched import seal_lag
from muniment.records.sealing import seal_some
from muniment.worker import export_heads, seal_audit
from tests.support.databases import Database
from tests.support.world import Local, Tenant

OTHER = UUID(int=7)


async def write(tenant: Tenant, count: int = 3) -> None:
    """So many entries."""
    for number in range(count):
        await tenant("memories.remember", kind="fact", user_id="u", text=f"Has {number} cats.")


async def places(tenant: Tenant) -> list[int | None]:
    """The seq of each entry, oldest first."""
    return [one.seq for one in reversed((await tenant("audit.list", limit=200)).items)]


def given(head: Any) -> dict[str, Any]:
    """A head as JSON has it."""
    return {
        **asdict(head),
        "sealed_at": None if head.sealed_at is None else head.sealed_at.isoformat(),
    }


def as_admin(database: Database, statement: str, *values: Any) -> None:
    """What a superuser may do, past every constraint."""
    with database.connect(ADMIN) as admin:
        admin.execute("SET session_replication_role = replica")
        admin.execute("SET search_path = muniment")
        admin.execute(statement, values)


class Killed(Exception):
    """The end of a sealer."""


async def seal_and_die(worker: Local, tenant: Tenant) -> None:
    """A sealer that gets as far as its commit."""
    async with worker.world.units.open(tenant.tenant_id) as unit:
        assert await seal_some(unit, worker.clock.now(), 10) == 3
        raise Killed


async def test_what_waits_is_sealed(tenant: Tenant, worker: Local) -> None:
    await write(tenant)
    assert await places(tenant) == [None] * 3
    check = await tenant("audit.verify")
    assert (check.ok, check.seq, check.seals, check.pending) == (True, 0, 0, 3)
    assert (await tenant("audit.head")).seq == 0
    await seal_audit.run_once(worker.world)
    assert await places(tenant) == [1, 2, 3]
    check = await tenant("audit.verify")
    assert (check.ok, check.seq, check.seals, check.pending) == (True, 3, 3, 0)
    head = await tenant("audit.head")
    assert (head.seq, head.hash) == (3, check.hash)
    await seal_audit.run_once(worker.world)
    assert await tenant("audit.head") == head


async def test_two_sealers_make_one_chain(tenant: Tenant, worker: Local) -> None:
    await write(tenant, 40)
    while (await tenant("audit.verify")).pending:
        await asyncio.gather(*[seal_audit.run_once(worker.world, 3, 2) for _ in range(3)])
    assert sorted(one or 0 for one in await places(tenant)) == list(range(1, 41))
    assert (await tenant("audit.verify")).ok


async def test_an_entry_that_commits_late(tenant: Tenant, service: Local, worker: Local) -> None:
    entry: dict[str, Any] = {
        "at": service.clock.now(), "operation": "late", "effect": "write", "key_id": OTHER,
        "request": "r", "subjects": [], "detail": {}, "changes": {},
    }  # fmt: skip
    early = service.world.ids.new()
    async with service.world.units.open(tenant.tenant_id) as unit:
        await unit.run("audit_insert", entry_id=early, **entry)
        await write(tenant, 2)
        await seal_audit.run_once(worker.world)
    await seal_audit.run_once(worker.world)
    (late,) = (await tenant("audit.list", operation="late")).items
    assert (late.entry_id, late.seq) == (early, 3)
    assert (await tenant("audit.verify")).ok


async def test_a_sealer_that_dies_seals_nothing(tenant: Tenant, worker: Local) -> None:
    await write(tenant)

    with pytest.raises(Killed):
        await seal_and_die(worker, tenant)
    assert await places(tenant) == [None] * 3
    await seal_audit.run_once(worker.world)
    assert await places(tenant) == [1, 2, 3]


@pytest.mark.parametrize(
    "grant",
    [
        {"verbs": ["operate", "admin", "read"], "layers": ["audit"]},
        {"verbs": ["audit"], "layers": ["governance"]},
        {"verbs": ["audit"], "layers": ["audit"], "user_id": "u"},
    ],
)
@pytest.mark.parametrize("operation", ["audit.list", "audit.head", "audit.verify"])
async def test_who_may_look(tenant: Tenant, grant: dict[str, Any], operation: str) -> None:
    key = await tenant.key_for(**grant)
    with pytest.raises(Forbidden):
        await tenant(operation, _as=key)
    allowed = await tenant.key_for(verbs=["audit"], layers=["audit"])
    assert await tenant(operation, _as=allowed)


async def test_a_list_is_filtered_and_paged(tenant: Tenant, service: Local) -> None:
    await write(tenant, 2)
    began = service.clock.advance(hours=1)
    made = await tenant("keys.create", principal="p")
    await tenant("keys.revoke", key_id=made.key_id)
    later = service.clock.advance(hours=1)
    await tenant("forget", user_id="u")

    async def named(**filters: Any) -> list[str]:
        return [one.operation for one in (await tenant("audit.list", **filters)).items]

    everything = ["forget", "keys.revoke", "keys.create", *["memories.remember"] * 2]
    assert await named() == everything
    assert await named(since=began, until=later) == everything[1:3]
    assert await named(operation="forget") == ["forget"]
    assert await named(effect="destructive") == ["forget", "keys.revoke"]
    assert await named(subject_id=made.key_id) == ["keys.revoke", "keys.create"]
    assert await named(key_id=made.key_id) == []
    paged, cursor = [], None
    while True:
        page = await tenant("audit.list", limit=2, **({"cursor": cursor} if cursor else {}))
        paged += [one.operation for one in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert paged == everything


async def test_a_head_that_was_kept(tenant: Tenant, worker: Local) -> None:
    await write(tenant)
    await seal_audit.run_once(worker.world)
    head = given(await tenant("audit.head"))
    assert (await tenant("audit.verify", head=head)).ok
    await write(tenant, 2)
    await seal_audit.run_once(worker.world)
    assert (await tenant("audit.verify", head=head)).seals == 5
    behind = await tenant("audit.verify", head=head, after_head=True)
    assert (behind.ok, behind.after_seq, behind.seq, behind.seals) == (True, 3, 5, 2)
    own = head["public_key"]
    assert (await tenant("audit.verify", head=head, public_key=own)).ok
    for change, wrong in (
        ({"hash": "0" * 64}, {"head_differs", "head_not_signed"}),
        ({"seq": 2}, {"head_differs", "head_not_signed"}),
        ({"seq": 9}, {"truncated", "head_not_signed"}),
        ({"signature": "0" * 128}, {"head_not_signed"}),
    ):
        check = await tenant("audit.verify", head=head | change)
        assert {one.wrong for one in check.findings} == wrong
        assert not check.ok
    check = await tenant("audit.verify", head=head, public_key="1" * 64)
    assert [one.wrong for one in check.findings] == ["head_not_signed"]


async def test_a_head_of_another_tenant(tenant: Tenant, service: Local) -> None:
    head = given(await tenant("audit.head"))
    other = await service.tenant("other")
    for wrong in ({"head": head}, {"after_head": True}):
        with pytest.raises(InvalidInput):
            await other("audit.verify", **wrong)


async def test_an_entry_that_nobody_will_seal(
    tenant: Tenant, worker: Local, database: Database
) -> None:
    await write(tenant, 1)
    as_admin(database, "DELETE FROM audit_pending WHERE tenant_id = %s", tenant.tenant_id)
    await seal_audit.run_once(worker.world)
    (entry,) = (await tenant("audit.list")).items
    (found,) = (await tenant("audit.verify")).findings
    assert (found.wrong, found.entry_id) == ("not_sealed", str(entry.entry_id))


async def test_an_entry_that_waits_for_too_long(
    service: Local, tenant: Tenant, database: Database
) -> None:
    await write(tenant, 1)
    as_admin(
        database,
        "UPDATE audit_pending SET since = now() - %s WHERE tenant_id = %s",
        timedelta(hours=1),
        tenant.tenant_id,
    )
    (found,) = (await tenant("audit.verify")).findings
    assert found.wrong == "pending_too_long"
    with psycopg.connect(database.conninfo(), autocommit=True) as connection:
        assert "wait for their seal" in str(seals_problem(connection))
    lag = seal_lag(service.world.units)
    await lag.refresh()
    assert 3590 < lag.figures()["audit_seal_lag_seconds"][1]() < 3700


async def test_heads_are_kept_elsewhere(tenant: Tenant, worker: Local) -> None:
    await write(tenant)
    await seal_audit.run_once(worker.world)
    kept: list[str] = []
    known: dict[UUID, int] = {}
    assert await export_heads.run_once(worker.world, kept.append, known)
    head = given(await tenant("audit.head"))
    lines = [line for line in kept[0].splitlines() if str(tenant.tenant_id) in line]
    assert len(lines) == 1
    assert head["signature"] in lines[0]
    assert await export_heads.run_once(worker.world, kept.append, known) == 0
    assert len(kept) == 1
