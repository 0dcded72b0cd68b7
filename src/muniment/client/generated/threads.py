"""Models of the family threads. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class ThreadSaved:
    """What was saved."""

    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str


@dataclass(frozen=True)
class ThreadValue:
    """A value and the name of its form: its bytes (``data``), or the ``pieces`` it is cut into."""

    type: str
    data: str | None = None
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChannelVersion:
    """Which version of a channel a checkpoint is of."""

    channel: str
    version: str


@dataclass(frozen=True)
class ChannelValue:
    """The value of a channel in a version of it."""

    channel: str
    version: str
    type: str
    data: str | None = None
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskWrite:
    """What a task wrote to a channel. ``place`` is its number among the task's; what stands below 0
    is written anew, anything else once.
    """

    place: int
    channel: str
    type: str
    data: str | None = None
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class PiecesSaved:
    """Digests of pieces that are there now."""

    thread_id: str
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class ThreadCopied:
    """Where the copy is, and of how many checkpoints."""

    thread_id: str
    checkpoints: int


@dataclass(frozen=True)
class StoredValue:
    """A value as it was put."""

    type: str
    data: str | None
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class StoredWrite:
    """What a task wrote on top of a checkpoint."""

    task_id: str
    task_path: str
    place: int
    channel: str
    value: StoredValue


@dataclass(frozen=True)
class ThreadCheckpoint:
    """A checkpoint as it was put; ``writes`` in the order in which they are carried out."""

    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str
    parent_id: str | None
    state: StoredValue
    writes: tuple[StoredWrite, ...]
    recorded_at: datetime


@dataclass(frozen=True)
class StoredChannel:
    """The value of a channel of a thread, for every checkpoint with this version of it."""

    thread_id: str
    checkpoint_ns: str
    channel: str
    version: str
    value: StoredValue


@dataclass(frozen=True)
class Piece:
    """A piece of a value."""

    digest: str
    data: str


@dataclass(frozen=True)
class ThreadCheckpoints:
    """One page with the values of its channels, each once, and the first of their pieces; ``next``
    is the ``cursor`` of the following one.
    """

    items: tuple[ThreadCheckpoint, ...]
    values: tuple[StoredChannel, ...]
    pieces: tuple[Piece, ...]
    next: str | None


@dataclass(frozen=True)
class ThreadAncestor:
    """What a checkpoint on the way has of the channels."""

    checkpoint_id: str
    values: tuple[StoredChannel, ...]
    writes: tuple[StoredWrite, ...]


@dataclass(frozen=True)
class ThreadAncestors:
    """One page, with the first of the pieces; ``next`` is the ``cursor`` of the following one."""

    items: tuple[ThreadAncestor, ...]
    pieces: tuple[Piece, ...]
    next: str | None


@dataclass(frozen=True)
class ThreadPieces:
    """Those that are there."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class ThreadsDeleted:
    """How many threads went as a whole, and how many checkpoints went from among others."""

    threads: int
    checkpoints: int
