"""Values of a graph as the service keeps them: by a serializer, large ones cut into pieces."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from json import dumps
from math import isfinite
from typing import Any, Protocol

from muniment.errors import TooLarge

MAX_INLINE_BYTES = 64 * 1024
MAX_PIECE_BYTES = 512 * 1024
MAX_PIECES = 128
MAX_CARRIED = 4
MAX_BODY_BYTES = 2 * 1024 * 1024
"""Of the values that travel in one call; in base64 and with their names that fits into a body."""
_LEAST_CUT = 1024
_LONGEST_LABEL = 2048
_LONGEST_LABELS = 16 * 1024
_MOST_BITS = 3321
_FOUND_BY = {"run_id", "step", "source"}

Typed = tuple[str, bytes]


class Valued(Protocol):
    """A value as the service answers it."""

    @property
    def type(self) -> str: ...
    @property
    def data(self) -> str | None: ...
    @property
    def pieces(self) -> tuple[str, ...]: ...


class Carried(Protocol):
    """A piece as the service answers it."""

    @property
    def digest(self) -> str: ...
    @property
    def data(self) -> str: ...


@dataclass(frozen=True)
class Packed:
    """Values ready to be sent, in their order, and the pieces of the large ones."""

    values: Sequence[Mapping[str, Any]]
    pieces: Mapping[str, bytes] = field(default_factory=dict)

    def parcels(self) -> Iterator[list[str]]:
        """The pieces by calls: as many in each as one carries."""
        whole = list(self.pieces.values())
        for at in range(0, len(whole), MAX_CARRIED):
            yield [b64encode(one).decode() for one in whole[at : at + MAX_CARRIED]]


def pack(values: Sequence[Typed]) -> Packed:
    """Values as they are sent: those that are too large for a row, or together for a call, in
    pieces. Raises TooLarge for one that has too many of them.
    """
    cut = _to_cut([len(data) for _, data in values])
    pieces: dict[str, bytes] = {}
    sent: list[Mapping[str, Any]] = []
    for (kind, data), whole in zip(values, cut, strict=True):
        if not whole:
            sent.append({"type": kind, "data": b64encode(data).decode(), "pieces": ()})
            continue
        named = dict(_pieces(data))
        if len(data) > MAX_PIECES * MAX_PIECE_BYTES:
            most = MAX_PIECES * MAX_PIECE_BYTES
            raise TooLarge(f"A value of {len(data)} bytes; one has {most} bytes at most.")
        pieces |= named
        digests = tuple(digest for digest, _ in _pieces(data))
        sent.append({"type": kind, "data": None, "pieces": digests})
    return Packed(sent, pieces)


def _to_cut(sizes: Sequence[int]) -> list[bool]:
    """Which values are cut: the large ones, and the largest of the others until the rest fits."""
    cut = [size > MAX_INLINE_BYTES for size in sizes]
    left = sum(size for size, one in zip(sizes, cut, strict=True) if not one)
    for place in sorted(range(len(sizes)), key=lambda one: -sizes[one]):
        if left <= MAX_BODY_BYTES or sizes[place] < _LEAST_CUT:
            break
        if not cut[place]:
            cut[place] = True
            left -= sizes[place]
    return cut


def _pieces(data: bytes) -> Iterator[tuple[str, bytes]]:
    for at in range(0, len(data), MAX_PIECE_BYTES):
        piece = data[at : at + MAX_PIECE_BYTES]
        yield sha256(piece).hexdigest(), piece


def missing(values: Iterable[Valued], there: Mapping[str, bytes]) -> list[list[str]]:
    """Digests of the pieces that are not there yet, by calls."""
    named = [one for value in values for one in value.pieces]
    wanted = list(dict.fromkeys(one for one in named if one not in there))
    return [wanted[at : at + MAX_CARRIED] for at in range(0, len(wanted), MAX_CARRIED)]


def carried(pieces: Iterable[Carried]) -> dict[str, bytes]:
    """Pieces of an answer by their digests."""
    return {one.digest: b64decode(one.data) for one in pieces}


def unpack(value: Valued, pieces: Mapping[str, bytes]) -> Typed:
    """A value as its serializer made it."""
    if value.data is not None:
        return value.type, b64decode(value.data)
    return value.type, b"".join(pieces[one] for one in value.pieces)


def labels(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What of the metadata checkpoints are found by: short plain values by their names, the
    smaller ones where not all of them fit. Numbers that are not finite are none.
    """
    found = {
        name: value
        for name, value in metadata.items()
        if _plain({name: value}) and _size(value) <= _LONGEST_LABEL
    }
    sizes = {name: _size({name: value}) for name, value in found.items()}
    whole = sum(sizes.values())
    for name in sorted(sizes, key=lambda one: (one in _FOUND_BY, -sizes[one])):
        if whole <= _LONGEST_LABELS:
            break
        whole -= sizes[name]
        del found[name]
    return found


def unlike_labels(metadata: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Whether a checkpoint was found by a label that is null because it was left out."""
    asked = wanted or {}
    return any(one is None and metadata.get(name) is not None for name, one in asked.items())


def _size(value: Any) -> int:
    return len(dumps(value))


def _plain(value: Any, depth: int = 0) -> bool:
    if depth > 16:
        return False
    if isinstance(value, Mapping):
        return all(_whole(name) and _plain(one, depth + 1) for name, one in value.items())
    if isinstance(value, list | tuple):
        return all(_plain(one, depth + 1) for one in value)
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, int):
        return value.bit_length() <= _MOST_BITS
    return value is None or isinstance(value, str)


def _whole(name: Any) -> bool:
    """Whether a name stays what it is; two that are broken may become one."""
    return (
        isinstance(name, str)
        and "\x00" not in name
        and name.encode("utf-8", "replace") == name.encode("utf-8", "surrogatepass")
    )
