"""Correcting one memory, as tables in the notation of slot_history (RULES 1.3, 1.5, 4.5).

The first of what is held is what was wrong. ``=`` in what is right: the dates alone are others.

| held | right | then |
|---|---|---|
| a value | another, the same or a higher grade | the other in its window; nothing before or after changes |
| a value | another, a lower grade | contested beside it, once |
| a value in two windows | another | the other in both |
| a value | a value that is held beside it | one memory over both windows |
| a value beside a better grade of what is right | | in its window all the same |
| a value that replaced another | later, earlier | the boundary between the two moves |
| a contested value | another | the other, contested as before |
"""

import pytest

from muniment.domain.correct import Correction, correct
from muniment.domain.reconcile import reconcile
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window, disjoint
from tests.unit.slot_history import SlotHistory, candidate, show, texts_of

CITY = Slot("city", "one")
Row = tuple[str, list[str], list[str], str, list[str]]

# what it is | held | what is right, a window each | outcome | held afterwards
CASES: list[Row] = [
    ("another value", ["B 0- u"], ["A 0 u"], "superseded corrected", ["A 0- u"]),
    ("by a higher grade", ["B 0- g"], ["A 0 u"], "superseded corrected", ["A 0- u"]),
    ("by a lower grade", ["B 0- u"], ["A 0 g"], "contested lower_grade_never_displaces",
     ["?A 0- g", "B 0- u"]),
    ("by a lower grade again", ["B 0- u", "?A 0- g"], ["A 0 g"], "reinforced same_value",
     ["?A 0- g", "B 0- u"]),
    ("between others", ["B 2-4 u", "C 0-2 u", "D 4- u"], ["A 2-4 u"], "superseded corrected",
     ["A 2-4 u", "C 0-2 u", "D 4- u"]),
    ("what is held beside it", ["B 2-4 u", "A 0-2 u"], ["A 2-4 u"], "superseded corrected",
     ["A 0-4 u"]),
    ("a lower grade beside it", ["B 2-4 u", "A 0-2 g"], ["A 2-4 u"], "superseded corrected",
     ["A 0-2 g", "A 2-4 u"]),
    ("a better grade beside it", ["B 2-4 g", "A 0-2 u"], ["A 2-4 g"], "superseded corrected",
     ["A 0-2 u", "A 2-4 g"]),
    ("its dates", ["B 2-4 u"], ["=B 3-6 u"], "superseded corrected", ["B 3-6 u"]),
    ("its dates by a higher grade", ["B 2-4 g"], ["=B 3-6 u"], "superseded corrected",
     ["B 3-6 u"]),
    ("its dates by a lower grade", ["B 2-4 u"], ["=B 3-6 g"],
     "contested lower_grade_never_displaces", ["?B 3-6 g", "B 2-4 u"]),
    ("its dates over another value", ["B 2-4 u", "C 4- u"], ["=B 2-6 u"],
     "superseded corrected", ["B 2-6 u", "C 6- u"]),
    ("its dates over a better one", ["B 2-4 g", "C 4- u"], ["=B 2-6 g"],
     "contested lower_grade_never_displaces", ["?B 2-6 g", "B 2-4 g", "C 4- u"]),
    ("a contested value", ["?B 2- g", "C 0- u"], ["A 2 g"],
     "contested lower_grade_never_displaces", ["?A 2- g", "C 0- u"]),
    ("a contested value, by the user", ["?B 2- g", "C 0- u"], ["A 2 u"], "superseded corrected",
     ["A 2- u", "C 0-2 u"]),
]  # fmt: skip


def right_of(texts: list[str]) -> Correction:
    given = [candidate(text.removeprefix("=")) for text in texts]
    windows = [Window(one.valid_from, one.valid_to) for one in given]
    return Correction(given[0], windows, moves=texts[0].startswith("="))


@pytest.mark.parametrize(
    ("held", "right", "said", "left"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_the_table(held: list[str], right: list[str], said: str, left: list[str]) -> None:
    history, correction = SlotHistory.of(*held), right_of(right)
    plan = correct(correction, history.held[:1], history.held, CITY)
    history.apply(plan, correction.candidate)
    assert f"{plan.outcome} {plan.rule}" == said
    assert texts_of(history.held) == sorted(left)
    assert disjoint([version.valid for version in history.asserted()])


def test_two_windows_are_both_right() -> None:
    history = SlotHistory.of("B 0-2 u", "C 2-4 u", "B 4- u")
    meant = [version for version in history.held if version.value_key == "B"]
    correction = right_of(["A 0-2 u", "A 4 u"])
    plan = correct(correction, meant, history.held, CITY)
    history.apply(plan, correction.candidate)
    assert history.shown() == ["A 0-2 u", "C 2-4 u", "A 4- u"]
    assert len({version.memory_id for version in history.held}) == 2


@pytest.mark.parametrize(
    ("right", "left"),
    [
        ("=A 6 u", ["B 0-6 u", "A 6- u"]),
        ("=A 2 u", ["B 0-2 u", "A 2- u"]),
        ("=A 6-8 u", ["B 0-6 u", "A 6-8 u"]),
        ("=A 1-2 u", ["B 0-1 u", "A 1-2 u", "B 2- u"]),
        ("D 4 u", ["B 0-4 u", "D 4- u"]),
    ],
)
def test_the_boundary_moves(right: str, left: list[str]) -> None:
    history, moved = SlotHistory.of("B 0- u"), candidate("A 4 u")
    history.apply(reconcile(moved, history.held, CITY), moved)
    meant = [version for version in history.held if show(version) == "A 4- u"]
    correction = right_of([right])
    plan = correct(correction, meant, history.held, CITY)
    history.apply(plan, correction.candidate)
    assert plan.outcome == "superseded"
    assert history.shown() == left
