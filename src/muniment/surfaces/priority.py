"""How much of the processor the worker takes beside the other processes."""

import os
from pathlib import Path

import structlog

_AUTOGROUP = Path("/proc/self/autogroup")

_log = structlog.get_logger()


def stand_back(nice: int, autogroup: Path = _AUTOGROUP) -> None:
    """Let other processes go first: this one counts as ``nice`` at least.

    Where the kernel weighs sessions against each other (autogroup), nice counts within a session
    alone; a leader of its own session, as the supervisor starts it, lowers the session too.
    """
    if nice > os.getpriority(os.PRIO_PROCESS, 0):
        os.setpriority(os.PRIO_PROCESS, 0, nice)
    if os.getsid(0) != os.getpid() or not autogroup.exists():
        return
    try:
        autogroup.write_text(str(nice), encoding="ascii")
    except OSError as error:
        # A container may show it read-only. The worker works all the same.
        _log.info("session_not_lowered", error=error.strerror)
