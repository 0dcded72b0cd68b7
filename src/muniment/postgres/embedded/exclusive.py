"""One process at a time: a kernel lock that is waited for, gone with the process that holds it."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def alone(path: Path, flags: int) -> Iterator[None]:
    """Hold the lock of ``path``, opened with ``flags``, for the time of the block."""
    descriptor = os.open(path, flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
