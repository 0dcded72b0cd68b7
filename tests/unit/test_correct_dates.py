"""Correcting the dates of a memory (RULES 1.3, 1.5), in the notation of slot_history.

The corrected window takes the place of the one that was meant, and is claimed as it is given: an
end that was open stays open, past what stood in between.

| said in this order | the window meant | right | then |
|---|---|---|---|
| A 0, B 2, C 5 | C 5- | from 1; from 2; from 0 | C from then on; what it reaches over is gone |
| the same | C 5- | from 7 | B goes on until then |
| the same | C 5- | D from 1 | D from then on |
| the same | C 5- | B from 1 | B from then on, once |
| the same | B 2-5 | from 1; 1-7 | the end that it had, or the one that is given |
| the same, C at a lower grade | B 2- | from 0 | B from then on, C contested as before |
| A 0, B 2-3 | A 3- | from 1; from before 0 | A goes on, without B |
| the same | A 3- | from 4 | a gap only where B had ended |
| A 0 by a guess, A 2 on the user's word | A 2- | from 1 | each at its own grade |
| any history | any window that holds or is the last | any dates | no two truths; what held today has a value still |
"""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.correct import Correction, correct
from muniment.domain.memory import Version
from muniment.domain.reconcile import Candidate, Plan, reconcile
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window, disjoint
from muniment.domain.trust import GRADES
from tests.unit.slot_history import SlotHistory, candidate, day, show

CITY = Slot("city", "one")
THREE = ["A 0 u", "B 2 u", "C 5 u"]
TODAY = 8


def told(*said: str) -> SlotHistory:
    history = SlotHistory()
    for text in said:
        incoming = candidate(text)
        history.apply(reconcile(incoming, history.held, CITY), incoming)
    return history


def corrected(history: SlotHistory, meant: Version, right: Candidate, *, moves: bool) -> Plan:
    window = Window(right.valid_from, right.valid_to)
    plan = correct(Correction(right, [window], moves=moves), [meant], history.held, CITY)
    history.apply(plan, right)
    return plan


@pytest.mark.parametrize(
    ("said", "meant", "right", "left"),
    [
        (THREE, "C 5- u", "C 1 u", ["A 0-1 u", "C 1- u"]),
        (THREE, "C 5- u", "C 2 u", ["A 0-2 u", "C 2- u"]),
        (THREE, "C 5- u", "C 3 u", ["A 0-2 u", "B 2-3 u", "C 3- u"]),
        (THREE, "C 5- u", "C 0 u", ["C 0- u"]),
        (THREE, "C 5- u", "C 7 u", ["A 0-2 u", "B 2-7 u", "C 7- u"]),
        (THREE, "C 5- u", "D 1 u", ["A 0-1 u", "D 1- u"]),
        (THREE, "C 5- u", "B 1 u", ["A 0-1 u", "B 1- u"]),
        (THREE, "B 2-5 u", "B 1-5 u", ["A 0-1 u", "B 1-5 u", "C 5- u"]),
        (THREE, "B 2-5 u", "B 1-7 u", ["A 0-1 u", "B 1-7 u", "C 7- u"]),
        (["A 0 u", "B 2 u", "C 5 g"], "B 2- u", "B 0 u", ["B 0- u", "?C 5- g"]),
        (["A 0 u", "B 2-3 u"], "A 3- u", "A 1 u", ["A 0- u"]),
        (["A 1 u", "B 2-3 u"], "A 3- u", "A 0 u", ["A 0- u"]),
        (["A 0 u", "B 2-3 u"], "A 3- u", "A 4 u", ["A 0-2 u", "B 2-3 u", "A 4- u"]),
        (["A 0 g", "A 2 u"], "A 2- u", "A 1 u", ["A 0-1 g", "A 1- u"]),
    ],
)
def test_the_table(said: list[str], meant: str, right: str, left: list[str]) -> None:
    history = told(*said)
    (version,) = [one for one in history.held if show(one) == meant]
    new = candidate(right)
    plan = corrected(history, version, new, moves=new.value_key == version.value_key)
    assert (plan.outcome, plan.rule) == ("superseded", "corrected")
    assert history.shown() == left


@st.composite
def candidates(draw: st.DrawFn) -> Candidate:
    start = draw(st.integers(0, 12))
    length = draw(st.none() | st.integers(1, 6))
    return Candidate(
        value_key=draw(st.sampled_from("ABC")),
        valid_from=day(start),
        valid_to=None if length is None else day(start + length),
        trust=draw(st.sampled_from(GRADES)),
    )


def windows_meant(history: SlotHistory) -> list[Version]:
    """Of each memory the window that holds today, or else its last."""
    found: dict[object, Version] = {}
    for one in sorted(history.asserted(), key=lambda version: version.valid.start):
        if one.memory_id not in found or not found[one.memory_id].valid.holds(day(TODAY)):
            found[one.memory_id] = one
    return list(found.values())


@given(
    st.lists(candidates(), min_size=1, max_size=8),
    st.data(),
    st.integers(0, TODAY),
    st.none() | st.integers(TODAY + 1, 15),
    st.sampled_from([None, "A", "B", "C", "D"]),
    st.sampled_from(GRADES),
)
@settings(max_examples=300)
def test_what_holds_today_is_not_lost(
    said: list[Candidate],
    data: st.DataObject,
    since: int,
    until: int | None,
    value: str | None,
    grade: str,
) -> None:
    history = SlotHistory()
    for incoming in said:
        history.apply(reconcile(incoming, history.held, CITY), incoming)
    meant = data.draw(st.sampled_from(windows_meant(history))) if history.asserted() else None
    if meant is None:
        return
    before = history.at(day(TODAY))
    end = meant.valid.end if until is None else day(until)
    if end is not None and end <= day(since):
        return
    right = Candidate(value or meant.value_key, day(since), end, grade)  # type: ignore[arg-type]
    corrected(history, meant, right, moves=right.value_key == meant.value_key)
    assert disjoint([version.valid for version in history.asserted()])
    for memory in {version.memory_id for version in history.held}:
        own = [version for version in history.held if version.memory_id == memory]
        for standing in ("asserted", "contested"):
            assert disjoint([one.valid for one in own if one.standing == standing])
    if before:
        assert history.at(day(TODAY))
    again = replace(right, valid_from=day(0), valid_to=None)
    history.apply(reconcile(again, history.held, CITY), again)
    assert disjoint([version.valid for version in history.asserted()])
