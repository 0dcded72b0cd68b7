"""What recurs and what it becomes: the rules of the curator (RULES 4.4, 6, 8).

The tables of ``domain/curation`` by cases; then for any set of sentences:

| property |
|---|
| the order in which they come does not matter |
| each is in one group, of one speaker, of one value and polarity |
| what is promoted was said in enough sessions, within the look-back, and is counted once |
| promoted and counted, the same set promotes nothing more |
| the work grows with the number of sentences, not with its square; no text takes long |
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.curation import (
    HeldText,
    Place,
    Promotable,
    Recurrence,
    Recurring,
    Spoken,
    Told,
    aside,
    promotable,
    sentences,
    worded,
)
from muniment.domain.curation.recurrence import groups
from muniment.domain.curation.words import METHOD
from muniment.domain.likeness import likeness
from muniment.domain.text import analyzer_for
from tests.support.growth import grows_linearly

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
ANALYZER = analyzer_for()
GENERIC = aside(ANALYZER, ["Sanne"])
RULE = Recurrence(promote_after=3, look_back=90 * DAY, overlap=0.8, most=30)


def told(*contents: str, source: str | None = None, **more: Any) -> list[Told]:
    """A turn a day, each of a session of its own."""
    return [
        replace(
            Told(UUID(int=at), UUID(int=1000 + at), None, content, START + at * DAY, source), **more
        )
        for at, content in enumerate(contents)
    ]


def spoken(turns: Sequence[Told]) -> list[Spoken]:
    return [*sentences(turns, ANALYZER, GENERIC)]


def found(
    turns: Sequence[Told],
    held: Sequence[HeldText] = (),
    taken: Mapping[Place, UUID | None] | None = None,
) -> list[Promotable]:
    return promotable(spoken(turns), held, taken or {}, RULE)


def words_of(*contents: str, source: str | None = None) -> list[tuple[str, str, str | None] | None]:
    """What each group that recurs becomes."""
    made = [worded(one.group, "Sanne") for one in found(told(*contents, source=source))]
    return [None if one is None else (one.kind, one.text, one.data_source) for one in made]


# What it becomes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Show me that by week.", "Sanne keeps asking for it by week."),
        ("Can you show me that by week?", "Sanne keeps asking for it by week."),
        ("as a table please", "Sanne keeps asking for it as a table."),
        ("Could I have this as a table?", "Sanne keeps asking for it as a table."),
        ("I want it by week", "Sanne keeps asking for it by week."),
        ("Weekly please", "Sanne keeps asking for it weekly."),
        ("In Dutch, please.", "Sanne keeps asking for it in Dutch."),
        ("Thanks, shorter please!", "Sanne keeps asking for it shorter."),
        ("Show me the revenue by week, please.", "Sanne keeps asking for it by week."),
        ("Break down the churn by week.", "Sanne keeps asking for it by week."),
        ("Please show me those numbers as a chart.", "Sanne keeps asking for those numbers as a chart."),
        ("I'd like the prices in euros this time.", "Sanne keeps asking for it in euros."),
        ("Could you break it down by week?", "Sanne keeps asking: Break it down by week."),
        ("Round to two decimals.", "Sanne keeps asking: Round to two decimals."),
        ("Don't include the totals.", "Sanne keeps asking: Do not include the totals."),
        ("Use my full name.", "Sanne keeps asking: Use Sanne's full name."),
        ("Keep it under 200 words.", "Sanne keeps asking: Keep it under 200 words."),
    ],
)  # fmt: skip
def test_wishes(said: str, text: str) -> None:
    assert words_of(said, said, said) == [("user_preference", text, None)]
    # Of form, it is a preference wherever it is said.
    if not METHOD.match(said):
        assert words_of(said, said, said, source="orders") == [("user_preference", text, None)]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Winsorize before the correlations.", "On orders, Sanne keeps asking: Winsorize before the correlations."),
        ("For this one, drop the test accounts first.", "On orders, Sanne keeps asking: Drop the test accounts first."),
        ("Show me the refunds.", "On orders, Sanne keeps asking for the refunds."),
        ("We usually drop the test accounts first.", "Sanne's team usually drops the test accounts first."),
    ],
)  # fmt: skip
def test_habits_on_one_source(said: str, text: str) -> None:
    assert words_of(said, said, said, source="orders") == [("domain_pattern", text, "orders")]
    mixed = [*told(said, said, source="orders"), *told(said, said, said, source="sales")[2:]]
    (one,) = found(mixed)
    made = worded(one.group, "Sanne")
    assert made is None or (made.kind != "domain_pattern" and made.data_source is None)


@pytest.mark.parametrize(
    ("said", "kind", "text"),
    [
        ("I cycle to the office along the canal.", "fact", "Sanne cycles to the office along the canal."),
        ("We ship on Thursdays.", "fact", "Sanne's team ships on Thursdays."),
        ("Our standup is at ten.", "fact", "Sanne's standup is at ten."),
        ("The orders table is loaded at noon.", "fact", "The orders table is loaded at noon."),
        ("I love long walks along the canal.", "user_preference", "Sanne loves long walks along the canal."),
    ],
)  # fmt: skip
def test_statements(said: str, kind: str, text: str) -> None:
    assert words_of(said, said, said) == [(kind, text, None)]


@pytest.mark.parametrize(
    "said",
    [
        "What was revenue last week?",
        "How do I sort it by week?",
        "Can you tell me how it works?",
        "Tell me about the orders.",
        "Can you help me?",
        "Try again.",
        "Continue.",
        "Summarise this.",
        "Yes, that one please.",
        "I want a dog.",
        "I have a question about the orders.",
        "I need help with the orders table.",
        "I am looking at the dashboard.",
        "We are late with the report today.",
        "That table is wrong.",
        "You forgot the header row.",
        "My brother cycles to the office every day.",
        "Anna said that we ship on Thursdays.",
        "If I moved to Delft I would cycle.",
        "Maybe we ship on Thursdays.",
        "I'm so tired.",
        "Oh great, another wonderful outage of the orders table, lol.",
        "Let me check the orders.",
        "Book a flight to Paris.",
        "Send it to Anna.",
        "Show me the refunds.",
        "Translate the contract.",
        "I looked at the refunds and they went up.",
    ],
)
def test_what_becomes_nothing(said: str) -> None:
    assert [one for one in words_of(said, said, said) if one is not None] == []


def test_the_wording_that_was_used_most() -> None:
    (one,) = found(told("Weekly please", "Show me that by week.", "Show me that by week."))
    made = worded(one.group, None)
    assert made is not None
    assert made.text == "The user keeps asking for it by week."


def test_without_a_name() -> None:
    (one,) = found(told(*["Winsorize before the correlations."] * 3, source="orders"))
    made = worded(one.group, None)
    assert made is not None
    assert made.text == "On orders, the user keeps asking: Winsorize before the correlations."


def test_each_sentence_counts_for_itself() -> None:
    turns = told(
        "Good morning! Show me that by week.",
        "We cycle. By week, please.",
        "> Show me that by month.\n\nWeekly, please. Thanks!",
    )
    (one,) = found(turns)
    assert [said.place for said in one.group.spoken] == [
        (UUID(int=0), 1), (UUID(int=1), 1), (UUID(int=2), 0),
    ]  # fmt: skip


def test_what_a_memory_was_drawn_from_does_not_count() -> None:
    said = "I live in Gouda. Show me that by week."
    turns = told(said, said, said, drawn=("Sanne lives in Gouda.",))
    (one,) = found(turns)
    assert {place[1] for place in (said.place for said in one.group.spoken)} == {1}


# What recurs ----------------------------------------------------------------------------------


def memory(text: str, **more: Any) -> HeldText:
    return replace(
        HeldText(
            memory_id=UUID(int=77), kind="user_preference", data_source=None, text=text,
            like=likeness(text, ANALYZER, aside=GENERIC), observed_at=START - DAY, until=None,
            open=True, promoted=False,
        ),
        **more,
    )  # fmt: skip


WEEKLY = ("Show me that by week.", "Weekly, please.", "Can you show me that by week?")
HELD = "Sanne keeps asking for it by week."


@pytest.mark.parametrize(
    ("said", "held", "sessions"),
    [
        (WEEKLY[:2], (), []),
        (WEEKLY, (), [3]),
        ((*WEEKLY, "Show me that by month."), (), []),
        ((*WEEKLY, "Show me that in euros."), (), [3]),
        (("Show me the churn by week.", "Show me the sales by week.", "Weekly, please."), (), [3]),
        (("Do not show it by week.", *WEEKLY[:2]), (), []),
        (("Keep it under 200 words.", "Keep it under 100 words.", "Keep it under 200 words."), (), []),
        (WEEKLY, (memory(HELD),), [3]),
        (WEEKLY, (memory(HELD, open=False),), []),
        (WEEKLY, (memory(HELD, until=START - DAY),), [3]),
        (WEEKLY, (memory(HELD, until=START + DAY),), []),
        (WEEKLY, (memory(HELD, until=START + 9 * DAY),), []),
        (WEEKLY, (memory("Sanne wants it by month."),), [3]),
        (WEEKLY, (memory("Wants it by month.", observed_at=START + 9 * DAY),), [3]),
        (WEEKLY, (memory("Sanne keeps asking for it by month.", observed_at=START + 9 * DAY),), []),
    ],
)  # fmt: skip
def test_when_it_is_promoted(
    said: Sequence[str], held: Sequence[HeldText], sessions: list[int]
) -> None:
    assert [one.group.sessions for one in found(told(*said), held)] == sessions


def test_what_is_held_is_reinforced() -> None:
    (one,) = found(told(*WEEKLY), (memory(HELD),))
    assert one.reinforces is not None
    assert (one.reinforces.memory_id, one.replaces) == (UUID(int=77), None)


@pytest.mark.parametrize(("promoted", "replaces"), [(True, True), (False, False)])
def test_another_value_that_was_promoted_gives_way(promoted: bool, replaces: bool) -> None:
    before = memory("Sanne keeps asking for it by month.", promoted=promoted)
    (one,) = found(told(*WEEKLY), (before,))
    assert (one.replaces is not None, one.reinforces) == (replaces, None)


def test_what_was_counted_is_counted_once() -> None:
    turns = told(*WEEKLY, *WEEKLY)
    gone = {(UUID(int=at), 0): None for at in range(3)}
    (one,) = found(turns, (), gone)
    assert one.group.sessions == 3
    assert found(turns[:5], (), gone) == []
    there = dict.fromkeys(gone, UUID(int=77))
    (one,) = found(turns[:4], (memory(HELD),), there)
    assert (one.group.sessions, one.reinforces is not None) == (1, True)
    assert found(turns[:3], (memory(HELD),), there) == []
    assert found(turns[:4], (memory(HELD, until=START),), there) == []


def test_one_session_and_the_look_back() -> None:
    turns = told(*WEEKLY)
    assert found([replace(one, session=UUID(int=5)) for one in turns]) == []
    early = replace(turns[0], occurred_at=START - 100 * DAY)
    assert found([early, *turns[1:]]) == []


def test_speakers_are_apart() -> None:
    turns = told(*WEEKLY, *WEEKLY)
    named = [replace(one, name="Jo" if at % 2 else "Mia") for at, one in enumerate(turns)]
    assert [one.group.spoken[0].speaker for one in found(named)] == ["Mia", "Jo"]
    assert found([replace(one, name=str(at)) for at, one in enumerate(turns)]) == []


# For any set ----------------------------------------------------------------------------------

POOL = (
    *WEEKLY, "Show me that by month.", "as a table please", "I cycle to work.",
    "I never cycle to work.", "We ship 5 boxes on Thursdays.", "We ship 6 boxes on Thursdays.",
    "We met Anna in Gouda.", "We met Bert in Gouda.", "Thanks!",
)  # fmt: skip
TURNS = st.lists(
    st.tuples(st.sampled_from(POOL), st.integers(0, 5), st.integers(0, 120)), max_size=30
).map(
    lambda drawn: [
        Told(UUID(int=at), UUID(int=500 + session), None, content, START + day * DAY, None)
        for at, (content, session, day) in enumerate(drawn)
    ]
)


@given(TURNS, st.randoms(use_true_random=False))
def test_order_does_not_matter(turns: list[Told], rng: random.Random) -> None:
    mixed = turns[:]
    rng.shuffle(mixed)
    assert found(turns) == found(mixed)


@given(TURNS)
def test_groups(turns: list[Told]) -> None:
    every = sorted(spoken(turns), key=lambda one: (one.moment, one.session, one.place))
    made = groups(every, RULE.overlap)
    assert sorted(one.place for group in made for one in group.spoken) == sorted(
        one.place for one in every
    )
    for group in made:
        assert len({(one.speaker, one.like.exact) for one in group.spoken}) == 1


@given(TURNS)
def test_what_is_promoted(turns: list[Told]) -> None:
    promoted = found(turns)
    places = [said.place for one in promoted for said in one.group.spoken]
    assert len(places) == len(set(places))
    for one in promoted:
        assert one.group.sessions >= RULE.promote_after
        first, last = one.group.spoken[0], one.group.spoken[-1]
        assert last.moment - first.moment <= RULE.look_back
    assert found(turns, (), dict.fromkeys(places)) == []


def test_the_work_is_bounded() -> None:
    kinds = spoken(told(*[f"Show me number {at} of the list by week." for at in range(97)]))

    def promote(count: int) -> None:
        every = [
            replace(kinds[at % 97], place=(UUID(int=at), 0), session=UUID(int=at))
            for at in range(count)
        ]
        promotable(every, [], {}, RULE)

    assert grows_linearly(promote, 4000)


@pytest.mark.parametrize(
    "text",
    [
        "please " * 9000, "as " * 20000, "show me " * 8000, "for a, " * 9000, "I " * 30000,
        "1" * 60000, "a" * 60000, "- " * 30000, "ok, so " * 9000 + "by week", "\u0301" * 60000,
    ],
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    def read(size: int) -> None:
        every = spoken(told(*[text[:size]] * 3))
        for group in groups(every, RULE.overlap):
            worded(Recurring(group.spoken), "Sanne")

    assert grows_linearly(read, len(text))
