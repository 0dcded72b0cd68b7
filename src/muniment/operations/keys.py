"""keys.*: who may do what; and tenants.create, by which an operator makes room for another."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated
from uuid import UUID

from annotated_types import MaxLen, MinLen

from muniment.domain.approvals import ANY_GATE
from muniment.domain.policy import Layer
from muniment.domain.trust import ROLES, Role
from muniment.errors import Fault, InvalidInput, NotFound, WritesRefused
from muniment.operations.operation import VERBS, Effect, Http, Operation, Verb
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Identifier, Instant, Page, command
from muniment.ports import Context
from muniment.records.credentials import KeyGrant, key_values, new_token
from muniment.records.ledger import refuse_forgotten_user
from muniment.records.rereviews import open_rereview

LAYERS: tuple[Layer, ...] = (
    "working", "run", "episodic", "semantic", "knowledge", "audit", "governance",
)  # fmt: skip
_MAX = 20
_LISTS = ("verbs", "layers", "roles", "gates")
_CURSORS = Cursors(tuple[UUID])


@command
class CreateKey:
    """A new key. It may do no more than the key that makes it, and no longer; its secret is shown
    once.

    ``verbs`` and ``layers`` say what it may do and where; ``roles`` whose turns it may relay;
    ``gates`` which requests of runs it may approve, ``*`` being all; ``user_id`` limits it to one
    user.
    """

    principal: Identifier
    verbs: Annotated[tuple[Verb, ...], MinLen(1), MaxLen(_MAX)] = ("read", "write")
    layers: Annotated[tuple[Layer, ...], MinLen(1), MaxLen(_MAX)] = (
        "working", "run", "episodic", "semantic", "knowledge",
    )  # fmt: skip
    roles: Annotated[tuple[Role, ...], MaxLen(_MAX)] = ("user", "assistant", "tool", "external")
    gates: Annotated[tuple[Identifier, ...], MaxLen(_MAX)] = ()
    user_id: Identifier | None = None
    expires_at: Instant | None = None


@command
class ListKeys:
    """Keys of the tenant, oldest first."""

    cursor: Cursor | None = None
    limit: Page = 50


@command
class RevokeKey:
    """End a key at once. Revoking again changes nothing."""

    key_id: UUID


@command
class CreateTenant:
    """A tenant of its own, with its first admin key."""

    name: Identifier


@dataclass(frozen=True)
class Key:
    """A key without its secret."""

    key_id: UUID
    principal: str
    verbs: tuple[str, ...]
    layers: tuple[str, ...]
    roles: tuple[str, ...]
    gates: tuple[str, ...]
    user_id: str | None
    created_at: Instant
    expires_at: Instant | None
    revoked_at: Instant | None


@dataclass(frozen=True)
class NewKey:
    """The key with its secret, which is shown this once and kept as a hash."""

    key_id: UUID
    principal: str
    secret: str = field(repr=False)


@dataclass(frozen=True)
class Keys:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Key, ...]
    next: str | None


@dataclass(frozen=True)
class NewTenant:
    """A tenant and the secret of its admin key, shown this once."""

    tenant_id: UUID
    name: str
    key: NewKey


@dataclass(frozen=True)
class _KeyRow:
    key_id: UUID
    principal: str
    verbs: list[str]
    layers: list[str]
    roles: list[str]
    gates: list[str]
    user_id: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


ADMIN = KeyGrant(principal="admin", verbs=VERBS, layers=LAYERS, roles=ROLES, gates=(ANY_GATE,))
# An operator of one tenant is not one of the installation.
TENANT_ADMIN = KeyGrant(
    principal="admin",
    verbs=tuple(verb for verb in VERBS if verb != "install"),
    layers=LAYERS,
    roles=ROLES,
    gates=(ANY_GATE,),
)


_USUAL = frozenset({"read", "write", "propose"})
_GOVERNING = frozenset({"audit", "governance"})


async def create(command: CreateKey, ctx: Context) -> NewKey:
    """A key that may do more than read and write waits for a second person, in use from now on.

    Raises InvalidInput for a right that the calling key does not have itself, Forgotten for the key
    of a user who takes no writes any more: it would name them again.
    """
    faults = [
        Fault(f"/{name}", f"this key does not have: {', '.join(excess)}")
        for name in _LISTS
        if (excess := sorted(set(getattr(command, name)) - getattr(ctx.caller, name)))
        and not (name == "gates" and ANY_GATE in ctx.caller.gates)
    ]
    expires_at = command.expires_at or ctx.caller.expires_at
    if expires_at is not None:
        if expires_at <= ctx.now:
            faults.append(Fault("/expires_at", "must be in the future"))
        elif expires_at > (ctx.caller.expires_at or expires_at):
            faults.append(Fault("/expires_at", "this key expires before that"))
    if faults:
        raise InvalidInput(faults=faults)
    if command.user_id is not None:
        await refuse_forgotten_user(ctx, command.user_id)
    grant = KeyGrant(
        principal=command.principal,
        verbs=command.verbs,
        layers=command.layers,
        roles=command.roles,
        gates=command.gates,
        user_id=command.user_id,
        expires_at=expires_at,
    )
    made = await _issue(ctx, ctx.unit.tenant_id, grant, created_by=ctx.caller.key_id)
    verbs = frozenset(command.verbs) - _USUAL
    layers = frozenset(command.layers) & _GOVERNING
    if verbs or layers:
        detail = {"verbs": sorted(verbs), "layers": sorted(layers)}
        await open_rereview(ctx, "key", "keys.create", detail, ids=[made.key_id])
    return made


async def list_keys(command: ListKeys, ctx: Context) -> Keys:
    """Keys without secrets, a page at a time."""
    place = _CURSORS.read(command.cursor)
    after = None if place is None else place[0]
    rows = await ctx.unit.rows(_KeyRow, "key_list", after=after, limit=command.limit + 1)
    page, last = cut(rows, command.limit)
    return Keys(
        items=tuple(_key(row) for row in page),
        next=None if last is None else _CURSORS.after((last.key_id,)),
    )


async def revoke(command: RevokeKey, ctx: Context) -> Key:
    """Raises NotFound."""
    row = await ctx.unit.one(_KeyRow, "key_revoke", key_id=command.key_id, now=ctx.now)
    if row is None:
        raise NotFound("There is no such key.")
    ctx.trail.subjects.append(row.key_id)
    return _key(row)


async def create_tenant(command: CreateTenant, ctx: Context) -> NewTenant:
    """Two tenants may have the same name; they share nothing. The admin key lives no longer than
    the key that makes it.
    """
    tenant_id = ctx.ids.new()
    grant = replace(TENANT_ADMIN, expires_at=ctx.caller.expires_at)
    async with ctx.unit.as_tenant(tenant_id) as unit:
        await unit.run("tenant_insert", name=command.name, now=ctx.now)
        key = await _issue(ctx, tenant_id, grant, created_by=None)
    ctx.trail.subjects.append(tenant_id)
    return NewTenant(tenant_id, command.name, key)


async def _issue(
    ctx: Context, tenant_id: UUID, grant: KeyGrant, *, created_by: UUID | None
) -> NewKey:
    token = new_token(tenant_id, ctx.ids.new(), ctx.entropy)
    values = key_values(token, grant, now=ctx.now, created_by=created_by)
    await ctx.unit.run("key_insert", **values)
    ctx.trail.subjects.append(token.key_id)
    return NewKey(token.key_id, grant.principal, str(token))


def _key(row: _KeyRow) -> Key:
    return Key(**(vars(row) | {name: tuple(getattr(row, name)) for name in _LISTS}))


OPERATIONS = (
    Operation(
        name="keys.create",
        summary="Make an API key",
        command=CreateKey,
        result=NewKey,
        handler=create,
        errors=(WritesRefused,),
        secret=True,
        effect=Effect.WRITE,
        verb="admin",
        layer="governance",
        http=Http("POST", "/v1/keys"),
    ),
    Operation(
        name="keys.list",
        summary="List API keys",
        command=ListKeys,
        result=Keys,
        handler=list_keys,
        effect=Effect.READ,
        verb="admin",
        layer="governance",
        http=Http("GET", "/v1/keys"),
        columns=(
            "items.key_id",
            "items.principal",
            "items.verbs",
            "items.layers",
            "items.roles",
            "items.user_id",
            "items.expires_at",
            "items.revoked_at",
        ),
    ),
    Operation(
        name="keys.revoke",
        summary="End an API key",
        command=RevokeKey,
        result=Key,
        handler=revoke,
        effect=Effect.DESTRUCTIVE,
        verb="admin",
        layer="governance",
        http=Http("POST", "/v1/keys/{key_id}/revoke"),
        errors=(NotFound,),
    ),
    Operation(
        name="tenants.create",
        summary="Make a tenant with its first admin key",
        command=CreateTenant,
        result=NewTenant,
        handler=create_tenant,
        secret=True,
        effect=Effect.WRITE,
        verb="install",
        layer="governance",
        http=Http("POST", "/v1/tenants"),
    ),
)
