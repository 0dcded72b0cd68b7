"""Models of the family runs. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID


@dataclass(frozen=True)
class RunFact:
    """A committed fact, where it is from, and the one that it supersedes."""

    id: UUID
    key: str
    value: Any
    source: str
    valid_from: datetime
    supersedes: UUID | None


@dataclass(frozen=True)
class RunBudget:
    """What a run has used; a ceiling of none is none."""

    steps_used: int
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
    state: Literal["open", "closed"]
    strict: bool
    step_index: int
    stage: str | None
    committed_facts: tuple[RunFact, ...]
    open_questions: tuple[str, ...]
    budget: RunBudget
    fence: int
    lease_expires_at: datetime
    opened_at: datetime
    closed_at: datetime | None
    outcome: Literal["success", "failure", "partial", "abandoned"] | None
    correction: str | None


@dataclass(frozen=True)
class RunSummary:
    """A run without its state."""

    run_id: UUID
    agent_id: str
    user_id: str | None
    namespace: str
    state: Literal["open", "closed"]
    stage: str | None
    step_index: int
    opened_at: datetime
    lease_expires_at: datetime
    closed_at: datetime | None
    outcome: Literal["success", "failure", "partial", "abandoned"] | None


@dataclass(frozen=True)
class Runs:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[RunSummary, ...]
    next: str | None


@dataclass(frozen=True)
class CheckpointSummary:
    """A checkpoint: how many facts it committed and questions it left, and the cost by then."""

    step: int
    stage: str | None
    facts: int
    open_questions: int
    cost_used_usd: str
    recorded_at: datetime


@dataclass(frozen=True)
class Checkpoints:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[CheckpointSummary, ...]
    next: str | None


@dataclass(frozen=True)
class RunDifference:
    """Facts that came and went, questions that were asked and answered, and the stages."""

    from_step: int
    to_step: int
    came: tuple[RunFact, ...]
    went: tuple[RunFact, ...]
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    from_stage: str | None
    to_stage: str | None


@dataclass(frozen=True)
class Checkpointed:
    """The facts with their ids, the budget that is used, and until when the lease is held."""

    run_id: UUID
    step: int
    stage: str | None
    committed_facts: tuple[RunFact, ...]
    budget: RunBudget
    fence: int
    lease_expires_at: datetime


@dataclass(frozen=True)
class NewFact:
    """A fact with where it is from. ``supersedes`` is the id of the one that it takes over from,
    from ``valid_from`` on.
    """

    key: str
    value: Any
    source: str
    valid_from: datetime | None = None
    supersedes: UUID | None = None


@dataclass(frozen=True)
class ClosedRun:
    """The outcome, and the session whose episode tells of the run; none for a run of no user."""

    run_id: UUID
    outcome: Literal["success", "failure", "partial", "abandoned"]
    correction: str | None
    closed_at: datetime
    session_id: str | None
