"""A batch of a LangGraph store as calls of the service, and their answers as results. No I/O.

Reads come first and see what was there before the batch; of several writes of one key the last
counts. A batch is one call of each kind for each user, or more where it is larger than a call.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
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
from muniment.errors import Fault, InvalidInput, MunimentError
from muniment.langgraph.plain import checked, normal
from muniment.langgraph.whose import Namespace, Whose

Asked = StoreGet | StoreSearch | StoreListing
_MOST_ITEMS, _MOST_SEARCHES = 100, 20
_MOST_BYTES = 3 * 1024 * 1024
Fields = Sequence[str] | None
_NAMES = {
    "path": "namespace", "prefix": "namespace_prefix", "fields": "index", "ttl_seconds": "ttl",
    "refresh": "refresh_ttl", "patterns": "match_conditions",
}  # fmt: skip
"""Fields of the service's calls, as operations of LangGraph name them."""


@contextmanager
def placed(places: Mapping[str, Sequence[int]]) -> Iterator[None]:
    """Faults that the service finds are told by the place in the batch that was given."""
    try:
        yield
    except MunimentError as error:
        error.faults = tuple(
            Fault(_in_batch(one.pointer, places), one.message) for one in error.faults
        )
        raise


def _in_batch(pointer: str, places: Mapping[str, Sequence[int]]) -> str:
    kind, at, *more = pointer.split("/")[1:] if pointer.count("/") > 1 else ("", "")
    if kind not in places or not at.isdecimal() or int(at) >= len(places[kind]):
        return pointer
    more[:1] = [_NAMES.get(name, name) for name in more[:1]]
    return "/".join(["", str(places[kind][int(at)]), *more])


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

    @property
    def asked(self) -> dict[str, Sequence[int]]:
        """Where in the batch what is asked for stands, by its kind."""
        return dict(zip(("gets", "searches", "listings"), self.places, strict=True))

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
            items = [SearchItem(**_members(one), score=one.score) for one in found.items]
            results[place] = [*_found(results[place]), *items]
        for place, listed in zip(listings, read.listed, strict=True):
            results[place] = list(listed.paths)

    def parts(self) -> "list[Reading]":
        """What is asked for instead where the answer would be too large: halves, of one search the
        halves of its page; nothing where there are none.
        """
        kinds: tuple[Sequence[Asked], ...] = (self.gets, self.searches, self.listings)
        asked = [
            pair
            for kind, places in zip(kinds, self.places, strict=True)
            for pair in zip(kind, places, strict=True)
        ]
        if len(asked) > 1:
            half = len(asked) // 2
            return [self._with(asked[:half]), self._with(asked[half:])]
        return [self._with([(one, at)]) for search, at in asked for one in _halves(search)]

    def _with(self, asked: Sequence[tuple[Asked, int]]) -> "Reading":
        made = Reading(self.user_id)
        for one, place in asked:
            made.ask(one, place)
        return made

    def ask(self, one: Asked, place: int) -> None:
        """For a place of the batch."""
        if isinstance(one, StoreGet):
            self.gets.append(one)
            self.places[0].append(place)
        elif isinstance(one, StoreSearch):
            self.searches.append(one)
            self.places[1].append(place)
        else:
            self.listings.append(one)
            self.places[2].append(place)


@dataclass
class Writing:
    """One ``store.write``."""

    user_id: str | None
    puts: list[StorePut] = field(default_factory=list)
    deletes: list[StoreKey] = field(default_factory=list)
    asked: dict[str, list[int]] = field(default_factory=lambda: {"puts": [], "deletes": []})
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
        puts: dict[tuple[Namespace, str], tuple[int, PutOp]] = {}
        given = list(ops)
        self.results: list[Result] = [None] * len(given)
        for place, op in enumerate(given):
            _refuse_text(op, place)
            if isinstance(op, PutOp):
                puts[tuple(map(normal, op.namespace)), normal(op.key)] = place, op
            else:
                self._read(place, op)
        for place, put in puts.values():
            self._write(place, put)

    def _read(self, place: int, op: Op) -> None:
        if isinstance(op, GetOp):
            get = StoreGet(tuple(op.namespace), op.key, op.refresh_ttl)
            self._reading(op.namespace).ask(get, place)
        elif isinstance(op, SearchOp):
            self._reading(op.namespace_prefix).ask(_search(op, f"/{place}/filter"), place)
        elif isinstance(op, ListNamespacesOp):
            self._reading(_beginning(op)).ask(_listing(op), place)
        else:
            raise TypeError(f"Not an operation of a store: {type(op).__name__}.")

    def _reading(self, namespace: Namespace) -> Reading:
        user_id = self._of(namespace)
        for one in self.readings:
            if one.user_id == user_id and not one.full():
                return one
        self.readings.append(Reading(user_id))
        return self.readings[-1]

    def _write(self, place: int, op: PutOp) -> None:
        path, user_id = tuple(op.namespace), self._of(op.namespace)
        if op.value is None:
            writing = self._writing(user_id, 0)
            writing.deletes.append(StoreKey(path, op.key))
            writing.asked["deletes"].append(place)
            return
        value = checked(op.value, f"/{place}/value")
        size = len(dumps(value))
        writing = self._writing(user_id, size)
        writing.size += size
        ttl = None if op.ttl is None else op.ttl * 60
        writing.puts.append(StorePut(path, op.key, value, self._places(op.index), ttl))
        writing.asked["puts"].append(place)

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


def _found(before: Any) -> Sequence[Any]:
    """What the pages before found."""
    return before if isinstance(before, list) else ()


def _halves(asked: Asked) -> Iterator[Asked]:
    if isinstance(asked, StoreSearch) and asked.limit > 1:
        half = asked.limit // 2
        yield replace(asked, limit=half)
        yield replace(asked, limit=asked.limit - half, offset=asked.offset + half)


def _search(op: SearchOp, at: str) -> StoreSearch:
    prefix = tuple(op.namespace_prefix)
    wanted = checked(op.filter, at) if op.filter not in (None, {}) else None
    return StoreSearch(prefix, wanted, op.query or None, op.limit, op.offset, op.refresh_ttl)


def _listing(op: ListNamespacesOp) -> StoreListing:
    patterns = tuple(
        StorePattern(tuple(one.path), one.match_type == "suffix")
        for one in op.match_conditions or ()
    )
    return StoreListing(patterns, op.max_depth, op.limit, op.offset)


def _refuse_text(op: Op, place: int) -> None:
    """A namespace that is a text would be one of its letters."""
    for name in ("namespace", "namespace_prefix"):
        if isinstance(getattr(op, name, None), str):
            raise InvalidInput(faults=[Fault(f"/{place}/{name}", "is a tuple of labels, no text")])


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
