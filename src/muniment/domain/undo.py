"""Taking a decision back (RULES 5): what it ended is held again, what it made is not.

Pure: under the scope's lock the caller ends the one and writes copies of the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from muniment.domain.memory import Version
from muniment.domain.reconcile import Decided, Plan, Remainder
from muniment.domain.retract import freeing
from muniment.domain.slot import Slot

Reason = Literal["changed_nothing", "undone_already", "erased", "later_decision", "in_the_way"]
# What leaves what is held as it was.
_IDLE: frozenset[Decided] = frozenset({"rejected"})


@dataclass(frozen=True)
class PastDecision:
    """A decision as it is stored: the versions that it ended and those that it made."""

    decision_id: UUID
    memory_id: UUID
    outcome: Decided
    ended: Sequence[UUID]
    made: Sequence[UUID]
    undoes: UUID | None = None


@dataclass(frozen=True)
class Held:
    """A version with an open record, or one that a decision ended or made.

    ``root`` is the first version with its content: an undo holds it again under another id.
    """

    version: Version
    root: UUID
    open: bool


@dataclass(frozen=True)
class Refusal:
    """Why a decision is not undone, and which decisions are in the way."""

    reason: Reason
    decisions: tuple[UUID, ...] = ()


@dataclass(frozen=True)
class Undoing:
    """What an undo does: versions that end, those that are held again, parts that are freed."""

    ends: tuple[Version, ...]
    again: tuple[Version, ...]
    freed: tuple[Remainder, ...]


def standing_decisions(decisions: Sequence[PastDecision]) -> list[PastDecision]:
    """Those that were not undone, or whose undo was undone, in their order; undoing ones too."""
    undone: set[UUID] = set()
    for one in reversed(decisions):
        if one.undoes is not None and one.decision_id not in undone:
            undone.add(one.undoes)
    return [one for one in decisions if one.decision_id not in undone]


def in_question(decision: UUID, undoes: Mapping[UUID, UUID | None]) -> UUID:
    """What a decision is about in the end: an undo of undos is about the first one undone."""
    while (before := undoes.get(decision)) is not None:
        decision = before
    return decision


def undo(
    decision: PastDecision,
    later: Sequence[PastDecision],
    versions: Mapping[UUID, Held],
    held: Sequence[Version],
    slot: Slot | None,
) -> Undoing | Refusal:
    """Take a decision back; ``later`` are those since about its memory or its versions, in order.

    ``versions`` are those that it names, and every copy of them; ``held`` is what its place holds.
    """
    if decision.outcome in _IDLE:
        return Refusal("changed_nothing")
    live = standing_decisions(later)
    if any(one.undoes == decision.decision_id for one in live):
        return Refusal("undone_already")
    named = [*decision.ended, *decision.made]
    if any(one not in versions for one in named):
        return Refusal("erased")
    made = [_current(one, versions) for one in decision.made]
    blocking = _blocking(decision, live, versions)
    if blocking:
        return Refusal("later_decision", tuple(one.decision_id for one in blocking))
    if any(one is None for one in made):
        # Of what ended it nothing is left.
        return Refusal("erased")
    ends = tuple(one for one in made if one is not None)
    again = tuple(versions[one].version for one in decision.ended)
    others = [version for version in held if version not in ends]
    if any(_excludes(old, other, slot) for old in again for other in others):
        return Refusal("in_the_way")
    kept = tuple(Remainder(version, version.valid) for version in again)
    plan = freeing(Plan("superseded", "undo", ends=ends, remainders=kept), others, slot)
    return Undoing(plan.ends, again, plan.remainders[len(again) :])


def _current(version_id: UUID, versions: Mapping[UUID, Held]) -> Version | None:
    """The version with this content whose record is open."""
    root = versions[version_id].root
    return next((one.version for one in versions.values() if one.root == root and one.open), None)


def _blocking(
    decision: PastDecision, live: Sequence[PastDecision], versions: Mapping[UUID, Held]
) -> list[PastDecision]:
    """Later decisions that stand and rest on it: those about its memory, or that end what it made.

    One that moved no version is in nobody's way, and nothing rests on it.
    """
    if not decision.made and not decision.ended:
        return []
    roots = {versions[one].root for one in decision.made}
    return [
        one
        for one in live
        if one.outcome not in _IDLE
        and one.undoes is None
        and (
            one.memory_id == decision.memory_id
            or any(end in versions and versions[end].root in roots for end in one.ended)
        )
    ]


def _excludes(old: Version, other: Version, slot: Slot | None) -> bool:
    """True if both cannot be held: two truths, or the same twice."""
    if old.standing != other.standing or not old.valid.overlaps(other.valid):
        return False
    if old.memory_id == other.memory_id or old.value_key == other.value_key:
        return True
    return slot is not None and slot.cardinality == "one" and old.standing == "asserted"
