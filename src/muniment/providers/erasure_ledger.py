"""The erasure ledger as a file: lines that are on the disk before they count."""

import asyncio
import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from muniment.errors import StorageFull, Unavailable

_NEWLINE = b"\n"
_FULL = {errno.ENOSPC, errno.EDQUOT}


class FileLedger:
    """Implements ``domain.erasures.Ledger``. Several processes may append to one file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    async def append(self, header: str, *lines: str) -> None:
        """Durable when this returns. Raises Unavailable or StorageFull, with nothing appended."""
        await asyncio.to_thread(self.append_now, header, *lines)

    def append_now(self, header: str, *lines: str) -> None:
        """The same, in this thread."""
        try:
            with self._locked() as descriptor:
                self._append(descriptor, header, lines)
        except OSError as error:
            if error.errno in _FULL:
                raise StorageFull("The disk of the erasure ledger is full.") from error
            raise Unavailable(
                f"The erasure ledger cannot be written: {error.strerror or type(error).__name__}."
            ) from error

    def text(self) -> str:
        """Everything in the file; nothing if there is none. Raises OSError."""
        try:
            return self.file.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    @contextmanager
    def _locked(self) -> Iterator[int]:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(self.file, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield descriptor
        finally:
            os.close(descriptor)

    def _append(self, descriptor: int, header: str, lines: tuple[str, ...]) -> None:
        end = _whole(descriptor)
        told = header.encode() + _NEWLINE
        if end and os.pread(descriptor, len(told), 0) != told:
            raise Unavailable("The erasure ledger is that of another installation.")
        fresh = b"" if end else told
        fresh += b"".join(line.encode() + _NEWLINE for line in lines)
        # What a crash left of a line was never acknowledged.
        os.ftruncate(descriptor, end)
        try:
            _write(descriptor, fresh, end)
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, end)
            raise
        if not end:
            _sync_parent(self.file)


def _whole(descriptor: int) -> int:
    """How far the file consists of whole lines."""
    end = os.fstat(descriptor).st_size
    while end:
        start = max(0, end - 4096)
        found = os.pread(descriptor, end - start, start).rfind(_NEWLINE)
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _write(descriptor: int, data: bytes, place: int) -> None:
    while data:
        written = os.pwrite(descriptor, data, place)
        data, place = data[written:], place + written


def _sync_parent(file: Path) -> None:
    descriptor = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
