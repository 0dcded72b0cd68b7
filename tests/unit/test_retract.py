"""Taking back, as tables in the notation of slot_history (RULES 1.5, 4.5, 5).

| held | retracted at 4 by | outcome |
|---|---|---|
| the value, since before | the same or a higher grade | its window ends there |
| the value | a lower grade | rejected, nothing changes |
| the value, ended before; another value; nothing | any | nothing to retract |
| the value, from later on | the same or a higher grade | it never holds; what it would have replaced goes on |
| the value contested | the same or a higher grade | ended like an asserted one |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.memory import Version
from muniment.domain.reconcile import Candidate, Plan, reconcile
from muniment.domain.retract import replace_named, retract, undisputed
from muniment.domain.slot import Slot
from muniment.domain.succession import followed
from muniment.domain.timeline import disjoint
from tests.unit.slot_history import LETTERS, SlotHistory, candidate, day, show

CITY = Slot("city", "one")
PET = Slot("pet", "many")
Row = tuple[str, list[str], str, str | None, list[str]]


def same_value(history: SlotHistory, given: Candidate) -> list[Version]:
    return [version for version in history.held if version.value_key == given.value_key]


def outcome(plan: Plan | None) -> str | None:
    return None if plan is None else f"{plan.outcome} {plan.rule}"


CASES: list[Row] = [
    ("open", ["A 0- u"], "A 4 u", "retracted retraction", ["A 0-4 u"]),
    ("with an end", ["A 0-9 u"], "A 4 u", "retracted retraction", ["A 0-4 u"]),
    ("a lower one", ["A 0- g"], "A 4 u", "retracted retraction", ["A 0-4 g"]),
    ("a higher one", ["A 0- u"], "A 4 g", "rejected lower_grade_never_retracts", ["A 0- u"]),
    ("past already", ["A 0-4 u"], "A 4 u", None, ["A 0-4 u"]),
    ("another value", ["B 0- u"], "A 4 u", None, ["B 0- u"]),
    ("nothing", [], "A 4 u", None, []),
    ("said and taken back", ["A 4- u"], "A 4 u", "retracted retraction", []),
    ("planned", ["A 6- u"], "A 4 u", "retracted retraction", []),
    ("contested", ["B 0- u", "?A 0- g"], "A 4 g", "retracted retraction", ["B 0- u", "?A 0-4 g"]),
    ("contested, by a lower", ["B 0- u", "?A 0- g"], "A 4 x", None, ["B 0- u", "?A 0- g"]),
    ("two windows", ["A 0-2 u", "B 2-3 u", "A 3- u"], "A 4 u", "retracted retraction",
     ["A 0-2 u", "B 2-3 u", "A 3-4 u"]),
]  # fmt: skip


@pytest.mark.parametrize(("held", "given_", "said", "left"), [row[1:] for row in CASES],
                         ids=[row[0] for row in CASES])  # fmt: skip
def test_retractions(held: list[str], given_: str, said: str | None, left: list[str]) -> None:
    history, given = SlotHistory.of(*held), candidate(given_)
    plan = retract(given, same_value(history, given), history.held, CITY)
    assert outcome(plan) == said
    if plan is not None:
        history.apply(plan, given)
    assert history.shown() == left


def test_a_cancelled_plan_gives_its_window_back() -> None:
    history = SlotHistory.of("B 0- u")
    moved = candidate("A 6 u")
    history.apply(reconcile(moved, history.held, CITY), moved)
    assert history.shown() == ["B 0-6 u", "A 6- u"]
    off = candidate("A 4 u")
    plan = retract(off, same_value(history, off), history.held, CITY)
    assert plan is not None
    history.apply(plan, off)
    assert history.shown() == ["B 0- u"]


@pytest.mark.parametrize(
    ("told", "left"),
    [
        # What was told later than the plan, or of before it, yielded to it as if it were cut by it.
        (["A 0 u", "E 8 u", "C 5 u"], ["A 0-5 u", "C 5- u"]),
        (["E 8 u", "A 0 u"], ["A 0- u"]),
        (["E 8 u", "A 0 u", "C 5 u"], ["A 0-5 u", "C 5- u"]),
        (["E 8 u", "A 0 g"], ["A 0- g"]),
        (["E 8 u", "F 9 u", "A 0 u"], ["A 0-9 u", "F 9- u"]),
        (["E 8 u", "A 4-6 u", "A 5 u"], ["A 4-6 u"]),
        (["E 8 u", "A 4- g", "A 5 u"], ["A 4-5 g", "A 5- u"]),
        # An end that was stated stays.
        (["E 8 u", "A 0-8 u"], ["A 0-8 u"]),
        (["E 8 u", "A 0-6 u"], ["A 0-6 u"]),
        (["E 8 u", "A 4-8 u", "A 0 u"], ["A 0-8 u"]),
    ],
)
def test_a_cancelled_plan_gives_its_window_back_to_what_yielded_to_it(
    told: list[str], left: list[str]
) -> None:
    history = SlotHistory()
    for text in told:
        given = candidate(text)
        plan = reconcile(given, history.held, CITY)
        history.apply(followed(plan, given, history.held, CITY), given)
    off = candidate("E 8 u")
    gone = retract(off, same_value(history, off), history.held, CITY)
    assert gone is not None
    history.apply(gone, off)
    assert history.shown() == left


def test_one_of_many_goes_alone() -> None:
    history, given = SlotHistory.of("A 0- u", "B 0- u"), candidate("A 4 u")
    plan = retract(given, same_value(history, given), history.held, PET)
    assert plan is not None
    history.apply(plan, given)
    assert history.shown() == ["A 0-4 u", "B 0- u"]


@pytest.mark.parametrize(
    ("held", "given_", "said", "left"),
    [
        (["A 0- u"], "B 4 u", "superseded replaces_named", ["A 0-4 u", "B 4- u"]),
        (["A 0- g"], "B 4 u", "superseded replaces_named", ["A 0-4 g", "B 4- u"]),
        (["A 4- u"], "B 4 u", "superseded replaces_named", ["B 4- u"]),
        (["A 0- u"], "B 4 g", "contested lower_grade_never_displaces", ["A 0- u", "?B 4- g"]),
        ([], "B 4 u", "contested names_no_one_memory", ["?B 4- u"]),
        (["A 0- u", "C 0- u"], "B 4 u", "contested names_no_one_memory",
         ["A 0- u", "C 0- u", "?B 4- u"]),
    ],
)  # fmt: skip
def test_replacements(held: list[str], given_: str, said: str, left: list[str]) -> None:
    history, given = SlotHistory.of(*held), candidate(given_)
    plan = replace_named(given, history.held)
    assert outcome(plan) == said
    history.apply(plan, given)
    assert sorted(history.shown()) == sorted(left)


@pytest.mark.parametrize(
    ("held", "slot", "freed"),
    [
        (["A 0- u", "?B 0- g"], CITY, []),
        (["?B 0- g"], CITY, ["?B 0- g"]),
        (["A 0-2 u", "?B 2- g"], CITY, ["?B 2- g"]),
        (["?B 0- g", "?C 0- x"], CITY, ["?B 0- g"]),
        (["?B 0-2 g", "?C 2- x"], CITY, ["?B 0-2 g", "?C 2- x"]),
        (["?B 0- g", "?C 0- x"], PET, ["?B 0- g", "?C 0- x"]),
        (["A 0- u"], CITY, []),
    ],
)
def test_what_is_not_disputed_any_more(held: list[str], slot: Slot, freed: list[str]) -> None:
    assert [show(version) for version in undisputed(SlotHistory.of(*held).held, slot)] == freed


statements = st.builds(
    lambda value, start, letter: f"{value} {start} {letter}",
    st.sampled_from("ABC"),
    st.integers(0, 9),
    st.sampled_from(sorted(LETTERS)),
)


@given(st.lists(statements, max_size=6), statements)
def test_a_retraction_changes_nothing_before_its_moment(told: list[str], off: str) -> None:
    history = SlotHistory()
    for text in told:
        given = candidate(text)
        history.apply(reconcile(given, history.held, CITY), given)
    before = {number: texts(history, number) for number in range(12)}
    given = candidate(off)
    plan = retract(given, same_value(history, given), history.held, CITY)
    if plan is not None:
        history.apply(plan, given)
    at = (given.valid_from - day(0)).days
    assert all(texts(history, number) == before[number] for number in range(at))
    assert disjoint([version.valid for version in history.asserted()])
    if plan is not None and plan.outcome == "retracted":
        gone = [v for v in history.asserted() if v.value_key == given.value_key]
        assert all(v.valid.end is not None and v.valid.end <= given.valid_from for v in gone)


def texts(history: SlotHistory, number: int) -> list[str | None]:
    return [version.value_key for version in history.at(day(number))]
