"""The columns of a scope index: what a batch of rows brings, and how it is unpacked."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from muniment.domain.text import TERMS_VERSION

OPEN: Final = 2**63 - 1
"""Upper bound of an open range, in microseconds; ``-OPEN - 1`` is the open lower bound."""

EPISODIC: Final = 0
"""Code of the tier ``episodic``, whose groups are sessions; other tiers have no neighbours."""
TIERS: Final = ("episodic", "semantic", "knowledge")
STANDINGS: Final = ("asserted", "contested", "quarantined", "dropped", "archived")
DROPPED: Final = STANDINGS.index("dropped")
QUARANTINED: Final = STANDINGS.index("quarantined")

MOST_ROWS: Final = 2**24
"""A posting keeps its row in 24 bits."""


_PIECE: Final = 256
"""Vectors that are decoded at once: they stay in the processor's cache."""
_EXPONENT_AND_MORE: Final = 13
_SIGN_AND_MAGNITUDE: Final = np.int32(-0x70002000)
_BIASES_APART: Final = np.float32(2.0**112)
"""Where a half float's bits lie in a float's, and by what they differ there (IEEE 754)."""


@dataclass(frozen=True)
class Blocks:
    """Vectors as they came: arrays one after the other, a line of 16-bit elements for each row."""

    lines: Sequence[NDArray[np.uint16]]


@dataclass(frozen=True)
class RowBatch:
    """Rows of one scope as columns of equal length, in any order.

    ``ids`` and ``groups`` are 16-byte UUIDs; times are microseconds since the epoch; ``vectors``
    are ``encode_vector`` values or None, or blocks of them, where none is None; ``terms`` are
    ``text.encode_terms`` values. A ``confidence`` of NaN means none (events), a ``last_used_at``
    of ``-OPEN - 1`` never.
    """

    ids: Sequence[bytes]
    groups: Sequence[bytes]
    positions: Sequence[int] | NDArray[np.int64]
    revs: Sequence[int] | NDArray[np.int64]
    tiers: Sequence[str]
    kinds: Sequence[str]
    standings: Sequence[str]
    valid_from: Sequence[int] | NDArray[np.int64]
    valid_to: Sequence[int] | NDArray[np.int64]
    recorded_from: Sequence[int] | NDArray[np.int64]
    recorded_to: Sequence[int] | NDArray[np.int64]
    expires_at: Sequence[int] | NDArray[np.int64]
    occurred_at: Sequence[int] | NDArray[np.int64]
    last_used_at: Sequence[int] | NDArray[np.int64]
    importance: Sequence[float] | NDArray[np.float32]
    confidence: Sequence[float] | NDArray[np.float32]
    vectors: Sequence[bytes | None] | Blocks
    terms: Sequence[bytes]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass
class Columns:
    """Parallel arrays, one entry a row; ``vectors`` has unit rows, zeros where there is none.

    ``checksum`` is that of the row's terms, so that an update need not touch equal postings.
    """

    ids: NDArray[Any]
    group: NDArray[np.int32]
    position: NDArray[np.int64]
    rev: NDArray[np.int64]
    tier: NDArray[np.int8]
    kind: NDArray[np.int16]
    standing: NDArray[np.int8]
    valid_from: NDArray[np.int64]
    valid_to: NDArray[np.int64]
    recorded_from: NDArray[np.int64]
    recorded_to: NDArray[np.int64]
    expires_at: NDArray[np.int64]
    occurred_at: NDArray[np.int64]
    last_used_at: NDArray[np.int64]
    importance: NDArray[np.float32]
    confidence: NDArray[np.float32]
    length: NDArray[np.float32]
    flags: NDArray[np.uint8]
    speaker: NDArray[np.int32]
    checksum: NDArray[np.uint32]
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.group)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every array by its name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def pick(self, rows: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Self:
        """The same columns for some of the rows: views for a slice, copies otherwise."""
        return type(self)(**{name: array[rows] for name, array in self.arrays().items()})

    def put(self, rows: NDArray[np.intp], other: Self) -> None:
        """Overwrite rows in place with ``other``'s, in order."""
        mine = self.arrays()
        for name, array in other.arrays().items():
            mine[name][rows] = array

    def owned(self) -> Self:
        """The same columns, none of which anybody else writes to; a batch's vectors are its own."""
        arrays = self.arrays()
        return type(self)(
            **{name: array if name == "vectors" else array.copy() for name, array in arrays.items()}
        )

    def enlarged(self, capacity: int) -> Self:
        """A copy with room for ``capacity`` rows; the added rows are undefined."""
        grown = {}
        for name, array in self.arrays().items():
            grown[name] = np.empty((capacity, *array.shape[1:]), dtype=array.dtype)
            grown[name][: len(array)] = array
        return type(self)(**grown)


@dataclass
class Interner:
    """Small integers for the strings and bytes of one index, in order of first sight."""

    codes: dict[Any, int]

    def of(self, values: Sequence[Any]) -> list[int]:
        """The codes of many values; a value not seen before gets the next code."""
        codes = self.codes
        for value in dict.fromkeys(values):
            codes.setdefault(value, len(codes))
        return [*map(codes.__getitem__, values)]

    def in_use(self, codes: NDArray[np.int32]) -> dict[Any, int]:
        """The values that rows with these codes have; a replaced row's are not among them."""
        counts = np.bincount(codes, minlength=len(self.codes))
        return {value: code for value, code in self.codes.items() if counts[code]}

    def keep(self, codes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Forget values that are not among ``codes`` and return these with their new codes."""
        used, inverse = np.unique(codes, return_inverse=True)
        values = list(self.codes)
        self.codes = {values[code]: at for at, code in enumerate(used.tolist())}
        return inverse.astype(np.int32)


@dataclass(frozen=True)
class Interners:
    """The code tables of one index; a speaker is the bytes of the name's hashes."""

    groups: Interner
    kinds: Interner
    speakers: Interner

    @classmethod
    def fresh(cls) -> Self:
        """Empty tables; a row without a speaker has speaker code 0."""
        return cls(groups=Interner({}), kinds=Interner({}), speakers=Interner({b"": 0}))

    def all(self) -> tuple[Interner, Interner, Interner]:
        """Every table."""
        return self.groups, self.kinds, self.speakers

    def keep_speakers(self, codes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Forget the speakers of no row; returns the rows' new codes, with no speaker still 0."""
        return self.speakers.keep(np.concatenate([np.zeros(1, np.int32), codes]))[1:]


def _fixed(values: Sequence[str], names: tuple[str, ...]) -> NDArray[np.int8]:
    codes = {name: code for code, name in enumerate(names)}
    try:
        return np.fromiter(map(codes.__getitem__, values), np.int8, len(values))
    except KeyError as unknown:
        raise ValueError(f"{unknown.args[0]!r} is not one of {', '.join(names)}.") from unknown


def empty_columns(dimensions: int) -> Columns:
    """Columns of no rows."""
    return unpack_batch(
        RowBatch(**{field.name: () for field in fields(RowBatch)}), dimensions, Interners.fresh()
    )[0]


def encode_vector(vector: NDArray[np.float32]) -> bytes:
    """A vector as big-endian float16: the elements of a ``halfvec`` as it travels."""
    return vector.astype(">f2").tobytes()


def decode_vectors(packed: Sequence[bytes | None] | Blocks, dimensions: int) -> NDArray[np.float32]:
    """One float32 row a value, zeros for None; raises ``ValueError`` for another size.

    Every element is finite, as those of a ``halfvec`` are.
    """
    if not isinstance(packed, Blocks):
        blank = bytes(2 * dimensions)
        whole = [blank if value is None else value for value in packed]
        if {*map(len, whole)} - {len(blank)}:
            raise ValueError(f"A vector does not have {dimensions} dimensions.")
        joined = np.frombuffer(b"".join(whole), np.uint16)
        packed = Blocks([joined.reshape(len(whole), dimensions)])
    if any(lines.shape[1] != dimensions for lines in packed.lines):
        raise ValueError(f"A vector does not have {dimensions} dimensions.")
    vectors = np.empty((sum(map(len, packed.lines)), dimensions), dtype=np.float32)
    end = 0
    for lines in packed.lines:
        for start in range(0, len(lines), _PIECE):
            piece = lines[start : start + _PIECE]
            _to_floats(piece, vectors[end : end + len(piece)])
            end += len(piece)
    return vectors


def _to_floats(packed: NDArray[np.uint16], floats: NDArray[np.float32]) -> None:
    """Big-endian half floats as float32, in place. As exact as NumPy's conversion, which takes
    each by itself; only infinity and what is no number come out as others.
    """
    bits = floats.view(np.int32)
    bits[...] = packed.view(">i2")
    bits <<= _EXPONENT_AND_MORE
    bits &= _SIGN_AND_MAGNITUDE
    floats *= _BIASES_APART


@dataclass(frozen=True)
class Unpacked:
    """Decoded terms of a batch: ``keys`` are postings with batch row numbers (see ``posting``)."""

    keys: NDArray[np.uint64]
    length: NDArray[np.float32]
    flags: NDArray[np.uint8]
    speakers: list[bytes]


def unpack_terms(terms: Sequence[bytes]) -> Unpacked:
    """Decode many ``terms`` values at once; raises ``ValueError`` for one that is not whole."""
    joined = b"".join(terms)
    sizes = np.fromiter(map(len, terms), np.int64, len(terms))
    if np.any(sizes % 4) or np.any(sizes < 8):
        raise ValueError("A terms value is cut short.")
    words = np.frombuffer(joined, "<u4")
    sizes >>= 2
    starts = np.cumsum(sizes) - sizes
    head, second = words[starts], words[starts + 1]
    body = (second & 0xFFFF).astype(np.int64)
    names = (second >> 16).astype(np.int64)
    if np.any(head & 0xFF != TERMS_VERSION) or np.any(sizes != 2 + body + names + (body + 3) // 4):
        raise ValueError("A terms value is not of a version that this release reads.")
    rows = np.repeat(np.arange(len(terms), dtype=np.int64), body)
    within = np.arange(len(rows), dtype=np.int64) - np.repeat(np.cumsum(body) - body, body)
    hashes = words[starts[rows] + 2 + within]
    counts = np.frombuffer(joined, np.uint8)[4 * (starts + 2 + body + names)[rows] + within]
    return Unpacked(
        keys=posting(hashes, rows, counts),
        length=(head >> 16).astype(np.float32),
        flags=((head >> 8) & 0xFF).astype(np.uint8),
        speakers=_speakers(terms, body, names),
    )


def _speakers(
    terms: Sequence[bytes], body: NDArray[np.int64], names: NDArray[np.int64]
) -> list[bytes]:
    found = [b""] * len(terms)
    for at in np.flatnonzero(names).tolist():
        start = 8 + 4 * int(body[at])
        found[at] = terms[at][start : start + 4 * int(names[at])]
    return found


def posting(
    hashes: NDArray[np.uint32], rows: NDArray[np.int64], counts: NDArray[np.uint8]
) -> NDArray[np.uint64]:
    """Hash, row and count in one sortable number: 32, 24 and 8 bits from the top."""
    keys: NDArray[np.uint64] = hashes.astype(np.uint64) << np.uint64(32)
    keys |= rows.astype(np.uint64) << np.uint64(8)
    keys |= counts.astype(np.uint64)
    return keys


def unpack_batch(
    batch: RowBatch, dimensions: int, interners: Interners
) -> tuple[Columns, NDArray[np.uint64]]:
    """The batch as columns and unsorted postings, whose rows count from the batch's first."""
    unpacked = unpack_terms(batch.terms)
    ids = np.frombuffer(b"".join(batch.ids), "V16")
    if len(ids) != len(batch) or {*map(len, batch.ids)} - {16}:
        raise ValueError("An id does not have 16 bytes.")
    columns = Columns(
        ids=ids,
        group=np.array(interners.groups.of(batch.groups), dtype=np.int32),
        position=np.asarray(batch.positions, dtype=np.int64),
        rev=np.asarray(batch.revs, dtype=np.int64),
        tier=_fixed(batch.tiers, TIERS),
        kind=np.array(interners.kinds.of(batch.kinds), dtype=np.int16),
        standing=_fixed(batch.standings, STANDINGS),
        valid_from=np.asarray(batch.valid_from, dtype=np.int64),
        valid_to=np.asarray(batch.valid_to, dtype=np.int64),
        recorded_from=np.asarray(batch.recorded_from, dtype=np.int64),
        recorded_to=np.asarray(batch.recorded_to, dtype=np.int64),
        expires_at=np.asarray(batch.expires_at, dtype=np.int64),
        occurred_at=np.asarray(batch.occurred_at, dtype=np.int64),
        last_used_at=np.asarray(batch.last_used_at, dtype=np.int64),
        importance=np.asarray(batch.importance, dtype=np.float32),
        confidence=np.asarray(batch.confidence, dtype=np.float32),
        length=unpacked.length,
        flags=unpacked.flags,
        speaker=np.array(interners.speakers.of(unpacked.speakers), dtype=np.int32),
        checksum=np.fromiter(map(zlib.crc32, batch.terms), np.uint32, len(batch)),
        vectors=decode_vectors(batch.vectors, dimensions),
    )
    if any(len(array) != len(batch) for array in columns.arrays().values()):
        raise ValueError("The columns of a batch differ in length.")
    return columns, unpacked.keys
