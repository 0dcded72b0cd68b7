"""Labels in order within one sentence: rules over a stream of labelled phrases, in one pass."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SequenceRule:
    """``steps`` in this order, each at most ``within`` words behind the one before it.

    A step is a set of labels; ``unless`` are labels whose presence in the sentence is a veto.
    """

    name: str
    weight: int
    steps: tuple[frozenset[str], ...]
    within: int = 8
    unless: frozenset[str] = frozenset()


def rule(name: str, weight: int, *steps: str, within: int = 8, unless: str = "") -> SequenceRule:
    """A rule whose steps are written as labels joined by spaces."""
    sets = tuple(frozenset(step.split()) for step in steps)
    return SequenceRule(name, weight, sets, within, frozenset(unless.split()))


class SequenceRules:
    """Rules indexed by label, so that a label costs only the rules that wait for it."""

    def __init__(self, rules: Iterable[SequenceRule]) -> None:
        self.rules = tuple(rules)
        self.waiting: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, each in enumerate(self.rules):
            for step in reversed(range(len(each.steps))):
                for label in each.steps[step]:
                    self.waiting[label].append((number, step))
        self.vetoes = frozenset(label for each in self.rules for label in each.unless)


class SequenceWatch:
    """Feeds on the labels of a text; ``met`` holds the rules met so far and their weights."""

    def __init__(self, rules: SequenceRules) -> None:
        self.met: dict[str, int] = {}
        self._rules = rules
        self._reached: dict[tuple[int, int], int] = {}
        self._complete: set[int] = set()
        self._vetoes: set[str] = set()

    def see(self, labels: Sequence[str], position: int) -> None:
        """Take the ``labels`` of the phrase at ``position``, counted in words."""
        for label in labels:
            if label in self._rules.vetoes:
                self._vetoes.add(label)
            for number, step in self._rules.waiting.get(label, ()):
                self._advance(number, step, position)

    def _advance(self, number: int, step: int, position: int) -> None:
        waited = self._rules.rules[number]
        if step > 0:
            before = self._reached.get((number, step - 1))
            if before is None or before == position or position - before > waited.within:
                return
        if step + 1 == len(waited.steps):
            self._complete.add(number)
        else:
            self._reached[(number, step)] = position

    def end_sentence(self) -> None:
        """Settle the sentence: nothing that was reached in it reaches into the next one."""
        for number in self._complete:
            complete = self._rules.rules[number]
            if not complete.unless & self._vetoes:
                self.met[complete.name] = max(complete.weight, self.met.get(complete.name, 0))
        self._reached.clear()
        self._complete.clear()
        self._vetoes.clear()
