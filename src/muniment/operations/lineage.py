"""memories.lineage: from a memory to its sources, and to what was made of it."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.domain.reconcile import Decided
from muniment.domain.trust import Trust
from muniment.domain.undo import standing_decisions
from muniment.errors import NotFound
from muniment.operations.items import find_place
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Instant, Metadata, command
from muniment.ports import Context
from muniment.records.held import rows_of_memory
from muniment.records.undoing import decisions_of


@command
class MemoryLineage:
    """What a memory rests on, what it was made of, and what was made of it."""

    id: UUID


@dataclass(frozen=True)
class Source:
    """One piece of evidence: a turn, or the bare word of a key. ``trust`` is what it was stored at,
    ``withdrawn_at`` since when the decision that brought it is undone.
    """

    session_id: str | None
    turn: int | None
    event_id: UUID | None
    key_id: UUID
    trust: Trust
    observed_at: Instant
    recorded_at: Instant
    withdrawn_at: Instant | None


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
    outcome: Decided
    rule: str
    decided_at: Instant
    key_id: UUID
    inputs: Metadata
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
class _Told:
    decision_id: UUID
    incumbent_id: UUID | None
    key_id: UUID
    inputs: dict[str, Any]


@dataclass(frozen=True)
class _Edge:
    id: UUID
    source_id: UUID
    up: bool


@dataclass(frozen=True)
class _Link:
    id: UUID
    later: bool


async def lineage(command: MemoryLineage, ctx: Context) -> Lineage:
    """Raises NotFound for what is not a memory."""
    place = await find_place(ctx, command.id)
    where = {"scope_id": place.scope_id, "memory_id": command.id}
    evidence = await ctx.unit.rows(Source, "lineage_evidence", **where)
    if place.level == "org" and ctx.caller.user_id is not None:
        # What the organisation knows rests on anybody's sessions.
        evidence = []
    edges = await ctx.unit.rows(_Edge, "lineage_derivations", **where)
    links = await ctx.unit.rows(_Link, "lineage_links", now=ctx.now, **where)
    decisions = await _decisions(ctx, place.scope_id, command.id)
    # Last, so that a forget meanwhile leaves nothing to answer.
    rows = await rows_of_memory(ctx, place.scope_id, command.id)
    if not any(row.expires_at is None or row.expires_at > ctx.now for row in rows):
        raise NotFound("There is no such memory.")
    return Lineage(
        id=command.id,
        evidence=tuple(evidence),
        derived_from=tuple(Derivation(one.id, one.source_id) for one in edges if one.up),
        derived=tuple(Derivation(one.id, one.source_id) for one in edges if not one.up),
        decisions=decisions,
        superseded_by=tuple(one.id for one in links if one.later),
        supersedes=tuple(one.id for one in links if not one.later),
    )


async def _decisions(ctx: Context, scope_id: UUID, memory_id: UUID) -> tuple[LineageDecision, ...]:
    """Every decision about the memory or that moved it, in their order."""
    found = await decisions_of(ctx, scope_id, memory_id, standing=False)
    stand = {one.decision_id for one in standing_decisions([row.decided for row in found])}
    told = await ctx.unit.rows(
        _Told, "lineage_decisions", scope_id=scope_id, ids=[row.decision_id for row in found]
    )
    by_id = {one.decision_id: one for one in told}
    return tuple(
        LineageDecision(
            decision_id=row.decision_id,
            memory_id=row.memory_id,
            incumbent_id=by_id[row.decision_id].incumbent_id,
            outcome=row.outcome,
            rule=row.rule,
            decided_at=row.decided_at,
            key_id=by_id[row.decision_id].key_id,
            inputs=by_id[row.decision_id].inputs,
            ended=tuple(row.ended),
            made=tuple(row.made),
            undoes=row.undoes,
            undone=row.decision_id not in stand,
        )
        for row in found
    )


OPERATIONS = (
    Operation(
        name="memories.lineage",
        summary="Show what a memory rests on and how it came about",
        command=MemoryLineage,
        result=Lineage,
        handler=lineage,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", "/v1/memories/{id}/lineage"),
        checks_user=True,
        errors=(NotFound,),
        columns=(
            "decisions.decided_at",
            "decisions.outcome",
            "decisions.rule",
            "decisions.undone",
            "decisions.decision_id",
        ),
    ),
)
