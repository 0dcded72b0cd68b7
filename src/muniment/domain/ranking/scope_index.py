"""One scope's rows in memory: filters, ranks, follows changes. Holds no text."""

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.domain.ranking.evidence import Floats, stats_of
from muniment.domain.ranking.links import Links, relink
from muniment.domain.ranking.question import Question
from muniment.domain.ranking.rows import (
    MOST_ROWS,
    Columns,
    Interners,
    RowBatch,
    empty_columns,
    unpack_batch,
)
from muniment.domain.ranking.scoring import Ranking, RankingPolicy, Scope, rank
from muniment.domain.ranking.view import View, visible

_TAIL: Final = 8_192
"""Postings that wait apart, in order too, before they are merged."""
_FEW_GROUPS: Final = 64
_ROW_SHIFT: Final = np.uint64(8)
_ROW_MASK: Final = np.uint64(MOST_ROWS - 1)
_COUNT_MASK: Final = np.uint64(255)
_HASH_SHIFT: Final = np.uint64(32)
_ROWS_AND_COUNT: Final = np.uint64(2**32 - 1)
_BYTES_PER_ID: Final = sys.getsizeof(bytes(16)) + sys.getsizeof(2**20)


class ScopeIndex:
    """The rows of one scope (a user or org, and a namespace).

    ``rank`` only reads, so threads may rank together; none may while one applies or removes.
    """

    def __init__(
        self,
        dimensions: int = 256,
        batch: RowBatch | None = None,
        *,
        policy: RankingPolicy | None = None,
    ) -> None:
        self.dimensions = dimensions
        self.policy = policy or RankingPolicy()
        self._interners = Interners.fresh()
        self._rows: dict[bytes, int] = {}
        self._store = empty_columns(dimensions)
        self._links = Links.none(0, 0)
        self._sorted = np.empty(0, dtype=np.uint64)
        self._tail = np.empty(0, dtype=np.uint64)
        self._scope: Scope | None = None
        if batch is not None:
            self.apply(batch)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, ident: object) -> bool:
        return ident in self._rows

    @property
    def rev(self) -> int:
        """The highest rev that was applied, 0 for an empty index."""
        return int(self._store.rev[: len(self)].max(initial=0))

    @property
    def nbytes(self) -> int:
        """Bytes that this index occupies, spare capacity and look-up tables included."""
        arrays = [*self._store.arrays().values(), *self._links.arrays(), self._sorted, self._tail]
        total = sum(array.nbytes for array in arrays)
        if self._scope is not None:
            total += self._scope.stats.nbytes
        tables = (self._rows, *(table.codes for table in self._interners.all()))
        for table in tables:
            total += sys.getsizeof(table) + len(table) * _BYTES_PER_ID
        return total

    def apply(self, batch: RowBatch) -> int:
        """Insert rows and replace those whose ``rev`` is higher; returns how many changed.

        Applying a batch again changes nothing. Raises ``ValueError`` for a malformed batch,
        before anything is changed.
        """
        incoming, keys = unpack_batch(batch, self.dimensions, self._interners)
        if not self._rows:
            self._rows = {ident: row for row, ident in enumerate(batch.ids)}
            if len(self._rows) == len(batch) <= MOST_ROWS:
                return self._filled(incoming, keys)
            self._rows = {}
        chosen, targets, added = self._place(batch.ids, incoming.rev)
        if not len(chosen):
            return 0
        if len(self) + added > MOST_ROWS:
            raise ValueError(f"A scope index holds at most {MOST_ROWS} rows.")
        place = np.full(len(batch), -1, dtype=np.int64)
        place[chosen] = targets
        fresh = targets >= len(self)
        self._make_room(len(self) + added)
        self._forget_postings(incoming, place, chosen[~fresh], targets[~fresh])
        self._store.put(targets, incoming.pick(chosen))
        for at in chosen[fresh].tolist():
            self._rows[batch.ids[at]] = int(place[at])
        self._add_postings(keys, place)
        self._reconnect(targets[~fresh], incoming.group[chosen])
        return len(chosen)

    def _filled(self, incoming: Columns, keys: NDArray[np.uint64]) -> int:
        """Take the first batch as it is: nothing is in its place, and no vector is copied."""
        if len(incoming):
            self._store = incoming.owned()
            self._links = Links.none(0, len(incoming))
            self._sorted, self._tail = np.sort(keys), np.empty(0, dtype=np.uint64)
            self._scope = None
            relink(self._links, self._store)
        return len(incoming)

    def _place(
        self, ids: Iterable[bytes], revs: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Which rows of a batch to take, where each goes, and how many of them are new."""
        newest: dict[bytes, int] = {}
        for at, ident in enumerate(ids):
            if ident not in newest or revs[at] > revs[newest[ident]]:
                newest[ident] = at
        chosen, targets, added = [], [], 0
        for ident, at in newest.items():
            row = self._rows.get(ident)
            if row is None:
                row = len(self._rows) + added
                added += 1
            elif revs[at] <= self._store.rev[row]:
                continue
            chosen.append(at)
            targets.append(row)
        return np.array(chosen, np.int64), np.array(targets, np.int64), added

    def _make_room(self, size: int) -> None:
        if size > len(self._store):
            self._store = self._store.enlarged(max(size, len(self._store) * 3 // 2, 16))
        if size > len(self._links.before):
            self._links = self._links.extended(size)

    def _forget_postings(
        self,
        incoming: Columns,
        place: NDArray[np.int64],
        replaced: NDArray[np.int64],
        targets: NDArray[np.int64],
    ) -> None:
        """Drop the postings of replaced rows; rows with equal terms keep theirs."""
        equal = incoming.checksum[replaced] == self._store.checksum[targets]
        place[replaced[equal]] = -1
        stale = targets[~equal]
        if len(stale):
            self._sorted = self._sorted[~np.isin(_row_of(self._sorted), stale)]
            self._tail = self._tail[~np.isin(_row_of(self._tail), stale)]

    def _add_postings(self, keys: NDArray[np.uint64], place: NDArray[np.int64]) -> None:
        rows = place[_row_of(keys)]
        keys, rows = keys[rows >= 0], rows[rows >= 0]
        keys = (keys & ~(_ROW_MASK << _ROW_SHIFT)) | (rows.astype(np.uint64) << _ROW_SHIFT)
        self._tail = np.sort(np.concatenate([self._tail, keys]))
        if len(self._tail) > _TAIL:
            self._sorted = np.sort(np.concatenate([self._sorted, self._tail]))
            self._tail = np.empty(0, dtype=np.uint64)

    def _reconnect(self, replaced: NDArray[np.int64], groups: NDArray[np.int32]) -> None:
        # A replaced row may have another length or vector, which its neighbours' context holds.
        for rows in (replaced, self._links.before[replaced], self._links.after[replaced]):
            self._links.norm[rows] = 0.0
        self._scope = None
        touched = set(groups.tolist())
        relink(self._links, self._columns(), touched if len(touched) <= _FEW_GROUPS else None)

    def remove(self, ids: Iterable[bytes]) -> int:
        """Take rows out with everything derived from them; returns how many were there."""
        gone = [self._rows[ident] for ident in set(ids) if ident in self._rows]
        if not gone:
            return 0
        keep = np.ones(len(self), dtype=np.bool_)
        keep[gone] = False
        renumbered = np.cumsum(keep) - 1
        postings = np.concatenate([self._sorted, self._tail])
        postings = postings[keep[_row_of(postings)]]
        rows = renumbered[_row_of(postings)].astype(np.uint64)
        postings = (postings & ~(_ROW_MASK << _ROW_SHIFT)) | (rows << _ROW_SHIFT)
        self._sorted, self._tail = np.sort(postings), np.empty(0, dtype=np.uint64)
        self._store = self._columns().pick(keep)
        self._store.group = self._interners.groups.keep(self._store.group)
        self._store.speaker = self._interners.keep_speakers(self._store.speaker)
        self._rows = {ident.tobytes(): row for row, ident in enumerate(self._store.ids)}
        self._links = Links.none(0, len(self._store))
        self._scope = None
        relink(self._links, self._store)
        return len(gone)

    def rank(
        self, question: Question, view: View, k: int = 10, policy: RankingPolicy | None = None
    ) -> Ranking:
        """The best ``k`` rows that the view lets through, or an abstention; by ``policy`` or the
        index's own.
        """
        scope = self.scope()
        eligible = visible(scope.columns, view, self._interners.kinds.codes, self._rows)
        if question.within is not None:
            start, end = question.within
            occurred = scope.columns.occurred_at
            eligible &= (start <= occurred) & (occurred < end)
        return rank(scope, question, eligible, view.now, k, policy or self.policy)

    def scope(self) -> Scope:
        """What the ranking reads; valid until the next change."""
        if self._scope is None:
            columns = self._columns()
            groups = len(self._interners.groups.codes)
            self._scope = Scope(
                columns=columns,
                links=self._links,
                stats=stats_of(columns, self._links, groups),
                # Not a method: an index that nobody holds is gone at once, not when cycles are.
                term_rows=partial(_term_rows, self._sorted, self._tail),
                speakers=self._interners.speakers.in_use(columns.speaker),
            )
        return self._scope

    def _columns(self) -> Columns:
        return self._store.pick(slice(0, len(self._rows)))


def _term_rows(
    merged: NDArray[np.uint64], tail: NDArray[np.uint64], hashes: Sequence[int]
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    lowest = np.array(hashes, dtype=np.uint64) << _HASH_SHIFT
    which, found = _between(merged, lowest)
    if len(tail):
        late, there = _between(tail, lowest)
        which, found = np.concatenate([which, late]), np.concatenate([found, there])
        order = np.argsort(which, kind="stable")
        which, found = which[order], found[order]
    return which, _row_of(found), (found & _COUNT_MASK).astype(np.float32)


def _between(
    postings: NDArray[np.uint64], lowest: NDArray[np.uint64]
) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    """The postings of some stems, given as the lowest that each may have, and whose each is."""
    start = postings.searchsorted(lowest)
    sizes = postings.searchsorted(lowest | _ROWS_AND_COUNT, side="right") - start
    which = np.repeat(np.arange(len(lowest)), sizes)
    ahead = np.cumsum(sizes) - sizes
    return which, postings[np.arange(len(which)) + np.repeat(start - ahead, sizes)]


def _row_of(postings: NDArray[np.uint64]) -> NDArray[np.intp]:
    return ((postings >> _ROW_SHIFT) & _ROW_MASK).astype(np.intp)
