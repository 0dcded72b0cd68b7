"""threads.*: what is kept of threads of graphs, for how long, and what is told of it.

| what | then |
|---|---|
| checkpoints, writes, pieces, put again, deleted, copied | the bytes that are counted are those that are there |
| a thread that nobody wrote to for 90 days | is not answered with any more, and is removed; one of its name is new |
| a user who opted out | WritesRefused |
| a quota that is used up | QuotaExceeded; deleting goes on |
| a value with data and pieces, or neither; a piece that is not there; a place twice | refused, nothing stored |
| a checkpoint that is put, and put again with other content | in the audit trail by digests, the same when the same |
| a thread under a hold | what is deleted of it is kept back |
| checkpoints of a run | go with what is of them alone; a thread without any goes |
"""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest

from muniment.errors import Conflict, InvalidInput, QuotaExceeded, WritesRefused
from muniment.postgres.embedded import ADMIN, WORKER
from muniment.postgres.quota import QuotaLimits
from muniment.worker import expire
from tests.support.databases import Database
from tests.support.world import Local, Tenant, local_service

pytestmark = pytest.mark.long

OWN: dict[str, Any] = {"user_id": "u", "thread_id": "t"}


def value(text: str) -> dict[str, Any]:
    return {"type": "bytes", "data": b64encode(text.encode()).decode()}


def cut(*texts: str) -> dict[str, Any]:
    return {"type": "bytes", "pieces": [sha256(one.encode()).hexdigest() for one in texts]}


def carried(*texts: str) -> list[str]:
    return [b64encode(one.encode()).decode() for one in texts]


async def put(tenant: Tenant, name: str, **more: Any) -> Any:
    given: dict[str, Any] = {"state": value(f"state {name}"), **OWN, **more}
    return await tenant("threads.put", checkpoint_id=name, **given)


def counted(database: Database, tenant: Tenant) -> Iterator[tuple[int, int]]:
    """Of every thread of the tenant, what is noted and what is there."""
    with database.connect(ADMIN) as admin:
        yield from admin.execute(
            "SELECT t.bytes, (SELECT coalesce(sum(size), 0)::bigint FROM ("
            "SELECT thread_pk, coalesce(octet_length(data), 0) + octet_length(labels::text) AS size FROM muniment.thread_checkpoint"
            " UNION ALL SELECT thread_pk, octet_length(data) FROM muniment.thread_value"
            " UNION ALL SELECT thread_pk, octet_length(data) FROM muniment.thread_write"
            " UNION ALL SELECT thread_pk, octet_length(data) FROM muniment.thread_piece) s WHERE s.thread_pk = t.thread_pk)"
            " FROM muniment.thread t WHERE t.tenant_id = %s",
            [tenant.tenant_id],
        ).fetchall()


async def test_what_is_counted_is_what_is_there(database: Database, tenant: Tenant) -> None:
    new = {"channel": "c", "version": "1"}
    await put(tenant, "1", channels=[new], values=[new | value("x" * 100)], labels={"run_id": "a"})
    await put(tenant, "1", labels={"run_id": "a", "more": "y" * 50})
    await put(tenant, "2", parent_id="1", channels=[new], values=[new | value("another")])
    await put(tenant, "3", state=cut("p", "q"), pieces=carried("p", "q"), labels={"run_id": "b"})
    await tenant("threads.put_pieces", **OWN, pieces=carried("q", "unused"))
    writes = [{"place": 0, "channel": "c", **cut("p")}, {"place": -1, "channel": "e", **value("e")}]
    for text in ("first", "second, which is longer"):
        writes[1] |= value(text)
        await tenant("threads.put_writes", **OWN, checkpoint_id="3", task_id="k", writes=writes)
    await tenant("threads.copy", **OWN, target_id="u")
    assert [noted == there > 100 for noted, there in counted(database, tenant)] == [True, True]
    gone = await tenant("threads.delete", user_id="u", run_ids=["a"])
    assert (gone.threads, gone.checkpoints) == (0, 2)
    await tenant("threads.delete", user_id="u", thread_ids=["u"], keep="latest")
    left = {one.checkpoint_id for one in (await tenant("threads.list", **OWN)).items}
    assert left == {"2", "3"}
    assert all(noted == there for noted, there in counted(database, tenant))
    gone = await tenant("threads.delete", user_id="u", thread_ids=["t"], run_ids=["b"])
    assert (gone.threads, gone.checkpoints) == (2, 1)
    assert not [*counted(database, tenant)]


async def test_for_how_long(database: Database, service: Local, tenant: Tenant) -> None:
    await put(tenant, "1")
    await put(tenant, "1", thread_id="other")
    service.clock.advance(days=89)
    await put(tenant, "2", thread_id="other")
    service.clock.advance(days=1)
    assert not (await tenant("threads.list", **OWN)).items
    listed = (await tenant("threads.list", user_id="u")).items
    assert [one.checkpoint_id for one in listed] == ["2", "1"]
    await put(tenant, "9")
    assert [one.checkpoint_id for one in (await tenant("threads.list", **OWN)).items] == ["9"]
    service.clock.advance(days=90)
    async with local_service(database.conninfo(WORKER), seed="threads") as worker:
        worker.clock.moment = service.clock.moment
        await expire.run_once(worker.world)
    assert not [*counted(database, tenant)]


async def test_who_may_not_write(service: Local, tenant: Tenant) -> None:
    await put(tenant, "1")
    service.world.quotas._limits = QuotaLimits(5, None, 0)  # type: ignore[attr-defined]
    with pytest.raises(QuotaExceeded):
        await put(tenant, "2")
    service.world.quotas._limits = QuotaLimits(None, None, 0)  # type: ignore[attr-defined]
    await tenant("users.opt_out", user_id="u")
    with pytest.raises(WritesRefused):
        await put(tenant, "2")
    assert (await tenant("threads.delete", user_id="u", thread_ids=["t"])).threads == 1


async def test_values_that_are_none(tenant: Tenant) -> None:
    for state in (value("x") | cut("y"), {"type": "bytes"}):
        with pytest.raises(InvalidInput):
            await put(tenant, "1", state=state)
    with pytest.raises(Conflict):
        await put(tenant, "1", state=cut("y"))
    write = {"place": 1, "channel": "c", **value("x")}
    with pytest.raises(InvalidInput):
        await tenant(
            "threads.put_writes", **OWN, checkpoint_id="1", task_id="k", writes=[write] * 2
        )
    assert not (await tenant("threads.list", user_id="u")).items
    await put(tenant, "1")
    with pytest.raises(Conflict):
        await tenant("threads.copy", **OWN | {"thread_id": "t"}, target_id=await _other(tenant))


async def _other(tenant: Tenant) -> str:
    await put(tenant, "1", thread_id="other")
    return "other"


async def test_what_the_trail_tells(tenant: Tenant) -> None:
    await put(tenant, "1")
    await put(tenant, "1")
    await put(tenant, "1", labels={"a": 1})
    items = (await tenant("audit.list", limit=50)).items
    told = [item for item in reversed(items) if item.operation == "threads.put"]
    assert [len(item.changes) for item in told] == [1, 0, 1]
    first, last = told[0].changes[0], told[2].changes[0]
    assert (first.before, first.after) == (None, last.before)
    assert last.after not in (None, last.before)
    assert all(str(first.record).startswith(str(subject)) for subject in told[0].subjects)


async def test_under_a_hold(database: Database, tenant: Tenant) -> None:
    await put(tenant, "1")
    await tenant("holds.place", user_id="u", reason="A case.")
    await tenant("threads.delete", user_id="u", thread_ids=["t"])
    with database.connect(ADMIN) as admin:
        kept = admin.execute(
            "SELECT source FROM muniment.kept_row WHERE tenant_id = %s ORDER BY 1",
            [tenant.tenant_id],
        ).fetchall()
    assert kept == [("thread",), ("thread_checkpoint",)]
    assert not (await tenant("threads.list", user_id="u")).items
