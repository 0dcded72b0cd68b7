"""Models of the family memories. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.generated.shared import (
    Item,
)
from muniment.errors import Fault


@dataclass(frozen=True)
class Remembered:
    """What became of it, by which rule. ``id`` is the memory that holds it; none if rejected.

    ``trust`` and ``confidence`` are those of what was stated now. ``warnings`` name what was
    repaired, and where a secret was taken out before anything was stored.
    """

    id: UUID | None
    outcome: Literal[
        "inserted", "reinforced", "superseded", "contested", "quarantined", "rejected", "retracted"
    ]
    rule: str
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    confidence: float
    superseded: tuple[UUID, ...]
    warnings: tuple[Fault, ...]


@dataclass(frozen=True)
class Citation:
    """A turn that supports what is remembered. ``user_id`` says whose it is where the memory is
    the organisation's; a user's memory rests on that user's turns alone.
    """

    session_id: str
    turn: int
    user_id: str | None = None


@dataclass(frozen=True)
class Items:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Item, ...]
    next: str | None
    watermark: datetime


@dataclass(frozen=True)
class Decision:
    """What reconciliation decided, or the worker when it archived, and by which rule."""

    outcome: Literal[
        "inserted",
        "reinforced",
        "superseded",
        "contested",
        "quarantined",
        "rejected",
        "retracted",
        "archived",
        "changed",
        "restored",
        "undone",
    ]
    rule: str
    decided_at: datetime


@dataclass(frozen=True)
class MemoryVersion:
    """One immutable version: true in ``valid_*``, held ``recorded_at`` to ``superseded_at``."""

    id: UUID
    version_id: UUID
    text: str
    slot: str | None
    value: str | None
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    superseded_by: UUID | None
    standing: Literal["asserted", "contested", "quarantined"]
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    confidence: float
    importance: int
    pinned: bool
    retracted: bool
    archived: bool
    observed_at: datetime
    expires_at: datetime | None
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class History:
    """Versions in the order in which the service came to hold them."""

    versions: tuple[MemoryVersion, ...]


@dataclass(frozen=True)
class Source:
    """One piece of evidence: a turn, or the bare word of a key. ``trust`` is what it was stored at,
    ``withdrawn_at`` since when the decision that brought it is undone.
    """

    session_id: str | None
    turn: int | None
    event_id: UUID | None
    key_id: UUID
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    observed_at: datetime
    recorded_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True)
class Derivation:
    """``id`` was made of ``source_id``."""

    id: UUID
    source_id: UUID


@dataclass(frozen=True)
class LineageDecision:
    """A decision with what it rested on, the versions that it moved, and what undid it.

    The nil UUID is in the place of a version that was erased; such a decision is not undone.
    """

    decision_id: UUID
    memory_id: UUID
    incumbent_id: UUID | None
    outcome: Literal[
        "inserted",
        "reinforced",
        "superseded",
        "contested",
        "quarantined",
        "rejected",
        "retracted",
        "archived",
        "changed",
        "restored",
        "undone",
    ]
    rule: str
    decided_at: datetime
    key_id: UUID
    inputs: dict[str, Any]
    ended: tuple[UUID, ...]
    made: tuple[UUID, ...]
    undoes: UUID | None
    undone: bool


@dataclass(frozen=True)
class Lineage:
    """Everything from a memory to its sources. Derivations go all the way up and down.

    ``superseded_by`` took its place, in the world or on the record; ``supersedes`` gave it theirs.
    """

    id: UUID
    evidence: tuple[Source, ...]
    derived_from: tuple[Derivation, ...]
    derived: tuple[Derivation, ...]
    decisions: tuple[LineageDecision, ...]
    superseded_by: tuple[UUID, ...]
    supersedes: tuple[UUID, ...]


@dataclass(frozen=True)
class Appearance:
    """An answer that had it: a ``context`` with the section; a ``recall``, which plans make too."""

    answer_id: UUID
    answer: Literal["context", "recall"]
    at: datetime
    run_id: str | None
    step: int | None
    session_id: str | None
    agent_id: str | None
    tier: Literal["episodic", "semantic", "knowledge", "run"]
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
    score: float | None


@dataclass(frozen=True)
class Appearances:
    """The latest first."""

    items: tuple[Appearance, ...]
    next: str | None


@dataclass(frozen=True)
class Changed:
    """What became of it, by which rule. ``id`` is the memory that holds it from now on; none if
    below the floor of confidence. ``decision_id`` is what undo takes.
    """

    id: UUID | None
    outcome: Literal[
        "inserted", "reinforced", "superseded", "contested", "quarantined", "rejected", "retracted"
    ]
    rule: str
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    confidence: float
    superseded: tuple[UUID, ...]
    decision_id: UUID | None
    warnings: tuple[Fault, ...]


@dataclass(frozen=True)
class Kept:
    """What was done; no ``decision_id`` where nothing had to be."""

    id: UUID
    outcome: Literal[
        "inserted",
        "reinforced",
        "superseded",
        "contested",
        "quarantined",
        "rejected",
        "retracted",
        "archived",
        "changed",
        "restored",
        "undone",
    ]
    rule: str
    decision_id: UUID | None


@dataclass(frozen=True)
class UndoneDecision:
    """The undo, a decision itself: memories that are not held so any more, and those that are."""

    id: UUID
    outcome: Literal[
        "inserted",
        "reinforced",
        "superseded",
        "contested",
        "quarantined",
        "rejected",
        "retracted",
        "archived",
        "changed",
        "restored",
        "undone",
    ]
    rule: str
    decision_id: UUID
    undid: UUID
    ended: tuple[UUID, ...]
    restored: tuple[UUID, ...]
