"""The user's own agent on tasks, with memory and without: what it gets right, its cost, its time.

A line of a file is one user: ``sessions`` in the conversation format, and ``tasks``: ``id``,
``prompt``, ``expect`` (each of these is in the answer, of a list at least one) and ``reject`` (none
of these is). Nothing here says how well memory finds things; that is a score of its own.
"""

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from muniment.client import Client
from muniment.client.conversations import Conversation, read_conversations
from muniment.errors import InvalidInput
from muniment_evals.life import await_job
from muniment_evals.reading import numbered_lines

_SAID_OF_MEMORY = "MUNIMENT_"
_MOST_SAID = 400


@dataclass(frozen=True)
class Outcome:
    """What an agent answered to one task. ``error``: why there is no answer."""

    answer: str
    seconds: float
    cost_usd: float | None = None
    tokens: int | None = None
    error: str | None = None


@dataclass(frozen=True)
class Task:
    """A prompt, and what its answer has and has not."""

    id: str
    user_id: str
    prompt: str
    expect: Sequence[str | Sequence[str]]
    reject: Sequence[str]

    def passed(self, outcome: Outcome) -> bool:
        """Whether the answer has all that is expected and nothing that is rejected."""
        said = outcome.answer.casefold()
        if outcome.error is not None or any(one.casefold() in said for one in self.reject):
            return False
        groups = [[one] if isinstance(one, str) else one for one in self.expect]
        return all(any(one.casefold() in said for one in group) for group in groups)


@dataclass(frozen=True)
class Arm:
    """All tasks one way. ``cost_usd`` and ``tokens``: what the agent said it used, if it did."""

    passed: int
    rate: float
    seconds_p50: float
    seconds: Sequence[float]
    cost_usd: float | None
    tokens: int | None
    errors: int


@dataclass(frozen=True)
class Pair:
    """One task both ways."""

    id: str
    prompt: str
    with_memory: bool
    without: bool
    answer_with: str
    answer_without: str


@dataclass(frozen=True)
class Report:
    """Both arms beside each other, and what differs: ``won`` and ``lost`` by memory."""

    tasks: int
    with_memory: Arm
    without: Arm
    won: Sequence[str]
    lost: Sequence[str]
    pairs: Sequence[Pair]


Agent = Callable[[Task, bool], Outcome]
"""Answers a task, with memory or without."""


def read(path: Path) -> list[tuple[Conversation, list[Task]]]:
    """Users with their tasks. Raises InvalidInput naming the line that breaks the format."""
    users = []
    conversations = list(read_conversations(path))
    for (number, line), conversation in zip(numbered_lines(path), conversations, strict=True):
        try:
            tasks = [_task(conversation.id, one) for one in json.loads(line)["tasks"]]
        except (KeyError, TypeError, ValueError):
            raise InvalidInput(f"{path}, line {number}: is no user with tasks.") from None
        users.append((conversation, tasks))
    if not any(tasks for _, tasks in users):
        raise InvalidInput(f"{path}: there is no task.")
    return users


def _task(user_id: str, found: Mapping[str, Any]) -> Task:
    expect, reject = found["expect"], found.get("reject", [])
    if not isinstance(expect, list) or not expect or not isinstance(reject, list):
        raise ValueError("a task expects something")
    return Task(str(found["id"]), user_id, str(found["prompt"]), expect, reject)


def tell(client: Client, conversation: Conversation) -> None:
    """Write what a user said, and wait until it is consolidated."""
    jobs = []
    for session in conversation.sessions:
        place: dict[str, Any] = {"user_id": conversation.id, "session_id": session.session_id}
        for batch in session.batches():
            client.events.write(**place, events=[turn.event() for turn in batch])
        jobs.append(client.sessions.close(**place).job_id)
    for job in jobs:
        if job is not None:
            await_job(client, job)


def evaluate(
    tasks: Sequence[Task], agent: Agent, progress: Callable[[str], None] = lambda _: None
) -> Report:
    """Every task both ways, in turns which way comes first."""
    given: dict[bool, list[Outcome]] = {True: [], False: []}
    for number, task in enumerate(tasks):
        for memory in (True, False) if number % 2 else (False, True):
            given[memory].append(agent(task, memory))
        told = ", ".join(
            f"{name} {'passed' if task.passed(given[memory][-1]) else 'failed'}"
            for name, memory in (("with memory", True), ("without", False))
        )
        progress(f"{task.id}: {told}")
    pairs = [
        Pair(
            task.id, task.prompt, task.passed(on), task.passed(off), on.answer[:_MOST_SAID],
            off.answer[:_MOST_SAID],
        )
        for task, on, off in zip(tasks, given[True], given[False], strict=True)
    ]  # fmt: skip
    return Report(
        tasks=len(tasks),
        with_memory=_arm(tasks, given[True]),
        without=_arm(tasks, given[False]),
        won=[one.id for one in pairs if one.with_memory and not one.without],
        lost=[one.id for one in pairs if one.without and not one.with_memory],
        pairs=pairs,
    )


def _arm(tasks: Sequence[Task], outcomes: Sequence[Outcome]) -> Arm:
    passed = sum(task.passed(one) for task, one in zip(tasks, outcomes, strict=True))
    costs = [one.cost_usd for one in outcomes if one.cost_usd is not None]
    tokens = [one.tokens for one in outcomes if one.tokens is not None]
    seconds = [round(one.seconds, 4) for one in outcomes]
    return Arm(
        passed=passed,
        rate=passed / len(tasks),
        seconds_p50=median(seconds),
        seconds=seconds,
        cost_usd=round(sum(costs), 6) if costs else None,
        tokens=sum(tokens) if tokens else None,
        errors=sum(one.error is not None for one in outcomes),
    )


def command_agent(command: Sequence[str], url: str, key: str, patience: float) -> Agent:
    """An agent that is a command: the prompt on its input, the answer on its output.

    Whose task it is says TASK_USER_ID. With memory it is told the service by MUNIMENT_URL and
    MUNIMENT_API_KEY; without, no variable of that kind is there. A last line that is an object of
    JSON with ``answer`` says it instead, and may say ``cost_usd`` and ``tokens``.
    """

    def agent(task: Task, memory: bool) -> Outcome:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(_SAID_OF_MEMORY)}
        if memory:
            told = {"URL": url, "API_KEY": key}
            clean |= {f"{_SAID_OF_MEMORY}{name}": value for name, value in told.items()}
        clean["TASK_USER_ID"] = task.user_id
        began = time.perf_counter()
        try:
            done = subprocess.run(
                command, input=task.prompt, capture_output=True, text=True, timeout=patience,
                env=clean, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return Outcome("", time.perf_counter() - began, error=type(error).__name__)
        seconds = time.perf_counter() - began
        if done.returncode != 0:
            return Outcome("", seconds, error=f"exit status {done.returncode}")
        return _said(done.stdout, seconds)

    return agent


def _said(output: str, seconds: float) -> Outcome:
    """The answer on an output, with what its last line says of cost."""
    last = output.strip().rpartition("\n")[2]
    try:
        found = json.loads(last)
        answer = str(found["answer"])
        cost, tokens = found.get("cost_usd"), found.get("tokens")
        cost = None if cost is None else float(cost)
        tokens = None if tokens is None else int(tokens)
    except (ValueError, KeyError, TypeError):
        return Outcome(output, seconds)
    return Outcome(answer, seconds, cost, tokens)
