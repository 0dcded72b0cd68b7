"""The scope indexes that this process keeps: least recently used first out, bounded in bytes."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from muniment.domain.latest import Latest
from muniment.domain.ranking import RowBatch, ScopeIndex
from muniment.domain.ranking.rows import OPEN
from muniment.errors import Overtaken
from muniment.ports import HeldIndex, ScopeMark, ScopeRow, Unit, Vectors

_UUID_BYTES = 16
_MOST_READERS = 10_000
_SINCE_1970 = 946_684_800_000_000


@dataclass(frozen=True)
class _Packed:
    """One row of ``index_load``: columns as packed binary, None where there are no rows."""

    version: int
    rebuilt: int
    switched: int
    size: int
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
    vector_sizes: bytes | None
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
            packed = await self._load(unit, mark.scope_id, entry.version, vectors)
            if packed.version < entry.version:
                return entry  # of a replica that is behind
            if packed.rebuilt <= entry.version:
                if packed.size:
                    entry.index.apply(_batch(packed))
                entry.version = packed.version
                self.catch_ups += 1
                return self._keep(key, entry)
        packed = await self._load(unit, mark.scope_id, -1, vectors)
        self.loads += 1
        index = ScopeIndex(vectors.dimensions, _batch(packed) if packed.size else None)
        made = _Entry(packed.version, index, vectors)
        # What a replica that is behind has may be forgotten by now.
        return self._keep(key, made) if made.version >= mark.version else made

    async def _load(self, unit: Unit, scope_id: UUID, since: int, vectors: Vectors) -> _Packed:
        packed = await unit.one(
            _Packed, "index_load", scope_id=scope_id, since=since, place=vectors.place
        )
        # A replica may be as far as the scope is and lack vectors that were made since.
        if packed is None or packed.switched < vectors.since:
            raise Overtaken
        return packed

    def _keep(self, key: tuple[UUID, UUID], entry: _Entry) -> _Entry:
        self._entries[key] = entry
        self._entries.move_to_end(key)
        self._sizes[key] = entry.index.nbytes
        while len(self._entries) > 1 and self.nbytes > self._limit:
            oldest, _ = self._entries.popitem(last=False)
            del self._sizes[oldest]
        return entry


def _batch(packed: _Packed) -> RowBatch:
    return RowBatch(
        ids=_pieces(packed.ids),
        groups=_pieces(packed.groups),
        positions=_numbers(packed.positions, ">i4"),
        revs=_numbers(packed.revs, ">i8"),
        tiers=(packed.tiers or "").split(" "),
        kinds=(packed.kinds or "").split(" "),
        standings=(packed.standings or "").split(" "),
        valid_from=_moments(packed.valid_from),
        valid_to=_moments(packed.valid_to),
        recorded_from=_moments(packed.recorded_from),
        recorded_to=_moments(packed.recorded_to),
        expires_at=_moments(packed.expires_at),
        occurred_at=_moments(packed.occurred_at),
        last_used_at=_moments(packed.last_used_at),
        importance=_numbers(packed.importance, ">i2").astype(np.float32),
        confidence=_numbers(packed.confidence, ">f8").astype(np.float32),
        vectors=_vectors(packed.vectors, packed.vector_sizes),
        terms=_slices(packed.terms, packed.term_sizes),
    )


def _numbers(data: bytes | None, dtype: str) -> npt.NDArray[Any]:
    found = np.frombuffer(data or b"", dtype)
    return found.astype(found.dtype.newbyteorder("="))


def _moments(data: bytes | None) -> npt.NDArray[np.int64]:
    """Microseconds since 1970, of those since 2000 that PostgreSQL keeps; infinity stays."""
    found: npt.NDArray[np.int64] = _numbers(data, ">i8")
    found[(found != OPEN) & (found != -OPEN - 1)] += _SINCE_1970
    return found


def _pieces(data: bytes | None) -> list[bytes]:
    pieces: list[bytes] = np.frombuffer(data or b"", f"V{_UUID_BYTES}").tolist()
    return pieces


def _vectors(
    data: bytes | None, sizes: bytes | None
) -> list[bytes | None] | npt.NDArray[np.uint16]:
    """All in one where every row has one, of equal size."""
    lengths = _numbers(sizes, ">i4")
    first = int(lengths[0])
    if first and np.all(lengths == first):
        # Behind halfvec's header of two int16.
        return np.frombuffer(data or b"", np.uint16).reshape(len(lengths), -1)[:, 2:]
    return [value[4:] or None for value in _slices(data, sizes)]


def _slices(data: bytes | None, sizes: bytes | None) -> list[bytes]:
    data = data or b""
    ends = np.cumsum(_numbers(sizes, ">i4")).tolist()
    return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]
