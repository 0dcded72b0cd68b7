"""The demo: it passes, it fits, and it fails when an answer is wrong.

| the service | the demo |
|---|---|
| as it is | every check right, exit 0; no line wider than the terminal |
| answers with another value, grade, date mark or source | exit 1, and names the answer |
| returns the quarantined mail, or another user's item | exit 1 |
| does not forget, or forgets somebody else too | exit 1 |
| does not start | exit 1, in a sentence |
"""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from examples.demo.__main__ import perform
from examples.demo.conversation import NORA, TOMAS, Talk, conversation
from rich.console import Console

from muniment.client import Client
from muniment.client.core import Endpoint
from muniment.client.models import EventsWritten, Forgotten, Item, Items, MemoryView
from muniment.domain.gate.judge import (
    NOTHING_BEFORE,
    GateContext,
    GateInput,
    judge,
    sentence_digests,
)
from muniment.domain.instructions import looks_like_instruction
from muniment.testing import Running
from tests.support.documents import ROOT

pytestmark = pytest.mark.long

R = TypeVar("R")
Change = Callable[[Any], Any]


def run_demo(**environment: str) -> "subprocess.CompletedProcess[str]":
    """As `make demo` does, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "examples.demo"], cwd=ROOT, env={**os.environ, **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_demo_passes_and_fits() -> None:
    columns = 80
    done = run_demo(COLUMNS=str(columns))
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert max(len(line) for line in lines) <= columns
    assert "\x1b" not in done.stdout
    assert lines[-1].endswith("checks, all right.")
    said = " ".join(done.stdout.split())
    for told in (
        "dropped greeting",
        "quarantined",
        "by rule world_change",
        "stale: as of",
        "left of Nora: no rows",
    ):
        assert told in said


def test_a_wide_terminal_with_colours(admin: Client) -> None:
    screen = io.StringIO()
    console = Console(
        file=screen, force_terminal=True, color_system="truecolor", width=240, highlight=False
    )
    assert perform(admin, console) == 0
    assert "\x1b[" in screen.getvalue()


def test_a_service_that_does_not_start(tmp_path: Path) -> None:
    missing = str(tmp_path / "policy.toml")
    done = run_demo(MUNIMENT_POLICY_FILE=missing)
    assert done.returncode == 1
    assert done.stderr.startswith("demo: ")
    assert "Traceback" not in done.stdout + done.stderr


# A service that is wrong -----------------------------------------------------------------------


class Altered(Client):
    """A client of a service whose answers were changed on the way."""

    change: Change

    def call(
        self,
        endpoint: Endpoint,
        arguments: Mapping[str, Any],
        result: type[R],
        /,
        idempotency_key: str | None = None,
    ) -> R:
        """The answer, changed."""
        answer: R = self.change(super().call(endpoint, arguments, result, idempotency_key))
        return answer


def first_item(**changed: Any) -> Change:
    """The best item of every recall, with something else in it."""

    def change(answer: Any) -> Any:
        if isinstance(answer, MemoryView) and answer.items:
            return replace(answer, items=(replace(answer.items[0], **changed), *answer.items[1:]))
        return answer

    return change


def every_turn_is_kept(answer: Any) -> Any:
    if isinstance(answer, EventsWritten):
        return replace(answer, verdicts=tuple(replace(one, kept=True) for one in answer.verdicts))
    return answer


class Hoarder:
    """Answers with whatever was ever recalled, whoever asks."""

    def __init__(self) -> None:
        self.seen: list[Item] = []

    def __call__(self, answer: Any) -> Any:
        if not isinstance(answer, MemoryView):
            return answer
        self.seen += answer.items
        return replace(answer, items=tuple(self.seen[:1]) or answer.items, abstained=not self.seen)


class QuarantineOpened:
    """Recalls the quarantined mail where it knows nothing else."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __call__(self, answer: Any) -> Any:
        if isinstance(answer, MemoryView) and answer.abstained:
            mail = self._client.memories.list(
                user_id=NORA, tiers=["episodic"], standing=["quarantined"]
            ).items
            return replace(answer, items=mail, abstained=not mail)
        return answer


class ForgetsSomebodyElseToo:
    """Deletes Tomas with Nora."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __call__(self, answer: Any) -> Any:
        if isinstance(answer, Forgotten) and not answer.dry_run:
            self._client.forget(user_id=TOMAS)
        return answer


class OnlyPretends(Altered):
    """Says that it forgets, and counts only."""

    def call(
        self,
        endpoint: Endpoint,
        arguments: Mapping[str, Any],
        result: type[R],
        /,
        idempotency_key: str | None = None,
    ) -> R:
        if endpoint.operation == "forget":
            arguments = {**arguments, "dry_run": True}
        return super().call(endpoint, arguments, result, idempotency_key)


def unchanged(answer: Any) -> Any:
    return answer


def summaries_lose_a_line(answer: Any) -> Any:
    if isinstance(answer, Items):
        short = [replace(one, text=one.text.splitlines()[0]) for one in answer.items]
        return replace(answer, items=tuple(short))
    return answer


@pytest.fixture
def altered(running: Running, admin: Client) -> Iterator[Callable[..., Altered]]:
    """Makes a client of a fresh tenant whose answers are changed."""
    key = admin.keys.create(
        principal="demo",
        verbs=["read", "write", "forget"],
        layers=["episodic", "semantic", "governance"],
    ).secret
    made: list[Altered] = []

    def make(change: Change, kind: type[Altered] = Altered) -> Altered:
        made.append(kind(running.url, key))
        made[-1].change = change
        return made[-1]

    yield make
    for client in made:
        client.close()


def play(client: Client) -> tuple[int, str]:
    """The exit status and what was printed."""
    screen = io.StringIO()
    return perform(client, Console(file=screen, width=100, highlight=False)), screen.getvalue()


WRONG = {
    "another value": (first_item(value="eu-north-1"), "the region today"),
    "another grade": (first_item(trust="agent_inferred"), "the trust of the region today"),
    "never stale": (first_item(stale=False), "the price today is stale"),
    "another status": (first_item(status="superseded"), "the status of the region today"),
    "no source": (first_item(evidence=()), "rests on turns of nora alone"),
    "from the future": (first_item(as_of=datetime(2999, 1, 1, tzinfo=UTC)), "was known by"),
    "no gate": (every_turn_is_kept, "is kept"),
    "thin summaries": (summaries_lose_a_line, "the summary of nora-setup"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_fails_the_demo(name: str, altered: Callable[..., Altered]) -> None:
    change, claim = WRONG[name]
    status, printed = play(altered(change))
    assert status == 1
    assert "checks are wrong:" in printed
    assert claim in " ".join(printed.split())


def test_a_service_that_answers_with_what_others_said(altered: Callable[..., Altered]) -> None:
    status, printed = play(altered(Hoarder()))
    assert status == 1
    assert "rests on turns of tomas alone" in " ".join(printed.split())


def test_a_service_that_recalls_the_mail(altered: Callable[..., Altered], admin: Client) -> None:
    status, printed = play(altered(QuarantineOpened(admin)))
    assert status == 1
    assert "does not answer with the mail" in " ".join(printed.split())


def test_a_service_that_only_pretends_to_forget(altered: Callable[..., Altered]) -> None:
    status, printed = play(altered(unchanged, OnlyPretends))
    assert status == 1
    said = " ".join(printed.split())
    assert "forgetting gives a receipt" in said
    assert "rows left of Nora" in said


def test_a_service_that_forgets_too_much(altered: Callable[..., Altered], admin: Client) -> None:
    status, printed = play(altered(ForgetsSomebodyElseToo(admin)))
    assert status == 1
    assert "Tomas's answers after Nora was forgotten" in " ".join(printed.split())


# The conversation on every day of the year -----------------------------------------------------


def test_the_gate_says_the_same_on_every_day() -> None:
    for days in range(366):
        today = datetime(2027, 12, 31, 23, 59, tzinfo=UTC) + timedelta(days=days)
        for talk in conversation(today):
            assert talk.started_at < today
            check_verdicts(talk)


def check_verdicts(talk: Talk) -> None:
    """Judge a session as the service does, and compare with what the demo expects."""
    seen: frozenset[str] = frozenset()
    context = NOTHING_BEFORE
    for line in talk.lines:
        said = GateInput(line.role, line.text, line.name)
        verdict = judge(said, context)
        assert verdict.kept == line.kept, line.text
        assert line.reason in (None, str(verdict.reason)), line.text
        outside = line.role in ("tool", "external")
        assert (outside and looks_like_instruction(line.text).flagged) == line.quarantined
        seen |= sentence_digests(said)
        context = GateContext(previous=said, seen=seen)
