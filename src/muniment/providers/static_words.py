"""Words that mean about the same, by the default embedder's table. Offline, deterministic."""

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.domain.latest import Latest
from muniment.domain.ranking import RelatedStems
from muniment.domain.text import Analyzer
from muniment.providers.static_embedder import StaticEmbedder

NEAR: Final = 0.4
"""The cosine from which on two words of the table mean about the same."""
MOST: Final = 8
"""So many stems are related to a word at most: the nearest."""
_FAR: Final = 112
"""Of 256 signs, so many or fewer differ between words that are near (0.9998 of such pairs)."""
_WORD_START: Final = "\u2581"
_SHORTEST: Final = 3
_MOST_KEPT: Final = 16_384


class StaticWords:
    """Implements ``ranking.RelatedWords`` with the whole words of the table."""

    def __init__(self, table: StaticEmbedder) -> None:
        self._table = table
        self._kept: Latest[tuple[str | None, str], RelatedStems] = Latest(_MOST_KEPT)

    def related(self, word: str, analyzer: Analyzer, /) -> RelatedStems:
        """At most ``MOST`` stems of the words whose cosine is ``NEAR`` at least, nearest first."""
        key = (analyzer.language, word)
        found = self._kept.get(key)
        if found is None:
            found = self._found(word, analyzer)
            self._kept.put(key, found)
        return found

    def _found(self, word: str, analyzer: Analyzer) -> RelatedStems:
        vector = self._vector(word)
        if vector is None:
            return ()
        words, vectors, signs, _ = self._vocabulary
        # All vectors are ten megabytes, which would be read from memory for each word.
        near = _alike(signs, _signs_of(vector)[:, 0])
        cosines = vectors.take(near, axis=0) @ vector
        held = np.flatnonzero(cosines >= NEAR)
        nearest = near[held[np.argsort(-cosines[held], kind="stable")]]
        itself = set(analyzer.hashes(word))
        stems: dict[int, None] = {}
        for at in nearest.tolist():
            stems.update((stem, None) for stem in analyzer.hashes(words[at]) if stem not in itself)
            if len(stems) >= MOST:
                break
        return tuple(stems)[:MOST]

    def _vector(self, word: str) -> NDArray[np.float32] | None:
        # A name has a vector of its own, which the embedder, given small letters, would not find.
        _, vectors, _, places = self._vocabulary
        at = places.get(word)
        return self._table.embed_one(word) if at is None else vectors[at]

    @cached_property
    def _vocabulary(
        self,
    ) -> tuple[list[str], NDArray[np.float32], NDArray[np.uint64], dict[str, int]]:
        """The table's whole words in small letters, with unit vectors, their signs, and places;
        made once.
        """
        tokens: dict[str, int] = {}
        for token, number in self._table.tokenizer.get_vocab().items():
            word = _whole_word(token)
            # What is written small goes first: "turkey" is not "Turkey".
            if word and (word == token[1:] or word not in tokens):
                tokens[word] = number
        words = sorted(tokens)
        vectors = self._table.rows([tokens[word] for word in words])
        return words, vectors, _signs_of(vectors), {word: at for at, word in enumerate(words)}


def _signs_of(vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Which values are positive, 64 to a number; a column a vector."""
    bits = np.packbits(np.atleast_2d(vectors) > 0, axis=1)
    return np.ascontiguousarray(bits.view(np.uint64).T)


def _alike(signs: NDArray[np.uint64], those: NDArray[np.uint64]) -> NDArray[np.intp]:
    """The columns of which at most ``_FAR`` signs differ from those; and their opposites, whose
    256 are none in the eight bits that this is counted in.
    """
    differ = np.bitwise_count(signs ^ those[:, None]).sum(axis=0, dtype=np.uint8)
    return np.flatnonzero(differ <= _FAR)


def _whole_word(token: str) -> str | None:
    word = token.removeprefix(_WORD_START)
    if word == token or len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return None
    return word.lower() if word.islower() or word.istitle() else None
