"""How work grows with its input: ratios of processor time within one run, never seconds."""

import gc
import time
from collections.abc import Callable

_TRIES = 4
_TIMES = 4
# Of the time for a fourth: linear work takes four times as much, quadratic sixteen.
_MOST = 9
_LEAST_SECONDS = 0.004


def grows_linearly(work: Callable[[int], object], size: int) -> bool:
    """Whether ``work(size)`` takes no more than a linear multiple of ``work(size // 4)``.

    The least of all tries counts, of either size: what else runs can only add to it. The
    collector of cycles stands still meanwhile, for its work grows with all that the process holds.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        small = large = float("inf")
        for _ in range(_TRIES):
            small = min(small, *(_seconds(work, size // _TIMES) for _ in range(5)))
            large = min(large, _seconds(work, size))
            if large <= _MOST * max(small, _LEAST_SECONDS):
                return True
            gc.collect()
        return False
    finally:
        if collects:
            gc.enable()


def _seconds(work: Callable[[int], object], size: int) -> float:
    began = time.thread_time()
    work(size)
    return time.thread_time() - began
