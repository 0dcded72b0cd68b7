"""Memories: a candidate is reconciled under the scope's lock, and the plan is written down."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.memory import Standing, Version
from muniment.domain.policy import Category
from muniment.domain.reconcile import Candidate, Outcome, Plan, Remainder, reconcile
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window
from muniment.domain.trust import Role, Trust, may_displace
from muniment.ports import Context, ScopeMark
from muniment.records.index_rows import Indexed, end_index, write_index

SELF = "user"


@dataclass(frozen=True)
class HeldRow:
    """A version whose record is open, as reconciliation reads it."""

    version_id: UUID
    memory_id: UUID
    valid_from: datetime
    valid_to: datetime | None
    recorded_from: datetime
    standing: Standing
    trust: Trust
    value_key: str | None
    superseded_by: UUID | None
    retracted: bool
    archived: bool
    expires_at: datetime | None
    confidence: float
    importance: int
    pinned: bool
    is_durative: bool
    observed_at: datetime
    category: Category
    retention_class: str
    kind: str
    text: str

    @property
    def version(self) -> Version:
        """The same for the rules."""
        return Version(
            version_id=self.version_id,
            memory_id=self.memory_id,
            valid=Window(self.valid_from, self.valid_to),
            recorded=Window(self.recorded_from),
            standing=self.standing,
            trust=self.trust,
            value_key=self.value_key,
            superseded_by=self.superseded_by,
            retracted=self.retracted,
            archived=self.archived,
            expires_at=self.expires_at,
        )


@dataclass(frozen=True)
class Cited:
    """A turn that supports a memory."""

    event_id: UUID
    scope_id: UUID
    session_pk: UUID
    session_id: str
    turn: int
    role: Role
    content: str
    occurred_at: datetime
    trust: Trust
    standing: str


@dataclass(frozen=True)
class NewMemory:
    """A candidate as it comes to reconciliation, its grade and confidence decided."""

    kind: str
    text: str
    subject: str | None
    slot: Slot | None
    value: str | None
    detail: str | None
    data_source: str | None
    agent_id: str | None
    metadata: dict[str, Any]
    valid_from: datetime
    valid_to: datetime | None
    observed_at: datetime
    trust: Trust
    confidence: float
    importance: int
    pinned: bool
    category: Category
    evidence: Sequence[Cited] = field(default_factory=tuple)


@dataclass(frozen=True)
class Settled:
    """What became of a candidate."""

    memory_id: UUID
    outcome: Outcome
    rule: str
    superseded: tuple[UUID, ...]


async def settle(ctx: Context, mark: ScopeMark, new: NewMemory) -> Settled:
    """Reconcile a candidate with what the scope holds and write the result.

    The caller holds the scope's lock (``mark``).
    """
    subject_id = await _subject(ctx, mark, new.subject)
    held = await _held(ctx, mark, subject_id, new)
    plan = _refreshed(_plan(new, [row.version for row in held]), held, new)
    memory_id = ctx.ids.new() if plan.reinforces is None else plan.reinforces
    if plan.window is not None:
        await _insert_memory(ctx, mark, memory_id, subject_id, new)
    ends = [
        {
            "scope_id": mark.scope_id,
            "version_id": version.version_id,
            "at": mark.watermark,
            "ended_by": None if version.memory_id == memory_id else memory_id,
        }
        for version in plan.ends
    ]
    await ctx.unit.many("version_end", ends)
    await end_index(ctx, mark, [version.version_id for version in plan.ends])
    rows = {row.version_id: row for row in held}
    await _write_versions(ctx, mark, memory_id, subject_id, new, plan, rows)
    await _write_evidence(ctx, mark, memory_id, new)
    await _write_decision(ctx, mark, memory_id, new, plan)
    ended = dict.fromkeys(v.memory_id for v in plan.ends if v.memory_id != memory_id)
    return Settled(memory_id, plan.outcome, plan.rule, tuple(ended))


def _plan(new: NewMemory, held: Sequence[Version]) -> Plan:
    if new.slot is None:
        if held:
            return Plan("reinforced", "same_text", reinforces=held[0].memory_id)
        return Plan("inserted", "new_text", window=Window(new.valid_from, new.valid_to))
    candidate = Candidate(
        value_key=new.slot.key(new.value or ""),
        valid_from=new.valid_from,
        valid_to=new.valid_to,
        trust=new.trust,
    )
    return reconcile(candidate, held, new.slot)


def _refreshed(plan: Plan, held: Sequence[HeldRow], new: NewMemory) -> Plan:
    """A repetition at the same or a higher grade also renews what is held: a new version."""
    if plan.reinforces is None or plan.remainders:
        return plan
    row = next(row for row in held if row.memory_id == plan.reinforces)
    authority = "user" if new.slot is None else new.slot.authority
    newer = new.observed_at > row.observed_at or new.confidence > row.confidence
    if not newer or not may_displace(new.trust, row.trust, authority):
        return plan
    kept = Remainder(row.version, row.version.valid, superseded=False)
    return replace(plan, ends=(*plan.ends, row.version), remainders=(kept,))


async def _subject(ctx: Context, mark: ScopeMark, name: str | None) -> UUID:
    """The entity that a memory is about: the user, unless it names another."""
    key = SELF if name is None else f"named:{' '.join(name.casefold().split())}"
    values = {"scope_id": mark.scope_id, "name_key": key}
    found = await ctx.unit.value("entity_find", **values)
    if found is None:
        await ctx.unit.run(
            "entity_ensure",
            entity_id=ctx.ids.new(),
            kind="self" if name is None else "entity",
            name=name or SELF,
            **values,
        )
        found = await ctx.unit.value("entity_find", **values)
    if not isinstance(found, UUID):
        raise TypeError("an entity has a UUID")
    return found


async def _held(ctx: Context, mark: ScopeMark, subject_id: UUID, new: NewMemory) -> list[HeldRow]:
    place = {"scope_id": mark.scope_id, "subject_id": subject_id, "now": ctx.now}
    if new.slot is not None:
        return await ctx.unit.rows(HeldRow, "versions_in_slot", slot=new.slot.name, **place)
    return await ctx.unit.rows(
        HeldRow,
        "versions_alike",
        kind=new.kind,
        data_source=new.data_source,
        text=new.text,
        **place,
    )


async def _insert_memory(
    ctx: Context, mark: ScopeMark, memory_id: UUID, subject_id: UUID, new: NewMemory
) -> None:
    await ctx.unit.run(
        "memory_insert",
        scope_id=mark.scope_id,
        memory_id=memory_id,
        kind=new.kind,
        subject_id=subject_id,
        slot=None if new.slot is None else new.slot.name,
        value=new.value,
        value_key=None if new.slot is None else new.slot.key(new.value or ""),
        text=new.text,
        detail=new.detail,
        data_source=new.data_source,
        agent_id=new.agent_id,
        metadata=new.metadata,
        created_at=mark.watermark,
        created_by=ctx.caller.key_id,
    )


async def _write_versions(
    ctx: Context,
    mark: ScopeMark,
    memory_id: UUID,
    subject_id: UUID,
    new: NewMemory,
    plan: Plan,
    rows: dict[UUID, HeldRow],
) -> None:
    """The candidate's own version, and new versions of what keeps a part of its window."""
    common = {
        "scope_id": mark.scope_id,
        "subject_id": subject_id,
        "slot": None if new.slot is None else new.slot.name,
        "cardinality": None if new.slot is None else new.slot.cardinality,
        "recorded_from": mark.watermark,
        "recorded_to": None,
        "retracted": False,
    }
    versions: list[dict[str, Any]] = []
    texts: list[tuple[str, str]] = []
    for remainder in plan.remainders:
        was = rows[remainder.of.version_id]
        versions.append(_remaining(was, remainder.valid) | common)
        if was.memory_id == plan.reinforces:
            versions[-1] |= _renewed(ctx, was, new)
        versions[-1]["superseded_by"] = memory_id if remainder.superseded else was.superseded_by
        texts.append((was.text, was.kind))
    if plan.window is not None:
        versions.append(_first(ctx, new, plan, memory_id) | common)
        texts.append((new.text, new.kind))
    for version in versions:
        version["version_id"] = ctx.ids.new()
    await ctx.unit.many("version_insert", versions)
    entries = [_indexed(v, text, kind) for v, (text, kind) in zip(versions, texts, strict=True)]
    if entries:
        await write_index(ctx, mark, entries)


def _remaining(was: HeldRow, valid: Window) -> dict[str, Any]:
    kept = (
        "memory_id", "standing", "trust", "confidence", "importance", "pinned", "is_durative",
        "archived", "observed_at", "expires_at", "category", "retention_class",
    )  # fmt: skip
    return {name: getattr(was, name) for name in kept} | {
        "valid_from": valid.start,
        "valid_to": valid.end,
    }


def _renewed(ctx: Context, was: HeldRow, new: NewMemory) -> dict[str, Any]:
    """What a repetition changes (RULES 7.1, 8.3): confidence, observation, life."""
    observed_at = max(was.observed_at, new.observed_at)
    renewed: dict[str, Any] = {
        "observed_at": observed_at,
        "confidence": max(was.confidence, new.confidence),
    }
    if ctx.policy.kinds[was.kind].refreshed:
        renewed["expires_at"] = ctx.policy.expiry(was.kind, new.slot, observed_at)
    return renewed


def _first(ctx: Context, new: NewMemory, plan: Plan, memory_id: UUID) -> dict[str, Any]:
    window = plan.window or Window(new.valid_from, new.valid_to)
    return {
        "memory_id": memory_id,
        "valid_from": window.start,
        "valid_to": window.end,
        "standing": plan.standing,
        "trust": new.trust,
        "confidence": new.confidence,
        "importance": new.importance,
        "pinned": new.pinned,
        "is_durative": False,
        "archived": False,
        "superseded_by": None,
        "observed_at": new.observed_at,
        "expires_at": ctx.policy.expiry(new.kind, new.slot, new.observed_at),
        "category": new.category,
        "retention_class": ctx.policy.kinds[new.kind].retention_class,
    }


def _indexed(version: dict[str, Any], text: str, kind: str) -> Indexed:
    return Indexed(
        text=text,
        group_id=version["memory_id"],
        position=0,
        tier="semantic",
        kind=kind,
        standing="archived" if version["archived"] else version["standing"],
        valid_from=version["valid_from"],
        valid_to=version["valid_to"],
        occurred_at=version["observed_at"],
        expires_at=version["expires_at"],
        importance=version["importance"],
        confidence=version["confidence"],
        version_id=version["version_id"],
    )


async def _write_evidence(ctx: Context, mark: ScopeMark, memory_id: UUID, new: NewMemory) -> None:
    told = {
        "scope_id": mark.scope_id,
        "memory_id": memory_id,
        "key_id": ctx.caller.key_id,
        "recorded_at": mark.watermark,
    }
    rows: list[dict[str, Any]] = [
        {
            **told,
            "evidence_id": ctx.ids.new(),
            "source_scope_id": turn.scope_id,
            "session_pk": turn.session_pk,
            "event_id": turn.event_id,
            "turn": turn.turn,
            "trust": turn.trust,
            "observed_at": turn.occurred_at,
        }
        for turn in new.evidence
    ] or [
        {
            **told,
            "evidence_id": ctx.ids.new(),
            "source_scope_id": None,
            "session_pk": None,
            "event_id": None,
            "turn": None,
            "trust": new.trust,
            "observed_at": new.observed_at,
        }
    ]
    await ctx.unit.many("evidence_insert", rows)


async def _write_decision(
    ctx: Context, mark: ScopeMark, memory_id: UUID, new: NewMemory, plan: Plan
) -> None:
    await ctx.unit.run(
        "decision_insert",
        scope_id=mark.scope_id,
        decision_id=ctx.ids.new(),
        memory_id=memory_id,
        incumbent_id=plan.incumbent,
        outcome=plan.outcome,
        rule=plan.rule,
        inputs={
            "trust": new.trust,
            "valid_from": new.valid_from.isoformat(),
            "valid_to": None if new.valid_to is None else new.valid_to.isoformat(),
            "ended": [str(version.version_id) for version in plan.ends],
        },
        key_id=ctx.caller.key_id,
        decided_at=mark.watermark,
    )
