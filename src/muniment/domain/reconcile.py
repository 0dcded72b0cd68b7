"""Reconcile (RULES 5): what a candidate does to what is held. Pure: the caller applies the plan.

Within one (subject, slot) of one scope, or one text without a slot, under the scope's row lock.
``Plan`` lists versions to end on the
record axis, windows that stay with a memory already held, and the candidate's own window if any.
Outside the window that the candidate claims no plan changes what is asserted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.domain.memory import Standing, Version
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window
from muniment.domain.trust import Authority, Trust, may_displace, rank

Outcome = Literal[
    "inserted", "reinforced", "superseded", "contested", "quarantined", "rejected", "retracted"
]
Decided = Literal[
    "inserted",
    "reinforced",
    "superseded",
    "contested",
    "quarantined",
    "rejected",
    "retracted",
    "archived",
]
"""An outcome, or what the worker decides of a memory that nobody says anything of."""


@dataclass(frozen=True)
class Candidate:
    """A value said to hold in a window. ``valid_to`` None means that no end was stated.

    Without a slot there is no ``value_key``: what is held is the same text.
    """

    value_key: str | None
    valid_from: datetime
    valid_to: datetime | None
    trust: Trust


@dataclass(frozen=True)
class Remainder:
    """A new version of the memory behind ``of``, true in ``valid``: what stays of its window, or
    the wider one that a repetition gave it. ``superseded``: the candidate takes over at its end.
    """

    of: Version
    valid: Window
    superseded: bool


@dataclass(frozen=True)
class Plan:
    """What to do, with the rule that says so. The candidate is stored as a memory of its own where
    ``window`` is set; else ``reinforces`` is the memory that holds it.
    """

    outcome: Outcome
    rule: str
    standing: Standing = "asserted"
    window: Window | None = None
    ends: tuple[Version, ...] = ()
    remainders: tuple[Remainder, ...] = ()
    reinforces: UUID | None = None
    incumbent: UUID | None = None


@dataclass(frozen=True)
class _Case:
    """A candidate beside what is held: the same value, other values that exclude it, and the same
    value contested; each in the order of their windows.
    """

    candidate: Candidate
    authority: Authority
    same: tuple[Version, ...]
    others: tuple[Version, ...]
    agreeing: tuple[Version, ...]

    def may(self, version: Version) -> bool:
        """True if the candidate's grade may displace that version (RULES 4.5)."""
        return may_displace(self.candidate.trust, version.trust, self.authority)


def reconcile(candidate: Candidate, held: Sequence[Version], slot: Slot | None) -> Plan:
    """Decide for a candidate against the versions of its (subject, slot) with an open record, or
    of its text where there is no slot.
    """
    case = _case(candidate, held, slot)
    window = _effective(candidate, case.same, case.others)
    in_the_way = [version for version in case.others if version.valid.overlaps(window)]
    if not in_the_way:
        return _settled(case, window, _add(case, window))
    claim = _claim(case, window, in_the_way)
    if claim is None:
        return _contest(case, window, in_the_way)
    return _settled(case, window, _displace(case, window, claim, in_the_way))


def _case(candidate: Candidate, held: Sequence[Version], slot: Slot | None) -> _Case:
    ordered = sorted(held, key=lambda version: version.valid.start)
    asserted = [version for version in ordered if version.standing == "asserted"]
    others = [version for version in asserted if version.value_key != candidate.value_key]
    return _Case(
        candidate=candidate,
        authority="user" if slot is None else slot.authority,
        same=tuple(v for v in asserted if v.value_key == candidate.value_key),
        others=tuple(others) if slot is not None and slot.cardinality == "one" else (),
        agreeing=tuple(
            version
            for version in ordered
            if version.standing == "contested" and version.value_key == candidate.value_key
        ),
    )


def _effective(candidate: Candidate, same: Sequence[Version], others: Sequence[Version]) -> Window:
    """The window that the candidate claims: without a stated end it yields to what starts later.

    At the same start as another value it is a correction and takes over that value's end. Where
    its own value is known to have ended, it says nothing beyond that.
    """
    start, end = candidate.valid_from, candidate.valid_to
    if end is not None:
        return Window(start, end)
    ends = [version.valid.start for version in others if version.valid.start > start]
    bounding = [version.valid for version in others if version.valid.start == start]
    bounding += [version.valid for version in same]
    ends += [valid.end for valid in bounding if valid.end is not None and valid.end > start]
    return Window(start, min(ends, default=None))


def _claim(case: _Case, window: Window, in_the_way: Sequence[Version]) -> Window | None:
    """Where the candidate displaces other values; None if a higher grade forbids it.

    What a higher grade holds of the same value stays its own; if that leaves other values in the
    way on both sides of it, the candidate disputes where the higher grade ends.
    """
    if not all(case.may(version) for version in in_the_way):
        return None
    disputed = [
        piece
        for piece in _outside(window, _outranking(case))
        if any(version.valid.overlaps(piece) for version in in_the_way)
    ]
    return disputed[0] if len(disputed) == 1 else None


def _contest(case: _Case, window: Window, in_the_way: Sequence[Version]) -> Plan:
    """A lower grade never displaces: it stands beside, once for each value."""
    repeated = [version for version in case.same if version.valid.overlaps(window)]
    if repeated:
        return Plan("reinforced", "same_value_lower_grade", reinforces=repeated[0].memory_id)
    beside = _effective(case.candidate, case.agreeing, case.others)
    near = [version for version in case.agreeing if version.valid.touches(beside)]
    if near:
        return _widen(case, beside, near)
    return Plan(
        "contested",
        "lower_grade_never_displaces",
        standing="contested",
        window=window,
        incumbent=_latest(in_the_way).memory_id,
    )


def _displace(case: _Case, window: Window, claim: Window, in_the_way: Sequence[Version]) -> Plan:
    """The same or a higher grade: what overlaps keeps what lies outside the claim.

    The claim goes to the memory that holds the same value there at the same grade, if one does;
    else to a new one, so that what a higher grade says is held at that grade.
    """
    equals = [v for v in case.same if _grade_is(v, case) and v.valid.touches(claim)]
    lower = [
        version
        for version in case.same
        if case.may(version) and not _grade_is(version, case) and version.valid.overlaps(claim)
    ]
    gaps = _outside(claim, equals) if equals else []
    for piece in _outside(window, _outranking(case)):
        gaps += [] if piece == claim else _outside(piece, case.same)
    grown = _grown(case, gaps, [v for v in case.same if case.may(v) and v not in lower])
    holders = [version for version in grown if version in equals] or equals
    outcome, rule = _named(case, claim, in_the_way)
    return Plan(
        outcome,
        rule,
        window=None if holders else claim,
        ends=(*in_the_way, *lower, *grown),
        remainders=(
            *_left([*in_the_way, *lower], claim),
            *(Remainder(version, valid, superseded=False) for version, valid in grown.items()),
        ),
        reinforces=holders[0].memory_id if holders else None,
        incumbent=_latest(in_the_way).memory_id,
    )


def _named(case: _Case, claim: Window, in_the_way: Sequence[Version]) -> tuple[Outcome, str]:
    """Same world time: a correction. Earlier than a value that stays: history. Else a change."""
    replaced = not _left(in_the_way, claim)
    if replaced or any(version.valid.start == claim.start for version in in_the_way):
        return "superseded", "correction"
    if _is_history(case, claim):
        return "inserted", "history_split"
    return "superseded", "world_change"


def _add(case: _Case, window: Window) -> Plan:
    """Nothing of another value is in the way: a new window, or the same value again."""
    near = [version for version in case.same if version.valid.touches(window)]
    if near and all(case.may(v) and not _grade_is(v, case) for v in near):
        return _restate(window, [version for version in near if version.valid.overlaps(window)])
    if near:
        return _widen(case, window, near)
    rule = "history" if _is_history(case, window) else "new_value"
    return Plan("inserted", rule, window=window)


def _restate(window: Window, lower: Sequence[Version]) -> Plan:
    """A higher grade says what was only held at a lower one: from there on it is held on its own
    word. The lower grade is not raised; it keeps what it alone said.
    """
    return Plan(
        "reinforced",
        "restated_at_higher_grade",
        window=window,
        ends=tuple(lower),
        remainders=tuple(_left(lower, window)),
    )


def _is_history(case: _Case, window: Window) -> bool:
    return any(
        version.valid.start > window.start and version.valid.minus(window)
        for version in case.others
    )


def _widen(case: _Case, window: Window, near: Sequence[Version]) -> Plan:
    """The same value again: at the same or a higher grade it fills what is not yet held."""
    grown = _grown(case, _outside(window, near), [v for v in near if case.may(v)])
    if grown:
        return Plan(
            "reinforced",
            "same_value_wider_window",
            ends=tuple(grown),
            remainders=tuple(Remainder(v, valid, superseded=False) for v, valid in grown.items()),
            reinforces=next(iter(grown)).memory_id,
        )
    there = [version for version in near if version.valid.holds(window.start)]
    return Plan("reinforced", "same_value", reinforces=(there or near)[0].memory_id)


def _grown(case: _Case, gaps: Sequence[Window], peers: Sequence[Version]) -> dict[Version, Window]:
    """Each gap goes to the best grade beside it; one without a neighbour stays a gap."""
    grown: dict[Version, Window] = {}
    for gap in gaps:
        beside = [version for version in peers if version.valid.touches(gap)]
        if beside:
            best = min(beside, key=lambda version: rank(version.trust, case.authority))
            grown[best] = grown.get(best, best.valid).union(gap)
    return grown


def _settled(case: _Case, window: Window, plan: Plan) -> Plan:
    """Ends the disputes that the assertion decides; where a higher grade still says otherwise,
    the contested value stays beside it.
    """
    over = [v for v in case.agreeing if v.valid.overlaps(window) and case.may(v)]
    opposing = [version for version in case.others if not case.may(version)]
    disputed = [
        Remainder(version, part, superseded=False)
        for version in over
        for part in version.valid.minus(window)
        if any(other.valid.overlaps(part) for other in opposing)
    ]
    return replace(plan, ends=(*plan.ends, *over), remainders=(*plan.remainders, *disputed))


def _left(versions: Sequence[Version], claim: Window) -> list[Remainder]:
    """What lies outside the claim stays; what lies before it ends where the claim begins."""
    return [
        Remainder(version, part, superseded=part.end == claim.start)
        for version in versions
        for part in version.valid.minus(claim)
    ]


def _outside(window: Window, versions: Sequence[Version]) -> list[Window]:
    left = [window]
    for version in versions:
        left = [part for piece in left for part in piece.minus(version.valid)]
    return left


def _outranking(case: _Case) -> list[Version]:
    return [version for version in case.same if not case.may(version)]


def _grade_is(version: Version, case: _Case) -> bool:
    return version.trust == case.candidate.trust


def _latest(versions: Sequence[Version]) -> Version:
    return max(versions, key=lambda version: version.valid.start)
