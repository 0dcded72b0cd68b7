"""What a scope stores, for quotas: counted under its row lock, counted anew after a forget."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.ports import Context, ScopeMark


@dataclass(frozen=True)
class CountedScope:
    """A scope, and whether its count differs from what it holds."""

    scope_id: UUID
    wrong: bool


async def add_usage(ctx: Context, mark: ScopeMark, items: int, size: int) -> None:
    """Note ``items`` more rows of ``size`` bytes together."""
    if (items or size) and ctx.schema.counts_usage:
        await ctx.unit.later("usage_add", scope_id=mark.scope_id, items=items, bytes=size)


async def recount_usage(ctx: Context, scope_id: UUID) -> int:
    """Count a scope, whose lock the caller holds, from what it holds; 1 if that was not known."""
    if not ctx.schema.counts_usage:
        return 0
    return await ctx.unit.run("usage_recount", scope_id=scope_id)


async def miscounted(ctx: Context, after: UUID, limit: int) -> list[CountedScope]:
    """The next scopes in order of their ids. One snapshot, so that no lock is needed."""
    return await ctx.unit.rows(CountedScope, "usage_compare", after=after, limit=limit)


async def heal_usage(ctx: Context, scope_id: UUID) -> int:
    """Hold back the scope's writers and count it; 1 if its count was wrong."""
    if await ctx.unit.value("usage_lock", scope_id=scope_id) is None:
        return 0
    return await recount_usage(ctx, scope_id)


def size_of(metadata: Mapping[str, Any], *texts: str | None) -> int:
    """Bytes of UTF-8 that texts and metadata take."""
    size = sum(len(text.encode()) for text in texts if text is not None)
    return size + len(json.dumps(metadata, ensure_ascii=False).encode()) - len("{}")
