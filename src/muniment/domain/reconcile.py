"""Reconcile (RULES 5): what a candidate does to what is held. Pure: the caller applies the plan.

Within one (subject, slot) of one scope, under its row lock. ``Plan`` lists versions to end on the
record axis, windows that stay with a memory already held, and the candidate's own window if any.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.domain.memory import Standing, Version
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window
from muniment.domain.trust import Trust, may_displace

Outcome = Literal[
    "inserted", "reinforced", "superseded", "contested", "quarantined", "rejected", "retracted"
]


@dataclass(frozen=True)
class Candidate:
    """A value said to hold in a window. ``valid_to`` None means that no end was stated."""

    value_key: str
    valid_from: datetime
    valid_to: datetime | None
    trust: Trust


@dataclass(frozen=True)
class Remainder:
    """A new version of the memory behind ``of``: the part of its window that stays its own."""

    of: Version
    valid: Window
    superseded: bool


@dataclass(frozen=True)
class Plan:
    """What to do, with the rule that says so. ``window`` is set when the candidate is stored."""

    outcome: Outcome
    rule: str
    standing: Standing = "asserted"
    window: Window | None = None
    ends: tuple[Version, ...] = ()
    remainders: tuple[Remainder, ...] = ()
    reinforces: UUID | None = None
    incumbent: UUID | None = None


def reconcile(candidate: Candidate, held: Sequence[Version], slot: Slot) -> Plan:
    """Decide for a candidate against the versions of its (subject, slot) with an open record."""
    asserted = [version for version in held if version.standing == "asserted"]
    same = [version for version in asserted if version.value_key == candidate.value_key]
    others = [version for version in asserted if version.value_key != candidate.value_key]
    if slot.cardinality == "many":
        others = []
    window = _effective(candidate, others)
    in_the_way = [version for version in others if version.valid.overlaps(window)]
    agreeing = [v for v in held if v.standing == "contested" and v.value_key == candidate.value_key]
    agreeing = [version for version in agreeing if version.valid.overlaps(window)]
    if in_the_way and _outranked(candidate, in_the_way, slot):
        return _contest(window, in_the_way, same, agreeing)
    if in_the_way:
        plan = _displace(candidate, window, same, in_the_way)
    else:
        plan = _add(candidate, window, same, slot)
    settled = tuple(
        version
        for version in agreeing
        if may_displace(candidate.trust, version.trust, slot.authority)
    )
    return replace(plan, ends=plan.ends + settled)


def _effective(candidate: Candidate, others: Sequence[Version]) -> Window:
    """The window that the candidate claims: without a stated end it yields to what starts later.

    At the same start as another value it is a correction and takes over that value's end.
    """
    start, end = candidate.valid_from, candidate.valid_to
    if end is not None:
        return Window(start, end)
    later = [version.valid.start for version in others if version.valid.start > start]
    corrected = [version.valid.end for version in others if version.valid.start == start]
    ends = later + [moment for moment in corrected if moment is not None]
    return Window(start, min(ends, default=None))


def _outranked(candidate: Candidate, in_the_way: Sequence[Version], slot: Slot) -> bool:
    return not all(may_displace(candidate.trust, v.trust, slot.authority) for v in in_the_way)


def _contest(
    window: Window,
    in_the_way: Sequence[Version],
    same: Sequence[Version],
    agreeing: Sequence[Version],
) -> Plan:
    """A lower grade never displaces: it stands beside, once for each value."""
    repeated = [version for version in same if version.valid.overlaps(window)] or list(agreeing)
    if repeated:
        return Plan("reinforced", "same_value_lower_grade", reinforces=repeated[0].memory_id)
    return Plan(
        "contested",
        "lower_grade_never_displaces",
        standing="contested",
        window=window,
        incumbent=_latest(in_the_way).memory_id,
    )


def _displace(
    candidate: Candidate, window: Window, same: Sequence[Version], in_the_way: Sequence[Version]
) -> Plan:
    """The same or a higher grade: what overlaps keeps what lies outside the new window."""
    absorbed = [version for version in same if version.valid.overlaps(window)]
    claimed = window
    for version in absorbed:
        claimed = claimed.union(version.valid)
    remainders = tuple(
        Remainder(version, part, superseded=part.start == version.valid.start)
        for version in in_the_way
        for part in version.valid.minus(window)
    )
    backdated = candidate.valid_to is None and window.end is not None
    rule = "correction"
    if any(remainder.superseded for remainder in remainders):
        rule = "history_split" if backdated else "world_change"
    return Plan(
        "inserted" if rule == "history_split" else "superseded",
        rule,
        window=claimed,
        ends=(*in_the_way, *absorbed),
        remainders=remainders,
        incumbent=_latest(in_the_way).memory_id,
    )


def _add(candidate: Candidate, window: Window, same: Sequence[Version], slot: Slot) -> Plan:
    """Nothing of another value is in the way: a new window, or the same value again."""
    near = [version for version in same if version.valid.touches(window)]
    if not near:
        backdated = candidate.valid_to is None and window.end is not None
        return Plan("inserted", "history" if backdated else "new_value", window=window)
    first = min(near, key=lambda version: version.valid.start)
    widened = window
    for version in near:
        widened = widened.union(version.valid)
    if widened == first.valid or _outranked(candidate, near, slot):
        return Plan("reinforced", "same_value", reinforces=first.memory_id)
    return Plan(
        "reinforced",
        "same_value_wider_window",
        ends=tuple(near),
        remainders=(Remainder(first, widened, superseded=False),),
        reinforces=first.memory_id,
    )


def _latest(versions: Sequence[Version]) -> Version:
    return max(versions, key=lambda version: version.valid.start)
