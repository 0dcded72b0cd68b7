"""What states nothing that lasts is no memory, and a value is of its slot's type.

| kind | then |
|---|---|
| weather, hunger, sleep, an output, what was done just now | nothing |
| the assistant as the subject, "not me", a bare fragment | nothing |
| a firm that is a habit, an animal, a part of a number plate | no firm |
| a place that only begins a sentence, a street that is a weekday | none |
"""

import pytest

from muniment.domain.extraction.unlasting import is_fragment, states_nothing
from muniment.domain.gate import GateContext, GateInput, judge
from muniment.domain.gate.passing import of_the_moment
from tests.unit.extraction import days, given, slotted

NOTHING = [
    "It's bucketing it down and I've been awake since 5.",
    "I've just put the bins out.",
    "I fancy a slice of toast.",
    "I could murder a curry.",
    "TypeError: cannot read property 'id' of undefined",
    "warning[W0301]: unused variable in module cart",
    "My neighbour has allergy to the milk, not me.",
    "Just the totals then: 410, 380, 95",
    "No, not keen at all.",
    "New broom, new ways.",
    "You convinced me with the second chart.",
    "Some background so you're not guessing.",
]
KEPT = [
    "I never take the lift.",
    "Our warehouse closes on 30 June.",
    "You can call my mother on Sundays only.",
    "Porto in the first week of July.",
    "I've been in charge of the archive since 2019.",
]


@pytest.mark.parametrize("said", NOTHING)
def test_what_states_nothing_that_lasts_gives_nothing(said: str) -> None:
    assert not given("A: Go on.", said)


@pytest.mark.parametrize("said", KEPT)
def test_what_lasts_is_of_none_of_these_builds(said: str) -> None:
    assert not states_nothing(said)
    assert not is_fragment(said)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("My van is a Vito, plate starts with QX.", set()),
        ("I live by myself with Major, my cockatoo.", {("pet", "Major")}),
        ("We moved. Old address was fine too.", set()),
        ("We moved. Groningen, third floor.", {("city", "Groningen")}),
        ("Our office hours are Tue-Fri 9 to 6.", set()),
        ("We have two goats though, Hilda and Bess.", {("pet", "Hilda"), ("pet", "Bess")}),
        ("I have shifted to Nagpur from 1st May.", {("city", "Nagpur")}),
        ("We have shifted to Python from 1st May.", set()),
        ("im nora, i run the front desk", {("name", "nora")}),
        ("Starting Sept 1 I'm deputy head at the shop.", {("role", "deputy head")}),
        ("im nervous, i run tomorrow", set()),
    ],
)
def test_a_value_is_of_the_type_of_its_slot(said: str, wanted: set[tuple[str, str]]) -> None:
    assert slotted(given(said)) == wanted


@pytest.mark.parametrize("habit", ["smoking", "drinking", "sugar", "coffee"])
def test_a_habit_that_is_given_up_is_a_fact_and_no_firm(habit: str) -> None:
    (fact,) = given(f"I quit {habit} on January 3rd.")
    assert fact.slot is None
    assert not fact.retracts
    assert f"quit {habit}" in fact.text


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("I'm having my hip replaced on 9 September.", "2026-09-09"),
        ("My nephew's school is closing on 9 September.", "2026-09-09"),
        ("We're open Tue-Sat from ten.", None),
    ],
)
def test_what_goes_on_is_ahead_and_a_span_of_weekdays_is_no_day(
    said: str, first: str | None
) -> None:
    assert {start for start, _ in days(said)} <= {first}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("My back is killing me today.", False),
        ("I dropped the keys this morning, nothing broken.", False),
        ("I started on insulin today.", True),
        ("We adopted a foal this morning.", True),
        ("I moved out this morning.", True),
    ],
)
def test_how_things_are_just_now_is_let_go_unless_it_names_what_stays(
    said: str, kept: bool
) -> None:
    before = GateInput("assistant", "Noted.", None)
    verdict = judge(GateInput("user", said, "Nora"), GateContext(before, frozenset(), frozenset()))
    assert verdict.kept is kept
    assert of_the_moment(said) is not kept
