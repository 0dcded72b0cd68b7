"""Weigh the gate's signs on labelled turns: ``python -m tools.weigh_gate`` writes the weights.

``--check`` writes nothing: it weighs with one set left out and says how the rest does on it.
"""

import csv
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.domain.gate import GateContext, GateInput
from muniment.domain.gate.judge import weighed_signs
from muniment_evals.extraction import judged

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "evals/cases"
TALK = ROOT / "tests/unit/data/gate_talk.tsv"
ALONE = ROOT / "tests/unit/data/gate_turns_dev.tsv"
WRITTEN = ROOT / "src/muniment/domain/gate/signweights.py"
RARE: Final = 6
SLIGHT: Final = 0.1
_RIDGE, _RIDGE_OF_A_WORD = 3.0, 9.0
_OF_ONE_ALONE = 0.3
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Turn:
    """A labelled turn: the set it is of, its signs, whether it is signal, and what it counts."""

    source: str
    signs: frozenset[str]
    signal: bool
    counts: float
    text: str


def _turn(
    source: str, event: GateInput, context: GateContext, signal: bool, counts: float = 1.0
) -> Iterator[Turn]:
    found = weighed_signs(event, context)
    if found is not None:
        yield Turn(source, frozenset(found), signal, counts, event.content)


def turns_of_cases(file: Path) -> Iterator[Turn]:
    """What users say in labelled conversations."""
    for line in file.read_text(encoding="utf-8").splitlines():
        for session in json.loads(line)["sessions"]:
            for label, event, context, _ in judged(session):
                if label["signal"] is not None:
                    yield from _turn(file.stem, event, context, label["signal"])


def turns_of_talk() -> Iterator[Turn]:
    """The tables of turns by kind, and of turns with nothing before them."""
    with TALK.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            before = GateInput("assistant", row["before"]) if row["before"] else None
            event = GateInput("user", row["text"].replace("\\n", "\n"))
            yield from _turn("talk", event, GateContext(before), row["label"] == "keep")
    with ALONE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["role"] == "user" and not row["prev"]:
                event = GateInput("user", row["text"])
                kept = row["label"] == "keep"
                yield from _turn("talk", event, GateContext(), kept, _OF_ONE_ALONE)


def weighed(turns: Sequence[Turn], names: Sequence[str]) -> _Floats:
    """The weights of ``names`` and the bias: logistic regression, held to small weights."""
    place = {name: at for at, name in enumerate(names)}
    rows = np.zeros((len(turns), len(names) + 1))
    rows[:, -1] = 1
    for at, turn in enumerate(turns):
        rows[at, [place[sign] for sign in turn.signs if sign in place]] = 1
    signal = np.array([turn.signal for turn in turns], dtype=float)
    counts = np.array([turn.counts for turn in turns])
    ridge = np.array([_RIDGE_OF_A_WORD if name.startswith("the.") else _RIDGE for name in names])
    ridge = np.append(ridge, 0.01)
    weights = np.zeros(len(names) + 1)
    for _ in range(30):
        share = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (share - signal)) + ridge * weights
        bend = (rows * (counts * share * (1 - share))[:, None]).T @ rows + np.diag(ridge)
        weights -= np.linalg.solve(bend, slope)
    return weights


def fitted(turns: Sequence[Turn]) -> tuple[dict[str, int], int]:
    """The weights that matter, in hundredths, and the bias."""
    often = Counter(sign for turn in turns for sign in turn.signs)
    names = sorted(name for name, times in often.items() if times >= RARE)
    first = weighed(turns, names)
    names = [name for name, weight in zip(names, first, strict=False) if abs(weight) >= SLIGHT]
    final = weighed(turns, names)
    weights = {name: round(100 * weight) for name, weight in zip(names, final, strict=False)}
    return weights, round(100 * final[-1])


def _check(turns: Sequence[Turn]) -> None:
    sources = sorted({turn.source for turn in turns} - {"talk"})
    everything: list[tuple[float, Turn]] = []
    for left_out in sources:
        weights, bias = fitted([turn for turn in turns if turn.source != left_out])
        everything += [
            (bias + sum(weights.get(sign, 0) for sign in turn.signs), turn)
            for turn in turns
            if turn.source == left_out
        ]
    for least in range(-60, 70, 10):
        shares = []
        for source in sources:
            of = [(weight, turn.signal) for weight, turn in everything if turn.source == source]
            kept = sum(weight >= least for weight, signal in of if not signal)
            lost = sum(weight < least for weight, signal in of if signal)
            shares.append(f"{source[11:]} noise kept {kept}, signal lost {lost}")
        print(f"{least:4}: {'; '.join(shares)}")


def _written(weights: dict[str, int], bias: int) -> str:
    lines = "".join(f'    "{name}": {weight},\n' for name, weight in sorted(weights.items()))
    text = (
        '"""What each sign weighs, in hundredths: written by ``tools.weigh_gate``."""\n\n'
        "from collections.abc import Mapping\nfrom types import MappingProxyType\n"
        "from typing import Final\n\n"
        f"BIAS: Final = {bias}\n"
        f"WEIGHTS: Final[Mapping[str, int]] = MappingProxyType(\n    {{\n{lines}    }}\n)\n"
    )
    command = [sys.executable, "-m", "ruff", "format", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout


def main() -> None:
    """Write the weights, or check them."""
    files = sorted(CASES.glob("extraction_dev*.jsonl"))
    turns = [turn for file in files for turn in turns_of_cases(file)]
    turns += turns_of_talk()
    if "--check" in sys.argv:
        _check(turns)
        return
    WRITTEN.write_text(_written(*fitted(turns)), encoding="utf-8")


if __name__ == "__main__":
    main()
