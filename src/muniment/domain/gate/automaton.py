"""Longest-match recognition of word phrases by one deterministic automaton.

A phrase is words and ``{a|b c|}`` groups (nested at will, an empty alternative is optional).
Matching looks each word up once, so it is linear in the words of the longest phrase.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from muniment.domain.late import late

_SYMBOL = late(r"[{}|]|[^\s{}|]+")
_States = frozenset[int]


class PhraseAutomaton:
    """Built from ``(label, lines of phrases)``; the labels of one phrase keep that order.

    It is built when it is first used, and raises ValueError then for phrases that are wrong.
    """

    def __init__(self, labelled: Iterable[tuple[str, str]]) -> None:
        self._labelled = tuple(labelled)

    @cached_property
    def _table(self) -> tuple[list[Mapping[str, int]], list[tuple[str, ...]]]:
        nondeterministic = _Nondeterministic()
        for rank, (label, lines) in enumerate(self._labelled):
            for line in filter(None, map(str.strip, lines.splitlines())):
                nondeterministic.add(line, (rank, label))
        return nondeterministic.determinise()

    def longest(self, words: Sequence[str], start: int) -> tuple[int, tuple[str, ...]] | None:
        """The end and the labels of the longest phrase that begins at ``start``, if any."""
        moves, labels = self._table
        state, found = 0, None
        for position in range(start, len(words)):
            following = moves[state].get(words[position])
            if following is None:
                return found
            state = following
            if labels[state]:
                found = (position + 1, labels[state])
        return found


class _Nondeterministic:
    def __init__(self) -> None:
        self._edges: list[dict[str, set[int]]] = [defaultdict(set)]
        self._silent: list[set[int]] = [set()]
        self._accepts: dict[int, set[tuple[int, str]]] = defaultdict(set)

    def add(self, line: str, accepts: tuple[int, str]) -> None:
        symbols = _SYMBOL.findall(line)
        end, used = self._sequence(symbols, 0, 0)
        if used != len(symbols):
            raise ValueError(f"unbalanced group in phrase {line!r}")
        if end in self._closure((0,)):
            raise ValueError(f"no word is needed for phrase {line!r}")
        self._accepts[end].add(accepts)

    def _state(self) -> int:
        self._edges.append(defaultdict(set))
        self._silent.append(set())
        return len(self._edges) - 1

    def _sequence(self, symbols: Sequence[str], at: int, state: int) -> tuple[int, int]:
        while at < len(symbols) and symbols[at] not in "|}":
            if symbols[at] == "{":
                state, at = self._group(symbols, at + 1, state)
            else:
                following = self._state()
                self._edges[state][symbols[at]].add(following)
                state, at = following, at + 1
        return state, at

    def _group(self, symbols: Sequence[str], at: int, state: int) -> tuple[int, int]:
        joined = self._state()
        while True:
            opened = self._state()
            self._silent[state].add(opened)
            end, at = self._sequence(symbols, at, opened)
            self._silent[end].add(joined)
            if at >= len(symbols):
                raise ValueError("a group of phrases is not closed")
            at += 1
            if symbols[at - 1] == "}":
                return joined, at

    def _closure(self, states: Iterable[int]) -> _States:
        reached, waiting = set(states), list(states)
        while waiting:
            fresh = self._silent[waiting.pop()] - reached
            reached |= fresh
            waiting.extend(fresh)
        return frozenset(reached)

    def determinise(self) -> tuple[list[Mapping[str, int]], list[tuple[str, ...]]]:
        first = self._closure((0,))
        numbers, order = {first: 0}, [first]
        moves: list[Mapping[str, int]] = []
        for states in order:
            joint: dict[str, set[int]] = defaultdict(set)
            for state in states:
                for word, targets in self._edges[state].items():
                    joint[word] |= targets
            row = {}
            for word, targets in joint.items():
                closed = self._closure(targets)
                if closed not in numbers:
                    numbers[closed] = len(order)
                    order.append(closed)
                row[word] = numbers[closed]
            moves.append(row)
        return moves, [self._labels(states) for states in order]

    def _labels(self, states: _States) -> tuple[str, ...]:
        ends: set[tuple[int, str]] = set()
        for state in states & self._accepts.keys():
            ends |= self._accepts[state]
        return tuple(label for _, label in sorted(ends))
