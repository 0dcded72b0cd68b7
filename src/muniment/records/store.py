"""The application's own items: kept under a path and a key, found by the texts of their values."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from json import dumps
from typing import Any, Final
from uuid import UUID

from muniment.domain.embedding import Place
from muniment.domain.ranking import encode_vector
from muniment.domain.store import Condition, TooManyTexts, texts_of
from muniment.errors import Fault, InvalidInput, TooLarge
from muniment.ports import Context, Embedder, HalfVector, ScopeMark
from muniment.records.apart import worked_out
from muniment.records.holds import cover
from muniment.records.index_rows import vector_of
from muniment.records.passes import note_pass
from muniment.records.scopes import lock_scope
from muniment.records.secrets import Cleaner
from muniment.records.usage import add_usage, recount_usage, size_of

WHOLE = ("$",)
MOST_ANSWERED = 16 * 1024 * 1024
"""Bytes of the values that one call answers with."""
MOST_SEARCHED = 8 * 1024 * 1024
"""Characters of all the texts by which the items of one write are found: several places of a value
may name the same large part of it.
"""
Name = tuple[tuple[str, ...], str]


@dataclass(frozen=True)
class Put:
    """A value for a path and a key; without ``fields`` it is found as a whole."""

    path: Sequence[str]
    key: str
    value: dict[str, Any]
    fields: Sequence[str] | None
    ttl: float | None


@dataclass(frozen=True)
class Ready:
    """A value without its secrets, and the vectors of its texts."""

    put: Put
    value: dict[str, Any]
    vectors: Mapping[str, list[HalfVector] | None]


@dataclass(frozen=True)
class StoredRow:
    """An item as it is read; ``size`` is that of all the rows of the answer."""

    path: list[str]
    key: str
    value: dict[str, Any] | None
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    ttl: float | None
    score: float | None
    size: int

    @property
    def name(self) -> Name:
        """By which it is asked for."""
        return tuple(self.path), self.key


@dataclass(frozen=True)
class _Taken:
    path: list[str]
    key: str
    item_id: UUID
    size: int
    created_at: datetime
    alive: bool


@dataclass(frozen=True)
class _Path:
    path: list[str]


@dataclass(frozen=True)
class _Scope:
    scope_id: UUID


@dataclass
class Room:
    """How many bytes of values a call may still answer with."""

    left: int = MOST_ANSWERED

    def take(self, rows: Sequence[StoredRow]) -> list[StoredRow]:
        """The rows of one answer. Raises TooLarge where there is no room for them."""
        size = rows[0].size if rows else 0
        if size > self.left:
            raise TooLarge("The answer would be too large: ask for fewer items.")
        self.left -= size
        return list(rows)


async def made_ready(ctx: Context, puts: Sequence[Put]) -> tuple[list[Ready], tuple[str, ...]]:
    """Values without their secrets, with vectors; and the kinds of secrets that were found.

    Before anything is locked. Raises InvalidInput where a value has too many texts.
    """
    size = sum(len(repr(one.value)) for one in puts)
    return await worked_out(size, partial(_ready, ctx, puts))


def _ready(ctx: Context, puts: Sequence[Put]) -> tuple[list[Ready], tuple[str, ...]]:
    cleaner = Cleaner(ctx.redactor)
    made = []
    left = MOST_SEARCHED
    for place, put in enumerate(puts):
        value = cleaner.metadata(put.value)
        texts = _searched(f"/puts/{place}/fields", value, put.fields, left)
        left -= sum(map(len, texts))
        made.append(Ready(put, value, _vectors(ctx, texts)))
    return made, cleaner.kinds


def _searched(
    at: str, value: Mapping[str, Any], fields: Sequence[str] | None, room: int
) -> list[str]:
    """Texts of no more characters than there is room for."""
    try:
        texts = texts_by_which(value, fields)
    except TooManyTexts:
        texts = None
    if texts is None or sum(map(len, texts)) > room:
        raise InvalidInput(faults=[Fault(at, "name too many texts of the value")])
    return texts


def vectors_of(
    ctx: Context, value: Mapping[str, Any], fields: Sequence[str] | None
) -> dict[str, list[HalfVector] | None]:
    """By column, a vector for each text by which a value is found. Raises TooManyTexts."""
    return _vectors(ctx, texts_by_which(value, fields))


def texts_by_which(value: Mapping[str, Any], fields: Sequence[str] | None) -> list[str]:
    """The texts by which a value is found. Raises TooManyTexts."""
    return texts_of(value, WHOLE if fields is None else fields)


def _vectors(ctx: Context, texts: Sequence[str]) -> dict[str, list[HalfVector] | None]:
    found: dict[str, list[HalfVector] | None] = dict.fromkeys(_COLUMNS.values())
    for place, name in ctx.policy.embedding.written.items():
        found[_COLUMNS[place]] = item_vectors(ctx.embedder_of(name), texts)
    return found


def item_vectors(embedder: Embedder, texts: Sequence[str]) -> list[HalfVector]:
    """The vectors of the texts of an item that have one."""
    found = embedder.embed(texts) if texts else ()
    return [HalfVector(encode_vector(vector)) for vector in found if vector.any()]


_COLUMNS: Final[Mapping[Place, str]] = {
    "emb": "vectors",
    "emb_a": "vectors_a",
    "emb_b": "vectors_b",
}


async def write_items(
    ctx: Context, mark: ScopeMark, ready: Sequence[Ready], deletes: Sequence[Name]
) -> int:
    """Put items into a scope, whose lock the caller holds, and delete others; how many went.

    An item keeps its id and since when it is there; the value that was there goes. Raises
    QuotaExceeded and StorageFull for puts without room: of a full scope, where more is stored.
    """
    await cover(ctx, [mark.scope_id])
    gone = {(tuple(one.put.path), one.put.key) for one in ready} | set(deletes)
    taken = await ctx.unit.rows(
        _Taken, "store_take", scope_id=mark.scope_id, asked=_asked(sorted(gone)), now=ctx.now
    )
    before = {(tuple(row.path), row.key): row for row in taken}
    rows = [_row(ctx, mark, one, before.get((tuple(one.put.path), one.put.key))) for one in ready]
    size = sum(row["size"] for row in rows) - sum(row.size for row in taken)
    if rows:
        await ctx.quotas.check(ctx.unit, mark.scope_id, grows=size > 0)
    await ctx.unit.many("store_add", rows)
    await add_usage(ctx, mark, len(rows) - len(taken), size)
    ctx.trail.subjects += [row["item_id"] for row in rows]
    ctx.trail.subjects += [before[name].item_id for name in deletes if name in before]
    return sum(before[name].alive for name in deletes if name in before)


def _row(ctx: Context, mark: ScopeMark, new: Ready, before: _Taken | None) -> dict[str, Any]:
    known = before is not None and before.alive
    return {
        "scope_id": mark.scope_id,
        "path": list(new.put.path),
        "key": new.put.key,
        "item_id": before.item_id if before is not None and known else ctx.ids.new(),
        "value": dumps(new.value, ensure_ascii=False),
        "fields": None if new.put.fields is None else list(new.put.fields),
        **new.vectors,
        "size": size_of_item(new.put.path, new.put.key, new.value),
        "ttl": new.put.ttl,
        "key_id": ctx.caller.key_id,
        "created_at": before.created_at if before is not None and known else mark.watermark,
        "updated_at": mark.watermark,
        "now": ctx.now,
    }


def size_of_item(path: Sequence[str], key: str, value: Mapping[str, Any]) -> int:
    """Bytes of UTF-8 that an item takes, for quotas."""
    return size_of(value, *path, key)


async def find_items(
    ctx: Context, scope_id: UUID, names: Sequence[Name], room: Room
) -> dict[Name, StoredRow]:
    """Those of the items that are there."""
    rows = await ctx.unit.rows(
        StoredRow, "store_get", scope_id=scope_id, asked=_asked(names), room=room.left, now=ctx.now
    )
    return {row.name: row for row in room.take(rows)}


async def search_items(
    ctx: Context,
    scope_id: UUID,
    prefix: Sequence[str],
    conditions: Sequence[Condition],
    query: str | None,
    page: tuple[int, int],
    room: Room,
) -> list[StoredRow]:
    """A page (limit, offset) of what lies under a prefix, the nearest to the query first."""
    rows = await ctx.unit.rows(
        StoredRow,
        "store_search",
        scope_id=scope_id,
        prefix=list(prefix),
        conditions=dumps([asdict(one) for one in conditions]),
        vector=vector_of(ctx, query) if query else None,
        place=ctx.policy.embedding.place,
        limit=page[0],
        offset=page[1],
        room=room.left,
        now=ctx.now,
    )
    return room.take(rows)


async def list_paths(
    ctx: Context,
    scope_id: UUID,
    patterns: Sequence[tuple[bool, Sequence[str]]],
    depth: int | None,
    page: tuple[int, int],
) -> list[list[str]]:
    """Paths, cut at ``depth``, that match every pattern; one that is true is for their ends."""
    rows = await ctx.unit.rows(
        _Path,
        "store_paths",
        scope_id=scope_id,
        patterns=dumps([{"suffix": at_end, "labels": [*labels]} for at_end, labels in patterns]),
        depth=depth,
        limit=page[0],
        offset=page[1],
        now=ctx.now,
    )
    return [row.path for row in rows]


async def touch_items(ctx: Context, scope_id: UUID, rows: Sequence[StoredRow]) -> None:
    """Items that go by time stay as long again as they were to."""
    names = sorted({row.name for row in rows if row.ttl is not None})
    if names:
        await ctx.unit.run("store_touch", scope_id=scope_id, asked=_asked(names), now=ctx.now)


def lives_until(ctx: Context, row: StoredRow) -> datetime | None:
    """When an item goes that was read just now."""
    if row.ttl is None or row.expires_at is None:
        return None
    return max(row.expires_at, ctx.now + timedelta(seconds=row.ttl))


async def scopes_with_expired(ctx: Context, limit: int) -> list[UUID]:
    """Scopes with items that are past their time."""
    rows = await ctx.unit.rows(_Scope, "store_expired", now=ctx.now, limit=limit)
    return [row.scope_id for row in rows]


async def expire_items(ctx: Context, scope_id: UUID) -> int:
    """Remove what is past its time in a scope; how many. Raises Overtaken if that was forgotten."""
    await lock_scope(ctx, scope_id)
    await cover(ctx, [scope_id])
    count = await ctx.unit.run("store_expire", scope_id=scope_id, now=ctx.now)
    await recount_usage(ctx, scope_id)
    await note_pass(ctx, "expire", scope_id, items=count)
    return count


def _asked(names: Sequence[Name]) -> str:
    return dumps([{"path": path, "key": key} for path, key in names])
