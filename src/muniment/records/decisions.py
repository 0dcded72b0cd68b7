"""Decisions: what was done to what is held, by which rule, with the versions that it moved."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.reconcile import Decided
from muniment.domain.trust import Trust
from muniment.domain.undo import PastDecision
from muniment.ports import Context, ScopeMark


@dataclass(frozen=True)
class Decision:
    """A decision to be stored; ``inputs`` is what it rests on, by name."""

    memory_id: UUID
    outcome: Decided
    rule: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    incumbent_id: UUID | None = None
    ended: Collection[UUID] = ()
    made: Collection[UUID] = ()
    undoes: UUID | None = None


@dataclass(frozen=True)
class DecisionRow:
    """A decision as it is stored; ``trust`` is the grade of what was stated, if it was."""

    decision_id: UUID
    memory_id: UUID
    outcome: Decided
    rule: str
    ended: list[UUID]
    made: list[UUID]
    undoes: UUID | None
    trust: Trust | None
    decided_at: datetime

    @property
    def decided(self) -> PastDecision:
        """The same for the rules."""
        return PastDecision(
            self.decision_id, self.memory_id, self.outcome, self.ended, self.made, self.undoes
        )


async def write_decision(ctx: Context, mark: ScopeMark, decision: Decision) -> UUID:
    """Store a decision at the scope's moment; its id."""
    (decision_id,) = await write_decisions(ctx, mark, [decision])
    return decision_id


async def write_decisions(
    ctx: Context, mark: ScopeMark, decisions: Sequence[Decision]
) -> list[UUID]:
    """Store decisions at the scope's moment, in one round trip; their ids."""
    rows: list[dict[str, Any]] = [
        {
            "scope_id": mark.scope_id,
            "decision_id": ctx.ids.new(),
            "memory_id": decision.memory_id,
            "incumbent_id": decision.incumbent_id,
            "outcome": decision.outcome,
            "rule": decision.rule,
            "inputs": dict(decision.inputs),
            "ended": list(decision.ended),
            "made": list(decision.made),
            "undoes": decision.undoes,
            "key_id": ctx.caller.key_id,
            "decided_at": mark.watermark,
        }
        for decision in decisions
    ]
    await ctx.unit.many("decision_insert", rows)
    return [row["decision_id"] for row in rows]


async def decisions_about(
    ctx: Context, scope_id: UUID, memory_id: UUID, moments: Sequence[datetime] = ()
) -> list[DecisionRow]:
    """Decisions about a memory, and those of these moments of the record, in their order."""
    return await ctx.unit.rows(
        DecisionRow,
        "decisions_about",
        scope_id=scope_id,
        memory_id=memory_id,
        moments=list(moments),
    )
