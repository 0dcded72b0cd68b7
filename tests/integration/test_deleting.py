"""What an application put may always go, and be replaced by something smaller.

| the user | deletes an item, a file, a thread, a working value | replaces an item |
|---|---|---|
| has a full quota, or the tenant has | it goes | by something no larger: it is there; larger: QuotaExceeded |
| opted out | it goes | WritesRefused |
| has a full disk under them | it goes | StorageFull |
| is not known | nothing goes, and nobody is made | |
"""

from pathlib import Path
from typing import Any

import pytest

from muniment.errors import NotFound, QuotaExceeded, StorageFull, WritesRefused
from muniment.postgres.embedded import ADMIN
from muniment.postgres.quota import QuotaLimits
from tests.integration.test_quotas import limit
from tests.support.databases import Database
from tests.support.world import Local, Tenant

KEY = {"path": ["notes"], "key": "k"}
U: dict[str, Any] = {"user_id": "u"}
FILE = U | {"path": "notes.md"}
VALUE = {"type": "bytes", "data": "eA=="}
THREAD = U | {"thread_id": "t", "checkpoint_id": "1", "state": VALUE}
WORKING = U | {"session_id": "s", "key": "k"}
DELETIONS: list[tuple[str, dict[str, Any]]] = [
    ("store.write", U | {"deletes": [KEY]}),
    ("files.delete", FILE),
    ("threads.delete", U | {"thread_ids": ["t"]}),
    ("working.delete", WORKING),
]
FULL = {
    "user": QuotaLimits(1, None, 0),
    "tenant": QuotaLimits(None, 1, 0),
    "disk": QuotaLimits(None, None, 2**62),
}


async def put(tenant: Tenant, text: str, **more: Any) -> None:
    await tenant("store.write", **U, puts=[KEY | {"value": {"text": text}}], **more)


async def fill(tenant: Tenant) -> None:
    await put(tenant, "as long as this")
    await tenant("files.put", **FILE, content="Notes.")
    await tenant("threads.put", **THREAD)
    await tenant("working.put", **WORKING, value=1)


@pytest.mark.parametrize("why", [*FULL, "opted out"])
async def test_deleting_always_goes(
    service: Local, tenant: Tenant, tmp_path: Path, why: str
) -> None:
    await fill(tenant)
    if why in FULL:
        limit(service, FULL[why], tmp_path)
    else:
        await tenant("users.opt_out", **U)
    for operation, arguments in DELETIONS:
        await tenant(operation, **arguments)
    read = await tenant("store.read", **U, gets=[KEY])
    assert read.items == (None,)
    assert (await tenant("files.list", **U)).items == ()
    assert (await tenant("threads.list", **U)).items == ()


async def test_who_is_not_known_is_not_made(tenant: Tenant, database: Database) -> None:
    for operation, arguments in DELETIONS[:3]:
        if operation == "files.delete":
            with pytest.raises(NotFound):
                await tenant(operation, **arguments)
        else:
            await tenant(operation, **arguments)
    with database.connect(ADMIN) as admin:
        users = "SELECT count(*) FROM muniment.end_user WHERE tenant_id = %s"
        assert admin.execute(users, [tenant.tenant_id]).fetchone() == (0,)


@pytest.mark.parametrize("why", FULL)
async def test_what_is_replaced_may_not_grow(
    service: Local, tenant: Tenant, tmp_path: Path, why: str
) -> None:
    await fill(tenant)
    limit(service, FULL[why], tmp_path)
    refused = StorageFull if why == "disk" else QuotaExceeded
    with pytest.raises(refused):
        await put(tenant, "as long as this, and longer")
    with pytest.raises(refused):
        await tenant("store.write", **U, puts=[KEY | {"key": "new", "value": {}}])
    for text in ("as long as THIS", "short"):
        if why == "disk":
            with pytest.raises(StorageFull):
                await put(tenant, text)
        else:
            await put(tenant, text)
    # What goes makes room for what comes.
    if why != "disk":
        await tenant("store.write", **U, puts=[KEY | {"key": "l", "value": {}}], deletes=[KEY])


async def test_who_opted_out_puts_nothing(tenant: Tenant) -> None:
    await fill(tenant)
    await tenant("users.opt_out", **U)
    with pytest.raises(WritesRefused):
        await put(tenant, "x")
    with pytest.raises(WritesRefused):
        await put(tenant, "x", deletes=[KEY | {"key": "other"}])
