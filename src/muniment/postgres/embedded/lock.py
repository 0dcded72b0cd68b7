"""One server per data directory: a kernel lock, gone with the process that holds it."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from muniment.errors import BadSetting, StartRefused
from muniment.postgres.embedded.files import make_data_dir, refusing
from muniment.postgres.embedded.layout import Layout

_NAMING_SECONDS = 0.5


@dataclass(frozen=True)
class ServeLock:
    """Proof that this process alone serves ``layout.data``; made by ``hold``."""

    layout: Layout


def _still_named(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _holder(descriptor: int) -> str:
    """Who holds the lock; it may have it for a moment before it writes its number."""
    deadline = time.monotonic() + _NAMING_SECONDS
    while True:
        number = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
        if number.isdigit() and Path(f"/proc/{number}").exists():
            return f"process {number}"
        if time.monotonic() > deadline:
            return "another process"
        time.sleep(0.01)


def _refuse_second(descriptor: int, data: Path) -> None:
    raise StartRefused(
        f"The data directory {data} is served by {_holder(descriptor)}.",
        cure="Stop that process first, or choose another data directory.",
    )


def _open_locked(layout: Layout) -> int:
    path = layout.lock_file
    while True:
        # Close-on-exec, as every descriptor that Python opens: a child that had it would keep
        # the lock after our death.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            try:
                _refuse_second(descriptor, layout.data)
            finally:
                os.close(descriptor)
        if _still_named(descriptor, path):
            return descriptor
        os.close(descriptor)


@contextlib.contextmanager
def hold(data: Path) -> Iterator[ServeLock]:
    """Create ``data`` if need be and hold its lock; a second holder is refused, naming our pid."""
    layout = Layout.of(data)
    with refusing(layout.data, BadSetting):
        make_data_dir(layout.data, shared=os.geteuid() == 0)
        descriptor = _open_locked(layout)
    try:
        with refusing(layout.lock_file):
            os.fchmod(descriptor, 0o600)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield ServeLock(layout)
    finally:
        os.close(descriptor)
