"""The evaluation of abstention on a small user.

| a line | then |
|---|---|
| a question that a turn answers, one that nothing does, one that the words of are nowhere | counted as such |
| evidence that is no turn, no questions, no JSON | refused, with its line |
"""

import json
from pathlib import Path
from typing import Any

import pytest

from muniment.client import Client
from muniment.errors import InvalidInput
from muniment_evals.abstention import evaluate, read_users
from tests.support.services import running_service

AT = "2026-09-01T09:00:00+00:00"
USER: dict[str, Any] = {
    "id": "u",
    "sessions": [
        {
            "session_id": "s",
            "turns": [
                {"turn": 1, "role": "user", "content": "We ship invoices by post every Friday.", "occurred_at": AT},
                {"turn": 2, "role": "user", "content": "Our warehouse is in Breda.", "occurred_at": AT},
            ],
        }
    ],
    "questions": [
        {"text": "On which day do we ship the invoices?", "answerable": True, "evidence": [["s", 1]]},
        {"text": "Which vaccinations did the dog get?", "answerable": False},
        {"text": "Which invoices do we ship?", "answerable": False},
    ],
}  # fmt: skip


def written(path: Path, line: str) -> Path:
    """A file of one line."""
    path.write_text(line + "\n", encoding="utf-8")
    return path


def test_it_counts(tmp_path: Path) -> None:
    users = read_users(written(tmp_path / "a.jsonl", json.dumps(USER)))
    said: list[str] = []
    with running_service() as service, Client(service.url, service.key) as client:
        report = evaluate(client, users, said.append)
    assert (report.unanswerable, report.answerable) == (2, 1)
    assert (report.abstained, report.wrongly_abstained, report.found) == (0.5, 0.0, 1.0)
    assert [one.partition(" <- ")[0] for one in report.answered] == ["Which invoices do we ship?"]
    assert (report.silent, said) == ([], ["u: 3 questions so far"])


@pytest.mark.parametrize(
    "line",
    [
        "no",
        "{}",
        json.dumps(USER | {"questions": [{"text": "?"}]}),
        json.dumps(
            USER | {"questions": [{"text": "?", "answerable": True, "evidence": [["s", 9]]}]}
        ),
    ],
)
def test_a_line_of_another_form_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(InvalidInput, match="line 1"):
        read_users(written(tmp_path / "a.jsonl", line))
