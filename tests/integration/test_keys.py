"""Keys: what they may do, and until when.

| key | may | may not |
|---|---|---|
| unknown, malformed, wrong secret, expired, revoked, of another tenant's id | | anything: Unauthenticated |
| verbs without the operation's | | Forbidden |
| layers without the operation's | | Forbidden |
| revoked or changed by another process, known to this one | | anything, whatever else is wrong with the call; nothing is answered, nothing written |
| of one user | that user's | other users, operations without a user: Forbidden; items of others: NotFound |
| any | make keys with its own rights or fewer | more: InvalidInput |
| that expires | make keys that expire with it, or before | later: InvalidInput |
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from muniment.errors import Forbidden, InvalidInput, NotFound, Unauthenticated
from muniment.records.credentials import read_token
from tests.support.world import START, Local, Tenant

LIST = ("memories.list", {"user_id": "u"})


async def test_a_key_works_until_it_expires(service: Local, tenant: Tenant) -> None:
    key = await tenant.key_for(expires_at=service.clock.moment + timedelta(hours=1))
    await tenant(LIST[0], _as=key, **LIST[1])
    service.clock.advance(hours=1)
    with pytest.raises(Unauthenticated):
        await tenant(LIST[0], _as=key, **LIST[1])


async def test_a_key_works_until_it_is_revoked(tenant: Tenant) -> None:
    key = await tenant.key_for()
    revoked = await tenant("keys.revoke", key_id=read_token(key).key_id)
    assert revoked.revoked_at is not None
    assert (await tenant("keys.revoke", key_id=read_token(key).key_id)) == revoked
    with pytest.raises(Unauthenticated):
        await tenant(LIST[0], _as=key, **LIST[1])
    with pytest.raises(NotFound):
        await tenant("keys.revoke", key_id=UUID(int=1))


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("memories.list", {"user_id": "u"}),
        ("recall", {"user_id": "u", "query": "cats"}),
        ("working.put", {"user_id": "u", "session_id": "s", "key": "k", "value": 1}),
        ("memories.remember", {"user_id": "u", "kind": "fact", "text": "The user has a cat."}),
        ("memories.get", {"id": str(UUID(int=1))}),
        ("memories.remember", {"user_id": "u", "kind": "no kind", "text": "x"}),
        ("memories.list", {"user_id": "u", "limit": 0}),
        ("tenants.create", {"name": "third"}),
        ("keys.create", {"principal": "p", "verbs": ["write"], "user_id": "other"}),
    ],
)
async def test_a_known_key_is_looked_up_again_with_the_first_statement(
    service: Local, tenant: Tenant, operation: str, arguments: dict[str, Any]
) -> None:
    key = await tenant.key_for()
    await tenant("memories.list", _as=key, user_id="u")
    token = read_token(key)
    # As another process of the service would do it: this one is not told.
    async with service.world.units.open(tenant.tenant_id) as unit:
        await unit.run("key_revoke", key_id=token.key_id, now=service.clock.now())
    for _ in range(2):
        with pytest.raises(Unauthenticated):
            await tenant(operation, _as=key, **arguments)
    assert (await tenant("memories.list", user_id="u")).items == ()


async def test_the_secret_of_a_known_key_counts(tenant: Tenant) -> None:
    key, other = await tenant.key_for(), await tenant.key_for()
    for one in (key, other):
        await tenant("memories.list", _as=one, user_id="u")
    ours, theirs = read_token(key), read_token(other)
    forged = str(type(ours)(ours.tenant_id, ours.key_id, theirs.secret))
    with pytest.raises(Unauthenticated):
        await tenant("memories.list", _as=forged, user_id="u")
    await tenant("memories.list", _as=key, user_id="u")


async def test_keys_that_are_none(service: Local, tenant: Tenant) -> None:
    other = await service.tenant("other")
    token, foreign = read_token(tenant.key), read_token(other.key)
    wrong = [
        "",
        "mnm_",
        "x",
        tenant.key[:-1],
        tenant.key + "a",
        str(type(token)(foreign.tenant_id, token.key_id, token.secret)),
        str(type(token)(token.tenant_id, token.key_id, foreign.secret)),
        str(type(token)(token.tenant_id, foreign.key_id, token.secret)),
        str(type(token)(UUID(int=3), token.key_id, token.secret)),
    ]
    for key in wrong:
        with pytest.raises(Unauthenticated):
            await service.call(LIST[0], LIST[1], key)


@pytest.mark.parametrize(
    ("grant", "operation", "arguments"),
    [
        (
            {"verbs": ["read"]},
            "working.put",
            {"user_id": "u", "session_id": "s", "key": "k", "value": 1},
        ),
        ({"verbs": ["write"]}, *LIST),
        ({"verbs": ["read", "write"]}, "forget", {"user_id": "u"}),
        ({"verbs": ["read", "write", "forget"]}, "keys.list", {}),
        ({"verbs": ["admin"], "layers": ["governance"]}, "tenants.create", {"name": "x"}),
        ({"verbs": ["admin"], "layers": ["semantic"]}, "keys.list", {}),
        ({"layers": ["working"]}, *LIST),
        ({"layers": ["semantic"]}, "working.list", {"user_id": "u", "session_id": "s"}),
        ({"user_id": "v"}, *LIST),
        ({"user_id": "v"}, "memories.list", {}),
        ({"user_id": "v"}, "recall", {"user_id": "u", "query": "x"}),
        ({"user_id": "v"}, "jobs.list", {}),
    ],
)
async def test_rights_that_a_key_lacks(
    tenant: Tenant, grant: dict[str, Any], operation: str, arguments: dict[str, Any]
) -> None:
    key = await tenant.key_for(**grant)
    with pytest.raises(Forbidden):
        await tenant(operation, _as=key, **arguments)


async def test_a_forbidden_key_is_not_told_whether_its_input_was_right(tenant: Tenant) -> None:
    key = await tenant.key_for(verbs=["read"])
    with pytest.raises(Forbidden):
        await tenant("working.put", _as=key, nonsense=1)


async def test_a_key_of_one_user_does_not_find_others(tenant: Tenant) -> None:
    made = {}
    for user in ("u", "v"):
        made[user] = await tenant(
            "memories.remember",
            kind="fact",
            text="Lives in Rome.",
            user_id=user,
            slot="city",
            value="Rome",
        )
    key = await tenant.key_for(user_id="v")
    assert (await tenant("memories.get", _as=key, id=made["v"].id)).id == made["v"].id
    for operation in ("memories.get", "memories.history"):
        with pytest.raises(NotFound):
            await tenant(operation, _as=key, id=made["u"].id)


@pytest.mark.parametrize(
    ("wanted", "pointer"),
    [
        ({"verbs": ["read", "forget"]}, "/verbs"),
        ({"layers": ["audit"]}, "/layers"),
        ({"roles": ["operator"]}, "/roles"),
        ({"expires_at": START}, "/expires_at"),
    ],
)
async def test_a_key_gives_no_more_than_it_has(
    tenant: Tenant, wanted: dict[str, Any], pointer: str
) -> None:
    key = await tenant.key_for(
        verbs=["read", "admin"], layers=["semantic", "governance"], roles=["user"]
    )
    given = {"principal": "p", "verbs": ["read"], "layers": ["semantic"], "roles": ["user"]}
    with pytest.raises(InvalidInput) as caught:
        await tenant("keys.create", _as=key, **(given | wanted))
    assert [fault.pointer for fault in caught.value.faults] == [pointer]
    await tenant("keys.create", _as=key, **given)


async def test_a_key_gives_no_longer_than_it_has(service: Local, tenant: Tenant) -> None:
    ends = service.clock.moment + timedelta(hours=1)
    key = await tenant.key_for(verbs=["read", "admin"], layers=["governance"], expires_at=ends)
    given = {"principal": "p", "verbs": ["read"], "layers": ["governance"], "roles": []}
    later = ends + timedelta(microseconds=1)
    with pytest.raises(InvalidInput) as caught:
        await tenant("keys.create", _as=key, expires_at=later, **given)
    assert [fault.pointer for fault in caught.value.faults] == ["/expires_at"]
    sooner = ends - timedelta(minutes=1)
    wanted = {sooner: sooner, ends: ends, None: ends}
    for asked in wanted:
        await tenant("keys.create", _as=key, expires_at=asked, **given)
    made = (await tenant("keys.list")).items[-3:]
    assert [one.expires_at for one in made] == list(wanted.values())


async def test_keys_are_listed_without_their_secrets(tenant: Tenant) -> None:
    for number in range(3):
        await tenant.key_for(principal=f"p{number}")
    first = await tenant("keys.list", limit=2)
    rest = await tenant("keys.list", limit=2, cursor=first.next)
    assert [key.principal for key in (*first.items, *rest.items)] == ["admin", "p0", "p1", "p2"]
    assert rest.next is None
    assert not any("secret" in name for key in first.items for name in vars(key))


async def test_a_tenant_of_its_own(service: Local, tenant: Tenant) -> None:
    made = await tenant("tenants.create", name="other")
    other = Tenant(service, made.tenant_id, made.key.secret)
    assert [key.principal for key in (await other("keys.list")).items] == ["admin"]
    with pytest.raises(Forbidden):
        await other("tenants.create", name="third")
    # The maker's transaction went on as itself.
    assert len((await tenant("keys.list")).items) == 1
