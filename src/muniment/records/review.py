"""What waits for a person, and what a decision does to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast
from uuid import UUID

from muniment.domain.policy import Category
from muniment.domain.review import Decision as Decided
from muniment.domain.review import Why, approved_grade
from muniment.domain.slot import Cardinality, Slot, defined_now
from muniment.domain.trust import Trust
from muniment.errors import Forbidden
from muniment.ports import Context, ScopeMark
from muniment.records.credentials import made_by_caller
from muniment.records.decisions import Decision, write_decision
from muniment.records.index_rows import end_index
from muniment.records.memories import readmit
from muniment.records.scopes import lock_scope
from muniment.records.taking_back import settle_disputes
from muniment.records.versions import HeldRow, NewMemory, about, write_standing


@dataclass(frozen=True)
class WaitingVersion(HeldRow):
    """A version that waits; ``incumbent_id``: what it was last found at odds with, or is to
    correct.
    """

    slot: str | None
    cardinality: Cardinality | None
    subject_id: UUID
    subject: str
    of_self: bool
    detail: str | None
    data_source: str | None
    agent_id: str | None
    incumbent_id: UUID | None

    @property
    def why(self) -> Why:
        """What it waits for."""
        return "unconfirmed" if self.standing == "asserted" else cast("Why", self.standing)


@dataclass(frozen=True)
class WaitingEvent:
    """A turn that waits."""

    event_id: UUID
    trust: Trust
    category: Category
    recorded_at: datetime


@dataclass(frozen=True)
class Judgement:
    """What a person decided, and why."""

    decision: Decided
    reason: str


@dataclass(frozen=True)
class _Requester:
    key_id: UUID
    principal: str


async def waiting_versions(ctx: Context, scope_id: UUID, item_id: UUID) -> list[WaitingVersion]:
    """Versions of a memory that wait; none if it is no memory or waits for nothing."""
    return await ctx.unit.rows(
        WaitingVersion, "review_versions", scope_id=scope_id, id=item_id, now=ctx.now
    )


async def waiting_event(ctx: Context, scope_id: UUID, item_id: UUID) -> WaitingEvent | None:
    """The turn, if it is one that waits."""
    return await ctx.unit.one(
        WaitingEvent, "review_event", scope_id=scope_id, id=item_id, now=ctx.now
    )


async def asked_for_it(ctx: Context, scope_id: UUID, item_id: UUID) -> bool:
    """True if the caller's key, or one of the same principal, brought the item here."""
    rows = await ctx.unit.rows(_Requester, "review_requesters", scope_id=scope_id, id=item_id)
    return any(made_by_caller(ctx, row.key_id, row.principal) for row in rows)


async def decide_versions(
    ctx: Context, mark: ScopeMark, rows: Sequence[WaitingVersion], judged: Judgement
) -> Trust:
    """Carry a decision out on every version of a memory that waits; returns the grade it has then.

    The caller holds the scope's lock. Raises Forbidden where the key gives no grade that would do.
    """
    trust = rows[0].trust
    for number, row in enumerate(rows):
        if number:
            # A moment of its own, so that one may end what another began.
            mark = await lock_scope(ctx, mark.scope_id)
        if judged.decision == "approve":
            trust = await _approve(ctx, mark, row)
        elif judged.decision == "reject":
            await _reject(ctx, mark, row)
        await ctx.unit.run(
            "review_insert",
            **_review(ctx, mark, judged, row.why, row.trust, trust),
            event_id=None,
            memory_id=row.memory_id,
            version_id=row.version_id,
        )
    return trust


async def decide_event(ctx: Context, mark: ScopeMark, row: WaitingEvent, judged: Judgement) -> None:
    """Let a turn be recalled from now on, or never. It keeps the grade of its channel."""
    kept = judged.decision == "approve"
    expires_at = ctx.policy.keep_until(
        "episode" if kept else "quarantine", row.category, row.recorded_at
    )
    told = {
        "scope_id": mark.scope_id,
        "event_id": row.event_id,
        "standing": "asserted" if kept else "dropped",
        "kept": kept,
        "expires_at": expires_at,
    }
    await ctx.unit.run(
        "event_decided",
        **told,
        rule="review.approved" if kept else "review.rejected",
        retention_class="episode" if kept else "quarantine",
    )
    await ctx.unit.run("event_index_decided", **told, rev=mark.version, at=mark.watermark)
    await ctx.unit.run(
        "review_insert",
        **_review(ctx, mark, judged, "quarantined", row.trust, row.trust),
        event_id=row.event_id,
        memory_id=None,
        version_id=None,
    )


async def _approve(ctx: Context, mark: ScopeMark, row: WaitingVersion) -> Trust:
    slot = defined_now(ctx.policy.slots, row.slot, row.cardinality)
    authority = "user" if slot is None else slot.authority
    trust = approved_grade(ctx.caller.roles, row.trust, authority)
    if trust is None:
        raise Forbidden("This key speaks for no person: it has neither role, user or operator.")
    if row.why == "unconfirmed":
        await _end(ctx, mark, row, "version_end", ended_by=None)
        named = about(slot, None if row.of_self else row.subject)
        made = await write_standing(ctx, mark, row.subject_id, slot, named, row, trust)
        decision = Decision(row.memory_id, "reinforced", "confirmed_by_review", made=[made])
        await _note(ctx, mark, row, decision, trust)
        return trust
    new = _as_new(row, slot, trust)
    settled = await readmit(ctx, mark, row.subject_id, new, row, row.incumbent_id)
    if settled is None:
        raise Forbidden("What is held has a higher grade than this key can give.")
    ctx.trail.subjects += settled.superseded
    return trust


async def _reject(ctx: Context, mark: ScopeMark, row: WaitingVersion) -> None:
    await _end(ctx, mark, row, "version_reject")
    decision = Decision(row.memory_id, "retracted", "rejected_by_review")
    await _note(ctx, mark, row, decision, row.trust)
    if row.why == "unconfirmed":
        await settle_disputes(ctx, mark)


async def _end(
    ctx: Context, mark: ScopeMark, row: WaitingVersion, query: str, **more: None
) -> None:
    place = {"scope_id": mark.scope_id, "version_id": row.version_id, "at": mark.watermark}
    await ctx.unit.run(query, **place, **more)
    await end_index(ctx, mark, [row.version_id])


def _as_new(row: WaitingVersion, slot: Slot | None, trust: Trust) -> NewMemory:
    return NewMemory(
        kind=row.kind,
        text=row.text,
        subject=None if row.of_self else row.subject,
        slot=slot,
        value=row.value,
        detail=row.detail,
        data_source=row.data_source,
        agent_id=row.agent_id,
        metadata={},
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        observed_at=row.observed_at,
        trust=trust,
        confidence=row.confidence,
        importance=row.importance,
        pinned=row.pinned,
        category=row.category,
        rule="approved_by_review",
        told={"trust_before": row.trust},
    )


async def _note(
    ctx: Context, mark: ScopeMark, row: WaitingVersion, decision: Decision, trust: Trust
) -> None:
    """The decision among those of reconciliation, for the memory's history."""
    inputs = {"trust": trust, "trust_before": row.trust, "confidence": row.confidence}
    await write_decision(ctx, mark, replace(decision, inputs=inputs, ended=[row.version_id]))


def _review(
    ctx: Context, mark: ScopeMark, judged: Judgement, why: Why, before: Trust, after: Trust
) -> dict[str, object]:
    return {
        "scope_id": mark.scope_id,
        "review_id": ctx.ids.new(),
        "why": why,
        "decision": judged.decision,
        "reason": judged.reason,
        "trust_before": before,
        "trust_after": after,
        "key_id": ctx.caller.key_id,
        "decided_at": mark.watermark,
    }
