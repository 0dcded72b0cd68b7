"""An order of items by a model that reads question and text together, within a set time.

The model works in a thread of its own, on one call at a time: one that waits too long, or is not
done in time, is given up, and the model stops after the few texts that it is at.
"""

import asyncio
import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import structlog

from muniment.model_ports import RerankFailed

Weigh = Callable[[str, Sequence[str]], Sequence[float]]
"""A weight for each of a few texts."""

_AT_ONCE: Final = 4
_log = structlog.get_logger()


class TimedReranker:
    """Implements ``ports.Reranker`` with what ``weigh`` makes of a few texts at a time."""

    def __init__(self, name: str, weigh: Weigh, *, first: int, seconds: float) -> None:
        self.name = name
        self.first = first
        self._weigh = weigh
        self._seconds = seconds
        self._thread = ThreadPoolExecutor(1, "reranker")

    async def weigh(self, question: str, texts: Sequence[str], /) -> Sequence[float]:
        """A weight for each text; raises RerankFailed where there are none in time."""
        given_up = threading.Event()
        until = time.monotonic() + self._seconds
        work = asyncio.get_running_loop().run_in_executor(
            self._thread, self._weighed, question, texts, given_up, until
        )
        try:
            weights = await asyncio.wait_for(work, self._seconds)
        except TimeoutError:
            raise RerankFailed(late=True) from None
        finally:
            given_up.set()
        if len(weights) != len(texts) or not all(map(math.isfinite, weights)):
            _log.error("reranker_gave_no_weights", model=self.name)
            raise RerankFailed(late=False)
        return weights

    def _weighed(
        self, question: str, texts: Sequence[str], given_up: threading.Event, until: float
    ) -> list[float]:
        weights: list[float] = []
        for start in range(0, len(texts), _AT_ONCE):
            if given_up.is_set() or time.monotonic() > until:
                raise TimeoutError
            weights += self._few(question, texts[start : start + _AT_ONCE])
        return weights

    def _few(self, question: str, texts: Sequence[str]) -> list[float]:
        try:
            return [float(one) for one in self._weigh(question, texts)]
        except Exception as error:
            # What a model's library may raise is open; the answer goes out in the order it has.
            _log.error("reranker_failed", model=self.name, error=type(error).__name__)
            raise RerankFailed(late=False) from error
