"""Taking decisions back, written down: what they ended is held again, what they made is not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.domain.reconcile import Decided
from muniment.domain.review import BY_REVIEW
from muniment.domain.slot import Slot
from muniment.domain.timeline import without
from muniment.domain.trust import Trust, could_have_said
from muniment.domain.undo import (
    Held,
    Reason,
    Refusal,
    Undoing,
    in_question,
    standing_decisions,
    undo,
)
from muniment.errors import CannotUndo, Forbidden, OwnRequest
from muniment.ports import Context, ScopeMark
from muniment.records.decisions import Decision, DecisionRow, decisions_about, write_decision
from muniment.records.gone import check_withdrawal
from muniment.records.held import (
    KeptRow,
    end_versions,
    rows_beside,
    rows_of_memory,
    rows_with_copies,
    write_copies,
)
from muniment.records.review import asked_for_it

_MERGED = "What it is about was merged into another entity; undo the merge first."
_WHY: dict[Reason, str] = {
    "changed_nothing": "That decision changed nothing.",
    "undone_already": "That decision is undone already.",
    "erased": "What that decision ended or made was erased.",
    "later_decision": "A later decision rests on it; undo that one first.",
    "in_the_way": "What it ended cannot be held again beside what is held now.",
}


@dataclass(frozen=True)
class Undone:
    """What an undo did: the decision that says so, and the memories that it moved."""

    decision_id: UUID
    memory_id: UUID
    undoes: UUID
    outcome: Decided
    rule: str
    ended: tuple[UUID, ...]
    again: tuple[UUID, ...]


async def decisions_of(
    ctx: Context, scope_id: UUID, memory_id: UUID, *, standing: bool
) -> list[DecisionRow]:
    """Decisions about a memory, and those that moved it, in their order.

    ``standing``: those that changed something and were not undone.
    """
    rows = await rows_of_memory(ctx, scope_id, memory_id)
    found = await decisions_about(ctx, scope_id, memory_id, _moments(rows))
    own = {row.version_id for row in rows}
    stand = {one.decision_id for one in standing_decisions([row.decided for row in found])}
    return [
        row
        for row in found
        if (row.memory_id == memory_id or own.intersection([*row.ended, *row.made]))
        and not (standing and (row.decision_id not in stand or row.outcome == "rejected"))
    ]


async def undo_decision(
    ctx: Context,
    mark: ScopeMark,
    target: DecisionRow,
    *,
    outcome: Decided = "undone",
    rule: str = "undo",
) -> Undone:
    """Restore what was before a decision, as new versions. Raises CannotUndo, and Forbidden for a
    key that could not have said or decided what it takes back. The caller holds the scope's lock.
    """
    rows = await rows_with_copies(ctx, mark.scope_id, [*target.ended, *target.made])
    beside = await rows_beside(ctx, mark.scope_id, rows) if rows else []
    slot = rows[0].slot_of(ctx.policy.slots) if rows else None
    found = await decisions_about(ctx, mark.scope_id, target.memory_id, _moments(rows))
    await _check_review(ctx, mark.scope_id, target, found)
    if target.outcome in {"inserted", "reinforced"}:
        # What was observed again at the same moment made no version.
        every = await rows_of_memory(ctx, mark.scope_id, target.memory_id)
        whole = [row for row in every if row.is_open]
        await check_withdrawal(ctx, mark.scope_id, whole, target.decision_id)
    place = (target.decided_at, target.decision_id)
    later = [row.decided for row in found if (row.decided_at, row.decision_id) > place]
    versions = {row.version_id: Held(row.same, row.root, row.is_open) for row in rows}
    held = [row.same for row in beside if row.live(ctx.now)]
    undoing = undo(target.decided, later, versions, held, slot)
    if not isinstance(undoing, Undoing):
        raise await _refusal(ctx, mark, undoing, rows)
    by_id = {row.version_id: row for row in (*rows, *beside)}
    _check_grade(ctx, target, [by_id[one.version_id].trust for one in undoing.ends], slot)
    ended, made = await _carry_out(ctx, mark, undoing, by_id, beside)
    moment = {"scope_id": mark.scope_id, "memory_id": target.memory_id, "at": mark.watermark}
    await ctx.unit.run("evidence_withdraw", decided_at=target.decided_at, **moment)
    await ctx.unit.run("evidence_restore", decided_at=target.decided_at, **moment)
    decision_id = await write_decision(
        ctx,
        mark,
        Decision(
            memory_id=target.memory_id,
            outcome=outcome,
            rule=rule,
            inputs={"undid": target.outcome} | ({"trust": target.trust} if target.trust else {}),
            ended=ended,
            made=made,
            undoes=target.decision_id,
        ),
    )
    return Undone(
        decision_id,
        target.memory_id,
        target.decision_id,
        outcome,
        rule,
        tuple(dict.fromkeys(by_id[one.version_id].memory_id for one in undoing.ends)),
        tuple(dict.fromkeys(by_id[one.version_id].memory_id for one in undoing.again)),
    )


async def _refusal(
    ctx: Context, mark: ScopeMark, refusal: Refusal, rows: Sequence[KeptRow]
) -> CannotUndo:
    """Why, to who asked. What a merge moved is gone from its place as if it were erased."""
    ids = [str(one) for one in refusal.decisions]
    if refusal.reason == "erased" and rows:
        place = {"scope_id": mark.scope_id, "source_id": rows[0].subject_id}
        if await ctx.unit.value("entity_merge_standing", **place):
            return CannotUndo(_MERGED, extra={"reason": "merged", "decisions": ids})
    return CannotUndo(_WHY[refusal.reason], extra={"reason": refusal.reason, "decisions": ids})


async def _carry_out(
    ctx: Context,
    mark: ScopeMark,
    undoing: Undoing,
    by_id: Mapping[UUID, KeptRow],
    beside: Sequence[KeptRow],
) -> tuple[list[UUID], list[UUID]]:
    """The versions that were ended and those that were written."""
    again = [by_id[one.version_id] for one in undoing.again]
    ended = [one.version_id for one in undoing.ends]
    # What expired holds nothing any more, yet its record is open.
    windows = [row.version.valid for row in again if row.standing == "asserted"]
    windows += [one.valid for one in undoing.freed]
    ended += [
        row.version_id
        for row in beside
        if not row.live(ctx.now)
        and row.cardinality == "one"
        and without([row.version.valid], windows) != [row.version.valid]
    ]
    await end_versions(ctx, mark, ended)
    copies: list[tuple[KeptRow, dict[str, Any]]] = [(row, {"restores": row.root}) for row in again]
    copies += [
        (
            by_id[one.of.version_id],
            {"valid_from": one.valid.start, "valid_to": one.valid.end}
            | ({"standing": "asserted"} if one.freed else {}),
        )
        for one in undoing.freed
    ]
    return ended, await write_copies(ctx, mark, copies)


def _check_grade(
    ctx: Context, target: DecisionRow, ends: Sequence[Trust], slot: Slot | None
) -> None:
    """An undo is no statement: its key must be one that could have said what it takes back."""
    if target.outcome == "changed":
        return
    authority = "user" if slot is None else slot.authority
    stated = [*ends, *([target.trust] if target.trust else [])]
    if not all(could_have_said(ctx.caller.roles, grade, authority) for grade in stated):
        raise Forbidden("This key may not speak at the grade of what it would take back.")


async def _check_review(
    ctx: Context, scope_id: UUID, target: DecisionRow, found: Sequence[DecisionRow]
) -> None:
    """What was decided in review, or taken back of that, is for who could have decided it."""
    undoes = {row.decision_id: row.undoes for row in found}
    about = in_question(target.decision_id, undoes)
    if all(row.rule not in BY_REVIEW for row in found if row.decision_id == about):
        return
    if "review" not in ctx.caller.verbs:
        raise Forbidden("This was decided in review; to take it back needs the verb 'review'.")
    if await asked_for_it(ctx, scope_id, target.memory_id):
        raise OwnRequest


def _moments(rows: Sequence[KeptRow]) -> list[Any]:
    moments = {row.recorded_from for row in rows}
    return [*moments, *{row.recorded_to for row in rows if row.recorded_to is not None}]
