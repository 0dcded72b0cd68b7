"""The erasure ledger as a file: lines that are on the disk before they count."""

import asyncio
import errno
import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog

from muniment.domain.erasures import (
    LedgerLostError,
    Link,
    header_of,
    ledger_of,
    read_ledger,
    standing_in,
    with_lines,
)
from muniment.errors import StorageFull, Unavailable

_log = structlog.get_logger()
_NEWLINE = b"\n"
_FULL = {errno.ENOSPC, errno.EDQUOT}
_FLAGS = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW


class FileLedger:
    """Implements ``domain.erasures.Ledger``. Several processes may append to one file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._seen = (0, b"")

    async def begin(self, key: bytes) -> None:
        """Begin one if there is none."""
        await asyncio.to_thread(self.begin_now, key)

    def begin_now(self, key: bytes) -> None:
        """The same, in this thread."""
        with self._locked(os.O_CREAT) as descriptor:
            end = _whole(descriptor)
            if not end:
                os.ftruncate(descriptor, 0)
                _write(descriptor, header_of(key).encode() + _NEWLINE, 0)
                os.fsync(descriptor)
                _sync_parent(self.file)
            else:
                _standing(descriptor, key)

    async def append(self, key: bytes, *lines: str) -> None:
        """Durable when this returns. Raises LedgerLostError, Unavailable or StorageFull, with
        nothing appended.
        """
        await asyncio.to_thread(self.append_now, key, *lines)

    def append_now(self, key: bytes, *lines: str) -> None:
        """The same, in this thread."""
        with self._locked() as descriptor:
            self._append(descriptor, key, lines, anyway=False)

    def retract(self, key: bytes, line: str) -> None:
        """Append to what there is; where there is no ledger, there is nothing to take back."""
        with suppress(LedgerLostError), self._locked() as descriptor:
            self._append(descriptor, key, [line], anyway=True)

    async def mend(self, key: bytes, lines: Sequence[str]) -> int:
        """Write it again with these lines; how many it had not."""
        return await asyncio.to_thread(self.mend_now, key, lines)

    def mend_now(self, key: bytes, lines: Sequence[str]) -> int:
        """The same, in this thread. Raises Unavailable for one that is damaged or another's."""
        with self._locked(os.O_CREAT) as descriptor:
            text = _text(descriptor)
            reading = read_ledger(key, text)
            if reading.foreign or reading.damaged:
                how = "that of another installation" if reading.foreign else "damaged"
                raise Unavailable(f"The erasure ledger is {how}.")
            entries = with_lines(key, reading, lines)
            lost = len(entries) - len(reading.entries)
            if lost or not text or not reading.whole:
                self._replace(descriptor, ledger_of(key, entries))
                _log.warning("erasure_ledger_written_again", lines=lost, missed=reading.missing)
            return lost

    def text(self) -> str:
        """Everything in the file; nothing if there is none. Raises OSError."""
        try:
            with self.file.open(encoding="utf-8", errors="replace") as file:
                # Between a line and the title that counts it nobody looks.
                fcntl.flock(file, fcntl.LOCK_SH)
                return file.read()
        except FileNotFoundError:
            return ""

    @contextmanager
    def _locked(self, more: int = 0) -> Iterator[int]:
        try:
            if more:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            while True:
                descriptor = os.open(self.file, _FLAGS | more, 0o600)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
                    # Whoever wrote it again meanwhile put another in its place.
                    if _is_at(descriptor, self.file):
                        yield descriptor
                        return
                finally:
                    os.close(descriptor)
        except FileNotFoundError as error:
            raise LedgerLostError from error
        except OSError as error:
            if error.errno in _FULL:
                raise StorageFull("The disk of the erasure ledger is full.") from error
            raise Unavailable(
                f"The erasure ledger cannot be written: {error.strerror or type(error).__name__}."
            ) from error

    def _append(self, descriptor: int, key: bytes, lines: Sequence[str], *, anyway: bool) -> None:
        end = _whole(descriptor)
        if not end:
            raise LedgerLostError
        told, last = _standing(descriptor, key), _last(descriptor, end)
        at = Link.first(key) if end == len(last) + 1 else Link.of(last.decode(errors="replace"))
        if at is None:
            raise Unavailable("The erasure ledger is damaged in its last line.")
        if not anyway and (at.standing < told or not self._goes_on(descriptor)):
            raise LedgerLostError
        fresh = b""
        for line in lines:
            at = at.then(key, line)
            last = at.row(line).encode()
            fresh += last + _NEWLINE
        title = header_of(key, at.standing).encode()
        try:
            # The title never counts more than there is: a crash between both is no loss.
            if at.standing < told:
                _write(descriptor, title, 0)
                os.fsync(descriptor)
            # What a crash left of a line was never acknowledged.
            os.ftruncate(descriptor, end)
            _write(descriptor, fresh, end)
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, end)
            raise
        _write(descriptor, title, 0)
        self._seen = (end + len(fresh), last)

    def _goes_on(self, descriptor: int) -> bool:
        """Whether it has what this process wrote last where it wrote it."""
        end, last = self._seen
        return os.pread(descriptor, len(last), max(0, end - len(last) - 1)) == last

    def _replace(self, descriptor: int, text: str) -> None:
        """Under the lock of the old one: whole or not at all, for the same owner."""
        partial = self.file.with_name(f".{self.file.name}.{os.getpid()}.partial")
        with suppress(FileNotFoundError):
            partial.unlink()
        fresh = os.open(partial, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _write(fresh, text.encode(), 0)
            owner = os.fstat(descriptor)
            with suppress(PermissionError):
                os.fchown(fresh, owner.st_uid, owner.st_gid)
            os.fsync(fresh)
            partial.rename(self.file)
        finally:
            os.close(fresh)
            with suppress(FileNotFoundError):
                partial.unlink()
        _sync_parent(self.file)
        self._seen = (0, b"")


class LedgerWatch:
    """Tells what is wrong with the ledger, for who looks often: read where it changed."""

    def __init__(self, file: Path) -> None:
        self._ledger = FileLedger(file)
        self._read: tuple[tuple[int, ...], int, bool] | None = None

    def problem(self, key: bytes, carried_out: int) -> str | None:
        """What is wrong, where a database carried out so many lines."""
        file = self._ledger.file
        try:
            os.close(os.open(file, _FLAGS))
            found = file.stat()
            mark = (found.st_ino, found.st_size, found.st_mtime_ns)
            if self._read is None or self._read[0] != mark:
                reading = read_ledger(key, self._ledger.text())
                self._read = (mark, len(reading.standing), reading.whole)
        except FileNotFoundError:
            return "There is no erasure ledger; the next forget, or the hour, writes it again."
        except OSError as error:
            return f"The erasure ledger cannot be written ({error.strerror}): forgets are refused."
        _, standing, whole = self._read
        if not whole:
            return "The erasure ledger is damaged or that of another installation."
        if standing < carried_out:
            return "The erasure ledger has less than the database; the hour writes it again."
        return None


def _is_at(descriptor: int, file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), file.lstat())
    except FileNotFoundError:
        return False


def _text(descriptor: int) -> str:
    with os.fdopen(os.dup(descriptor), encoding="utf-8", errors="replace") as file:
        return file.read()


def _standing(descriptor: int, key: bytes) -> int:
    title = os.pread(descriptor, len(header_of(key)), 0).decode(errors="replace")
    told = standing_in(key, title)
    if told is None:
        raise Unavailable("The erasure ledger is that of another installation.")
    return told


def _whole(descriptor: int) -> int:
    """How far the file consists of whole lines."""
    return _behind_newline(descriptor, os.fstat(descriptor).st_size)


def _last(descriptor: int, end: int) -> bytes:
    """The last whole line."""
    start = _behind_newline(descriptor, end - 1)
    return os.pread(descriptor, end - 1 - start, start)


def _behind_newline(descriptor: int, end: int) -> int:
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
