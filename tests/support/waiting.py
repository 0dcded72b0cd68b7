"""Waiting for a condition, never for a time."""

import time
from collections.abc import Callable

_PAUSE = 0.02


def until(condition: Callable[[], bool], *, within: float = 30.0) -> None:
    """Return when the condition holds; fail when it still does not after ``within`` seconds."""
    deadline = time.monotonic() + within
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("the condition did not come to hold in time")
        time.sleep(_PAUSE)
