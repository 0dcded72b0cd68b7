"""Metrics for Prometheus: operations and the process, never users or tenants."""

from collections.abc import Callable, Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
_NO_OPERATION = "none"


class Metrics:
    """What one API process counts."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        labels = ["operation", "code"]
        self._requests = Counter(
            "muniment_requests",
            "Requests by operation and outcome.",
            labels,
            registry=self._registry,
        )
        self._seconds = Histogram(
            "muniment_request_seconds",
            "Time from the first byte of a request to the last of its answer.",
            ["operation"],
            buckets=_SECONDS,
            registry=self._registry,
        )

    def observe(self, operation: str | None, code: str, seconds: float) -> None:
        """One request: its operation (None before one was found), ``ok`` or an error's code."""
        name = operation or _NO_OPERATION
        self._requests.labels(name, code).inc()
        self._seconds.labels(name).observe(seconds)

    def watch(self, gauges: Mapping[str, tuple[str, Callable[[], float]]]) -> None:
        """Figures that are looked up when asked for, as name: (what it is, how to get it)."""
        for name, (what, look) in gauges.items():
            Gauge(f"muniment_{name}", what, registry=self._registry).set_function(look)

    def text(self) -> bytes:
        """Everything in the exposition format."""
        return generate_latest(self._registry)
