"""Processes of an earlier server on the same cluster: recognised beyond doubt, then ended.

A number in ``postmaster.pid`` proves nothing, since numbers are used again. A process is ours when
its program is ``postgres``, its working directory is the cluster and its user owns the cluster.
Signals go through a pidfd that was opened before the look, so they cannot hit a successor.
"""

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from muniment.errors import StartRefused
from muniment.postgres.embedded.files import read_plain
from muniment.postgres.embedded.layout import SOCKET_NAME

PID_FILE = "postmaster.pid"
_LOOK_AGAIN = 0.1


@dataclass(frozen=True, kw_only=True)
class Patience:
    """Seconds: for a live server to stop cleanly, for orphaned backends to go by themselves, and
    after each harder signal."""

    shutdown: float = 60.0
    orphans: float = 5.0
    harder: float = 5.0


def runs_in(pid: int, cluster: Path) -> bool:
    """Whether ``pid`` is provably a live postgres process of ``cluster``'s owner on ``cluster``."""
    process = Path(f"/proc/{pid}")
    try:
        program = (process / "exe").readlink().name.removesuffix(" (deleted)")
        place = (process / "cwd").stat()
        home = cluster.stat()
        owner = process.stat().st_uid
    except OSError:
        return False
    return program == "postgres" and os.path.samestat(place, home) and owner == home.st_uid


def processes_in(cluster: Path) -> list[int]:
    """Every process that ``runs_in`` the cluster, the postmaster and its children alike."""
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [pid for pid in numbers if runs_in(pid, cluster)]


@contextlib.contextmanager
def _pinned(pid: int, cluster: Path) -> Iterator[int | None]:
    """A pidfd of ``pid`` if that process is proven to be ours, else None."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        yield None
        return
    try:
        yield descriptor if runs_in(pid, cluster) else None
    finally:
        os.close(descriptor)


def _gone_within(descriptor: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def _signal(pid: int, cluster: Path, number: signal.Signals, seconds: float) -> bool:
    """Signal ``pid`` if it is ours and wait for its end; True when it is gone."""
    with _pinned(pid, cluster) as descriptor:
        if descriptor is None:
            return True
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(descriptor, number)
        return _gone_within(descriptor, seconds)


def _pid_in(text: str) -> int | None:
    first = text.split("\n", 1)[0].strip().lstrip("-")
    return int(first) if first.isdigit() and 0 < int(first) < 1 << 31 else None


def is_serving(cluster: Path, pid: int) -> bool:
    """Whether the server ``pid`` has written into its pid file that it takes connections."""
    lines = (read_plain(cluster / PID_FILE) or "").splitlines()
    return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"


def _number_taken(pid: int) -> bool:
    """What the server itself asks, and then refuses to start: does any such process exist?"""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _end_orphans(cluster: Path, patience: Patience) -> None:
    """Backends leave by themselves when they notice; one in a long statement does not notice."""
    deadline = time.monotonic() + patience.orphans
    while (left := processes_in(cluster)) and time.monotonic() < deadline:
        with _pinned(left[0], cluster) as descriptor:
            if descriptor is not None:
                _gone_within(descriptor, min(_LOOK_AGAIN, deadline - time.monotonic()))
    for number in (signal.SIGQUIT, signal.SIGKILL):
        for pid in processes_in(cluster):
            _signal(pid, cluster, number, patience.harder)
    if left := processes_in(cluster):
        raise StartRefused(
            f"Process {left[0]} of an earlier server on {cluster} does not end.",
            cure="Wait for its disk, or restart this machine.",
        )


def clear_the_way(cluster: Path, socket_dir: Path, patience: Patience) -> None:
    """End what is left of an earlier server on ``cluster`` and remove what would block a new one.

    The caller holds the data directory's lock, so no living server belongs to anybody else.
    """
    pid_file = cluster / PID_FILE
    text = read_plain(pid_file)
    pid = _pid_in(text) if text is not None else None
    if pid is not None and not _signal(pid, cluster, signal.SIGINT, patience.shutdown):
        _signal(pid, cluster, signal.SIGQUIT, patience.harder)
    _end_orphans(cluster, patience)
    # With a number that nobody has, the file stays: the server then looks for shared memory
    # still in use, a second check beside ours.
    if text is not None and (pid is None or _number_taken(pid)):
        pid_file.unlink(missing_ok=True)
    for name in (SOCKET_NAME, f"{SOCKET_NAME}.lock"):
        (socket_dir / name).unlink(missing_ok=True)
