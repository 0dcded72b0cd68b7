"""What the gate costs an event: ``python -m bench.gate [FILE]``, milliseconds on ordinary turns.

FILE is of the form that evals/cases/README.md describes. Each stage alone, then all as a write runs
them; ``echo`` with so many recalled texts as a write looks at, at most.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.figures import percentile
from muniment.domain.gate import GateContext, GateInput, judge, sentence_digests
from muniment.domain.gate.echoing import Heard, unless_echo
from muniment.domain.instructions import looks_like_instruction
from muniment.domain.text import analyzer_for
from muniment.providers.redactor import SecretRedactor

DEFAULT = Path("evals/cases/extraction_dev.jsonl")
RECALLED = 64
ROUNDS = 5
REDACTOR = SecretRedactor()


def turns(file: Path) -> list[GateInput]:
    """Every turn of the labelled conversations, in order."""
    return [
        GateInput(turn["role"], turn["content"], turn.get("name"))
        for line in file.read_text(encoding="utf-8").splitlines()
        for session in json.loads(line)["sessions"]
        for turn in session["turns"]
    ]


def measured(said: Sequence[GateInput], work: Callable[[GateInput], object]) -> str:
    """Milliseconds an event: mean, p95 and the longest, each event by the best of its rounds."""
    best = [float("inf")] * len(said)
    for _ in range(ROUNDS):
        for at, one in enumerate(said):
            began = time.perf_counter()
            work(one)
            best[at] = min(best[at], 1000 * (time.perf_counter() - began))
    p95 = percentile(best, 95)
    return f"{statistics.mean(best):8.3f} {p95:8.3f} {max(best):8.3f}"


def main() -> None:
    """Print a line for each stage."""
    said = turns(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT)
    heard = Heard([one.content for one in said[-RECALLED:]], analyzer_for())
    before = GateInput("assistant", "Where shall we deploy it?")

    def whole(one: GateInput) -> None:
        content = REDACTOR.redact(one.content).text
        event = GateInput(one.role, content, one.name)
        unless_echo(event, judge(event, GateContext(before)), heard)
        sentence_digests(event)
        looks_like_instruction(content)

    stages: dict[str, Callable[[GateInput], object]] = {
        "secrets": lambda one: REDACTOR.redact(one.content),
        "verdict": lambda one: judge(one, GateContext(before)),
        "echo": lambda one: unless_echo(one, judge(one), heard),
        "digests": sentence_digests,
        "instructions": lambda one: looks_like_instruction(one.content),
        "all": whole,
    }
    print(f"{len(said)} turns       mean      p95      max (ms)")
    for name, work in stages.items():
        print(f"{name:14}{measured(said, work)}")
    began = time.perf_counter()
    Heard([one.content for one in said[-RECALLED:]], analyzer_for())
    print(
        f"reading {RECALLED} recalled texts, once a call: {1000 * (time.perf_counter() - began):.3f} ms"
    )


if __name__ == "__main__":
    main()
