"""The profile as text: lines, marks, and how many fit (RULES 3.3, 4.5, 12.2).

| item | line |
|---|---|
| a text | `- text` |
| of several lines, with what is not seen | in one line, escaped |
| stale | with its date and "confirm" |
| contested | says by which values, three at most, long ones cut |

| lines | within so many tokens |
|---|---|
| that all fit | all |
| one that does not | is left out whole; what follows may fit |
| none that fits | nothing, 0 tokens |
| any | never more than asked, in their order, and no line that would still have fitted is missing |
"""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.profile import CHARACTERS, fit, line_of, tokens_of

FEBRUARY = datetime(2026, 2, 14, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "stale", "contested", "line"),
    [
        ("Lives in Gouda.", False, [], "- Lives in Gouda."),
        (" Lives\n in\tGouda. ", False, [], "- Lives in Gouda."),
        ("Lives\u202e in\u200b Gouda\x00.", False, [], "- Lives\\u202e in\\u200b Gouda\\u0000."),
        ("- a\n- b", False, [], "- - a - b"),
        ("Is a nurse.", True, [], "- Is a nurse. (as of 2026-02-14; confirm)"),
        ("Is a nurse.", False, ["baker"], "- Is a nurse. (contested: baker)"),
        (
            "Is a nurse.",
            False,
            ["a\nb", "x" * 61, "c", "d"],
            f"- Is a nurse. (contested: a b, {'x' * 59}…, c)",
        ),
        (
            "Is a nurse.",
            True,
            ["baker"],
            "- Is a nurse. (as of 2026-02-14; confirm; contested: baker)",
        ),
        ("住在鹿特丹", False, [], "- 住在鹿特丹"),
    ],
)
def test_lines(text: str, stale: bool, contested: list[str], line: str) -> None:
    assert line_of(text, FEBRUARY, stale=stale, contested=contested) == line


def test_the_date_is_that_of_utc() -> None:
    told = FEBRUARY.astimezone(timezone(timedelta(hours=5)))
    assert "2026-02-14" in line_of("Is a nurse.", told, stale=True, contested=[])


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("x" * 1200, 300)]
)
def test_tokens(text: str, tokens: int) -> None:
    assert tokens_of(text) == tokens


@pytest.mark.parametrize(
    ("lengths", "most", "kept"),
    [
        ((4, 3, 3), 3, (0, 1, 2)),
        ((4, 4), 2, (0,)),
        ((4, 3), 2, (0, 1)),
        ((9, 4), 2, (1,)),
        ((9, 9), 2, ()),
        ((), 2, ()),
    ],
)
def test_what_fits(lengths: tuple[int, ...], most: int, kept: tuple[int, ...]) -> None:
    found = fit(["x" * length for length in lengths], most)
    assert found.kept == kept
    assert found.text == "\n".join("x" * lengths[at] for at in kept)


@given(st.lists(st.text(max_size=80), max_size=40), st.integers(1, 60))
def test_the_budget_holds(texts: list[str], most: int) -> None:
    lines = [line_of(text, FEBRUARY, stale=False, contested=[]) for text in texts]
    found = fit(lines, most)
    assert found.tokens <= most
    assert found.tokens == tokens_of(found.text)
    assert list(found.kept) == sorted(set(found.kept))
    assert [*found.text.split("\n")] == [lines[at] for at in found.kept] or not found.kept
    length = 0
    for at, line in enumerate(lines):
        longer = length + len(line) + bool(length)
        assert (at in found.kept) is (longer <= most * CHARACTERS)
        length = longer if at in found.kept else length
