"""What is logged of answers for a user, by ids: contexts, appearances of an item, steps of runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from typing import Any
from uuid import UUID

from muniment.ports import Context


@dataclass(frozen=True)
class _Place:
    scope_id: UUID
    level: str


@dataclass(frozen=True)
class Places:
    """Where answers for a user are logged: their scopes; under a digest where they had none."""

    scopes: Sequence[UUID]
    own: frozenset[UUID]
    user_keys: Sequence[str | None]

    @property
    def where(self) -> dict[str, Any]:
        """It as parameters of statements."""
        return {"scopes": list(self.scopes), "user_keys": list(self.user_keys)}


@dataclass(frozen=True)
class LoggedContext:
    """A context as it is logged."""

    recall_id: UUID
    at: datetime
    session_id: str | None
    run_id: str | None
    step: int | None
    agent_id: str | None
    as_of: datetime
    known_at: datetime
    watermark: datetime
    budget: int
    tokens: int
    counter: str
    items: list[dict[str, Any]]
    dropped: list[dict[str, Any]]


@dataclass(frozen=True)
class AppearanceRow:
    """An answer that had an item; ``assembled``: a context, else a recall or a plan."""

    recall_id: UUID
    at: datetime
    assembled: bool
    session_id: str | None
    run_id: str | None
    step: int | None
    agent_id: str | None
    section: str | None
    tier: str
    score: float | None


@dataclass(frozen=True)
class AnswerRow:
    """An answer of a step, and how far the records went that it was made of."""

    recall_id: UUID
    at: datetime
    assembled: bool
    as_of: datetime
    known_at: datetime
    user_known_at: datetime
    org_known_at: datetime
    items: list[dict[str, Any]]
    dropped: list[dict[str, Any]]


async def places_of(ctx: Context, user_id: str) -> Places:
    """Where answers for a user are; of one whom nobody knows only those under a digest."""
    rows = await ctx.unit.rows(_Place, "trail_scopes", user_id=user_id)
    key = ctx.digest(user_id)
    return Places(
        scopes=[row.scope_id for row in rows],
        own=frozenset(row.scope_id for row in rows if row.level == "user"),
        user_keys=[None if row.level == "user" else key for row in rows],
    )


async def logged_context(ctx: Context, user_id: str, context_id: UUID) -> LoggedContext | None:
    """A context that was assembled for a user."""
    places = await places_of(ctx, user_id)
    return await ctx.unit.one(LoggedContext, "context_find", **places.where, context_id=context_id)


async def appearances_of(
    ctx: Context, user_id: str, item_id: UUID, before: UUID, limit: int
) -> list[AppearanceRow]:
    """Answers for a user that had an item, the latest first, made before another one."""
    places = await places_of(ctx, user_id)
    return await ctx.unit.rows(
        AppearanceRow,
        "trail_appearances",
        **places.where,
        named=dumps([{"id": str(item_id)}]),
        before=before,
        limit=limit,
    )


async def answers_of_step(
    ctx: Context, places: Places, run_id: str, step: int, after: tuple[bool, UUID], limit: int
) -> list[AnswerRow]:
    """What entered a step of a run, contexts first; ``after``: whether a recall, and its id."""
    recalls, last = after
    return await ctx.unit.rows(
        AnswerRow,
        "trail_of_step",
        **places.where,
        run_id=run_id,
        step=step,
        recalls=recalls,
        after=last,
        limit=limit,
    )
