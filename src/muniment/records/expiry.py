"""Removing what is past its time, in one scope; who reads left it out from that instant on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Literal
from uuid import UUID

from muniment.ports import Context
from muniment.records.holds import cover
from muniment.records.passes import note_pass
from muniment.records.scopes import lock_scope
from muniment.records.taking_back import settle_disputes
from muniment.records.usage import recount_usage


@dataclass(frozen=True)
class Expired:
    """A row that is past its time."""

    what: Literal["event", "episode", "version", "analysis"]
    scope_id: UUID
    id: UUID


@dataclass(frozen=True)
class _Version:
    memory_id: UUID
    current: bool


@dataclass(frozen=True)
class _Memory:
    id: UUID


def graces(ctx: Context) -> dict[str, Any]:
    """Kinds that stay for a while when their time is over, and how long (RULES 13.1)."""
    kinds = {name: kind.grace for name, kind in ctx.policy.kinds.items() if kind.grace}
    return {"kinds": [*kinds], "spans": [timedelta(days=days) for days in kinds.values()]}


async def remove_expired(ctx: Context, scope_id: UUID, rows: Sequence[Expired]) -> None:
    """Remove rows of one scope with what derives from them alone. A memory stays when turns that
    it cites go; it goes with its last version, or when none is held any more.

    Raises Overtaken when the scope was forgotten.
    """
    mark = await lock_scope(ctx, scope_id)
    await cover(ctx, [scope_id])
    place = {"scope_id": scope_id, "now": ctx.now}
    ids = {
        what: [row.id for row in rows if row.what == what]
        for what in ("event", "episode", "analysis")
    }
    events = await ctx.unit.run("expire_events", ids=ids["event"], **place)
    episodes = await ctx.unit.run("expire_episodes", ids=ids["episode"], **place)
    analyses = await ctx.unit.run("expire_analyses", ids=ids["analysis"], **place)
    versions = await ctx.unit.rows(
        _Version, "expire_versions", ids=[row.id for row in rows if row.what == "version"], **place
    )
    ctx.drill.reached("expiry.removed")
    memories = await ctx.unit.rows(
        _Memory,
        "expire_memories",
        scope_id=scope_id,
        ids=list({one.memory_id for one in versions}),
        ended=list({one.memory_id for one in versions if one.current}),
    )
    gone = [*ids["event"], *ids["episode"], *(one.id for one in memories)]
    await ctx.unit.run("erase_access", scope_id=scope_id, items=gone)
    if versions:
        await ctx.unit.run("erase_nameless", scope_id=scope_id)
        await settle_disputes(ctx, mark)
    before = ctx.now - ctx.policy.session_idle
    sessions = await ctx.unit.run("expire_sessions", scope_id=scope_id, before=before)
    await recount_usage(ctx, scope_id)
    await ctx.unit.run("scope_rebuilt", scope_id=scope_id)
    ctx.unit.after_commit(partial(ctx.indexes.discard, ctx.unit.tenant_id, scope_id))
    await note_pass(
        ctx, "expire", scope_id,
        events=events, episodes=episodes, versions=len(versions), memories=len(memories),
        sessions=sessions, analyses=analyses,
    )  # fmt: skip
