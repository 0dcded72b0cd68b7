"""Long pure work runs in a thread, so that one large write does not hold up every other call."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

R = TypeVar("R")
_LONG = 16_384
_TURNS = ThreadPoolExecutor(1, "turns")


async def worked_out(characters: int, work: Callable[[], R]) -> R:
    """What ``work`` returns, on so many characters of text; below 16,384 it is done at once."""
    return work() if characters < _LONG else await asyncio.to_thread(work)


async def worked_out_in_turn(work: Callable[[], R]) -> R:
    """What ``work`` returns, of which nobody knows beforehand how long it takes: never on the loop,
    and one at a time, so that many of them leave the interpreter to everybody else as one does.
    """
    return await asyncio.get_running_loop().run_in_executor(_TURNS, work)
