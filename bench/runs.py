"""What a checkpoint costs: over HTTP, beside a bare commit of one row, in turn on one database.

The target is twice the bare commit plus 2 ms, and the 1,000th checkpoint and resume within 1.2 times
the 10th. ``python -m bench.runs --steps 1000``
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import httpx
import psycopg

from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running, running_service

_AROUND = 30


def timed(work: Callable[[], Any]) -> float:
    """Milliseconds that it takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


class Holder:
    """A run that is written step by step with a bare HTTP client on a connection that is kept."""

    def __init__(self, service: Running) -> None:
        self.http = httpx.Client(
            base_url=service.url,
            headers={"authorization": f"Bearer {service.key}"},
            trust_env=False,
        )
        opened = self.send("POST", "/v1/runs", {"agent_id": "bench", "user_id": "u"})
        self.run_id, self.step, self.fact = opened["run_id"], 0, None

    def send(self, method: str, path: str, body: Any) -> Any:
        """The answer of the service."""
        answer = self.http.request(method, path, json=body)
        answer.raise_for_status()
        return answer.json()

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


def measure(service: Running, steps: int) -> dict[str, float]:
    """Medians in ms; early and late are around the 10th and the last step."""
    found: dict[str, list[float]] = {name: [] for name in ("bare", "checkpoint", "resume")}
    place = Layout.of(service.data_dir).conninfo(ADMIN)
    with psycopg.connect(place, autocommit=True) as bare:
        bare.execute("CREATE TABLE public.bare (id bigserial PRIMARY KEY, body text NOT NULL)")
        holder = Holder(service)
        holder.resume()
        for _ in range(steps):
            found["bare"].append(
                timed(lambda: bare.execute("INSERT INTO public.bare (body) VALUES ('x')"))
            )
            found["checkpoint"].append(timed(holder.checkpoint))
            found["resume"].append(timed(holder.resume))

    def median(name: str, part: slice) -> float:
        return round(statistics.median(found[name][part]), 2)

    everything, early, late = slice(None), slice(0, _AROUND), slice(-_AROUND, None)
    return {
        "bare_ms": median("bare", everything),
        "checkpoint_ms": median("checkpoint", everything),
        "target_ms": round(2 * median("bare", everything) + 2, 2),
        "checkpoint_early_ms": median("checkpoint", early),
        "checkpoint_late_ms": median("checkpoint", late),
        "resume_early_ms": median("resume", early),
        "resume_late_ms": median("resume", late),
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1000)
    steps = parser.parse_args().steps
    with running_service() as service:
        print(json.dumps(measure(service, steps), indent=2))


if __name__ == "__main__":
    main()
