"""store.*: items of the application's own, by path and key; no memory, and in no recall."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from annotated_types import Ge, Le, MaxLen

from muniment.domain.filter import FilterError
from muniment.domain.store import Condition, conditions
from muniment.errors import Fault, InvalidInput, TooLarge, WritesRefused
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.store_fields import MAX_LABELS, Labels, Life, Path, Places
from muniment.operations.types import Content, Count, Identifier, Instant, Json, command
from muniment.ports import Context
from muniment.records.scopes import DEFAULT_NAMESPACE, enter_scope, find_scope, scope_to_clear
from muniment.records.store import (
    Put,
    Room,
    StoredRow,
    find_items,
    list_paths,
    lives_until,
    made_ready,
    search_items,
    touch_items,
    write_items,
)

MAX_ITEMS = 100
MAX_SEARCHES = 20
MAX_PAGE = 1000
MAX_OFFSET = 2**31 - 1
MOST_TESTS = 1000
"""Conditions of all searches of a call: each is tried at every item under its prefix."""

Limit = Annotated[int, Ge(0), Le(MAX_PAGE)]
Offset = Annotated[int, Ge(0), Le(MAX_OFFSET)]


@command
class StoreKey:
    """An item by its path and key."""

    path: Path
    key: Identifier


@command
class StorePut(StoreKey):
    """A value for a key. It is found by the texts at ``fields``: names with dots between, ``a[*]``
    for members of a list, ``$`` for the whole value, which is also what no ``fields`` mean; with an
    empty list of them it is not searched. ``ttl_seconds`` count from the last write or read.
    """

    value: dict[str, Json]
    fields: Places | None = None
    ttl_seconds: Life | None = None


@command
class StoreGet(StoreKey):
    """An item to read; with ``refresh``, one that goes by time stays as long again."""

    refresh: bool = True


@command
class StoreSearch:
    """Items whose path begins with ``prefix`` and whose value meets the filter.

    ``{name: value}`` or ``{name: {operator: value}}`` with ``$eq $ne $gt $gte $lt $lte``. With a
    query the nearest come first, by the best of their texts, then those without one; else the
    latest.
    """

    prefix: Labels = ()
    filter: dict[str, Json] | None = None
    query: Content | None = None
    limit: Limit = 10
    offset: Offset = 0
    refresh: bool = True


@command
class StorePattern:
    """Labels with which a path begins, or ends with ``suffix``; ``*`` stands for any label."""

    labels: Labels
    suffix: bool = False


@command
class StoreListing:
    """Paths that have items and match every pattern, cut at ``max_depth`` labels, in order."""

    patterns: Annotated[tuple[StorePattern, ...], MaxLen(MAX_SEARCHES)] = ()
    max_depth: Annotated[int, Ge(1), Le(MAX_LABELS)] | None = None
    limit: Limit = 100
    offset: Offset = 0


@command
class WriteStore:
    """Put items and delete others, all of them or none; each may be named once.

    Without a user they are the organisation's. They are the application's own: nothing is drawn
    from them, and no recall returns them.
    """

    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    puts: Annotated[tuple[StorePut, ...], MaxLen(MAX_ITEMS)] = ()
    deletes: Annotated[tuple[StoreKey, ...], MaxLen(MAX_ITEMS)] = ()


@command
class ReadStore:
    """Items by their keys, searches, and lists of paths, answered in the order in which they are
    asked.
    """

    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    gets: Annotated[tuple[StoreGet, ...], MaxLen(MAX_ITEMS)] = ()
    searches: Annotated[tuple[StoreSearch, ...], MaxLen(MAX_SEARCHES)] = ()
    listings: Annotated[tuple[StoreListing, ...], MaxLen(MAX_SEARCHES)] = ()


@dataclass(frozen=True)
class StoreItem:
    """An item; ``score`` is the cosine of its nearest text, if it was searched by one."""

    path: tuple[str, ...]
    key: str
    value: dict[str, Json]
    created_at: Instant
    updated_at: Instant
    expires_at: Instant | None
    score: float | None


@dataclass(frozen=True)
class StoreFound:
    """What a search found, in order."""

    items: tuple[StoreItem, ...]


@dataclass(frozen=True)
class StorePaths:
    """What a listing found, in order."""

    paths: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class StoreRead:
    """An answer for each get (null where nothing is there), each search and each listing."""

    items: tuple[StoreItem | None, ...]
    found: tuple[StoreFound, ...]
    listed: tuple[StorePaths, ...]


@dataclass(frozen=True)
class StoreWritten:
    """How many items were put, how many of those to delete were there, and the kinds of secrets
    that were taken out of values.
    """

    put: Count
    deleted: Count
    redacted: tuple[str, ...]


async def write(command: WriteStore, ctx: Context) -> StoreWritten:
    """Raises InvalidInput for an item that is named twice or has too many texts."""
    _require_once(command)
    puts = [Put(one.path, one.key, one.value, one.fields, one.ttl_seconds) for one in command.puts]
    ready, redacted = await made_ready(ctx, puts)
    enter = enter_scope if ready else scope_to_clear
    mark = await enter(ctx, command.user_id, command.namespace)
    if mark is None:
        return StoreWritten(0, 0, ())
    deletes = [(one.path, one.key) for one in command.deletes]
    deleted = await write_items(ctx, mark, ready, deletes)
    return StoreWritten(len(ready), deleted, redacted)


def _require_once(command: WriteStore) -> None:
    seen: set[tuple[tuple[str, ...], str]] = set()
    faults = []
    for at, one in _named(command):
        if (one.path, one.key) in seen:
            faults.append(Fault(at, "is named more than once"))
        seen.add((one.path, one.key))
    if faults:
        raise InvalidInput(faults=faults)


def _named(command: WriteStore) -> Iterator[tuple[str, StoreKey]]:
    for place, put in enumerate(command.puts):
        yield f"/puts/{place}", put
    for place, one in enumerate(command.deletes):
        yield f"/deletes/{place}", one


async def read(command: ReadStore, ctx: Context) -> StoreRead:
    """Raises InvalidInput for a filter that is none, TooLarge for values that are too much."""
    wanted = [_conditions(place, one) for place, one in enumerate(command.searches)]
    if sum(map(len, wanted)) > MOST_TESTS:
        raise InvalidInput(faults=[Fault("/searches", f"at most {MOST_TESTS} conditions together")])
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        return StoreRead(
            (None,) * len(command.gets),
            (StoreFound(()),) * len(command.searches),
            (StorePaths(()),) * len(command.listings),
        )
    reading = _Reading(ctx, scope.scope_id)
    items = await reading.items(command.gets)
    found = [
        await reading.search(one, meets)
        for one, meets in zip(command.searches, wanted, strict=True)
    ]
    listed = [await reading.listed(one) for one in command.listings]
    await touch_items(ctx, scope.scope_id, reading.refreshed)
    return StoreRead(items, tuple(found), tuple(listed))


def _conditions(place: int, search: StoreSearch) -> Sequence[Condition]:
    try:
        return conditions(search.filter or {})
    except FilterError as error:
        at = f"/searches/{place}/filter{error.pointer}"
        raise InvalidInput(faults=[Fault(at, error.message)]) from None


class _Reading:
    """The answers of one call, in one scope, and which of the items stay longer by it."""

    def __init__(self, ctx: Context, scope_id: UUID) -> None:
        self._ctx = ctx
        self._scope_id = scope_id
        self._room = Room()
        self.refreshed: list[StoredRow] = []

    async def items(self, gets: Sequence[StoreGet]) -> tuple[StoreItem | None, ...]:
        if not gets:
            return ()
        again = {(one.path, one.key): False for one in gets}
        again |= {(one.path, one.key): True for one in gets if one.refresh}
        rows = await find_items(self._ctx, self._scope_id, list(again), self._room)
        held = {name: self._item(row, refresh=again[name]) for name, row in rows.items()}
        return tuple(held.get((one.path, one.key)) for one in gets)

    async def search(self, one: StoreSearch, meets: Sequence[Condition]) -> StoreFound:
        page = (one.limit, one.offset)
        rows = await search_items(
            self._ctx, self._scope_id, one.prefix, meets, one.query, page, self._room
        )
        return StoreFound(tuple(self._item(row, refresh=one.refresh) for row in rows))

    async def listed(self, one: StoreListing) -> StorePaths:
        patterns = [(pattern.suffix, pattern.labels) for pattern in one.patterns]
        page = (one.limit, one.offset)
        paths = await list_paths(self._ctx, self._scope_id, patterns, one.max_depth, page)
        return StorePaths(tuple(tuple(path) for path in paths))

    def _item(self, row: StoredRow, *, refresh: bool) -> StoreItem:
        expires_at = row.expires_at
        if refresh:
            self.refreshed.append(row)
            expires_at = lives_until(self._ctx, row)
        return StoreItem(
            tuple(row.path), row.key, row.value or {}, row.created_at, row.updated_at, expires_at,
            row.score,
        )  # fmt: skip


OPERATIONS = (
    Operation(
        name="store.write",
        summary="Put and delete items of the application's own",
        command=WriteStore,
        result=StoreWritten,
        handler=write,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/store/write"),
        errors=(WritesRefused,),
        exact=("puts",),
    ),
    Operation(
        name="store.read",
        summary="Read, search and list items of the application's own",
        command=ReadStore,
        result=StoreRead,
        handler=read,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("POST", "/v1/store/read"),
        errors=(TooLarge,),
    ),
)
