"""Changes of the rules that somebody else has to look at: opened with the change, decided once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from muniment.errors import Conflict, NotFound, OwnRequest
from muniment.ports import Context
from muniment.records.credentials import made_by_caller

Changed = Literal["policy", "slot", "key", "consent"]
Asked = Literal["operator", "admin", "steward", "auditor"]
Verdict = Literal["approve", "reject"]
WHO: Mapping[Changed, Asked] = {
    "policy": "auditor", "slot": "steward", "key": "admin", "consent": "auditor",
}  # fmt: skip
"""Who has to look at what."""


@dataclass(frozen=True)
class _Opened:
    opened_by: UUID
    principal: str | None
    decided: bool


async def open_rereview(
    ctx: Context, changed: Changed, operation: str, detail: Mapping[str, Any],
    *, ids: Sequence[UUID] = (), user_pk: UUID | None = None,
) -> UUID:  # fmt: skip
    """An item that names what changed; in the transaction of the change."""
    rereview_id = ctx.ids.new()
    await ctx.unit.run(
        "rereview_open",
        rereview_id=rereview_id,
        changed=changed,
        operation=operation,
        detail=dict(detail),
        ids=list(ids),
        user_pk=user_pk,
        asked=WHO[changed],
        key_id=ctx.caller.key_id,
        now=ctx.now,
    )
    ctx.trail.subjects.append(rereview_id)
    return rereview_id


async def decide_rereview(ctx: Context, rereview_id: UUID, verdict: Verdict, reason: str) -> None:
    """Raises NotFound, Conflict for one that was decided, OwnRequest for who made the change."""
    found = await ctx.unit.one(_Opened, "rereview_opened", rereview_id=rereview_id)
    if found is None:
        raise NotFound("There is no such item.")
    if found.decided:
        raise Conflict("This was decided already.")
    if made_by_caller(ctx, found.opened_by, found.principal):
        raise OwnRequest
    await ctx.unit.run(
        "rereview_decide",
        rereview_id=rereview_id,
        verdict=verdict,
        reason=reason,
        key_id=ctx.caller.key_id,
        now=ctx.now,
    )
