"""Two entities that turn out to be one: what is held of the first is stated of the second.

Each statement is reconciled like any other, at a moment of its own and under the scope's lock, so
that between the first moment and the last nobody else wrote. That is what undoing goes by.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.memory import Standing
from muniment.domain.policy import Category
from muniment.domain.reconcile import Plan
from muniment.domain.slot import Cardinality, defined_now
from muniment.domain.timeline import Window
from muniment.domain.trust import Trust, could_have_said
from muniment.errors import Conflict, Forbidden
from muniment.ports import Context, ScopeMark
from muniment.records.entities import EntityRow
from muniment.records.held import KeptRow, end_versions, rows_of, write_copies
from muniment.records.memories import carry_out, settle
from muniment.records.scopes import lock_scope
from muniment.records.versions import Cited, NewMemory

RULE = "entity_merged"


@dataclass(frozen=True)
class OpenVersion:
    """A version whose record is open, with what its memory says."""

    version_id: UUID
    memory_id: UUID
    kind: str
    text: str
    slot: str | None
    cardinality: Cardinality | None
    value: str | None
    detail: str | None
    data_source: str | None
    agent_id: str | None
    metadata: dict[str, Any]
    valid_from: datetime
    valid_to: datetime | None
    standing: Standing
    trust: Trust
    confidence: float
    importance: int
    pinned: bool
    archived: bool
    observed_at: datetime
    category: Category


@dataclass(frozen=True)
class Supporting:
    """A turn that a memory rests on, and where it is."""

    memory_id: UUID
    event_id: UUID | None
    scope_id: UUID
    session_pk: UUID
    turn: int
    observed_at: datetime
    trust: Trust


@dataclass(frozen=True)
class Merge:
    """A merge as it was done, and the scope that it was done in."""

    scope_id: UUID
    level: str
    user_id: str | None
    source_id: UUID
    target_id: UUID
    followed: list[UUID]
    touched: list[UUID]
    began_at: datetime
    ended_at: datetime
    undone_at: datetime | None


@dataclass(frozen=True)
class _Made:
    version_id: UUID
    trust: Trust
    slot: str | None
    held_as: UUID | None


@dataclass(frozen=True)
class _Version:
    version_id: UUID


@dataclass(frozen=True)
class _Id:
    entity_id: UUID


async def open_versions(ctx: Context, scope_id: UUID, entity_id: UUID) -> list[OpenVersion]:
    """What is held of an entity, but for what is archived: that stays where it is."""
    rows = await ctx.unit.rows(
        OpenVersion, "entity_open_versions", scope_id=scope_id, entity_id=entity_id
    )
    return [row for row in rows if not row.archived]


async def supporting(
    ctx: Context, scope_id: UUID, versions: Sequence[OpenVersion]
) -> list[Supporting]:
    """The turns that the memories of versions rest on."""
    return await ctx.unit.rows(
        Supporting,
        "entity_evidence",
        scope_id=scope_id,
        memories=sorted({one.memory_id for one in versions}),
    )


async def merge(
    ctx: Context, mark: ScopeMark, source: EntityRow, target: EntityRow, merge_id: UUID
) -> int:
    """State of ``target`` what is held of ``source``; how many statements.

    The caller holds the scope's lock (``mark``).
    """
    began_at = mark.watermark
    held = await open_versions(ctx, mark.scope_id, source.entity_id)
    _check_grades(ctx, held)
    by_memory: dict[UUID, list[Supporting]] = {}
    for turn in await supporting(ctx, mark.scope_id, held):
        by_memory.setdefault(turn.memory_id, []).append(turn)
    await end_versions(ctx, mark, [one.version_id for one in held])
    touched = []
    for one in sorted(held, key=lambda one: one.standing != "asserted"):
        mark = await lock_scope(ctx, mark.scope_id)
        touched.append(await _state(ctx, mark, target, one, by_memory.get(one.memory_id, [])))
    followed = await _followers(ctx, mark, source.entity_id)
    await _merged_into(ctx, mark, target.entity_id, [source.entity_id, *followed])
    await _merged_into(ctx, mark, None, [target.entity_id])
    await ctx.unit.run(
        "entity_merge_insert",
        scope_id=mark.scope_id,
        merge_id=merge_id,
        source_id=source.entity_id,
        target_id=target.entity_id,
        followed=followed,
        touched=touched,
        began_at=began_at,
        ended_at=mark.watermark,
    )
    return len(held)


async def undo(ctx: Context, mark: ScopeMark, done: Merge, merge_id: UUID) -> int:
    """Hold again what was held before a merge; how many versions.

    Raises Conflict where what the merge made has changed since, or some of it was forgotten.
    """
    place = {
        "scope_id": mark.scope_id,
        "entities": [done.source_id, done.target_id],
        "began_at": done.began_at,
        "ended_at": done.ended_at,
    }
    made = await ctx.unit.rows(_Made, "entity_versions_made", **place)
    followers = await _followers(ctx, mark, done.target_id)
    moved = {done.source_id, *done.followed} - set(followers)
    held = [one.held_as for one in made if one.held_as is not None]
    if moved or len(held) < len(made):
        raise Conflict("What the merge made has changed since; undo or correct that first.")
    _check_grades(ctx, made)
    there = await ctx.unit.value(
        "entity_touched", scope_id=mark.scope_id, memories=list(done.touched)
    )
    if there < len(set(done.touched)):
        raise Conflict("Something that the merge stated was forgotten since.")
    ended = await ctx.unit.rows(_Version, "entity_versions_ended", **place)
    before = await rows_of(ctx, mark.scope_id, [one.version_id for one in ended])
    await end_versions(ctx, mark, held)
    await write_copies(ctx, mark, [(row, _again(ctx, row)) for row in before])
    await _merged_into(ctx, mark, None, [done.source_id])
    await _merged_into(ctx, mark, done.source_id, done.followed)
    await ctx.unit.run(
        "entity_merge_undone", scope_id=mark.scope_id, merge_id=merge_id, at=mark.watermark
    )
    return len(before)


def _check_grades(ctx: Context, versions: Sequence[OpenVersion] | Sequence[_Made]) -> None:
    """A merge is no statement: its key must be one that could have said what is moved."""
    for one in versions:
        slot = None if one.slot is None else ctx.policy.slots.get(one.slot)
        authority = "user" if slot is None else slot.authority
        if not could_have_said(ctx.caller.roles, one.trust, authority):
            raise Forbidden("This key may not speak at the grade of what it would move.")


def _again(ctx: Context, row: KeptRow) -> dict[str, Any]:
    """What a version has else that is held again: its slot's cardinality may be another by now."""
    slot = row.slot_of(ctx.policy.slots)
    return {"restores": row.root, "cardinality": None if slot is None else slot.cardinality}


async def _state(
    ctx: Context,
    mark: ScopeMark,
    target: EntityRow,
    one: OpenVersion,
    evidence: Sequence[Supporting],
) -> UUID:
    """The memory that holds it now."""
    new = _statement(ctx, target, one, evidence)
    if one.standing == "asserted":
        settled = await settle(ctx, mark, new)
        memory_id, made = settled.memory_id, settled.made
    else:
        plan = Plan(one.standing, RULE, one.standing, Window(one.valid_from, one.valid_to))
        settled = await carry_out(ctx, mark, target.entity_id, new, plan, ())
        memory_id, made = settled.memory_id, True
    if made:
        await ctx.unit.run(
            "derivation_insert",
            scope_id=mark.scope_id,
            memory_id=memory_id,
            source_id=one.memory_id,
        )
    return memory_id


def _statement(
    ctx: Context, target: EntityRow, one: OpenVersion, evidence: Sequence[Supporting]
) -> NewMemory:
    return NewMemory(
        kind=one.kind,
        text=one.text,
        subject=None if target.kind == "self" else target.name,
        slot=defined_now(ctx.policy.slots, one.slot, one.cardinality),
        value=one.value,
        detail=one.detail,
        data_source=one.data_source,
        agent_id=one.agent_id,
        metadata=one.metadata,
        valid_from=one.valid_from,
        valid_to=one.valid_to,
        observed_at=one.observed_at,
        trust=one.trust,
        confidence=one.confidence,
        importance=one.importance,
        pinned=one.pinned,
        category=one.category,
        evidence=[_cited(turn) for turn in evidence],
        rule=RULE,
    )


def _cited(turn: Supporting) -> Cited:
    return Cited(
        event_id=turn.event_id,
        scope_id=turn.scope_id,
        session_pk=turn.session_pk,
        session_id="",
        turn=turn.turn,
        role="user",
        content="",
        occurred_at=turn.observed_at,
        trust=turn.trust,
        standing="asserted",
    )


async def _followers(ctx: Context, mark: ScopeMark, entity_id: UUID) -> list[UUID]:
    """What was merged into an entity."""
    place = {"scope_id": mark.scope_id, "entity_id": entity_id}
    return [row.entity_id for row in await ctx.unit.rows(_Id, "entity_followers", **place)]


async def _merged_into(
    ctx: Context, mark: ScopeMark, into: UUID | None, entities: Sequence[UUID]
) -> None:
    await ctx.unit.run(
        "entity_merged_into", scope_id=mark.scope_id, into=into, entities=list(entities)
    )
