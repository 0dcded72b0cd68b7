"""The time that a question names, and whether it is that of the talk (asked on a Wednesday).

``only``: nothing outside of it answers. ``near``: it is preferred, since it may be the time of what
is told. The rest of the question is what is asked of that time.
"""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.ranking.asked_time import asked_time
from muniment.domain.ranking.question import parse_question, within
from muniment.domain.text import Analyzer

WEDNESDAY = date(2026, 6, 10)
ANALYZER = Analyzer("english")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        # A day.
        ("What did we discuss on 3 May?", "2026-05-03", "2026-05-04"),
        ("what did we discuss on may 3rd", "2026-05-03", "2026-05-04"),
        ("What did we discuss on 3 May 2024?", "2024-05-03", "2024-05-04"),
        ("What was said on 2026-05-11?", "2026-05-11", "2026-05-12"),
        ("What did we discuss on 3 December?", "2025-12-03", "2025-12-04"),
        ("What came up yesterday?", "2026-06-09", "2026-06-10"),
        ("What did I tell you today?", "2026-06-10", "2026-06-11"),
        ("What did we talk about the day before yesterday?", "2026-06-08", "2026-06-09"),
        ("What did I say on Monday?", "2026-06-08", "2026-06-09"),
        ("What did I say last Friday?", "2026-06-05", "2026-06-06"),
        ("What did we talk about on the 25th?", "2026-05-25", "2026-05-26"),
        # How long ago: days to the day, longer units with room for the rest.
        ("What did we talk about 38 days ago?", "2026-05-03", "2026-05-04"),
        ("What did I tell you two weeks ago?", "2026-05-24", "2026-05-31"),
        ("What did we discuss a couple of weeks ago?", "2026-05-24", "2026-05-31"),
        ("What did we discuss a month ago?", "2026-04-25", "2026-05-26"),
        ("What did we discuss a year ago?", "2025-03-12", "2025-09-09"),
        # A unit of the calendar.
        ("What did we discuss last month?", "2026-05-01", "2026-06-01"),
        ("What did we discuss this month?", "2026-06-01", "2026-07-01"),
        ("What happened last week?", "2026-06-01", "2026-06-08"),
        ("What was discussed this week?", "2026-06-08", "2026-06-15"),
        ("What did I mention at the weekend?", "2026-06-06", "2026-06-08"),
        ("What did we talk about last year?", "2025-01-01", "2026-01-01"),
        ("What did we talk about in April?", "2026-04-01", "2026-05-01"),
        ("What did we talk about in October?", "2025-10-01", "2025-11-01"),
        ("What did we talk about in May 2024?", "2024-05-01", "2024-06-01"),
        ("What did I report last June?", "2025-06-01", "2025-07-01"),
        ("Summarise our conversations of 2025.", "2025-01-01", "2026-01-01"),
        # A stretch.
        ("What have we discussed since 5 June?", "2026-06-05", "2026-06-11"),
        ("What have we talked about since Monday?", "2026-06-08", "2026-06-11"),
        ("What have we talked about since April?", "2026-04-01", "2026-06-11"),
        ("What did we discuss between 1 April and 5 May?", "2026-04-01", "2026-05-06"),
        ("What did we discuss from 9 to 20 October?", "2025-10-09", "2025-10-21"),
        ("What did I mention in the last three days?", "2026-06-07", "2026-06-11"),
        ("What did we go over in the past two weeks?", "2026-05-27", "2026-06-11"),
    ],
)
def test_a_time_and_nothing_else(text: str, start: str, end: str) -> None:
    found = asked_time(text, WEDNESDAY)
    assert found is not None
    assert (found.start.isoformat(), found.end.isoformat()) == (start, end)
    assert found.use == "only"
    question = within(found, (datetime(2026, 1, 1, tzinfo=UTC),) * 2, ANALYZER)
    assert question.words == (), found.rest


@pytest.mark.parametrize(
    ("text", "words", "rest"),
    [
        ("What did I say about the oven last month?", "last month", "the oven"),
        ("What did we say about flour on 1 April?", "on 1 April", "flour"),
        ("On 5 May, what did I say about Van Dam?", "On 5 May", "Van Dam"),
        ("Yesterday, what did Teun say about the bicycle?", "Yesterday", "the bicycle"),
        (
            "What did we discuss on 3 May about the budget of 2027?",
            "on 3 May",
            "the budget of 2027",
        ),
        ("What have we decided about rye since Monday?", "since Monday", "rye"),
    ],
)
def test_a_time_of_the_talk_with_a_subject(text: str, words: str, rest: str) -> None:
    found = asked_time(text, WEDNESDAY)
    assert found is not None
    assert (found.use, found.words, found.rest) == ("only", words, rest)


@pytest.mark.parametrize(
    "text",
    [
        "When is the inspection in June?",
        "Who starts on 15 June?",
        "Where did Ann go on 3 May?",
        "What did Ann paint last week?",
        "What did we say about the trip in May?",
        "What did I tell you about the invoice of last month that is still open?",
        "What did we discuss for next Friday?",
        "How long are orders kept in 2026?",
        "What will we discuss on 22 June?",
    ],
)
def test_a_time_of_what_is_told_is_a_preference(text: str) -> None:
    found = asked_time(text, WEDNESDAY)
    assert found is None or found.use == "near"


@pytest.mark.parametrize(
    "text",
    [
        "Which flour do we use?", "What did we discuss?", "May I go?", "We march on.", "", "3 loaves",
        "Where does Jan live?", "What did I buy for Jan?", "Is it the car of Jan.", "What did Jan say?",
        "Does June like rye?", "Who is April?", "What did August order?",
    ],
)  # fmt: skip
def test_no_time(text: str) -> None:
    assert asked_time(text, WEDNESDAY) is None


WORDS = """what did we discuss say happened on in since last past this 3 31 99 May may February
    2024-02-30 between and from to week month year days ago a couple of 0 0000 9999 the 25th about
    weekend, Friday easter monday end"""
PIECES = st.sampled_from(WORDS.split())


@given(st.lists(PIECES, max_size=9).map(" ".join) | st.text(max_size=40), st.dates())
def test_nothing_breaks_it(text: str, today: date) -> None:
    try:
        found = asked_time(text, today)
    except OverflowError:
        assert today.year < 100 or today.year > 9990
        return
    if found is not None:
        assert found.start < found.end
        assert found.use == "near" or found.start <= today


@given(st.text(max_size=60))
def test_what_names_no_time_is_asked_as_before(text: str) -> None:
    if asked_time(text, WEDNESDAY) is None:
        now = 1_780_000_000_000_000
        assert parse_question(text, ANALYZER, now=now).within is None
