"""The state of a run as people and agents see it; the JSON of RULES 14.3."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from json import dumps
from typing import Annotated, Any, cast
from uuid import UUID

from annotated_types import Ge, Le
from pydantic import AfterValidator, Field

from muniment.domain.approvals import ApprovalDecision, ApprovalState
from muniment.domain.inputs import StaleWhy
from muniment.domain.ledger import CallStatus
from muniment.domain.runs import Budget, RunOutcome, RunState, decimal_text
from muniment.operations.types import Count, Instant, Json, RecallTier
from muniment.ports import Context
from muniment.records.alongside import Alongside, ask_alongside
from muniment.records.calls import CallRow, calls_of
from muniment.records.run_inputs import StaleRow, ask_stale, named
from muniment.records.runs import FactRow, RunRow, ask_checkpoint, ask_facts

MAX_FACT_BYTES = 16 * 1024
MAX_ARGUMENT_BYTES = 64 * 1024
MOST_CALLS = 1000
MOST_APPROVALS = 200
AMOUNT_PATTERN = r"^[0-9]{1,12}(\.[0-9]{1,6})?$"

Step = Annotated[int, Ge(1), Le(2**31 - 1)]
Fence = Annotated[int, Ge(1), Le(2**53 - 1)]
LeaseSeconds = Annotated[int, Ge(1), Le(24 * 3600)]
Amount = Annotated[str, Field(pattern=AMOUNT_PATTERN)]
"""A sum as a decimal string: at most 12 digits before the point and 6 behind."""


def json_within(most: int) -> AfterValidator:
    """A value of so many bytes as JSON at most."""

    def check(value: Json) -> Json:
        if len(dumps(value, ensure_ascii=False, separators=(",", ":")).encode()) > most:
            raise ValueError(f"at most {most} bytes as JSON")
        return value

    return AfterValidator(check)


FactValue = Annotated[Json, json_within(MAX_FACT_BYTES)]
Arguments = Annotated[dict[str, Json], json_within(MAX_ARGUMENT_BYTES)]


@dataclass(frozen=True)
class RunFact:
    """A committed fact, where it is from, and the one that it supersedes."""

    id: UUID
    key: str
    value: Json
    source: str
    valid_from: Instant
    supersedes: UUID | None


@dataclass(frozen=True)
class RunBudget:
    """What a run has used; a ceiling of none is none."""

    steps_used: Count
    step_ceiling: int | None
    cost_used_usd: str
    cost_ceiling_usd: str | None


@dataclass(frozen=True)
class PendingApproval:
    """What the run asked for and has not used: it waits, or holds until its time is over."""

    approval_id: UUID
    action: str
    amount: str | None
    requested_at: Instant
    state: ApprovalState
    gate: str
    expires_at: Instant


@dataclass(frozen=True)
class ToolResult:
    """What is held of a tool call. ``result`` is base 64, and left out where it is long: a claim
    with the same key replays it.
    """

    tool: str
    key: str
    status: CallStatus
    happened: bool | None
    attempt: int
    step: int
    claimed_at: Instant
    recorded_at: Instant | None
    latency_ms: float | None
    result: str | None


@dataclass(frozen=True)
class StaleInput:
    """What a run recalled and does not hold any more: since which step it was known, and why."""

    id: UUID
    tier: RecallTier
    why: StaleWhy
    step: Count
    recalled_at: Instant
    superseded_by: UUID | None
    contested_by: tuple[UUID, ...]


@dataclass(frozen=True)
class RunView:
    """A run after its step ``step_index`` (0: none so far), and what holds then.

    ``tool_results`` by tool and key: the last 50, and every call that is claimed or in doubt.
    ``cut`` names what there is more of. ``stale_inputs`` as they are now; of an earlier step, or a
    closed run, as that checkpoint named them. ``strict``: no checkpoint while there are any.
    """

    run_id: UUID
    agent_id: str
    user_id: str | None
    namespace: str
    state: RunState
    step_index: Count
    stage: str | None
    machine: str | None
    machine_version: int | None
    committed_facts: tuple[RunFact, ...]
    open_questions: tuple[str, ...]
    pending_approvals: tuple[PendingApproval, ...]
    tool_results: Mapping[str, ToolResult]
    cut: tuple[str, ...]
    stale_inputs: tuple[StaleInput, ...]
    budget: RunBudget
    strict: bool
    fence: int
    lease_expires_at: Instant
    opened_at: Instant
    closed_at: Instant | None
    outcome: RunOutcome | None
    correction: str | None


def fact_of(row: FactRow) -> RunFact:
    """A stored fact as people see it."""
    return RunFact(row.fact_id, row.key, row.value, row.source, row.valid_from, row.supersedes)


def stale_of(rows: Iterable[StaleRow]) -> tuple[StaleInput, ...]:
    """Stale inputs as people see them, each item once."""
    return tuple(
        StaleInput(
            id=row.item_id,
            tier=cast("RecallTier", row.tier),
            why=row.why,
            step=row.step,
            recalled_at=row.recalled_at,
            superseded_by=row.superseded_by,
            contested_by=tuple(row.contested_by),
        )
        for row in named(rows)
    )


def _stored_stale(rows: Iterable[Mapping[str, Any]]) -> tuple[StaleInput, ...]:
    return tuple(
        StaleInput(
            id=UUID(row["id"]),
            tier=row["tier"],
            why=row["why"],
            step=row["step"],
            recalled_at=datetime.fromisoformat(row["recalled_at"]),
            superseded_by=None if row["superseded_by"] is None else UUID(row["superseded_by"]),
            contested_by=tuple(UUID(one) for one in row["contested_by"]),
        )
        for row in rows
    )


@dataclass(frozen=True)
class _Approval:
    approval_id: UUID
    action: str
    amount: str | None
    gate: str
    requested_at: datetime
    expires_at: datetime
    decision: ApprovalDecision | None
    used_for: str | None


def _ask_approvals(ctx: Context, run: RunRow, step: int) -> Alongside[_Approval]:
    """What was asked for by the end of a step, and may come to something still."""
    if run.closed_at is not None:
        return Alongside()
    return ask_alongside(
        ctx, _Approval, "approvals_of_run", **run.place, step=step, now=ctx.now,
        most=MOST_APPROVALS + 1,
    )  # fmt: skip


def _pending(rows: Iterable[_Approval]) -> tuple[PendingApproval, ...]:
    return tuple(
        PendingApproval(
            approval_id=row.approval_id,
            action=row.action,
            amount=amount_text(row.amount),
            requested_at=row.requested_at,
            state="pending" if row.decision is None else "approved",
            gate=row.gate,
            expires_at=row.expires_at,
        )
        for row in rows
    )


def amount_text(stored: str | None) -> str | None:
    """A sum as people see it."""
    return None if stored is None else decimal_text(Decimal(stored))


def encoded(result: bytes | None) -> str | None:
    """A result as it travels."""
    return None if result is None else b64encode(result).decode()


def _name(row: CallRow) -> str:
    """Tool and key; a colon in a tool's name is escaped, so that no two calls share one."""
    tool = row.tool.replace("%", "%25").replace(":", "%3A")
    return f"{tool}:{row.key}"


def _result(row: CallRow) -> ToolResult:
    late = None if row.recorded_at is None else row.recorded_at - row.claimed_at
    return ToolResult(
        tool=row.tool,
        key=row.key,
        status=row.call.status,
        happened=row.happened,
        attempt=row.attempt,
        step=row.step,
        claimed_at=row.claimed_at,
        recorded_at=row.recorded_at,
        latency_ms=None if late is None else round(late.total_seconds() * 1000, 3),
        result=encoded(row.result),
    )


def budget_of(budget: Budget) -> RunBudget:
    """A budget with its sums as text."""
    ceiling = budget.cost_ceiling
    return RunBudget(
        steps_used=budget.steps,
        step_ceiling=budget.step_ceiling,
        cost_used_usd=decimal_text(budget.cost),
        cost_ceiling_usd=None if ceiling is None else decimal_text(ceiling),
    )


def left_of(budget: Budget) -> dict[str, int | str | None]:
    """What is left, for who went over it."""
    cost = budget.cost_left
    return {
        "steps_left": budget.steps_left,
        "cost_left_usd": None if cost is None else decimal_text(cost),
    }


async def view_of(
    ctx: Context, run: RunRow, *, step: int | None = None, as_of: datetime | None = None
) -> RunView:
    """The run after its last step, or after another one that it has done. One round trip."""
    at = run.step if step is None else step
    is_now = step is None and run.closed_at is None
    checkpoints = ask_checkpoint(ctx, run, at)
    stale_now = ask_stale(ctx, run) if is_now else list
    facts = ask_facts(ctx, run, at, as_of or ctx.now)
    asked_for = _ask_approvals(ctx, run, at + 1)
    calls = await calls_of(ctx, run, at + 1, MOST_CALLS + 1)
    stage, cost = run.first_stage, "0"
    questions: Sequence[str] = ()
    stored: Sequence[Mapping[str, Any]] = ()
    for checkpoint in checkpoints.rows:
        stage, questions, cost = checkpoint.stage, checkpoint.questions, checkpoint.cost
        stored = checkpoint.stale
    approvals = _pending(asked_for.rows)
    more = {
        "tool_results": len(calls) > MOST_CALLS,
        "pending_approvals": len(approvals) > MOST_APPROVALS,
    }
    spent = Budget(at, Decimal(cost), run.step_ceiling, run.budget.cost_ceiling)
    return RunView(
        run_id=run.run_id,
        agent_id=run.agent_id,
        user_id=run.user_id,
        namespace=run.namespace,
        state="open" if run.closed_at is None else "closed",
        step_index=at,
        stage=run.stage if step is None else stage,
        machine=run.machine,
        machine_version=run.machine_version,
        committed_facts=tuple(fact_of(row) for row in facts.rows),
        open_questions=tuple(questions),
        pending_approvals=approvals[:MOST_APPROVALS],
        tool_results={_name(row): _result(row) for row in calls[:MOST_CALLS]},
        cut=tuple(name for name, is_cut in more.items() if is_cut),
        stale_inputs=stale_of(stale_now()) if is_now else _stored_stale(stored),
        budget=budget_of(spent),
        strict=run.strict,
        fence=run.fence,
        lease_expires_at=run.lease_expires_at,
        opened_at=run.opened_at,
        closed_at=run.closed_at,
        outcome=run.outcome,
        correction=run.correction,
    )
