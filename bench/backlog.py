"""``make bench-backlog``: writes and recalls while a worker works off a backlog, beside idle ones.

Sessions of twenty turns wait for consolidation. Rounds take turns: in an idle one the worker is
stopped (never within a transaction), in a busy one it works, until the backlog is gone. One client
writes five turns and recalls, one after the other, as the users whose sessions wait.
"""

import argparse
import json
import os
import signal
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, LiteralString

import psycopg

from bench.corpus import Corpus
from bench.figures import percentile
from bench.over_http import K, OverHttp
from muniment.postgres.embedded import ADMIN, Layout
from muniment.settings import read_settings
from muniment.testing import Running, running_service
from muniment_evals.life_story import LifeSession, tell

_NOW = datetime(2026, 11, 1, tzinfo=UTC)
_TURNS, _WRITTEN, _USERS = 20, 5, 20
_WARM = 30
_HELD_SECONDS = 60.0
_LISTENS = "SELECT count(*) FROM muniment_queue.procrastinate_workers"
_WITHIN = (
    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'muniment_worker'"
    " AND xact_start IS NOT NULL"
)
_WAITING = (
    "SELECT count(*) FROM muniment_queue.procrastinate_jobs"
    " WHERE task_name = 'consolidate_session' AND status IN ('todo', 'doing')"
)


@dataclass(frozen=True)
class Round:
    """Milliseconds of each call in one round, and how many sessions were worked off in it."""

    busy: bool
    seconds: float
    worked_off: int
    write: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)


class Worker:
    """The service's worker process, which can be made to hold still and to go on."""

    def __init__(self, service: Running, admin: "psycopg.Connection[Any]") -> None:
        self._service = service.process.pid
        self._admin = admin
        self._until(_LISTENS, "the worker does not take jobs")

    def _until(self, query: LiteralString, problem: str) -> None:
        deadline = time.monotonic() + _HELD_SECONDS
        while self._admin.execute(query).fetchall() == [(0,)]:
            if time.monotonic() > deadline:
                raise RuntimeError(problem)
            time.sleep(0.05)

    @property
    def pid(self) -> int:
        """Its number now; the supervisor may have started it anew."""
        return _child(self._service, b"worker")

    def hold(self) -> None:
        """Stop it where it has no transaction open, so that it holds no lock."""
        deadline = time.monotonic() + _HELD_SECONDS
        while time.monotonic() < deadline:
            os.kill(self.pid, signal.SIGSTOP)
            if self._admin.execute(_WITHIN).fetchall() == [(0,)]:
                return
            os.kill(self.pid, signal.SIGCONT)
            time.sleep(0.005)
        raise RuntimeError("the worker was never outside a transaction")

    def go_on(self) -> None:
        """Let it work."""
        os.kill(self.pid, signal.SIGCONT)

    def given(self) -> str:
        """What the kernel gives it."""
        nice = os.getpriority(os.PRIO_PROCESS, self.pid)
        group = Path(f"/proc/{self.pid}/autogroup")
        return f"nice {nice}" + (f", {group.read_text().strip()}" if group.exists() else "")


class Probe:
    """One client that writes and recalls as users whose sessions wait."""

    def __init__(self, client: OverHttp) -> None:
        self._client = client
        self._corpus = Corpus(7)
        self._texts = {f"user-{n}": self._said(f"user-{n}") for n in range(_USERS)}
        self._calls = 0

    def _said(self, user: str) -> Iterator[str]:
        return (note.text for note in self._corpus.notes(user, 1_000_000))

    def write(self) -> float:
        """Milliseconds of a write of five turns into a session of its own."""
        user = f"user-{self._calls % _USERS}"
        self._calls += 1
        events = [
            {
                "turn": turn,
                "role": "user",
                "content": next(self._texts[user]),
                "occurred_at": (_NOW + timedelta(seconds=self._calls)).isoformat(),
            }
            for turn in range(_WRITTEN)
        ]
        path = f"/v1/users/{user}/sessions/probe-{self._calls}/events"
        began = time.perf_counter()
        self._client.post(path, {"events": events})
        return (time.perf_counter() - began) * 1000

    def recall(self) -> float:
        """Milliseconds of a recall of the next user."""
        user = f"user-{(self._calls * 7) % _USERS}"
        query = f"What was decided about {next(self._texts[user]).split()[-1]} {self._calls}?"
        began = time.perf_counter()
        self._client.post("/v1/recall", {"user_id": user, "query": query, "k": K})
        return (time.perf_counter() - began) * 1000


def main() -> int:
    """Run and print; ``--json FILE`` keeps the figures; 1 where a ratio is above the limit."""
    options = _options()
    environment = {
        f"MUNIMENT_WORKER_{name.upper()}": str(value)
        for name, value in (("nice", options.nice), ("concurrency", options.concurrency))
        if value is not None
    }
    with running_service(environment=environment) as service:
        conninfo = Layout.of(service.data_dir).conninfo(ADMIN)
        with psycopg.connect(conninfo, autocommit=True) as admin:
            worker = Worker(service, admin)
            rounds = _measure(service, admin, worker, options)
            given = worker.given()
    figures = _figures(rounds) | {"worker": given, "sessions": options.sessions}
    concurrency = options.concurrency or read_settings().worker_concurrency
    figures["concurrency"] = concurrency
    _show(figures)
    if options.json:
        kept = {**figures, "rounds": [asdict(one) for one in rounds]}
        Path(options.json).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return int(max(figures["write"]["ratio"], figures["recall"]["ratio"]) > options.limit)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.backlog", description=__doc__)
    parser.add_argument("--sessions", type=int, default=200, help="sessions that wait")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a round")
    parser.add_argument("--passes", type=int, default=1, help="backlogs, one after the other")
    parser.add_argument("--concurrency", type=int, help="jobs at a time; default: the setting's")
    parser.add_argument("--nice", type=int, help="of the worker; default: the setting's")
    parser.add_argument("--limit", type=float, default=1.5, help="highest ratio of busy to idle")
    parser.add_argument("--json", help="a file for the figures")
    return parser.parse_args()


def _measure(
    service: Running,
    admin: "psycopg.Connection[Any]",
    worker: Worker,
    options: argparse.Namespace,
) -> list[Round]:
    client = OverHttp(service.url, service.key)
    probe, rounds = Probe(client), list[Round]()
    for number in range(options.passes):
        worker.hold()
        story = tell(number, options.sessions, _TURNS, _NOW)
        for session in story.sessions:
            _leave_behind(client, session, number)
        for _ in range(_WARM):
            probe.write()
            probe.recall()
        waiting = _waiting(admin)
        while waiting:
            rounds.append(_round(probe, options.seconds, worker, admin, waiting, busy=False))
            worker.go_on()
            busy = _round(probe, options.seconds, worker, admin, waiting, busy=True)
            waiting = _waiting(admin)
            # A round in which the work ran out was idle for a part of it.
            if waiting:
                rounds.append(busy)
                worker.hold()
            else:
                rounds.pop()
    return rounds


def _leave_behind(client: OverHttp, session: LifeSession, number: int) -> None:
    """Write a session and close it; its job waits."""
    place = f"/v1/users/user-{session.number % _USERS}/sessions/{number}-{session.session_id}"
    events = [
        {"turn": turn, "role": said.role, "content": said.content, "occurred_at": at.isoformat()}
        for turn, (at, said) in enumerate(session.turns)
    ]
    client.post(f"{place}/events", {"events": events})
    client.post(f"{place}/close", {})


def _round(
    probe: Probe,
    seconds: float,
    worker: Worker,
    admin: "psycopg.Connection[Any]",
    waiting: int,
    *,
    busy: bool,
) -> Round:
    began, writes, recalls = time.perf_counter(), list[float](), list[float]()
    while time.perf_counter() - began < seconds:
        writes.append(probe.write())
        recalls.append(probe.recall())
    taken = time.perf_counter() - began
    if busy:
        worker.hold()
    measured = Round(busy, taken, waiting - _waiting(admin), writes, recalls)
    print(_line(measured), flush=True)
    return measured


def _waiting(admin: "psycopg.Connection[Any]") -> int:
    ((count,),) = admin.execute(_WAITING).fetchall()
    return int(count)


def _figures(rounds: Sequence[Round]) -> dict[str, Any]:
    """Over all calls of the idle and of the busy rounds: p50, p95 and the ratio of the p95;
    ``ratio_of_rounds`` is the median of each busy round's to that of the idle one before it.
    """
    found: dict[str, Any] = {}
    idle = [one for one in rounds if not one.busy]
    busy = [one for one in rounds if one.busy]
    if len(busy) < 2:
        raise RuntimeError("the backlog was gone too soon; use more --sessions or less --seconds")
    for call in ("write", "recall"):
        quiet = [taken for one in idle for taken in getattr(one, call)]
        under = [taken for one in busy for taken in getattr(one, call)]
        pairs = zip(idle, busy, strict=True)
        found[call] = {
            "idle_p50": statistics.median(quiet),
            "busy_p50": statistics.median(under),
            "idle_p95": percentile(quiet, 95),
            "busy_p95": percentile(under, 95),
            "ratio": percentile(under, 95) / percentile(quiet, 95),
            "ratio_of_rounds": statistics.median(
                percentile(getattr(then, call), 95) / percentile(getattr(before, call), 95)
                for before, then in pairs
            ),
        }
    worked, took = sum(one.worked_off for one in busy), sum(one.seconds for one in busy)
    return found | {"sessions_per_second": worked / took, "rounds": len(rounds)}


def _line(one: Round) -> str:
    return (
        f"{'busy' if one.busy else 'idle'} {one.seconds:4.1f} s, {one.worked_off:3} sessions: "
        f"write {statistics.median(one.write):6.2f} p50 {percentile(one.write, 95):6.2f} p95, "
        f"recall {statistics.median(one.recall):6.2f} p50 {percentile(one.recall, 95):6.2f} p95 "
        f"({len(one.write)} of each)"
    )


def _show(figures: dict[str, Any]) -> None:
    print(f"worker: concurrency {figures['concurrency']}, {figures['worker']}")
    print(f"worked off while writing and recalling: {figures['sessions_per_second']:.1f} a second")
    for call in ("write", "recall"):
        print(call, ", ".join(f"{name} {value:.2f}" for name, value in figures[call].items()))


def _child(parent: int, word: bytes) -> int:
    """The process below ``parent`` that has ``word`` among its arguments."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()
    for pid in children:
        if word in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
            return int(pid)
    raise RuntimeError("the service has no such process")


if __name__ == "__main__":
    raise SystemExit(main())
