"""The extractive summary: what it quotes, cites, dates and leaves out."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.summary import MIN_LIMIT, Summary, SummaryTurn, summarise
from muniment.errors import InvalidInput
from tests.support.growth import grows_linearly

START = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
END = START + timedelta(minutes=24)


def turn(number: int, content: str, speaker: str = "Ann") -> SummaryTurn:
    return SummaryTurn(number, speaker, content)


def of(*turns: SummaryTurn, limit: int = 600) -> Summary:
    return summarise(turns, START, END, limit)


SESSION = (
    turn(1, "Hey Bo! Good to see you! How are you?"),
    turn(2, "Hi Ann! We moved the office to the old harbour in Ghent.", "Bo"),
    turn(3, "Wow, that's great!"),
    turn(4, "Thanks! The harbour office has room for forty people. What do you think?", "Bo"),
    turn(5, "I prefer the harbour. I'm allergic to the dust in Mill Street."),
    turn(6, "haha", "Bo"),
)


def test_quotes_what_was_kept_in_order_of_time_under_the_date() -> None:
    assert of(*SESSION) == Summary(
        "On 8 May 2023 (13:56 to 14:20 UTC):\n"
        "Bo: We moved the office to the old harbour in Ghent.\n"
        "Bo: The harbour office has room for forty people.\n"
        "Ann: I prefer the harbour. I'm allergic to the dust in Mill Street.",
        (2, 4, 5),
    )


def test_prefers_what_matters_more_when_room_is_short() -> None:
    turns = (
        turn(1, "The lift in the new building is painted blue."),
        SummaryTurn(2, "Ann", "I'm allergic to gluten.", importance=10),
        turn(3, "The stairs in the new building are painted red."),
    )
    assert 2 in of(*turns, limit=MIN_LIMIT).cited


def test_says_a_thing_once() -> None:
    found = of(
        turn(1, "The depot in Ghent has forty docks."),
        turn(2, "In Ghent the depot has forty docks."),
    )
    assert found.cited == (1,)


@pytest.mark.parametrize(
    "left_out",
    [
        SummaryTurn(9, "mail", "The board approved the merger.", role="external", usable=False),
        SummaryTurn(9, "Ann", "The board approved the merger.", kept=False),
        SummaryTurn(9, "Ann", "Thanks, see you tomorrow!"),
        SummaryTurn(9, "Ann", "?!"),
        SummaryTurn(9, "Ann", ""),
    ],
)
def test_leaves_out_what_may_not_or_need_not_be_built_on(left_out: SummaryTurn) -> None:
    assert of(left_out) == Summary("On 8 May 2023 (13:56 to 14:20 UTC): nothing was kept.", ())
    assert of(*SESSION, left_out).cited == (2, 4, 5)


def test_no_turns() -> None:
    assert of().cited == ()


@pytest.mark.parametrize(
    ("start", "minutes", "heading"),
    [
        (START, 0, "On 8 May 2023 (13:56 UTC):"),
        (START, 24, "On 8 May 2023 (13:56 to 14:20 UTC):"),
        (START, 1440, "From 8 May 2023 (13:56) to 9 May 2023 (13:56 UTC):"),
        (
            START.astimezone(timezone(timedelta(hours=-3, minutes=-30))),
            4,
            "On 8 May 2023 (10:26 to 10:30 UTC-03:30):",
        ),
        (START.astimezone(timezone(timedelta(hours=11))), 0, "On 9 May 2023 (00:56 UTC+11:00):"),
    ],
)
def test_headings(start: datetime, minutes: int, heading: str) -> None:
    end = (start + timedelta(minutes=minutes)).astimezone(UTC)
    assert summarise(SESSION, start, end).text.startswith(f"{heading}\n")


@pytest.mark.parametrize(
    ("start", "end", "limit", "pointer"),
    [
        (START.replace(tzinfo=None), END, 600, "/started_at"),
        (START, END.replace(tzinfo=None), 600, "/ended_at"),
        (END, START, 600, "/ended_at"),
        (START, END, MIN_LIMIT - 1, "/limit_chars"),
    ],
)
def test_refuses(start: datetime, end: datetime, limit: int, pointer: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        summarise(SESSION, start, end, limit)
    assert [fault.pointer for fault in refused.value.faults] == [pointer]


def test_a_sentence_longer_than_the_summary_is_cut_between_words() -> None:
    found = of(turn(3, "The depot in Ghent has " + "very " * 200 + "wide docks."), limit=MIN_LIMIT)
    assert found.cited == (3,)
    assert found.text.endswith("very …")
    assert len(found.text) <= MIN_LIMIT


def test_nothing_inside_a_turn_can_open_a_line_of_another_speaker() -> None:
    forged = "We sold the depot\u2028Bo: I owe Ann\r\nBo: forty euros\x85Bo: and\u2029Bo: a car."
    lines = of(turn(1, forged), limit=900).text.splitlines()
    assert all(line.startswith(("On 8 May", "Ann: ")) for line in lines)


def test_sentences_left_out_between_two_of_one_turn_are_marked() -> None:
    found = of(turn(1, "We moved to Ghent in May. Wow! The depot there has forty docks."))
    assert found.text.endswith("Ann: We moved to Ghent in May. … The depot there has forty docks.")


def test_scripts_without_spaces() -> None:
    found = of(turn(1, "私は東京に住んでいます。犬を二匹飼っています。"), turn(2, "ありがとう！"))
    assert "私は東京に住んでいます。" in found.text
    assert 1 in found.cited


CONTENT = st.lists(
    st.sampled_from(
        [
            "We moved to Ghent.",
            "Hi!",
            "Dr. Smith pays 3.5 euros a day.",
            "I prefer tea to coffee in the morning.",
            "The depot has forty docks and two cranes.",
            "私は東京に住んでいます。",
            "Why does our checkout fail?",
        ]
    )
    | st.text(max_size=60),
    max_size=4,
).map(" ".join)
TURNS = st.lists(
    st.tuples(CONTENT, st.sampled_from(["Ann", "Bo", "", "x" * 60]), st.booleans(), st.booleans()),
    max_size=25,
)


@given(rows=TURNS, limit=st.integers(MIN_LIMIT, 900))
def test_cites_exactly_what_it_quotes(rows: list[tuple[str, str, bool, bool]], limit: int) -> None:
    turns = [
        SummaryTurn(number, speaker, content, kept=kept, usable=usable)
        for number, (content, speaker, kept, usable) in enumerate(rows)
    ]
    found = summarise(turns, START, END, limit)
    assert found == summarise(turns, START, END, limit)
    assert len(found.text) <= limit
    assert list(found.cited) == sorted(set(found.cited))
    lines = found.text.split("\n")[1:]
    assert len(lines) == len(found.cited)
    for line, number in zip(lines, found.cited, strict=True):
        quoted = line.partition(": ")[2]
        said = " ".join(turns[number].content.split())
        assert turns[number].kept
        assert turns[number].usable
        for part in quoted.split(" … "):
            assert part.removesuffix(" …") in said


def test_two_thousand_turns() -> None:
    turns = [
        turn(n, f"Depot {n} in Ghent has {n % 97} docks. Thanks! We like it.") for n in range(2_000)
    ]
    assert of(*turns).cited
    assert grows_linearly(lambda size: of(*turns[:size]), len(turns))
