"""What a statement names as what was so before; only where it says that it is otherwise now.

| said | before |
|---|---|
| now … not, no longer, instead of, rather than, in place of | the words after it |
| a preference between two, without "now" | nothing: it takes the place of no statement |
| a denial that ends in no other value | nothing |
| a statement of a slot | nothing: the slot decides |
| a value of this session, not it but another, as a slip of the tongue or in a few words | the slot has the other one |
| the same words in passing | nothing |
| a wish that is but the value of a slot | the slot alone |
| a verb that is past already | as it is in the third person |
"""

from datetime import UTC, datetime

import pytest

from muniment.domain.extraction import SaidTurn, extract
from muniment.domain.extraction.instead import said_before
from tests.unit.extraction import SLOTS

AT = datetime(2026, 5, 25, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("Our auditor is Lind now, not Brandt.", "Brandt"),
        ("The standup is at nine now, not at ten.", "ten"),
        ("Exports land in the lake now, no longer on the share drive.", "share drive"),
        ("We ship with Kestrel now instead of Post Noord.", "Post Noord"),
        ("Invoices go out weekly now rather than monthly.", "monthly"),
        ("These days the newsletter comes from Ida, not from Per any more.", "Per"),
        ("The cap is 40 seats now, not 25!", "25"),
        ("The budget for ads is 9,000 a month now, not 7,500.", "7,500"),
        ("The rate is 3.2 percent now instead of 2.9.", "2.9"),
        ("The shuttle leaves at 9:15 now, no longer at 8:45.", "8:45"),
        ("I prefer tea, not coffee.", None),
        ("Use tabs instead of spaces.", None),
        ("Our auditor is Lind now.", None),
        ("We know now, not that it helps.", None),
        ("We work from Delft now, not always.", None),
        ("Not now, thanks.", None),
        ("", None),
    ],
)
def test_what_was_said_before(said: str, before: str | None) -> None:
    assert said_before(said) == before


@pytest.mark.parametrize(
    ("said", "replaces"),
    [
        ("Our deputy for payroll is Lotte now, not Henk.", "Henk"),
        ("My physio is Dr Aalto now, no longer Dr Berg.", "Dr Berg"),
        ("The refund limit in our shop is 350 euros now, not 200.", "200"),
        ("The approval threshold for our team is 900 dollars now, not 500.", "500"),
        ("The cap on returns is 40 euros now, not 25.", "25"),
        ("Oh, before I forget: our auditor is Lind now, not Brandt.", "Brandt"),
    ],
)
def test_a_statement_replaces_what_it_names(said: str, replaces: str) -> None:
    found = extract([SaidTurn(1, "user", "Nora", said, AT)], SLOTS).candidates
    assert [(one.slot, one.replaces) for one in found] == [(None, replaces)]


@pytest.mark.parametrize(
    ("first", "then", "slot", "value"),
    [
        ("Best reach me on Signal.", "I mean Matrix, not Signal: that reaches me.", "contact_channel", "Matrix"),
        ("I live in Leuven.", "Sorry, I meant Liège, not Leuven.", "city", "Liège"),
        ("I work at Hexal.", "Wait, Hexalon, not Hexal.", "employer", "Hexalon"),
        ("My name is Tom.", "Tim, not Tom!", "name", "Tim"),
        ("I live in Leuven.", "The dinner is in Liège this time, not Leuven, and late.", "city", "Leuven"),
        ("I live in Leuven.", "Not Leuven.", "city", "Leuven"),
    ],
)  # fmt: skip
def test_a_value_corrected_by_its_words(first: str, then: str, slot: str, value: str) -> None:
    turns = [SaidTurn(at, "user", "Nora", said, AT) for at, said in enumerate((first, then))]
    found = extract(turns, SLOTS).candidates
    assert [one.value for one in found if one.slot == slot] == [value]


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("Please write to me in Italian.", ["language"]),
        (
            "Please write to me in Italian and always add a summary of three lines.",
            ["language", None],
        ),
    ],
)
def test_a_wish_that_is_but_a_value(said: str, kinds: list[str | None]) -> None:
    found = extract([SaidTurn(1, "user", "Nora", said, AT)], SLOTS).candidates
    assert [one.slot for one in found] == kinds


@pytest.mark.parametrize("verb", ["chose", "built", "brought", "began", "broke"])
def test_a_past_verb_stays(verb: str) -> None:
    said = f"We {verb} Postgres for the booking service last week."
    found = extract([SaidTurn(1, "user", "Nora", said, AT)], SLOTS).candidates
    assert all(f" {verb} " in one.text for one in found)
    assert found


def test_long_text_is_read_in_little_time() -> None:
    for text in ("now, not " * 20_000, "now " + "a " * 50_000 + "not b", "not a " * 30_000 + "now"):
        said_before(text)
