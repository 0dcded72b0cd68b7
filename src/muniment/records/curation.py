"""Promotion: what recurred in several sessions of a user becomes a memory, once (RULES 8).

Three steps as in consolidation, because a model may be slow: ``recollect`` in a transaction,
``propose`` in none, ``promote`` in another, which looks first whether the scope still is as read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.admission import PASSING, Admitted, admitted
from muniment.domain.curation import KINDS, Promotable, Spoken, worded
from muniment.domain.extraction import Extracted, SaidTurn
from muniment.domain.retract import replace_named
from muniment.domain.trust import lowest
from muniment.ports import Context, ScopeMark, World
from muniment.records import model_budget
from muniment.records.duplicates import said_before
from muniment.records.memories import Settled, carry_out, settle, subject_of
from muniment.records.passes import note_pass
from muniment.records.recurring import Recollection, ToldTurn
from muniment.records.scopes import lock_scope
from muniment.records.taking_back import unslotted
from muniment.records.versions import NewMemory

CURATOR = "curator"
_MOST_CITED = 12
"""Turns that a promoted memory rests on, one a session: the first and the latest."""
_MOST_ASKED = 20
_TURNS_ASKED = 5


@dataclass(frozen=True)
class Promotion:
    """A candidate with the turns that it cites, and the sentences that are counted with it."""

    candidate: Extracted
    turns: Sequence[ToldTurn]
    spoken: Sequence[Spoken]
    sessions: int
    by: str
    replaces: UUID | None = None


@dataclass(frozen=True)
class Plan:
    """What is to be promoted of a scope; ``asked`` are sentences that a model was asked about, and
    ``room`` is left for what it proposes.
    """

    found: Recollection
    promotions: Sequence[Promotion]
    room: int
    asked: Sequence[Spoken] = ()


def by_rules(found: Recollection) -> Plan:
    """What the rules promote of what recurs: what is new as far as there is room, that which was
    said in more sessions first.
    """
    ruled = [(p, _ruled(found, p)) for p in found.promotable]
    held = [one for p, one in ruled if one is not None and (p.reinforces or one.replaces)]
    new = [one for p, one in ruled if one is not None and not (p.reinforces or one.replaces)]
    new.sort(key=lambda one: -one.sessions)
    return Plan(found, [*held, *new[: found.room]], room=found.room - len(new[: found.room]))


async def by_model(world: World, tenant_id: UUID, plan: Plan) -> Plan:
    """The same with what a model proposes from what recurs and the rules put into no words.

    Outside any transaction. Nothing is asked where the extractor is no model.
    """
    ruled = {one.place for promotion in plan.promotions for one in promotion.spoken}
    open_ones = [
        one
        for one in plan.found.promotable
        if one.reinforces is None and one.group.spoken[0].place not in ruled
    ][:_MOST_ASKED]
    spoken = [said for one in open_ones for said in one.group.spoken]
    least = world.policy.recurrence.promote_after
    asked = {
        turn.event_id: turn
        for one in open_ones
        for turn in _cited(plan.found, one.group.spoken, max(least, _TURNS_ASKED))
    }
    turns = sorted(asked.values(), key=lambda turn: (turn.occurred_at, turn.event_id))
    said = [
        SaidTurn(turn=at, role="user", name=one.name, content=one.content, occurred_at=one.moment)
        for at, one in enumerate(turns)
    ]
    slots, name = world.policy.slots, plan.found.user_name
    if not said or not plan.room or not world.extractor.most_tokens(said, slots, name):
        return plan
    extraction = await model_budget.propose(world, tenant_id, said, slots, name)
    proposed = [
        _proposed(world, one, turns, spoken)
        for one in extraction.candidates
        if one.kind in KINDS and not one.retracts
    ]
    kept = [one for one in proposed if one.sessions >= least][: plan.room]
    return replace(plan, promotions=[*plan.promotions, *kept], asked=spoken)


def _ruled(found: Recollection, one: Promotable) -> Promotion | None:
    group = one.group
    rule = f"recurred_in_{group.sessions}_sessions"
    start = group.spoken[0].moment
    if one.reinforces is not None:
        said, replaces = one.reinforces, None
        kind, text, source = said.kind, said.text, said.data_source
    else:
        words = worded(group, found.user_name)
        if words is None:
            return None
        kind, text, source = words.kind, words.text, words.data_source
        replaces = one.replaces
        if replaces is not None and (replaces.kind, replaces.data_source) != (kind, source):
            replaces = None
        if replaces is not None:
            start = next(s.moment for s in group.spoken if s.moment > replaces.observed_at)
    turns = _cited(found, group.spoken, _MOST_CITED)
    return Promotion(
        candidate=_candidate(kind, text, source, start, len(turns), rule),
        turns=turns,
        spoken=group.spoken,
        sessions=group.sessions,
        by=f"{CURATOR}: {rule}",
        replaces=None if replaces is None else replaces.memory_id,
    )


def _candidate(
    kind: str, text: str, source: str | None, start: datetime, cited: int, rule: str
) -> Extracted:
    return Extracted(
        kind=kind, text=text, subject=None, slot=None, value=None, data_source=source,
        valid_from=start, valid_to=None, cited=tuple(range(cited)), rule=rule,
    )  # fmt: skip


def _proposed(
    world: World, candidate: Extracted, turns: Sequence[ToldTurn], spoken: Sequence[Spoken]
) -> Promotion:
    """A model's candidate with the turns that it cites, under numbers of their own."""
    cited = [turns[at] for at in sorted(set(candidate.cited)) if at < len(turns)]
    events = {turn.event_id for turn in cited}
    return Promotion(
        candidate=replace(
            candidate,
            cited=tuple(range(len(cited))),
            replaces=None,
            valid_from=candidate.valid_from or min((one.moment for one in cited), default=None),
        ),
        turns=cited,
        spoken=[one for one in spoken if one.place[0] in events],
        sessions=len({turn.session_pk for turn in cited}),
        by=f"{CURATOR}: {world.extractor.name}: {candidate.rule}",
    )


def _cited(found: Recollection, spoken: Sequence[Spoken], most: int) -> list[ToldTurn]:
    """One turn a session, the first one there: of the first session and of the latest ones."""
    of_session: dict[UUID, ToldTurn] = {}
    for one in spoken:
        of_session.setdefault(one.session, found.turns[one.place[0]])
    turns = [*of_session.values()]
    return turns if len(turns) <= most else [turns[0], *turns[1 - most :]]


async def promote(ctx: Context, plan: Plan, *, done: bool) -> int | None:
    """Write down what a plan promotes; returns how many memories that concerns.

    ``done``: the scope is curated up to here. None: the scope is not as it was read any more, and
    nothing was done. Raises Overtaken when it was forgotten.
    """
    found = plan.found
    place = {"scope_id": found.scope_id}
    if not plan.promotions and not plan.asked:
        if not done:
            return 0
        same = await ctx.unit.value("scope_curated", version=found.version, **place)
        return 0 if same else None
    mark = await lock_scope(ctx, found.scope_id)
    ctx.drill.reached("curation.locked")
    if mark.version != found.version + 1:
        return None
    if await ctx.unit.value("curation_opted_out", **place):
        return 0
    await ctx.quotas.check(ctx.unit, mark.scope_id)
    promoted: list[UUID] = []
    for one in plan.promotions:
        mark = await lock_scope(ctx, found.scope_id)
        settled = await _promoted(ctx, mark, found, one)
        ctx.drill.reached("curation.settled")
        if settled is not None:
            await _count(ctx, mark, one.spoken, settled.memory_id)
            promoted.append(settled.memory_id)
    await _count(ctx, mark, plan.asked, None)
    if done:
        await ctx.unit.run("scope_curated", version=mark.version, **place)
    if promoted:
        await note_pass(ctx, "curate", found.scope_id, *promoted, promoted=len(promoted))
    ctx.drill.reached("curation.applied")
    return len(promoted)


async def _promoted(
    ctx: Context, mark: ScopeMark, found: Recollection, one: Promotion
) -> Settled | None:
    """Reconcile one; None where the rules do not admit it, or its life would be over already."""
    turns = {at: turn.judged(at) for at, turn in enumerate(one.turns)}
    worth = admitted(one.candidate, turns, ctx.policy, found.user_name)
    if isinstance(worth, str) or worth.retracts:
        return None
    expires_at = ctx.policy.expiry(worth.kind, worth.slot, worth.observed_at)
    if expires_at is not None and expires_at <= ctx.now:
        return None
    new = _memory(ctx, one, worth, _told(one, expires_at), found.scope_id)
    if one.replaces is None:
        return await settle(ctx, mark, new)
    subject_id = await subject_of(ctx, mark, new.subject)
    held = await unslotted(ctx, mark, subject_id, new, anywhere=False)
    meant = [row.version for row in held if row.memory_id == one.replaces]
    alike = await said_before(ctx, mark, subject_id, new)
    if new.suspect or not meant or any(row.memory_id != one.replaces for row in alike.held):
        return await settle(ctx, mark, new)
    plan = replace_named(new.candidate, meant)
    return await carry_out(ctx, mark, subject_id, new, plan, held)


def _told(one: Promotion, expires_at: datetime | None) -> Mapping[str, Any]:
    """What the decision says of a promotion besides: how often, and when it goes."""
    expiry = None if expires_at is None else expires_at.isoformat()
    return {"sessions": one.sessions, "sentences": len(one.spoken), "expires_at": expiry}


def _memory(
    ctx: Context, one: Promotion, worth: Admitted, told: Mapping[str, Any], scope_id: UUID
) -> NewMemory:
    """Repetition raises no grade: at most inferred, and the lowest of what was said (RULES 4.4)."""
    least = ctx.policy.importance.get("preference", 1) if worth.kind in PASSING else 1
    return NewMemory(
        kind=worth.kind,
        text=worth.text,
        subject=worth.subject,
        slot=worth.slot,
        value=worth.value,
        detail=None,
        data_source=worth.data_source,
        agent_id=None,
        metadata={},
        valid_from=worth.valid_from,
        valid_to=worth.valid_to,
        observed_at=worth.observed_at,
        trust=lowest(["agent_inferred", worth.trust, *(turn.trust for turn in one.turns)]),
        confidence=ctx.policy.confidence.inferred,
        importance=max(worth.importance, least),
        pinned=False,
        category=worth.category,
        evidence=[turn.cited(scope_id) for turn in one.turns],
        suspect=worth.suspect,
        proposed_by=one.by,
        rule=f"recurred_in_{one.sessions}_sessions",
        told=told,
    )


async def _count(
    ctx: Context, mark: ScopeMark, spoken: Sequence[Spoken], memory_id: UUID | None
) -> None:
    await ctx.unit.many(
        "promotion_insert",
        [
            {
                "scope_id": mark.scope_id,
                "event_id": one.place[0],
                "sentence": one.place[1],
                "memory_id": memory_id,
                "decided_at": mark.watermark,
            }
            for one in spoken
        ],
    )
    ctx.drill.reached("curation.noted")
