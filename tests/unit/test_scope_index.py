"""The scope index: what a view lets through, how changes are followed, what leaves no trace."""

import gc
import weakref
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.ranking.rows import OPEN, RowBatch, decode_vectors, encode_vector
from muniment.domain.ranking.scope_index import ScopeIndex
from muniment.domain.ranking.view import View
from tests.unit.scope_rows import (
    DAY,
    DIMENSIONS,
    NOW,
    Row,
    ask,
    batch,
    fact,
    ident,
    index_of,
    names,
    unit,
    view,
)

DOG = fact("dog", "The dog is called Rex")
LAST_MOMENT = NOW + 1


def found(rows: Sequence[Row], seen: View, question: str = "dog") -> list[str]:
    """Names of the rows that come back, best first."""
    return names(index_of(rows).rank(ask(question), seen), rows)


@pytest.mark.parametrize(
    ("changes", "seen", "visible"),
    [
        ({}, view(), True),
        ({"valid_from": NOW}, view(), True),
        ({"valid_from": NOW + 1}, view(), False),
        ({"valid_to": NOW}, view(), False),
        ({"valid_to": LAST_MOMENT}, view(), True),
        ({"valid_to": NOW}, view(as_of=NOW - 1), True),
        ({"valid_from": NOW}, view(as_of=NOW - 1), False),
        ({"recorded_from": NOW}, view(), True),
        ({"recorded_from": NOW + 1}, view(), False),
        ({"recorded_to": NOW}, view(), False),
        ({"recorded_to": NOW}, view(known_at=NOW - 1), True),
        ({"recorded_from": NOW}, view(known_at=NOW - 1), False),
        ({"expires_at": NOW}, view(), False),
        ({"expires_at": LAST_MOMENT}, view(), True),
        ({"expires_at": NOW}, view(as_of=NOW - DAY, known_at=NOW - DAY), False),
        ({"standing": "contested"}, view(), True),
        ({"standing": "quarantined"}, view(), False),
        ({"standing": "quarantined"}, view(standings=frozenset({"quarantined"})), True),
        ({"standing": "asserted"}, view(standings=frozenset({"quarantined"})), False),
        ({"standing": "dropped"}, view(), False),
        ({"standing": "dropped"}, view(standings=frozenset({"dropped"})), False),
        ({}, view(tiers=frozenset({"semantic"})), True),
        ({}, view(tiers=frozenset({"episodic", "knowledge"})), False),
        ({}, view(kinds=frozenset({"fact"})), True),
        ({}, view(kinds=frozenset({"finding"})), False),
        ({}, view(kinds=frozenset()), False),
        ({"confidence": 0.5}, view(min_confidence=0.5), True),
        ({"confidence": 0.25}, view(min_confidence=0.5), False),
        ({"confidence": float("nan")}, view(min_confidence=0.5), True),
        ({}, view(ids=frozenset({ident("dog").bytes, bytes(16)})), True),
        ({}, view(ids=frozenset({ident("cat").bytes})), False),
        ({}, view(ids=frozenset()), False),
    ],
)
def test_what_a_view_lets_through(changes: dict[str, object], seen: View, visible: bool) -> None:
    assert found([DOG.with_(**changes)], seen) == (["dog"] if visible else [])


def test_an_empty_index_abstains() -> None:
    ranking = ScopeIndex(DIMENSIONS).rank(ask("dog"), view())
    assert (ranking.hits, ranking.abstained, ranking.eligible) == ((), True, 0)


def test_a_filter_does_not_move_what_the_others_score() -> None:
    rows = [
        fact("a", "The dog is called Rex"),
        fact("b", "The dog and the dog and a garden"),
        fact("c", "A garden", kind="finding"),
        fact("d", "The dog house", kind="finding"),
    ]
    index = index_of(rows)
    everything = index.rank(ask("dog"), view())
    some = index.rank(ask("dog"), view(kinds=frozenset({"fact"})))
    assert [name for name in names(everything, rows) if name in "ab"] == names(some, rows)
    only_a = index.rank(ask("dog Rex"), view(ids=frozenset({ident("a").bytes})))
    assert only_a.mass == index.rank(ask("dog Rex"), view()).mass


@pytest.mark.parametrize(("rev", "changed", "best"), [(1, 0, ["dog"]), (2, 1, []), (3, 1, [])])
def test_a_higher_rev_replaces_a_row(rev: int, changed: int, best: list[str]) -> None:
    index = index_of([DOG])
    assert index.apply(batch([DOG.with_(rev=rev, recorded_to=NOW)])) == changed
    assert names(index.rank(ask("dog"), view()), [DOG]) == best
    assert (len(index), index.rev) == (1, max(rev, 1))


def test_applying_again_changes_nothing() -> None:
    index = index_of([DOG])
    assert index.apply(batch([DOG])) == 0


def test_the_highest_rev_of_a_batch_wins() -> None:
    index = index_of([DOG.with_(rev=2, text="A cat"), DOG.with_(rev=1)])
    assert len(index) == 1
    assert names(index.rank(ask("cat"), view()), [DOG]) == ["dog"]
    assert index.rank(ask("dog"), view()).abstained


def test_new_words_replace_the_old_ones() -> None:
    index = index_of([DOG])
    index.apply(batch([DOG.with_(rev=2, text="The cat is called Tom")]))
    assert names(index.rank(ask("cat"), view()), [DOG]) == ["dog"]
    assert index.rank(ask("dog"), view()).abstained


def test_an_old_version_answers_for_its_time() -> None:
    old = fact("old", "Lives in Rome", valid_to=NOW - DAY)
    new = fact("new", "Lives in Oslo", valid_from=NOW - DAY)
    assert found([old, new], view(), "where lives") == ["new"]
    assert found([old, new], view(as_of=NOW - 2 * DAY), "where lives") == ["old"]


QUESTION_TURN = Row("q", "Which city will you move to?", position=4)
ANSWER_TURN = Row("answer", "Oslo, most likely", position=5)
OTHER_TURN = Row("other", "Oslo is nice", group="elsewhere", position=6)


def test_an_answer_is_found_by_the_question_before_it() -> None:
    rows = [OTHER_TURN, QUESTION_TURN.with_(standing="dropped"), ANSWER_TURN]
    assert found(rows, view(), "which city does she move to")[0] == "answer"


@pytest.mark.parametrize(
    "changes",
    [
        {"standing": "quarantined"},
        {"recorded_to": NOW},
        {"expires_at": NOW},
        {"group": "elsewhere"},
        {"tier": "semantic"},
    ],
)
def test_what_may_not_lend_context(changes: dict[str, object]) -> None:
    rows = [QUESTION_TURN.with_(**changes), ANSWER_TURN, OTHER_TURN]
    seen = view(ids=frozenset({ident("answer").bytes}))
    assert index_of(rows).rank(ask("which city does she move to"), seen).mass == 0.0


def test_a_forgotten_turn_leaves_no_trace_in_the_next() -> None:
    rows = [QUESTION_TURN, ANSWER_TURN, OTHER_TURN]
    index = index_of(rows)
    asked = ask("which city does she move to")
    assert names(index.rank(asked, view()), rows)[0] == "q"
    assert index.remove([ident("q").bytes, bytes(16)]) == 1
    assert index.rank(asked, view()).abstained
    assert ident("q").bytes not in index
    assert index.remove([ident("q").bytes]) == 0


def test_a_long_turn_takes_and_lends_little_context() -> None:
    long = "word " * 200
    filler = [Row(f"f{at}", "Something else entirely", group=f"g{at}") for at in range(20)]
    short = [QUESTION_TURN, ANSWER_TURN]
    stretched = [QUESTION_TURN, ANSWER_TURN.with_(text="Oslo " + long)]
    seen = view(ids=frozenset({ident("answer").bytes}))
    asked = ask("which city does she move to")
    near = index_of([*short, *filler]).rank(asked, seen).mass
    far = index_of([*stretched, *filler]).rank(asked, seen).mass
    assert far < near / 3


def test_the_terms_of_a_removed_row_are_gone_from_memory() -> None:
    index = index_of([DOG.with_(speaker="Zebedee"), fact("tea", "Tea")])
    held = index.nbytes
    index.remove([ident("dog").bytes])
    assert index.nbytes < held
    assert set(index.scope().speakers) == {b""}


def test_a_speaker_of_no_row_is_no_name() -> None:
    index = index_of([Row("a", "Ann likes tea", speaker="Ann")])
    index.apply(batch([Row("a", "Ann likes tea", speaker="Bob", rev=2)]))
    assert index.rank(ask("Ann likes what"), view()).mass == pytest.approx(1.0)


TEXTS = ("The dog barks", "A cat sleeps", "Rex the dog", "Tea in the garden", "Which dog?", "Yes")
ROWS = st.builds(
    Row,
    name=st.sampled_from("abcdefgh"),
    text=st.sampled_from(TEXTS),
    group=st.sampled_from(["s1", "s2", "s3"]),
    position=st.integers(0, 5),
    rev=st.integers(1, 4),
    standing=st.sampled_from(["asserted", "dropped", "quarantined"]),
    tier=st.sampled_from(["episodic", "semantic"]),
    recorded_to=st.sampled_from([OPEN, NOW]),
    speaker=st.sampled_from([None, "Ann", "Bob"]),
    vector=st.sampled_from([None, (1.0, 0.0), (0.6, 0.8), (0.0, 1.0)]),
)


def one_place_a_turn(rows: Sequence[Row]) -> list[Row]:
    """Rows of one name share all but what an update changes; two turns never share a place."""
    return [
        row.with_(group=f"s{ord(row.name) % 3}", position=ord(row.name), tier="episodic")
        if row.name < "f"
        else row.with_(group=row.name, position=0, tier="semantic")
        for row in rows
    ]


def same(left: ScopeIndex, right: ScopeIndex, rows: Sequence[Row]) -> None:
    """Both indexes answer alike, to rounding."""
    for question in (ask("dog", (1.0, 0.1)), ask("which dog did Ann see"), ask("tea garden")):
        mine, other = left.rank(question, view()), right.rank(question, view())
        assert names(mine, rows) == names(other, rows)
        assert np.allclose([hit.score for hit in mine.hits], [hit.score for hit in other.hits])
        assert (mine.mass, mine.cosine) == pytest.approx((other.mass, other.cosine), abs=1e-6)


@given(st.lists(st.lists(ROWS, max_size=6), max_size=6))
def test_following_changes_equals_loading_the_outcome(batches: list[list[Row]]) -> None:
    followed, newest = ScopeIndex(DIMENSIONS), dict[str, Row]()
    for rows in map(one_place_a_turn, batches):
        followed.apply(batch(rows))
        for row in rows:
            if row.name not in newest or row.rev > newest[row.name].rev:
                newest[row.name] = row
    outcome = list(newest.values())
    same(followed, index_of(outcome), outcome)


@given(
    st.lists(ROWS, max_size=12, unique_by=lambda row: row.name), st.sets(st.sampled_from("abcf"))
)
def test_removing_equals_never_having_had(drawn: list[Row], gone: set[str]) -> None:
    rows = one_place_a_turn(drawn)
    index = index_of(rows)
    index.rank(ask("dog"), view())
    index.remove([ident(name).bytes for name in gone])
    rest = [row for row in rows if row.name not in gone]
    same(index, index_of(rest), rest)
    assert index.nbytes <= index_of(rows).nbytes + 4_096


def test_many_rows_one_by_one_equal_many_at_once() -> None:
    rows = [
        Row(f"r{at}", TEXTS[at % 6] + " " + "filler " * (at % 40), f"g{at // 7}", at % 7)
        for at in range(600)
    ]
    index = ScopeIndex(DIMENSIONS)
    for row in rows:
        index.apply(batch([row]))
    same(index, index_of(rows), rows)


@pytest.mark.parametrize(
    "changes",
    [
        {"ids": [b"short"]},
        {"tiers": ["hot"]},
        {"standings": ["maybe"]},
        {"terms": [b""]},
        {"terms": [bytes(8)]},
        {"vectors": [bytes(6)]},
        {"revs": [1, 2]},
    ],
)
def test_a_malformed_batch_changes_nothing(changes: dict[str, object]) -> None:
    columns = {**vars(batch([fact("tea", "Tea")])), **changes}
    index = index_of([DOG])
    with pytest.raises(ValueError, match=r"."):
        index.apply(RowBatch(**columns))
    assert (len(index), index.rev) == (1, 1)
    assert names(index.rank(ask("dog"), view()), [DOG]) == ["dog"]


def test_nbytes_counts_what_the_rows_take() -> None:
    few, many = (index_of([fact(f"f{at}", TEXTS[at % 6]) for at in range(n)]) for n in (10, 1_000))
    for index in (few, many):
        index.rank(ask("dog"), view())
    per_row = (many.nbytes - few.nbytes) / 990
    assert 4 * DIMENSIONS + 100 < per_row < 4 * DIMENSIONS + 800


def test_an_index_that_nobody_holds_is_gone_at_once() -> None:
    index = index_of([DOG])
    index.rank(ask("dog"), view())
    left = weakref.ref(index)
    gc.disable()
    try:
        del index
        assert left() is None
    finally:
        gc.enable()


def test_vectors_survive_their_encoding() -> None:
    vector = unit((0.3, -0.4, 0.5))
    decoded = decode_vectors([encode_vector(vector), None], DIMENSIONS)
    assert np.allclose(decoded[0], vector, atol=1e-3)
    assert not decoded[1].any()
