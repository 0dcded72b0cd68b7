"""Echoes of what was recalled in a session (RULES 10).

| turn, beside what recall returned | echo |
|---|---|
| the same words | yes |
| the same in another person, order or form of its words | yes |
| a part of it, of three content words or more | yes |
| fewer content words: an answer | no |
| words that only lead into it ("you mentioned that") | yes |
| any other word more: it may be what changed | no |
| another number, or a number more | no |
| a denial that was not recalled | no |
| words of two items together | no |
| nothing but function words, or nothing at all | no |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.echo import CHATTER, LEAST_WORDS, echoes, recalled
from muniment.domain.text import analyzer_for

TEAM = "Nora's team releases every Tuesday from the harbour office in Gouda."
LAG = "The orders table lags three days behind, 72 hours at most."
ITEMS = (TEAM, LAG)


@pytest.mark.parametrize(
    ("said", "echo"),
    [
        (TEAM, True),
        (TEAM.upper(), True),
        ("Your team releases every Tuesday from the harbour office in Gouda.", True),
        ("From the harbour office in Gouda the team is releasing every Tuesday.", True),
        ("So you release every Tuesday in Gouda, do you?", True),
        ("Tuesday, from Gouda.", False),
        ("Gouda.", False),
        ("Right, you mentioned that your team releases every Tuesday in Gouda.", True),
        ("Nora's team releases every Tuesday from the harbour office in Delft.", False),
        ("The team releases from Rotterdam.", False),
        ("The team releases every Tuesday from Gouda and Rotterdam with Pim.", False),
        ("The orders table lags 72 hours behind.", True),
        ("The orders table lags 48 hours behind.", False),
        ("The orders table lags three days behind since 2025.", False),
        ("The team does not release every Tuesday from Gouda.", False),
        ("The team never releases on Tuesday from Gouda.", False),
        ("The team isn’t in the harbour office of Gouda.", False),
        ("The orders table in the harbour office lags.", False),
        ("It is what it is.", False),
        ("", False),
    ],
)
def test_what_echoes(said: str, echo: bool) -> None:
    analyzer = analyzer_for()
    assert echoes(said, [recalled(item, analyzer) for item in ITEMS], analyzer) is echo


def test_a_denial_that_was_recalled_is_an_echo() -> None:
    analyzer = analyzer_for()
    items = [recalled("Nora does not eat fresh coriander.", analyzer)]
    assert echoes("You do not eat fresh coriander.", items, analyzer)


@given(st.text(max_size=200))
def test_nothing_recalled_nothing_echoed(said: str) -> None:
    assert not echoes(said, (), analyzer_for())


@given(st.text(max_size=200))
def test_a_text_echoes_itself_or_is_too_short(said: str) -> None:
    analyzer = analyzer_for()
    long = len(set(analyzer.stems(said)) - set(analyzer.stems(CHATTER))) >= LEAST_WORDS
    assert echoes(said, [recalled(said, analyzer)], analyzer) is long
