"""What a probe works with: a tenant of its own, moments before now, and checks that it makes."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from muniment.client import Client, each
from muniment.client.models import Citation, Event, Item, MemoryView

_PATIENCE = 120.0


@dataclass(frozen=True)
class Series:
    """What a probe measured in steps: a line for each name, over the labels."""

    title: str
    labels: Sequence[str]
    lines: Mapping[str, Sequence[float]]
    across: str = ""


@dataclass(frozen=True)
class Check:
    """One assertion, and what was asserted; a probe may have measured something beside."""

    right: bool
    said: str
    series: Series | None = None


@dataclass(frozen=True)
class Figures:
    """How many checks a probe made, how many failed, and which; how long its recalls took."""

    checks: int
    failed: int
    rate: float
    failures: Sequence[str]
    series: Series | None = None
    recall_ms: Sequence[float] = ()


@dataclass
class Place:
    """A client of a fresh tenant, and a way to another one. ``now`` is one moment for all;
    ``pairs`` is how many paraphrases are tried, and twice as many near misses.
    """

    client: Client
    another: Callable[[], Client]
    pairs: int = 100
    taken: list[float] = field(default_factory=list)
    now: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))

    def ago(self, **by: float) -> datetime:
        """A moment before now, by a timedelta's arguments."""
        return self.now - timedelta(**by)

    def say(
        self, user: str, session: str, content: str, at: datetime, role: str = "user"
    ) -> Citation:
        """One turn in a session of its own."""
        event = Event(turn=1, role=role, content=content, occurred_at=at)  # type: ignore[arg-type]
        self.client.events.write(user_id=user, session_id=session, events=[event])
        return Citation(session_id=session, turn=1)

    def state(
        self, user: str, slot: str, value: str, at: datetime, *, session: str, **more: Any
    ) -> Any:
        """A fact in a slot, stated by the user in a session."""
        label = slot.replace("_", " ")
        turn = self.say(user, session, f"My {label} is {value}.", at)
        given: dict[str, Any] = {
            "kind": "fact",
            "text": f"The user's {label} is {value}.",
            "user_id": user,
            "slot": slot,
            "value": value,
            "valid_from": at,
            "evidence": [turn],
        }
        return self.client.memories.remember(**(given | more))

    def remember(self, **given: Any) -> UUID:
        """The memory that holds what is stated. Raises AssertionError where it is not kept."""
        made = self.client.memories.remember(**given)
        if made.id is None:
            raise AssertionError(f"A probe's own statement is not kept: {made.rule}.")
        return made.id

    def recall(self, **given: Any) -> MemoryView:
        """A recall, timed."""
        began = time.perf_counter()
        view = self.client.recall(**given)
        self.taken.append(round((time.perf_counter() - began) * 1000, 3))
        return view

    def values(self, user: str, slot: str, query: str, **more: Any) -> list[str | None]:
        """What recall holds for a slot of the user."""
        view = self.recall(user_id=user, query=query, tiers=["semantic"], k=50, **more)
        return [item.value for item in view.items if item.slot == slot and item.subject is None]

    def items(self, user: str | None, **more: Any) -> list[Item]:
        """Every memory that is held of a user or of the organisation."""
        return list(each(self.client.memories.list, user_id=user, limit=200, **more))

    def consolidate(self, user: str, session: str) -> None:
        """Close a session and wait for what becomes of it."""
        self.client.sessions.close(user_id=user, session_id=session)
        until = time.monotonic() + _PATIENCE
        while self.client.sessions.get(user_id=user, session_id=session).dirty:
            if time.monotonic() > until:
                raise TimeoutError("A session was not consolidated in time; does a worker run?")
            time.sleep(0.05)


Probe = Callable[[Place], Iterator[Check]]


def measure(probe: Probe, place: Place) -> Figures:
    """Run a probe to its end."""
    place.taken.clear()
    checks = list(probe(place))
    failures = [check.said for check in checks if not check.right]
    series = next((check.series for check in checks if check.series is not None), None)
    rate = len(failures) / max(len(checks), 1)
    return Figures(len(checks), len(failures), rate, failures, series, tuple(place.taken))
