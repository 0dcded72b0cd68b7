"""profile.get: what a session starts with, by key, without a search."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from annotated_types import Ge, Le

from muniment.errors import NotFound
from muniment.operations.items import Item, item_of
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Identifier, Instant, command
from muniment.ports import Context
from muniment.records.items import fetch_items, moment_of
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope

_IMPORTANT = 8


@command
class GetProfile:
    """Pinned, single-valued and important facts of a user."""

    user_id: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE
    as_of: Instant | None = None
    known_at: Instant | None = None
    limit: Annotated[int, Ge(1), Le(100)] = 20


@dataclass(frozen=True)
class Profile:
    """Facts, pinned first, then by importance; always in the same order."""

    items: tuple[Item, ...]
    watermark: Instant


@dataclass(frozen=True)
class _Id:
    index_id: UUID


async def get(command: GetProfile, ctx: Context) -> Profile:
    """A user without facts has an empty profile."""
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        return Profile((), command.known_at or ctx.now)
    moment = moment_of(ctx, scope.watermark, command.as_of, command.known_at)
    ids = await ctx.unit.rows(
        _Id,
        "items_profile",
        scope_id=scope.scope_id,
        as_of=moment.as_of,
        known_at=moment.known_at,
        now=moment.now,
        importance=_IMPORTANT,
        limit=command.limit,
    )
    fetched = await fetch_items(ctx, scope.scope_id, [row.index_id for row in ids], moment)
    items = tuple(item_of(ctx, row, "user", moment) for row in fetched.rows)
    if command.as_of is None and command.known_at is None:
        used = [(scope.scope_id, item.id) for item in items]
        tenant_id, now = ctx.unit.tenant_id, ctx.now
        ctx.unit.after_commit(lambda: ctx.recalls.use(tenant_id, used, now))
    return Profile(items, moment.known_at)


OPERATIONS = (
    Operation(
        name="profile.get",
        summary="Show what is known of a user by key",
        command=GetProfile,
        result=Profile,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", "/v1/users/{user_id}/profile"),
        errors=(NotFound,),
        columns=(
            "items.slot",
            "items.value",
            "items.subject",
            "items.as_of",
            "items.stale",
            "items.trust",
            "items.text",
        ),
    ),
)
