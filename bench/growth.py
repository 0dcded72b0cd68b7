"""``make bench-growth``: recall of users with equally many memories, in a small tenant and a large one.

Both tenants lie in one service and are asked in turn, so that their ratio says something whatever
else the machine does. Cold is with a cache that holds one user's index alone, which every recall of
another user loads anew.
"""

import argparse
import json
import statistics
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.corpus import Corpus
from bench.over_http import OverHttp, timed
from muniment.testing import Running, new_tenant, running_service

_BATCH = 100
_SESSION = 500
_ROOMY = 512
_NO_LIMITS = {"MUNIMENT_RATE_LIMIT_KEY": "", "MUNIMENT_RATE_LIMIT_TENANT": ""}


def main() -> int:
    """Run and print; ``--json FILE`` keeps the figures. 1 if the large tenant is slower by too much."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="muniment-growth-") as place:
        Path(place).chmod(0o755)
        data_dir = Path(place) / "data"
        with running_service(data_dir, _environment(_ROOMY)) as service:
            totals = {"small": options.small, "large": options.large}
            keys = {name: new_tenant(service, name) for name in totals}
            for name, total in totals.items():
                _fill(service, keys[name], total // options.per_user, options)
            warm = _measure(service, keys, options, rounds=options.rounds)
        with running_service(data_dir, _environment(1)) as service:
            cold = _measure(service, keys, options, rounds=options.cold_rounds)
    figures = {"memories": totals, "per_user": options.per_user, "warm": warm, "cold": cold}
    _show(figures)
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return int(max(warm["ratio"], cold["ratio"]) > options.most)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--small", type=int, default=2_000, help="memories of the small tenant")
    parser.add_argument("--large", type=int, default=20_000, help="memories of the large tenant")
    parser.add_argument("--per-user", type=int, default=500, help="memories of each user")
    parser.add_argument("--writers", type=int, default=4, help="clients that fill at once")
    parser.add_argument("--asked", type=int, default=4, help="users of each tenant that are asked")
    parser.add_argument("--rounds", type=int, default=50, help="warm questions for each user")
    parser.add_argument("--cold-rounds", type=int, default=10, help="cold questions for each user")
    parser.add_argument("--most", type=float, default=1.3, help="the ratio that is still right")
    parser.add_argument("--json", help="a file for the figures")
    return parser.parse_args()


def _environment(mebibytes: int) -> dict[str, str]:
    return _NO_LIMITS | {"MUNIMENT_INDEX_CACHE_MIB": str(mebibytes)}


def _fill(service: Running, key: str, users: int, options: argparse.Namespace) -> None:
    waiting = list(range(users))

    def write() -> None:
        client, corpus = OverHttp(service.url, key), Corpus()
        while waiting:
            try:
                user = f"user-{waiting.pop()}"
            except IndexError:  # another writer took the last
                return
            notes = list(corpus.notes(user, options.per_user))
            for start in range(0, len(notes), _BATCH):
                events = [
                    {
                        "turn": one.number,
                        "role": "user",
                        "content": one.text,
                        "occurred_at": one.at.isoformat(),
                    }
                    for one in notes[start : start + _BATCH]
                ]
                path = f"/v1/users/{user}/sessions/s{start // _SESSION}/events"
                client.post(path, {"events": events})

    threads = [threading.Thread(target=write) for _ in range(options.writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _measure(
    service: Running, keys: Mapping[str, str], options: argparse.Namespace, *, rounds: int
) -> dict[str, Any]:
    """Medians of each tenant, their ratio, and those of the rounds' medians."""
    clients = {name: OverHttp(service.url, key) for name, key in keys.items()}
    corpus, taken = Corpus(), {name: list[list[float]]() for name in keys}
    questions = {
        number: corpus.questions(
            f"user-{number}",
            list(corpus.notes(f"user-{number}", options.per_user)),
            rounds + 1,
        )
        for number in range(options.asked)
    }
    for at in range(rounds + 1):
        names = [*keys] if at % 2 else [*keys][::-1]
        found = {
            name: [
                timed(lambda: clients[name].ask(f"user-{number}", questions[number][at]))  # noqa: B023
                for number in questions
            ]
            for name in names
        }
        if at:  # the first loads what is loaded once
            for name, times in found.items():
                taken[name].append(times)
    medians = {name: [statistics.median(one) for one in times] for name, times in taken.items()}
    p50 = {name: statistics.median(chain.from_iterable(times)) for name, times in taken.items()}
    small, large = keys
    each = [one / other for one, other in zip(medians[large], medians[small], strict=True)]
    return {
        "p50_ms": p50,
        "ratio": p50[large] / p50[small],
        "median_of_ratios": statistics.median(each),
    }


def _show(figures: Mapping[str, Any]) -> None:
    small, large = figures["memories"]
    names: Sequence[str] = ("", *(f"{name}: {n:,}" for name, n in figures["memories"].items()))
    table = Table(*names, "large over small", "median of the rounds' ratios", box=None)
    for name in ("warm", "cold"):
        one = figures[name]
        cells = [f"{one['p50_ms'][tenant]:.1f} ms" for tenant in (small, large)]
        table.add_row(name, *cells, f"{one['ratio']:.2f}", f"{one['median_of_ratios']:.2f}")
    Console(file=sys.stdout).print(table)


if __name__ == "__main__":
    raise SystemExit(main())
