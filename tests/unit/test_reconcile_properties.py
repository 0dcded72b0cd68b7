"""Invariants of reconciliation over random histories (RULES 1.5, 3.2, 4.5).

Every history is made by applying plans, one candidate after another; what is asserted is compared
before and after each, moment by moment. Windows begin and end at whole days, so that the days
are all moments there are.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.memory import Version
from muniment.domain.reconcile import Candidate, Plan, reconcile
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window, disjoint
from muniment.domain.trust import GRADES, Trust, may_displace, rank
from tests.unit.slot_history import SlotHistory, day

DAYS = range(14)
MOMENTS = [day(number) for number in DAYS]
Held = dict[int, tuple[str | None, Trust]]

ONE_SLOTS = st.sampled_from([Slot("city", "one"), Slot("tier", "one", authority="system")])
SLOTS = ONE_SLOTS | st.just(Slot("pet", "many"))


@st.composite
def candidates(draw: st.DrawFn) -> Candidate:
    start = draw(st.integers(0, 10))
    length = draw(st.none() | st.integers(1, 6))
    said = draw(st.none() | st.integers(0, 12))
    return Candidate(
        value_key=draw(st.sampled_from("ABC")),
        valid_from=day(start),
        valid_to=None if length is None else day(start + length),
        trust=draw(st.sampled_from(GRADES)),
        observed_at=None if said is None else day(said),
    )


HISTORIES = st.lists(candidates(), min_size=1, max_size=12)


def step(history: SlotHistory, slot: Slot, incoming: Candidate) -> Plan:
    plan = reconcile(incoming, history.held, slot)
    history.apply(plan, incoming)
    return plan


def told(slot: Slot, before: Sequence[Candidate]) -> SlotHistory:
    history = SlotHistory()
    for incoming in before:
        step(history, slot, incoming)
    return history


def timeline(history: SlotHistory) -> Held:
    """Value and grade of each day on which one is asserted."""
    found: Held = {}
    for number, moment in zip(DAYS, MOMENTS, strict=True):
        for version in history.at(moment):
            found[number] = (version.value_key, version.trust)
    return found


def _begins(held: Sequence[Version], version: Version) -> datetime:
    """Since when the value holds without a break: one that goes on in another version begins
    nowhere there.
    """
    start = version.valid.start
    for other in sorted(held, key=lambda one: one.valid.start, reverse=True):
        if other.value_key == version.value_key and other.valid.end == start:
            start = other.valid.start
    return start


def claimed(incoming: Candidate, held: Sequence[Version]) -> set[int]:
    """The days that a candidate speaks of: from its start to its end, or to where another starts."""
    ends = [incoming.valid_to] if incoming.valid_to else []
    if not ends:
        starts = [_begins(held, v) for v in held if v.value_key != incoming.value_key]
        ends = [start for start in starts if start > incoming.valid_from]
    return {
        number
        for number, moment in zip(DAYS, MOMENTS, strict=True)
        if incoming.valid_from <= moment and all(moment < end for end in ends)
    }


@given(SLOTS, HISTORIES)
@settings(max_examples=150)
def test_two_truths_never_share_a_moment(slot: Slot, said: list[Candidate]) -> None:
    history = SlotHistory()
    for incoming in said:
        step(history, slot, incoming)
        if slot.cardinality == "one":
            assert disjoint([version.valid for version in history.asserted()])
        for value in "ABC":
            for versions in (history.asserted(), history.contested()):
                assert disjoint([v.valid for v in versions if v.value_key == value])


@given(ONE_SLOTS, HISTORIES, candidates())
@settings(max_examples=150)
def test_what_becomes_of_each_moment(
    slot: Slot, said: list[Candidate], incoming: Candidate
) -> None:
    """Outside the claim nothing changes. Inside, a moment keeps what it had, or has the new value:
    at the candidate's own grade where something was displaced, never at a higher one.
    """
    history = told(slot, said)
    before, claim = timeline(history), claimed(incoming, history.asserted())
    plan = step(history, slot, incoming)
    after = timeline(history)
    for number in DAYS:
        was, now = before.get(number), after.get(number)
        if now == was:
            continue
        assert number in claim
        assert now is not None
        value, grade = now
        assert value == incoming.value_key
        assert rank(grade, slot.authority) >= rank(incoming.trust, slot.authority)
        if was is not None:
            assert grade == incoming.trust
            assert rank(was[1], slot.authority) >= rank(incoming.trust, slot.authority)
            assert was[0] == value or plan.outcome in ("superseded", "inserted")


@given(ONE_SLOTS, HISTORIES, candidates())
@settings(max_examples=150)
def test_no_lower_grade_touches_a_higher_one(
    slot: Slot, said: list[Candidate], incoming: Candidate
) -> None:
    history = told(slot, said)
    higher = [v for v in history.held if not may_displace(incoming.trust, v.trust, slot.authority)]
    plan = step(history, slot, incoming)
    assert all(may_displace(incoming.trust, v.trust, slot.authority) for v in plan.ends)
    assert all(version in history.held for version in higher)


@given(ONE_SLOTS, HISTORIES, candidates())
@settings(max_examples=150)
def test_an_outranked_candidate_changes_nothing_asserted(
    slot: Slot, said: list[Candidate], incoming: Candidate
) -> None:
    history = told(slot, said)
    before = timeline(history)
    outranked = any(
        version.value_key != incoming.value_key
        and not may_displace(incoming.trust, version.trust, slot.authority)
        for version in history.at(incoming.valid_from)
    )
    plan = step(history, slot, incoming)
    if outranked:
        assert plan.outcome in ("contested", "reinforced")
    if plan.outcome == "contested":
        assert timeline(history) == before
        assert (plan.ends, plan.remainders) == ((), ())


@given(SLOTS, HISTORIES, candidates())
@settings(max_examples=150)
def test_what_a_plan_ends_is_covered(
    slot: Slot, said: list[Candidate], incoming: Candidate
) -> None:
    history = told(slot, said)
    plan = reconcile(incoming, history.held, slot)
    assert len(set(plan.ends)) == len(plan.ends)
    assert all(version in history.held for version in plan.ends)
    assert all(left.of in plan.ends for left in plan.remainders)
    kept = [left.valid for left in plan.remainders if left.of.standing == "asserted"]
    covered = [*kept, *plan.windows]
    for version in plan.ends:
        if version.standing == "asserted":
            assert _outside(version.valid, covered) == []


def _outside(window: Window, others: Sequence[Window]) -> list[Window]:
    left = [window]
    for other in others:
        left = [part for piece in left for part in piece.minus(other)]
    return left


@given(SLOTS, HISTORIES)
@settings(max_examples=150)
def test_the_same_again_is_reinforced_and_changes_nothing(
    slot: Slot, said: list[Candidate]
) -> None:
    history = SlotHistory()
    for incoming in said:
        step(history, slot, incoming)
        again = reconcile(incoming, history.held, slot)
        assert again.outcome == "reinforced"
        assert (again.window, again.ends, again.remainders) == (None, (), ())
        assert again.reinforces in {
            version.memory_id for version in history.held if version.value_key == incoming.value_key
        }


@given(ONE_SLOTS, HISTORIES, candidates(), st.integers(0, 13))
@settings(max_examples=150)
def test_a_back_dated_value_never_changes_the_current_one(
    slot: Slot, said: list[Candidate], incoming: Candidate, today: int
) -> None:
    history = told(slot, said)
    current = history.at(day(today))
    since = _begins(history.asserted(), current[0]) if current else None
    step(history, slot, replace(incoming, valid_to=None))
    if current and current[0].value_key != incoming.value_key:
        (was,) = current
        if since is not None and incoming.valid_from < since:
            assert [(v.value_key, v.trust) for v in history.at(day(today))] == [
                (was.value_key, was.trust)
            ]


@given(ONE_SLOTS, HISTORIES, candidates())
@settings(max_examples=150)
def test_a_future_value_leaves_the_time_before_it_alone(
    slot: Slot, said: list[Candidate], incoming: Candidate
) -> None:
    history = told(slot, said)
    before = timeline(history)
    step(history, slot, incoming)
    after = timeline(history)
    for number in DAYS:
        if day(number) < incoming.valid_from:
            assert after.get(number) == before.get(number)


@given(ONE_SLOTS, HISTORIES, candidates())
@settings(max_examples=150)
def test_an_assertion_settles_what_it_may(
    slot: Slot, said: list[Candidate], incoming: Candidate
) -> None:
    """No contested value is left over a window in which it is asserted, unless its grade is better
    than that of who asserts it.
    """
    history = told(slot, said)
    plan = step(history, slot, incoming)
    if plan.window is None or plan.standing != "asserted":
        return
    for version in history.contested():
        if version.value_key == incoming.value_key and version.valid.overlaps(plan.window):
            assert not may_displace(incoming.trust, version.trust, slot.authority)


@given(HISTORIES, candidates())
@settings(max_examples=150)
def test_values_of_many_never_end_each_other(said: list[Candidate], incoming: Candidate) -> None:
    slot = Slot("pet", "many")
    history = told(slot, said)
    plan = step(history, slot, incoming)
    assert plan.outcome in ("inserted", "reinforced")
    assert all(version.value_key == incoming.value_key for version in plan.ends)
    assert history.contested() == []


@pytest.mark.parametrize("apart", [0, 1])
def test_the_same_value_in_windows_apart_stays_two(apart: int) -> None:
    slot = Slot("city", "one")
    history = told(
        slot,
        [
            Candidate("A", day(0), day(2), "user_stated"),
            Candidate("A", day(2 + apart), day(4), "user_stated"),
        ],
    )
    assert len({version.memory_id for version in history.held}) == 1 + apart
