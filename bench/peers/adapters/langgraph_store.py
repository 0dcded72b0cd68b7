"""LangGraph's stores in this process, whichever is opened."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from langgraph.store.base import PutOp

from bench.peers.child import USER, Contender, Given

Open = Callable[[Given, dict[str, Any]], AbstractContextManager[Any]]


class LangGraph(Contender):
    """One namespace for the user; the store's index is as it comes."""

    def __init__(self, opening: Open) -> None:
        self._opening = opening
        self._added = 0

    def open(self, given: Given) -> None:
        """Its tables."""
        index = {
            "dims": given.dimensions,
            "embed": lambda texts: given.embed(list(texts)),
            "fields": ["text"],
        }
        self._context = self._opening(given, index)
        self._store = self._context.__enter__()
        self._store.setup()

    def add(self, texts: Sequence[str]) -> None:
        """One batch."""
        self._store.batch(
            [
                PutOp((USER,), str(self._added + number), {"text": text})
                for number, text in enumerate(texts)
            ]
        )
        self._added += len(texts)

    def search(self, question: str, k: int) -> list[str]:
        """One search."""
        return [one.value["text"] for one in self._store.search((USER,), query=question, limit=k)]

    def close(self) -> None:
        """Its connection."""
        self._context.__exit__(None, None, None)
