"""What a text states in the place where another states a value.

| held, its value | said | the new value |
|---|---|---|
| in the same words, another phrase there | whatever the case and the last stop | that phrase |
| other words around it | | none |
| more than one phrase there | | none |
| the value stands twice, or not at all | | none |
| nothing there | | none |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.statement import instead_of

GOUDA = "Nora lives in Gouda."


@pytest.mark.parametrize(
    ("content", "stated", "other", "value"),
    [
        (GOUDA, "Gouda", "Nora lives in Delft.", "Delft"),
        (GOUDA, "Gouda", "nora LIVES in Den Haag", "Den Haag"),
        ("Gouda is home.", "Gouda", "Delft is home.", "Delft"),
        (GOUDA, "Gouda", "Her home is Delft.", None),
        (GOUDA, "Gouda", "Nora works in Delft.", None),
        (GOUDA, "Gouda", "Nora lives in Delft and works in Breda.", None),
        (GOUDA, "Gouda", "Nora lives in Delft. She sails.", None),
        (GOUDA, "Gouda", "Nora lives in not Gouda", None),
        (GOUDA, "Gouda", "Nora lives in .", None),
        (GOUDA, "Gouda", "Nora lives in", None),
        (GOUDA, "Breda", "Nora lives in Delft.", None),
        ("Gouda is Gouda.", "Gouda", "Delft is Delft.", None),
    ],
)
def test_cases(content: str, stated: str, other: str, value: str | None) -> None:
    assert instead_of(content, stated, other) == value


@given(st.text(), st.text(min_size=1), st.text())
def test_it_is_a_part_of_what_is_said(content: str, stated: str, other: str) -> None:
    value = instead_of(content, stated, other)
    assert value is None or (value and value == value.strip())


@given(st.text("abc", min_size=1, max_size=9), st.text("def", min_size=1, max_size=9))
def test_whatever_stood_there(before: str, after: str) -> None:
    assert instead_of(f"It is {before}.", before, f"It is {after}.") == after
