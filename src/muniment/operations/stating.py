"""What is said, graded: the candidate that reconciliation gets (RULES 4, 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from muniment.domain.instructions import is_suspect
from muniment.domain.memory import Label
from muniment.domain.policy import Category
from muniment.domain.slot import Slot
from muniment.domain.statement import Claim, SupportingTurn, grade
from muniment.domain.trust import Trust
from muniment.errors import Fault, InvalidInput
from muniment.operations.citing import Speaker
from muniment.ports import Context
from muniment.records.proposing import proposes
from muniment.records.versions import Cited, NewMemory, Reporting


@dataclass(frozen=True)
class Said:
    """A statement as a caller makes it. ``observed_at``: when, where no turn that it cites says so;
    ``reported``: in which session, where it cites none.
    """

    kind: str
    text: str
    subject: str | None = None
    slot: Slot | None = None
    value: str | None = None
    detail: str | None = None
    data_source: str | None = None
    agent_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    label: Label | None = None
    speaker: Speaker = "assistant"
    category: Category = "personal"
    observed_at: datetime | None = None
    reported: Reporting | None = None


@dataclass(frozen=True)
class Graded:
    """What a statement is trusted at. No candidate where it is below the floor."""

    new: NewMemory | None
    trust: Trust
    confidence: float


def graded(ctx: Context, said: Said, cited: Sequence[Cited]) -> Graded:
    """Raises InvalidInput for a window that ends before it begins."""
    trust, stated = _grade(said, cited)
    confidence = ctx.policy.confidence_of(said.label, stated=stated)
    if confidence < ctx.policy.confidence.write_floor:
        return Graded(None, trust, confidence)
    observed_at = max((turn.occurred_at for turn in cited), default=said.observed_at or ctx.now)
    slot = said.slot
    new = NewMemory(
        kind=said.kind,
        text=said.text,
        subject=said.subject,
        slot=slot,
        value=said.value,
        detail=said.detail,
        data_source=said.data_source,
        agent_id=said.agent_id,
        metadata=dict(said.metadata),
        valid_from=said.valid_from or observed_at,
        valid_to=said.valid_to,
        observed_at=observed_at,
        trust=trust,
        confidence=confidence,
        importance=5 if slot is None else slot.importance,
        pinned=slot is not None and slot.pinned,
        category=said.category,
        evidence=cited,
        reported=said.reported,
        suspect=is_suspect(
            (said.subject, said.text, said.value, said.detail),
            trust,
            (turn.standing for turn in cited),
        ),
        proposed=proposes(ctx),
    )
    if new.valid_to is not None and new.valid_to <= new.valid_from:
        raise InvalidInput(faults=[Fault("/valid_to", "must be after valid_from")])
    return Graded(new, trust, confidence)


def _grade(said: Said, cited: Sequence[Cited]) -> tuple[Trust, bool]:
    if said.speaker == "operator":
        return "operator", True
    turns = [SupportingTurn(turn.role, turn.content, turn.trust) for turn in cited]
    closed = said.valid_to is not None
    return grade(Claim(said.text, said.value, said.slot, closed=closed), turns)
