"""Real text for `make bench-knowledge`: the glosses of WordNet, from Debian's package, read where they lie."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_FILES = ("noun", "verb", "adj", "adv")


@dataclass(frozen=True)
class Gloss:
    """A meaning: the first of its words, and what is said of it."""

    word: str
    text: str


def read_glosses(place: Path, seed: int = 1) -> list[Gloss]:
    """The glosses of a directory with WordNet's ``data.*`` files (wndb(5WN)), in a seeded order."""
    found = []
    for name in _FILES:
        for line in (place / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue  # the licence
            head, text = line.split(" | ", 1)
            found.append(Gloss(head.split()[4].replace("_", " "), text.strip()))
    random.Random(seed).shuffle(found)
    return found


def document(glosses: Sequence[Gloss]) -> str:
    """A section for each, which is one chunk."""
    return "\n\n".join(f"## {one.word}\n\n{one.text}" for one in glosses)


def questions(glosses: Sequence[Gloss], count: int, seed: int = 2) -> list[str]:
    """What so many of the words mean."""
    return [f"What is {one.word}?" for one in random.Random(seed).sample(glosses, count)]
