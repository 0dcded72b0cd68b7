"""``make bench-load``: recalls and writes from a second process at 1, 8 and 32 clients, and what
the service's processes grow by meanwhile.

Every client is a thread with a kept-alive connection of its own and a user of its own. Nine of ten
requests are recalls with questions that were never asked before, one writes a turn (``--write-every``).
"""

import argparse
import json
import multiprocessing
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from itertools import count
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.corpus import Corpus
from bench.figures import percentile
from bench.over_http import OverHttp, index_bytes, timed
from muniment.testing import running_service

_SLOPE = 0.05
_BATCH = 100


@dataclass
class Load:
    """What so many clients did: requests, seconds, errors by kind, milliseconds of each."""

    clients: int
    seconds: float = 0.0
    recalls: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    errors: dict[str, int] = field(default_factory=dict)

    @property
    def requests(self) -> int:
        """How many were answered."""
        return len(self.recalls) + len(self.writes)

    def figures(self) -> dict[str, Any]:
        """Throughput and percentiles."""
        return {
            "clients": self.clients,
            "seconds": round(self.seconds, 1),
            "requests": self.requests,
            "per_second": round(self.requests / self.seconds, 1),
            "recall_ms": _percentiles(self.recalls),
            "write_ms": _percentiles(self.writes),
            "errors": self.errors,
        }


@dataclass(frozen=True)
class Place:
    """What a client's process is given."""

    url: str
    key: str
    memories: int
    write_every: int


def main() -> int:
    """Run and print; ``--json FILE`` keeps the figures. 1 if there was an error or a steep slope."""
    options = _options()
    levels = [int(one) for one in options.clients.split(",")]
    spawned = multiprocessing.get_context("spawn")
    with running_service(environment=_NO_LIMITS) as service:
        place = Place(service.url, service.key, options.memories, options.write_every)
        _fill(place, max(levels))
        with ProcessPoolExecutor(1, mp_context=spawned) as second:
            steps = [
                second.submit(run, place, clients, options.seconds, None).result().figures()
                for clients in levels
            ]
            growth = _grow(service.process.pid, second, place, max(levels), options.requests)
    figures = {"steps": steps, "memory": growth}
    _show(steps, growth)
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    failed = any(one["errors"] for one in [*steps, *growth["loads"]])
    return int(failed or growth["slope"]["api_without_indexes"] > _SLOPE)


_NO_LIMITS = {"MUNIMENT_RATE_LIMIT_KEY": "", "MUNIMENT_RATE_LIMIT_TENANT": ""}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--clients", default="1,8,32", help="how many at once, step by step")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each step takes")
    parser.add_argument(
        "--write-every", type=int, default=10, help="one request of so many writes; 0: none"
    )
    parser.add_argument("--memories", type=int, default=200, help="turns of each client's user")
    parser.add_argument(
        "--requests",
        default="1000,10000",
        help="after how many requests at the most clients memory is compared",
    )
    parser.add_argument("--json", help="a file for the figures")
    return parser.parse_args()


def _fill(place: Place, users: int) -> None:
    client, corpus = OverHttp(place.url, place.key), Corpus()
    for number in range(users):
        user = f"user-{number}"
        notes = list(corpus.notes(user, place.memories))
        for start in range(0, len(notes), _BATCH):
            events = [
                _turn(one.number, one.text, one.at.isoformat())
                for one in notes[start : start + _BATCH]
            ]
            client.post(f"/v1/users/{user}/sessions/s{start}/events", {"events": events})


def _turn(number: int, text: str, at: str) -> dict[str, Any]:
    return {"turn": number, "role": "user", "content": text, "occurred_at": at}


def run(place: Place, clients: int, seconds: float, requests: int | None) -> Load:
    """So many clients for some seconds, or until so many requests are answered."""
    load, lock, began = Load(clients), threading.Lock(), time.perf_counter()
    stamp = f"{os.getpid()}-{time.time_ns()}"

    def over() -> bool:
        if requests is not None:
            return load.requests >= requests
        return time.perf_counter() - began >= seconds

    def work(number: int) -> None:
        for write, call in _calls(place, f"user-{number}", stamp):
            if over():
                return
            try:
                taken = timed(call)
            except (RuntimeError, OSError, HTTPException) as error:
                with lock:
                    kind = f"{type(error).__name__}: {error}"[:80]
                    load.errors[kind] = load.errors.get(kind, 0) + 1
                continue
            with lock:
                (load.writes if write else load.recalls).append(taken)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    load.seconds = time.perf_counter() - began
    return load


def _calls(place: Place, user: str, stamp: str) -> Iterator[tuple[bool, Callable[[], object]]]:
    """The requests of one client without end, and which of them write."""
    client, corpus = OverHttp(place.url, place.key), Corpus()
    chosen = random.Random(f"{user}/{stamp}")
    notes = list(corpus.notes(user, place.memories))
    for number in count():
        words = chosen.sample(corpus.words, 3)
        said = " ".join([*chosen.choice(notes).text.split()[:4], *words])
        if place.write_every and number % place.write_every == 0:
            events = [_turn(number, f"I moved the {said}.", notes[-1].at.isoformat())]
            path = f"/v1/users/{user}/sessions/{stamp}/events"
            yield True, partial(client.post, path, {"events": events})
        else:
            yield False, partial(client.ask, user, f"What of {said}?")


def _grow(
    supervisor: int, second: Executor, place: Place, clients: int, marks: str
) -> dict[str, Any]:
    """What the API and the worker occupy after the first mark of requests and after each other."""
    processes, done, loads = _children(supervisor), 0, []
    sizes: list[dict[str, Any]] = []
    for mark in [int(one) for one in marks.split(",")]:
        load: Load = second.submit(run, place, clients, 0.0, mark - done).result()
        done += load.requests
        loads.append(load.figures())
        size = {name: resident(pid) for name, pid in processes.items()}
        sizes.append({"after": done, **size, "indexes": round(index_bytes(place.url) / 2**20, 1)})
    first, last = sizes[0], sizes[-1]
    slope = {name: last[name]["all"] / first[name]["all"] - 1 for name in processes}
    # What users hold is in the indexes, and bounded by a setting.
    grown = last["api"]["all"] - first["api"]["all"] - (last["indexes"] - first["indexes"])
    slope["api_without_indexes"] = grown / first["api"]["all"]
    return {"loads": loads, "resident_mib": sizes, "slope": slope}


def _children(supervisor: int) -> dict[str, int]:
    found = {}
    for pid in Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split():
        line = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        for name in ("api", "worker"):
            if name.encode() in line:
                found[name] = int(pid)
    return found


def resident(pid: int | str) -> dict[str, float]:
    """MiB that a process occupies, and how much of it is its own: the rest are pages of files, such
    as the table of the embedder, which processes share and the kernel takes back.
    """
    text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = dict(
        line.split(":", 1) for line in text.splitlines() if line.startswith(("VmRSS", "RssAnon"))
    )
    whole, own = (int(found[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon"))
    return {"all": round(whole, 1), "own": round(own, 1)}


def _percentiles(taken: Sequence[float]) -> dict[str, float]:
    return {
        f"p{percent}": round(percentile(taken, percent), 1) for percent in (50, 95, 99) if taken
    }


def _show(steps: Sequence[Mapping[str, Any]], growth: Mapping[str, Any]) -> None:
    console = Console(file=sys.stdout)
    names = ("clients", "per_second", "recall_ms", "write_ms", "errors")
    table = Table(*names, box=None)
    for one in [*steps, *growth["loads"]]:
        table.add_row(*(str(one[name]) for name in names))
    console.print(table)
    console.print(growth["resident_mib"], growth["slope"])


if __name__ == "__main__":
    raise SystemExit(main())
