"""Questions: informative words, times asked for, periods named."""

from datetime import UTC, date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.ranking.question import Days, Question, Span, parse_question
from muniment.domain.text import Analyzer, stable_hash

ANALYZER = Analyzer("english")
WEDNESDAY = int(datetime(2024, 5, 15, 10, tzinfo=UTC).timestamp()) * 1_000_000


def day(year: int, month: int, number: int) -> int:
    """Days since the epoch."""
    return (date(year, month, number) - date(1970, 1, 1)).days


def test_words_are_distinct_stems_in_order() -> None:
    question = parse_question("What is the dog's name, and which dogs bark?", ANALYZER)
    assert question.words == (
        ("dog", stable_hash("dog")),
        ("name", stable_hash("name")),
        ("bark", stable_hash("bark")),
    )
    assert question.content == "dog name bark"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("When did she move?", True),
        ("  when did she move?", True),
        ("How long has he lived here?", True),
        ("Since when does he smoke?", True),
        ("In which month did they marry?", True),
        ("What year was it?", True),
        ("And when was that?", True),
        ("What did he do when she left?", False),
        ("Where is he?", False),
        ("Whenever you like", False),
        ("", False),
    ],
)
def test_which_questions_ask_for_a_time(text: str, asks: bool) -> None:
    assert parse_question(text, ANALYZER).asks_time is asks


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("What happened on 7 May 2023?", (Days(2023, 5, 7),)),
        ("What happened on 3rd of July?", (Days(None, 7, 3),)),
        ("What happened on July 3, 2022?", (Days(2022, 7, 3),)),
        ("what happened on jul 3rd", (Days(None, 7, 3),)),
        ("What happened on 2023-05-07?", (Days(2023, 5, 7),)),
        ("What happened in 2023-05?", (Days(2023, 5),)),
        ("What happened in May 2023?", (Days(2023, 5),)),
        ("What happened in december?", (Days(None, 12),)),
        ("What happened in 2021?", (Days(2021),)),
        ("Between March and June 2020?", (Days(None, 3), Days(2020, 6))),
        ("What may happen? They march on.", ()),
        ("How many of the 300 dogs?", ()),
        ("Call 12345678", ()),
        ("", ()),
    ],
)
def test_periods_that_are_written_out(text: str, periods: tuple[Days, ...]) -> None:
    assert parse_question(text, ANALYZER).periods == periods


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("What did I do yesterday?", (day(2024, 5, 14), day(2024, 5, 15))),
        ("What did I say today?", (day(2024, 5, 15), day(2024, 5, 16))),
        ("What did I do last week?", (day(2024, 5, 6), day(2024, 5, 13))),
        ("What did I do last month?", (day(2024, 4, 1), day(2024, 5, 1))),
        ("What did I do last year?", (day(2023, 1, 1), day(2024, 1, 1))),
        ("What did I do 3 days ago?", (day(2024, 5, 12), day(2024, 5, 13))),
        ("What did I do 2 weeks ago?", (day(2024, 4, 28), day(2024, 5, 5))),
    ],
)
def test_periods_relative_to_now(text: str, span: tuple[int, int]) -> None:
    assert parse_question(text, ANALYZER, now=WEDNESDAY).periods == (Span(*span),)
    assert parse_question(text, ANALYZER).periods == ()


@pytest.mark.parametrize(
    ("days", "spans"),
    [
        (Days(2023, 5, 7), [(day(2023, 5, 7), day(2023, 5, 8))]),
        (Days(2023, 12), [(day(2023, 12, 1), day(2024, 1, 1))]),
        (Days(2023), [(day(2023, 1, 1), day(2024, 1, 1))]),
        (Days(None, 2), [(day(y, 2, 1), day(y, 3, 1)) for y in (2023, 2024)]),
        (Days(None, 2, 29), [(day(2024, 2, 29), day(2024, 3, 1))]),
        (Days(2023, 2, 30), []),
        (Days(2023, 13), []),
        (Days(0), []),
        (Days(9999, 12), []),
    ],
)
def test_spans_of_a_period(days: Days, spans: list[tuple[int, int]]) -> None:
    assert days.spans([2023, 2024]) == spans


@given(st.text(), st.integers(0, 4_000_000_000_000_000))
def test_any_text_is_a_question(text: str, now: int) -> None:
    question = parse_question(text, ANALYZER, now=now)
    for period in question.periods:
        assert all(start < end for start, end in period.spans([2024]))


def test_a_vector_is_added_without_changing_the_rest() -> None:
    vector = np.ones(4, dtype=np.float32)
    assert parse_question("dogs", ANALYZER).with_vector(vector).vector is vector
    assert Question(words=()).with_vector(None) == Question(words=())
