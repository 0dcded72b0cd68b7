"""``python -m bench.plan``: what analysis.plan costs over HTTP, beside a recall of the same user.

A user with 2,000 memories, 40 of them findings on one source with 20 analyses of it, and faults of
the organisation's. Rounds of one recall and one plan, whose order turns, each with a question that
was never asked before, from a bare client on a kept-alive connection. The target: the median of a
plan within twice that of a recall.
"""

import argparse
import json
import statistics
import sys
from typing import Any

from bench.over_http import OverHttp, timed
from muniment.testing import Running, running_service

_TIMES = 2.0
_TOPICS = ("returns", "baskets", "couriers", "weekends", "coupons", "refunds", "stock", "prices")


def fill(client: OverHttp, memories: int) -> None:
    """What the user holds, and what was analysed."""
    for number in range(20):
        client.post(
            "/v1/analysis/report",
            {
                "user_id": "u",
                "session_id": f"s{number}",
                "data_source": "shop.orders",
                "fingerprint": f"v{number // 2}",
                "findings": [
                    {"text": f"{_TOPICS[number % 8]} rose by {number + 2} percent in region {at}.",
                     "label": "confirmatory"} for at in range(2)
                ] + [{"text": f"Column {number} of the table is filled late.", "label": "exploratory",
                      "kind": "data_quality"}],
                "battery": [{"step": f"rate of {topic} by region {number}"} for topic in _TOPICS[:4]],
                "unknowns": [f"Why {_TOPICS[number % 8]} differ in region {number}."],
            },
        )  # fmt: skip
    for number in range(memories - 40):
        text = f"Item {number} of {_TOPICS[number % 8]} is kept on shelf {number % 97} in hall {number}."
        client.post("/v1/memories", {"user_id": "u", "kind": "fact", "text": text})


def measure(service: Running, memories: int, rounds: int) -> dict[str, float]:
    """Medians and 95th percentiles in ms."""
    client = OverHttp(service.url, service.key)
    fill(client, memories)
    found: dict[str, list[float]] = {"recall": [], "plan": []}
    for number in range(-20, rounds):
        question = (
            f"How do {_TOPICS[number % 8]} differ in region {number} since week {number + 30}?"
        )
        asked: dict[str, Any] = {"user_id": "u", "data_source": "shop.orders", "mode": "auto"}
        tasks = [
            ("recall", lambda asked=question: client.ask("u", asked)),
            ("plan", lambda asked=asked | {"question": question}: client.post("/v1/analysis/plan", asked)),
        ]  # fmt: skip
        for name, task in tasks if number % 2 else reversed(tasks):
            took = timed(task)
            if number >= 0:
                found[name].append(took)
    figures = {f"{name}_p50_ms": statistics.median(times) for name, times in found.items()}
    figures |= {
        f"{name}_p95_ms": sorted(times)[int(len(times) * 0.95)] for name, times in found.items()
    }
    return figures | {"ratio_of_p50": figures["plan_p50_ms"] / figures["recall_p50_ms"]}


def main() -> None:
    """Print the figures as JSON; exit 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=400)
    given = parser.parse_args()
    with running_service() as service:
        figures = measure(service, given.memories, given.rounds)
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}, indent=2))
    if figures["ratio_of_p50"] > _TIMES:
        print(f"missed: a plan within {_TIMES} times a recall")
        sys.exit(1)


if __name__ == "__main__":
    main()
