"""The scope indexes that this process keeps: least recently used first out, bounded in bytes."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from muniment.domain.latest import Latest
from muniment.domain.ranking import RowBatch, ScopeIndex
from muniment.domain.ranking.rows import OPEN, Blocks
from muniment.errors import Overtaken
from muniment.ports import HeldIndex, ScopeMark, ScopeRow, Unit, Vectors

_UUID_BYTES = 16
_HEADER = 4
_MOST_READERS = 10_000
_SINCE_1970 = 946_684_800_000_000


@dataclass(frozen=True)
class _Packed:
    """One row of ``index_load``: columns of some rows as packed binary, None where none are."""

    version: int
    rebuilt: int
    switched: int
    size: int | None
    ids: bytes | None
    groups: bytes | None
    positions: bytes | None
    revs: bytes | None
    tiers: str | None
    kinds: str | None
    standings: str | None
    valid_from: bytes | None
    valid_to: bytes | None
    recorded_from: bytes | None
    recorded_to: bytes | None
    expires_at: bytes | None
    occurred_at: bytes | None
    last_used_at: bytes | None
    importance: bytes | None
    confidence: bytes | None
    vectors: bytes | None
    term_sizes: bytes | None
    terms: bytes | None


@dataclass
class _Entry:
    version: int
    index: ScopeIndex
    vectors: Vectors


class IndexCache:
    """Implements ``ports.Indexes``. Holds no text; a forgotten scope leaves with its rows."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._entries: OrderedDict[tuple[UUID, UUID], _Entry] = OrderedDict()
        self._sizes: dict[tuple[UUID, UUID], int] = {}
        # A lock lives as long as somebody holds or awaits it.
        self.loads = 0
        self.catch_ups = 0
        self._locks: WeakValueDictionary[tuple[UUID, UUID], asyncio.Lock] = WeakValueDictionary()
        self._readers: Latest[str, Sequence[ScopeRow]] = Latest(_MOST_READERS)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def nbytes(self) -> int:
        """Bytes of every index held."""
        return sum(self._sizes.values())

    def figures(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """Figures for metrics: what each is, and how to get it."""
        return {
            "index_cache_bytes": ("Bytes of the cached scope indexes.", lambda: self.nbytes),
            "index_cache_scopes": ("Scopes whose index is cached.", lambda: len(self)),
            "index_loads_total": ("Scopes loaded whole since the start.", lambda: self.loads),
            "index_catch_ups_total": ("Times an index caught up.", lambda: self.catch_ups),
        }

    async def current(self, unit: Unit, mark: ScopeMark, vectors: Vectors) -> HeldIndex:
        """The index of a scope with these vectors, at least as new as ``mark``; loads what is
        missing.
        """
        key = (unit.tenant_id, mark.scope_id)
        entry = self._entries.get(key)
        if entry is None or entry.vectors != vectors or entry.version < mark.version:
            lock = self._locks.setdefault(key, asyncio.Lock())
            async with lock:
                entry = await self._caught_up(unit, key, mark, vectors)
        if key in self._entries:
            self._entries.move_to_end(key)
        return entry

    def discard(self, tenant_id: UUID, scope_id: UUID) -> None:
        """Let go of a scope whose rows have gone."""
        self._entries.pop((tenant_id, scope_id), None)
        self._sizes.pop((tenant_id, scope_id), None)

    def scopes_of(self, reader: str) -> Sequence[ScopeRow]:
        """Where a reader (a digest of tenant, user and namespace) was last found to look."""
        return self._readers.get(reader, ())

    def remember(self, reader: str, scopes: Sequence[ScopeRow]) -> None:
        """Where a reader looks, as a transaction found it just now; nowhere lets go of it."""
        self._readers.put(reader, scopes or None)

    async def _caught_up(
        self, unit: Unit, key: tuple[UUID, UUID], mark: ScopeMark, vectors: Vectors
    ) -> _Entry:
        entry = self._entries.get(key)
        if entry is not None and entry.vectors != vectors:
            entry = None
        if entry is not None and entry.version >= mark.version:
            return entry
        if entry is not None and entry.version >= mark.rebuilt:
            pieces = await self._load(unit, mark.scope_id, entry.version, vectors)
            packed = pieces[0]
            if packed.version < entry.version:
                return entry  # of a replica that is behind
            if packed.rebuilt <= entry.version:
                if packed.size:
                    entry.index.apply(_batch(pieces))
                entry.version = packed.version
                self.catch_ups += 1
                return self._keep(key, entry)
        pieces = await self._load(unit, mark.scope_id, -1, vectors)
        self.loads += 1
        index = ScopeIndex(vectors.dimensions, _batch(pieces) if pieces[0].size else None)
        made = _Entry(pieces[0].version, index, vectors)
        # What a replica that is behind has may be forgotten by now.
        return self._keep(key, made) if made.version >= mark.version else made

    async def _load(
        self, unit: Unit, scope_id: UUID, since: int, vectors: Vectors
    ) -> list[_Packed]:
        pieces = await unit.rows(
            _Packed, "index_load", scope_id=scope_id, since=since, place=vectors.place
        )
        # A replica may be as far as the scope is and lack vectors that were made since.
        if not pieces or pieces[0].switched < vectors.since:
            raise Overtaken
        return pieces

    def _keep(self, key: tuple[UUID, UUID], entry: _Entry) -> _Entry:
        self._entries[key] = entry
        self._entries.move_to_end(key)
        self._sizes[key] = entry.index.nbytes
        while len(self._entries) > 1 and self.nbytes > self._limit:
            oldest, _ = self._entries.popitem(last=False)
            del self._sizes[oldest]
        return entry


def _batch(pieces: Sequence[_Packed]) -> RowBatch:
    def data(name: str) -> bytes:
        return b"".join(getattr(piece, name) for piece in pieces)

    def words(name: str) -> list[str]:
        return " ".join(getattr(piece, name) for piece in pieces).split(" ")

    return RowBatch(
        ids=_pieces(data("ids")),
        groups=_pieces(data("groups")),
        positions=_numbers(data("positions"), ">i4"),
        revs=_numbers(data("revs"), ">i8"),
        tiers=words("tiers"),
        kinds=words("kinds"),
        standings=words("standings"),
        valid_from=_moments(data("valid_from")),
        valid_to=_moments(data("valid_to")),
        recorded_from=_moments(data("recorded_from")),
        recorded_to=_moments(data("recorded_to")),
        expires_at=_moments(data("expires_at")),
        occurred_at=_moments(data("occurred_at")),
        last_used_at=_moments(data("last_used_at")),
        importance=_numbers(data("importance"), ">i2").astype(np.float32),
        confidence=_numbers(data("confidence"), ">f8").astype(np.float32),
        vectors=_vectors([(piece.vectors or b"", piece.size or 0) for piece in pieces]),
        terms=_slices(data("terms"), data("term_sizes")),
    )


def _numbers(data: bytes, dtype: str) -> npt.NDArray[Any]:
    found = np.frombuffer(data, dtype)
    return found.astype(found.dtype.newbyteorder("="))


def _moments(data: bytes) -> npt.NDArray[np.int64]:
    """Microseconds since 1970, of those since 2000 that PostgreSQL keeps; infinity stays."""
    found: npt.NDArray[np.int64] = _numbers(data, ">i8")
    found[(found != OPEN) & (found != -OPEN - 1)] += _SINCE_1970
    return found


def _pieces(data: bytes) -> list[bytes]:
    pieces: list[bytes] = np.frombuffer(data, f"V{_UUID_BYTES}").tolist()
    return pieces


def _vectors(pieces: Sequence[tuple[bytes, int]]) -> list[bytes | None] | Blocks:
    """The vectors of pieces, each with how many; blocks where all have one, of equal size.

    Before each is its header of two numbers of 16 bits: how many elements, and zero.
    """
    lines = [_lines(data, count) for data, count in pieces]
    if all(found is not None for found in lines):
        blocks = [found for found in lines if found is not None]
        if len({block.shape[1] for block in blocks}) == 1:
            return Blocks(blocks)
    return [vector for data, _ in pieces for vector in _one_by_one(data)]


def _lines(data: bytes, count: int) -> npt.NDArray[np.uint16] | None:
    """All at once if each header says the same; then each stands where the one before it ends."""
    elements = int.from_bytes(data[:2])
    if not elements or len(data) != count * (_HEADER + 2 * elements):
        return None
    lines = np.frombuffer(data, np.uint16).reshape(count, -1)
    return lines[:, 2:] if (lines[:, 0] == lines[0, 0]).all() else None


def _one_by_one(data: bytes) -> Iterator[bytes | None]:
    start = 0
    while start < len(data):
        end = start + _HEADER + 2 * int.from_bytes(data[start : start + 2])
        yield data[start + _HEADER : end] or None
        start = end


def _slices(data: bytes, sizes: bytes) -> list[bytes]:
    ends = np.cumsum(_numbers(sizes, ">i4")).tolist()
    return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]
