"""Memories: a candidate is reconciled under the scope's lock, and the plan is written down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from muniment.domain.entity import SELF, name_key
from muniment.domain.memory import Version
from muniment.domain.reconcile import Outcome, Plan, Remainder, reconcile
from muniment.domain.retract import replace_named
from muniment.domain.slot import Slot
from muniment.domain.succession import followed
from muniment.domain.timeline import Window
from muniment.domain.trust import GRADES, may_displace
from muniment.ports import Context, ScopeMark
from muniment.records.decisions import Decision, write_decision
from muniment.records.duplicates import NOT_FOUND, hashes_of, said_before
from muniment.records.index_rows import end_index
from muniment.records.usage import add_usage, size_of
from muniment.records.versions import HeldRow, NewMemory, held_in_slot, write_versions

_SAID_AGAIN = {"same_value", "same_value_wider_window"}
# That something ended says nothing for it.
_LEAVES_NO_EVIDENCE = {"retracted", "rejected"}
_HOLDS = {"inserted", "reinforced", "superseded"}
_ANSWERED_AT_ONCE = 8


@dataclass(frozen=True)
class Settled:
    """What became of a candidate; ``made``: the memory is a new one."""

    memory_id: UUID
    outcome: Outcome
    rule: str
    superseded: tuple[UUID, ...]
    made: bool = False
    decision_id: UUID | None = None


async def settle(ctx: Context, mark: ScopeMark, new: NewMemory) -> Settled:
    """Reconcile a candidate with what the scope holds and write the result.

    The caller holds the scope's lock (``mark``).
    """
    subject_id = await subject_of(ctx, mark, new.subject)
    if (waiting := await waiting_already(ctx, mark, subject_id, new)) is not None:
        return waiting
    held, new = await _held(ctx, mark, subject_id, new)
    live = [row for row in held if row.expires_at is None or row.expires_at > ctx.now]
    plan = _plan(new, await _in_turn(ctx, mark, new, [row.version for row in live]))
    new = await _recurring(ctx, mark, new, plan)
    plan = _refreshed(plan, live, new)
    plan = over_expired(plan, [row.version for row in held if row not in live], new.slot)
    return await carry_out(ctx, mark, subject_id, new, plan, held)


async def readmit(
    ctx: Context, mark: ScopeMark, subject_id: UUID, new: NewMemory, own: HeldRow, over: UUID | None
) -> Settled | None:
    """Reconcile a version that was kept apart as if it were said now, at the grade of ``new``; None
    where what is held has a higher one. ``over`` is what it replaces, where there is no slot.
    """
    found, new = await _held(ctx, mark, subject_id, new)
    held = [*found]
    if new.slot is None and over is not None:
        held += await ctx.unit.rows(
            HeldRow, "versions_of_memory", scope_id=mark.scope_id, memory_id=over, now=ctx.now
        )
    beside = {row.version_id: row for row in held if row.version_id != own.version_id}
    others = [*beside.values()]
    live = [row for row in others if row.expires_at is None or row.expires_at > ctx.now]
    meant = [row.version for row in live if row.memory_id == over and row.text != new.text]
    if new.slot is None and meant:
        plan = replace_named(new.candidate, meant)
    else:
        plan = _refreshed(_plan(new, [row.version for row in live]), live, new)
        plan = over_expired(plan, [row.version for row in others if row not in live], new.slot)
    if plan.standing == "contested" or plan.rule == "same_value_lower_grade":
        return None
    ends = {version.version_id: version for version in (*plan.ends, own.version)}
    plan = replace(plan, ends=tuple(ends.values()))
    return await carry_out(ctx, mark, subject_id, new, plan, [*others, own], of=own.memory_id)


async def carry_out(
    ctx: Context,
    mark: ScopeMark,
    subject_id: UUID,
    new: NewMemory,
    plan: Plan,
    held: Sequence[HeldRow],
    *,
    of: UUID | None = None,
) -> Settled:
    """Write down what a plan says of a candidate beside what is held. ``of``: the candidate is a
    memory already, with its evidence.
    """
    memory_id = (of or ctx.ids.new()) if plan.reinforces is None else plan.reinforces
    if plan.window is not None and of is None:
        await _insert_memory(ctx, mark, memory_id, subject_id, new)
        await add_usage(ctx, mark, 1, size_of(new.metadata, new.text, new.detail))
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
    made = await write_versions(ctx, mark, memory_id, subject_id, new, plan, rows)
    if plan.outcome not in _LEAVES_NO_EVIDENCE and of is None:
        await _write_evidence(ctx, mark, memory_id, new)
    decision_id = await write_decision(ctx, mark, _decision(memory_id, new, plan, made))
    if plan.outcome in _HOLDS and plan.standing == "asserted":
        await _answer_proposals(ctx, mark, memory_id, subject_id, new)
    ended = dict.fromkeys(v.memory_id for v in plan.ends if v.memory_id != memory_id)
    return Settled(
        memory_id,
        plan.outcome,
        plan.rule,
        tuple(ended),
        made=plan.reinforces is None,
        decision_id=decision_id,
    )


@dataclass(frozen=True)
class _Turn:
    memory_id: UUID
    turn: int


async def _in_turn(
    ctx: Context, mark: ScopeMark, new: NewMemory, held: Sequence[Version]
) -> Sequence[Version]:
    """What is held, with the turns of what the candidate's session said at the same instant."""
    last = new.said_last
    at_once = [one.memory_id for one in held if one.observed_at == new.observed_at]
    if last is None or new.slot is None or not at_once:
        return held
    rows = await ctx.unit.rows(
        _Turn,
        "turns_at_instant",
        scope_id=mark.scope_id,
        memories=at_once,
        source_scope_id=last.scope_id,
        session_pk=last.session_pk,
        at=last.occurred_at,
    )
    turns = {row.memory_id: row.turn for row in rows}
    return [replace(one, turn=turns.get(one.memory_id)) for one in held]


@dataclass(frozen=True)
class _Session:
    session_pk: UUID


def _plan(new: NewMemory, held: Sequence[Version]) -> Plan:
    if new.apart is not None:
        window = Window(new.valid_from, new.valid_to)
        return Plan("quarantined", new.apart, standing="quarantined", window=window)
    plan = followed(reconcile(new.candidate, held, new.slot), new.candidate, held, new.slot)
    if "near" in new.told and plan.rule in _SAID_AGAIN:
        return replace(plan, rule="near_duplicate")
    return plan


def _refreshed(plan: Plan, held: Sequence[HeldRow], new: NewMemory) -> Plan:
    """A repetition at the same or a higher grade also renews what is held, and one in yet another
    session may show that it lasts: a new version.
    """
    if plan.reinforces is None or plan.remainders:
        return plan
    rows = [row for row in held if row.memory_id == plan.reinforces]
    row = next((row for row in rows if row.version.valid.holds(new.valid_from)), rows[0])
    authority = "user" if new.slot is None else new.slot.authority
    newer = new.observed_at > row.observed_at or new.confidence > row.confidence
    newer = newer and may_displace(new.trust, row.trust, authority)
    if not newer and (row.is_durative or not new.durative):
        return plan
    kept = Remainder(row.version, row.version.valid, superseded=False)
    return replace(plan, ends=(*plan.ends, row.version), remainders=(kept,))


def over_expired(plan: Plan, expired: Sequence[Version], slot: Slot | None) -> Plan:
    """What expired holds nothing any more, yet its record is open: it ends where a truth comes."""
    if slot is None or slot.cardinality == "many" or plan.standing != "asserted":
        return plan
    windows = [*(remainder.valid for remainder in plan.remainders), *plan.windows]
    over = [v for v in expired if any(v.valid.overlaps(window) for window in windows)]
    return replace(plan, ends=(*plan.ends, *over))


async def subject_of(ctx: Context, mark: ScopeMark, name: str | None) -> UUID:
    """The entity that a memory is about: the user, unless it names another."""
    key = SELF if name is None else name_key(name)
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


async def waiting_already(
    ctx: Context, mark: ScopeMark, subject_id: UUID, new: NewMemory, against: UUID | None = None
) -> Settled | None:
    """What was proposed by the same key in the same words, ``against`` the same memory, and waits
    for a person already: it waits once.
    """
    if not new.proposed or new.evidence:
        return None
    found = await ctx.unit.value(
        "memory_waiting",
        scope_id=mark.scope_id,
        subject_id=subject_id,
        key_id=ctx.caller.key_id,
        kind=new.kind,
        text=new.text,
        slot=None if new.slot is None else new.slot.name,
        value=new.value,
        detail=new.detail,
        data_source=new.data_source,
        metadata=new.metadata,
        trust=new.trust,
        confidence=new.confidence,
        valid_from=None if new.valid_from == new.observed_at else new.valid_from,
        valid_to=new.valid_to,
        against=against,
        now=ctx.now,
    )
    return Settled(found, "quarantined", str(new.apart), ()) if isinstance(found, UUID) else None


async def _answer_proposals(
    ctx: Context, mark: ScopeMark, memory_id: UUID, subject_id: UUID, new: NewMemory
) -> None:
    """Nobody is asked any more whether to hold what is held by now at such a grade."""
    authority = "user" if new.slot is None else new.slot.authority
    await ctx.unit.later(
        "proposals_answered",
        scope_id=mark.scope_id,
        memory_id=memory_id,
        subject_id=subject_id,
        kind=new.kind,
        slot=None if new.slot is None else new.slot.name,
        value_key=new.value_key,
        said=_hashes(ctx, new)["said"],
        text=new.text,
        data_source=new.data_source,
        trusts=[grade for grade in GRADES if may_displace(new.trust, grade, authority)],
        decisions=[ctx.ids.new() for _ in range(_ANSWERED_AT_ONCE)],
        key_id=ctx.caller.key_id,
        at=mark.watermark,
        rev=mark.version,
        now=ctx.now,
    )


async def _held(
    ctx: Context, mark: ScopeMark, subject_id: UUID, new: NewMemory
) -> tuple[Sequence[HeldRow], NewMemory]:
    """What a candidate is reconciled with, and the candidate, told why where that was found."""
    if new.slot is None:
        alike = await said_before(ctx, mark, subject_id, new)
        told = {**new.told, **alike.told}
        return alike.held, replace(new, told=told, hashes=alike.hashes)
    return await held_in_slot(ctx, mark, subject_id, new.slot), new


async def _recurring(ctx: Context, mark: ScopeMark, new: NewMemory, plan: Plan) -> NewMemory:
    """The candidate, durative where it was seen in enough earlier sessions (RULES 8.4)."""
    after = ctx.policy.kinds[new.kind].durative_after
    if after is None or plan.outcome != "reinforced" or new.suspect:
        return new
    again = {plan.reinforces, *(version.memory_id for version in plan.ends)} - {None}
    seen = await ctx.unit.rows(
        _Session, "sessions_seen", scope_id=mark.scope_id, memories=list(again)
    )
    told = {turn.session_pk for turn in new.evidence if turn.trust != "external_content"}
    if new.reported is not None and not new.evidence and new.trust != "external_content":
        told.add(new.reported.session_pk)
    return replace(new, durative=len({row.session_pk for row in seen} | told) > after)


async def _insert_memory(
    ctx: Context, mark: ScopeMark, memory_id: UUID, subject_id: UUID, new: NewMemory
) -> None:
    await ctx.unit.later(
        "memory_insert",
        scope_id=mark.scope_id,
        memory_id=memory_id,
        kind=new.kind,
        subject_id=subject_id,
        slot=None if new.slot is None else new.slot.name,
        value=new.value,
        value_key=new.value_key,
        text=new.text,
        detail=new.detail,
        data_source=new.data_source,
        agent_id=new.agent_id,
        metadata=new.metadata,
        created_at=mark.watermark,
        created_by=ctx.caller.key_id,
        **_hashes(ctx, new),
    )


def _hashes(ctx: Context, new: NewMemory) -> Mapping[str, int | None]:
    if new.slot is not None:
        return NOT_FOUND
    return new.hashes or hashes_of(ctx, new.kind, new.data_source, new.text, new.metadata)


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
            "source_scope_id": None if new.reported is None else new.reported.scope_id,
            "session_pk": None if new.reported is None else new.reported.session_pk,
            "event_id": None,
            "turn": None,
            "trust": new.trust,
            "observed_at": new.observed_at,
        }
    ]
    await ctx.unit.many("evidence_insert", rows)


def _decision(memory_id: UUID, new: NewMemory, plan: Plan, made: Sequence[UUID]) -> Decision:
    inputs: dict[str, Any] = {
        "trust": new.trust,
        "confidence": new.confidence,
        "valid_from": new.valid_from.isoformat(),
        "valid_to": None if new.valid_to is None else new.valid_to.isoformat(),
    }
    inputs |= {} if new.proposed_by is None else {"proposed_by": new.proposed_by}
    inputs |= {} if new.rule is None else {"reconciled_by": plan.rule}
    return Decision(
        memory_id=memory_id,
        outcome=plan.outcome,
        rule=new.rule or plan.rule,
        inputs=inputs | dict(new.told),
        incumbent_id=plan.incumbent,
        ended=[version.version_id for version in plan.ends],
        made=made,
    )
