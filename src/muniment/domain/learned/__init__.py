"""What a text is likely to be, learned from labelled examples: weighed words and pieces of words.

Multinomial logistic regression over two groups of features, each with tf-idf weights of length 1:
runs of one to three words, and pieces of two to five letters within a word. ``tools.learn`` fits
the weights and writes the tables beside this file. A table is a constant of the package, read at
its first use. The same text has the same shares everywhere.
"""

import math
import pkgutil
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

LONGEST_RUN: Final = 3
PIECES: Final = range(2, 6)
SCALE: Final = 100
"""The tables are in hundredths."""
_MOST_READ: Final = 2_000
_TOKEN: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?!.,:;]")
_START, _END = "^", "$"


class Features(NamedTuple):
    """What a text has, each once."""

    runs: frozenset[str]
    pieces: frozenset[str]


class _Weighed(NamedTuple):
    rarity: float
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """``shares`` of the classes, which add up to 1; ``known``: the share of the text's words that
    the examples have, 0 to 1.
    """

    shares: Mapping[str, float]
    known: float


def words_of(text: str) -> list[str]:
    """The words and marks of a text in order, of a long one only those of its beginning."""
    folded = unicodedata.normalize("NFKC", text[:_MOST_READ]).casefold().replace("’", "'")
    return _TOKEN.findall(folded)


def features_of(text: str) -> Features:
    """Runs of words, with where the text starts and ends; pieces of words, marked with ``#``."""
    words = words_of(text)
    return Features(frozenset(_runs([_START, *words, _END])), frozenset(_pieces(words)))


def _runs(words: list[str]) -> Iterator[str]:
    for length in range(1, LONGEST_RUN + 1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _pieces(words: list[str]) -> Iterator[str]:
    for word in frozenset(words):
        framed = f"_{word}_"
        for length in PIECES:
            for start in range(len(framed) - length + 1):
                yield f"#{framed[start : start + length]}"


@dataclass(frozen=True)
class Learned:
    """A table of weights: of each class its bias, of each feature its rarity and its weights."""

    classes: tuple[str, ...]
    bias: tuple[float, ...]
    table: Mapping[str, _Weighed]

    def read(self, text: str) -> Reading:
        """What the text is likely to be."""
        words = frozenset(words_of(text))
        sums = list(self.bias)
        for group in features_of(text):
            found = [self.table[one] for one in group if one in self.table]
            length = math.sqrt(math.fsum(one.rarity**2 for one in found)) or 1.0
            for place in range(len(sums)):
                sums[place] += math.fsum(one.rarity * one.weights[place] for one in found) / length
        most = max(sums)
        odds = [math.exp(one - most) for one in sums]
        total = math.fsum(odds)
        shares = {name: one / total for name, one in zip(self.classes, odds, strict=True)}
        known = sum(word in self.table for word in words) / len(words) if words else 0.0
        return Reading(MappingProxyType(shares), known)

    def telling(self, text: str, name: str) -> str:
        """The run of words of the text that speaks most for a class, as it is compared; empty if
        none does.
        """
        place = self.classes.index(name)
        runs = [one for one in features_of(text).runs if one in self.table]
        best = max(runs, key=lambda one: (self._worth(one, place), one), default="")
        return best.strip(f"{_START}{_END} ") if best and self._worth(best, place) > 0 else ""

    def _worth(self, run: str, place: int) -> float:
        weighed = self.table[run]
        return weighed.rarity * weighed.weights[place]


@cache
def learned(name: str) -> Learned:
    """The table ``name`` of this package."""
    data = pkgutil.get_data(__name__, f"{name}.tsv")
    if data is None:
        raise LookupError(f"There is no table {name} in {__name__}.")
    head, *lines = data.decode().splitlines()
    classes, bias = zip(*(one.split("=") for one in head.split("\t")[1:]), strict=True)
    table = {}
    for line in lines:
        feature, rarity, *weights = line.split("\t")
        table[feature] = _Weighed(_hundredths(rarity), tuple(map(_hundredths, weights)))
    return Learned(classes, tuple(map(_hundredths, bias)), MappingProxyType(table))


def _hundredths(written: str) -> float:
    return int(written) / SCALE
