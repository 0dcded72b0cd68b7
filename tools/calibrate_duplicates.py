"""Calibrate near-duplicates: ``python -m tools.calibrate_duplicates`` says which thresholds fit.

For each kind the overlap and the distance under the embedder with which most paraphrases of the
tuning rounds are one and nothing else is; then what the policy reaches on the rounds that it was
not calibrated on. Where a kind has few pairs, those of all kinds count. Writes nothing.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.table import Table

from muniment.bootstrap import load_policy
from muniment.domain.duplicates import Nearness, Threshold, nearness
from muniment.domain.gist import gist
from muniment.domain.text import analyzer_for
from muniment.ports import Embedder
from muniment.providers.static_embedder import StaticEmbedder
from muniment.settings import Settings

CASES = Path(__file__).resolve().parent.parent / "evals/cases/duplicates.jsonl"
TUNING: Final = frozenset({1, 4})
CONFIRMING: Final = frozenset({2, 3})
FEW: Final = 60
_OVERLAPS: Final = [step / 20 for step in range(20, 5, -1)]
_DISTANCES: Final = [None, *(step / 50 for step in range(1, 51))]


@dataclass(frozen=True)
class Pair:
    """A labelled pair; ``differs`` is None where both say the same. ``near`` is None where a value,
    a name or the polarity tells them apart.
    """

    kind: str
    round: int
    differs: str | None
    near: Nearness | None

    def merged(self, threshold: Threshold) -> bool:
        """True if the two would be one memory."""
        return self.near is not None and threshold.admits(self.near)


def pairs(file: Path, embedder: Embedder) -> Iterator[Pair]:
    """The labelled pairs of a file, compared."""
    analyzer = analyzer_for()
    for line in file.read_text(encoding="utf-8").splitlines():
        case: dict[str, Any] = json.loads(line)
        one, other = case["texts"]
        first, second = embedder.embed([one, other])
        found = nearness(
            gist(one, analyzer), gist(other, analyzer), float(np.linalg.norm(first - second))
        )
        yield Pair(case["kind"], case["round"], case["differs"], found)


def calibrated(given: Sequence[Pair]) -> Threshold:
    """The strictest threshold of those that merge most paraphrases and nothing else."""
    same = [pair for pair in given if pair.differs is None]
    others = [pair for pair in given if pair.differs is not None]
    best, most = Threshold(1.0), -1
    for overlap in _OVERLAPS:
        for distance in _DISTANCES:
            threshold = Threshold(overlap, distance)
            if any(pair.merged(threshold) for pair in others):
                break
            count = sum(pair.merged(threshold) for pair in same)
            if count > most:
                best, most = threshold, count
    return best


def reached(given: Iterable[Pair], threshold: Threshold) -> tuple[int, int, int, int]:
    """Paraphrases merged and in all, other pairs merged and in all."""
    found = [(pair.differs is None, pair.merged(threshold)) for pair in given]
    return (
        found.count((True, True)),
        sum(same for same, _ in found),
        found.count((False, True)),
        sum(not same for same, _ in found),
    )


def main() -> int:
    """Print the table; 1 if the policy merges what it must not."""
    embedder = StaticEmbedder()
    every = list(pairs(CASES, embedder))
    policy = load_policy(Settings())
    table = Table("kind", "fitting", "policy", "paraphrases", "others", title=embedder.name)
    wrong = 0
    for name in sorted({pair.kind for pair in every}):
        held = policy.kinds[name].threshold(embedder.name) or Threshold(1.0)
        tuning = [pair for pair in every if pair.round in TUNING]
        own = [pair for pair in tuning if pair.kind == name]
        few = sum(pair.differs is None for pair in own) < FEW
        fitting = calibrated(tuning if few else own)
        confirming = [pair for pair in every if pair.round in CONFIRMING and pair.kind == name]
        merged, same, false, others = reached(confirming, held)
        wrong += false
        table.add_row(
            name,
            f"{fitting.overlap} {fitting.distance}",
            f"{held.overlap} {held.distance}",
            f"{merged} of {same}",
            f"{false} of {others}",
        )
    Console().print(table)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
