"""When two sentences say the same (RULES 8.1, 8.2), and when they differ in a value alone.

| | the same | another value |
|---|---|---|
| other words for the same | if enough is common | no |
| another number, day, unit | never | yes |
| the contrary | never | yes |
| another name | never | no: it is another thing |
| the same names or numbers the other way round | never | no |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.likeness import Likeness, alike, gives_other, likeness, overlap
from muniment.domain.text import analyzer_for

ANALYZER = analyzer_for()
ASIDE = frozenset(ANALYZER.stems("show give please"))
TEXT = st.text(alphabet="ab 3€%-.A", max_size=40) | st.sampled_from(
    ["by week", "not by week", "five days", "Anna met Bert", "3,000 rows"]
)


def like(text: str) -> Likeness:
    return likeness(text, ANALYZER, aside=ASIDE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Show me that by week.", "Weekly, please."),
        ("as a table please", "Could you give me this as a table?"),
        ("We ship on Thursdays.", "On Thursday we ship."),
        ("The export has 1,000 rows.", "The export has a thousand rows."),
        ("The lag is five days.", "the lag is 5 days"),
        ("It costs 10% more.", "It costs ten percent more."),
        ("Payday is May 3rd.", "Payday is on 3 May."),
        ("It is 5 €.", "It is 5 euros."),
        ("I don't eat nuts.", "I do not eat nuts."),
        ("Openai is excluded from revenue.", "openai is excluded from revenue"),
    ],
)  # fmt: skip
def test_the_same(one: str, other: str) -> None:
    assert alike(like(one), like(other), 0.8)
    assert alike(like(other), like(one), 0.8)
    assert not gives_other(like(one), like(other), 0.8)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Show me that by week.", "Show me that by month."),
        ("The lag is five days.", "The lag is three days."),
        ("The lag is five days.", "The lag is five hours."),
        ("We ship on Thursdays.", "We ship on Fridays."),
        ("I cycle to work.", "I never cycle to work."),
        ("The export has totals.", "The export has no totals."),
        ("It is -5 degrees.", "It is 5 degrees."),
        ("It costs 2.5 euros.", "It costs 25 euros."),
        ("It costs 5 euros.", "It costs 5 dollars."),
    ],
)  # fmt: skip
def test_another_value(one: str, other: str) -> None:
    assert not alike(like(one), like(other), 0.1)
    assert gives_other(like(one), like(other), 0.8)
    assert gives_other(like(other), like(one), 0.8)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We met Anna about the yearly budget plan of the team.", "We met Bert about the yearly budget plan of the team."),
        ("In the team Anna reports to Bert.", "In the team Bert reports to Anna."),
        ("It takes from 3 to 5 rows.", "It takes from 5 to 3 rows."),
        ("Show me that by week.", "Show me that in euros."),
        ("I cycle to work.", "The orders table is loaded at noon."),
        ("I cycle to work.", "I cycle to school."),
        ("", "by week"),
    ],
)  # fmt: skip
def test_something_else(one: str, other: str) -> None:
    assert not alike(like(one), like(other), 0.8)
    assert not gives_other(like(one), like(other), 0.8)


def test_days_that_are_known_count() -> None:
    first = likeness("I was off", ANALYZER, days=["2026-05-26"])
    assert not alike(first, likeness("I was off", ANALYZER, days=["2026-05-27"]), 0.1)
    assert alike(first, likeness("I was off", ANALYZER, days=["2026-05-26"]), 0.8)


@given(TEXT, TEXT)
def test_both_ways(one: str, other: str) -> None:
    a, b = like(one), like(other)
    assert overlap(a, b) == overlap(b, a)
    assert 0 <= overlap(a, b) <= 1
    assert alike(a, b, 0.8) is alike(b, a, 0.8)
    assert gives_other(a, b, 0.8) is gives_other(b, a, 0.8)
    assert not (alike(a, b, 0.8) and gives_other(a, b, 0.8))
    assert alike(a, a, 0.8) is bool(a.size)
