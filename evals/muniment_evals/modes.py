"""How often `auto` chooses the mode that a labelled question asks for (RULES 13, 16.3).

The choice is a pure function of the question and of what was done before, so no service is needed.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from muniment.domain.mode import CHOICES, Known, Situation, choose
from muniment.errors import InvalidInput

_NOW: Final = datetime(2026, 6, 1, 12, tzinfo=UTC)
# The defaults of the policy.
_CONFIDENCE: Final = {"confirmatory": 0.9, "exploratory": 0.7, "exploratory_divergent": 0.5}
_FLOOR: Final = 0.6
_LIFE: Final = timedelta(days=90)


@dataclass(frozen=True)
class Report:
    """Shares from 0 to 1; ``confusion`` counts, for each wanted mode, those that were chosen."""

    questions: int
    agreement: float
    by_class: Mapping[str, float]
    confusion: Mapping[str, Mapping[str, int]]
    disagreements: Sequence[str]


def evaluate(*files: Path) -> Report:
    """Choose for every question of the files. Raises InvalidInput for what is no such file."""
    tried = [one for file in files for one in _chosen(file)]
    if not tried:
        raise InvalidInput("There is no question in these files.")
    pairs = Counter((case["mode"], chosen) for case, chosen in tried)
    classes = Counter(case["class"] for case, _ in tried)
    right = Counter(case["class"] for case, chosen in tried if case["mode"] == chosen)
    return Report(
        questions=len(tried),
        agreement=right.total() / len(tried),
        by_class={name: right[name] / count for name, count in sorted(classes.items())},
        confusion={one: {other: pairs[one, other] for other in CHOICES} for one in CHOICES},
        disagreements=[
            f"{case['mode']}, chosen {chosen}: {case['question']}"
            for case, chosen in tried
            if case["mode"] != chosen
        ],
    )


def _chosen(file: Path) -> Iterator[tuple[Mapping[str, Any], str | None]]:
    beside = sorted(file.parent.glob("modes_sources*.jsonl"))
    sources = {line["data_source"]: line for path in beside for line in _lines(path)}
    try:
        for case in _lines(file):
            yield case, choose("auto", _situation(case, sources[case["data_source"]])).mode
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{file}: a question has no such form: {error}") from None


def _lines(file: Path) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            yield json.loads(line)
        except ValueError:
            raise InvalidInput(f"{file}: line {number} is not JSON.") from None


def _situation(case: Mapping[str, Any], source: Mapping[str, Any]) -> Situation:
    gap = case["gap_hours"]
    last = None if gap is None else _NOW - timedelta(hours=gap)
    findings = []
    for one in source["findings"] if last is not None else ():
        at = (last or _NOW) - timedelta(days=one["days_before"])
        confidence = _CONFIDENCE[one["label"]]
        if confidence >= _FLOOR:
            findings.append(Known(one["text"], confidence, at, stale=at + _LIFE <= _NOW))
    return Situation(
        question=case["question"],
        now=_NOW,
        findings=findings,
        steps=source["steps"],
        unknowns=source["unknowns"],
        last_at=last,
        fingerprint=case["fingerprint"],
    )
