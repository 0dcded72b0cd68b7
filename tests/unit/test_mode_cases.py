"""The mode that is chosen, against the questions of evals/cases.

| questions | then |
|---|---|
| the files | are those whose digests the README gives; 120 or more, and every mode and class in each half |
| on which rules were written | at least 95 of 100 agree |
| the sealed ones | at least 85 of 100 agree |
| one that is no JSON, or lacks a field | InvalidInput |
"""

import hashlib
from pathlib import Path

import pytest

from muniment.domain.mode import CHOICES
from muniment.errors import InvalidInput
from muniment_evals.modes import evaluate

CASES = Path(__file__).parents[2] / "evals/cases"
OPEN = [CASES / f"modes_{name}.jsonl" for name in ("open", "open2", "open4")]
SEALED = [CASES / "modes_sealed.jsonl", CASES / "modes_sealed2.jsonl"]
CLASSES = {"explicit", "mixed", "implicit", "none", "trap"}


def test_the_files_are_those_that_were_written() -> None:
    readme = (CASES / "README.md").read_text(encoding="utf-8")
    for file in sorted(CASES.glob("modes*.jsonl")):
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        assert f"| `{file.name}` | " in readme
        assert digest in readme
    halves = [evaluate(*OPEN), evaluate(*SEALED)]
    assert sum(half.questions for half in halves) >= 120
    for half in halves:
        assert set(half.by_class) == CLASSES
        assert all(sum(half.confusion[mode].values()) for mode in CHOICES)


@pytest.mark.parametrize(("files", "least"), [(OPEN, 0.95), (SEALED, 0.85), (SEALED[1:], 0.85)])
def test_the_chosen_modes_are_the_wanted_ones(files: list[Path], least: float) -> None:
    assert evaluate(*files).agreement >= least


@pytest.mark.parametrize(
    "line", ["no JSON", "{}", '{"data_source": "x", "mode": "fresh"}', "[]", ""]
)
def test_what_is_no_question(line: str, tmp_path: Path) -> None:
    file = tmp_path / "modes.jsonl"
    file.write_text(line)
    with pytest.raises(InvalidInput):
        evaluate(file)
