"""A running server in a fresh private directory, for tests."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from muniment.postgres.embedded import Patience, Postmaster, Tuning, hold

_ROOM = 4 * 2**30
_MEMORY = Path("/dev/shm")
DISK = Path("/tmp")


def place_for_servers() -> Path:
    """Where data directories are made: in memory, if that has room and lets programs run.

    A database is thousands of files, and ext4 looks long for the number of a new one while many
    were removed lately.
    """
    if not _MEMORY.is_dir():
        return DISK
    found = os.statvfs(_MEMORY)
    roomy = found.f_bavail * found.f_frsize > _ROOM and not found.f_flag & os.ST_NOEXEC
    return _MEMORY if roomy and os.access(_MEMORY, os.W_OK) else DISK


# Enough for tests, and small enough for several clusters at once.
_SHARED_BUFFERS = "64MB"


@contextlib.contextmanager
def fresh_place(within: Path | None = None) -> Iterator[Path]:
    """A new directory that every user can reach, removed afterwards.

    pytest's own ``tmp_path`` is closed to the system user that a server of root's runs as.
    """
    place = Path(tempfile.mkdtemp(prefix="muniment-test-", dir=within or place_for_servers()))
    place.chmod(0o755)
    try:
        yield place
    finally:
        shutil.rmtree(place)


@contextlib.contextmanager
def cluster_in(
    data: Path,
    *,
    engine_dir: Path,
    durable: bool = True,
    patience: Patience | None = None,
) -> Iterator[Postmaster]:
    """Hold ``data`` and prepare its server without starting it; stop it afterwards if it runs."""
    with hold(data) as lock:
        postmaster = Postmaster.prepare(
            lock,
            entropy=os.urandom,
            tuning=Tuning(shared_buffers=_SHARED_BUFFERS, max_connections=60, durable=durable),
            patience=patience,
            engine_dir=engine_dir,
        )
        try:
            yield postmaster
        finally:
            postmaster.stop()


@contextlib.contextmanager
def session_cluster(*, durable: bool = True) -> Iterator[Postmaster]:
    """An initialised, running server in a fresh directory; works for root and ordinary users.

    ``durable=False`` turns fsync off: quick, and safe unless the machine crashes. Enter it in the
    main thread, since the server stops when the thread that started it ends.
    """
    with (
        fresh_place() as place,
        cluster_in(place / "data", engine_dir=place / "engine", durable=durable) as postmaster,
        postmaster.running(),
    ):
        yield postmaster
