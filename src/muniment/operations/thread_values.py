"""Values of threads as they travel: opaque bytes in base64, large ones cut into pieces."""

from binascii import Error, a2b_base64, b2a_base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any, Protocol

import regex
from annotated_types import Ge, Le, MaxLen
from pydantic import AfterValidator, Field

from muniment.errors import Fault, InvalidInput
from muniment.operations.types import (
    IDENTIFIER_PATTERN,
    Identifier,
    check_name,
    command,
)
from muniment.records.threads import Owner, split_digests

MOST_CHANNELS = 5000
MAX_INLINE_BYTES = 64 * 1024
MAX_PIECE_BYTES = 512 * 1024
MAX_PIECES = 128
MAX_CARRIED = 4
MAX_PATH_BYTES = 1024
PATH_PATTERN = rf"^(?:|{IDENTIFIER_PATTERN[1:-1]})$"
DIGEST_PATTERN = "^[0-9a-f]{64}$"
_DIGEST = regex.compile(DIGEST_PATTERN)


def _path(value: str) -> str:
    return check_name(value, MAX_PATH_BYTES) if value else value


def _digest(value: str) -> str:
    if not _DIGEST.fullmatch(value):
        raise ValueError("expected a SHA-256 digest in hexadecimal")
    return value


def _base64_of(most: int) -> AfterValidator:
    def check(value: str) -> str:
        try:
            size = len(a2b_base64(value, strict_mode=True))
        except (Error, ValueError):
            raise ValueError("expected base64") from None
        if size > most:
            raise ValueError(f"at most {most} bytes in base64")
        return value

    return AfterValidator(check)


Place = Annotated[
    str,
    AfterValidator(_path),
    Field(json_schema_extra={"maxLength": MAX_PATH_BYTES, "pattern": PATH_PATTERN}),
]
"""A path of names, or nothing: of a graph within a graph, of a task."""
PieceDigest = Annotated[
    str, AfterValidator(_digest), Field(json_schema_extra={"pattern": DIGEST_PATTERN})
]
Data = Annotated[
    str,
    _base64_of(MAX_INLINE_BYTES),
    Field(
        json_schema_extra={
            "contentEncoding": "base64",
            "maxLength": (MAX_INLINE_BYTES + 2) // 3 * 4,
        }
    ),
]
PieceData = Annotated[
    str,
    _base64_of(MAX_PIECE_BYTES),
    Field(
        json_schema_extra={
            "contentEncoding": "base64",
            "maxLength": (MAX_PIECE_BYTES + 2) // 3 * 4,
        }
    ),
]
Digests = Annotated[tuple[PieceDigest, ...], MaxLen(MAX_PIECES)]
Carried = Annotated[tuple[PieceData, ...], MaxLen(MAX_CARRIED)]


@command
class ThreadValue:
    """A value and the name of its form: its bytes (``data``), or the ``pieces`` it is cut into."""

    type: Identifier
    data: Data | None = None
    pieces: Digests = ()


@command
class ChannelValue:
    """The value of a channel in a version of it."""

    channel: Identifier
    version: Identifier
    type: Identifier
    data: Data | None = None
    pieces: Digests = ()


@command
class TaskWrite:
    """What a task wrote to a channel. ``place`` is its number among the task's; what stands below 0
    is written anew, anything else once.
    """

    place: Annotated[int, Ge(-(2**15)), Le(2**31 - 1)]
    channel: Identifier
    type: Identifier
    data: Data | None = None
    pieces: Digests = ()


@dataclass(frozen=True)
class StoredValue:
    """A value as it was put."""

    type: str
    data: str | None
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class StoredChannel:
    """The value of a channel of a thread, for every checkpoint with this version of it."""

    thread_id: str
    checkpoint_ns: str
    channel: str
    version: str
    value: StoredValue


@dataclass(frozen=True)
class StoredWrite:
    """What a task wrote on top of a checkpoint."""

    task_id: str
    task_path: str
    place: int
    channel: str
    value: StoredValue


@dataclass(frozen=True)
class Piece:
    """A piece of a value."""

    digest: str
    data: str


class Valued(Protocol):
    """What has a value in one of its two forms."""

    @property
    def type(self) -> str: ...
    @property
    def data(self) -> str | None: ...
    @property
    def pieces(self) -> tuple[str, ...]: ...


class ValuedRow(Protocol):
    """The same as it is stored."""

    @property
    def type(self) -> str: ...
    @property
    def data(self) -> bytes | None: ...
    @property
    def pieces(self) -> bytes | None: ...


@dataclass(frozen=True)
class Held:
    """The columns of a value."""

    type: str
    data: bytes | None
    pieces: bytes | None


def owner_of(command: Any) -> Owner:
    """Whose thread a command means."""
    return Owner(command.user_id, command.namespace)


def held(value: Valued, pointer: str) -> Held:
    """A value as it is stored. Raises InvalidInput unless it has one of the two forms."""
    if (value.data is None) is not bool(value.pieces):
        raise InvalidInput(faults=[Fault(pointer, "has data or pieces, and not both")])
    if value.data is not None:
        return Held(value.type, a2b_base64(value.data), None)
    return Held(value.type, None, bytes.fromhex("".join(value.pieces)))


def columns(values: Sequence[Held]) -> dict[str, list[Any]]:
    """Values as parameters of a statement."""
    return {
        "types": [one.type for one in values],
        "datas": [one.data for one in values],
        "cut": [one.pieces for one in values],
    }


def digests_of(values: Iterable[ValuedRow]) -> list[bytes]:
    """The pieces that values are made of, in order, each once."""
    return list(dict.fromkeys(one for value in values for one in split_digests(value.pieces)))


def stored(row: ValuedRow) -> StoredValue:
    """A value as it travels."""
    data = None if row.data is None else in_base64(row.data)
    return StoredValue(row.type, data, tuple(one.hex() for one in split_digests(row.pieces)))


def pieces_in(carried: Sequence[str]) -> dict[bytes, bytes]:
    """Pieces by their digests."""
    whole = [a2b_base64(one) for one in carried]
    return {sha256(one).digest(): one for one in whole if one}


def in_base64(data: bytes) -> str:
    """Bytes as they travel."""
    return b2a_base64(data, newline=False).decode()
