"""Correcting one memory (RULES 1.3): the record was wrong, so the right one takes its window.

Pure, as ``reconcile`` is: under the scope's lock the caller applies the plan.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from muniment.domain.memory import Version
from muniment.domain.reconcile import Candidate, Plan, Remainder, reconcile
from muniment.domain.retract import freeing
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window, without
from muniment.domain.trust import may_displace


@dataclass(frozen=True)
class Correction:
    """What is right: in which windows, at least one. ``moves``: the dates alone are others.
    ``beside``: the rule by which it may not end what it is about, whatever its grade.
    """

    candidate: Candidate
    windows: Sequence[Window]
    moves: bool = False
    beside: str | None = None


def correct(
    right: Correction, meant: Sequence[Version], held: Sequence[Version], slot: Slot | None
) -> Plan:
    """The versions ``meant`` of one memory end, and what is right is held instead.

    A lower grade stands beside, contested. What the memory had replaced gets back what the right
    one leaves of its beginning: the boundary between the two moves.
    """
    authority = "user" if slot is None else slot.authority
    trust = right.candidate.trust
    incumbent = meant[0].memory_id
    rest = [version for version in held if version not in meant]
    if not all(may_displace(trust, version.trust, authority) for version in meant):
        return _beside(right, incumbent, rest)
    if right.beside is not None:
        return replace(_beside(right, incumbent, rest), rule=right.beside)
    back = _given_back(right, meant, rest)
    asserted = all(version.standing == "asserted" for version in meant)
    plan = _placed(right, [back.get(version, version) for version in rest], slot, whole=asserted)
    disputed = plan.standing == "contested" or plan.rule == "same_value_lower_grade"
    if disputed and any(version.standing == "asserted" for version in meant):
        return _beside(right, incumbent, rest)
    plan = _over(plan, back)
    if plan.outcome != "contested":
        plan = replace(plan, outcome="superseded", rule="corrected")
    plan = replace(plan, ends=(*plan.ends, *meant), incumbent=incumbent)
    kept = right.moves and all(version.trust == trust for version in meant)
    if kept and plan.windows and plan.standing == meant[0].standing:
        plan = _moved(plan, meant[0])
    return freeing(plan, held, slot)


def _beside(right: Correction, incumbent: UUID, rest: Sequence[Version]) -> Plan:
    first, *more = right.windows
    again = [
        version.memory_id
        for version in rest
        if version.standing == "contested"
        and version.value_key == right.candidate.value_key
        and version.valid.overlaps(first)
    ]
    if again:
        return Plan("reinforced", "same_value", reinforces=again[0], incumbent=incumbent)
    return Plan(
        "contested",
        "lower_grade_never_displaces",
        standing="contested",
        window=first,
        more=tuple(more),
        incumbent=incumbent,
    )


def _placed(right: Correction, rest: Sequence[Version], slot: Slot | None, *, whole: bool) -> Plan:
    """What is right against all else that is held; several windows were the memory's own.

    ``whole``: an open end stays open over what begins later, as the window that it replaces.
    """
    first, *more = right.windows
    if more:
        return Plan("superseded", "corrected", window=first, more=tuple(more))
    given = replace(
        right.candidate,
        valid_from=first.start,
        valid_to=first.end,
        observed_at=None,
        whole=whole,
    )
    plan = reconcile(given, rest, slot)
    own = [version.valid for version in rest if version.value_key == given.value_key]
    left = without([first], own)
    if plan.rule == "same_value" and plan.standing == "asserted" and left:
        # A better grade beside it is not widened, and what is right is held all the same.
        return Plan("superseded", "corrected", window=left[0], more=tuple(left[1:]))
    return plan


def _given_back(
    right: Correction, meant: Sequence[Version], rest: Sequence[Version]
) -> dict[Version, Version]:
    """Values that end where the memory began, with what is left there of its window."""
    found: dict[Version, Version] = {}
    for version in meant:
        if version.standing != "asserted":
            continue
        for hole in without([version.valid], right.windows):
            for before in rest:
                if (
                    hole.start == version.valid.start
                    and before.standing == "asserted"
                    and before.valid.end == hole.start
                    and before.superseded_by == version.memory_id
                ):
                    longer = Window(before.valid.start, hole.end)
                    found[before] = replace(before, valid=longer)
    return found


def _over(plan: Plan, back: dict[Version, Version]) -> Plan:
    """The plan as one over what is held, where it was made over what some values get back."""
    was = {longer: before for before, longer in back.items()}
    returned = [before for before, longer in back.items() if longer not in plan.ends]
    return replace(
        plan,
        ends=(*(was.get(version, version) for version in plan.ends), *returned),
        remainders=(
            *(replace(one, of=was.get(one.of, one.of)) for one in plan.remainders),
            *(Remainder(before, back[before].valid, superseded=True) for before in returned),
        ),
    )


def _moved(plan: Plan, version: Version) -> Plan:
    """The same memory in other windows."""
    windows = tuple(Remainder(version, window) for window in plan.windows)
    return replace(
        plan,
        window=None,
        more=(),
        remainders=(*plan.remainders, *windows),
        reinforces=version.memory_id,
    )
