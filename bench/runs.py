"""``make bench-runs``: what a checkpoint costs over HTTP, beside a bare commit of one row.

One run is written to its 1,000th step. Then rounds: a bare commit, the 10th checkpoint of a new run
and a resume, the next checkpoint of the long one and a resume, in an order that turns, on one
database and from a bare client on a kept-alive connection. The targets: a checkpoint within twice
the bare commit plus 2 ms, and both of the long run within 1.2 times those of the new one.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from typing import Any

import psycopg

from bench.over_http import OverHttp, timed
from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running, running_service

_EARLY = 10
_TIMES, _PLUS_MS, _GROWTH = 2.0, 2.0, 1.2


class Holder:
    """A run that is written step by step over a connection that is kept."""

    def __init__(self, client: OverHttp) -> None:
        self.send = client.send
        opened = self.send("POST", "/v1/runs", {"agent_id": "bench", "user_id": "u"})
        self.run_id, self.step, self.fact = opened["run_id"], 0, None

    def checkpoint(self) -> None:
        """The next step: one fact, which takes over from the one before."""
        self.step += 1
        fact = {"key": "total", "value": self.step, "source": "bench", "supersedes": self.fact}
        path = f"/v1/runs/{self.run_id}/checkpoints/{self.step}"
        done = self.send("PUT", path, {"fence": 1, "committed_facts": [fact]})
        self.fact = done["committed_facts"][0]["id"]

    def resume(self) -> None:
        """The lease again, and the whole state."""
        self.send("POST", f"/v1/runs/{self.run_id}/resume", {"fence": 1, "lease_seconds": 3600})

    def up_to(self, step: int) -> "Holder":
        """Go on to a step."""
        while self.step < step:
            self.checkpoint()
        return self


def measure(service: Running, steps: int, rounds: int) -> dict[str, float]:
    """Medians in ms."""
    found: dict[str, list[float]] = {}
    client = OverHttp(service.url, service.key)
    place = Layout.of(service.data_dir).conninfo(ADMIN)
    with psycopg.connect(place, autocommit=True) as bare:
        bare.execute("CREATE TABLE public.bare (id bigserial PRIMARY KEY, body text NOT NULL)")
        insert = "INSERT INTO public.bare (body) VALUES ('x')"
        for _ in range(50):
            bare.execute(insert, prepare=True)
        long = Holder(client)
        long.resume()
        long.up_to(steps - 1)
        for number in range(rounds):
            new = Holder(client).up_to(_EARLY - 1)
            tasks: list[tuple[str, Callable[[], Any]]] = [
                ("bare", lambda: bare.execute(insert, prepare=True)),
                ("checkpoint_10", new.checkpoint),
                ("checkpoint_1000", long.checkpoint),
                ("resume_10", new.resume),
                ("resume_1000", long.resume),
            ]
            turn = number % len(tasks)
            for name, task in (*tasks[turn:], *tasks[:turn]):
                found.setdefault(name, []).append(timed(task))
    return {name: statistics.median(values) for name, values in found.items()}


def missed(medians: dict[str, float]) -> list[str]:
    """Targets that the figures miss."""
    most = _TIMES * medians["bare"] + _PLUS_MS
    checks = {
        f"a checkpoint within {most:.2f} ms": medians["checkpoint_10"] <= most,
        **{
            f"the 1,000th {name} within {_GROWTH} of the 10th": (
                medians[f"{name}_1000"] <= _GROWTH * medians[f"{name}_10"]
            )
            for name in ("checkpoint", "resume")
        },
    }
    return [what for what, holds in checks.items() if not holds]


def main() -> None:
    """Print the figures as JSON; exit 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    with running_service() as service:
        medians = measure(service, given.steps, given.rounds)
    print(json.dumps({f"{name}_ms": round(value, 2) for name, value in medians.items()}, indent=2))
    for what in (lost := missed(medians)):
        print(f"missed: {what}")
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
