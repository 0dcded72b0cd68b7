"""A batch of a LangGraph store as calls of the service, and their answers as results. No I/O.

Reads come first and see what was there before the batch; of several writes of one key the last
counts. A batch is one call of each kind for each user, or more where it is larger than a call.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from json import dumps
from typing import Any, Literal

from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from muniment.client.models import (
    StoreGet,
    StoreItem,
    StoreKey,
    StoreListing,
    StorePattern,
    StorePut,
    StoreRead,
    StoreSearch,
)
from muniment.errors import InvalidInput
from muniment.langgraph.whose import Namespace, Whose

_MOST_ITEMS, _MOST_SEARCHES = 100, 20
_MOST_BYTES = 3 * 1024 * 1024
Fields = Sequence[str] | None


@dataclass
class Reading:
    """One ``store.read``, and to which places of the batch its answers belong."""

    user_id: str | None
    gets: list[StoreGet] = field(default_factory=list)
    searches: list[StoreSearch] = field(default_factory=list)
    listings: list[StoreListing] = field(default_factory=list)
    places: tuple[list[int], list[int], list[int]] = field(default_factory=lambda: ([], [], []))

    @property
    def arguments(self) -> dict[str, Any]:
        """Of the call."""
        return {
            "user_id": self.user_id,
            "gets": self.gets,
            "searches": self.searches,
            "listings": self.listings,
        }

    def full(self) -> bool:
        """Whether a call holds no more."""
        return (
            len(self.gets) == _MOST_ITEMS
            or max(len(self.searches), len(self.listings)) == _MOST_SEARCHES
        )

    def answer(self, read: StoreRead, results: list[Result]) -> None:
        """Put what the service answered where it belongs."""
        gets, searches, listings = self.places
        for place, item in zip(gets, read.items, strict=True):
            results[place] = None if item is None else Item(**_members(item))
        for place, found in zip(searches, read.found, strict=True):
            results[place] = [SearchItem(**_members(one), score=one.score) for one in found.items]
        for place, listed in zip(listings, read.listed, strict=True):
            results[place] = list(listed.paths)


@dataclass
class Writing:
    """One ``store.write``."""

    user_id: str | None
    puts: list[StorePut] = field(default_factory=list)
    deletes: list[StoreKey] = field(default_factory=list)
    size: int = 0

    @property
    def arguments(self) -> dict[str, Any]:
        """Of the call."""
        return {"user_id": self.user_id, "puts": self.puts, "deletes": self.deletes}

    def full(self, more: int) -> bool:
        """Whether a call holds no more than this."""
        most = max(len(self.puts), len(self.deletes))
        return most == _MOST_ITEMS or (self.size > 0 and self.size + more > _MOST_BYTES)


class Batch:
    """The calls of a batch: ``readings``, which fill ``results``, then ``writings``."""

    def __init__(self, ops: Iterable[Op], of: Whose, fields: Fields) -> None:
        self.readings: list[Reading] = []
        self.writings: list[Writing] = []
        self._of = of
        self._fields = fields
        puts: dict[tuple[Namespace, str], PutOp] = {}
        given = list(ops)
        self.results: list[Result] = [None] * len(given)
        for place, op in enumerate(given):
            if isinstance(op, PutOp):
                puts[tuple(op.namespace), op.key] = op
            else:
                self._read(place, op)
        for put in puts.values():
            self._write(put)

    def _read(self, place: int, op: Op) -> None:
        if isinstance(op, GetOp):
            reading = self._reading(self._of(op.namespace))
            reading.gets.append(StoreGet(tuple(op.namespace), op.key, op.refresh_ttl))
            reading.places[0].append(place)
        elif isinstance(op, SearchOp):
            reading = self._reading(self._of(op.namespace_prefix))
            reading.searches.append(_search(op))
            reading.places[1].append(place)
        elif isinstance(op, ListNamespacesOp):
            reading = self._reading(self._of(_beginning(op)))
            reading.listings.append(_listing(op))
            reading.places[2].append(place)
        else:
            raise TypeError(f"Not an operation of a store: {type(op).__name__}.")

    def _reading(self, user_id: str | None) -> Reading:
        for one in self.readings:
            if one.user_id == user_id and not one.full():
                return one
        self.readings.append(Reading(user_id))
        return self.readings[-1]

    def _write(self, op: PutOp) -> None:
        path, user_id = tuple(op.namespace), self._of(op.namespace)
        if op.value is None:
            self._writing(user_id, 0).deletes.append(StoreKey(path, op.key))
            return
        value = dict(op.value)
        size = _size(value)
        writing = self._writing(user_id, size)
        writing.size += size
        ttl = None if op.ttl is None else op.ttl * 60
        writing.puts.append(StorePut(path, op.key, value, self._places(op.index), ttl))

    def _writing(self, user_id: str | None, size: int) -> Writing:
        for one in self.writings:
            if one.user_id == user_id and not one.full(size):
                return one
        self.writings.append(Writing(user_id))
        return self.writings[-1]

    def _places(self, index: Literal[False] | list[str] | None) -> tuple[str, ...] | None:
        if index is False or self._fields == ():
            return ()
        wanted = self._fields if index is None else index
        return None if wanted is None else tuple(wanted)


def _search(op: SearchOp) -> StoreSearch:
    prefix = tuple(op.namespace_prefix)
    wanted = dict(op.filter) if op.filter else None
    return StoreSearch(prefix, wanted, op.query or None, op.limit, op.offset, op.refresh_ttl)


def _listing(op: ListNamespacesOp) -> StoreListing:
    patterns = tuple(
        StorePattern(tuple(one.path), one.match_type == "suffix")
        for one in op.match_conditions or ()
    )
    return StoreListing(patterns, op.max_depth, op.limit, op.offset)


def _beginning(op: ListNamespacesOp) -> Namespace:
    """The labels with which every namespace that is asked for begins."""
    known = [
        tuple(_before_wildcard(one.path))
        for one in op.match_conditions or ()
        if one.match_type == "prefix"
    ]
    return max(known, key=len, default=())


def _before_wildcard(path: Sequence[str]) -> Iterator[str]:
    for label in path:
        if label == "*":
            return
        yield label


def _members(item: StoreItem) -> dict[str, Any]:
    return {
        "namespace": item.path,
        "key": item.key,
        "value": item.value,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
    }


def _size(value: dict[str, Any]) -> int:
    """Bytes of a value as JSON, at most; what is not JSON is refused when it is sent."""
    try:
        return len(dumps(value, default=str))
    except (ValueError, TypeError, RecursionError):
        raise InvalidInput("A value of the store is not data that JSON can hold.") from None
