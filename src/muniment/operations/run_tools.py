"""runs.*: the tool ledger. Claim before the call, record after it, settle what is in doubt."""

import json
from dataclasses import dataclass
from typing import Annotated, Literal
from uuid import UUID

from annotated_types import Ge, Le

from muniment.domain import ledger
from muniment.domain.ledger import (
    Call,
    CallStatus,
    Claim,
    ClaimAnswer,
    ResultStatus,
    ToolEffect,
)
from muniment.errors import (
    ApprovalNeeded,
    BudgetSpent,
    Fault,
    InvalidInput,
    LeaseLost,
    NotClaimed,
    NotFound,
    NotInDoubt,
    ResultConflict,
    RunClosed,
    StaleInputs,
    ToolConflict,
    WritesRefused,
)
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.run_results import Result, decoded
from muniment.operations.run_state import Arguments, Fence, encoded, left_of
from muniment.operations.types import Identifier, Instant, Value, command
from muniment.ports import Context
from muniment.records.approvals import use_approval
from muniment.records.calls import (
    CallRow,
    ToolRow,
    digest_of,
    find_call,
    find_elsewhere,
    result_digest,
)
from muniment.records.run_inputs import refuse_stale
from muniment.records.runs import (
    RunRow,
    find_run,
    is_held_by,
    lock_run,
    may_store,
    note_state,
)

Attempt = Annotated[int, Ge(1), Le(2**31 - 1)]


@command
class ClaimTool:
    """Ask what to do about a call, before it is made. ``key`` names it: the same key is the same
    call. ``retry`` makes a call again that is known to have failed; ``approval_id`` is for a tool
    with a gate.
    """

    run_id: UUID
    tool: Identifier
    key: Identifier
    arguments: Arguments
    fence: Fence
    retry: bool = False
    approval_id: UUID | None = None


@command
class RecordTool:
    """What came of an attempt of a call; ``in_doubt`` if who called does not know. ``result`` is
    base 64 and is kept byte for byte.
    """

    run_id: UUID
    tool: Identifier
    key: Identifier
    attempt: Attempt
    status: ResultStatus
    result: Result | None = None


@command
class SettleTool:
    """Say whether the effect of a call that is in doubt happened, and why that is known.

    What did not happen may be claimed anew; what did is replayed with this ``result``.
    """

    run_id: UUID
    tool: Identifier
    key: Identifier
    happened: bool
    reason: Value
    result: Result | None = None


@dataclass(frozen=True)
class ClaimedTool:
    """``execute``: make the call, with this ``attempt``. ``replay``: it was made, here is what came
    of it. ``in_flight``: somebody makes it. ``in_doubt``: it may have been made; nobody knows.

    ``run_id`` is another run's where that made the call within the tool's window.
    """

    answer: ClaimAnswer
    run_id: UUID
    tool: str
    key: str
    attempt: int
    effect: ToolEffect
    status: CallStatus
    result: str | None
    lease_expires_at: Instant


@dataclass(frozen=True)
class RecordedTool:
    """What is held of the call; ``duplicate``: it was held before."""

    run_id: UUID
    tool: str
    key: str
    attempt: int
    status: CallStatus
    duplicate: bool


async def claim_tool(command: ClaimTool, ctx: Context) -> ClaimedTool:
    """Raises ToolConflict for other arguments under the key, LeaseLost, and InvalidInput for a tool
    that is not defined. Where the call is to be made: RunClosed, BudgetSpent where no step is left,
    ApprovalNeeded, and StaleInputs for a tool that writes.
    """
    run, tool = await _locked(ctx, command)
    digest = digest_of(command.arguments)
    ctx.trail.detail |= {
        "call": _named(ctx, command), "arguments": ctx.digest(digest.hex()), "step": run.step + 1,
    }  # fmt: skip
    found = await find_call(ctx, run, command.tool, command.key)
    held, claim = await _held(ctx, run, tool, command, found, digest)
    if claim.answer == "execute":
        claim = await _execute(ctx, run, tool, command, found, claim, digest)
    until = run.lease_expires_at
    if run.closed_at is None:
        until = run.renewed(ctx.now)
        await ctx.unit.run("run_renew", **run.place, lease_expires_at=until)
    ctx.drill.reached("run.claimed")
    ctx.trail.detail |= {
        "answer": claim.answer, "attempt": claim.attempt,
    }  # fmt: skip
    begun = claim.answer == "execute" or held is None
    return ClaimedTool(
        answer=claim.answer,
        run_id=run.run_id if begun or held is None else held.run_id,
        tool=command.tool,
        key=command.key,
        attempt=claim.attempt,
        effect="write" if _may_write(tool, found) else "read",
        status="claimed" if begun or held is None else held.call.status,
        result=encoded(held.result) if held and claim.answer == "replay" else None,
        lease_expires_at=until,
    )


async def _held(
    ctx: Context, run: RunRow, tool: ToolRow, command: ClaimTool, found: CallRow | None,
    digest: bytes,
) -> tuple[CallRow | None, Claim]:  # fmt: skip
    """The call that decides, and what it says: where this run would make it, one of another run
    within the tool's window comes first. Raises ToolConflict.
    """
    try:
        claim = ledger.claim(_of_now(found, tool), digest, retry=command.retry)
        other = None
        if claim.answer == "execute":
            other = await find_elsewhere(ctx, run, tool, command.key)
        there = None if other is None else ledger.claim(_of_now(other, tool), digest)
    except ledger.OtherArgumentsError:
        raise ToolConflict from None
    return (found, claim) if there is None or there.answer == "execute" else (other, there)


def _of_now(found: CallRow | None, tool: ToolRow) -> Call | None:
    """The call as its tool is defined now, or was when it was claimed."""
    return None if found is None else found.call.of_tool(tool.effect, idempotent=tool.idempotent)


def _may_write(tool: ToolRow, found: CallRow | None) -> bool:
    call = _of_now(found, tool)
    return (call.effect if call else tool.effect) == "write"


async def still_executes(command: ClaimTool, answer: ClaimedTool, ctx: Context) -> bool:
    """Whether a claim that is sent again is the one whose answer was lost: it is still the holder
    of the run that asks, and of that attempt nothing is known yet.
    """
    if answer.answer != "execute":
        return False
    run = await lock_run(ctx, command.run_id)
    found = await find_call(ctx, run, command.tool, command.key)
    return (
        found is not None
        and run.closed_at is None
        and run.lease.may_write(command.fence)
        and (found.state, found.attempt) == ("claimed", answer.attempt)
        and not found.call.lapsed
    )


async def _locked(ctx: Context, command: ClaimTool) -> tuple[RunRow, ToolRow]:
    """The run and the tool; where keys count in other runs, these wait."""
    found = await find_run(ctx, command.run_id)
    tool = await ctx.unit.one(ToolRow, "tool_find", name=command.tool)
    if tool is None:
        raise InvalidInput(faults=[Fault("/tool", "is not defined; see tools.define")])
    if tool.dedupe_seconds is not None:
        await ctx.unit.value("run_scope_lock", scope_id=found.scope_id)
    run = await lock_run(ctx, command.run_id)
    is_held_by(run, command.fence)
    return run, tool


async def _may_begin(ctx: Context, run: RunRow) -> None:
    """What stands against a call is asked where one is made; what came of one is told anyway."""
    if run.closed_at is not None:
        raise RunClosed
    await may_store(ctx, run)
    if run.budget.steps_left == 0:
        raise BudgetSpent(extra=left_of(run.budget))


async def _execute(
    ctx: Context, run: RunRow, tool: ToolRow, command: ClaimTool, found: CallRow | None,
    claim: Claim, digest: bytes,
) -> Claim:  # fmt: skip
    await _may_begin(ctx, run)
    place = {**run.place, "tool": command.tool, "key": command.key}
    if _may_write(tool, found):
        await refuse_stale(ctx, run)
    if tool.gate is not None:
        await use_approval(
            ctx, run, command.approval_id, action=tool.name, gate=tool.gate,
            use=f"call:{tool.name}:{command.key}", arguments=command.arguments,
        )  # fmt: skip
    begun = {"fence": run.fence, "step": run.step + 1, "now": ctx.now}
    if found is not None:
        await ctx.unit.run("call_again", **place, **begun, attempt=claim.attempt)
        return claim
    arguments = json.dumps(command.arguments, ensure_ascii=False)
    await ctx.unit.run(
        "call_insert",
        **place,
        **begun,
        arguments=arguments,
        bytes=len(arguments.encode()),
        digest=digest,
        effect=tool.effect,
        idempotent=tool.idempotent,
    )
    return Claim("execute", 1)


def _named(ctx: Context, command: ClaimTool | RecordTool | SettleTool) -> str:
    """The call in the audit trail: a digest, since a key may hold a name."""
    return ctx.digest(f"{command.tool}\0{command.key}")


async def record_tool(command: RecordTool, ctx: Context) -> RecordedTool:
    """The same again changes nothing, late or twice; a lease is not needed, since what happened
    has happened. Raises NotClaimed, and ResultConflict where another result is held.
    """
    run = await lock_run(ctx, command.run_id)
    held = await find_call(ctx, run, command.tool, command.key)
    result = decoded(command.result)
    digest = result_digest(result)
    try:
        done = ledger.record(held.call if held else None, command.attempt, command.status, digest)
    except ledger.NoSuchClaimError:
        raise NotClaimed from None
    except ledger.AnotherResultError:
        raise ResultConflict(extra={"status": held.call.status if held else None}) from None
    if done == "stored":
        await _store(ctx, run, command, state=command.status, result=result)
    ctx.drill.reached("run.recorded")
    return _recorded(ctx, run, command, command.attempt, command.status, done)


async def settle_tool(command: SettleTool, ctx: Context) -> RecordedTool:
    """Raises NotClaimed, and NotInDoubt for a call of which it is known, or that is under way."""
    run = await lock_run(ctx, command.run_id)
    held = await find_call(ctx, run, command.tool, command.key)
    result = decoded(command.result)
    try:
        done = ledger.settle(
            held.call if held else None, happened=command.happened, result=result_digest(result)
        )
    except ledger.NoSuchClaimError:
        raise NotClaimed from None
    except ledger.NotInDoubtError:
        raise NotInDoubt(extra={"status": held.call.status if held else None}) from None
    if done == "stored":
        await _store(
            ctx, run, command, state="settled", result=result, happened=command.happened,
            reason=command.reason,
        )  # fmt: skip
    ctx.trail.detail |= {"happened": command.happened}
    attempt = held.attempt if held else 0
    status: CallStatus = "settled" if command.happened else "not_attempted"
    return _recorded(ctx, run, command, attempt, status, done)


async def _store(
    ctx: Context, run: RunRow, command: RecordTool | SettleTool, *,
    state: Literal["succeeded", "failed", "in_doubt", "settled"], result: bytes | None,
    happened: bool | None = None, reason: str | None = None,
) -> None:  # fmt: skip
    await ctx.unit.run(
        "call_record",
        **run.place,
        tool=command.tool,
        key=command.key,
        state=state,
        now=ctx.now,
        result=result,
        result_digest=result_digest(result),
        happened=happened,
        reason=reason,
        settled_by=None if happened is None else ctx.caller.key_id,
    )
    told = result_digest(result) or state.encode()
    note_state(ctx, run, f"call:{_named(ctx, command)}", None, told)


def _recorded(
    ctx: Context, run: RunRow, command: RecordTool | SettleTool, attempt: int, status: CallStatus,
    done: ledger.Recorded,
) -> RecordedTool:  # fmt: skip
    ctx.trail.detail |= {"call": _named(ctx, command), "attempt": attempt, "status": status}
    return RecordedTool(run.run_id, command.tool, command.key, attempt, status, done == "same")


OPERATIONS = (
    Operation(
        name="runs.claim_tool",
        summary="Ask what to do about a tool call, before it is made",
        command=ClaimTool,
        result=ClaimedTool,
        handler=claim_tool,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", "/v1/runs/{run_id}/calls/claim"),
        checks_user=True,
        still_holds=still_executes,
        errors=(
            NotFound,
            ToolConflict,
            LeaseLost,
            RunClosed,
            BudgetSpent,
            ApprovalNeeded,
            StaleInputs,
            WritesRefused,
        ),
    ),
    Operation(
        name="runs.record_tool",
        summary="Record what came of a tool call",
        command=RecordTool,
        result=RecordedTool,
        handler=record_tool,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", "/v1/runs/{run_id}/calls/record"),
        checks_user=True,
        errors=(NotFound, NotClaimed, ResultConflict),
    ),
    Operation(
        name="runs.settle_tool",
        summary="Decide whether the effect of a tool call that is in doubt happened",
        command=SettleTool,
        result=RecordedTool,
        handler=settle_tool,
        effect=Effect.WRITE,
        verb="review",
        layer="run",
        http=Http("POST", "/v1/runs/{run_id}/calls/settle"),
        checks_user=True,
        errors=(NotFound, NotClaimed, NotInDoubt),
    ),
)
