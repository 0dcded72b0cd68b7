"""A backup: one file, consistent in itself, made while the service works."""

import os
from contextlib import suppress
from pathlib import Path

from muniment import bootstrap
from muniment.errors import StartRefused
from muniment.recovery.tools import run_tool
from muniment.settings import Settings


def back_up(settings: Settings, file: Path) -> int:
    """Write the database to ``file``, whole or not at all, for its owner alone; its size in bytes.

    Raises StartRefused if there is such a file, and for whatever keeps it from being made.
    """
    if file.exists():
        raise StartRefused(f"There is a file {file} already.", cure="Name another.")
    partial = file.with_name(f".{file.name}.{os.getpid()}.partial")
    try:
        with suppress(FileNotFoundError):
            partial.unlink()
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        where = bootstrap.admin_conninfo(settings)
        run_tool("pg_dump", where, ["--format=custom", f"--file={partial}"])
        _sync(partial)
        partial.rename(file)
        _sync(file.parent)
    except OSError as error:
        raise StartRefused(
            f"The backup {file} cannot be written: {error.strerror}.",
            cure="Name a file in a directory that this user can write.",
        ) from error
    finally:
        with suppress(OSError):
            partial.unlink()
    return file.stat().st_size


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
