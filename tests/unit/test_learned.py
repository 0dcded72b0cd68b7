"""What is learned from labelled texts.

| what | then |
|---|---|
| any text at all | shares from 0 to 1 that add up to 1, the same each time |
| a text without a word that the examples have | nothing of it is known |
| a text of more than 2,000 characters | as its beginning |
| case, and the shape of an apostrophe | change nothing |
| what speaks most for a class | words of the text |
| the examples changed | the table must be made again |
"""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.learned_examples import NAMES, digest, examples

from muniment.domain import learned as tables
from muniment.domain.learned import features_of, learned, words_of
from muniment.domain.mode.wording import likeness_of

each = pytest.mark.parametrize("name", NAMES)


@each
@given(text=st.text(max_size=300))
def test_any_text(name: str, text: str) -> None:
    reading = learned(name).read(text)
    assert math.isclose(math.fsum(reading.shares.values()), 1)
    assert all(0 <= share <= 1 for share in reading.shares.values())
    assert 0 <= reading.known <= 1
    assert learned(name).read(text) == reading
    for label in reading.shares:
        said = learned(name).telling(text, label).split()
        assert not said or set(said) <= set(words_of(text))


@each
def test_nothing_is_known(name: str) -> None:
    assert learned(name).read("Ĉu ĝi ŝanĝiĝis?").known < 0.5
    assert learned(name).read("").known == 0


@each
def test_only_the_beginning_of_a_long_text(name: str) -> None:
    long = "start over with these numbers " * 80
    assert learned(name).read(long) == learned(name).read(long[:2_000])


@each
def test_how_it_is_written(name: str) -> None:
    assert learned(name).read("DON’T start over") == learned(name).read("don't start over")


@each
def test_the_table_is_of_these_examples(name: str) -> None:
    head = (Path(tables.__file__).parent / f"{name}.tsv").read_text(encoding="utf-8").split("\t")[0]
    assert head == digest(name), "run `make learn`"


@each
def test_it_learned_its_examples(name: str) -> None:
    given = examples(name)
    right = 0
    for one in given:
        shares = learned(name).read(one.text).shares
        right += max(shares, key=lambda each: (shares[each], each)) == one.label
    assert right / len(given) >= 0.95


def test_features() -> None:
    runs, pieces = features_of("Same again?")
    assert {"^ same", "same again", "same again ?", "again ? $"} <= runs
    assert {"#_s", "#same", "#ain_"} <= pieces
    assert not any("e_a" in piece for piece in pieces)


def test_a_question_of_unknown_words_asks_for_no_mode() -> None:
    likeness = likeness_of("Recommencez l'analyse depuis zéro s'il vous plaît")
    assert likeness.neither == 1
    assert set(likeness.shares.values()) == {0}
