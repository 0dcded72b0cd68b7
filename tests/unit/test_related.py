"""Related words: a row that lacks a word and has a related one holds a share of the word.

| row | question "dog", and "puppy" is related | lexical evidence |
|---|---|---|
| has "dog" | | as without related words |
| has "dog" and "puppy" | | the same |
| has "puppy" alone | | as if it had ``share`` of a "dog" |
| its neighbour has "puppy" | | as if the neighbour had ``share`` of a "dog" |
| has neither | | none |
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.ranking.evidence import K1, B
from muniment.domain.ranking.question import Question, RelatedStems
from muniment.domain.ranking.scoring import Evidence, RankingPolicy, gather
from muniment.domain.text import Analyzer
from tests.unit.scope_rows import ANALYZER, NOW, Row, ask, fact, index_of, names, view
from tests.unit.test_ranking import NOTHING

SHARE = 0.5
WORDS = st.lists(st.sampled_from(["dog", "puppy", "tea", "garden", "river"]), max_size=6)


class Lexicon:
    """Related words as a test says them."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self.words = words

    def related(self, word: str, analyzer: Analyzer, /) -> RelatedStems:
        """Their stems."""
        return analyzer.hashes(" ".join(self.words.get(word, ())))


PETS = Lexicon({"dog": ["puppy"], "animal": ["dog", "puppy", "animals"]})


def asked(text: str, lexicon: Lexicon = PETS) -> Question:
    return ask(text).with_related(lexicon, ANALYZER)


def evidence(rows: Sequence[Row], question: Question, **weights: float) -> Evidence:
    policy = replace(NOTHING, **({"related": SHARE} | weights))  # type: ignore[arg-type]
    everything = np.ones(len(rows), dtype=np.bool_)
    return gather(index_of(rows).scope(), question, everything, NOW, policy)


def own(rows: Sequence[Row], question: Question, **weights: float) -> list[float]:
    return [float(one) for one in evidence(rows, question, own=1.0, **weights).relevance]


def test_a_related_word_counts_a_share_where_the_word_is_missing() -> None:
    rows = [fact("a", "dog tea"), fact("b", "puppy tea"), fact("c", "river tea")]
    has, related, neither = own(rows, asked("dog"))
    norm = K1 * (1 - B + B)
    assert has == pytest.approx(1 / (1 + norm), abs=1e-6)
    assert related == pytest.approx(SHARE / (SHARE + norm), abs=1e-6)
    assert neither == 0.0


def test_a_row_that_has_the_word_gains_nothing_by_a_related_one() -> None:
    rows = [fact("a", "dog puppy"), fact("b", "dog stone"), fact("c", "river tea")]
    both, alone, _ = own(rows, asked("dog"))
    assert both == alone


def test_a_related_word_of_a_neighbour_counts_in_its_context() -> None:
    rows = [Row("a", "puppy", position=0), Row("b", "tea", position=1), fact("c", "dog stone")]
    assert own(rows, asked("dog"))[1] == 0.0
    assert evidence(rows, asked("dog"), before=1.0).relevance[1] > 0.0


def test_a_session_that_tells_of_related_things_is_about_the_question() -> None:
    rows = [
        Row("a", "puppy", "s1", 0),
        Row("b", "stone", "s1", 9),
        Row("c", "stone", "s2", 0),
        Row("d", "stone dog", "s3", 0),
    ]
    for key in ("session", "session_best"):
        _, beside, elsewhere, _ = evidence(rows, asked("dog"), **{key: 1.0}).relevance.tolist()
        assert beside > elsewhere == 0.0


def test_a_word_that_none_has_is_as_rare_as_those_with_a_related_one() -> None:
    rows = [fact("a", "puppy tea"), fact("b", "dog tea"), fact("c", "river tea")]
    puppy, dog, river = own(rows, asked("animal river"), related=1.0)
    # As if two of three rows had the animal, and one the river.
    told = [fact("a", "animal tea"), fact("b", "animal tea"), fact("c", "river tea")]
    assert [puppy, dog, river] == pytest.approx(own(told, ask("animal river")), abs=1e-6)


def test_related_words_prove_nothing() -> None:
    rows = [fact("a", "puppy tea"), fact("b", "river")]
    found = evidence(rows, asked("dog"), own=1.0)
    assert found.mass == 0.0
    assert index_of(rows).rank(asked("dog"), view()).abstained
    with_the_word = [*rows, fact("c", "dog stone")]
    ranking = index_of(with_the_word).rank(asked("dog"), view())
    assert names(ranking, with_the_word)[0] == "c"
    assert ranking.mass == index_of(with_the_word).rank(ask("dog"), view()).mass


@given(st.lists(WORDS, min_size=1, max_size=8), WORDS)
def test_a_share_of_nothing_changes_nothing(
    documents: list[list[str]], question: list[str]
) -> None:
    rows = [fact(f"r{at}", " ".join(words)) for at, words in enumerate(documents)]
    text = " ".join(question)
    assert own(rows, asked(text), related=0.0) == own(rows, ask(text))


@given(st.lists(WORDS, min_size=1, max_size=8), WORDS)
def test_the_mass_is_that_of_the_words_themselves(
    documents: list[list[str]], question: list[str]
) -> None:
    rows = [fact(f"r{at}", " ".join(words)) for at, words in enumerate(documents)]
    text = " ".join(question)
    plain, with_related = evidence(rows, ask(text)), evidence(rows, asked(text))
    assert with_related.mass == pytest.approx(plain.mass, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("dog", {"dog": ["puppy"]}),
        ("animal", {"animal": ["dog", "puppy"]}),
        ("the dog and the puppy", {}),
        ("an animal like a dog", {"animal": ["puppy"], "dog": ["puppy"]}),
        ("river", {}),
        ("", {}),
    ],
)
def test_words_of_the_question_are_not_related_to_it(
    text: str, kept: Mapping[str, Sequence[str]]
) -> None:
    expected = {
        ANALYZER.hashes(word)[0]: ANALYZER.hashes(" ".join(by)) for word, by in kept.items()
    }
    assert asked(text).related == expected


@pytest.mark.parametrize(
    ("question", "best"),
    [
        # The word itself goes before any that is related, wherever that stands.
        ("Which animal is at the river?", "animal"),
        ("Does Ann have a dog?", "dog"),
        # Without one, what is related is found, once something else speaks for the row.
        ("Which animal sleeps in the kitchen?", "puppy"),
    ],
)
def test_kinds_of_questions(question: str, best: str) -> None:
    rows = [
        fact("dog", "Ann has an old dog."),
        fact("puppy", "The puppy sleeps in the kitchen at night."),
        fact("kitchen", "The kitchen has new tiles and sleeps nobody."),
        fact("animal", "An animal drank from the river."),
        *(fact(f"o{at}", f"Item {at} is in box {7 * at}.") for at in range(12)),
    ]
    assert names(index_of(rows).rank(asked(question), view()), rows)[0] == best


def test_the_default_share_is_less_than_the_word() -> None:
    assert 0.0 < RankingPolicy().related < 1.0
