"""Versions of memories: what a plan of reconciliation writes, and the rows that recall ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.memory import Standing, Version
from muniment.domain.policy import Category
from muniment.domain.reconcile import Candidate, Plan, Remainder
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window
from muniment.domain.trust import Role, Trust, may_displace
from muniment.ports import Context, ScopeMark
from muniment.records.index_rows import Indexed, write_index
from muniment.records.proposing import kept_apart


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
    value: str | None
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
            observed_at=self.observed_at,
        )


@dataclass(frozen=True)
class Cited:
    """A turn that supports a memory; without ``event_id`` where it is not kept any more."""

    event_id: UUID | None
    scope_id: UUID
    session_pk: UUID
    session_id: str
    turn: int
    role: Role
    content: str
    occurred_at: datetime
    trust: Trust
    standing: str
    no_store: bool = False


@dataclass(frozen=True)
class Reporting:
    """The session in which something was reported that no turn says."""

    scope_id: UUID
    session_pk: UUID


@dataclass(frozen=True)
class NewMemory:
    """A candidate as it comes to reconciliation, its grade and confidence decided.

    A ``suspect`` one is kept apart: it is quarantined whatever is held; so is what was ``proposed``
    by a key that may do no more. ``rule`` is what brought it
    here, where that is more than a turn that says it, and ``told`` what its decision says besides.
    ``reported``: in which session, where it cites no turn. A ``durative`` one recurred.
    ``hashes``: by what its like is found, where that was worked out.
    """

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
    reported: Reporting | None = None
    suspect: bool = False
    proposed: bool = False
    proposed_by: str | None = None
    rule: str | None = None
    durative: bool = False
    told: Mapping[str, Any] = field(default_factory=dict)
    hashes: Mapping[str, int] | None = None

    @property
    def value_key(self) -> str | None:
        """The value as its slot compares it; None without a slot."""
        return None if self.slot is None else self.slot.key(self.value or "")

    @property
    def apart(self) -> str | None:
        """The rule by which it is kept apart; None where it is not."""
        return kept_apart(suspect=self.suspect, proposed=self.proposed)

    @property
    def said_last(self) -> Cited | None:
        """The last turn that says it, if that is what it was observed by."""
        last = max(self.evidence, key=lambda one: (one.occurred_at, one.turn), default=None)
        return last if last is not None and last.occurred_at == self.observed_at else None

    @property
    def candidate(self) -> Candidate:
        """The same for the rules."""
        return Candidate(
            value_key=self.value_key,
            valid_from=self.valid_from,
            valid_to=self.valid_to,
            trust=self.trust,
            observed_at=self.observed_at,
            turn=None if self.said_last is None else self.said_last.turn,
        )


async def held_in_slot(
    ctx: Context, mark: ScopeMark, subject_id: UUID, slot: Slot
) -> list[HeldRow]:
    """What is held in a slot of one subject, expired or not; its values are compared as the slot
    compares them now, however it did when they were stored.
    """
    place = {"scope_id": mark.scope_id, "subject_id": subject_id, "slot": slot.name}
    rows = await ctx.unit.rows(HeldRow, "versions_in_slot", **place)
    return [replace(row, value_key=slot.key(row.value or "")) for row in rows]


async def write_versions(
    ctx: Context,
    mark: ScopeMark,
    memory_id: UUID,
    subject_id: UUID,
    new: NewMemory,
    plan: Plan,
    rows: dict[UUID, HeldRow],
) -> list[UUID]:
    """The candidate's versions, and new ones of what keeps a part of its window; their ids."""
    common = {
        "scope_id": mark.scope_id,
        "subject_id": subject_id,
        "slot": None if new.slot is None else new.slot.name,
        "cardinality": None if new.slot is None else new.slot.cardinality,
        "recorded_from": mark.watermark,
        "recorded_to": None,
    }
    taking_back = plan.outcome == "retracted"
    versions: list[dict[str, Any]] = []
    texts: list[tuple[str, str]] = []
    named = about(new.slot, new.subject)
    for remainder in plan.remainders:
        was = rows[remainder.of.version_id]
        versions.append(remaining(was, remainder.valid) | common)
        same_end = remainder.valid.end == was.valid_to
        versions[-1]["retracted"] = remainder.retracted or (was.retracted and same_end)
        if remainder.freed:
            versions[-1]["standing"] = "asserted"
        if was.memory_id == plan.reinforces and not taking_back:
            versions[-1] |= _renewed(ctx, was, new)
            versions[-1]["is_durative"] = was.is_durative or new.durative
        versions[-1]["superseded_by"] = _successor(remainder, plan, memory_id)
        texts.append((f"{was.text}{named}", was.kind))
    for window in plan.windows:
        first = _first(ctx, mark, new, plan, memory_id, window)
        versions.append(first | common | {"superseded_by": _following(plan, window)})
        texts.append((f"{new.text}{named}", new.kind))
    for version in versions:
        version["version_id"] = ctx.ids.new()
    await ctx.unit.many("version_insert", versions)
    entries = [indexed(v, text, kind) for v, (text, kind) in zip(versions, texts, strict=True)]
    if entries:
        await write_index(ctx, mark, entries)
    return [version["version_id"] for version in versions]


async def write_standing(
    ctx: Context,
    mark: ScopeMark,
    subject_id: UUID,
    slot: Slot | None,
    named: str,
    was: HeldRow,
    trust: Trust | None = None,
) -> UUID:
    """A version as an asserted one, in the same window, at the same grade unless one is given; its
    id.
    """
    version = remaining(was, was.version.valid) | {
        "scope_id": mark.scope_id,
        "version_id": ctx.ids.new(),
        "subject_id": subject_id,
        "slot": None if slot is None else slot.name,
        "cardinality": None if slot is None else slot.cardinality,
        "recorded_from": mark.watermark,
        "recorded_to": None,
        "retracted": was.retracted,
        "superseded_by": was.superseded_by,
        "standing": "asserted",
        "trust": trust or was.trust,
    }
    await ctx.unit.many("version_insert", [version])
    await write_index(ctx, mark, [indexed(version, f"{was.text}{named}", was.kind)])
    made: UUID = version["version_id"]
    return made


def about(slot: Slot | None, subject: str | None) -> str:
    """What a memory is found by besides its text: the names of its slot and subject.

    Those of one slot and subject share them, so the names of the candidate serve for all.
    """
    words = [] if slot is None else [slot.label]
    if subject is not None:
        words.append(subject)
    return f" ({'; '.join(words)})" if words else ""


def _successor(remainder: Remainder, plan: Plan, memory_id: UUID) -> UUID | None:
    """What takes over where a window ends: the candidate, or what did so before."""
    if remainder.superseded:
        return memory_id
    if remainder.valid.end is None:
        return None
    following = _following(plan, remainder.valid)
    if following is not None and remainder.of.memory_id == plan.reinforces:
        return following
    ended_there = [v for v in (remainder.of, *plan.ends) if v.valid.end == remainder.valid.end]
    return ended_there[0].superseded_by if ended_there else None


def _following(plan: Plan, window: Window) -> UUID | None:
    return None if window.end is None else plan.following.get(window.end)


def remaining(was: HeldRow, valid: Window) -> dict[str, Any]:
    """A further version of the same memory in a window, as columns."""
    kept = (
        "memory_id", "standing", "trust", "confidence", "importance", "pinned", "is_durative",
        "archived", "observed_at", "expires_at", "category", "retention_class",
    )  # fmt: skip
    return {name: getattr(was, name) for name in kept} | {
        "valid_from": valid.start,
        "valid_to": valid.end,
        "restores": None,
    }


def _renewed(ctx: Context, was: HeldRow, new: NewMemory) -> dict[str, Any]:
    """What a repetition changes (RULES 7.1, 8.3): confidence, observation, life. One at a lower
    grade changes none of them.
    """
    if not may_displace(new.trust, was.trust, "user" if new.slot is None else new.slot.authority):
        return {}
    observed_at = max(was.observed_at, new.observed_at)
    renewed: dict[str, Any] = {
        "observed_at": observed_at,
        "confidence": max(was.confidence, new.confidence),
    }
    if was.archived:
        # Said again, it is held again.
        renewed["archived"] = False
    kind = ctx.policy.kinds[was.kind]
    by_slot = new.slot is not None and kind.ttl is None
    if was.archived or kind.refreshed or by_slot:
        renewed["expires_at"] = ctx.policy.expiry(was.kind, new.slot, observed_at)
    return renewed


def _retention_class(ctx: Context, new: NewMemory, plan: Plan) -> str:
    if plan.standing == "quarantined":
        return "quarantine"
    return ctx.policy.kinds[new.kind].retention_class


def _expiry(ctx: Context, mark: ScopeMark, new: NewMemory, plan: Plan) -> datetime | None:
    if plan.standing == "quarantined":
        return ctx.policy.keep_until("quarantine", new.category, mark.watermark)
    return ctx.policy.expiry(new.kind, new.slot, new.observed_at)


def _first(
    ctx: Context, mark: ScopeMark, new: NewMemory, plan: Plan, memory_id: UUID, window: Window
) -> dict[str, Any]:
    return {
        "memory_id": memory_id,
        "valid_from": window.start,
        "valid_to": window.end,
        "standing": plan.standing,
        "trust": new.trust,
        "confidence": new.confidence,
        "importance": new.importance,
        "pinned": new.pinned,
        "is_durative": new.durative,
        "archived": False,
        "retracted": False,
        "restores": None,
        "observed_at": new.observed_at,
        "expires_at": _expiry(ctx, mark, new, plan),
        "category": new.category,
        "retention_class": _retention_class(ctx, new, plan),
    }


def indexed(version: dict[str, Any], text: str, kind: str) -> Indexed:
    """The row by which recall finds a version."""
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
