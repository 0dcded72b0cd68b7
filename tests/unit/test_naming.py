"""Which memory is meant by a statement that takes one back or replaces it (RULES 5).

| said | held | named |
|---|---|---|
| nearly the same subject words | one | it |
| the same | several, one clearly nearer | that one |
| the same | several, none clearly | all of them |
| other words, or none | any | none |
| what it replaces is named | only with these words or that number | it |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.naming import named
from muniment.domain.text import analyzer_for

HELD = [
    "The orders table lags five days behind.",
    "The invoices table lags five days behind.",
    "Nora asks: Always winsorize before you compute correlations.",
    "Exclude EU accounts from the revenue queries.",
    "Exclude test accounts from the churn queries.",
    "Nora wants weekly grain, not daily.",
]


@pytest.mark.parametrize(
    ("said", "replaces", "meant"),
    [
        ("The lag of the orders table is three days now, not five.", "five", [0]),
        ("The lag of the orders table is three days now, not 5.", "5", [0]),
        ("The lag of the orders table is three days now, not six.", "six", []),
        ("The table lags three days now, not five.", "five", [0, 1]),
        ("Nora asks: Forget what I said about winsorizing.", None, [2]),
        ("Forget the winsorizing rule.", None, [2]),
        ("Forget the EU rule.", None, [3]),
        ("Nora no longer needs the churn queries to exclude test accounts.", None, [4]),
        ("The orders table is fixed since Monday.", None, [0]),
        ("The customers feed is fixed.", None, []),
        ("Forget it.", None, []),
        ("Exclude accounts no longer from queries.", None, [3, 4]),
        ("Nora wants daily grain now, not weekly.", "weekly", [5]),
    ],
)
def test_what_is_named(said: str, replaces: str | None, meant: list[int]) -> None:
    assert named(said, replaces, HELD, analyzer_for(), ["Nora"]) == meant


def test_nothing_held_nothing_named() -> None:
    assert named("Forget the EU rule.", None, [], analyzer_for(), []) == []


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=4))
def test_only_what_is_held_is_named(said: str, texts: list[str]) -> None:
    found = named(said, None, texts, analyzer_for(), [])
    assert set(found) <= set(range(len(texts)))
    assert found == sorted(found)
