"""schemas.* and artifacts.*: the blackboard of a run; the tables are in docs/how-to/runs.md too.

| put | then |
|---|---|
| a new one, the next version; the same again | stored with the version of its type; the same answer |
| with another version than the last | StaleVersion with the last one, nothing stored |
| by two at once | one is stored |
| what breaks its schema, or takes too long to check, however small | InvalidInput, with the pointer and without the value |
| of a type, or a version of it, that is not registered; of another type than the artifact has | InvalidInput, with the pointer to the type or the version |
| into a run that is closed; of a user who opted out; of another user | RunClosed; WritesRefused; NotFound |

| read | then |
|---|---|
| without a version; with one | the last; the same for ever |
| a diff | the smallest places |
| after the run, the session's user, or the run's time is gone | NotFound, nothing left |
"""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from muniment.errors import (
    Forbidden,
    InvalidInput,
    NotFound,
    RunClosed,
    StaleVersion,
    WritesRefused,
)
from muniment.postgres.embedded import ADMIN
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

PLAN = {
    "type": "object",
    "required": ["steps"],
    "properties": {"steps": {"type": "array", "items": {"type": "string", "maxLength": 20}}},
    "additionalProperties": False,
}


async def board(tenant: Tenant, **more: Any) -> dict[str, Any]:
    """A run with an artifact to write, of a type that is registered."""
    await tenant("schemas.register", name="plan", schema=PLAN)
    run = await tenant("runs.open", **({"agent_id": "a", "user_id": "u"} | more))
    return {"run_id": run.run_id, "name": "the plan"}


async def put(tenant: Tenant, place: dict[str, Any], steps: list[Any], after: int) -> Any:
    return await tenant(
        "artifacts.put", **place, schema="plan", value={"steps": steps}, if_version=after
    )


def bare(place: dict[str, Any]) -> dict[str, Any]:
    return {"run_id": place["run_id"]}


async def test_versions_follow_one_another(service: Local, tenant: Tenant) -> None:
    place = await board(tenant)
    await tenant("runs.checkpoint", **bare(place), step=1, fence=1)
    first = await put(tenant, place, ["look"], 0)
    assert (first.version, first.schema, first.schema_version) == (1, "plan", 1)
    assert await put(tenant, place, ["look"], 0) == first
    for steps, after in ((["act"], 0), (["act"], 2), (["look"], 1000)):
        with pytest.raises(StaleVersion) as told:
            await put(tenant, place, steps, after)
        assert told.value.extra == {"version": 1}
    service.clock.advance(minutes=1)
    assert (await put(tenant, place, ["look", "act"], 1)).version == 2
    last = await tenant("artifacts.get", **place)
    assert (last.version, last.value, last.step) == (2, {"steps": ["look", "act"]}, 1)
    pinned = await tenant("artifacts.get", **place, version=1)
    assert (pinned.value, pinned.put_at) == ({"steps": ["look"]}, START)
    changed = await tenant("artifacts.diff", **place, from_version=1, to_version=2)
    assert [(one.pointer, one.change, one.after) for one in changed.changes] == [
        ("/steps/1", "added", "act")
    ]
    assert changed.whole
    page = await tenant("artifacts.history", **place, limit=1)
    rest = await tenant("artifacts.history", **place, cursor=page.next)
    assert [one.version for one in (*page.items, *rest.items)] == [2, 1]


async def test_who_was_first_of_two(tenant: Tenant) -> None:
    place = await board(tenant)
    found = await asyncio.gather(
        *(put(tenant, place, [name], 0) for name in "abcd"), return_exceptions=True
    )
    assert sum(not isinstance(one, StaleVersion) for one in found) == 1
    assert (await tenant("artifacts.get", **place)).version == 1
    await tenant("artifacts.put", **(place | {"name": "b"}), schema="plan", value={"steps": []}, if_version=0)  # fmt: skip
    listed = await tenant("artifacts.list", **bare(place), limit=1)
    more = await tenant("artifacts.list", **bare(place), cursor=listed.next)
    assert [one.name for one in (*listed.items, *more.items)] == ["b", "the plan"]


@pytest.mark.parametrize(
    ("value", "pointers"),
    [
        ({}, ["/value"]),
        ("secret", ["/value"]),
        ({"steps": ["look", 1]}, ["/value/steps/1"]),
        ({"steps": ["secret " * 9], "x": 1}, ["/value/steps/0", "/value/x"]),
    ],
)
async def test_what_breaks_its_schema(tenant: Tenant, value: Any, pointers: list[str]) -> None:
    place = await board(tenant)
    with pytest.raises(InvalidInput) as told:
        await tenant("artifacts.put", **place, schema="plan", value=value, if_version=0)
    assert sorted(one.pointer for one in told.value.faults) == pointers
    assert "secret" not in str(told.value)
    with pytest.raises(NotFound):
        await tenant("artifacts.get", **place)


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "text"}, "/schema/type"),
        ({"items": {"$ref": "http://127.0.0.1:1/x"}}, "/schema/items/$ref"),
        ({"pattern": "(?=a)"}, "/schema/pattern"),
        ({"pattern": "a{1000}" * 500}, "/schema/pattern"),
        ({"title": "x" * 40_000}, "/schema"),
    ],
)
async def test_what_is_no_schema(tenant: Tenant, schema: Any, pointer: str) -> None:
    with pytest.raises(InvalidInput) as told:
        await tenant("schemas.register", name="s", schema=schema)
    assert [one.pointer for one in told.value.faults] == [pointer]
    assert (await tenant("schemas.list")).items == ()


async def test_what_is_small_and_takes_long(tenant: Tenant) -> None:
    place = await board(tenant)
    pairs = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    schema = {"$ref": "#/$defs/d0", "$defs": {**pairs, "d40": {"type": "string"}}}
    await tenant("schemas.register", name="small", schema=schema)
    puts = (
        tenant("artifacts.put", **(place | {"name": f"{n}"}), schema="small", value=5, if_version=0)
        for n in range(4)
    )
    for refused in await asyncio.gather(*puts, return_exceptions=True):
        assert isinstance(refused, InvalidInput)
        assert [(one.pointer, one.message) for one in refused.faults] == [
            ("/value", "takes too long to check")
        ]


async def test_what_cannot_be_checked(tenant: Tenant) -> None:
    place = await board(tenant)
    schema = {"items": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}, "type": "array"}
    await tenant("schemas.register", name="doubling", schema=schema)
    value: Any = 1
    for _ in range(50):
        value = [value]
    with pytest.raises(InvalidInput) as told:
        await tenant("artifacts.put", **place, schema="doubling", value=value, if_version=0)
    assert [one.pointer for one in told.value.faults] == ["/value"]


async def test_types_have_versions(tenant: Tenant) -> None:
    place = await board(tenant)
    assert (await tenant("schemas.register", name="plan", schema=PLAN)).version == 1
    await put(tenant, place, [], 0)
    tighter = PLAN | {"minProperties": 1, "properties": {"steps": {"maxItems": 1}}}
    assert (await tenant("schemas.register", name="plan", schema=tighter)).version == 2
    with pytest.raises(InvalidInput):
        await put(tenant, place, ["a", "b"], 1)
    older: dict[str, Any] = {"schema": "plan", "value": {"steps": ["a", "b"]}, "if_version": 1}
    done = await tenant("artifacts.put", **place, **older, schema_version=1)
    assert (done.version, done.schema_version) == (2, 1)
    await tenant("schemas.register", name="other", schema={})
    for name in ("other", "none"):
        with pytest.raises(InvalidInput) as told:
            await tenant("artifacts.put", **place, schema=name, value={}, if_version=2)
        assert [one.pointer for one in told.value.faults] == ["/schema"]
    with pytest.raises(InvalidInput) as told:
        await tenant("artifacts.put", **place, **(older | {"if_version": 2}), schema_version=3)
    assert [one.pointer for one in told.value.faults] == ["/schema_version"]
    listed = (await tenant("schemas.list")).items
    assert [(one.name, one.version) for one in listed] == [("other", 1), ("plan", 1), ("plan", 2)]
    assert listed[1].schema == PLAN


async def test_who_may_not(tenant: Tenant) -> None:
    place = await board(tenant)
    await put(tenant, place, [], 0)
    writer = await tenant.key_for(verbs=["read", "write"], layers=["run"])
    with pytest.raises(Forbidden):
        await tenant("schemas.register", _as=writer, name="mine", schema={})
    other = await tenant.key_for(user_id="bob", layers=["run"])
    for call, more in (
        ("get", {}),
        ("history", {}),
        ("diff", {"from_version": 1, "to_version": 1}),
    ):
        with pytest.raises(NotFound):
            await tenant(f"artifacts.{call}", _as=other, **place, **more)
    with pytest.raises(NotFound):
        await tenant("artifacts.put", _as=other, **place, schema="plan", value={"steps": []}, if_version=1)  # fmt: skip
    await tenant("users.opt_out", user_id="u")
    with pytest.raises(WritesRefused):
        await put(tenant, place, ["a"], 1)
    await tenant("users.opt_in", user_id="u")
    await tenant("runs.close", **bare(place), outcome="success", fence=1)
    with pytest.raises(RunClosed):
        await put(tenant, place, ["a"], 1)
    assert (await tenant("artifacts.get", **place)).version == 1


async def test_artifacts_go_with_their_user(tenant: Tenant, database: Database) -> None:
    place = await board(tenant)
    await put(tenant, place, ["canary"], 0)
    counted = await tenant("forget", user_id="u", dry_run=True)
    assert counted.counts["artifact"] == 1
    await tenant("forget", user_id="u")
    with pytest.raises(NotFound):
        await tenant("artifacts.get", **place)
    assert _left(database, tenant.tenant_id) == 0


def _left(database: Database, tenant_id: UUID) -> int:
    with database.connect(ADMIN) as admin:
        row = admin.execute(
            "SELECT count(*) FROM muniment.artifact WHERE tenant_id = %s", [tenant_id]
        ).fetchone()
    return int(row[0]) if row else 0
