"""Lives of several users, each call through another process than the one before."""

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import Conflict, MunimentError, Unavailable, Unreachable
from tests.support.waiting import until
from tests.support.world import START

T = TypeVar("T")

STAYING = ("anna", "bram", "cleo", "dirk")
LEAVING = ("emmy", "fred")
USERS = STAYING + LEAVING
# Two sessions at a time, of which neither says anything about what the other does.
SAID = (
    ("I live in {w}ville.", "I have a dog called {w}dog.", "I am allergic to {w}nuts."),
    ("I work at {w}works.", "My {w}boat lies in Hoorn.", "I always want {w}tables, not charts."),
    ("I moved to {w}stad on 26 May.", "We decided to sell the {w}boat.", "Good morning!"),
    ("I left {w}works.", "Never contact me by {w}phone.", "My sister is called {w}zus."),
    ("I live in {w}haven.", "The {w}table is missing rows since 3 May.", "Thank you."),
    ("I work at {w}lab.", "My {w}kettle is broken.", "I prefer {w}tea."),
)
OF_EACH = len(SAID) * len(SAID[0])
PATIENCE = 120


def word(user: str) -> str:
    """What only this user says."""
    return f"q{user}x"


@dataclass(frozen=True)
class Answer:
    """A recall that was answered: whose, by which process, and between which moments."""

    user: str
    url: str
    asked: float
    came: float


@dataclass
class Run:
    """What all users of a tenant share while they live."""

    tenant: UUID
    acknowledged: dict[tuple[str, str, int], str] = field(default_factory=dict)
    answers: dict[UUID, Answer] = field(default_factory=dict)
    unanswered: Counter[str] = field(default_factory=Counter)
    jobs: list[int] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def has_come_to(self, turns: int) -> bool:
        """Whether so many turns are acknowledged; or something went wrong."""
        return bool(self.wrong) or len(self.acknowledged) >= turns


class Anywhere:
    """The same call through one process after another, until one answers."""

    def __init__(self, clients: Sequence[Client], run: Run, first: int) -> None:
        at = first % len(clients)
        self._next = itertools.cycle([*clients[at:], *clients[:at]])
        self._run = run

    def __call__(self, call: Callable[[Client], T]) -> T:
        """Its answer. A conflict is the same call that is still being answered elsewhere."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return call(next(self._next))
            except (Unreachable, Unavailable, Conflict) as error:
                self._run.unanswered[error.code] += 1
                if time.monotonic() > deadline:
                    raise


class Life:
    """One user's: sessions two at a time, recalls, corrections; some are forgotten in the end."""

    def __init__(self, clients: Sequence[Client], run: Run, user: str) -> None:
        self._anywhere = Anywhere(clients, run, USERS.index(user))
        # Every forget meets the same process first.
        self._leaving = Anywhere(clients, run, len(clients) - 1)
        self._run, self._user = run, user
        self._said = [[text.format(w=word(user)) for text in texts] for texts in SAID]

    def run(self) -> None:
        """All of it; what goes wrong is kept."""
        try:
            for pair in range(0, len(SAID), 2):
                jobs = self._told(pair)
                if self._user in LEAVING and pair + 2 == len(SAID):
                    self._forgotten()
                    continue
                for job in jobs:
                    until(lambda j=job: self._done(j), within=PATIENCE)  # type: ignore[misc]
                self._corrected(pair)
            self._run.ended.append(self._user)
        except (MunimentError, AssertionError) as error:
            self._run.wrong.append(f"{self._user}: {error!r}")

    def _told(self, pair: int) -> list[int]:
        """Both sessions turn by turn, closed; the jobs."""
        sessions = [f"s{pair}", f"s{pair + 1}"]
        for turn in range(len(SAID[0])):
            for at, session in enumerate(sessions):
                self._write(session, turn, self._said[pair + at][turn])
        return [self._close(session) for session in sessions]

    def _write(self, session: str, turn: int, said: str) -> None:
        place: dict[str, Any] = {"user_id": self._user, "session_id": session}
        event = Event(turn=turn, role="user", content=said, occurred_at=START)
        key = f"{self._user}-{session}-{turn}"
        (verdict,) = self._anywhere(
            lambda c: c.events.write(events=[event], **place, idempotency_key=key)
        ).verdicts
        self._run.acknowledged[self._user, session, turn] = said
        if verdict.kept:
            # Whichever process is next has it.
            texts = self._recalled(said, tiers=["episodic"], filter={"session_id": session})
            assert said in texts, (session, turn, texts)

    def _recalled(self, query: str, **how: Any) -> list[str]:
        """Texts of an answer, of which is noted whose it was."""

        def ask(client: Client) -> list[str]:
            asked = time.monotonic()
            view = client.recall(user_id=self._user, query=query, k=50, **how)
            came = time.monotonic()
            self._run.answers[view.recall_id] = Answer(self._user, client.url, asked, came)
            return [item.text for item in view.items]

        return self._anywhere(ask)

    def _close(self, session: str) -> int:
        place: dict[str, Any] = {"user_id": self._user, "session_id": session}
        key = f"{self._user}-{session}-close"

        def close(client: Client) -> int | None:
            return client.sessions.close(**place, outcome="success", idempotency_key=key).job_id

        job = self._anywhere(close)
        # Once more through the next process, as a caller that was not sure would.
        assert self._anywhere(close) == job, session
        assert job is not None, session
        self._run.jobs.append(job)
        return job

    def _done(self, job: int) -> bool:
        state = self._anywhere(lambda c: c.jobs.get(job_id=job)).state
        assert state != "failed", job
        return bool(state == "succeeded")

    def _corrected(self, pair: int) -> None:
        """A memory stated and set right."""
        wrong, right = (f"My {word(self._user)}kite {pair} is {one}." for one in ("red", "blue"))
        told: dict[str, Any] = {"user_id": self._user, "kind": "fact", "text": wrong}
        key = f"{self._user}-{pair}"
        made = self._anywhere(
            lambda c: c.memories.remember(**told, idempotency_key=f"{key}-remember")
        ).id
        assert made is not None
        self._anywhere(
            lambda c: c.memories.correct(id=made, text=right, idempotency_key=f"{key}-correct")
        )
        texts = self._recalled(right)
        assert right in texts, texts
        assert wrong not in texts, texts

    def _forgotten(self) -> None:
        """With jobs that may run just now; nothing of the user is recalled from then on."""
        key = f"{self._user}-forget"
        receipt = self._leaving(
            lambda c: c.forget(user_id=self._user, scrub=True, idempotency_key=key)
        ).receipt_id
        assert receipt is not None
        for _ in range(3):
            view = self._anywhere(
                lambda c: c.recall(user_id=self._user, query="Which table is missing rows?")
            )
            # What others found out about the organisation's tables is everybody's.
            assert word(self._user) not in str(view)
        until(lambda: self._scrubbed(receipt), within=PATIENCE)

    def _scrubbed(self, receipt: UUID) -> bool:
        shown = self._anywhere(lambda c: c.receipts.get(receipt_id=receipt))
        return bool(shown.state == "scrubbed")


def lives(clients: Sequence[Client], run: Run) -> list[threading.Thread]:
    """Every user's life, not begun."""
    return [threading.Thread(target=Life(clients, run, user).run) for user in USERS]
