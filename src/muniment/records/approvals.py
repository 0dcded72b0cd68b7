"""Requests for approval: found, and used once for a call or a move."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from typing import Any
from uuid import UUID

from muniment.domain.approvals import ApprovalDecision, Request, lack
from muniment.errors import ApprovalNeeded
from muniment.ports import Context
from muniment.records.runs import RunRow, kept_since


@dataclass(frozen=True)
class ApprovalRow:
    """A request as it is stored, who made it, and of which user its run is."""

    scope_id: UUID
    run_id: UUID
    approval_id: UUID
    action: str
    amount: str | None
    gate: str
    asked: dict[str, Any]
    reason: str | None
    requested_by: UUID
    principal: str | None
    requested_at: datetime
    expires_at: datetime
    decision: ApprovalDecision | None
    granted: dict[str, Any] | None
    note: str | None
    decided_by: UUID | None
    decided_at: datetime | None
    used_for: str | None
    user_id: str | None
    closed_at: datetime | None

    @property
    def request(self) -> Request:
        """As the rules see it; what is not decided when its run is closed is over."""
        ends = self.expires_at
        if self.decision is None and self.closed_at is not None:
            ends = min(ends, self.closed_at)
        return Request(
            self.action, self.gate, ends, self.decision, self.granted or {},
            self.used_for,
        )  # fmt: skip


async def find_approval(ctx: Context, approval_id: UUID) -> ApprovalRow | None:
    """The request of this id; None too for what a key of one user does not reach."""
    found = await ctx.unit.one(
        ApprovalRow, "approval_find", approval_id=approval_id, since=kept_since(ctx)
    )
    own = ctx.caller.user_id
    return None if found is None or (own is not None and found.user_id != own) else found


async def use_approval(
    ctx: Context, run: RunRow, approval_id: UUID | None, *, action: str, gate: str, use: str,
    arguments: Mapping[str, Any],
) -> None:  # fmt: skip
    """Use a request of the run, whose lock the caller holds. Raises ApprovalNeeded."""
    found = None if approval_id is None else await find_approval(ctx, approval_id)
    if found is not None and found.run_id != run.run_id:
        found = None
    wrong = lack(
        None if found is None else found.request, action=action, gate=gate, use=use,
        arguments=arguments, now=ctx.now,
    )  # fmt: skip
    if found is not None:
        ctx.trail.subjects.append(found.approval_id)
    if wrong is not None or found is None:
        scope = ctx.digest(dumps(arguments, sort_keys=True))
        ctx.trail.detail |= {"gate": ctx.digest(gate), "scope": scope, "lack": wrong}
        raise ApprovalNeeded(extra={"gate": gate, "action": action, "reason": wrong})
    if found.used_for is None:
        await ctx.unit.run("approval_use", **run.place, approval_id=found.approval_id, used_for=use)
