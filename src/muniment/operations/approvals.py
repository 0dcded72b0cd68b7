"""approvals.*: what a run asks a person for, the inbox, and the one decision (RULES 14.5)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from json import dumps
from typing import Annotated, Literal
from uuid import UUID

from annotated_types import Ge, Le

from muniment.domain.approvals import ApprovalDecision, ApprovalState, has_gate, is_move
from muniment.errors import (
    AlreadyDecided,
    ApprovalExpired,
    Fault,
    InvalidInput,
    LeaseLost,
    NotFound,
    OwnRequest,
    RunClosed,
    WritesRefused,
    WrongGate,
)
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.run_state import Amount, Arguments, Fence, amount_text
from muniment.operations.types import Identifier, Instant, Json, Page, Value, command
from muniment.ports import Context
from muniment.records.approvals import ApprovalRow, find_approval
from muniment.records.credentials import made_by_caller
from muniment.records.runs import kept_since, lock_run, lock_to_work, note_state

_CURSORS = Cursors(tuple[UUID])
_MONTH = 31 * 24 * 3600
_NO_SCOPE = "is of values that a move of a run's machine does not have"


@command
class RequestApproval:
    """Ask for an approval: of an ``action``, by a key with this ``gate``, within this ``scope``.

    For a tool the action is its name; for a move of the run's machine, ``stage:`` and the stage.
    The values of the scope are those that the call has to have; a move has none.
    """

    run_id: UUID
    fence: Fence
    action: Identifier
    gate: Identifier
    amount: Amount | None = None
    scope: Arguments | None = None
    reason: Value | None = None
    expires_in_seconds: Annotated[int, Ge(1), Le(_MONTH)] = 24 * 3600


@command
class GetApproval:
    """A request with what was decided."""

    approval_id: UUID


@command
class ListApprovals:
    """Requests, oldest first: those that wait for a decision, or all of them."""

    state: Literal["pending", "any"] = "pending"
    gate: Identifier | None = None
    run_id: UUID | None = None
    user_id: Identifier | None = None
    cursor: Cursor | None = None
    limit: Page = 50


@command
class DecideApproval:
    """Approve or reject a request, once. ``granted`` is the scope where it is not the one asked."""

    approval_id: UUID
    decision: ApprovalDecision
    granted: Arguments | None = None
    note: Value | None = None


@dataclass(frozen=True)
class Approval:
    """A request: what for, until when it holds, what was decided, and whether it was used."""

    approval_id: UUID
    run_id: UUID
    user_id: str | None
    action: str
    amount: str | None
    gate: str
    state: ApprovalState
    scope: Mapping[str, Json]
    granted: Mapping[str, Json] | None
    reason: str | None
    note: str | None
    requested_at: Instant
    expires_at: Instant
    decided_at: Instant | None


@dataclass(frozen=True)
class Approvals:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Approval, ...]
    next: str | None


async def request(command: RequestApproval, ctx: Context) -> Approval:
    """Raises LeaseLost and RunClosed, as every write of a holder, and InvalidInput for a scope
    that nothing can fit.
    """
    run = await lock_to_work(ctx, command.run_id, command.fence)
    if command.scope and run.machine is not None and is_move(command.action):
        raise InvalidInput(faults=[Fault("/scope", _NO_SCOPE)])
    approval_id = ctx.ids.new()
    await ctx.unit.run(
        "approval_insert",
        **run.place,
        approval_id=approval_id,
        action=command.action,
        amount=command.amount,
        gate=command.gate,
        asked=dumps(command.scope or {}),
        reason=command.reason,
        step=run.step + 1,
        requested_by=ctx.caller.key_id,
        now=ctx.now,
        expires_at=ctx.now + timedelta(seconds=command.expires_in_seconds),
    )
    await ctx.unit.run("run_renew", **run.place, lease_expires_at=run.renewed(ctx.now))
    ctx.trail.subjects.append(approval_id)
    asked = await _found(ctx, approval_id)
    note_state(ctx, run, f"approval:{approval_id}", None, _told(asked))
    ctx.trail.detail |= {
        "gate": ctx.digest(command.gate), "action": ctx.digest(command.action),
        "scope": ctx.digest(dumps(command.scope or {}, sort_keys=True)),
    }  # fmt: skip
    return _approval(asked, ctx)


async def get(command: GetApproval, ctx: Context) -> Approval:
    """Raises NotFound."""
    return _approval(await _found(ctx, command.approval_id), ctx)


async def list_approvals(command: ListApprovals, ctx: Context) -> Approvals:
    """An unknown user, run or gate has an empty list."""
    place = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        ApprovalRow,
        "approval_page",
        waiting=command.state == "pending",
        gate=command.gate,
        run_id=command.run_id,
        user_id=command.user_id,
        after=None if place is None else place[0],
        since=kept_since(ctx),
        now=ctx.now,
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Approvals(
        items=tuple(_approval(row, ctx) for row in page),
        next=None if last is None else _CURSORS.after((last.approval_id,)),
    )


async def decide(command: DecideApproval, ctx: Context) -> Approval:
    """Raises NotFound, WrongGate for a key without the gate, OwnRequest for who asked,
    AlreadyDecided, ApprovalExpired, RunClosed, and InvalidInput for a scope that nothing can fit.
    """
    found = await _found(ctx, command.approval_id)
    ctx.places.note(ctx.unit.tenant_id, found.run_id, found.scope_id)
    run = await lock_run(ctx, found.run_id)
    found = await _found(ctx, command.approval_id)
    scope = found.asked if command.granted is None else command.granted
    ctx.trail.subjects.insert(0, found.approval_id)
    ctx.trail.detail |= {
        "decision": command.decision, "gate": ctx.digest(found.gate),
        "action": ctx.digest(found.action), "scope": ctx.digest(dumps(scope, sort_keys=True)),
    }  # fmt: skip
    if not has_gate(ctx.caller.gates, found.gate):
        raise WrongGate
    if made_by_caller(ctx, found.requested_by, found.principal):
        raise OwnRequest
    if found.decision is not None:
        raise AlreadyDecided
    if run.closed_at is not None:
        raise RunClosed
    if found.expires_at <= ctx.now:
        raise ApprovalExpired
    if command.granted and run.machine is not None and is_move(found.action):
        raise InvalidInput(faults=[Fault("/granted", _NO_SCOPE)])
    granted = scope if command.decision == "approve" else None
    await ctx.unit.run(
        "approval_decide",
        **run.place,
        approval_id=found.approval_id,
        decision=command.decision,
        granted=None if granted is None else dumps(granted),
        note=command.note,
        decided_by=ctx.caller.key_id,
        now=ctx.now,
    )
    ctx.trail.detail["scope"] = ctx.digest(dumps(granted, sort_keys=True))
    done = replace(
        found, decision=command.decision, granted=granted, note=command.note,
        decided_by=ctx.caller.key_id, decided_at=ctx.now,
    )  # fmt: skip
    note_state(ctx, run, f"approval:{found.approval_id}", _told(found), _told(done))
    return _approval(done, ctx)


def _told(row: ApprovalRow) -> bytes:
    said = [
        row.action,
        row.amount,
        row.gate,
        row.asked,
        row.reason,
        row.decision,
        row.granted,
        row.note,
    ]
    return dumps(said, sort_keys=True).encode()


async def _found(ctx: Context, approval_id: UUID) -> ApprovalRow:
    found = await find_approval(ctx, approval_id)
    if found is None:
        raise NotFound("There is no such request.")
    return found


def _approval(row: ApprovalRow, ctx: Context) -> Approval:
    return Approval(
        approval_id=row.approval_id,
        run_id=row.run_id,
        user_id=row.user_id,
        action=row.action,
        amount=amount_text(row.amount),
        gate=row.gate,
        state=row.request.state(ctx.now),
        scope=row.asked,
        granted=row.granted,
        reason=row.reason,
        note=row.note,
        requested_at=row.requested_at,
        expires_at=row.expires_at,
        decided_at=row.decided_at,
    )


OPERATIONS = (
    Operation(
        name="approvals.request",
        summary="Ask for an approval within a run",
        command=RequestApproval,
        result=Approval,
        handler=request,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", "/v1/runs/{run_id}/approvals"),
        checks_user=True,
        errors=(NotFound, LeaseLost, RunClosed, WritesRefused),
    ),
    Operation(
        name="approvals.get",
        summary="Show a request for approval with what was decided",
        command=GetApproval,
        result=Approval,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/approvals/{approval_id}"),
        checks_user=True,
        errors=(NotFound,),
    ),
    Operation(
        name="approvals.list",
        summary="List requests that wait for an approval",
        command=ListApprovals,
        result=Approvals,
        handler=list_approvals,
        effect=Effect.READ,
        verb="review",
        layer="run",
        http=Http("GET", "/v1/approvals"),
        columns=(
            "items.approval_id",
            "items.action",
            "items.amount?",
            "items.gate",
            "items.state",
            "items.expires_at",
        ),
    ),
    Operation(
        name="approvals.decide",
        summary="Approve or reject a request of a run, once",
        command=DecideApproval,
        result=Approval,
        handler=decide,
        effect=Effect.WRITE,
        verb="review",
        layer="run",
        http=Http("POST", "/v1/approvals/{approval_id}"),
        checks_user=True,
        errors=(NotFound, WrongGate, OwnRequest, AlreadyDecided, ApprovalExpired, RunClosed),
    ),
)
