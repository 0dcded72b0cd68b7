"""The state of a run as people and agents see it; the JSON of RULES 14.3."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from json import dumps
from typing import Annotated
from uuid import UUID

from annotated_types import Ge, Le
from pydantic import AfterValidator, Field

from muniment.domain.runs import Budget, RunOutcome, RunState, decimal_text
from muniment.operations.types import Count, Instant, Json
from muniment.ports import Context
from muniment.records.runs import FactRow, RunRow, checkpoint_of, facts_of

MAX_FACT_BYTES = 16 * 1024
AMOUNT_PATTERN = r"^[0-9]{1,12}(\.[0-9]{1,6})?$"

Step = Annotated[int, Ge(1), Le(2**31 - 1)]
Fence = Annotated[int, Ge(1), Le(2**53 - 1)]
LeaseSeconds = Annotated[int, Ge(1), Le(24 * 3600)]
Amount = Annotated[str, Field(pattern=AMOUNT_PATTERN)]
"""A sum as a decimal string: at most 12 digits before the point and 6 behind."""


def _small(value: Json) -> Json:
    if len(dumps(value, ensure_ascii=False, separators=(",", ":")).encode()) > MAX_FACT_BYTES:
        raise ValueError(f"at most {MAX_FACT_BYTES} bytes as JSON")
    return value


FactValue = Annotated[Json, AfterValidator(_small)]


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
class RunView:
    """A run after its step ``step_index`` (0: none so far), and what holds then."""

    run_id: UUID
    agent_id: str
    user_id: str | None
    namespace: str
    state: RunState
    strict: bool
    step_index: Count
    stage: str | None
    committed_facts: tuple[RunFact, ...]
    open_questions: tuple[str, ...]
    budget: RunBudget
    fence: int
    lease_expires_at: Instant
    opened_at: Instant
    closed_at: Instant | None
    outcome: RunOutcome | None
    correction: str | None


def fact_of(row: FactRow) -> RunFact:
    """A stored fact as people see it."""
    return RunFact(row.fact_id, row.key, row.value, row.source, row.valid_from, row.supersedes)


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
    """The run after its last step, or after another one that it has done."""
    at = run.step if step is None else step
    checkpoint = await checkpoint_of(ctx, run, at)
    stage, cost = run.stage, run.cost
    questions: Sequence[str] = ()
    if checkpoint is not None:
        stage, questions, cost = checkpoint.stage, checkpoint.questions, checkpoint.cost
    facts = await facts_of(ctx, run, at, as_of or ctx.now)
    spent = Budget(at, Decimal(cost), run.step_ceiling, run.budget.cost_ceiling)
    return RunView(
        run_id=run.run_id,
        agent_id=run.agent_id,
        user_id=run.user_id,
        namespace=run.namespace,
        state="open" if run.closed_at is None else "closed",
        strict=run.strict,
        step_index=at,
        stage=run.stage if step is None else stage,
        committed_facts=tuple(fact_of(row) for row in facts),
        open_questions=tuple(questions),
        budget=budget_of(spent),
        fence=run.fence,
        lease_expires_at=run.lease_expires_at,
        opened_at=run.opened_at,
        closed_at=run.closed_at,
        outcome=run.outcome,
        correction=run.correction,
    )
