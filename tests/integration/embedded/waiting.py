"""Waiting for things with a deadline."""

import os
import select
import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], what: str, within: float = 30.0) -> T:
    """The first true answer of ``condition``; fails when none comes in time."""
    deadline = time.monotonic() + within
    while not (answer := condition()):
        assert time.monotonic() < deadline, f"{what}: not within {within} s"
        time.sleep(0.02)
    return answer


def exited(pid: int, within: float = 30.0) -> None:
    """Wait for the end of any process; reaps nothing."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        assert poll.poll(within * 1000), f"process {pid} still runs after {within} s"
    finally:
        os.close(descriptor)


class Lines:
    """The output of a process, line by line."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        self._descriptor = process.stdout.fileno()
        self._pending = b""
        self.seen: list[str] = []

    def wait_for(self, text: str, within: float = 60.0) -> str:
        """The next line that contains ``text``; fails at the end of output or when it is late."""
        deadline = time.monotonic() + within
        while True:
            while b"\n" in self._pending:
                line, _, self._pending = self._pending.partition(b"\n")
                self.seen.append(line.decode(errors="replace"))
                if text in self.seen[-1]:
                    return self.seen[-1]
            left = deadline - time.monotonic()
            assert left > 0, f"{text!r} did not come; seen: {self.seen}"
            if select.select([self._descriptor], [], [], left)[0]:
                chunk = os.read(self._descriptor, 65536)
                assert chunk, f"the output ended before {text!r}; seen: {self.seen}"
                self._pending += chunk
