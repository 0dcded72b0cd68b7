"""slots.*: the registry of a tenant (RULES 3).

| given | when | then |
|---|---|---|
| nothing | list | the defaults, each as `default` |
| a new name | define | `own`; taken by remember, unknown to another tenant |
| a default's name | define | `overrides`; the tenant's counts |
| an own one | remove | gone; what is held stays and can be read |
| one that overrides | remove | the default is back |
| a default | remove | `hidden`: remember refuses it, list still shows it; define has it back |
| a hidden or unknown one | remove | NotFound |
| `many` to `one` | no two values at one time | the values get the new cardinality: the next one supersedes |
| `many` to `one` | two values at one time, now or then | SlotInUse with how many, nothing changes |
| the same | one of the two has expired, or is contested | taken |
| `one` to `many` | | both values stand from then on |
| an alias | after values were stored | they are one value from then on |
| a shorter `ttl` | | what is held lives shorter, and the answer says how many |
| a `ttl` | told again, or confirmed | lives from then on, by the `ttl` of then; without one, for good |
| bad cues, aliases, numbers | define | InvalidInput with the place |
| 200 slots | one more | Conflict |
| another process | the next call | goes by the change |
"""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from muniment.errors import Conflict, Forbidden, InvalidInput, NotFound, SlotInUse
from muniment.postgres.embedded import ADMIN, APP
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant, local_service


async def remember(tenant: Tenant, value: str, slot: str = "boat", **more: Any) -> Any:
    """A fact about user u."""
    given = {"kind": "fact", "text": f"The {slot} is {value}.", "user_id": "u"}
    return await tenant("memories.remember", **(given | {"slot": slot, "value": value} | more))


async def held(tenant: Tenant, slot: str = "boat") -> set[str]:
    """Values that are asserted now."""
    items = (await tenant("memories.list", user_id="u", filter={"slot": slot})).items
    return {item.value for item in items}


async def origins(tenant: Tenant) -> dict[str, str]:
    """Where each slot comes from."""
    return {one.name: one.origin for one in (await tenant("slots.list", limit=200)).items}


def cardinalities(database: Database, tenant: Tenant) -> list[str]:
    """Of the versions that are in force."""
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT cardinality FROM muniment.memory_version WHERE tenant_id = %s"
            " AND upper_inf(recorded) ORDER BY 1",
            [tenant.tenant_id],
        ).fetchall()
    return [row[0] for row in rows]


async def test_the_defaults(tenant: Tenant) -> None:
    found = await origins(tenant)
    assert {"city", "pet", "allergy"} <= set(found)
    assert set(found.values()) == {"default"}


async def test_pages(tenant: Tenant) -> None:
    whole = (await tenant("slots.list", limit=200)).items
    paged, cursor = [], None
    while True:
        page = await tenant("slots.list", limit=7, cursor=cursor)
        paged += page.items
        cursor = page.next
        if cursor is None:
            break
    assert paged == list(whole)


async def test_a_slot_of_its_own(service: Local, tenant: Tenant) -> None:
    with pytest.raises(InvalidInput):
        await remember(tenant, "Swan")
    made = await tenant("slots.define", name="boat", cardinality="one", stale_after=2, pinned=True)
    assert (made.slot.origin, made.slot.stale_after, made.recounted) == ("own", 2, 0)
    assert (await remember(tenant, "Swan")).outcome == "inserted"
    (item,) = (await tenant("profile.get", user_id="u")).items
    assert (item.pinned, item.stale) == (True, False)
    service.clock.advance(days=3)
    assert (await tenant("profile.get", user_id="u")).items[0].stale
    other = await service.tenant("other")
    assert "boat" not in await origins(other)
    with pytest.raises(InvalidInput):
        await remember(other, "Swan")


async def test_an_own_one_is_removed(tenant: Tenant) -> None:
    await tenant("slots.define", name="boat", cardinality="one")
    await remember(tenant, "Swan")
    assert (await tenant("slots.remove", name="boat")).slot is None
    assert "boat" not in await origins(tenant)
    assert await held(tenant) == {"Swan"}
    with pytest.raises(InvalidInput):
        await remember(tenant, "Heron")
    with pytest.raises(NotFound):
        await tenant("slots.remove", name="boat")


async def test_a_default_is_overridden_and_comes_back(tenant: Tenant) -> None:
    changed = await tenant("slots.define", name="city", cardinality="many")
    assert changed.slot.origin == "overrides"
    await remember(tenant, "Gouda", "city")
    await remember(tenant, "Breda", "city")
    assert await held(tenant, "city") == {"Gouda", "Breda"}
    with pytest.raises(SlotInUse):
        await tenant("slots.remove", name="city")
    await tenant("forget", user_id="u")
    back = await tenant("slots.remove", name="city")
    assert (back.slot.origin, back.slot.cardinality) == ("default", "one")


async def test_a_default_is_hidden(tenant: Tenant) -> None:
    await remember(tenant, "Rex", "pet")
    assert (await tenant("slots.remove", name="pet")).slot is None
    assert (await origins(tenant))["pet"] == "hidden"
    assert await held(tenant, "pet") == {"Rex"}
    with pytest.raises(InvalidInput):
        await remember(tenant, "Tom", "pet")
    with pytest.raises(NotFound):
        await tenant("slots.remove", name="pet")
    # What consolidation would draw goes without the slot.
    turn = {
        "turn": 1,
        "role": "user",
        "content": "I have a dog called Bo.",
        "occurred_at": "2026-05-30T10:00:00Z",
    }
    await tenant("events.write", user_id="u", session_id="s", events=[turn])
    shown = await tenant("sessions.consolidate", user_id="u", session_id="s", dry_run=True)
    assert "pet" not in {one.slot for one in shown.candidates}
    await tenant("slots.define", name="pet", cardinality="many")
    assert (await remember(tenant, "Tom", "pet")).outcome == "inserted"


async def test_many_becomes_one(database: Database, tenant: Tenant) -> None:
    await tenant("slots.define", name="boat", cardinality="many")
    await remember(tenant, "Swan")
    changed = await tenant("slots.define", name="boat", cardinality="one")
    assert (changed.slot.cardinality, changed.recounted) == ("one", 1)
    assert cardinalities(database, tenant) == ["one"]
    assert (await remember(tenant, "Heron")).outcome == "superseded"
    assert await held(tenant) == {"Heron"}


async def test_two_values_are_in_the_way(database: Database, tenant: Tenant) -> None:
    await tenant("slots.define", name="boat", cardinality="many")
    for value in ("Swan", "Heron", "Stork"):
        await remember(tenant, value)
    await remember(tenant, "Swan", user_id="alone")
    with pytest.raises(SlotInUse) as caught:
        await tenant("slots.define", name="boat", cardinality="one")
    assert caught.value.extra == {"subjects": 1, "values": 3}
    assert not any(word in str(caught.value) for word in ("Swan", "Heron", "boat"))
    assert set(cardinalities(database, tenant)) == {"many"}
    assert (await tenant("slots.list", limit=1)).items
    assert {one.name: one.cardinality for one in (await tenant("slots.list", limit=200)).items}[
        "boat"
    ] == "many"


async def test_windows_that_only_met_in_the_past_are_in_the_way_too(tenant: Tenant) -> None:
    await tenant("slots.define", name="boat", cardinality="many")
    then = {"valid_from": "2020-01-01T00:00:00Z", "valid_to": "2021-01-01T00:00:00Z"}
    await remember(tenant, "Swan", **then)
    await remember(tenant, "Heron", **then)
    with pytest.raises(SlotInUse):
        await tenant("slots.define", name="boat", cardinality="one")


async def test_what_has_expired_holds_nothing(service: Local, tenant: Tenant) -> None:
    await tenant("slots.define", name="boat", cardinality="many", ttl=10)
    await remember(tenant, "Swan")
    service.clock.advance(days=11)
    await remember(tenant, "Heron")
    assert (await tenant("slots.define", name="boat", cardinality="one")).recounted == 1
    assert (await remember(tenant, "Stork")).outcome == "superseded"
    assert await held(tenant) == {"Stork"}


async def test_one_becomes_many(database: Database, tenant: Tenant) -> None:
    await remember(tenant, "Gouda", "city")
    assert (await tenant("slots.define", name="city", cardinality="many")).recounted == 1
    assert (await remember(tenant, "Breda", "city")).outcome == "inserted"
    assert await held(tenant, "city") == {"Gouda", "Breda"}
    assert cardinalities(database, tenant) == ["many", "many"]


async def test_an_alias_counts_for_what_is_held(tenant: Tenant) -> None:
    await remember(tenant, "EU", "deploy_region")
    await tenant(
        "slots.define", name="deploy_region", cardinality="one", aliases={"EU": "eu-west-1"}
    )
    assert (await remember(tenant, "eu-west-1", "deploy_region")).outcome == "reinforced"


async def test_numbers_and_days_are_compared_by_type(tenant: Tenant) -> None:
    await tenant("slots.define", name="boat", cardinality="one", value_type="number")
    await remember(tenant, "1,200.50 EUR")
    assert (await remember(tenant, "1200.5 eur")).outcome == "reinforced"
    await tenant("slots.define", name="launch", cardinality="one", value_type="date")
    await remember(tenant, "3 March 2026", "launch")
    assert (await remember(tenant, "2026-03-03", "launch")).outcome == "reinforced"


async def test_a_shorter_life_counts_at_once(service: Local, tenant: Tenant) -> None:
    await tenant("slots.define", name="boat", cardinality="many", ttl=100)
    await remember(tenant, "Swan")
    service.clock.advance(days=20)
    await remember(tenant, "Heron")
    assert (await tenant("recall", user_id="u", query="Which boat is it?")).items
    changed = await tenant("slots.define", name="boat", cardinality="many", ttl=10)
    assert (changed.shortened, changed.expired) == (2, 1)
    assert await held(tenant) == {"Heron"}
    found = (await tenant("recall", user_id="u", query="Which boat is it?")).items
    assert [item.value for item in found] == ["Heron"]
    # A longer life is for what is written from then on.
    changed = await tenant("slots.define", name="boat", cardinality="many")
    assert (changed.shortened, changed.expired) == (0, 0)
    service.clock.advance(days=11)
    assert await held(tenant) == set()


async def test_what_is_told_again_lives_by_the_slot_as_it_is(
    service: Local, tenant: Tenant
) -> None:
    await tenant("slots.define", name="boat", cardinality="many", ttl=10)
    made = await remember(tenant, "Swan")
    lives = []
    for again in (9, 9):
        service.clock.advance(days=again)
        assert (await remember(tenant, "Swan")).outcome == "reinforced"
        lives.append((await tenant("memories.get", id=made.id)).expires_at)
    assert lives == [START + timedelta(days=19), START + timedelta(days=28)]
    changed = await tenant("slots.define", name="boat", cardinality="many", ttl=5)
    assert (changed.shortened, changed.expired) == (1, 0)
    await tenant("slots.define", name="boat", cardinality="many")
    service.clock.advance(days=1)
    await tenant("memories.confirm", id=made.id)
    assert (await tenant("memories.get", id=made.id)).expires_at is None


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ({"cues": ["* home"]}, "/cues/0"),
        ({"cues": ["live in *", "a * b * c"]}, "/cues/1"),
        ({"cues": ["x"] * 21}, "/cues"),
        ({"aliases": {"EU": ""}}, "/aliases/EU"),
        ({"aliases": {"EU": "a", "eu ": "b"}}, "/aliases"),
        ({"aliases": {" ": "b"}}, "/aliases/ "),
        ({"aliases": {str(number): "x" for number in range(501)}}, "/aliases"),
        ({"aliases": {"EU": "a", "a": "b"}}, "/aliases/EU"),
        (
            {"aliases": {"EU": "eu", "eu-1": "Eu", "one": "two", "two": "One"}},
            ["/aliases/one", "/aliases/two"],
        ),
        ({"ttl": 0}, "/ttl"),
        ({"stale_after": 36501}, "/stale_after"),
        ({"importance": 11}, "/importance"),
        ({"cardinality": "few"}, "/cardinality"),
    ],
)
async def test_what_is_no_definition(
    tenant: Tenant, given: dict[str, Any], pointer: str | list[str]
) -> None:
    with pytest.raises(InvalidInput) as caught:
        await tenant("slots.define", **({"name": "boat", "cardinality": "one"} | given))
    wanted = [pointer] if isinstance(pointer, str) else pointer
    assert [fault.pointer for fault in caught.value.faults] == wanted


async def test_so_many_slots(tenant: Tenant) -> None:
    for number in range(200):
        await tenant("slots.define", name=f"slot {number}", cardinality="one")
    with pytest.raises(Conflict):
        await tenant("slots.define", name="one more", cardinality="one")
    await tenant("slots.define", name="slot 7", cardinality="many")


async def test_who_may(tenant: Tenant) -> None:
    key = await tenant.key_for(verbs=["read", "write"])
    assert (await tenant("slots.list", _as=key)).items
    for operation in ("slots.define", "slots.remove"):
        with pytest.raises(Forbidden):
            await tenant(operation, _as=key, name="boat", cardinality="one")


async def test_the_next_call_in_every_process(database: Database, tenant: Tenant) -> None:
    async with local_service(database.conninfo(APP), seed="another process") as other:
        there = Tenant(other, tenant.tenant_id, tenant.key)
        for cardinality in ("one", "many"):
            await tenant("slots.define", name="boat", cardinality=cardinality)
            await remember(there, cardinality)
        await tenant("slots.remove", name="boat")
        with pytest.raises(InvalidInput):
            await remember(there, "none")


@pytest.mark.parametrize("start", ["one", "many"])
async def test_changes_among_writers(
    service: Local, database: Database, tenant: Tenant, start: str
) -> None:
    """Whatever the order: every version in force has the slot's cardinality, nobody fails."""
    await tenant("slots.define", name="boat", cardinality=start)

    async def write(user: int) -> None:
        for number in range(12):
            await remember(tenant, f"boat {number}", user_id=f"u{user}")

    async def change() -> None:
        for number in range(8):
            cardinality = "one" if number % 2 else "many"
            try:
                await tenant("slots.define", name="boat", cardinality=cardinality)
            except SlotInUse:
                assert cardinality == "one"
            with database.connect(ADMIN) as admin:
                rows = admin.execute(
                    "SELECT DISTINCT v.cardinality, s.definition ->> 'cardinality'"
                    " FROM muniment.memory_version v JOIN muniment.tenant_slot s"
                    " ON s.tenant_id = v.tenant_id AND s.name = v.slot"
                    " WHERE v.tenant_id = %s AND upper_inf(v.recorded)",
                    [tenant.tenant_id],
                ).fetchall()
            assert all(mine == theirs for mine, theirs in rows)

    await asyncio.gather(*(write(user) for user in range(4)), change())
    assert len(set(cardinalities(database, tenant))) == 1
