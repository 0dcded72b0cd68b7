"""``python -m bench.context``: what context.assemble costs over HTTP, beside a recall.

The user of ``bench.plan``, and some documents. Rounds of one recall and one context each way (of
the user alone; on a data source; beside a run), whose order turns, each with a question that was
never asked before, from a bare client on a kept-alive connection. The target: the median of a
context within twice that of a recall of the same tiers.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from typing import Any

from bench.over_http import OverHttp, timed
from bench.plan import fill
from muniment.testing import Running, running_service

_TIMES = 2.0
_TOPICS = ("returns", "baskets", "couriers", "weekends", "coupons", "refunds", "stock", "prices")
_DOCUMENTS = 20
_STEPS = 20


def measure(service: Running, memories: int, rounds: int) -> dict[str, float]:
    """Medians and 95th percentiles in ms, and the tokens of a context."""
    client = OverHttp(service.url, service.key)
    fill(client, memories)
    _tell_more(client)
    place = {"agent_id": "bench", "user_id": "u", "cost_ceiling_usd": "5"}
    run_id = ""
    found: dict[str, list[float]] = {name: [] for name in ("recall", "context", "on_source", "run")}
    tokens: list[int] = []
    for number in range(-20, rounds):
        if number % _STEPS == 0:
            run_id = client.post("/v1/runs", place)["run_id"]
        question = (
            f"How do {_TOPICS[number % 8]} differ in region {number} since week {number + 30}?"
        )
        asked: dict[str, Any] = {"user_id": "u", "query": question}
        source = asked | {"data_source": "shop.orders", "mode": "extend"}
        calls: list[tuple[str, str, dict[str, Any]]] = [
            ("recall", "/v1/recall", asked),
            ("context", "/v1/context", asked),
            ("on_source", "/v1/context", source),
            ("run", "/v1/context", source | {"run_id": run_id}),
        ]
        for name, path, body in calls if number % 2 else reversed(calls):
            took = timed(_call(client, path, body, tokens if name == "context" else []))
            if number >= 0:
                found[name].append(took)
    figures = {f"{name}_p50_ms": statistics.median(times) for name, times in found.items()}
    figures |= {
        f"{name}_p95_ms": sorted(times)[int(len(times) * 0.95)] for name, times in found.items()
    }
    figures |= {
        f"{name}_ratio_of_p50": figures[f"{name}_p50_ms"] / figures["recall_p50_ms"]
        for name in ("context", "on_source", "run")
    }
    return figures | {"tokens": statistics.median(tokens)}


def _call(
    client: OverHttp, path: str, body: dict[str, Any], tokens: list[int]
) -> Callable[[], Any]:
    def call() -> None:
        answer = client.post(path, body)
        tokens.append(answer.get("tokens", 0))

    return call


def _tell_more(client: OverHttp) -> None:
    for number in range(_DOCUMENTS):
        topic = _TOPICS[number % 8]
        client.send(
            "PUT",
            f"/v1/knowledge/sheet-{number}",
            {"version": 1, "title": f"Sheet {number}", "text": f"How {topic} are counted in hall {number}."},
        )  # fmt: skip
    for number in range(30):
        text = f"Prefers {_TOPICS[number % 8]} by region {number} in chart {number}."
        client.post("/v1/memories", {"user_id": "u", "kind": "user_preference", "text": text})


def main() -> None:
    """Print the figures as JSON; exit 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=400)
    given = parser.parse_args()
    with running_service() as service:
        figures = measure(service, given.memories, given.rounds)
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}, indent=2))
    if figures["context_ratio_of_p50"] > _TIMES:
        print(f"missed: a context within {_TIMES} times a recall")
        sys.exit(1)


if __name__ == "__main__":
    main()
