"""Firms, places and what one does; whose a fact is; how one lives just now.

| the turn | what is kept |
|---|---|
| "I drive a bus for Tull" | the employer, and what one does there |
| "This is Petra from Nordfracht" | name and employer; "from Leeds", "from Sales": the name alone |
| "From April I am in X" | where one lives; where one works, if X is a firm by its form or its work |
| "My flatmate's sister is a nurse" | nothing: she is not of the user's world |
| "At the moment I rent a flat" | as "I rent a flat" |
"""

import pytest

from muniment.domain.extraction import extract
from muniment.domain.gate import GateContext, GateInput, judge
from tests.unit.extraction import SLOTS, given, session, slotted

NOBODY = GateContext(None, frozenset(), frozenset())


def unnamed(said: str) -> set[tuple[str, str]]:
    """The slots of a turn whose speaker has no name yet."""
    return slotted(extract(session(said, name=None), SLOTS).candidates)


@pytest.mark.parametrize(
    ("said", "firm", "does"),
    [
        ("I drive a bus for Cedar County.", "Cedar County", "drives a bus"),
        ("I drive a forklift at Kemper Steel.", "Kemper Steel", "drives a forklift"),
        ("I teach maths at Harlow High.", "Harlow High", "teaches maths"),
        ("I nurse at St Vincent's.", "St Vincent's", "nurses at"),
        ("We sell insurance for Aviva.", "Aviva", "sells insurance"),
        ("I do the books for Harmon Timber.", "Harmon Timber", "does the books"),
        ("I run the canteen at Moss Lane Primary.", "Moss Lane Primary", "runs the canteen"),
    ],
)
def test_what_one_does_for_a_firm(said: str, firm: str, does: str) -> None:
    found = given(said)
    assert slotted(found) == {("employer", firm)}
    assert [one for one in found if one.slot is None and does in one.text]


@pytest.mark.parametrize(
    "said",
    [
        "I work for Aviva.",
        "I do revenue analytics at Lumen Compute.",
        "I start at Kemper Steel on 1 July.",
        "I am a bus driver at Cedar County.",
    ],
)
def test_what_a_slot_says_already(said: str) -> None:
    assert not [one for one in given(said) if one.slot is None]


@pytest.mark.parametrize(
    ("said", "slots"),
    [
        ("This is Petra from Nordfracht.", {("name", "Petra"), ("employer", "Nordfracht")}),
        ("This is Petra from Tessel.", {("name", "Petra"), ("employer", "Tessel")}),
        ("It's Petra with Harlow & Finch.", {("name", "Petra"), ("employer", "Harlow & Finch")}),
        (
            "Hello, Joyce from Tull Engineering here.",
            {("name", "Joyce"), ("employer", "Tull Engineering")},
        ),
        ("Sam with Brightwater here.", {("name", "Sam"), ("employer", "Brightwater")}),
        ("This is Petra from Leeds.", {("name", "Petra")}),
        ("This is Petra from Hebden Bridge.", {("name", "Petra")}),
        ("This is Petra from Sales.", {("name", "Petra")}),
        ("This is Petra from the Leeds office.", {("name", "Petra")}),
        ("I'm Sam from Tessel.", {("name", "Sam")}),
        ("Dana from Nordfracht called again.", set()),
    ],
)
def test_who_reports(said: str, slots: set[tuple[str, str]]) -> None:
    assert unnamed(said) == slots


@pytest.mark.parametrize(
    ("said", "slots"),
    [
        ("From April I am in Nordfracht.", {("employer", "Nordfracht")}),
        ("New job! From April I am in Tessel.", {("employer", "Tessel")}),
        ("From April I am in Tessel.", {("city", "Tessel")}),
        ("New job! From April I am in Leeds.", {("city", "Leeds")}),
        ("From May I'll be with Tessel.", {("employer", "Tessel")}),
        ("From May I'll be in Tessel.", {("city", "Tessel")}),
        ("I will be in Amazon from July.", {("employer", "Amazon")}),
        ("I'm in Accenture now.", {("employer", "Accenture")}),
        ("From June I'm at Lisbon.", {("city", "Lisbon")}),
        ("From July I'll be in Sales.", set()),
        ("From July to August I'll be in Lisbon.", set()),
    ],
)
def test_firm_or_place(said: str, slots: set[tuple[str, str]]) -> None:
    assert slotted(given(said)) == slots


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("From May I'll be with Tessel.", True),
        ("In May I will have surgery on my knee.", True),
        ("May I have the report?", False),
        ("may i see it", False),
    ],
)
def test_may_is_a_month_behind_a_preposition(said: str, kept: bool) -> None:
    assert judge(GateInput("user", said, None), NOBODY).kept is kept


@pytest.mark.parametrize(
    "said",
    [
        "My flatmate's sister works at the mint.",
        "My colleague's wife is a nurse.",
        "My boss's husband is a plumber.",
        "My flatmate does everything in kafka.",
        "My roommate is a cook.",
    ],
)
def test_people_of_other_people(said: str) -> None:
    assert given(said) == ()


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("My brother is a vet in Cavan.", "brother"),
        ("My flatmate is called Ola.", "flatmate"),
        ("My boss's assistant handles my travel.", "assistant"),
    ],
)
def test_people_of_the_user(said: str, who: str) -> None:
    found = given(said)
    assert [one.slot for one in found] == [None]
    assert who in found[0].text


@pytest.mark.parametrize(
    "said",
    [
        "At the moment I rent a flat.",
        "I rent a flat at the moment.",
        "For now I'm staying with my parents.",
        "At the moment we have two vans.",
        "Right now I share a house with two nurses.",
        "At the moment I work nights.",
        "I'm working part-time at the moment.",
    ],
)
def test_how_one_lives_just_now(said: str) -> None:
    assert len(given(said)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "At the moment I'm reading a report.",
        "At the moment I have a headache.",
        "At the moment I have two questions.",
        "Right now I'm waiting for the bus.",
        "I'm living out of a suitcase right now.",
        "At the moment I share your view.",
    ],
)
def test_what_passes(said: str) -> None:
    assert given(said) == ()
