"""Long pure work runs in a thread, so that one large write does not hold up every other call."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

R = TypeVar("R")
_LONG = 16_384


async def worked_out(characters: int, work: Callable[[], R]) -> R:
    """What ``work`` returns, on so many characters of text; below 16,384 it is done at once."""
    return work() if characters < _LONG else await asyncio.to_thread(work)
