"""holds.*: legal holds, under which what is forgotten is hidden at once and erased on release."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.errors import Conflict, Forbidden, NotFound
from muniment.operations.items import predicate_of
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import FIRST_ID, Cursor, Cursors, cut
from muniment.operations.targets import named_target
from muniment.operations.types import Count, Identifier, Instant, Json, Page, Value, command
from muniment.ports import Context
from muniment.records.holds import (
    HoldTarget,
    NewHold,
    covered,
    hidden_user,
    place_hold,
    release_hold,
)
from muniment.records.ledger import Held, Taken, note_hold, note_release
from muniment.records.receipts import verified, write_receipt
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope, find_user
from muniment.records.secrets import Cleaner
from muniment.records.sessions import find_session
from muniment.records.sources import source_names
from muniment.records.tenant_policy import take_policy

_TARGETS: Mapping[str, HoldTarget] = {
    "session_id": "session", "data_source": "source", "filter": "filter",
}  # fmt: skip
_CURSORS = Cursors(tuple[UUID])


@command
class PlaceHold:
    """Keep a user's rows from being erased; or those of one of their sessions, of a source, or of
    what a filter admits, now and later.

    A source is held under every name that it has, or gets meanwhile. Without a ``user_id`` it is
    that of the whole tenant, and a filter the organisation's.
    ``reason`` names the case, not the person.
    """

    reason: Value
    user_id: Identifier | None = None
    session_id: Identifier | None = None
    data_source: Identifier | None = None
    filter: dict[str, Json] | None = None
    namespace: Identifier = DEFAULT_NAMESPACE


@command
class ReleaseHold:
    """End a hold. What was forgotten or has expired under it and is under no other is erased."""

    hold_id: UUID
    reason: Value


@command
class ListHolds:
    """Holds of the tenant, oldest first; ``released`` shows those that are over too."""

    released: bool = False
    cursor: Cursor | None = None
    limit: Page = 50


@dataclass(frozen=True)
class HoldPlaced:
    """A hold that is open from now on."""

    hold_id: UUID
    target: HoldTarget
    placed_at: Instant


@dataclass(frozen=True)
class HoldReleased:
    """Rows by table that were erased with the hold, and their receipt, if there were any."""

    hold_id: UUID
    released_at: Instant
    counts: Mapping[str, int]
    receipt_id: UUID | None


@dataclass(frozen=True)
class Hold:
    """A hold, and how many rows it keeps that were deleted. A user who was forgotten under it is
    not named any more.
    """

    hold_id: UUID
    target: HoldTarget
    user_id: str | None
    namespace: str | None
    session_id: str | None
    data_source: str | None
    filter: dict[str, Json] | None
    reason: str
    placed_by: UUID
    placed_at: Instant
    released_by: UUID | None
    released_at: Instant | None
    release_reason: str | None
    kept: Count


@dataclass(frozen=True)
class Holds:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Hold, ...]
    next: str | None


@dataclass(frozen=True)
class _Row:
    hold_id: UUID
    target: HoldTarget
    user_id: str | None
    session_id: str | None
    data_source: str | None
    filter: dict[str, Any] | None
    namespace: str | None
    reason: str
    placed_by: UUID
    placed_at: datetime
    released_by: UUID | None
    released_at: datetime | None
    release_reason: str | None
    kept: int


async def place(command: PlaceHold, ctx: Context) -> HoldPlaced:
    """Waits until deletions that are under way have ended; those that come later see it.

    Raises NotFound for a user or session that is not there: it would hold nothing. A key of one
    user places none.
    """
    if ctx.caller.user_id is not None:
        raise Forbidden("A key of one user places no holds.")
    target = _target(command)
    predicate_of(command.filter)
    await take_policy(ctx)
    hold = await _found(command, target, Cleaner(ctx.redactor).text(command.reason), ctx)
    hold_id = ctx.ids.new()
    await place_hold(ctx, hold_id, hold)
    ctx.trail.subjects += [hold_id, *(one for one in (hold.user_pk, hold.session_pk) if one)]
    ctx.trail.detail |= {"target": target}
    await note_hold(ctx, hold_id, target, await _told(command, hold, hold_id, ctx))
    return HoldPlaced(hold_id, target, ctx.now)


async def _told(command: PlaceHold, hold: NewHold, hold_id: UUID, ctx: Context) -> Held:
    """What the ledger is told of a hold; of a filter, which has content, what it covers now."""
    ids = hold.named if hold.like is None else [hold.like]
    if hold.target == "filter":
        ids = await covered(ctx, hold_id)
    return Held(command.user_id, hold.place, ids, hold.names)


async def release(command: ReleaseHold, ctx: Context) -> HoldReleased:
    """Raises NotFound, Conflict for a hold that was released."""
    await take_policy(ctx)
    reason = Cleaner(ctx.redactor).text(command.reason)
    counts = await release_hold(ctx, command.hold_id, reason)
    ctx.trail.subjects.append(command.hold_id)
    ctx.trail.detail |= {"counts": dict(counts)}
    receipt_id = None
    if counts:
        receipt_id = ctx.ids.new()
        await write_receipt(
            ctx,
            receipt_id,
            "hold",
            counts,
            hidden_at=ctx.now,
            verification=await verified(ctx, Taken()),
        )
        ctx.trail.subjects.append(receipt_id)
    await note_release(ctx, command.hold_id)
    return HoldReleased(command.hold_id, ctx.now, counts, receipt_id)


async def list_holds(command: ListHolds, ctx: Context) -> Holds:
    """A page of holds; what they keep is answered by no operation."""
    after = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        _Row,
        "hold_page",
        after=FIRST_ID if after is None else after[0],
        released=command.released,
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Holds(
        items=tuple(Hold(**vars(row)) for row in page),
        next=None if last is None else _CURSORS.after((last.hold_id,)),
    )


def _target(command: PlaceHold) -> HoldTarget:
    names = ("session_id", "data_source", "filter")
    given = named_target(command, names, "name a user, a source or a filter")
    return "user" if given is None else _TARGETS[given]


async def _found(command: PlaceHold, target: HoldTarget, reason: str, ctx: Context) -> NewHold:
    """What is there of what the command names. Raises NotFound."""
    user_pk, user_key = None, None
    if command.user_id is not None:
        user, user_key = await find_user(ctx, command.user_id), ctx.digest(command.user_id)
        if user is None and target == "user":
            hidden = await hidden_user(ctx, user_key)
            if hidden is not None:
                return NewHold("user", reason, hidden.user_pk, user_key, like=hidden.hold_id)
        if user is None:
            raise NotFound("There is no such user.")
        user_pk = user.user_pk
    if target == "user":
        return NewHold("user", reason, user_pk, user_key, named=[user_pk] if user_pk else [])
    if target == "source":
        source = await source_names(ctx, command.data_source or "")
        return NewHold(
            "source", reason, user_pk, user_key, data_source=source.canonical, names=source.names
        )
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        raise NotFound("Nothing is held in this namespace.")
    if target == "filter":
        return NewHold("filter", reason, user_pk, user_key, scope.scope_id, filter=command.filter)
    session = await find_session(ctx, scope.scope_id, command.session_id or "")
    if session is None:
        raise NotFound("There is no such session.")
    named = [session.session_pk]
    return NewHold(
        "session", reason, user_pk, user_key, scope.scope_id, session.session_pk, named=named
    )


OPERATIONS = (
    Operation(
        name="holds.place",
        summary="Place a legal hold",
        command=PlaceHold,
        result=HoldPlaced,
        handler=place,
        effect=Effect.WRITE,
        verb="operate",
        layer="governance",
        http=Http("POST", "/v1/holds"),
        errors=(NotFound, Forbidden),
    ),
    Operation(
        name="holds.list",
        summary="List legal holds",
        command=ListHolds,
        result=Holds,
        handler=list_holds,
        effect=Effect.READ,
        verb="operate",
        layer="governance",
        http=Http("GET", "/v1/holds"),
        columns=(
            "items.hold_id",
            "items.target",
            "items.user_id?",
            "items.session_id?",
            "items.data_source?",
            "items.reason",
            "items.placed_at",
            "items.released_at?",
            "items.kept",
        ),
    ),
    Operation(
        name="holds.release",
        summary="Release a legal hold, and erase what it alone kept",
        command=ReleaseHold,
        result=HoldReleased,
        handler=release,
        effect=Effect.DESTRUCTIVE,
        verb="operate",
        layer="governance",
        http=Http("POST", "/v1/holds/{hold_id}/release"),
        errors=(NotFound, Conflict),
    ),
)
