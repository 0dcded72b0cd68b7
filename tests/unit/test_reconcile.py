"""Reconcile: the table of RULES 5 for slots, with the rules of trust (4.5) and time (1.3, 1.5).

The cases below are the table: what is held, what comes, the outcome with its rule, and what is
held afterwards, in the notation of ``slot_history``.
"""

from dataclasses import replace

import pytest

from muniment.domain.reconcile import reconcile
from muniment.domain.slot import Slot
from tests.unit.slot_history import SlotHistory, candidate, memory_of, texts_of

ONE = Slot("city", "one")
MANY = Slot("pet", "many")
SYSTEM = Slot("account_tier", "one", authority="system")

Row = tuple[str, list[str], str, str, list[str]]

# what it is | held | incoming | outcome and rule | held afterwards
INSERTS: list[Row] = [
    ("nothing held", [], "A 3 u", "inserted new_value", ["A 3- u"]),
    ("nothing held, end stated", [], "A 3-5 u", "inserted new_value", ["A 3-5 u"]),
    ("after an end", ["B 0-3 u"], "A 3 g", "inserted new_value", ["B 0-3 u", "A 3- g"]),
    ("into a gap", ["B 0-3 u", "C 6- u"], "A 3 g", "inserted history",
     ["B 0-3 u", "A 3-6 g", "C 6- u"]),
    ("before all, end stated", ["B 5- u"], "A 0-2 g", "inserted history", ["A 0-2 g", "B 5- u"]),
    ("before all, no end: the later value stays", ["B 5- u"], "A 0 g", "inserted history",
     ["A 0-5 g", "B 5- u"]),
    ("the same value in a window apart", ["A 0-2 u"], "A 5 u", "inserted new_value",
     ["A 0-2 u", "A 5- u"]),
    ("the same value again after another", ["A 0-2 u", "B 2- u"], "A 5 u",
     "superseded world_change", ["A 0-2 u", "B 2-5 u", "A 5- u"]),
]  # fmt: skip

REPEATS: list[Row] = [
    ("the same", ["A 0- u"], "A 0 u", "reinforced same_value", ["A 0- u"]),
    ("inside", ["A 0- u"], "A 4 u", "reinforced same_value", ["A 0- u"]),
    ("inside, lower", ["A 0- u"], "A 4 x", "reinforced same_value", ["A 0- u"]),
    ("inside, higher: on its own word", ["A 0- g"], "A 4 u",
     "reinforced restated_at_higher_grade", ["A 0-4 g", "A 4- u"]),
    ("from the start, higher", ["A 4- g"], "A 4 u", "reinforced restated_at_higher_grade",
     ["A 4- u"]),
    ("touching, higher", ["A 4-6 g"], "A 6-8 u", "reinforced restated_at_higher_grade",
     ["A 4-6 g", "A 6-8 u"]),
    ("what was restated is not a guess's to change", ["A 0-4 g", "A 4- u"], "B 6 g",
     "contested lower_grade_never_displaces", ["A 0-4 g", "A 4- u", "?B 6- g"]),
    ("earlier", ["A 4- u"], "A 0 u", "reinforced same_value_wider_window", ["A 0- u"]),
    ("earlier, higher", ["A 4- g"], "A 0 u", "reinforced restated_at_higher_grade", ["A 0- u"]),
    ("earlier, lower", ["A 4- u"], "A 0 g", "reinforced same_value", ["A 4- u"]),
    ("touching after", ["A 0-4 u"], "A 4 u", "reinforced same_value_wider_window", ["A 0- u"]),
    ("touching after, end", ["A 0-4 u"], "A 4-6 u", "reinforced same_value_wider_window",
     ["A 0-6 u"]),
    ("touching before", ["A 4-6 u"], "A 2-4 u", "reinforced same_value_wider_window",
     ["A 2-6 u"]),
    ("touching, lower", ["A 0-4 u"], "A 4 g", "reinforced same_value", ["A 0-4 u"]),
    ("apart", ["A 0-4 u"], "A 5 u", "inserted new_value", ["A 0-4 u", "A 5- u"]),
    ("no end stated inside a window that ended", ["A 0-4 u"], "A 2 u", "reinforced same_value",
     ["A 0-4 u"]),
    ("no end stated before a window that ended", ["A 2-4 u"], "A 0 u",
     "reinforced same_value_wider_window", ["A 0-4 u"]),
    ("an end beyond a window that ended", ["A 0-4 u"], "A 2-6 u",
     "reinforced same_value_wider_window", ["A 0-6 u"]),
    ("an end within an open window", ["A 0- u"], "A 2-6 u", "reinforced same_value", ["A 0- u"]),
    ("bridging", ["A 0-2 u", "A 4-6 u"], "A 2-4 u", "reinforced same_value_wider_window",
     ["A 0-4 u", "A 4-6 u"]),
    ("bridging two grades: what is said now is held at its own", ["A 0-2 g", "A 4-6 t"],
     "A 1-5 t", "reinforced same_value_wider_window", ["A 0-1 g", "A 1-6 t"]),
    ("a gap beside a lower grade is the speaker's", ["A 1-2 g", "A 3-4 g", "A 4- u"], "A 2 u",
     "reinforced same_value_wider_window", ["A 1-2 g", "A 2- u"]),
    ("a gap between a lower and a higher", ["A 1-2 x", "A 3-5 o"], "A 2 g",
     "reinforced restated_at_higher_grade", ["A 1-2 x", "A 2-3 g", "A 3-5 o"]),
    ("a gap between two lower ones", ["A 0-2 x", "A 4-6 x"], "A 2-4 u",
     "reinforced restated_at_higher_grade", ["A 0-2 x", "A 2-4 u", "A 4-6 x"]),
    ("a gap beside higher ones alone", ["A 0-2 u", "A 4-6 o"], "A 1-5 g",
     "reinforced same_value", ["A 0-2 u", "A 4-6 o"]),
    ("both sides of a higher, over lower ones", ["A 0-2 x", "A 2-4 u", "A 4-6 x"], "A 1-5 g",
     "reinforced restated_at_higher_grade",
     ["A 0-1 x", "A 1-2 g", "A 2-4 u", "A 4-5 g", "A 5-6 x"]),
    ("bridging from below goes to its own", ["A 0-2 u", "A 4-6 g"], "A 1-5 g",
     "reinforced same_value_wider_window", ["A 0-2 u", "A 2-6 g"]),
    ("up to another value", ["A 0-2 u", "B 5- u"], "A 2 u", "reinforced same_value_wider_window",
     ["A 0-5 u", "B 5- u"]),
]  # fmt: skip

CHANGES: list[Row] = [
    ("later", ["B 0- u"], "A 4 u", "superseded world_change", ["B 0-4 u", "A 4- u"]),
    ("later, higher", ["B 0- g"], "A 4 t", "superseded world_change", ["B 0-4 g", "A 4- t"]),
    ("later, within an end", ["B 0-9 u"], "A 4 u", "superseded world_change",
     ["B 0-4 u", "A 4- u"]),
    ("for a while", ["B 0- u"], "A 4-6 u", "superseded world_change",
     ["B 0-4 u", "A 4-6 u", "B 6- u"]),
    ("same time", ["B 0- u"], "A 0 u", "superseded correction", ["A 0- u"]),
    ("same time, the end stays", ["B 0-4 u"], "A 0 u", "superseded correction", ["A 0-4 u"]),
    ("same time, the next stays", ["B 0-4 u", "C 4- u"], "A 0 u", "superseded correction",
     ["A 0-4 u", "C 4- u"]),
    ("same time, end stated", ["B 0- u"], "A 0-4 u", "superseded correction",
     ["A 0-4 u", "B 4- u"]),
    ("same time, longer than the end", ["B 0-4 u"], "A 0-6 u", "superseded correction",
     ["A 0-6 u"]),
    ("all of it", ["B 1-2 u", "C 3-4 u"], "A 0-5 u", "superseded correction", ["A 0-5 u"]),
    ("several", ["B 0-4 u", "C 4-8 u", "D 8- u"], "A 2-10 u", "inserted history_split",
     ["B 0-2 u", "A 2-10 u", "D 10- u"]),
    ("between", ["B 0-6 u", "C 6- u"], "A 3 u", "inserted history_split",
     ["B 0-3 u", "A 3-6 u", "C 6- u"]),
    ("between, end stated", ["B 0-6 u", "C 6- u"], "A 3-4 u", "inserted history_split",
     ["B 0-3 u", "A 3-4 u", "B 4-6 u", "C 6- u"]),
    ("the start of another moves", ["B 4- u"], "A 0-6 u", "inserted history_split",
     ["A 0-6 u", "B 6- u"]),
    ("ends as another starts", ["B 4- u"], "A 0-4 u", "inserted history",
     ["A 0-4 u", "B 4- u"]),
    ("back to the value before: one memory", ["A 0-4 u", "B 4- u"], "A 4 u",
     "superseded correction", ["A 0- u"]),
    ("its date was earlier: the boundary moves", ["B 0-4 u", "A 4- u"], "A 2 u",
     "superseded world_change", ["B 0-2 u", "A 2- u"]),
    ("over a lower grade of its own", ["B 0-4 g", "A 4- g"], "A 2 u",
     "superseded world_change", ["B 0-2 g", "A 2- u"]),
    ("beyond a lower grade of its own", ["B 0-4 g", "A 4-9 g"], "A 2-6 u",
     "superseded world_change", ["B 0-2 g", "A 2-6 u", "A 6-9 g"]),
    ("beside a higher grade of its own", ["B 0-4 g", "A 4- u"], "A 2 t",
     "superseded world_change", ["B 0-2 g", "A 2-4 t", "A 4- u"]),
    ("both sides of a higher grade of its own", ["B 0-4 g", "A 4-6 u", "C 6- g"], "A 2-8 t",
     "reinforced same_value_lower_grade", ["B 0-4 g", "A 4-6 u", "C 6- g"]),
    ("a gap beyond a lower grade of its own", ["B 0-4 g", "A 6-7 x"], "A 2-8 u",
     "superseded world_change", ["B 0-2 g", "A 2-8 u"]),
    ("over a value in two windows that touch", ["B 0-4 u", "B 4- u"], "A 2 u",
     "superseded world_change", ["A 2- u", "B 0-2 u"]),
    ("over a value that was restated at a higher grade", ["B 0-4 g", "B 4- u"], "A 2 t",
     "inserted history_split", ["A 2-4 t", "B 0-2 g", "B 4- u"]),
    ("told late, before what was said again", ["B 0- u @6"], "A 3 u @3", "inserted history_split",
     ["A 3-6 u", "B 0-3 u", "B 6- u"]),
    ("told late, before what a lower grade said again", ["B 0- g @6"], "A 3 u @3",
     "superseded world_change", ["A 3- u", "B 0-3 g"]),
    ("said last, of a time before", ["B 0- u @6"], "A 3 u @7", "superseded world_change",
     ["A 3- u", "B 0-3 u"]),
    ("told late, its end stated", ["B 0- u @6"], "A 3-9 u @3", "superseded world_change",
     ["A 3-9 u", "B 0-3 u", "B 9- u"]),
    ("told late, of the same time", ["B 0- u @6"], "A 0 u @3", "superseded correction",
     ["A 0-6 u", "B 6- u"]),
    ("told late, the other was observed past its end", ["B 0-5 u @6"], "A 3 u @3",
     "superseded world_change", ["A 3- u", "B 0-3 u"]),
    ("around what is its own", ["B 0-2 u", "A 2-4 u", "C 4- u"], "A 1-6 u",
     "inserted history_split", ["B 0-1 u", "A 1-6 u", "C 6- u"]),
]  # fmt: skip

CONTESTS: list[Row] = [
    ("lower", ["B 0- u"], "A 4 g", "contested lower_grade_never_displaces",
     ["B 0- u", "?A 4- g"]),
    ("lower, same time", ["B 0- u"], "A 0 g", "contested lower_grade_never_displaces",
     ["B 0- u", "?A 0- g"]),
    ("lower, history stays its own", ["B 0-4 u", "C 4- u"], "A 2 g",
     "contested lower_grade_never_displaces", ["B 0-4 u", "C 4- u", "?A 2-4 g"]),
    ("one of several outranks", ["B 0-4 g", "C 4- u"], "A 2-6 t",
     "contested lower_grade_never_displaces", ["B 0-4 g", "C 4- u", "?A 2-6 t"]),
    ("no end stated yields to the one that outranks", ["B 0-4 g", "C 4- u"], "A 2 t",
     "inserted history_split", ["B 0-2 g", "A 2-4 t", "C 4- u"]),
    ("again", ["B 0- u", "?A 4- g"], "A 4 g", "reinforced same_value", ["B 0- u", "?A 4- g"]),
    ("again, later", ["B 0- u", "?A 4- g"], "A 6 g", "reinforced same_value",
     ["B 0- u", "?A 4- g"]),
    ("again, earlier", ["B 0- u", "?A 4- g"], "A 2 g", "reinforced same_value_wider_window",
     ["B 0- u", "?A 2- g"]),
    ("again, higher: never raises", ["B 0- u", "?A 4- g"], "A 4 t", "reinforced same_value",
     ["B 0- u", "?A 4- g"]),
    ("again, lower", ["B 0- u", "?A 4- t"], "A 2 g", "reinforced same_value",
     ["B 0- u", "?A 4- t"]),
    ("again, touching", ["B 0- u", "?A 4-6 g"], "A 6-8 g", "reinforced same_value_wider_window",
     ["B 0- u", "?A 4-8 g"]),
    ("another", ["B 0- u", "?A 4- g"], "C 4 g", "contested lower_grade_never_displaces",
     ["B 0- u", "?A 4- g", "?C 4- g"]),
    ("the value stands beside a higher one already", ["A 0-4 g", "B 4- u"], "A 2-6 g",
     "reinforced same_value_lower_grade", ["A 0-4 g", "B 4- u"]),
    ("settled for the contested", ["B 0- u", "?A 4- g"], "A 6 u", "superseded world_change",
     ["B 0-6 u", "A 6- u"]),
    ("settled for one of two", ["B 0- u", "?A 4- g", "?C 4- g"], "A 4 u",
     "superseded world_change", ["B 0-4 u", "A 4- u", "?C 4- g"]),
    ("settled against: review has the rest", ["B 0- u", "?A 4- g"], "C 4 u",
     "superseded world_change", ["B 0-4 u", "C 4- u", "?A 4- g"]),
    ("a better contest outlives a guess", ["B 0-4 u", "?A 2- t"], "A 4 g", "inserted new_value",
     ["B 0-4 u", "A 4- g", "?A 2- t"]),
    ("settled as far as nobody better objects", ["B 0-4 u", "?A 2- g"], "A 4 g",
     "inserted new_value", ["B 0-4 u", "A 4- g", "?A 2-4 g"]),
    ("settled apart from its window", ["B 0-4 u", "?A 2-3 g"], "A 4 g", "inserted new_value",
     ["B 0-4 u", "A 4- g", "?A 2-3 g"]),
]  # fmt: skip

GRADES: list[Row] = [
    (f"{incoming} comes, {held} is held", [f"B 0- {held}"], f"A 4 {incoming}",
     "superseded world_change" if at <= below else "contested lower_grade_never_displaces",
     [f"B 0-4 {held}", f"A 4- {incoming}"] if at <= below else
     [f"B 0- {held}", f"?A 4- {incoming}"])
    for below, held in enumerate("uotgx")
    for at, incoming in enumerate("uotgx")
]  # fmt: skip

OF_A_SYSTEM: list[Row] = [
    ("a tool outranks the user", ["B 0- u"], "A 4 t", "superseded world_change",
     ["B 0-4 u", "A 4- t"]),
    ("the user does not outrank a tool", ["B 0- t"], "A 4 u",
     "contested lower_grade_never_displaces", ["B 0- t", "?A 4- u"]),
    ("an operator outranks both", ["B 0-4 t", "C 4- u"], "A 2-6 o", "inserted history_split",
     ["B 0-2 t", "A 2-6 o", "C 6- u"]),
    ("widened by a higher grade only", ["A 4- t"], "A 0 u", "reinforced same_value", ["A 4- t"]),
]  # fmt: skip

OF_MANY: list[Row] = [
    ("another value", ["B 0- u"], "A 4 g", "inserted new_value", ["A 4- g", "B 0- u"]),
    ("another value, same time", ["B 0- u"], "A 0 x", "inserted new_value",
     ["A 0- x", "B 0- u"]),
    ("the same", ["A 0- u", "B 0- u"], "A 4 u", "reinforced same_value", ["A 0- u", "B 0- u"]),
    ("the same, after it ended", ["A 0-4 u", "B 0- u"], "A 6 u", "inserted new_value",
     ["A 0-4 u", "A 6- u", "B 0- u"]),
    ("the same, before it ended", ["A 0-4 u", "B 0- u"], "A 2 u", "reinforced same_value",
     ["A 0-4 u", "B 0- u"]),
    ("no end stated: others do not bound it", ["B 5- u"], "A 0 u", "inserted new_value",
     ["A 0- u", "B 5- u"]),
]  # fmt: skip


def _cases() -> list[object]:
    tables = {
        "inserts": (ONE, INSERTS), "repeats": (ONE, REPEATS), "changes": (ONE, CHANGES),
        "contests": (ONE, CONTESTS), "grades": (ONE, GRADES), "system": (SYSTEM, OF_A_SYSTEM),
        "many": (MANY, OF_MANY),
    }  # fmt: skip
    return [
        pytest.param(slot, *row[1:], id=f"{table}: {row[0]}")
        for table, (slot, rows) in tables.items()
        for row in rows
    ]


@pytest.mark.parametrize(("slot", "held", "incoming", "decision", "after"), _cases())
def test_the_table(
    slot: Slot, held: list[str], incoming: str, decision: str, after: list[str]
) -> None:
    history, given = SlotHistory.of(*held), candidate(incoming)
    plan = reconcile(given, history.held, slot)
    history.apply(plan, given)
    assert f"{plan.outcome} {plan.rule}" == decision
    assert texts_of(history.held) == sorted(after)


def test_the_order_in_which_versions_are_held_does_not_count() -> None:
    held = ["B 0-4 u", "C 4- u", "?A 2-4 g", "A 9-9999 x"]
    given = candidate("A 2 u")
    forth, back = SlotHistory.of(*held), SlotHistory.of(*held[::-1])
    forth.apply(reconcile(given, forth.held, ONE), given)
    back.apply(reconcile(given, back.held, ONE), given)
    assert texts_of(forth.held) == texts_of(back.held)


def test_what_takes_over_is_named_where_it_does() -> None:
    history = SlotHistory.of("B 0- u")
    rome = history.apply(reconcile(candidate("A 4 u"), history.held, ONE), candidate("A 4 u"))
    (before,) = [version for version in history.held if version.value_key == "B"]
    assert before.superseded_by == rome

    for_a_while = SlotHistory.of("B 0- u")
    given = candidate("A 4-6 u")
    plan = reconcile(given, for_a_while.held, ONE)
    away = for_a_while.apply(plan, given)
    found = {v.valid.start: v.superseded_by for v in for_a_while.held if v.value_key == "B"}
    assert list(found.values()) == [away, None]
    assert plan.incumbent == memory_of(for_a_while, "B 0-4 u")


def test_a_value_that_returns_keeps_its_memory() -> None:
    history = SlotHistory.of("A 0-4 u", "B 4- u")
    first = memory_of(history, "A 0-4 u")
    given = candidate("A 4 u")
    plan = reconcile(given, history.held, ONE)
    assert (plan.reinforces, plan.window) == (first, None)
    assert history.apply(plan, given) == first


def test_a_higher_grade_that_displaces_is_held_at_its_own_grade() -> None:
    history = SlotHistory.of("A 0-4 g", "B 4- g")
    given = candidate("A 4 u")
    plan = reconcile(given, history.held, ONE)
    history.apply(plan, given)
    assert texts_of(history.held) == ["A 0-4 g", "A 4- u"]
    guess = candidate("B 6 t")
    assert reconcile(guess, history.held, ONE).outcome == "contested"


def test_of_several_incumbents_the_latest_is_named() -> None:
    history = SlotHistory.of("B 0-4 u", "C 4- u")
    plan = reconcile(candidate("A 2-6 g"), history.held, ONE)
    assert plan.incumbent == memory_of(history, "C 4- u")


def test_what_is_quarantined_takes_no_part() -> None:
    history = SlotHistory.of("B 0- u")
    quarantined = [replace(version, standing="quarantined") for version in history.held]
    assert reconcile(candidate("A 4 x"), quarantined, ONE).rule == "new_value"
    assert reconcile(candidate("B 4 x"), quarantined, ONE).rule == "new_value"


def test_reversed_bounds_are_refused() -> None:
    with pytest.raises(ValueError, match="ends after it starts"):
        reconcile(candidate("A 4-4 u"), [], ONE)


@pytest.mark.parametrize(
    ("held", "incoming", "turns", "outcome"),
    [
        ("B 3- u @3", "A 3 u @3", (1, 0), "rejected corrected_in_a_later_turn"),
        ("B 3- u @3", "A 3-9 u @3", (1, 0), "rejected corrected_in_a_later_turn"),
        ("B 3- u @3", "A 3 u @3", (0, 1), "superseded correction"),
        ("B 3- u @3", "A 3 u @3", (1, 1), "superseded correction"),
        ("B 3- u @3", "A 3 u @3", (None, 0), "superseded correction"),
        ("B 3- u @3", "A 3 u @3", (1, None), "superseded correction"),
        ("B 3- g @3", "A 3 u @3", (1, 0), "superseded correction"),
        ("B 3- u @3", "A 4 u @3", (1, 0), "superseded world_change"),
        ("A 3- u @3", "A 3 u @3", (1, 0), "reinforced same_value"),
    ],
)
def test_of_one_instant_the_later_turn_holds(
    held: str, incoming: str, turns: tuple[int | None, int | None], outcome: str
) -> None:
    versions = [replace(one, turn=turns[0]) for one in SlotHistory.of(held).held]
    plan = reconcile(replace(candidate(incoming), turn=turns[1]), versions, ONE)
    assert f"{plan.outcome} {plan.rule}" == outcome
    if plan.outcome == "rejected":
        assert (plan.ends, plan.remainders, plan.windows) == ((), (), ())
        assert plan.reinforces == versions[0].memory_id
