"""working.*: state by key.

| given | when | then |
|---|---|---|
| any JSON | put and get | the same JSON |
| a key | put again | version moves on |
| if_version that is not there | put | Conflict, nothing changed |
| a key | its time passes | not there, at that instant |
| a session that closes | | its keys are gone |
"""

from typing import Any

import pytest

from muniment.errors import Conflict, NotFound
from tests.support.world import Local, Tenant

PLACE = {"user_id": "u", "session_id": "s"}


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, -1, 2**53 + 1, 10**40, 1.5, 1e-300, "", "x", "𝒳 \u202e naïve", [], {}, [1, [2, {"a": None}]],
        {"b": 1, "a": 2}, {"": 0}, "'; DROP TABLE x; --",
    ],
)  # fmt: skip
async def test_any_json_comes_back(tenant: Tenant, value: Any) -> None:
    await tenant("working.put", **PLACE, key="k", value=value)
    item = await tenant("working.get", **PLACE, key="k")
    assert item.value == value
    assert type(item.value) is type(value)


async def test_versions(tenant: Tenant) -> None:
    put = {**PLACE, "key": "k"}
    assert (await tenant("working.put", **put, value=1, if_version=0)).version == 1
    assert (await tenant("working.put", **put, value=2)).version == 2
    assert (await tenant("working.put", **put, value=3, if_version=2)).version == 3
    for stale in (0, 1, 2, 4):
        with pytest.raises(Conflict):
            await tenant("working.put", **put, value=9, if_version=stale)
    assert (await tenant("working.get", **put)).value == 3
    await tenant("working.delete", **put)
    with pytest.raises(Conflict):
        await tenant("working.put", **put, value=9, if_version=3)
    with pytest.raises(NotFound):
        await tenant("working.get", **put)


async def test_a_key_expires_at_its_instant(service: Local, tenant: Tenant) -> None:
    put = {**PLACE, "key": "k"}
    stored = await tenant("working.put", **put, value=1)
    assert (stored.expires_at - service.clock.moment).total_seconds() == 24 * 3600
    await tenant("working.put", **put, value=1, ttl_seconds=60)
    service.clock.advance(seconds=60, microseconds=-1)
    assert (await tenant("working.get", **put)).value == 1
    service.clock.advance(microseconds=1)
    for operation in ("working.get", "working.delete"):
        with pytest.raises(NotFound):
            await tenant(operation, **put)
    assert (await tenant("working.list", **PLACE)).items == ()
    assert (await tenant("working.put", **put, value=2, if_version=0)).version == 1


async def test_lists_go_on_where_they_ended(tenant: Tenant) -> None:
    for key in ("b", "a", "c"):
        await tenant("working.put", **PLACE, key=key, value=key)
    first = await tenant("working.list", **PLACE, limit=2)
    assert [item.key for item in first.items] == ["a", "b"]
    rest = await tenant("working.list", **PLACE, limit=2, cursor=first.next)
    assert ([item.key for item in rest.items], rest.next) == (["c"], None)


async def test_closing_ends_it(tenant: Tenant) -> None:
    await tenant("working.put", **PLACE, key="k", value=1)
    await tenant("sessions.close", **PLACE)
    with pytest.raises(NotFound):
        await tenant("working.get", **PLACE, key="k")


async def test_what_is_not_there(tenant: Tenant) -> None:
    for operation in ("working.get", "working.delete"):
        with pytest.raises(NotFound):
            await tenant(operation, **PLACE, key="k")
    with pytest.raises(NotFound):
        await tenant("working.list", **PLACE)
