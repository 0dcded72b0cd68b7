"""Related words by the table of the static embedder.

| word | related | not related |
|---|---|---|
| another word for it, or a thing of its kind | yes | |
| a form of the same word | | it has the same stem |
| a name | | what its first letters are the word of |
| letters of no word, signs | | none |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.text import Analyzer
from muniment.providers import static_words
from muniment.providers.static_embedder import StaticEmbedder
from muniment.providers.static_words import MOST, StaticWords

EMBEDDER = StaticEmbedder()
WORDS = StaticWords(EMBEDDER)
ENGLISH = Analyzer("english")


def related(word: str, analyzer: Analyzer = ENGLISH) -> set[int]:
    return set(WORDS.related(word, analyzer))


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("pet", ["dog", "animal"]),
        ("job", ["work", "career"]),
        ("beach", ["ocean", "coast"]),
        ("money", ["dollars", "paid"]),
        ("children", ["kid", "daughter"]),
        ("painting", ["art"]),
        ("music", ["song", "guitar"]),
    ],
)
def test_words_that_mean_about_the_same(word: str, others: list[str]) -> None:
    assert {ENGLISH.hashes(other)[0] for other in others} & related(word)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("pet", "invoice"),
        ("job", "beach"),
        ("caroline", "car"),
        ("books", "book"),
        ("dog", "dogs"),
        ("money", "tennis"),
    ],
)
def test_words_that_do_not(word: str, other: str) -> None:
    assert ENGLISH.hashes(other)[0] not in related(word)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_word_has_a_few_at_most_and_never_itself(word: str) -> None:
    found = WORDS.related(word, ENGLISH)
    assert len(found) == len(set(found)) <= MOST
    assert not set(found) & set(ENGLISH.hashes(word))


def test_the_same_words_are_related_in_every_process() -> None:
    words = ["pet", "career", "zzzz", "2023", "東京"]
    fresh = StaticWords(StaticEmbedder())
    again = [fresh.related(word, ENGLISH) for word in reversed(words)]
    assert [WORDS.related(word, ENGLISH) for word in words] == again[::-1]


def test_stems_are_those_of_the_language() -> None:
    plain = Analyzer(None)
    assert related("pet", plain) >= {plain.hashes("dogs")[0], plain.hashes("dog")[0]}
    assert plain.hashes("animals")[0] not in related("pet")


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_words, "_MOST_KEPT", 3)
    words = StaticWords(EMBEDDER)
    asked = ["pet", "job", "beach", "money", "pet"]
    assert [words.related(one, ENGLISH) for one in asked] == [
        WORDS.related(one, ENGLISH) for one in asked
    ]
    assert len(words._kept) == 3


def test_what_is_compared_by_signs_first_finds_what_comparing_all_does() -> None:
    words, vectors, _, _ = WORDS._vocabulary
    for at in range(0, len(words), 40):
        cosines = vectors @ vectors[at]
        near = sorted(
            (i for i in range(len(words)) if cosines[i] >= static_words.NEAR + 0.05),
            key=lambda i: -cosines[i],
        )
        stems = dict.fromkeys(stem for i in near for stem in ENGLISH.hashes(words[i]))
        wanted = [stem for stem in stems if stem not in ENGLISH.hashes(words[at])][:MOST]
        assert list(WORDS.related(words[at], ENGLISH))[: len(wanted)] == wanted
