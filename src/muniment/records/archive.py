"""Archiving what faded: a new version on the record axis, out of default recall, restorably."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Literal
from uuid import UUID

from muniment.domain.trust import Trust
from muniment.ports import Context, ScopeMark
from muniment.records.decisions import Decision, write_decisions
from muniment.records.index_rows import end_index
from muniment.records.passes import note_pass
from muniment.records.scopes import lock_scope

RULE = "faded"


@dataclass(frozen=True)
class Faded:
    """A memory or a summary that was not used for too long for what it is worth."""

    what: Literal["memory", "episode"]
    scope_id: UUID
    id: UUID


@dataclass(frozen=True)
class _Version:
    version_id: UUID
    memory_id: UUID
    importance: int
    trust: Trust
    confidence: float
    expires_at: datetime | None
    pinned: bool
    last_used_at: datetime


@dataclass(frozen=True)
class _Episode:
    episode_id: UUID
    importance: int
    expires_at: datetime | None
    last_used_at: datetime


def fading(ctx: Context, now: datetime) -> dict[str, Any]:
    """The kinds that fade, and of each importance the instant before which it has."""
    importances, cuts = ctx.policy.decay.cuts(now)
    kinds = [name for name, kind in ctx.policy.kinds.items() if kind.decays]
    return {
        "importances": importances,
        "cuts": cuts,
        "kinds": kinds,
        "episodes": "session_summary" in kinds,
    }


async def archive(ctx: Context, scope_id: UUID, rows: Sequence[Faded]) -> int:
    """Archive what still is faded under the scope's lock; returns how many memories and summaries.

    Raises Overtaken when the scope was forgotten.
    """
    mark = await lock_scope(ctx, scope_id)
    ids = {what: [row.id for row in rows if row.what == what] for what in ("memory", "episode")}
    memories = await _memories(ctx, mark, ids["memory"])
    episodes = await _episodes(ctx, mark, ids["episode"])
    if memories or episodes:
        await note_pass(ctx, "decay", scope_id, memories=memories, episodes=episodes)
    return memories + episodes


def _has_faded(ctx: Context, importance: int, last_used_at: datetime) -> bool:
    cut = ctx.policy.decay.cut(importance, ctx.now)
    return cut is not None and last_used_at < cut


async def _memories(ctx: Context, mark: ScopeMark, ids: Sequence[UUID]) -> int:
    rows = await ctx.unit.rows(_Version, "faded_versions", scope_id=mark.scope_id, ids=list(ids))
    held = [[*of_one] for _, of_one in groupby(rows, key=lambda row: row.memory_id)]
    faded = [
        of_one
        for of_one in held
        if all(not v.pinned and _has_faded(ctx, v.importance, v.last_used_at) for v in of_one)
    ]
    versions = [version for of_one in faded for version in of_one]
    copies = [_copy(ctx, mark, v.version_id, v.expires_at) for v in versions]
    ended = [one | {"version_id": one["id"], "ended_by": None} for one in copies]
    await ctx.unit.many("version_end", ended)
    await end_index(ctx, mark, [v.version_id for v in versions])
    ctx.drill.reached("decay.ended")
    await ctx.unit.many("version_archive", copies)
    await ctx.unit.many("index_archive", copies)
    made = {one["id"]: one["new_id"] for one in copies}
    await write_decisions(ctx, mark, [_decision(ctx, mark, one, made) for one in faded])
    return len(faded)


async def _episodes(ctx: Context, mark: ScopeMark, ids: Sequence[UUID]) -> int:
    rows = await ctx.unit.rows(_Episode, "faded_episodes", scope_id=mark.scope_id, ids=list(ids))
    faded = [row for row in rows if _has_faded(ctx, row.importance, row.last_used_at)]
    copies = [_copy(ctx, mark, row.episode_id, row.expires_at) for row in faded]
    await ctx.unit.many("episode_end", [one | {"episode_id": one["id"]} for one in copies])
    await end_index(ctx, mark, [row.episode_id for row in faded])
    await ctx.unit.many("episode_archive", copies)
    await ctx.unit.many("episode_source_copy", copies)
    await ctx.unit.many("index_archive", copies)
    return len(faded)


def _copy(
    ctx: Context, mark: ScopeMark, old_id: UUID, expires_at: datetime | None
) -> dict[str, Any]:
    return {
        "scope_id": mark.scope_id,
        "id": old_id,
        "new_id": ctx.ids.new(),
        "at": mark.watermark,
        "rev": mark.version,
        "expires_at": ctx.policy.decay.gone_at(mark.watermark, expires_at),
    }


def _decision(
    ctx: Context, mark: ScopeMark, versions: Sequence[_Version], made: Mapping[UUID, UUID]
) -> Decision:
    """What was decided of one memory, and by which numbers."""
    one = versions[0]
    decay = ctx.policy.decay
    return Decision(
        memory_id=one.memory_id,
        outcome="archived",
        rule=RULE,
        inputs={
            "trust": one.trust,
            "confidence": one.confidence,
            "importance": one.importance,
            "last_used_at": one.last_used_at.isoformat(),
            "strength": round(decay.strength(one.importance, ctx.now - one.last_used_at), 6),
            "threshold": decay.threshold,
            "expires_at": decay.gone_at(mark.watermark, one.expires_at).isoformat(),
        },
        ended=[version.version_id for version in versions],
        made=[made[version.version_id] for version in versions],
    )
