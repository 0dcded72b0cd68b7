"""Metrics for Prometheus: operations and the process, never users or tenants."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
_NO_OPERATION = "none"

Figures = Mapping[str, tuple[str, Callable[[], float]]]
"""Name: what it is, and how to get it."""


class _Watched(Collector):
    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        for name, (what, look) in self._figures.items():
            family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
            yield family(f"muniment_{name}", what, value=look())


class Metrics:
    """What one API process counts."""

    def __init__(self) -> None:
        # When each series began: twice the series, for nothing that is asked for.
        disable_created_metrics()  # type: ignore[no-untyped-call]
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

        self._in_flight = Gauge(
            "muniment_requests_in_flight",
            "Requests that are being answered now, this one among them.",
            registry=self._registry,
        )

    @contextmanager
    def in_flight(self) -> Iterator[None]:
        """Count a request for as long as it lasts."""
        with self._in_flight.track_inprogress():
            yield

    def observe(self, operation: str | None, code: str, seconds: float) -> None:
        """One request: its operation (None before one was found), ``ok`` or an error's code."""
        name = operation or _NO_OPERATION
        self._requests.labels(name, code).inc()
        self._seconds.labels(name).observe(seconds)

    def watch(self, figures: Figures) -> None:
        """Figures that are looked up when asked for; those that only rise end in ``_total``."""
        self._registry.register(_Watched(figures))

    def text(self) -> bytes:
        """Everything in the exposition format."""
        return generate_latest(self._registry)
