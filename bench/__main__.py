"""``make bench``: recall and writes beside the floor and beside a peer, interleaved, as ratios.

RULES 16.2. The service and every other contender use one embedded server with its durable settings.
"""

import argparse
import json
import platform
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg
from rich.console import Console
from rich.table import Table

from bench.contenders import BATCH, Contender, Peer, make_floors
from bench.corpus import Corpus, Note, in_order
from bench.figures import percentile
from bench.over_http import OverHttp
from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running, running_service

_SMALL_USER = 100


@dataclass(frozen=True)
class Measured:
    """Milliseconds of one contender at one size, over all rounds; its first call; mean answers."""

    contender: str
    memories: int
    calls: int
    p50: float
    p95: float
    first: float
    answers: float
    rounds: list[float]


def main() -> int:
    """Run and print; ``--json FILE`` keeps the figures."""
    options = _options()
    corpus = Corpus()
    sizes = [int(one) for one in options.users.split(",")]
    notes = {f"user-{size}": list(corpus.notes(f"user-{size}", size)) for size in sizes}
    small = (options.total - sum(sizes)) // _SMALL_USER
    notes |= {
        f"small-{n}": list(corpus.notes(f"small-{n}", _SMALL_USER)) for n in range(max(small, 0))
    }
    with running_service() as service:
        writes = _load(service, notes, options.writers)
        with psycopg.connect(_admin(service, "postgres"), autocommit=True) as admin:
            admin.execute("CREATE DATABASE floor")
            admin.execute("CREATE DATABASE peer")
        mixed = in_order(notes)
        floors, copied = make_floors(_admin(service, "floor"), mixed)
        with Peer(_admin(service, "peer")) as peer:
            peer.fill(mixed)
            with psycopg.connect(_admin(service, "muniment"), autocommit=True) as admin:
                admin.execute("VACUUM ANALYZE")
            contenders: list[Contender] = [OverHttp(service.url, service.key), *floors, peer]
            found = [
                one
                for size in sizes
                for one in _measure(
                    contenders, corpus, f"user-{size}", notes[f"user-{size}"], options
                )
            ]
    figures = {
        "machine": {"python": platform.python_version(), "processors": _processors()},
        "memories": options.total,
        "writes": {
            "events_per_second": writes,
            "copy_rows_per_second": copied,
            "ratio": writes / copied,
        },
        "recall": [asdict(one) for one in found],
    }
    _show(found, figures)
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--users", default="2000,10000", help="memories of the users asked about")
    parser.add_argument("--total", type=int, default=200_000, help="memories of the whole tenant")
    parser.add_argument("--rounds", type=int, default=3, help="interleaved rounds")
    parser.add_argument("--calls", type=int, default=200, help="questions a round and contender")
    parser.add_argument("--writers", type=int, default=4, help="clients that write at once")
    parser.add_argument("--json", help="a file for the figures")
    return parser.parse_args()


def _processors() -> int:
    return sum(
        line.startswith("processor") for line in Path("/proc/cpuinfo").read_text().splitlines()
    )


def _admin(service: Running, database: str) -> str:
    return Layout.of(service.data_dir).conninfo(ADMIN, database)


def _load(service: Running, notes: dict[str, list[Note]], writers: int) -> float:
    """Write everything through the API; events a second."""
    work = [
        (user, batch[start : start + BATCH])
        for user, batch in notes.items()
        for start in range(0, len(batch), BATCH)
    ]
    # The oldest last, as they are taken from the end.
    work.sort(key=lambda one: one[1][0].at, reverse=True)
    lock, began = threading.Lock(), time.perf_counter()

    def write() -> None:
        client = OverHttp(service.url, service.key)
        while True:
            with lock:
                if not work:
                    return
                user, batch = work.pop()
            events = [
                {
                    "turn": n.number,
                    "role": "user",
                    "content": n.text,
                    "occurred_at": n.at.isoformat(),
                }
                for n in batch
            ]
            session = f"s{batch[0].number // 500}"
            client.post(f"/v1/users/{user}/sessions/{session}/events", {"events": events})

    threads = [threading.Thread(target=write) for _ in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(len(batch) for batch in notes.values()) / (time.perf_counter() - began)


def _measure(
    contenders: Sequence[Contender],
    corpus: Corpus,
    user: str,
    notes: list[Note],
    options: argparse.Namespace,
) -> list[Measured]:
    """Every contender in each round, in an order that turns, with questions never asked before."""
    questions = corpus.questions(user, notes, options.rounds * options.calls + 1)
    first = {one.name: _time(one, user, questions[0])[0] for one in contenders}
    answers: dict[str, list[int]] = {one.name: [] for one in contenders}
    times: dict[str, list[float]] = {one.name: [] for one in contenders}
    medians: dict[str, list[float]] = {one.name: [] for one in contenders}
    for number in range(options.rounds):
        start = 1 + number * options.calls
        asked = questions[start : start + options.calls]
        turned = [*contenders[number % len(contenders) :], *contenders[: number % len(contenders)]]
        for contender in turned:
            timed = [_time(contender, user, question) for question in asked]
            taken = [milliseconds for milliseconds, _ in timed]
            times[contender.name] += taken
            answers[contender.name] += [count for _, count in timed]
            medians[contender.name].append(statistics.median(taken))
    return [
        Measured(
            contender=name,
            memories=len(notes),
            calls=len(taken),
            p50=statistics.median(taken),
            p95=percentile(taken, 95),
            first=first[name],
            answers=statistics.mean(answers[name]),
            rounds=medians[name],
        )
        for name, taken in times.items()
    ]


def _time(contender: Contender, user: str, question: str) -> tuple[float, int]:
    began = time.perf_counter()
    count = contender.ask(user, question)
    return (time.perf_counter() - began) * 1000, count


def _show(found: Sequence[Measured], figures: dict[str, object]) -> None:
    console = Console(file=sys.stdout)
    table = Table(
        "memories",
        "contender",
        "p50 ms",
        "p95 ms",
        "first ms",
        "answers",
        "round medians",
        "p50 / ours",
        box=None,
    )
    for one in found:
        ours = next(o.p50 for o in found if o.memories == one.memories)
        rounds = " ".join(f"{median:.2f}" for median in one.rounds)
        table.add_row(
            str(one.memories),
            one.contender,
            f"{one.p50:.2f}",
            f"{one.p95:.2f}",
            f"{one.first:.1f}",
            f"{one.answers:.1f}",
            rounds,
            f"{one.p50 / ours:.2f}",
        )
    console.print(table)
    console.print(figures["writes"])


if __name__ == "__main__":
    raise SystemExit(main())
