"""Threads that call a service while its database is migrated."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import MunimentError
from muniment.testing import Running
from tests.support.waiting import until
from tests.support.world import START

WRITERS, ROUNDS = 4, 6


def is_ready(url: str) -> bool:
    """Whether the service calls itself ready."""
    return httpx.get(f"{url}/readyz", trust_env=False).status_code == 200


@dataclass
class Load:
    """Threads that call the service until told to stop."""

    service: Running
    ends: threading.Event = field(default_factory=threading.Event)
    rounds: dict[str, int] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def run(self, name: str, step: Callable[[Client, int], object]) -> None:
        """One thread."""
        self.rounds[name] = 0
        with Client(self.service.url, self.service.key) as client:
            while not self.ends.is_set():
                try:
                    step(client, self.rounds[name])
                except MunimentError as error:
                    self.failed.append(f"{name}: {error.code}: {error.detail}")
                self.rounds[name] += 1

    def more(self) -> None:
        """Wait until every thread did some more rounds."""
        wanted = {name: count + ROUNDS for name, count in self.rounds.items()}
        until(lambda: all(self.rounds[name] >= count for name, count in wanted.items()))


def write(user: str, client: Client, number: int) -> None:
    """A turn, a fact and a scratch value."""
    event = Event(turn=number, role="user", content=f"Heron {number} nests.", occurred_at=START)
    client.events.write(user_id=user, session_id="s", events=[event])
    text = f"Counted {number} herons."
    client.memories.remember(kind="fact", user_id=user, text=text, slot="role", value=str(number))
    client.working.put(user_id=user, session_id="s", key="last", value=number)


def read(client: Client, number: int) -> None:
    """Recall and the profile of a user who is written to."""
    client.recall(user_id=f"user-{number % WRITERS}", query="Which heron nests?")
    client.profile.get(user_id=f"user-{number % WRITERS}")


def govern(client: Client, number: int) -> None:
    """Rows of the tables that others point at."""
    client.tenants.create(name=f"tenant {number}")
    client.keys.create(principal=f"holder {number}")
    client.memories.remember(kind="fact", user_id=f"gone-{number}", text="Was here.")
    client.forget(user_id=f"gone-{number}")


def look(url: str, _client: Client, _number: int) -> None:
    """Readiness, as a load balancer asks for it."""
    if not is_ready(url):
        raise MunimentError("not ready")
