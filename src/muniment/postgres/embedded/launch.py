"""Start a program of the engine as the server's user, bound to die with this process."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from muniment.errors import StartRefused
from muniment.postgres.embedded import exec_shim
from muniment.postgres.embedded.account import Account


def _command(
    program: Sequence[str | Path], account: Account, death_signal: signal.Signals, log: Path | None
) -> list[str]:
    groups = ",".join(map(str, account.groups))
    return [
        sys.executable,
        "-I",
        "-S",
        str(exec_shim.__file__),
        str(os.getpid()),
        str(int(death_signal)),
        f"{account.uid}:{account.gid}:{groups}" if account.drop else "-",
        str(log) if log else "-",
        *map(str, program),
    ]


def launch(
    program: Sequence[str | Path], account: Account, *, death_signal: signal.Signals, log: Path
) -> subprocess.Popen[bytes]:
    """Start ``program`` with its output in ``log``; it gets ``death_signal`` when the thread that
    called this ends, so call it from the main thread."""
    return subprocess.Popen(
        _command(program, account, death_signal, log),
        cwd="/",
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def run(
    program: Sequence[str | Path], account: Account, *, timeout: float = 300.0
) -> tuple[int, str]:
    """Run ``program`` to its end: exit status and output. It is killed with this process."""
    try:
        done = subprocess.run(
            _command(program, account, signal.SIGKILL, None),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise StartRefused(
            f"{Path(program[0]).name} was not done in {timeout:.0f} seconds.",
            cure="Look at the load and the disk of this machine, then start again.",
        ) from None
    return done.returncode, done.stdout.decode(errors="replace")
