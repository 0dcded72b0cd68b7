"""Audit entries of what a context does: by surrogate ids, counts and salted digests."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from muniment.ports import Context


async def write_entry(
    ctx: Context, operation: str, effect: str, subjects: Sequence[UUID], detail: Mapping[str, Any]
) -> UUID:
    """Store an entry in the transaction of what it tells; its id. The sealer chains it later."""
    entry_id = ctx.ids.new()
    await ctx.unit.run(
        "audit_insert",
        entry_id=entry_id,
        at=ctx.now,
        operation=operation,
        effect=effect,
        key_id=ctx.caller.key_id,
        request=ctx.digest(ctx.request_id),
        subjects=list(subjects),
        detail=dict(detail),
    )
    return entry_id
