"""Fault drills: a process that kills itself at a named point, as a crash might."""

import os
import signal


class NoDrill:
    """Implements ``ports.Drill``: nothing happens."""

    def reached(self, point: str) -> None:
        """Go on."""


class KillAt:
    """Implements ``ports.Drill``: SIGKILL for this process the ``count``-th time at ``point``."""

    def __init__(self, armed: str) -> None:
        """``armed`` reads ``POINT`` or ``POINT:COUNT``. Raises ValueError for another count."""
        self._point, _, count = armed.partition(":")
        self._left = int(count or 1)

    def reached(self, point: str) -> None:
        """Die here when it is time."""
        if point == self._point:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def drill_at(armed: str | None) -> NoDrill | KillAt:
    """The drill that the settings ask for. Raises ValueError as ``KillAt``."""
    return KillAt(armed) if armed else NoDrill()
