"""Legal holds: what they cover, and what of a deletion they keep back (RULES 15.3).

A row that is deleted while an open hold covers it leaves a copy where no role of the service reads
(``kept_row``): the database does that by itself. Here it is told what is covered.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any, Literal
from uuid import UUID

from muniment.domain.filter import compile_filter
from muniment.errors import Conflict, NotFound
from muniment.ports import Context
from muniment.records.receipts import receipts_let_go

HoldTarget = Literal["user", "session", "source", "filter"]
Rows = Mapping[str, int]


@dataclass(frozen=True)
class NewHold:
    """What a hold is on, by surrogates; ``named`` are the ids that it names itself.

    ``names`` are those of the source. ``like`` is a hold whose items it takes over: that of a user
    who was forgotten under it.
    """

    target: HoldTarget
    reason: str
    user_pk: UUID | None = None
    user_key: str | None = None
    place: UUID | None = None
    session_pk: UUID | None = None
    data_source: str | None = None
    names: Sequence[str] = ()
    filter: Mapping[str, Any] | None = None
    named: Sequence[UUID] = ()
    like: UUID | None = None


@dataclass(frozen=True)
class HiddenUser:
    """A user who was forgotten while a hold on them was open."""

    hold_id: UUID
    user_pk: UUID


@dataclass(frozen=True)
class WidenedHold:
    """A hold on a source, with the names that it is on now."""

    hold_id: UUID
    names: list[str]


@dataclass(frozen=True)
class _Filtered:
    hold_id: UUID
    place: UUID
    filter: dict[str, Any]


@dataclass(frozen=True)
class _Id:
    id: UUID


@dataclass(frozen=True)
class _Kept:
    name: str
    rows: int


@dataclass(frozen=True)
class _Released:
    hold_id: UUID
    user_pk: UUID | None


async def hidden_user(ctx: Context, user_key: str) -> HiddenUser | None:
    """The user of this digest, if they were forgotten under a hold that is open still."""
    return await ctx.unit.one(HiddenUser, "hold_hidden_user", user_key=user_key)


async def place_hold(ctx: Context, hold_id: UUID, hold: NewHold) -> None:
    """Store a hold with all that it covers now. The caller has taken the policy."""
    await ctx.unit.run(
        "hold_insert",
        hold_id=hold_id,
        target=hold.target,
        user_pk=hold.user_pk,
        user_key=hold.user_key,
        place=hold.place,
        session_pk=hold.session_pk,
        data_source=hold.data_source,
        names=list(hold.names),
        filter=None if hold.filter is None else dumps(hold.filter),
        reason=hold.reason,
        key_id=ctx.caller.key_id,
        now=ctx.now,
    )
    await ctx.unit.run("hold_names", hold_id=hold_id, ids=list(hold.named))
    if hold.like is not None:
        await ctx.unit.run("hold_like", hold_id=hold_id, like_id=hold.like)
    await cover(ctx, None)
    await ctx.unit.run("hold_extend", hold_id=hold_id)


async def widen_holds(
    ctx: Context, names: Sequence[str], hold_id: UUID | None = None
) -> list[WidenedHold]:
    """Put open holds on a source, or this one, on all these names of it, beside those that they
    are on; those that it changed. The caller holds the policy.
    """
    given = {"names": list(names), "hold_id": hold_id}
    return await ctx.unit.rows(WidenedHold, "hold_widen", **given)


async def covered(ctx: Context, hold_id: UUID) -> list[UUID]:
    """The ids that a hold covers."""
    return [row.id for row in await ctx.unit.rows(_Id, "hold_covers", hold_id=hold_id)]


async def any_open(ctx: Context) -> bool:
    """Whether the tenant has a hold that is open."""
    return bool(await ctx.unit.value("holds_open"))


async def cover(ctx: Context, scopes: Sequence[UUID] | None) -> bool:
    """Bring what open holds cover in these scopes (None: in all) up to date, before rows of theirs
    are deleted. Returns whether one covers anything there. The caller holds the policy.
    """
    if not await any_open(ctx):
        return False
    places = None if scopes is None else list(scopes)
    for one in await ctx.unit.rows(_Filtered, "holds_by_filter", scopes=places):
        predicate = compile_filter(one.filter)
        await ctx.unit.run(
            "hold_matching",
            hold_id=one.hold_id,
            place=one.place,
            path=predicate.path,
            variables=predicate.json,
        )
    await ctx.unit.run("hold_roots", scopes=places)
    await ctx.unit.run("hold_resting")
    await ctx.unit.run("hold_around")
    return places is None or bool(await ctx.unit.value("holds_concern", scopes=places))


async def begin_receipt(ctx: Context) -> UUID:
    """The receipt to which what is kept back belongs, from here to the end of the transaction."""
    receipt_id = ctx.ids.new()
    await ctx.unit.value("receipt_begin", receipt_id=receipt_id)
    return receipt_id


async def kept_back(ctx: Context, receipt_id: UUID) -> Rows:
    """Rows by table that holds kept back of what belongs to a receipt."""
    rows = await ctx.unit.rows(_Kept, "kept_of", receipt_id=receipt_id)
    return _by_table(rows)


def not_held(counts: Rows, held: Rows) -> Rows:
    """Rows that went of those that a forget took; a hold kept the others."""
    left = Counter(counts)
    left.subtract(held)
    return {name: rows for name, rows in left.items() if rows}


async def release_hold(ctx: Context, hold_id: UUID, reason: str) -> Rows:
    """End a hold and erase what no other hold keeps: rows by table.

    Raises NotFound, Conflict for one that was released. The caller has taken the policy.
    """
    given = {"key_id": ctx.caller.key_id, "now": ctx.now, "reason": reason}
    released = await ctx.unit.one(_Released, "hold_release", hold_id=hold_id, **given)
    if released is None:
        if not await ctx.unit.value("hold_exists", hold_id=hold_id):
            raise NotFound("There is no such hold.")
        raise Conflict("This hold was released already.")
    rows = await ctx.unit.rows(_Kept, "hold_let_go", hold_id=hold_id)
    await ctx.unit.run("hold_items_delete", hold_id=hold_id)
    await receipts_let_go(ctx)
    if released.user_pk is not None:
        await ctx.unit.run("hold_nameless", user_pk=released.user_pk)
    return _by_table(rows)


def _by_table(rows: Sequence[_Kept]) -> Rows:
    return {row.name: row.rows for row in sorted(rows, key=lambda row: row.name)}
