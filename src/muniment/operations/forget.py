"""forget: one call that deletes a target in every layer, with a dry run that counts first."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal
from uuid import UUID

from annotated_types import MaxLen, MinLen

from muniment.errors import Fault, InvalidInput
from muniment.operations.items import predicate_of
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Identifier, Instant, Json, command
from muniment.ports import Context
from muniment.records.erasure import (
    Counts,
    count_extent,
    erase_parts,
    erase_user,
    extent_of_parts,
    extent_of_user,
    items_matching,
    sessions_named,
)
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope, lock_scope

Target = Literal["user", "session", "items", "filter"]


@command
class Forget:
    """Forget a user; or one of their sessions, items by id, or what a filter admits.

    Without a ``user_id`` items and filters are the organisation's. A namespace narrows sessions,
    items and filters; a user is forgotten in all of them.
    """

    user_id: Identifier | None = None
    session_id: Identifier | None = None
    ids: Annotated[tuple[UUID, ...], MinLen(1), MaxLen(1000)] | None = None
    filter: dict[str, Json] | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    dry_run: bool = False


@dataclass(frozen=True)
class Forgotten:
    """Rows by table that were deleted, or in a dry run would be; of ``api_key`` those that ended.

    The receipt is for the file.

    A target that is not there is answered with no rows.
    """

    target: Target
    dry_run: bool
    counts: Mapping[str, int]
    receipt_id: UUID | None
    erased_at: Instant | None


async def forget(command: Forget, ctx: Context) -> Forgotten:
    """Deletes in one transaction: once this returns no operation answers with it."""
    target = _target(command)
    if target == "user":
        counts = await _forget_user(command, ctx)
    else:
        counts = await _forget_part(command, ctx)
    if command.dry_run:
        return Forgotten(target, True, counts, None, None)
    receipt_id = ctx.ids.new()
    await ctx.unit.run(
        "receipt_insert",
        receipt_id=receipt_id,
        target=target,
        counts=dict(counts),
        key_id=ctx.caller.key_id,
        erased_at=ctx.now,
    )
    ctx.trail.subjects.append(receipt_id)
    ctx.trail.detail |= {"target": target, "counts": dict(counts)}
    return Forgotten(target, False, counts, receipt_id, ctx.now)


def _target(command: Forget) -> Target:
    given = [name for name in ("session_id", "ids", "filter") if getattr(command, name) is not None]
    if len(given) > 1:
        raise InvalidInput(faults=[Fault(f"/{given[1]}", f"does not go with {given[0]}")])
    if not given:
        if command.user_id is None:
            raise InvalidInput(faults=[Fault("/user_id", "name a user, ids or a filter")])
        return "user"
    if given[0] == "session_id":
        if command.user_id is None:
            raise InvalidInput(faults=[Fault("/user_id", "is needed: a session is a user's")])
        return "session"
    return "items" if given[0] == "ids" else "filter"


async def _forget_user(command: Forget, ctx: Context) -> Counts:
    user = await extent_of_user(ctx, command.user_id or "", lock=not command.dry_run)
    counts = await count_extent(ctx, user.extent, user)
    if not command.dry_run:
        await erase_user(ctx, user)
    return counts


async def _forget_part(command: Forget, ctx: Context) -> Counts:
    predicate = predicate_of(command.filter, None)
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        return {}
    if not command.dry_run:
        await lock_scope(ctx, scope.scope_id)
    sessions: list[UUID] = []
    items = list(command.ids or ())
    if command.session_id is not None:
        sessions = await sessions_named(ctx, scope.scope_id, command.session_id)
    if predicate is not None:
        items = await items_matching(ctx, scope.scope_id, predicate)
    extent = await extent_of_parts(ctx, scope.scope_id, sessions, items, lock=not command.dry_run)
    counts = await count_extent(ctx, extent)
    if not command.dry_run:
        await erase_parts(ctx, scope.scope_id, command.user_id, extent)
    return counts


OPERATIONS = (
    Operation(
        name="forget",
        summary="Forget a user, a session, items or what a filter admits",
        command=Forget,
        result=Forgotten,
        handler=forget,
        effect=Effect.DESTRUCTIVE,
        verb="forget",
        layer=None,
        http=Http("POST", "/v1/forget"),
    ),
)
