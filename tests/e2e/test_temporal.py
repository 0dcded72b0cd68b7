"""muniment eval temporal: a time in a question is understood, and finds what words cannot.

| file | then |
|---|---|
| the set of the repository | every range understood; most evidence found, little of it by words alone; abstained on empty days |
| a question without asked_at; no question | InvalidInput |
"""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment.client import Client
from muniment.errors import InvalidInput
from muniment_evals import pages
from muniment_evals.page import html
from muniment_evals.temporal import evaluate, read

CASES = Path(__file__).parents[2] / "evals/cases/temporal.jsonl"
AT = datetime(2026, 6, 1, tzinfo=UTC)
FOUND, BY_WORDS = 0.95, 0.5


def test_the_set_of_the_repository(admin: Client) -> None:
    report = evaluate(admin, read(CASES), lambda _: None)
    assert report.questions == 72
    assert report.understood == 1.0
    overall, words = report.read["overall"], report.ignored["overall"]
    assert (overall.found or 0.0) >= FOUND, report.wrong
    assert (words.found or 1.0) < BY_WORDS
    assert report.read["empty"].abstained == 1.0
    assert report.read["zone"].outside == 0.0
    assert "Questions about a time" in html(pages.temporal(report, "t"), AT)


@pytest.mark.parametrize("questions", [[], [{"text": "When?", "category": "day"}]])
def test_what_is_no_such_file(tmp_path: Path, questions: list[dict[str, str]]) -> None:
    file = tmp_path / "c.jsonl"
    line = {"id": "c", "sessions": [], "questions": questions}
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"c\.jsonl"):
        read(file)
