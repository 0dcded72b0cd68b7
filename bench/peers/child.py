"""The child's side: lines of JSON in, lines of JSON out. It times inside, so the pipe never counts.

Needs the standard library and numpy alone: it runs in every peer's environment.
"""

import json
import os
import sys
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

USER = "u"


@dataclass(frozen=True)
class Given:
    """What a child is given: the texts with their vectors, a directory of its own, and where what
    it talks to is (a server's ``conninfo``; ``url`` and ``key`` of a service)."""

    memories: list[str]
    questions: list[str]
    vectors: dict[str, list[float]]
    data: Path
    conninfo: dict[str, str]
    url: str
    key: str

    @property
    def dimensions(self) -> int:
        """Of the vectors."""
        return len(next(iter(self.vectors.values())))

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors that were made before, so that no peer waits for an embedder."""
        return [self.vectors[text] for text in texts]


class Contender(ABC):
    """One memory of one user."""

    @abstractmethod
    def open(self, given: Given) -> None:
        """Make what is needed, empty."""

    @abstractmethod
    def add(self, texts: Sequence[str]) -> None:
        """One call of its own for all of them; when it returns they can be found."""

    @abstractmethod
    def search(self, question: str, k: int) -> list[str]:
        """The texts of the best so many, as they were added."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what was opened."""


def read_given(sent: dict[str, Any]) -> Given:
    """From the first line, and the files that it names."""
    folder = Path(sent["folder"])
    texts = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    vectors: dict[str, list[float]] = {}
    for name in ("memories", "questions"):
        vectors |= zip(texts[name], np.load(folder / f"{name}.npy").tolist(), strict=True)
    return Given(
        memories=texts["memories"],
        questions=texts["questions"],
        vectors=vectors,
        data=Path(sent["data"]),
        conninfo=sent["conninfo"],
        url=sent["url"],
        key=sent["key"],
    )


def _add(contender: Contender, given: Given, sent: dict[str, Any]) -> dict[str, Any]:
    texts, size = given.memories[sent["start"] : sent["end"]], sent["size"]
    began = time.perf_counter()
    for at in range(0, len(texts), size):
        contender.add(texts[at : at + size])
    return {"seconds": time.perf_counter() - began}


def _search(contender: Contender, given: Given, sent: dict[str, Any]) -> dict[str, Any]:
    seconds, found = [], []
    for question in given.questions[sent["start"] : sent["end"]]:
        began = time.perf_counter()
        got = contender.search(question, sent["k"])
        seconds.append(time.perf_counter() - began)
        found.append(got)
    return {"seconds": seconds, "found": found}


_DO: dict[str, Callable[[Contender, Given, dict[str, Any]], dict[str, Any]]] = {
    "add": _add,
    "search": _search,
}


def serve(contender: Contender) -> None:
    """Do what the lines say until they end; a failure is answered, and is the end."""
    # What a library prints must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        given = read_given(json.loads(sys.stdin.readline()))
        contender.open(given)
        _answer(answers, {"opened": True})
        for line in sys.stdin:
            sent = json.loads(line)
            _answer(answers, _DO[sent["do"]](contender, given, sent))
        contender.close()
    except Exception as error:
        traceback.print_exc()
        _answer(answers, {"failed": f"{type(error).__name__}: {error}"})
        raise SystemExit(1) from error


def _answer(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
