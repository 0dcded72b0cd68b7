"""Ranking: BM25 against its formula, parts and weights, abstention, speakers, dates."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.ranking.evidence import K1, B, closeness
from muniment.domain.ranking.question import Days
from muniment.domain.ranking.scope_index import ScopeIndex
from muniment.domain.ranking.scoring import RankingPolicy, TierWeights, gather, scaled
from tests.unit.scope_rows import (
    ANALYZER,
    DAY,
    DIMENSIONS,
    NOW,
    Row,
    ask,
    batch,
    fact,
    index_of,
    names,
    view,
)

WEEK = 7 * DAY
NOTHING = RankingPolicy(
    own=0.0,
    before=0.0,
    both=0.0,
    session=0.0,
    session_best=0.0,
    cosine=0.0,
    context_cosine=0.0,
    speaker=0.0,
    length=0.0,
    dated=0.0,
    date=0.0,
)
WORDS = st.lists(st.sampled_from("dog cat tea garden Oslo river stone".split()), max_size=9)  # noqa: SIM905


def weighed(rows: Sequence[Row], question: str, **weights: float) -> list[float]:
    """The evidence of each row with some weights and no others."""
    policy = replace(NOTHING, **weights)  # type: ignore[arg-type]
    everything = np.ones(len(rows), dtype=np.bool_)
    evidence = gather(index_of(rows).scope(), ask(question), everything, NOW, policy)
    return [float(value) for value in evidence.relevance]


def bm25(documents: Sequence[Counter[str]], question: str) -> list[float]:
    """Textbook BM25 over weighted term counts, as a share of what the question could reach."""
    count = len(documents)
    mean = max(sum(document.total() for document in documents) / count, 1.0)
    stems = set(ANALYZER.stems(question))
    frequency = {stem: sum(document[stem] > 0 for document in documents) for stem in stems}
    idf = {s: math.log(1 + (count - n + 0.5) / (n + 0.5)) for s, n in frequency.items() if n}
    scores = []
    for document in documents:
        norm = K1 * (1 - B + B * document.total() / mean)
        score = sum(w * document[s] * (K1 + 1) / (document[s] + norm) for s, w in idf.items())
        scores.append(score / (sum(idf.values()) * (K1 + 1)) if idf else 0.0)
    return scores


@given(st.lists(WORDS, min_size=1, max_size=8), WORDS)
def test_the_turn_key_is_bm25(documents: list[list[str]], question: list[str]) -> None:
    rows = [fact(f"r{at}", " ".join(words)) for at, words in enumerate(documents)]
    expected = bm25([Counter(ANALYZER.stems(row.text)) for row in rows], " ".join(question))
    assert weighed(rows, " ".join(question), own=1.0) == pytest.approx(expected, abs=1e-5)


def test_idf_counts_live_rows_only() -> None:
    rows = [
        fact("a", "dog tea"),
        fact("b", "garden"),
        fact("gone", "dog", recorded_to=NOW),
        fact("dropped", "dog", standing="dropped"),
    ]
    expected = bm25([Counter(ANALYZER.stems(row.text)) for row in rows[:2]], "dog")
    assert weighed(rows, "dog", own=1.0)[:2] == pytest.approx(expected, abs=1e-5)


def test_the_other_keys_add_short_neighbours_whole() -> None:
    texts = ("dog", "tea", "garden")
    rows = [Row(f"r{at}", text, position=at) for at, text in enumerate(texts)]
    filler = [fact(f"f{at}", "stone river") for at in range(5)]
    evidence = [
        weighed([*rows, *filler], "dog", **{key: 1.0})[:3] for key in ("own", "before", "both")
    ]
    spoken = [[value > 0 for value in key] for key in evidence]
    assert spoken == [[True, False, False], [True, True, False], [True, True, False]]
    assert [value > 0 for value in weighed([*rows, *filler], "garden", both=1.0)[:3]] == [
        False,
        True,
        True,
    ]


def test_words_the_scope_does_not_know_leave_the_rest_as_it_was() -> None:
    rows = [fact("a", "dog tea"), fact("b", "garden")]
    assert weighed(rows, "dog unheard", own=1.0) == weighed(rows, "dog", own=1.0)


def test_a_session_about_the_question_speaks_for_its_turns() -> None:
    rows = [
        Row("a", "stone", "s1", 0),
        Row("b", "dog", "s1", 5),
        Row("c", "stone", "s2", 0),
        Row("d", "river", "s2", 5),
    ]
    for key in ("session", "session_best"):
        a, b, c, d = weighed(rows, "dog", **{key: 1.0})
        assert a == b > c == d == 0.0


def test_a_fact_stands_for_its_own_session() -> None:
    rows = [fact("a", "dog"), fact("b", "stone")]
    assert weighed(rows, "dog", session=1.0) == weighed(rows, "dog", own=1.0)


@pytest.mark.parametrize(
    ("question", "preferred"),
    [
        ("What does Ann like?", ["ann"]),
        ("What do Ann and Bob like?", []),
        ("What does Carol like?", []),
        ("What does he like?", []),
    ],
)
def test_the_speaker_that_a_question_names(question: str, preferred: list[str]) -> None:
    rows = [Row(who, "tea", speaker=who.title()) for who in ("ann", "bob")]
    rows.append(Row("user", "tea", speaker="user"))
    values = weighed(rows, question, speaker=1.0)
    assert [row.name for row, value in zip(rows, values, strict=True) if value] == preferred


def test_a_speakers_name_is_no_word_unless_it_is_the_only_one() -> None:
    rows = [Row("a", "Thanks Ann", speaker="Bob"), Row("b", "I keep a dog", speaker="Ann")]
    assert weighed(rows, "Does Ann keep a dog", own=1.0)[0] == 0.0
    assert weighed(rows, "Who is Ann?", own=1.0)[0] > 0.0


def test_times_speak_where_a_time_is_asked_for() -> None:
    rows = [Row("a", "We met yesterday"), Row("b", "We met")]
    assert weighed(rows, "When did they meet?", dated=1.0) == [1.0, 0.0]
    assert weighed(rows, "Where did they meet?", dated=1.0) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("period", "offset_days", "near"),
    [
        (Days(2024, 5, 7), 0.5, 1.0),
        (Days(2024, 5, 7), 8.0, math.exp(-1)),
        (Days(2024, 5, 7), -3.0, math.exp(-1)),
        (Days(2024, 5), 20.0, 1.0),
        (Days(None, 5), 20.0, 1.0),
        (Days(2023, 5), 0.0, math.exp(-341 / 7)),
    ],
)
def test_closeness_to_a_period(period: Days, offset_days: float, near: float) -> None:
    start = 19_850  # 7 May 2024
    occurred = np.array([int((start + offset_days) * DAY)], dtype=np.int64)
    assert closeness([period], occurred)[0] == pytest.approx(near, abs=1e-6)


def test_rows_without_a_date_are_near_to_nothing() -> None:
    assert closeness([Days(None, 5)], np.array([-(2**63)], dtype=np.int64)).tolist() == [0.0]


@pytest.mark.parametrize(
    ("values", "span", "expected"),
    [
        ([0.0, 0.5, 1.0], 0.0, [0.0, 0.5, 1.0]),
        ([0.9, 1.0], 0.5, [0.8, 1.0]),
        ([0.4], 0.25, [1.0]),
        ([0.4, 0.4], 0.0, [1.0, 1.0]),
        ([0.0, 0.0], 0.25, [0.0, 0.0]),
        ([-1.0, -0.5], 0.25, [0.0, 0.0]),
    ],
)
def test_min_max(values: list[float], span: float, expected: list[float]) -> None:
    assert scaled(np.array(values), span).tolist() == pytest.approx(expected)


def hits(rows: Sequence[Row], question: str, policy: RankingPolicy) -> dict[str, tuple[float, ...]]:
    """Recency, importance and score of each hit, by name."""
    index = ScopeIndex(DIMENSIONS, batch(rows), policy=policy)
    ranking = index.rank(ask(question), view())
    return {
        name: (hit.parts.recency, hit.parts.importance, hit.score)
        for name, hit in zip(names(ranking, rows), ranking.hits, strict=True)
    }


def test_recency_halves_in_eight_weeks_by_the_right_clock() -> None:
    rows = [
        fact("used", "dog", occurred_at=NOW - 80 * WEEK, last_used_at=NOW),
        fact("half", "dog", occurred_at=NOW - 80 * WEEK, last_used_at=NOW - 8 * WEEK),
        Row("event", "dog", "g", occurred_at=NOW - 800 * WEEK, last_used_at=NOW),
        Row("future", "dog", "h", occurred_at=NOW + WEEK),
    ]
    parts = hits(rows, "dog", RankingPolicy())
    assert {name: round(part[0], 6) for name, part in parts.items()} == {
        "used": 1.0,
        "half": 0.5,
        "event": 0.0,
        "future": 1.0,
    }


def test_a_score_is_the_weighted_sum_of_its_parts_by_tier() -> None:
    tiers = {
        "episodic": TierWeights(0.5, 0.5, 0.0),
        "semantic": TierWeights(0.5, 0.0, 0.5),
        "knowledge": TierWeights(1.0, 0.0, 0.0),
    }
    rows = [
        Row("event", "dog", importance=2.0, occurred_at=NOW),
        fact("fact", "dog", importance=10.0, occurred_at=NOW - 90 * WEEK),
    ]
    index = ScopeIndex(DIMENSIONS, batch(rows), policy=RankingPolicy(tiers=tiers))
    ranking = index.rank(ask("dog"), view())
    for name, hit in zip(names(ranking, rows), ranking.hits, strict=True):
        second = hit.parts.recency if name == "event" else hit.parts.importance
        assert hit.score == pytest.approx(0.5 * hit.parts.relevance + 0.5 * second)


def test_default_weights_add_up_to_one() -> None:
    for weights in RankingPolicy().tiers.values():
        assert weights.relevance + weights.recency + weights.importance == pytest.approx(1.0)


def test_equal_scores_put_the_newest_first_and_then_go_by_id() -> None:
    rows = [Row(f"r{at}", "dog", f"g{at}", occurred_at=NOW - DAY) for at in range(6)]
    rows.append(Row("new", "dog", "g", occurred_at=NOW))
    weights = dict.fromkeys(("episodic", "semantic", "knowledge"), TierWeights(1.0, 0.0, 0.0))
    policy = RankingPolicy(tiers=weights)
    orders = set()
    for some in (rows, rows[::-1], rows[3:] + rows[:3]):
        index = ScopeIndex(DIMENSIONS, batch(some), policy=policy)
        orders.add(tuple(names(index.rank(ask("dog"), view()), rows)))
    assert len(orders) == 1
    assert orders.pop()[0] == "new"


@given(
    st.lists(st.tuples(WORDS, st.integers(0, 3), st.sampled_from([None, (1.0,), (0.0, 1.0)]))),
    WORDS,
    st.integers(1, 12),
)
def test_parts_and_scores_stay_in_bounds(
    drawn: list[tuple[list[str], int, tuple[float, ...] | None]], question: list[str], k: int
) -> None:
    rows = [
        Row(f"r{at}", " ".join(words), f"g{group}", at, vector=vector)
        for at, (words, group, vector) in enumerate(drawn)
    ]
    ranking = index_of(rows).rank(ask(" ".join(question), (0.8, 0.6)), view(), k)
    scores = [hit.score for hit in ranking.hits]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) <= min(k, len(rows))
    assert ranking.abstained is (not ranking.hits)
    for hit in ranking.hits:
        assert all(0.0 <= value <= 1.0 for value in (*vars(hit.parts).values(), hit.score))


STORE = [
    fact("car", "The user drives a blue Skoda Octavia."),
    fact("sister", "The user's sister Petra is a veterinarian."),
    fact("nuts", "The user is allergic to peanuts."),
    fact("city", "The user moved to Lisbon in March."),
    fact("tea", "The user prefers green tea in the morning."),
]


@pytest.mark.parametrize("size", [5, 30])
@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Which Skoda does the user drive?", "car"),
        ("What does Petra do?", "sister"),
        ("What am I allergic to?", "nuts"),
        ("Where did I move?", "city"),
        ("What tea do I prefer?", "tea"),
        ("What is my deploy region?", None),
        ("Which VPN gateway?", None),
        ("", None),
        ("Who is who?", None),
    ],
)
def test_small_stores(question: str, best: str | None, size: int) -> None:
    others = [
        fact(f"other{at}", f"The user noted that item {at} is in box {at * 7}.")
        for at in range(size - len(STORE))
    ]
    rows = [*STORE, *others]
    ranking = index_of(rows).rank(ask(question), view())
    assert names(ranking, rows)[:1] == ([] if best is None else [best])
    assert ranking.abstained is (best is None)


@pytest.mark.parametrize(
    ("vector", "rest", "abstained"),
    [((1.0, 0.0), 0.0, False), ((0.2, 1.0), 0.0, True), ((1.0, 0.0), 0.9, True)],
)
def test_a_near_vector_is_evidence_too(
    vector: tuple[float, ...], rest: float, abstained: bool
) -> None:
    policy = RankingPolicy(cosine_rest=rest)
    index = ScopeIndex(DIMENSIONS, batch([fact("a", "tea", vector=(1.0,))]), policy=policy)
    assert index.rank(ask("unheard", vector), view()).abstained is abstained


def test_rows_that_nothing_speaks_for_do_not_fill_the_list() -> None:
    rows = [
        fact("word", "dog"),
        fact("near", "puppy", vector=(1.0, 0.3)),
        fact("far", "stone", vector=(0.05, 1.0)),
        fact("none", "river"),
    ]
    assert names(index_of(rows).rank(ask("dog", (1.0,)), view()), rows) == ["word", "near"]


@pytest.mark.parametrize(
    ("floor", "shown"),
    [(0.0, ["best", "half", "fifth"]), (0.4, ["best", "half"]), (0.6, ["best"]), (1.0, ["best"])],
)
def test_near_misses_are_left_out(floor: float, shown: list[str]) -> None:
    policy = replace(NOTHING, cosine=1.0, relevance_floor=floor)
    rows = [
        fact("best", "dog", vector=(1.0,)),
        fact("half", "cat", vector=(0.5, 0.75**0.5)),
        fact("fifth", "tea", vector=(0.2, 0.96**0.5)),
    ]
    index = ScopeIndex(DIMENSIONS, batch(rows), policy=policy)
    assert names(index.rank(ask("unheard", (1.0,)), view()), rows) == shown


def test_a_date_alone_brings_rows_once_there_is_enough_evidence() -> None:
    rows = [
        Row("then", "stone", "s1", occurred_at=19_850 * DAY),
        Row("later", "river", "s2", occurred_at=19_990 * DAY),
        Row("word", "May is a dog", "s3", occurred_at=19_990 * DAY),
    ]
    found = index_of(rows).rank(ask("Which dog in May 2024?"), view())
    assert set(names(found, rows)) == {"then", "word"}


def test_one_row_is_found_whole() -> None:
    rows = [fact("a", "Rex the dog", vector=(1.0,))]
    (hit,) = index_of(rows).rank(ask("dog", (1.0,)), view()).hits
    assert vars(hit.parts) == {
        "lexical": 1.0,
        "semantic": 1.0,
        "relevance": 1.0,
        "recency": 1.0,
        "importance": 1.0,
    }
    assert hit.score == pytest.approx(1.0)
