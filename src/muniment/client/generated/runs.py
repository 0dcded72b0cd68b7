"""Models of the family runs. Generated; do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.generated.shared import (
    DroppedItem,
)


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
class PendingApproval:
    """What the run asked for and has not used: it waits, or holds until its time is over."""

    approval_id: UUID
    action: str
    amount: str | None
    requested_at: datetime
    state: Literal["pending", "approved", "rejected", "expired", "used"]
    gate: str
    expires_at: datetime


@dataclass(frozen=True)
class ToolResult:
    """What is held of a tool call. ``result`` is base 64, and left out where it is long: a claim
    with the same key replays it.
    """

    tool: str
    key: str
    status: Literal["claimed", "succeeded", "failed", "in_doubt", "settled", "not_attempted"]
    happened: bool | None
    attempt: int
    step: int
    claimed_at: datetime
    recorded_at: datetime | None
    latency_ms: float | None
    result: str | None


@dataclass(frozen=True)
class StaleInput:
    """What a run recalled and does not hold any more: since which step it was known, and why."""

    id: UUID
    tier: Literal["episodic", "semantic", "knowledge"]
    why: Literal["superseded", "retracted", "expired", "contested", "quarantined", "erased"]
    step: int
    recalled_at: datetime
    superseded_by: UUID | None
    contested_by: tuple[UUID, ...]


@dataclass(frozen=True)
class RunBudget:
    """What a run has used; a ceiling of none is none."""

    steps_used: int
    step_ceiling: int | None
    cost_used_usd: str
    cost_ceiling_usd: str | None


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
    state: Literal["open", "closed"]
    step_index: int
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
    """The facts with their ids, the budget that is used, until when the lease is held, and what the
    run recalled that does not hold any more.
    """

    run_id: UUID
    step: int
    stage: str | None
    committed_facts: tuple[RunFact, ...]
    budget: RunBudget
    fence: int
    lease_expires_at: datetime
    stale_inputs: tuple[StaleInput, ...]


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
    """The outcome, and the session whose episode tells of the run, if there is one."""

    run_id: UUID
    outcome: Literal["success", "failure", "partial", "abandoned"]
    correction: str | None
    closed_at: datetime
    session_id: str | None


@dataclass(frozen=True)
class Acknowledged:
    """What is stale still."""

    run_id: UUID
    stale_inputs: tuple[StaleInput, ...]


@dataclass(frozen=True)
class ClaimedTool:
    """``execute``: make the call, with this ``attempt``. ``replay``: it was made, here is what came
    of it. ``in_flight``: somebody makes it. ``in_doubt``: it may have been made; nobody knows.

    ``run_id`` is another run's where that made the call within the tool's window.
    """

    answer: Literal["execute", "replay", "in_flight", "in_doubt"]
    run_id: UUID
    tool: str
    key: str
    attempt: int
    effect: Literal["read", "write"]
    status: Literal["claimed", "succeeded", "failed", "in_doubt", "settled", "not_attempted"]
    result: str | None
    lease_expires_at: datetime


@dataclass(frozen=True)
class RecordedTool:
    """What is held of the call; ``duplicate``: it was held before."""

    run_id: UUID
    tool: str
    key: str
    attempt: int
    status: Literal["claimed", "succeeded", "failed", "in_doubt", "settled", "not_attempted"]
    duplicate: bool


@dataclass(frozen=True)
class Moved:
    """Where the run is now, and where it may go from there."""

    run_id: UUID
    stage: str
    allowed: tuple[str, ...]
    lease_expires_at: datetime


@dataclass(frozen=True)
class RunMove:
    """A move of a run, and after which step it was made."""

    place: int
    from_stage: str
    to_stage: str
    step: int
    approval_id: UUID | None
    moved_at: datetime


@dataclass(frozen=True)
class RunMoves:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[RunMove, ...]
    next: str | None


@dataclass(frozen=True)
class StepAnswer:
    """A context that entered the step, or a recall, as a plan makes one."""

    id: UUID
    answer: Literal["context", "recall"]
    at: datetime
    as_of: datetime
    known_at: datetime


@dataclass(frozen=True)
class ItemState:
    """How an item stood at a moment. ``superseded_by``: what took its place."""

    status: Literal[
        "active",
        "future",
        "past",
        "superseded",
        "retracted",
        "contested",
        "quarantined",
        "archived",
        "expired",
        "erased",
        "unknown",
    ]
    value: str | None = None
    trust: (
        Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
        | None
    ) = None
    confidence: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    recorded_at: datetime | None = None
    superseded_by: UUID | None = None
    contested_by: tuple[UUID, ...] = ()
    document_version: int | None = None


@dataclass(frozen=True)
class ExplainedSource:
    """A turn that an item rests on, or the bare word of a key (``relayed_by``: its principal).

    ``text`` is for keys with the layer ``episodic``; ``withdrawn``: what brought it is undone.
    """

    session_id: str | None
    turn: int | None
    role: str | None
    name: str | None
    text: str | None
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    observed_at: datetime
    recorded_at: datetime
    relayed_by: str | None
    withdrawn: bool


@dataclass(frozen=True)
class ExplainedDecision:
    """A decision about an item, by a rule; the rule ``review`` is a person, who gave a reason."""

    decision_id: UUID
    outcome: str
    rule: str
    decided_at: datetime
    decided_by: str | None
    reason: str | None


@dataclass(frozen=True)
class ExplainedItem:
    """An item that entered the step: what it was for the first answer that had it, and is now.

    ``sources``: the turns behind it; ``decisions``: by which rule it came to be held, and who
    relayed, promoted or reviewed it. ``withheld``: of a layer that the key does not reach.
    """

    id: UUID
    tier: Literal["episodic", "semantic", "knowledge", "run"]
    kind: str | None
    section: (
        Literal[
            "required_workarounds",
            "run_state",
            "profile",
            "facts",
            "findings",
            "interactions",
            "knowledge",
        ]
        | None
    )
    answers: tuple[UUID, ...]
    text: str | None
    then: ItemState | None
    now: ItemState
    changed: bool
    sources: tuple[ExplainedSource, ...]
    decisions: tuple[ExplainedDecision, ...]
    withheld: bool = False


@dataclass(frozen=True)
class StepExplained:
    """What a step rested on, its contexts first: answers, their items, what they left out and why;
    ``next`` is the ``cursor`` of further answers.
    """

    run_id: str
    step: int
    answers: tuple[StepAnswer, ...]
    items: tuple[ExplainedItem, ...]
    dropped: tuple[DroppedItem, ...]
    next: str | None
