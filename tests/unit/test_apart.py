"""Long work leaves the loop free: what it waits for here comes from the loop itself."""

import asyncio
import threading

import pytest

from muniment.records.apart import worked_out, worked_out_in_turn


@pytest.mark.parametrize(("characters", "apart"), [(0, False), (16_383, False), (16_384, True)])
async def test_where_work_is_done(characters: int, apart: bool) -> None:
    thread = await worked_out(characters, threading.get_ident)
    assert (thread != threading.get_ident()) is apart


async def test_the_loop_turns_meanwhile() -> None:
    turned = threading.Event()
    asyncio.get_running_loop().call_soon(turned.set)
    assert await worked_out(1_000_000, lambda: turned.wait(timeout=30))


async def test_what_it_raises_is_raised() -> None:
    def fails() -> None:
        raise ValueError("in the work")

    for characters in (1, 1_000_000):
        with pytest.raises(ValueError, match="in the work"):
            await worked_out(characters, fails)


async def test_one_at_a_time_and_never_here() -> None:
    running, most, threads = 0, 0, set()

    def counts() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        threads.add(threading.get_ident())
        turned.wait(timeout=30)
        running -= 1

    turned = threading.Event()
    asyncio.get_running_loop().call_soon(turned.set)
    await asyncio.gather(*(worked_out_in_turn(counts) for _ in range(8)))
    assert (most, len(threads)) == (1, 1)
    assert threading.get_ident() not in threads
