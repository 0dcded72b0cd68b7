"""Holds and releases that an older database does not have are carried out from the erasure ledger,
so that what is forgotten under a hold is kept there too (RULES 15.3).
"""

from dataclasses import dataclass, replace
from uuid import UUID

from muniment.domain.erasures import Entry
from muniment.ports import Context
from muniment.records.holds import HoldTarget, NewHold, place_hold, release_hold, widen_holds
from muniment.records.ledger import Taken, item_name
from muniment.records.ledger_names import items_in, scope_in, sources_in, user_in
from muniment.records.receipts import verified, write_receipt
from muniment.records.scopes import find_user
from muniment.records.tenant_policy import take_policy

_WHY = "carried out from the erasure ledger"
_TARGETS: dict[str, HoldTarget] = {
    "user": "user", "session": "session", "source": "source", "filter": "filter",
}  # fmt: skip


@dataclass(frozen=True)
class _Open:
    id: UUID
    user_pk: UUID | None
    user_key: str | None


async def place_again(ctx: Context, key: bytes, entry: Entry) -> None:
    """Place a hold as it was; on what is not in this database there is nothing to hold."""
    await take_policy(ctx)
    target = _TARGETS[entry.target]
    user_pk, user_key = None, None
    name = None if entry.name is None else await user_in(ctx, key, entry)
    if name is not None:
        user = await find_user(ctx, name)
        user_pk, user_key = None if user is None else user.user_pk, ctx.digest(name)
    hold = NewHold(target, _WHY, user_pk, user_key)
    if target == "user":
        like = None if user_pk is not None else await _open_hold(ctx, key, entry, entry.items)
        if like is not None:
            hold = replace(hold, user_pk=like.user_pk, user_key=like.user_key, like=like.id)
        elif user_pk is None:
            return
        hold = replace(hold, named=[] if hold.user_pk is None else [hold.user_pk])
    elif target == "source":
        if entry.name is not None and user_pk is None:
            return
        # Of a source that is not known here it covers nothing, until that gets names that are.
        names = await sources_in(ctx, key, entry)
        hold = replace(hold, data_source=next(iter(names), None), names=names)
    else:
        scope = await scope_in(ctx, key, entry)
        if scope is None:
            return
        found = await items_in(ctx, key, entry, scope)
        session = next((one.id for one in found if one.is_session), None)
        hold = replace(hold, place=scope.scope_id, named=[one.id for one in found])
        hold = replace(hold, session_pk=session if target == "session" else None)
    await place_hold(replace(ctx, now=min(entry.at, ctx.now)), entry.entry_id, hold)


async def widen_again(ctx: Context, key: bytes, entry: Entry) -> None:
    """Put the hold that an entry names on the names that its source got, if it is there."""
    await take_policy(ctx)
    found = await _open_hold(ctx, key, entry, (entry.name,))
    if found is not None:
        await widen_holds(ctx, await sources_in(ctx, key, entry), found.id)


async def release_again(ctx: Context, key: bytes, entry: Entry) -> None:
    """Release the hold that an entry names, if it is there; with a receipt, if rows go."""
    await take_policy(ctx)
    found = await _open_hold(ctx, key, entry, (entry.name,))
    if found is None:
        return
    counts = await release_hold(ctx, found.id, _WHY)
    if counts:
        await write_receipt(
            ctx,
            entry.entry_id,
            "hold",
            counts,
            hidden_at=min(entry.at, ctx.now),
            verification=await verified(ctx, Taken()),
        )


async def _open_hold(
    ctx: Context, key: bytes, entry: Entry, names: tuple[str | None, ...]
) -> _Open | None:
    for row in await ctx.unit.rows(_Open, "hold_ids"):
        if item_name(key, entry.tenant_id, row.id) in names:
            return row
    return None
