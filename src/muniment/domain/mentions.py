"""Which entities a text names: by their names and aliases, in other forms of the words, and with
one slip of the keys.

A name is there where its words stand side by side. A word is the same where its stem is; a long
one also where one letter is missing, too much, wrong, or changed places with the next, but for the
first two letters, by which people recognise a word (Damerau 1964: four in five slips are of these
kinds).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import regex
from rapidfuzz.distance import OSA

from muniment.domain.late import late_regex
from muniment.domain.text import Analyzer, normalise

T = TypeVar("T")

_WORD: Final = late_regex(r"[^\W_][\w+#]*")
_LEAST_LETTERS: Final = 5
_SAME_START: Final = 2


@dataclass(frozen=True)
class Mention(Generic[T]):
    """What is named, and the place of the first word of its name."""

    of: T
    at: int


@dataclass(frozen=True)
class _Word:
    folded: str
    stem: str

    def is_said(self, name: "_Word") -> bool:
        """True for another form of the same word."""
        return self.folded == name.folded or self.stem == name.stem

    def is_meant(self, name: "_Word") -> bool:
        """True for a slip of the keys."""
        return (
            len(name.folded) >= _LEAST_LETTERS
            and name.folded.isalpha()
            and self.folded[:_SAME_START] == name.folded[:_SAME_START]
            and OSA.distance(self.folded, name.folded, score_cutoff=1) <= 1
        )


def mentions(text: str, names: Iterable[tuple[str, T]], analyzer: Analyzer) -> list[Mention[T]]:
    """What the text names, each once, in the order in which it does. ``names`` may give several
    names for one.
    """
    said = _words(text, analyzer)
    starts: dict[str, list[int]] = {}
    for at, word in enumerate(said):
        for start in {word.folded[:_SAME_START], word.stem[:_SAME_START]}:
            starts.setdefault(start, []).append(at)
    found: dict[T, int] = {}
    for name, of in names:
        place = _place(said, starts, _words(name, analyzer))
        if place is not None:
            found[of] = min(place, found.get(of, place))
    return sorted((Mention(of, at) for of, at in found.items()), key=lambda one: one.at)


def _place(
    said: Sequence[_Word], starts: dict[str, list[int]], name: Sequence[_Word]
) -> int | None:
    """Where a name begins in what is said; None where it does not stand there."""
    if not name:
        return None
    for at in starts.get(name[0].folded[:_SAME_START], ()):
        words = said[at : at + len(name)]
        if len(words) < len(name):
            continue
        other = [(word, of) for word, of in zip(words, name, strict=True) if not word.is_said(of)]
        if not other or (len(other) == 1 and other[0][0].is_meant(other[0][1])):
            return at
    return None


def _words(text: str, analyzer: Analyzer) -> list[_Word]:
    words = _WORD.findall(regex.sub("_", " ", normalise(text)))
    return [_Word(word.casefold(), _stem(word, analyzer)) for word in words]


def _stem(word: str, analyzer: Analyzer) -> str:
    """The stem of a word that stands for something; other words stand for themselves."""
    return next(iter(analyzer.stems(word)), word.casefold())
