"""``make bench-fleet``: recalls through several API processes on one database, that keep indexes warm.

Each process may keep a part of the indexes of all users, more than its share and less than all. The
same questions go by a hash of the user, as a balancer does with the header ``muniment-user``, and
to each process in turn. Ways take turns, a few rounds each.
"""

import argparse
import contextlib
import json
import math
import random
import statistics
import sys
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

from rich.console import Console
from rich.table import Table
from tests.support.processes import further_api

from bench.corpus import Corpus
from bench.over_http import OverHttp, index_bytes, timed
from muniment.testing import Running, running_service

_BATCH = 100
_SESSION = 500
_NO_LIMITS = {"MUNIMENT_RATE_LIMIT_KEY": "", "MUNIMENT_RATE_LIMIT_TENANT": ""}
_MIB = 2**20

Route = Callable[[str], int]
"""Which process a user's call goes to."""


def main() -> int:
    """Run and print; ``--json FILE`` keeps the figures. 1 if a hash of the user gains nothing."""
    options = _options()
    with running_service(environment=_NO_LIMITS) as service:
        questions = _fill(service, options)
        one = index_bytes(service.url) / _MIB / options.users
        # Room for the indexes of its own users and half as many again, in whole MiB.
        room = math.ceil(1.5 * one * options.users / options.processes)
        with contextlib.ExitStack() as stack:
            own = _NO_LIMITS | {"MUNIMENT_INDEX_CACHE_MIB": str(room)}
            urls = [
                stack.enter_context(further_api(service, own)) for _ in range(options.processes)
            ]
            figures = _measure(urls, service.key, questions, options)
    figures |= {"users": options.users, "memories": options.memories, "clients": options.clients}
    figures |= {"index_mib": round(one, 2), "cache_mib": room, "processes": options.processes}
    _show(figures)
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return int(figures["hash"]["p50_ms"] >= figures["turn"]["p50_ms"])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.fleet", description=__doc__)
    parser.add_argument("--processes", type=int, default=4, help="API processes")
    parser.add_argument("--users", type=int, default=32)
    parser.add_argument("--memories", type=int, default=2_000, help="turns of each user")
    parser.add_argument("--clients", type=int, default=8, help="how many ask at once")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each way")
    parser.add_argument("--asked", type=int, default=400, help="questions a round")
    parser.add_argument("--json", help="a file for the figures")
    return parser.parse_args()


def _fill(service: Running, options: argparse.Namespace) -> dict[str, list[str]]:
    """Every user's turns written, and each asked once; some questions of each."""
    client, corpus = OverHttp(service.url, service.key), Corpus()
    questions = {}
    for user in [f"user-{number}" for number in range(options.users)]:
        notes = list(corpus.notes(user, options.memories))
        for start in range(0, len(notes), _BATCH):
            turns = [
                {"turn": n.number, "role": "user", "content": n.text, "occurred_at": n.at.isoformat()}
                for n in notes[start : start + _BATCH]
            ]  # fmt: skip
            path = f"/v1/users/{user}/sessions/s{start // _SESSION}/events"
            client.post(path, {"events": turns})
        questions[user] = corpus.questions(user, notes, 50)
        client.ask(user, questions[user][0])
    return questions


def _measure(
    urls: list[str], key: str, questions: dict[str, list[str]], options: argparse.Namespace
) -> dict[str, Any]:
    """Medians, 95th percentiles and how many were answered in a second, each way."""
    turns = count()
    ways: dict[str, Route] = {
        "hash": lambda user: crc32(user.encode()) % len(urls),
        "turn": lambda _: next(turns) % len(urls),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(options.rounds + 1):
        for name in [*ways] if number % 2 else [*ways][::-1]:
            asked = random.Random(number).choices([*questions], k=options.asked)
            # What a way leaves behind in the caches is not what the next one finds.
            _ask(urls, key, questions, ways[name], asked, options.clients)
            times, seconds = _ask(urls, key, questions, ways[name], asked, options.clients)
            if number:
                taken[name] += times
                rates[name].append(len(times) / seconds)
    return {
        name: {
            "p50_ms": statistics.median(times),
            "p95_ms": sorted(times)[int(len(times) * 0.95)],
            "a_second": statistics.median(rates[name]),
        }
        for name, times in taken.items()
    }


def _ask(
    urls: list[str],
    key: str,
    questions: dict[str, list[str]],
    route: Route,
    asked: list[str],
    clients: int,
) -> tuple[list[float], float]:
    """Milliseconds of each question, and the seconds of all, by so many clients at once."""
    waiting = iter(enumerate(asked))
    lock, times = threading.Lock(), list[float]()

    def work() -> None:
        connections = [OverHttp(url, key) for url in urls]
        while True:
            with lock:
                number, user = next(waiting, (0, ""))
                at = route(user)
            if not user:
                return
            question = questions[user][number % len(questions[user])]
            times.append(timed(lambda: connections[at].ask(user, question)))  # noqa: B023

    threads = [threading.Thread(target=work) for _ in range(clients)]

    def together() -> None:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return times, timed(together) / 1000


def _show(figures: dict[str, Any]) -> None:
    table = Table("routed", "p50", "p95", "a second", box=None)
    for name, said in (("hash", "by a hash of the user"), ("turn", "in turn")):
        one = figures[name]
        table.add_row(
            said, f"{one['p50_ms']:.1f} ms", f"{one['p95_ms']:.1f} ms", f"{one['a_second']:.0f}"
        )
    console = Console(file=sys.stdout)
    console.print(
        f"{figures['processes']} API processes, {figures['users']} users of {figures['memories']:,}"
        f" memories ({figures['index_mib']} MiB an index, {figures['cache_mib']} MiB a process)"
    )
    console.print(table)


if __name__ == "__main__":
    raise SystemExit(main())
