"""Kinds of wording, not single wordings: a row is a turn, and what it gives of its slot.

| kind | then |
|---|---|
| an introduction without a sentence | name, role, employer |
| the employer as subject, or in apposition | employer, role |
| living in other words | city |
| what the body does not bear, said sideways | allergy |
| how to reach one, and how not | channel, refusal |
| what is fronted, or named a sentence later | dislike, skill, pet, project |
| prices, stock, plans, zones by their topic | the value |
| a plain statement of what lasts | one statement with its words |
| an order for every time, a rule that is announced | a preference |
| in play, in a mood, supposed, quoted, asked | nothing |
"""

from datetime import datetime

import pytest

from muniment.domain.extraction import extract
from tests.unit.extraction import SLOTS, extraction, given, session

SLOTTED = [
    (
        "Hi! Ilse here, payroll over at Corvid Mutual.",
        {("name", "Ilse"), ("employer", "Corvid Mutual")},
    ),
    (
        "Morning. Marek Dvorak, field engineer with Halden Water. I'll send you meter files.",
        {("name", "Marek Dvorak"), ("role", "field engineer"), ("employer", "Halden Water")},
    ),
    ("so quick intro: Odile, I run the night desk.", {("name", "Odile")}),
    (
        "I'm Petra, actuary in the pensions team of Alba Life.",
        {("name", "Petra"), ("employer", "Alba Life")},
    ),
    (
        "Norrland Rail hired me as signal engineer.",
        {("employer", "Norrland Rail"), ("role", "signal engineer")},
    ),
    (
        "I got a job at a studio downtown, Pale Fox, as an animator.",
        {("employer", "Pale Fox"), ("role", "animator")},
    ),
    ("Changed teams, scrum master since the 4th.", {("role", "scrum master")}),
    ("I work for the national weather service.", {("employer", "national weather service")}),
    ("I ended up in Tartu for good.", {("city", "Tartu")}),
    ("We have been Bergen people since Easter.", {("city", "Bergen")}),
    ("I translate from the same kitchen table in Cuenca.", {("city", "Cuenca")}),
    ("I'm Detroit, born and raised.", {("city", "Detroit")}),
    ("Hazelnuts are what I react to, the EpiPen is in my bag.", {("allergy", "Hazelnuts")}),
    ("No celery for me, my throat closes.", {("allergy", "celery")}),
    ("I have allergy to lupin.", {("allergy", "lupin")}),
    ("People can always catch me on Signal.", {("contact_channel", "Signal")}),
    ("With email I answer the same day.", {("contact_channel", "email")}),
    ("Don't send anything to my work email.", {("do_not_contact", "work email")}),
    ("Ballet I have never enjoyed.", {("dislike", "Ballet")}),
    ("I don't do karaoke nights. Can't stand them.", {("dislike", "karaoke nights")}),
    ("Elixir I know very well.", {("skill", "Elixir")}),
    ("We took in a greyhound. She answers to Comet.", {("pet", "Comet")}),
    ("We changed the name of our app: new name. It is Lanternfish.", {("project", "Lanternfish")}),
    ("I'm heads down on the Brisbane audit till June.", {("project", "Brisbane audit")}),
    ("I'm at EUR 0.14 since March, that's my new rate per word.", {("price", "EUR 0.14")}),
    ("My calendar runs on CET already.", {("timezone", "CET")}),
    ("To me you write only English.", {("language", "English")}),
]

STATEMENTS = [
    ("We close the workshop on Fridays.", ("fact", ["workshop", "Fridays"])),
    ("We don't hold any card data.", ("fact", ["card data"])),
    ("I carry the pager from Monday the 8th through Sunday the 14th.", ("fact", ["pager"])),
    ("I gave up sugar in my tea in January.", ("fact", ["sugar"])),
    ("My daughter has her insulin at seven every morning.", ("fact", ["insulin", "seven"])),
    ("The kiln is booked out until 3 July.", ("fact", ["kiln", "July"])),
    ("We hand in the grant report on 30 April.", ("fact", ["grant report"])),
    ("We are eleven people in our lab.", ("fact", ["eleven"])),
    (
        "House rule for captions: no more than nine words.",
        ("user_preference", ["captions", "nine"]),
    ),
    ("For anything you draft in my name: British spelling.", ("user_preference", ["British"])),
    (
        "The figures you make for the board: whole numbers only.",
        ("user_preference", ["whole numbers"]),
    ),
    ("Churn goes by quarter with me, not by month.", ("user_preference", ["quarter"])),
]

NOTHING = [
    "Lovely, the lift is broken again.",
    "Very kind of them to send it on Sunday night.",
    "If we moved to Crete I'd sleep until noon.",
    "One fine day I open a bar and never answer the phone again.",
    "Wouldn't mind living in Lisbon one day.",
    "I'm shattered, I never want to see another spreadsheet.",
    "haha I work at the bakery of broken dreams",
    '"We close on Fridays", you said.',
    'The landlord wrote: "You moved to Lyon in May and keep two dogs in the flat."',
    "Did the chairs arrive on the 30th",
    "My colleague Bert moves to Hasselt on Monday.",
    "Pull the March figures for me",
    "The 14th to the 22nd.",
    "Exactly what I have been waiting for, another outage on Monday.",
]

DATED = [
    ("I start at the tram museum a week today.", "2026-05-20", None),
    ("From 2 June I work at Contoso.", "2026-06-02", None),
    ("We are closed from 8 to 10 June.", "2026-06-08", "2026-06-11"),
    ("From tomorrow our shop is closed for one week.", "2026-05-14", "2026-05-21"),
    (
        "I carry the pager from Monday the 1st through Sunday the 7th of June.",
        "2026-06-01",
        "2026-06-08",
    ),
    ("Our lab shuts tomorrow and opens again on the 20th.", "2026-05-14", "2026-05-20"),
]


@pytest.mark.parametrize(("said", "expected"), SLOTTED)
def test_a_kind_of_wording_gives_its_values(said: str, expected: set[tuple[str, str]]) -> None:
    found = extract(session(said, name=None), SLOTS).candidates
    assert expected <= {(one.slot, one.value) for one in found if not one.retracts}


@pytest.mark.parametrize(("said", "expected"), STATEMENTS)
def test_what_lasts_is_one_statement_in_its_words(
    said: str, expected: tuple[str, list[str]]
) -> None:
    kind, words = expected
    found = [one for one in given(said) if one.slot is None]
    assert [one.kind for one in found] == [kind]
    assert all(word in found[0].text for word in words)


@pytest.mark.parametrize("said", NOTHING)
def test_what_is_not_meant_or_not_ones_own_gives_nothing(said: str) -> None:
    assert [(one.rule, one.text) for one in given(said)] == []


@pytest.mark.parametrize(("said", "start", "end"), DATED)
def test_days_in_the_usual_forms(said: str, start: str, end: str | None) -> None:
    def day(at: datetime | None) -> str | None:
        return None if at is None else f"{at:%Y-%m-%d}"

    assert (start, end) in {(day(one.valid_from), day(one.valid_to)) for one in given(said)}


def test_a_region_keeps_its_name_in_the_third_person() -> None:
    (one,) = [c for c in extraction("Our backups stay in us-west-2.").candidates if c.slot is None]
    assert "us-west-2" in one.text


def test_one_statement_and_one_wish_of_a_turn() -> None:
    found = given("House rule for slides: black on cream. We have two readers with low vision.")
    assert sorted(one.kind for one in found) == ["fact", "user_preference"]


def test_an_employer_said_in_short_is_the_same_employer() -> None:
    (one,) = [
        c
        for c in given("Alba Imaging hired me as planner.", "Alba starts me on 1 June.")
        if c.slot == "employer"
    ]
    assert (one.value, f"{one.valid_from:%Y-%m-%d}") == ("Alba Imaging", "2026-06-01")
