"""Directories and files of the data directory: made private, never loosened, never followed.

As root these functions work inside directories that a lesser user owns, so they go through
directory descriptors and follow no link.
"""

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from muniment.errors import StartRefused
from muniment.postgres.embedded.account import Account

_CURES = {
    errno.EROFS: "Mount it writable, or choose another data directory.",
    errno.EACCES: "Give this user access to it, or choose another data directory.",
    errno.EPERM: "Give this user access to it, or choose another data directory.",
    errno.ENOSPC: "Free some space there, or choose another data directory.",
    errno.EDQUOT: "Raise the quota, or choose another data directory.",
    errno.ENOTDIR: "Move what is in the way, or choose another data directory.",
    errno.EEXIST: "Move what is in the way, or choose another data directory.",
    errno.ENOTEMPTY: "Move what is in the way, or choose another data directory.",
    errno.EBUSY: "Mount the volume on the data directory itself, not on a directory in it.",
    errno.ENAMETOOLONG: "Choose a shorter data directory.",
    errno.ELOOP: "Replace the symbolic link by what it points to.",
}


@contextlib.contextmanager
def refusing(path: Path, kind: type[StartRefused] = StartRefused) -> Iterator[None]:
    """Turn an ``OSError`` of the body into a ``kind`` that names a path and a cure."""
    try:
        yield
    except OSError as error:
        named = error.filename if isinstance(error.filename, str) else str(path)
        where = named if named.startswith("/") else str(path)
        raise kind(
            f"{where} cannot be used: {os.strerror(error.errno or 0)}.",
            cure=_CURES.get(error.errno or 0, "Choose another data directory."),
        ) from error


def make_data_dir(path: Path, *, shared: bool) -> None:
    """Create ``path`` and its missing parents, 0755 if ``shared`` else 0700, whatever the umask;
    what exists already is left as it is."""
    missing = []
    while not path.exists():
        missing.append(path)
        path = path.parent
    for directory in reversed(missing):
        try:
            directory.mkdir(mode=0o700)
        except FileExistsError:
            continue
        directory.chmod(0o755 if shared else 0o700)
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def _refuse_not_private(path: Path, owner: Account) -> None:
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise StartRefused(f"{path} is not a directory.", cure="Move what is there away.")
    if found.st_uid != owner.uid:
        raise StartRefused(
            f"{path} belongs to user number {found.st_uid}, and the server runs as "
            f"{owner.label} ({owner.uid}).",
            cure=f"Start as the user that it belongs to, or hand it over with 'chown -R "
            f"{owner.uid}:{owner.gid}'.",
        )
    if found.st_mode & 0o077:
        raise StartRefused(
            f"{path} is open to other users (mode {stat.S_IMODE(found.st_mode):04o}).",
            cure="Close it with 'chmod 700'.",
        )


def new_private_dir(beside: Path, owner: Account) -> Path:
    """A fresh 0700 directory of ``owner`` in ``beside``'s directory, under a name of its own."""
    made = Path(tempfile.mkdtemp(prefix=f"{beside.name}.", dir=beside.parent))
    if not owner.drop:
        made.chmod(0o700)  # the umask may have closed it to ourselves; root opens it all the same
    descriptor = os.open(made, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchmod(descriptor, 0o700)
        if owner.drop:
            os.fchown(descriptor, owner.uid, owner.gid)
    finally:
        os.close(descriptor)
    return made


def private_dir(path: Path, owner: Account) -> None:
    """Make sure that ``path`` is a 0700 directory of ``owner``; another's is refused, not taken."""
    if not os.path.lexists(path):
        # Built aside: a kill before the change of owner must not leave one that is refused.
        new_private_dir(path, owner).rename(path)
    _refuse_not_private(path, owner)


def sync_dir(path: Path) -> None:
    """Make renames in ``path`` durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_private(path: Path, text: str, owner: Account) -> None:
    """Replace ``path`` by a 0600 file of ``owner`` holding ``text``, atomically and durably."""
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fresh = f".{path.name}.new"
        with contextlib.suppress(FileNotFoundError):
            os.unlink(fresh, dir_fd=directory)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(fresh, flags, 0o600, dir_fd=directory), "wb") as file:
            file.write(text.encode())
            os.fchmod(file.fileno(), 0o600)
            if owner.drop:
                os.fchown(file.fileno(), owner.uid, owner.gid)
            file.flush()
            os.fsync(file.fileno())
        os.rename(fresh, path.name, src_dir_fd=directory, dst_dir_fd=directory)
        os.fsync(directory)
    finally:
        os.close(directory)


def read_plain(path: Path, *, start: int = 0, limit: int = 1 << 20) -> str | None:
    """Up to ``limit`` bytes of a regular file from ``start``, or None; follows no link."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        file.seek(start)
        return file.read(limit).decode(errors="replace")
