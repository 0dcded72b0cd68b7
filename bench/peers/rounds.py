"""The run: everybody adds and is asked in rounds whose order turns."""

import itertools
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from bench.figures import percentile
from bench.peers.parent import ContenderFailed
from bench.peers.texts import Texts, hits

K = 10


class Told(Protocol):
    """What answers lines; a child."""

    def tell(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Its answer."""
        ...


@dataclass(frozen=True)
class Plan:
    """How much of what: memories and rounds of adding (one by one, the rest in batches), rounds of
    questions after some that warm up."""

    memories: int
    rounds: int
    singly: int
    batch: int
    questions: int
    warm: int

    def slices(self) -> list[tuple[int, int]]:
        """The memories of each round."""
        edges = [self.memories * n // self.rounds for n in range(self.rounds + 1)]
        return list(itertools.pairwise(edges))

    @property
    def asked(self) -> int:
        """Questions in all, none of them twice."""
        return self.rounds * (self.warm + self.questions)


@dataclass
class Figures:
    """One contender's, a number for each round: adds a second, milliseconds, hits of so many."""

    singly: list[float] = field(default_factory=list)
    batched: list[float] = field(default_factory=list)
    p50: list[float] = field(default_factory=list)
    p95: list[float] = field(default_factory=list)
    hits: int = 0
    asked: int = 0
    failed: str | None = None


def run(children: Mapping[str, Told], texts: Texts, plan: Plan) -> dict[str, Figures]:
    """Figures by name. Who fails is asked nothing more, and its figures say why."""
    found = {name: Figures() for name in children}
    for number, (start, end) in enumerate(plan.slices()):
        alone = min(start + plan.singly, end)

        def add(child: Told, into: Figures, start: int = start, alone: int = alone, end: int = end) -> None:  # fmt: skip
            into.singly.append(_rate(child, start, alone, 1))
            into.batched.append(_rate(child, alone, end, plan.batch))

        _each(children, found, number, add)
    for number in range(plan.rounds):
        first = number * (plan.warm + plan.questions)

        def ask(child: Told, into: Figures, first: int = first) -> None:
            _ask(child, into, texts, plan, first)

        _each(children, found, number, ask)
    return found


def _each(
    children: Mapping[str, Told],
    found: Mapping[str, Figures],
    number: int,
    work: Callable[[Told, Figures], None],
) -> None:
    for name in turned(list(children), number):
        if found[name].failed is None:
            try:
                work(children[name], found[name])
            except ContenderFailed as error:
                found[name].failed = str(error)


def turned(names: Sequence[str], number: int) -> Iterator[str]:
    """The names, another one first in each round."""
    at = number % len(names)
    yield from (*names[at:], *names[:at])


def _rate(child: Told, start: int, end: int, size: int) -> float:
    sent = {"do": "add", "start": start, "end": end, "size": size}
    return float((end - start) / child.tell(sent)["seconds"])


def _ask(child: Told, into: Figures, texts: Texts, plan: Plan, first: int) -> None:
    begin, end = first + plan.warm, first + plan.warm + plan.questions
    child.tell({"do": "search", "start": first, "end": begin, "k": K})
    answer = child.tell({"do": "search", "start": begin, "end": end, "k": K})
    taken = [seconds * 1000 for seconds in answer["seconds"]]
    into.p50.append(statistics.median(taken))
    into.p95.append(percentile(taken, 95))
    into.hits += hits(texts.questions[begin:end], answer["found"], texts.memories)
    into.asked += plan.questions
