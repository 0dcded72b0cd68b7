"""What a session starts with: facts of a user by key, and what is said instead of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.trust import Trust
from muniment.ports import Context
from muniment.records.alongside import Alongside, ask_alongside
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
class _Candidate:
    index_id: UUID
    fits: bool
    eligible: int


@dataclass(frozen=True)
class ProfileRow:
    """An item of a profile, with what a context tells of it."""

    id: UUID
    kind: str
    text: str
    slot: str | None
    trust: Trust
    as_of: datetime
    valid_to: datetime | None
    expires_at: datetime | None
    is_durative: bool
    contested_by: list[UUID] | None


@dataclass(frozen=True)
class _Value:
    memory_id: UUID
    value: str


async def profiled(ctx: Context, scope_id: UUID, moment: Moment, characters: int) -> Profiled:
    """The profile of a scope, without items that are longer than so many characters."""
    found = await ctx.unit.rows(
        _Candidate, "items_profile", **_asked(ctx, scope_id, moment, characters)
    )
    ids = [row.index_id for row in found if row.fits]
    fetched = await fetch_items(ctx, scope_id, ids, moment)
    return Profiled(fetched.rows, found[0].eligible if found else 0)


def ask_profile(
    ctx: Context, scope_id: UUID, moment: Moment, characters: int
) -> Alongside[ProfileRow]:
    """The same for a context, asked with the next statement."""
    return ask_alongside(
        ctx, ProfileRow, "context_profile", **_asked(ctx, scope_id, moment, characters)
    )


def _asked(ctx: Context, scope_id: UUID, moment: Moment, characters: int) -> dict[str, Any]:
    return {
        "scope_id": scope_id,
        "as_of": moment.as_of,
        "known_at": moment.known_at,
        "now": moment.now,
        "floor": ctx.policy.confidence.recall_floor,
        "importance": ctx.policy.profile.importance,
        "kinds": list(ctx.policy.profile.kinds),
        "characters": characters,
        "limit": _MOST_ITEMS,
    }


async def contested_values(ctx: Context, scope_id: UUID, ids: Sequence[UUID]) -> dict[UUID, str]:
    """What the memories with these ids say, by their ids; they contest others."""
    if not ids:
        return {}
    rows = await ctx.unit.rows(_Value, "contested_values", scope_id=scope_id, ids=list(ids))
    return {row.memory_id: row.value for row in rows}
