"""What a scope stores, for quotas: counted under its row lock, counted anew after a forget."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from muniment.ports import Context, ScopeMark


async def add_usage(ctx: Context, mark: ScopeMark, items: int, size: int) -> None:
    """Note ``items`` more rows of ``size`` bytes together."""
    if items and ctx.schema.counts_usage:
        await ctx.unit.run("usage_add", scope_id=mark.scope_id, items=items, bytes=size)


async def recount_usage(ctx: Context, scope_id: UUID) -> None:
    """Count a scope from what it holds."""
    if ctx.schema.counts_usage:
        await ctx.unit.run("usage_recount", scope_id=scope_id)


def size_of(metadata: Mapping[str, Any], *texts: str | None) -> int:
    """Bytes of UTF-8 that texts and metadata take."""
    size = sum(len(text.encode()) for text in texts if text is not None)
    return size + len(json.dumps(metadata, ensure_ascii=False).encode()) - len("{}")
