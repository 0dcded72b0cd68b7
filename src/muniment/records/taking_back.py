"""Candidates that take something back, or replace what they name, and what is disputed no more."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from uuid import UUID

from muniment.domain.naming import named
from muniment.domain.reconcile import Plan
from muniment.domain.retract import replace_named, retract, undisputed
from muniment.domain.text import analyzer_for
from muniment.ports import Context, ScopeMark
from muniment.records.decisions import Decision, write_decision
from muniment.records.duplicates import said_before
from muniment.records.index_rows import end_index
from muniment.records.memories import Settled, carry_out, settle, subject_of
from muniment.records.versions import HeldRow, NewMemory, about, held_in_slot, write_standing


@dataclass(frozen=True)
class _Disputed(HeldRow):
    slot: str
    subject_id: UUID
    subject: str
    of_self: bool


async def take_back(
    ctx: Context, mark: ScopeMark, new: NewMemory, names: Sequence[str]
) -> Settled | None:
    """Close what a retraction means from ``new.valid_from`` on; None if nothing is held of it.

    Without a slot it must name one memory; a statement that names none or several is kept beside
    them, contested. The caller holds the scope's lock. ``names`` are what the user is called.
    """
    if new.suspect:
        return await settle(ctx, mark, new)
    subject_id = await subject_of(ctx, mark, new.subject)
    if new.slot is None:
        held = await unslotted(ctx, mark, subject_id, new, anywhere=True)
        meant = _named(ctx, new, None, held, names)
        if len({row.memory_id for row in meant}) != 1:
            plan = replace_named(new.candidate, [row.version for row in meant])
            return await carry_out(ctx, mark, subject_id, new, plan, held)
    else:
        held = await held_in_slot(ctx, mark, subject_id, new.slot)
        held = [row for row in held if row.expires_at is None or row.expires_at > ctx.now]
        meant = _of_value(ctx, new, held)
    versions = [row.version for row in held]
    found = retract(new.candidate, [row.version for row in meant], versions, new.slot)
    if found is None:
        return None
    return await carry_out(ctx, mark, subject_id, new, found, held)


async def replace_what_is_named(
    ctx: Context, mark: ScopeMark, new: NewMemory, replaces: str, names: Sequence[str]
) -> Settled:
    """Put a statement without a slot in the place of the one memory that it names.

    What is held in the same or other words already is reinforced, as ever.
    """
    subject_id = await subject_of(ctx, mark, new.subject)
    held = await unslotted(ctx, mark, subject_id, new, anywhere=False)
    alike = await said_before(ctx, mark, subject_id, new)
    same = {row.memory_id for row in alike.held}
    again = [row.version for row in held if row.memory_id in same]
    if new.suspect or any(version.standing == "asserted" for version in again):
        return await settle(ctx, mark, new)
    others = [row for row in held if row.memory_id not in same]
    meant = _named(ctx, new, replaces, others, names)
    plan = replace_named(new.candidate, [row.version for row in meant])
    if again and plan.standing == "contested":
        plan = Plan("reinforced", "same_value", reinforces=again[0].memory_id)
    plan = replace(plan, ends=(*plan.ends, *([] if plan.reinforces else again)))
    return await carry_out(ctx, mark, subject_id, new, plan, held)


async def settle_disputes(ctx: Context, mark: ScopeMark) -> None:
    """Assert what was contested in a scope and has nothing against it any more, after a forget."""
    rows = await ctx.unit.rows(_Disputed, "versions_contested", scope_id=mark.scope_id, now=ctx.now)
    for (subject_id, name), group in groupby(rows, lambda row: (row.subject_id, row.slot)):
        slot = ctx.policy.slots.get(name)
        if slot is None:
            continue
        held = {row.version_id: row for row in group}
        for version in undisputed([row.version for row in held.values()], slot):
            row = held[version.version_id]
            await ctx.unit.run(
                "version_end",
                scope_id=mark.scope_id,
                version_id=row.version_id,
                at=mark.watermark,
                ended_by=None,
            )
            await end_index(ctx, mark, [row.version_id])
            words = about(slot, None if row.of_self else row.subject)
            made = await write_standing(ctx, mark, subject_id, slot, words, row)
            await _note(ctx, mark, row, made)


async def _note(ctx: Context, mark: ScopeMark, row: HeldRow, made: UUID) -> None:
    decision = Decision(
        memory_id=row.memory_id,
        outcome="inserted",
        rule="not_disputed_any_more",
        inputs={"trust": row.trust, "confidence": row.confidence},
        ended=[row.version_id],
        made=[made],
    )
    await write_decision(ctx, mark, decision)


async def unslotted(
    ctx: Context, mark: ScopeMark, subject_id: UUID, new: NewMemory, *, anywhere: bool
) -> list[HeldRow]:
    """What a statement without a slot may speak of: of its kind and data source, or, ``anywhere``,
    of any where it names none.
    """
    return await ctx.unit.rows(
        HeldRow,
        "versions_unslotted",
        scope_id=mark.scope_id,
        subject_id=subject_id,
        kind=new.kind,
        data_source=new.data_source,
        anywhere=anywhere,
        at=new.valid_from,
        now=ctx.now,
    )


def _named(
    ctx: Context,
    new: NewMemory,
    replaces: str | None,
    held: Sequence[HeldRow],
    names: Sequence[str],
) -> list[HeldRow]:
    texts = [row.text for row in held]
    found = named(new.text, replaces, texts, analyzer_for(ctx.language), names)
    return [held[at] for at in found]


def _of_value(ctx: Context, new: NewMemory, held: Sequence[HeldRow]) -> list[HeldRow]:
    """What holds the value; else the one memory of the slot that has its words: "the dog"."""
    if new.slot is None or new.value is None:
        return []
    key = new.slot.key(new.value)
    same = [row for row in held if row.value_key == key]
    if same:
        return same
    words = set(analyzer_for(ctx.language).stems(new.value))
    near = [
        row for row in held if words and words <= set(analyzer_for(ctx.language).stems(row.text))
    ]
    return near if len({row.memory_id for row in near}) == 1 else []
