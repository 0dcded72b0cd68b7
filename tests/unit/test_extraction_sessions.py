"""What turns say together: corrections, confirmations, privacy, echoes; and exact days."""

from dataclasses import replace
from datetime import datetime

import pytest

from muniment.domain.extraction import extract
from muniment.domain.slot import Slot
from tests.unit.extraction import SLOTS, extraction, given, session, slotted

# The turns of a session, and the values that hold at its end.
TOGETHER = [
    (("I live in Ghent.", "Sorry, I live in Bruges."), {("city", "Bruges")}),
    (("I live in Ghent.", "As I said, I live in Ghent."), {("city", "Ghent")}),
    (
        ("I'm allergic to nuts.", "And I'm allergic to soy."),
        {("allergy", "nuts"), ("allergy", "soy")},
    ),
    (("A: You are in Munich, right?", "Yes, exactly."), {("city", "Munich")}),
    (("A: So you work at Initech?", "Correct."), {("employer", "Initech")}),
    (("A: So you're in Munich.", "berlin."), {("city", "berlin")}),
    (("A: I've set your city to Mumbai.", "No, Pune."), {("city", "Pune")}),
    (("A: Your place is in the centre?", "Thanks for asking."), set()),
    (("A: You live in Munich.", "No."), set()),
    (("A: You live in Munich.", "What time is it there?"), set()),
    (("A: You live in Munich and you work at Initech.", "Yes."), set()),
    (
        ("A: Head of engineering, I suppose!", "Ha, no. Senior data engineer."),
        {("role", "Senior data engineer")},
    ),
    (("I moved to Monte Rosa.", "Just kidding!"), set()),
    (("I work at Contoso.", "Don't remember that."), set()),
    (("I live in Ghent. Please don't remember this.",), set()),
    (("T: city=Ghent", "Thanks."), set()),
    (("X: I live in Ghent and I'm allergic to nuts.", "What do I answer?"), set()),
    (("A: You live in Ghent.",), set()),
    (("We have a dog called Rex.", "We no longer have a dog."), {("pet", "Rex")}),
    (
        ("From 1 June I work at Contoso.", "29 May is my last day at Initech."),
        {("employer", "Contoso"), ("employer", "Initech")},
    ),
]


# A question of the assistant, the answer, and the value that it gives.
ANSWERED = [
    ("Where are you based?", "Ghent.", ("city", "Ghent")),
    ("And where do you live now?", "in Bruges, since March", ("city", "Bruges")),
    ("Who do you work for?", "Contoso, in the Leeds branch.", ("employer", "Contoso")),
    ("What is your role there?", "Deputy registrar.", ("role", "Deputy registrar")),
    ("As what?", "As a ward manager", ("role", "ward manager")),
    ("Which time zone are you in?", "CET.", ("timezone", "CET")),
    ("Which region should I deploy to?", "eu-west-1, please", ("deploy_region", "eu-west-1")),
    ("How should I contact you?", "By letter.", ("contact_channel", "letter")),
    ("Any allergies that the kitchen should know of?", "Peanuts.", ("allergy", "Peanuts")),
    ("What is his name?", "Biscuit!", ("pet", "Biscuit")),
    ("What is the project called?", "Nightjar.", ("project", "Nightjar")),
    ("What's your name?", "Nora Bergmann.", ("name", "Nora Bergmann")),
    ("Which language do you prefer?", "English.", ("language", "English")),
    ("What is the price of the pass?", "40 euros.", ("price", "40 euros")),
    ("What's your address?", "7 Elm Street, Leeds.", ("address", "7 Elm Street, Leeds")),
    ("Any allergies?", "None.", None),
    ("Any allergies?", "No, thanks.", None),
    ("Where do you live?", "Why do you ask?", None),
    ("Where are you based?", "My brother lives in Oslo.", None),
    ("Where are you based?", "I'd rather not say.", None),
    ("Shall I book it?", "Ghent.", None),
    ("Which region and which plan?", "eu-west-1.", None),
    ("Which language does the client speak?", "Not sure.", None),
]


@pytest.mark.parametrize(("question", "answer", "expected"), ANSWERED)
def test_a_short_answer_is_understood_by_its_question(
    question: str, answer: str, expected: tuple[str, str] | None
) -> None:
    assert slotted(given(f"A: {question}", answer)) == ({expected} if expected else set())


@pytest.mark.parametrize(("turns", "expected"), TOGETHER)
def test_what_holds_at_the_end_of_a_session(
    turns: tuple[str, ...], expected: set[tuple[str, str]]
) -> None:
    assert slotted(given(*turns)) == expected


def test_a_value_restated_is_one_candidate_of_both_turns() -> None:
    (one,) = given("I live in Ghent.", "Yes, I live in Ghent.")
    assert (one.value, one.cited) == ("Ghent", (1, 2))


def test_a_value_changed_in_the_session_names_what_it_replaces() -> None:
    (one,) = given("I live in Ghent.", "Actually I live in Bruges.")
    assert (one.value, one.replaces, one.cited) == ("Bruges", "Ghent", (2,))


def test_a_confirmed_guess_cites_both_turns() -> None:
    (one,) = given("A: You live in Munich?", "Yes, exactly.")
    assert (one.value, one.cited) == ("Munich", (1, 2))


def test_a_retraction_closes_a_value() -> None:
    (one,) = given("I no longer work at Contoso.")
    assert (one.slot, one.value, one.retracts) == ("employer", "Contoso", True)


FORGOTTEN: list[tuple[str, set[tuple[str | None, str | None]]]] = [
    ("Forget that I have a cat.", {("pet", "cat")}),
    ("Please forget I have a cat.", {("pet", "cat")}),
    ("Can you forget that I have a cat?", {("pet", "cat")}),
    ("OK, disregard the fact that I live in Ghent.", {("city", "Ghent")}),
    ("Forget that I work at Contoso!", {("employer", "Contoso")}),
    ("Forget that I play tennis.", {(None, None)}),
    ("Forget that the orders table has duplicate rows.", {(None, None)}),
    # Left aside for a while, of another, or already over.
    ("Ignore that I'm allergic to nuts for this question.", set()),
    ("Forget that my brother lives in Ghent.", set()),
    ("Forget that I no longer live in Ghent.", set()),
]


@pytest.mark.parametrize(("said", "taken_back"), FORGOTTEN)
def test_what_is_to_be_forgotten_takes_back(
    said: str, taken_back: set[tuple[str | None, str | None]]
) -> None:
    found = given(said)
    assert {(one.slot, one.value) for one in found} == taken_back
    assert all(one.retracts and one.text.startswith("No longer so: ") for one in found)


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Never forget that I live in Ghent.", {("city", "Ghent")}),
        ("Forget that, I live in Ghent.", {("city", "Ghent")}),
        ("Forget that I live in Ghent, I moved to Bruges.", {("city", "Bruges")}),
        ("Forget that I live in Ghent. I work at Contoso.", {("employer", "Contoso")}),
    ],
)
def test_what_is_said_beside_it_holds(said: str, holds: set[tuple[str, str]]) -> None:
    assert slotted(given(said)) == holds


def test_repaired_data_closes_a_statement() -> None:
    (one,) = given("The billing_export table no longer has duplicates.")
    assert (one.kind, one.retracts, one.data_source) == ("data_quality", True, "billing_export")


def test_an_echo_gives_nothing() -> None:
    (turn,) = session("I live in Ghent.")
    assert extract([replace(turn, echo=True)], SLOTS).candidates == ()


def test_what_was_withdrawn_already_takes_nothing_else_along() -> None:
    turns = session("I live in Ghent.", "I work at Contoso.", "Don't remember that.")
    withdrawn = [turns[0], replace(turns[1], content="", echo=True), replace(turns[2], echo=True)]
    assert [one.value for one in extract(withdrawn, SLOTS).candidates] == ["Ghent"]


def test_another_language_is_not_guessed_at() -> None:
    found = extraction("Ich wohne in Berlin und arbeite bei Siemens.", "Mein Name ist Nora.")
    assert (found.candidates, found.unsupported_language) == ((), True)


def test_every_candidate_cites_a_turn_of_the_user() -> None:
    turns = (
        "A: You live in Munich?",
        "Yes.",
        "I'm Nora and I hate olives.",
        "T: ok",
        "Use metric units in every recipe.",
    )
    users = {turn.turn for turn in session(*turns) if turn.role == "user"}
    found = given(*turns)
    assert found
    assert all(set(one.cited) & users for one in found)


def test_a_tenants_own_slots_go_by_their_cues() -> None:
    own = {
        "cost_centre": Slot("cost_centre", "one", cues=("cost centre", "book everything on *")),
        "blood_type": Slot("blood_type", "one", cues=("blood type",)),
        "badge": Slot("badge", "one", value_type="number", cues=("badge number",)),
    }
    said = session(
        "Our cost centre is K-4711.", "My blood type is AB negative.", "My badge number is 2291."
    )
    assert slotted(extract(said, own).candidates) == {
        ("cost_centre", "K-4711"),
        ("blood_type", "AB negative"),
        ("badge", "2291"),
    }


def test_a_memory_speaks_of_the_user_in_the_third_person() -> None:
    texts = [
        one.text
        for one in given("I always want my reports in weekly grain.", "I'm allergic to soy.")
    ]
    assert texts == ["Nora always wants their reports in weekly grain.", "Nora is allergic to soy."]


def test_without_a_name_it_is_the_user() -> None:
    (one,) = extract(session("I live in Ghent.", name=None), SLOTS).candidates
    assert one.text == "The user lives in Ghent."


# Said on Wednesday, 13 May 2026: from when, until when.
DAYS = [
    ("I moved to Ghent yesterday.", "2026-05-12", None),
    ("I moved to Ghent on Monday.", "2026-05-11", None),
    ("We moved to Ghent on 2 May.", "2026-05-02", None),
    ("We moved to Ghent on May 2nd.", "2026-05-02", None),
    ("Since 1 April I live in Ghent.", "2026-04-01", None),
    ("I've lived in Ghent since 15 December 2024.", "2024-12-15", None),
    ("I've been living in Ghent since December 20.", "2025-12-20", None),
    ("From 1 June I live in Ghent.", "2026-06-01", None),
    ("Starting Monday I live in Ghent.", "2026-05-18", None),
    ("As of today I live in Ghent.", "2026-05-13", None),
    ("From tomorrow on I live in Ghent.", "2026-05-14", None),
    ("Two weeks ago I moved to Ghent.", "2026-04-29", None),
    ("I moved to Ghent 3 days ago.", "2026-05-10", None),
    ("I moved to Ghent last Friday.", "2026-05-08", None),
    ("I'm moving to Ghent next Friday.", "2026-05-22", None),
    ("I am moving to Ghent in two weeks.", "2026-05-27", None),
    ("I moved to Ghent on the 3rd.", "2026-05-03", None),
    ("From the 20th I live in Ghent.", "2026-05-20", None),
    ("I live in Ghent until 30 June.", None, "2026-07-01"),
    ("I moved to Ghent on 2026-02-28.", "2026-02-28", None),
    ("I moved to Ghent last week.", None, None),
    ("I moved to Ghent in May.", None, None),
    ("I moved to Ghent recently.", None, None),
    ("I moved to Ghent last month.", None, None),
    ("I moved to Ghent in 2019.", "2019-01-01", None),
    ("I moved to Ghent on the first of May.", "2026-05-01", None),
    ("From June first I live in Ghent.", "2026-06-01", None),
    ("I live in Ghent.", None, None),
]


@pytest.mark.parametrize(("said", "start", "end"), DAYS)
def test_days_are_exact_or_left_out(said: str, start: str | None, end: str | None) -> None:
    (one,) = given(said)
    days = tuple(
        None if at is None else at.date().isoformat() for at in (one.valid_from, one.valid_to)
    )
    assert (one.value, *days) == ("Ghent", start, end)


@pytest.mark.parametrize(
    ("at", "said", "start"),
    [
        ("2026-03-01T00:30:00+05:30", "We moved to Pune yesterday.", "2026-02-28T00:00:00+05:30"),
        ("2025-12-31T23:50:00-06:00", "Tomorrow I start at Halbton.", "2026-01-01T00:00:00-06:00"),
        (
            "2026-01-02T09:00:00+13:00",
            "Since 31 December I live in Ghent.",
            "2025-12-31T00:00:00+13:00",
        ),
        ("2024-03-01T08:00:00+00:00", "I moved to Ghent yesterday.", "2024-02-29T00:00:00+00:00"),
    ],
)
def test_days_are_those_of_the_speakers_own_calendar(at: str, said: str, start: str) -> None:
    (one,) = given(said, at=datetime.fromisoformat(at))
    assert one.valid_from is not None
    assert one.valid_from.isoformat() == start
