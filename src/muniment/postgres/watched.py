"""Figures over all tenants that a process looks at again and again, for metrics."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from muniment.errors import MunimentError
from muniment.ports import Clock, Units

_ANY_TENANT = UUID(int=0)


class _Looks(ABC):
    """Asks a statement for figures; ``run`` looks every so often until it is cancelled."""

    def __init__(self, units: Units, query: str, seconds: float) -> None:
        self._units, self._query, self._seconds = units, query, seconds

    async def run(self) -> None:
        """Look again and again."""
        while True:
            await self.refresh()
            await asyncio.sleep(self._seconds)

    async def refresh(self) -> None:
        """Look once. A database that does not answer leaves what is known."""
        try:
            async with self._units.open(_ANY_TENANT) as unit:
                self._keep(await unit.value(self._query, **self._given()))
        except MunimentError:
            return

    def _given(self) -> Mapping[str, Any]:
        return {}

    @abstractmethod
    def _keep(self, found: Any) -> None: ...


class RunsWatched(_Looks):
    """How runs fare: five figures of one statement, looked up every minute."""

    def __init__(self, units: Units, clock: Clock) -> None:
        super().__init__(units, "run_figures", seconds=60.0)
        self._clock = clock
        self.values = [0.0] * 5

    @property
    def resume_success(self) -> float:
        """The share of resumed runs that went on with nothing in doubt; 1 where there are none."""
        return self.values[1] / self.values[0] if self.values[0] else 1.0

    def figures(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """Figures for metrics: what each is, and how to get it."""
        return {
            "runs_resumed": (
                "Runs that are kept and were gone on with after an interruption.",
                lambda: self.values[0],
            ),
            "run_resume_success_ratio": (
                "The share of them that went on without a write effect in doubt; 1 for none.",
                lambda: self.resume_success,
            ),
            "effects_in_doubt": (
                "Calls of writing tools of which nobody knows whether they had their effect.",
                lambda: self.values[2],
            ),
            "approvals_open": (
                "Requests of runs that wait for a decision.",
                lambda: self.values[3],
            ),
            "approval_oldest_seconds": (
                "How long the oldest request of a run waits for a decision.",
                lambda: self.values[4],
            ),
        }

    def _given(self) -> Mapping[str, Any]:
        return {"now": self._clock.now()}

    def _keep(self, found: Any) -> None:
        self.values = list(found)


class KnowledgeWatched(_Looks):
    """How much shared knowledge there is: two figures of one statement, looked up every minute."""

    def __init__(self, units: Units) -> None:
        super().__init__(units, "knowledge_figures", seconds=60.0)
        self.values = [0.0] * 2

    def figures(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """Figures for metrics: what each is, and how to get it."""
        return {
            "knowledge_documents": (
                "Documents of shared knowledge.",
                lambda: self.values[0],
            ),
            "knowledge_chunks": (
                "Chunks of shared knowledge, by which documents are found.",
                lambda: self.values[1],
            ),
        }

    def _keep(self, found: Any) -> None:
        self.values = list(found)


class Watched(_Looks):
    """The number that a statement answers."""

    def __init__(self, units: Units, query: str, name: str, what: str, seconds: float) -> None:
        super().__init__(units, query, seconds)
        self._name, self._what = name, what
        self.value = 0.0

    def figures(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """Figures for metrics: what each is, and how to get it."""
        return {self._name: (self._what, lambda: self.value)}

    def _keep(self, found: Any) -> None:
        self.value = float(found)


def seal_lag(units: Units) -> Watched:
    """How long the oldest audit entry waits for its seal."""
    what = "How long the oldest audit entry waits for its seal."
    return Watched(units, "seal_lag", "audit_seal_lag_seconds", what, seconds=5.0)


def open_rereviews(units: Units) -> Watched:
    """How many changes of the rules wait for a second person."""
    what = "Changes of policy, slots, keys or consent that wait for a second person."
    return Watched(units, "open_rereviews", "rereviews_open", what, seconds=60.0)


def stopped_passes(units: Units) -> Watched:
    """How many passes of the worker wait for an operator."""
    what = "Passes of expiry or decay that stopped and wait for an operator."
    return Watched(units, "stopped_passes", "passes_stopped", what, seconds=60.0)
