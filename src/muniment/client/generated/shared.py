"""Models of more than one family. Generated; do not edit."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID


@dataclass(frozen=True)
class Evidence:
    """A turn that supports the item's own text."""

    session_id: str
    turn: int


@dataclass(frozen=True)
class ScoreParts:
    """What a score is made of, each in [0, 1] over the candidates (RULES 11.2)."""

    lexical: float
    semantic: float
    relevance: float
    recency: float
    importance: float


@dataclass(frozen=True)
class DocumentPlace:
    """Where an item of shared knowledge stands; ``headings``: outermost first."""

    document_id: UUID
    source: str
    version: int
    title: str
    headings: tuple[str, ...]
    position: int


@dataclass(frozen=True)
class GoverningDocument:
    """A version of a document that a run went by; ``retired``: it is not in force any more. Without
    a ``source`` the document is there no more, or not for this key.
    """

    document_id: UUID
    version: int
    source: str | None
    retired: bool


@dataclass(frozen=True)
class Item:
    """One memory or event. ``as_of`` is when it was last observed, ``valid_*`` when it is true.

    ``is_durative``: a fault that recurred. ``unconfirmed``: of the organisation, and only one
    agent inferred it, so it does not bind yet.
    ``watermark`` and ``user_id`` are those of an answer of one item; answers of many have the one
    beside them, and were asked for by the other.
    ``document``: of the tier ``knowledge``, where its text stands. ``governed_by``: of the episode
    of a run, the documents that it recalled. ``rerank``: what a model gave that ordered the items
    anew, on a scale of its own; ``score`` is the one before.
    """

    id: UUID
    tier: Literal["episodic", "semantic", "knowledge"]
    kind: str
    scope: Literal["user", "org"]
    text: str
    name: str | None
    subject: str | None
    slot: str | None
    value: str | None
    data_source: str | None
    as_of: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    expires_at: datetime | None
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    confidence: float | None
    importance: int
    pinned: bool
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
    ]
    stale: bool
    contested_by: tuple[UUID, ...]
    evidence: tuple[Evidence, ...]
    metadata: dict[str, Any]
    is_durative: bool = False
    unconfirmed: bool = False
    score: float | None = None
    score_parts: ScoreParts | None = None
    rerank: float | None = None
    watermark: datetime | None = None
    user_id: str | None = None
    document: DocumentPlace | None = None
    governed_by: tuple[GoverningDocument, ...] = ()


@dataclass(frozen=True)
class Watermarks:
    """How far the records of the user and of the organisation went; none where there is none."""

    user: datetime | None
    org: datetime | None


@dataclass(frozen=True)
class DroppedItem:
    """What might have been in, and why it is not. ``by``: what took its place, contests it, or says
    the same.
    """

    id: UUID
    tier: Literal["episodic", "semantic", "knowledge", "run"]
    section: Literal[
        "required_workarounds",
        "run_state",
        "profile",
        "facts",
        "findings",
        "interactions",
        "knowledge",
    ]
    reason: Literal[
        "budget",
        "floor",
        "mode",
        "other_source",
        "duplicate",
        "superseded",
        "retracted",
        "expired",
        "contested",
        "quarantined",
        "erased",
    ]
    by: UUID | None = None


@dataclass(frozen=True)
class NewKey:
    """The key with its secret, which is shown this once and kept as a hash."""

    key_id: UUID
    principal: str
    secret: str = field(repr=False)
