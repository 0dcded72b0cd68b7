"""Models of the family files. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class FileStored:
    """The version that a file has now. ``redacted``: kinds of the secrets that were taken out."""

    path: str
    version: int
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class File:
    """A version of a file; ``ended_at``: since when it is not what the file says."""

    path: str
    version: int
    content: str
    agent_id: str | None
    written_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class FileEntry:
    """A file without its content; ``size`` is that of the content in bytes."""

    path: str
    version: int
    size: int
    written_at: datetime


@dataclass(frozen=True)
class Files:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[FileEntry, ...]
    next: str | None


@dataclass(frozen=True)
class FileVersion:
    """One version; ``size`` is that of the content in bytes."""

    version: int
    size: int
    agent_id: str | None
    written_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class FileVersions:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[FileVersion, ...]
    next: str | None


@dataclass(frozen=True)
class FilesChanged:
    """How many files were moved or deleted."""

    files: int
