"""One memory changed on somebody's word: corrected, taken back, confirmed, pinned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.correct import Correction, correct
from muniment.domain.memory import Standing
from muniment.domain.reconcile import Candidate, Plan, Remainder
from muniment.domain.retract import retract
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window
from muniment.domain.trust import Trust, may_displace
from muniment.errors import NotFound, NotHeld
from muniment.ports import Context, ScopeMark
from muniment.records.decisions import Decision, write_decision
from muniment.records.gone import ONCE, noted_alone
from muniment.records.held import (
    KeptRow,
    end_versions,
    rows_beside,
    rows_of_memory,
    write_copies,
)
from muniment.records.memories import Settled, carry_out, over_expired, waiting_already
from muniment.records.versions import Cited, NewMemory, Reporting


@dataclass(frozen=True)
class Target:
    """A memory that is to be changed, under its scope's lock: every version, the slot, the mark."""

    mark: ScopeMark
    rows: Sequence[KeptRow]
    slot: Slot | None

    def held(self, now: datetime) -> list[KeptRow]:
        """What of it is held: asserted, or else contested. Raises NotHeld where nothing is."""
        live = [row for row in self.rows if row.live(now)]
        standings: tuple[Standing, ...] = ("asserted", "contested")
        for standing in standings:
            if found := [row for row in live if row.standing == standing]:
                return found
        raise NotHeld("Nothing of this memory is held any more; its history says why.")

    def now(self, now: datetime) -> KeptRow:
        """The version that holds now, or the last one. Raises NotHeld."""
        held = self.held(now)
        return next((row for row in held if row.version.valid.holds(now)), held[-1])


@dataclass(frozen=True)
class Word:
    """On whose word: the cited turns, the grade and confidence that follow, when it was said.

    ``rule``: by which it counts, where that is more than what reconciliation says.
    """

    cited: Sequence[Cited]
    trust: Trust
    confidence: float
    observed_at: datetime
    suspect: bool = False
    proposed: bool = False
    reported: Reporting | None = None
    rule: str | None = None


@dataclass(frozen=True)
class Right:
    """What a correction says: text, value and windows as they shall be, and what it says beside.

    ``copied``: words of the old memory were taken over. ``moves``: dates alone are others.
    """

    text: str
    value: str | None
    windows: Sequence[Window]
    copied: bool
    moves: bool
    detail: str | None = None
    agent_id: str | None = None
    metadata: dict[str, Any] | None = None


async def target_of(ctx: Context, mark: ScopeMark, memory_id: UUID) -> Target:
    """The memory; raises NotFound for what is none, or has expired altogether."""
    rows = await rows_of_memory(ctx, mark.scope_id, memory_id)
    if not any(row.expires_at is None or row.expires_at > ctx.now for row in rows):
        raise NotFound("There is no such memory.")
    return Target(mark, rows, rows[0].slot_of(ctx.policy.slots))


async def correct_one(
    ctx: Context, target: Target, meant: Sequence[KeptRow], right: Right, word: Word
) -> Settled:
    """The record was wrong (RULES 1.3): the right one takes the window of the versions meant. It
    stands beside a fault that two observed where one principal alone says so.
    """
    new = replace(
        _new(meant[0], target, word, right.windows[0]),
        text=right.text,
        value=right.value,
        detail=right.detail,
        agent_id=right.agent_id,
        metadata=right.metadata or {},
        rule=None,
    )
    probe = replace(meant[0], text=right.text)
    beside = await _beside(ctx, target, [*meant, probe])
    if new.apart is not None:
        window, wrong = right.windows[0], meant[0].memory_id
        subject_id = meant[0].subject_id
        if waiting := await waiting_already(ctx, target.mark, subject_id, new, wrong):
            return waiting
        plan = Plan("quarantined", new.apart, "quarantined", window=window, incumbent=wrong)
    else:
        alone = await noted_alone(ctx, target.mark.scope_id, meant, word.trust)
        beside_it = ONCE if alone and not _goes_on(ctx, right) else None
        said = Correction(_candidate(new), right.windows, right.moves, beside_it)
        live = [row.same for row in beside if row.live(ctx.now)]
        plan = correct(said, [row.same for row in meant], live, target.slot)
    plan = _over_expired(ctx, target, plan, beside)
    settled = await carry_out(ctx, target.mark, meant[0].subject_id, new, plan, beside)
    if settled.made and right.copied:
        await ctx.unit.run(
            "derivation_insert",
            scope_id=target.mark.scope_id,
            memory_id=settled.memory_id,
            source_id=meant[0].memory_id,
        )
    return settled


async def retract_one(
    ctx: Context,
    target: Target,
    at: datetime,
    word: Word,
    meant: Sequence[KeptRow] | None = None,
) -> Settled:
    """Its window ends at a moment (RULES 5). Raises NotHeld where nothing holds from then on. Of a
    fault that two observed the word of one principal is noted, and it ends nothing.

    ``meant``: the versions, where they are not those that are held now.
    """
    meant = target.held(ctx.now) if meant is None else meant
    beside = await _beside(ctx, target, meant)
    new = _new(meant[0], target, word, Window(at))
    if word.suspect:
        plan: Plan | None = _refused(meant[0])
    elif word.rule is None and await noted_alone(ctx, target.mark.scope_id, meant, word.trust):
        plan = _refused(meant[0], ONCE)
    else:
        live = [row.same for row in beside if row.live(ctx.now)]
        plan = retract(_candidate(new), [row.same for row in meant], live, target.slot)
    if plan is None:
        raise NotHeld("Nothing of this memory holds from then on.")
    plan = _over_expired(ctx, target, plan, beside)
    return await carry_out(ctx, target.mark, meant[0].subject_id, new, plan, beside)


async def confirm_one(
    ctx: Context, target: Target, word: Word, row: KeptRow | None = None
) -> Settled:
    """Observed again: evidence, and at the same or a higher grade a renewed version of that grade.

    Nothing raises what it is trusted at (RULES 4.4). ``row``: the version, where it is not the one
    that is held now.
    """
    row = target.now(word.observed_at) if row is None else row
    authority = "user" if target.slot is None else target.slot.authority
    newer = word.observed_at > row.observed_at or word.confidence > row.confidence
    if word.suspect:
        plan = _refused(row)
    elif newer and may_displace(word.trust, row.trust, authority):
        kept = Remainder(row.version, row.version.valid)
        plan = _reinforced(row, ends=(row.version,), remainders=(kept,))
    else:
        plan = _reinforced(row)
    new = _new(row, target, word, row.version.valid)
    return await carry_out(ctx, target.mark, row.subject_id, new, plan, [row])


async def change_all(
    ctx: Context,
    target: Target,
    rows: Sequence[KeptRow],
    decision: Decision,
    **changes: Any,
) -> UUID:
    """These versions of the memory with other columns, as one decision; its id."""
    await end_versions(ctx, target.mark, [row.version_id for row in rows])
    made = await write_copies(ctx, target.mark, [(row, changes) for row in rows])
    ended = [row.version_id for row in rows]
    return await write_decision(ctx, target.mark, replace(decision, ended=ended, made=made))


async def _beside(ctx: Context, target: Target, rows: Sequence[KeptRow]) -> list[KeptRow]:
    """What has an open record where these are, themselves included; expired too."""
    found = await rows_beside(ctx, target.mark.scope_id, rows)
    return [row for row in found if row.is_open]


def _over_expired(ctx: Context, target: Target, plan: Plan, beside: Sequence[KeptRow]) -> Plan:
    expired = [row.same for row in beside if not row.live(ctx.now)]
    return over_expired(plan, expired, target.slot)


def _candidate(new: NewMemory) -> Candidate:
    """The same for the rules, which compare what has no slot by its text here."""
    if new.slot is not None:
        return new.candidate
    return replace(new.candidate, value_key=new.text)


def _refused(row: KeptRow, rule: str = "instruction_like") -> Plan:
    return Plan("rejected", rule, reinforces=row.memory_id, incumbent=row.memory_id)


def _goes_on(ctx: Context, right: Right) -> bool:
    """Whether it says the same in other dates, and it holds now and on."""
    return right.moves and any(one.end is None and one.holds(ctx.now) for one in right.windows)


def _reinforced(
    row: KeptRow, ends: tuple[Any, ...] = (), remainders: tuple[Remainder, ...] = ()
) -> Plan:
    return Plan(
        "reinforced", "confirmed", reinforces=row.memory_id, ends=ends, remainders=remainders
    )


def _new(row: KeptRow, target: Target, word: Word, window: Window) -> NewMemory:
    """What is said now of a memory, in its place."""
    return NewMemory(
        kind=row.kind,
        text=row.text,
        subject=row.about,
        slot=target.slot,
        value=row.value,
        detail=None,
        data_source=row.data_source,
        agent_id=None,
        metadata={},
        valid_from=window.start,
        valid_to=window.end,
        observed_at=word.observed_at,
        trust=word.trust,
        confidence=word.confidence,
        importance=row.importance,
        pinned=row.pinned,
        category=row.category,
        evidence=word.cited,
        reported=word.reported,
        rule=word.rule,
        suspect=word.suspect,
        proposed=word.proposed,
    )
