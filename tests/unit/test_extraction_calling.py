"""A name is no telephone, a tool no home, a clock no city; a lookalike keeps nothing wrong."""

import pytest

from muniment.domain.extraction import extract
from tests.unit.extraction import SLOTS, given, session, slotted


@pytest.mark.parametrize(
    ("said", "slots"),
    [
        ("Please stop calling me Mr Harrington, Joe is fine.", {("name", "Joe")}),
        ("Don't call me Margaret, it's Maggie.", {("name", "Maggie")}),
        ("Never call me Dr Hale, Ruth will do.", {("name", "Ruth")}),
        ("Stop calling me Mr Harrington.", set()),
        ("Don't call me sir.", set()),
        ("Don't call me on Monday.", {("do_not_contact", "call")}),
        ("Stop calling me at work.", {("do_not_contact", "phone")}),
    ],
)
def test_called_by_a_name(said: str, slots: set[tuple[str, str]]) -> None:
    assert slotted(extract(session(said, name=None), SLOTS).candidates) == slots


@pytest.mark.parametrize(
    ("said", "slots"),
    [
        ("We switched payroll from Sage to Xero.", set()),
        ("We've moved our mail from Exchange to Fastmail as of 1 April.", set()),
        ("We switched from Sage to Xero.", set()),
        ("I switched from Bosch to Siemens.", {("employer", "Siemens")}),
        ("I moved house from Leeds to York.", {("city", "York")}),
        ("I moved from Leeds to York.", {("city", "York")}),
    ],
)
def test_what_moved(said: str, slots: set[tuple[str, str]]) -> None:
    found = given(said)
    assert slotted(found) == slots
    assert found


def test_a_clock_is_no_city() -> None:
    assert slotted(given("I'm in New York time these days.")) == {("timezone", "New York time")}


def test_nobody_is_allergic_to_a_framework() -> None:
    assert "allergy" not in {slot for slot, _ in slotted(given("I'm allergic to React."))}
    assert slotted(given("I'm allergic to latex.")) == {("allergy", "latex")}


@pytest.mark.parametrize("said", ["From next month I'll be in Aarhus for good."])
def test_from_next_month(said: str) -> None:
    assert ("city", "Aarhus") in slotted(given(said))


@pytest.mark.parametrize(
    ("before", "said", "kept"),
    [
        ("A: I'll note the Alder in leather.", "Vinyl, not leather. It's theirs in leather.", True),
        ("A: Noted.", "CEO life: my inbox is a landfill and I am the gull.", False),
        ("A: Noted.", "I get the bus at 7:40.", True),
    ],
)
def test_wording_speaks_against_talk_alone(before: str, said: str, kept: bool) -> None:
    assert bool(given(before, said)) is kept
