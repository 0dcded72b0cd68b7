"""Models of the family analysis. Generated; do not edit."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.errors import Fault


@dataclass(frozen=True)
class PlanReason:
    """Why a mode: a code, and the same in words."""

    code: str
    words: str


@dataclass(frozen=True)
class PlanGate:
    """``open``: there are so many prior findings (``count``) that the user chooses."""

    open: bool
    choices: tuple[Literal["fresh", "extend", "revalidate", "re-run"], ...]
    count: int


@dataclass(frozen=True)
class OnDataSource:
    """A memory that bears on the plan. ``stale``: past its time, to be confirmed. ``shortened``:
    the text is the beginning of it; a fault that does not bind is told in so many characters.
    ``contested_by``: what says otherwise, at a lower grade or on one word alone.
    """

    id: UUID
    kind: str
    scope: Literal["user", "org"]
    text: str
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    confidence: float
    is_durative: bool
    stale: bool
    as_of: datetime
    expires_at: datetime | None
    shortened: bool
    contested_by: tuple[UUID, ...]


@dataclass(frozen=True)
class BatteryStep:
    """What was run, in words, and with which parameters."""

    step: str
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ConfirmatoryTest:
    """What is to be confirmed, and the step that is nearest to it, if one was recorded."""

    memory: OnDataSource
    step: BatteryStep | None


@dataclass(frozen=True)
class LeftOut:
    """How many more there are in a section than are told."""

    section: Literal["unconfirmed", "findings", "preferences", "patterns"]
    count: int


@dataclass(frozen=True)
class AnalysisPlan:
    """The mode, who decided it and why, and what belongs to it.

    ``required_workarounds`` are there in every mode, what recurred first; ``unconfirmed`` ones do
    not bind yet. ``findings``: none in ``fresh``, none that is stale in ``extend``. ``left_out``:
    what there is besides. ``text`` is for a planning prompt.
    """

    data_source: str
    mode: Literal["fresh", "extend", "revalidate", "re-run"] | None
    decided_by: Literal["user", "inferred", "default"]
    reasons: tuple[PlanReason, ...]
    gate: PlanGate
    required_workarounds: tuple[OnDataSource, ...]
    unconfirmed: tuple[OnDataSource, ...]
    findings: tuple[OnDataSource, ...]
    skip_steps: tuple[BatteryStep, ...]
    open_unknowns: tuple[str, ...]
    confirm: ConfirmatoryTest | None
    battery: tuple[BatteryStep, ...]
    preferences: tuple[OnDataSource, ...]
    patterns: tuple[OnDataSource, ...]
    left_out: tuple[LeftOut, ...]
    text: str
    recall_id: UUID


@dataclass(frozen=True)
class FindingOutcome:
    """What became of a finding, by which rule, and why in words. ``id`` is what holds it."""

    kind: Literal["finding", "data_quality"]
    id: UUID | None
    became: Literal[
        "stored",
        "reinforced",
        "below_floor",
        "expired",
        "contested",
        "quarantined",
        "rejected",
        "confirmed",
        "superseded",
        "retracted",
        "noted",
        "unchanged",
    ]
    rule: str
    why: str
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    confidence: float
    superseded: tuple[UUID, ...]


@dataclass(frozen=True)
class PriorOutcome:
    """What became of what was found before; ``confirmations``: how often it was observed."""

    id: UUID
    became: Literal[
        "stored",
        "reinforced",
        "below_floor",
        "expired",
        "contested",
        "quarantined",
        "rejected",
        "confirmed",
        "superseded",
        "retracted",
        "noted",
        "unchanged",
    ]
    rule: str
    why: str
    by: UUID | None
    confirmations: int


@dataclass(frozen=True)
class AnalysisReported:
    """``findings`` and ``retired`` in the order in which they were reported."""

    analysis_id: UUID
    data_source: str
    findings: tuple[FindingOutcome, ...]
    revalidation: PriorOutcome | None
    retired: tuple[PriorOutcome, ...]
    steps: int
    warnings: tuple[Fault, ...]


@dataclass(frozen=True)
class ReportedTurn:
    """A turn of the user that says it."""

    session_id: str
    turn: int


@dataclass(frozen=True)
class ReportedFinding:
    """A finding, or a fault of the data (``data_quality``), which is the organisation's.

    ``label`` says how it was found; nobody sets a number (RULES 7.1). ``evidence`` are turns of the
    user that say it.
    """

    text: str
    label: Literal["confirmatory", "exploratory", "exploratory_divergent"]
    kind: Literal["finding", "data_quality"] = "finding"
    detail: str | None = None
    evidence: tuple[ReportedTurn, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Revalidation:
    """What a test of an earlier finding (``id``) came to. ``finding``: which one of those reported
    now takes its place, counted from 0, where it was invalidated.
    """

    id: UUID
    outcome: Literal["confirmed", "invalidated", "inconclusive"]
    finding: int | None = None
    evidence: tuple[ReportedTurn, ...] = ()


@dataclass(frozen=True)
class Retirement:
    """A fault of the data that is gone. Its owner's word ends it, or that of two principals."""

    id: UUID
    evidence: tuple[ReportedTurn, ...] = ()
