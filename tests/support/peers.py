"""A contender of the bench of peers without a library: ``python -m tests.support.peers HOW``."""

import os
import sys
from collections.abc import Sequence

from bench.peers.child import Contender, Given, serve


class Known(Contender):
    """Finds the answer by the person and the place; ``raises`` and ``dies`` do so when asked."""

    def __init__(self, how: str) -> None:
        self._how = how
        self._held: list[str] = []

    def open(self, given: Given) -> None:
        """Nothing to make; says something where the answers go."""
        print(f"opened with {given.dimensions} dimensions")

    def add(self, texts: Sequence[str]) -> None:
        """Keep them; an empty call is none."""
        assert texts
        self._held += texts

    def search(self, question: str, k: int) -> list[str]:
        """Those that share the most words."""
        if self._how == "raises":
            raise ValueError("no | such\nindex")
        if self._how == "dies":
            os._exit(3)
        asked = set(question.replace("'s", "").strip("?").split())
        return sorted(self._held, key=lambda text: -len(asked & set(text.strip(".").split())))[:k]

    def close(self) -> None:
        """Nothing."""


if __name__ == "__main__":
    serve(Known(sys.argv[1]))
