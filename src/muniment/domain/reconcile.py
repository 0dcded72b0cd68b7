"""Reconcile (RULES 5): what a candidate does to what is held. Pure: the caller applies the plan.

Within one (subject, slot) of one scope, or one text without a slot, under the scope's row lock.
``Plan`` lists versions to end on the record axis, windows that stay with a memory already held, and
the candidate's own window if any. Outside the window that the candidate claims no plan changes what
is asserted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.domain.memory import Standing, Version
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window, without
from muniment.domain.trust import Authority, Trust, may_displace, rank

Outcome = Literal[
    "inserted", "reinforced", "superseded", "contested", "quarantined", "rejected", "retracted"
]
Decided = Literal[Outcome, "archived", "changed", "restored", "undone"]
"""An outcome, or what the worker decides of a memory that nobody says anything of."""


@dataclass(frozen=True)
class Candidate:
    """A value said to hold in a window. ``valid_to`` None means that no end was stated; ``whole``,
    that it is open whatever begins later. Without a slot there is no ``value_key``: what is held
    is the same text. ``turn`` orders what one session says at one instant.
    """

    value_key: str | None
    valid_from: datetime
    valid_to: datetime | None
    trust: Trust
    observed_at: datetime | None = None
    whole: bool = False
    turn: int | None = None


@dataclass(frozen=True)
class Remainder:
    """A new version of the memory behind ``of``, true in ``valid``: what stays of its window, or
    the wider one that a repetition gave it. ``superseded``: the candidate takes over at its end.
    ``freed``: it was contested, and nothing stands against it any more. ``retracted``: it ends
    where it was taken back.
    """

    of: Version
    valid: Window
    superseded: bool = False
    freed: bool = False
    retracted: bool = False


@dataclass(frozen=True)
class Plan:
    """What to do, with the rule that says so. The candidate is stored as a memory of its own where
    ``window`` is set, in that and in ``more``; else ``reinforces`` is the memory that holds it.
    ``following``: what takes over where it ends, by the instant.
    """

    outcome: Outcome
    rule: str
    standing: Standing = "asserted"
    window: Window | None = None
    ends: tuple[Version, ...] = ()
    remainders: tuple[Remainder, ...] = ()
    reinforces: UUID | None = None
    incumbent: UUID | None = None
    more: tuple[Window, ...] = ()
    following: Mapping[datetime, UUID] = field(default_factory=dict)

    @property
    def windows(self) -> tuple[Window, ...]:
        """Every window of the candidate's own memory."""
        return () if self.window is None else (self.window, *self.more)


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

    def equals(self, version: Version) -> bool:
        """True if the version has the candidate's own grade."""
        return version.trust == self.candidate.trust


def reconcile(candidate: Candidate, held: Sequence[Version], slot: Slot | None) -> Plan:
    """Decide for a candidate against the versions of its (subject, slot) with an open record, or
    of its text where there is no slot.
    """
    case = _case(candidate, held, slot)
    later = next((one for one in case.others if _corrects(one, case)), None)
    if later is not None:
        said = later.memory_id
        return Plan("rejected", "corrected_in_a_later_turn", reinforces=said, incumbent=said)
    window = _effective(case, case.same)
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


def _effective(case: _Case, same: Sequence[Version]) -> Window:
    """The window that the candidate claims: without a stated end it yields to what starts later,
    and to what as good a source said again later.

    At the same start as another value it is a correction and takes over that value's end. Where
    its own value is known to have ended, it says nothing beyond that.
    """
    start, end = case.candidate.valid_from, case.candidate.valid_to
    if end is not None or case.candidate.whole:
        return Window(start, end)
    runs = _runs([version.valid for version in same])
    others = held_as_one(case.others)
    ends = [other.start for other in others if other.start > start]
    ends += [again for version in case.others if (again := _said_again(case, version)) is not None]
    bounding = [*runs, *(other for other in others if other.start == start)]
    ends += [valid.end for valid in bounding if valid.end is not None and valid.end > start]
    last = min(ends, default=None)
    going_on = [run.end for run in runs if run.start == last]
    return Window(start, going_on[0] if going_on else last)


def held_as_one(versions: Sequence[Version]) -> list[Window]:
    """Windows of a value at a grade: one that goes on in another version begins nowhere there."""
    alike: dict[tuple[str | None, Trust], list[Window]] = {}
    for version in versions:
        alike.setdefault((version.value_key, version.trust), []).append(version.valid)
    return [window for windows in alike.values() for window in _runs(windows)]


def _runs(windows: Sequence[Window]) -> list[Window]:
    """The windows, in their order, with those that touch as one."""
    found: list[Window] = []
    for window in windows:
        if found and found[-1].touches(window):
            found[-1] = found[-1].union(window)
        else:
            found.append(window)
    return found


def _said_again(case: _Case, version: Version) -> datetime | None:
    """When another value was last said, if that is after the candidate was: it holds from then."""
    told, again = case.candidate.observed_at, version.observed_at
    if told is None or again is None or again <= max(told, case.candidate.valid_from):
        return None
    as_good = may_displace(version.trust, case.candidate.trust, case.authority)
    return again if as_good and version.valid.holds(again) else None


def _corrects(version: Version, case: _Case) -> bool:
    """True if a later turn of the same instant gave that start another value, as well sourced."""
    told = case.candidate
    if told.turn is None or version.turn is None or version.turn <= told.turn:
        return False
    at_once = (version.observed_at, version.valid.start) == (told.observed_at, told.valid_from)
    return at_once and may_displace(version.trust, told.trust, case.authority)


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
    beside = _effective(case, case.agreeing)
    near = [version for version in case.agreeing if version.valid.touches(beside)]
    if near:
        return replace(_widen(case, beside, near), standing="contested")
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
    outcome, rule = _named(case, claim, in_the_way)
    plan = Plan(outcome, rule, incumbent=_latest(in_the_way).memory_id)
    return _fill(case, plan, _pieces(case, window, in_the_way), in_the_way)


def _pieces(case: _Case, window: Window, in_the_way: Sequence[Version] = ()) -> list[Window]:
    """What of a window is to be held at the candidate's grade: what is not held so or better.

    What lies between higher grades of the same value stays as it is (RULES 5).
    """
    kept = [v for v in case.same if case.equals(v) or not case.may(v)]
    beside = [v for v in case.same if case.may(v)]
    return [
        piece
        for piece in _outside(window, kept)
        if case.candidate.whole
        or any(version.valid.overlaps(piece) for version in in_the_way)
        or any(version.valid.touches(piece) for version in beside)
    ]


def _fill(case: _Case, plan: Plan, pieces: Sequence[Window], in_the_way: Sequence[Version]) -> Plan:
    """The pieces at the candidate's grade: they widen what holds the value at that grade beside
    them, or else are a new memory. A lower grade keeps what it alone said.
    """
    lower = [
        version
        for version in case.same
        if case.may(version) and not case.equals(version) and _meets(version, pieces)
    ]
    peers = [
        version
        for version in case.same
        if case.equals(version) and any(version.valid.touches(piece) for piece in pieces)
    ]
    given = _given(pieces, peers)
    wider = {version: windows for version, windows in given.items() if windows}
    return replace(
        plan,
        window=None if peers else pieces[0],
        more=() if peers else tuple(pieces[1:]),
        ends=(*in_the_way, *lower, *wider),
        remainders=(
            *_left([*in_the_way, *lower], pieces),
            *(Remainder(version, one) for version, ones in wider.items() for one in ones),
        ),
        reinforces=next(iter(wider)).memory_id if peers else None,
    )


def _given(pieces: Sequence[Window], peers: Sequence[Version]) -> dict[Version, list[Window]]:
    """Each piece to the first of the peers that it touches, or to the first of all."""
    given: dict[Version, list[Window]] = {}
    for piece in pieces:
        beside = [version for version in peers if version.valid.touches(piece)]
        for host in (beside or peers)[:1]:
            windows = given.setdefault(host, [host.valid])
            given[host] = _runs(sorted([*windows, piece], key=lambda one: one.start))
    return given


def _meets(version: Version, pieces: Sequence[Window]) -> bool:
    return any(version.valid.overlaps(piece) for piece in pieces)


def _named(case: _Case, claim: Window, in_the_way: Sequence[Version]) -> tuple[Outcome, str]:
    """Same world time: a correction. Earlier than a value that stays, or is said again after it:
    history. Else a change.
    """
    replaced = not _left(in_the_way, [claim])
    if replaced or any(version.valid.start == claim.start for version in in_the_way):
        return "superseded", "correction"
    again = [_said_again(case, version) for version in in_the_way]
    if _is_history(case, claim) or (claim.end is not None and claim.end in again):
        return "inserted", "history_split"
    return "superseded", "world_change"


def _add(case: _Case, window: Window) -> Plan:
    """Nothing of another value is in the way: a new window, or the same value again."""
    near = [version for version in case.same if version.valid.touches(window)]
    if not near:
        rule = "history" if _is_history(case, window) else "new_value"
        return Plan("inserted", rule, window=window)
    pieces = _pieces(case, window)
    if not pieces:
        return _repeated(window, near)
    plan = _fill(case, Plan("reinforced", "same_value_wider_window"), pieces, [])
    if plan.window is not None:
        # It is held on its own word from there on; the lower grade is not raised.
        return replace(plan, rule="restated_at_higher_grade")
    return plan


def _repeated(window: Window, near: Sequence[Version]) -> Plan:
    there = [version for version in near if version.valid.holds(window.start)]
    return Plan("reinforced", "same_value", reinforces=(there or near)[0].memory_id)


def _is_history(case: _Case, window: Window) -> bool:
    return any(
        version.valid.start > window.start and version.valid.minus(window)
        for version in case.others
    )


def _widen(case: _Case, window: Window, near: Sequence[Version]) -> Plan:
    """The same value contested again: at the same or a higher grade it fills what is not yet held,
    each gap at the best grade beside it; one without a neighbour stays a gap.
    """
    peers = [version for version in near if case.may(version)]
    grown: dict[Version, Window] = {}
    for gap in _outside(window, near):
        beside = [version for version in peers if version.valid.touches(gap)]
        if beside:
            best = min(beside, key=lambda version: rank(version.trust, case.authority))
            grown[best] = grown.get(best, best.valid).union(gap)
    if not grown:
        return _repeated(window, near)
    return Plan(
        "reinforced",
        "same_value_wider_window",
        ends=tuple(grown),
        remainders=tuple(Remainder(version, valid) for version, valid in grown.items()),
        reinforces=next(iter(grown)).memory_id,
    )


def _settled(case: _Case, window: Window, plan: Plan) -> Plan:
    """Ends the disputes that the assertion decides; where a higher grade still says otherwise,
    the contested value stays beside it.
    """
    over = [v for v in case.agreeing if v.valid.overlaps(window) and case.may(v)]
    opposing = [version for version in case.others if not case.may(version)]
    disputed = [
        Remainder(version, part)
        for version in over
        for part in version.valid.minus(window)
        if any(other.valid.overlaps(part) for other in opposing)
    ]
    return replace(plan, ends=(*plan.ends, *over), remainders=(*plan.remainders, *disputed))


def _left(versions: Sequence[Version], pieces: Sequence[Window]) -> list[Remainder]:
    """What lies outside the pieces stays; what lies before one ends where that begins."""
    starts = {piece.start for piece in pieces}
    return [
        Remainder(version, part, superseded=part.end in starts)
        for version in versions
        for part in without([version.valid], pieces)
    ]


def _outside(window: Window, versions: Sequence[Version]) -> list[Window]:
    return without([window], [version.valid for version in versions])


def _outranking(case: _Case) -> list[Version]:
    return [version for version in case.same if not case.may(version)]


def _latest(versions: Sequence[Version]) -> Version:
    return max(versions, key=lambda version: version.valid.start)
