"""muniment eval task and checklist: an agent with memory and without; nine claims.

| agent | then |
|---|---|
| one that recalls, on the set of the repository | passes more with memory; what needs none is lost by neither |
| answers in plain words, with cost, with a broken last line, not at all, too slowly | outcomes as they are |
| a file of another form | InvalidInput with its line |
| the nine claims | all shown, each with evidence |
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from muniment.client import Client
from muniment.errors import InvalidInput
from muniment.testing import Running
from muniment_evals import pages_store
from muniment_evals.checklist import run
from muniment_evals.page import html
from muniment_evals.probes import Place
from muniment_evals.task import Outcome, Task, command_agent, evaluate, read, tell

ROOT = Path(__file__).parents[2]
AT = datetime(2026, 6, 1, tzinfo=UTC)


def test_memory_helps_and_the_harness_says_so(admin: Client) -> None:
    users = read(ROOT / "evals/cases/tasks.jsonl")
    key = admin.keys.create(principal="agent").secret
    for conversation, _ in users:
        tell(admin, conversation)
    command = [sys.executable, "-S", str(ROOT / "examples/recalling_agent.py")]
    tasks = [one for _, some in users for one in some]
    report = evaluate(tasks, command_agent(command, admin.url, key, 60.0))
    assert (report.with_memory.errors, report.without.errors) == (0, 0)
    assert report.won == ["region", "release", "lag", "city", "allergy"], report.pairs
    assert (report.with_memory.passed, report.without.passed, report.lost) == (5, 0, [])
    assert (report.with_memory.cost_usd, report.without.tokens) == (0.0, 0)
    assert min(report.with_memory.seconds) > 0.0
    page = html(pages_store.task(report, "tasks.jsonl", "agent"), AT)
    assert "Won by memory: region" in page


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("print('It is 42.')", ("It is 42.\n", None, None)),
        ("print('so:'); print('{\"answer\": \"42\", \"cost_usd\": 0.5}')", ("42", 0.5, None)),
        ("print('{\"answer\": 42, \"tokens\": \"many\"}')", None),
        ("raise SystemExit(3)", ("", None, "exit status 3")),
        ("import os; print(sorted(k for k in os.environ if k.startswith('MUNIMENT_')))", ("[]\n", None, None)),
        ("import threading; threading.Event().wait()", ("", None, "TimeoutExpired")),
    ],
)  # fmt: skip
def test_what_a_command_says(said: str, wanted: tuple[Any, ...] | None) -> None:
    task = Task("t", "u", "What is it?", ["42"], [])
    patience = 0.3 if "threading" in said else 60.0
    found = command_agent([sys.executable, "-S", "-c", said], "http://x", "k", patience)(
        task, False
    )
    if wanted is None:
        assert found.answer.startswith("{")
        return
    assert (found.answer, found.cost_usd, found.error) == wanted


def test_no_such_command() -> None:
    found = command_agent(["/none/such"], "http://x", "k", 1.0)(
        Task("t", "u", "?", ["x"], []), True
    )
    assert (found.answer, found.error) == ("", "FileNotFoundError")


@pytest.mark.parametrize(
    ("answer", "expect", "reject", "passed"),
    [
        ("Rotterdam, I think", ["rotterdam"], ["Utrecht"], True),
        ("not Utrecht but Rotterdam", ["rotterdam"], ["Utrecht"], False),
        ("3 days", [["three days", "3 days"]], [], True),
        ("", ["x"], [], False),
    ],
)
def test_what_passes(answer: str, expect: list[Any], reject: list[str], passed: bool) -> None:
    task = Task("t", "u", "?", expect, reject)
    assert task.passed(Outcome(answer, 0.1)) is passed
    assert not task.passed(Outcome(answer, 0.1, error="exit status 1"))


@pytest.mark.parametrize(
    "tasks", [None, [{"id": "t"}], [{"id": "t", "prompt": "?", "expect": []}], []]
)
def test_what_is_no_file_of_tasks(tmp_path: Path, tasks: Any) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps({"id": "u", "sessions": [], "tasks": tasks}) + "\n")
    with pytest.raises(InvalidInput, match=r"t\.jsonl"):
        read(file)


def test_nine_claims(running: Running) -> None:
    def fresh() -> Client:
        with Client(running.url, running.key) as installation:
            return Client(running.url, installation.tenants.create(name="claims").key.secret)

    said: list[str] = []
    with fresh() as own:
        claims = run(Place(own, fresh), said.append)
    assert [one.claim for one in claims if not one.shown] == [], [one.wrong for one in claims]
    assert len(claims) == len(said) == 9
    assert all(one.evidence for one in claims)
    assert "9 of 9 shown" in html(pages_store.checklist(claims), AT)
