"""What a session starts with: facts of a user by key, and what is said instead of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from muniment.ports import Context
from muniment.records.alongside import Alongside, answer_of, ask_alongside
from muniment.records.items import ItemRow, Moment, fetch_items

_MOST_ITEMS = 500


@dataclass(frozen=True)
class Profiled:
    """Pinned, single-valued and important facts, and preferences, as the policy orders them.

    ``eligible``: how many there are, with those that were too long to be fetched.
    """

    rows: Sequence[ItemRow]
    eligible: int


@dataclass(frozen=True)
class Profilable:
    """What a profile may have, and whether it could fit."""

    index_id: UUID
    fits: bool
    eligible: int


@dataclass(frozen=True)
class _Value:
    memory_id: UUID
    value: str


def ask_profile(
    ctx: Context, scope_id: UUID, moment: Moment, characters: int
) -> Alongside[Profilable]:
    """What a profile may have, asked with the next statement; longer items do not fit."""
    return ask_alongside(
        ctx,
        Profilable,
        "items_profile",
        scope_id=scope_id,
        as_of=moment.as_of,
        known_at=moment.known_at,
        now=moment.now,
        floor=ctx.policy.confidence.recall_floor,
        importance=ctx.policy.profile.importance,
        kinds=list(ctx.policy.profile.kinds),
        characters=characters,
        limit=_MOST_ITEMS,
    )


async def profiled(
    ctx: Context, scope_id: UUID, moment: Moment, asked: Alongside[Profilable]
) -> Profiled:
    """The profile of a scope."""
    found = await answer_of(ctx, scope_id, asked)
    ids = [row.index_id for row in found if row.fits]
    fetched = await fetch_items(ctx, scope_id, ids, moment)
    return Profiled(fetched.rows, found[0].eligible if found else 0)


async def contested_values(ctx: Context, scope_id: UUID, ids: Sequence[UUID]) -> dict[UUID, str]:
    """What the memories with these ids say, by their ids; they contest others."""
    if not ids:
        return {}
    rows = await ctx.unit.rows(_Value, "contested_values", scope_id=scope_id, ids=list(ids))
    return {row.memory_id: row.value for row in rows}
