"""Forgetting: what rests on a target, counted and then deleted with all that derives from it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from muniment.ports import Context, ScopeMark
from muniment.records.scopes import ScopeRow, find_user, lock_scope
from muniment.records.sessions import enqueue_consolidation
from muniment.records.usage import recount_usage

Counts = Mapping[str, int]


@dataclass(frozen=True)
class Extent:
    """Everything of one scope that a forget takes."""

    scope_id: UUID
    sessions: Sequence[UUID]
    events: Sequence[UUID]
    episodes: Sequence[UUID]
    memories: Mapping[UUID, Sequence[UUID]]
    requoted: frozenset[UUID]

    @property
    def memory_ids(self) -> list[UUID]:
        """Memories of every scope."""
        return [one for ids in self.memories.values() for one in ids]


@dataclass(frozen=True)
class _Count:
    name: str
    rows: int


@dataclass(frozen=True)
class _InSession:
    id: UUID
    session_pk: UUID


@dataclass(frozen=True)
class _InScope:
    scope_id: UUID
    memory_id: UUID


@dataclass(frozen=True)
class _Session:
    session_pk: UUID


async def user_scopes(ctx: Context, user_id: str) -> tuple[UUID | None, list[UUID]]:
    """The user's key and scopes, locked against writers until the transaction ends."""
    user = await find_user(ctx, user_id)
    if user is None:
        return None, []
    scopes = await ctx.unit.rows(ScopeRow, "scopes_of_user", user_pk=user.user_pk)
    return user.user_pk, [scope.scope_id for scope in scopes]


async def count_user(ctx: Context, scopes: Sequence[UUID]) -> Counts:
    """Rows by table that forgetting the user of these scopes deletes."""
    rows = await ctx.unit.rows(_Count, "erasure_scope_counts", scopes=list(scopes))
    found = Counter({row.name: row.rows for row in rows})
    elsewhere = await _elsewhere(ctx, scopes)
    for scope_id, ids in elsewhere.items():
        extent = Extent(scope_id, (), (), (), {scope_id: ids}, frozenset())
        more = dict(await count_extent(ctx, extent))
        # Its evidence lies in the user's scopes and is counted there.
        more.pop("memory_evidence", None)
        found.update(more)
    return {name: count for name, count in found.items() if count}


async def erase_user(ctx: Context, user_id: str, user_pk: UUID, scopes: Sequence[UUID]) -> None:
    """Delete a user with everything of theirs, and what elsewhere rests on them alone."""
    for scope_id, ids in (await _elsewhere(ctx, scopes)).items():
        await lock_scope(ctx, scope_id)
        await _erase_memories(ctx, scope_id, ids)
    await ctx.unit.run("erase_user", user_pk=user_pk)
    if ctx.schema.keeps_answers:
        await ctx.unit.run("idempotency_forget_user", user_id=user_id)
    for scope_id in scopes:
        ctx.unit.after_commit(partial(ctx.indexes.discard, ctx.unit.tenant_id, scope_id))


async def _elsewhere(ctx: Context, scopes: Sequence[UUID]) -> Mapping[UUID, list[UUID]]:
    """Memories of other scopes that rest on these alone, in the order of locking."""
    rows = await ctx.unit.rows(_InScope, "erasure_memories_of_scopes", scopes=list(scopes))
    found: dict[UUID, list[UUID]] = {}
    for row in sorted(rows, key=lambda row: row.scope_id):
        found.setdefault(row.scope_id, []).append(row.memory_id)
    return found


async def extent_of_session(ctx: Context, scope_id: UUID, session_id: str) -> Extent:
    """What forgetting a session takes."""
    sessions = await ctx.unit.rows(
        _Session, "erasure_sessions", scope_id=scope_id, session_id=session_id
    )
    return await _extent(ctx, scope_id, [row.session_pk for row in sessions], [])


async def extent_of_items(ctx: Context, scope_id: UUID, items: Sequence[UUID]) -> Extent:
    """What forgetting events, summaries or memories of a scope takes."""
    return await _extent(ctx, scope_id, [], items)


async def count_extent(ctx: Context, extent: Extent) -> Counts:
    """Rows by table that erasing the extent deletes."""
    rows = await ctx.unit.rows(
        _Count,
        "erasure_item_counts",
        scope_id=extent.scope_id,
        sessions=list(extent.sessions),
        events=list(extent.events),
        episodes=list(extent.episodes),
        memories=extent.memory_ids,
    )
    return {row.name: row.rows for row in rows if row.rows}


async def erase_extent(ctx: Context, mark: ScopeMark, extent: Extent) -> None:
    """Delete the extent; summaries that quoted an erased turn are made anew without it.

    The caller took the scope's lock (``mark``) before it worked out the extent.
    """
    scope_id = extent.scope_id
    items = [*extent.events, *extent.episodes]
    await ctx.unit.run("erase_access", scope_id=scope_id, items=items)
    await ctx.unit.run("erase_evidence", scope_id=scope_id, events=list(extent.events))
    await ctx.unit.run("erase_sessions", scope_id=scope_id, sessions=list(extent.sessions))
    await ctx.unit.run("erase_episodes", scope_id=scope_id, episodes=list(extent.episodes))
    await ctx.unit.run("erase_events", scope_id=scope_id, events=list(extent.events))
    for other, ids in extent.memories.items():
        if other != scope_id:
            await lock_scope(ctx, other)
        await _erase_memories(ctx, other, ids)
    await ctx.unit.run("scope_rebuilt", scope_id=scope_id)
    await recount_usage(ctx, scope_id)
    for session_pk in sorted(extent.requoted):
        await ctx.unit.run(
            "session_dirty", scope_id=scope_id, session_pk=session_pk, at=mark.watermark
        )
        await enqueue_consolidation(ctx, scope_id, session_pk)
    ctx.unit.after_commit(partial(ctx.indexes.discard, ctx.unit.tenant_id, scope_id))


async def _extent(
    ctx: Context, scope_id: UUID, sessions: Sequence[UUID], items: Sequence[UUID]
) -> Extent:
    target = {"scope_id": scope_id, "sessions": list(sessions), "items": list(items)}
    events = await ctx.unit.rows(_InSession, "erasure_events", **target)
    event_ids = [row.id for row in events]
    episodes = await ctx.unit.rows(_InSession, "erasure_episodes", events=event_ids, **target)
    memories: dict[UUID, list[UUID]] = {}
    for row in await ctx.unit.rows(_InScope, "erasure_memories", events=event_ids, **target):
        memories.setdefault(row.scope_id, []).append(row.memory_id)
    requoted = {row.session_pk for row in episodes} - set(sessions)
    return Extent(
        scope_id=scope_id,
        sessions=list(sessions),
        events=event_ids,
        episodes=[row.id for row in episodes],
        memories=memories,
        requoted=frozenset(requoted),
    )


async def _erase_memories(ctx: Context, scope_id: UUID, ids: Sequence[UUID]) -> None:
    await ctx.unit.run("erase_memories", scope_id=scope_id, memories=list(ids))
    await ctx.unit.run("erase_access", scope_id=scope_id, items=list(ids))
    await ctx.unit.run("erase_nameless", scope_id=scope_id)
    await ctx.unit.run("scope_rebuilt", scope_id=scope_id)
    ctx.unit.after_commit(partial(ctx.indexes.discard, ctx.unit.tenant_id, scope_id))
