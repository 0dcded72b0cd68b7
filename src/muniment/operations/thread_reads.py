"""threads.*: what a thread was in, how it came there, and the pieces of its values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Annotated
from uuid import UUID

from annotated_types import Ge, Le, MaxLen, MinLen

from muniment.errors import NotFound
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.thread_values import (
    MOST_CHANNELS,
    Piece,
    PieceDigest,
    Place,
    StoredChannel,
    StoredValue,
    StoredWrite,
    digests_of,
    in_base64,
    owner_of,
    stored,
)
from muniment.operations.types import Identifier, Instant, Metadata, command
from muniment.ports import Context
from muniment.records.runs import kept_since
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope
from muniment.records.threads import (
    CheckpointRow,
    PathRow,
    PieceRow,
    ValueRow,
    WriteRow,
    find_thread,
    pieces_of,
    values_of,
    writes_of,
)

MOST_TAKEN = 4
_PLACES = Cursors(tuple[Identifier, Identifier, Place])
_PATH = Cursors(tuple[Identifier])
_Key = tuple[UUID, str, str]
_Few = Annotated[int, Ge(1), Le(20)]


@command
class ListThreads:
    """Checkpoints of the threads of a user, or of nobody in particular, the latest first: of all
    of them, or of one ``thread_id``, of one graph of it, of one name. ``filter`` gives the labels
    that they have, as values; ``older_than`` names one.
    """

    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    thread_id: Identifier | None = None
    checkpoint_ns: Place | None = None
    checkpoint_id: Identifier | None = None
    older_than: Identifier | None = None
    filter: Metadata | None = None
    cursor: Cursor | None = None
    limit: _Few = 10


@command
class ThreadHistory:
    """What the channels of a checkpoint are made of: the checkpoints that it came from, nearest
    first, each with the values that it has of these channels and what its tasks wrote to them. The
    last one has a value of every channel, or none before it.
    """

    thread_id: Identifier
    channels: Annotated[tuple[Identifier, ...], MinLen(1), MaxLen(MOST_CHANNELS)]
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    checkpoint_ns: Place = ""
    checkpoint_id: Identifier | None = None
    cursor: Cursor | None = None
    limit: Annotated[int, Ge(1), Le(200)] = 100


@command
class GetThreadPieces:
    """Pieces of values of a thread, by their digests."""

    thread_id: Identifier
    pieces: Annotated[tuple[PieceDigest, ...], MinLen(1), MaxLen(MOST_TAKEN)]
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE


@dataclass(frozen=True)
class ThreadCheckpoint:
    """A checkpoint as it was put; ``writes`` in the order in which they are carried out."""

    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str
    parent_id: str | None
    state: StoredValue
    writes: tuple[StoredWrite, ...]
    recorded_at: Instant


@dataclass(frozen=True)
class ThreadCheckpoints:
    """One page with the values of its channels, each once, and the first of their pieces; ``next``
    is the ``cursor`` of the following one.
    """

    items: tuple[ThreadCheckpoint, ...]
    values: tuple[StoredChannel, ...]
    pieces: tuple[Piece, ...]
    next: str | None


@dataclass(frozen=True)
class ThreadAncestor:
    """What a checkpoint on the way has of the channels."""

    checkpoint_id: str
    values: tuple[StoredChannel, ...]
    writes: tuple[StoredWrite, ...]


@dataclass(frozen=True)
class ThreadAncestors:
    """One page, with the first of the pieces; ``next`` is the ``cursor`` of the following one."""

    items: tuple[ThreadAncestor, ...]
    pieces: tuple[Piece, ...]
    next: str | None


@dataclass(frozen=True)
class ThreadPieces:
    """Those that are there."""

    pieces: tuple[Piece, ...]


async def list_checkpoints(command: ListThreads, ctx: Context) -> ThreadCheckpoints:
    """Of a thread that is not there, there are none."""
    place = _PLACES.read(command.cursor)
    found = await _rows(command, ctx, place)
    if found is None:
        return ThreadCheckpoints((), (), (), None)
    scope_id, rows = found
    page, last = cut(rows, command.limit)
    keys = {_key(row): row for row in page}
    writes = await writes_of(ctx, scope_id, keys)
    wanted = [
        (row.thread_pk, row.ns, channel, version)
        for row in page
        for channel, version in row.versions.items()
    ]
    values = await values_of(ctx, scope_id, wanted)
    names = {row.thread_pk: row.thread_id for row in page}
    every = [one for key in keys for one in writes[key]]
    pieces = await _first_pieces(ctx, scope_id, [*page, *values, *every])
    after = None if last is None else (last.checkpoint_id, last.thread_id, last.ns)
    return ThreadCheckpoints(
        items=tuple(_checkpoint(row, writes[key]) for key, row in keys.items()),
        values=tuple(_channel(one, names[one.thread_pk]) for one in values),
        pieces=tuple(_piece(one) for one in pieces),
        next=None if after is None else _PLACES.after(after),
    )


async def _rows(
    command: ListThreads, ctx: Context, place: tuple[str, str, str] | None
) -> tuple[UUID, Sequence[CheckpointRow]] | None:
    asked = {"checkpoint_id": command.checkpoint_id, "limit": command.limit + 1}
    thread = None
    if command.thread_id is not None:
        thread = await find_thread(ctx, owner_of(command), command.thread_id)
        if thread is None:
            return None
    if thread is not None and command.checkpoint_ns is not None and not command.filter:
        ends = [one for one in (command.older_than, None if place is None else place[0]) if one]
        return thread.scope_id, await ctx.unit.rows(
            CheckpointRow,
            "thread_page",
            **thread.place,
            **asked,
            thread_id=command.thread_id,
            ns=command.checkpoint_ns,
            before=min(ends, default=None),
        )
    scope = thread or await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        return None
    after, after_thread, after_ns = (None, None, None) if place is None else place
    return scope.scope_id, await ctx.unit.rows(
        CheckpointRow,
        "thread_pages",
        scope_id=scope.scope_id,
        **asked,
        threads=None if thread is None else [thread.thread_pk],
        ns=command.checkpoint_ns,
        filter=None if not command.filter else dumps(command.filter),
        before=command.older_than,
        after=after,
        after_thread=after_thread,
        after_ns=after_ns,
        since=kept_since(ctx),
    )


def _key(row: CheckpointRow) -> _Key:
    return row.thread_pk, row.ns, row.checkpoint_id


def _checkpoint(row: CheckpointRow, writes: Sequence[WriteRow]) -> ThreadCheckpoint:
    return ThreadCheckpoint(
        thread_id=row.thread_id,
        checkpoint_ns=row.ns,
        checkpoint_id=row.checkpoint_id,
        parent_id=row.parent_id,
        state=stored(row),
        writes=tuple(_written(one) for one in writes),
        recorded_at=row.recorded_at,
    )


def _written(row: WriteRow) -> StoredWrite:
    return StoredWrite(row.task_id, row.task_path, row.place, row.channel, stored(row))


def _channel(row: ValueRow, thread_id: str) -> StoredChannel:
    return StoredChannel(thread_id, row.ns, row.channel, row.version, stored(row))


def _piece(row: PieceRow) -> Piece:
    return Piece(row.digest.hex(), in_base64(row.data))


async def _first_pieces(
    ctx: Context, scope_id: UUID, rows: Sequence[CheckpointRow | ValueRow | WriteRow]
) -> Sequence[PieceRow]:
    """As many pieces as an answer carries, of the thread that comes first."""
    cut_up = [row for row in rows if row.pieces is not None]
    if not cut_up:
        return []
    thread_pk = cut_up[0].thread_pk
    digests = digests_of([row for row in cut_up if row.thread_pk == thread_pk])
    return await pieces_of(ctx, scope_id, thread_pk, digests[:MOST_TAKEN])


async def history(command: ThreadHistory, ctx: Context) -> ThreadAncestors:
    """Of a checkpoint that is not there, there is none."""
    place = _PATH.read(command.cursor)
    thread = await find_thread(ctx, owner_of(command), command.thread_id)
    if thread is None:
        return ThreadAncestors((), (), None)
    at = {**thread.place, "ns": command.checkpoint_ns}
    first = command.checkpoint_id if place is None else place[0]
    if first is None:
        first = await ctx.unit.value("thread_latest", **at)
    # Its own writes are of the step that comes; those before made it what it is.
    beside = 1 if place is None else 0
    limit = command.limit + beside
    path = await ctx.unit.rows(PathRow, "thread_path", **at, checkpoint_id=first, limit=limit)
    rows, more = path[beside:], len(path) == limit
    found = await values_of(
        ctx,
        thread.scope_id,
        [
            (thread.thread_pk, command.checkpoint_ns, channel, row.versions[channel])
            for row in rows
            for channel in command.channels
            if channel in row.versions
        ],
    )
    by_version = {(one.channel, one.version): one for one in found}
    needed, whole = _needed(rows, command.channels, by_version)
    last = rows[-1] if rows and more and not whole else None
    keys = [(thread.thread_pk, command.checkpoint_ns, row.checkpoint_id) for row in needed]
    writes = await writes_of(ctx, thread.scope_id, keys, only=command.channels)
    ancestors = [(row, _of(row, by_version, command.channels)) for row in needed]
    every = [one for _, values in ancestors for one in values]
    every_write = [one for key in keys for one in writes[key]]
    pieces = await _first_pieces(ctx, thread.scope_id, [*every, *every_write])
    following = None if last is None else last.parent_id
    return ThreadAncestors(
        items=tuple(
            ThreadAncestor(
                row.checkpoint_id,
                tuple(_channel(one, thread.thread_id) for one in values),
                tuple(_written(one) for one in writes[key]),
            )
            for key, (row, values) in zip(keys, ancestors, strict=True)
        ),
        pieces=tuple(_piece(one) for one in pieces),
        next=None if following is None else _PATH.after((following,)),
    )


def _of(
    row: PathRow, by_version: Mapping[tuple[str, str], ValueRow], channels: Sequence[str]
) -> list[ValueRow]:
    keys = [(one, row.versions[one]) for one in channels if one in row.versions]
    return [by_version[key] for key in keys if key in by_version]


def _needed(
    rows: Sequence[PathRow],
    channels: Sequence[str],
    by_version: Mapping[tuple[str, str], ValueRow],
) -> tuple[Sequence[PathRow], bool]:
    """Those up to the one by which every channel has a value, and whether there is one."""
    missing = set(channels)
    for place, row in enumerate(rows):
        missing -= {one.channel for one in _of(row, by_version, channels)}
        if not missing:
            return rows[: place + 1], True
    return rows, False


async def get_pieces(command: GetThreadPieces, ctx: Context) -> ThreadPieces:
    """Raises NotFound for a thread that is not there."""
    thread = await find_thread(ctx, owner_of(command), command.thread_id)
    if thread is None:
        raise NotFound("There is no such thread.")
    digests = [bytes.fromhex(one) for one in dict.fromkeys(command.pieces)]
    rows = await pieces_of(ctx, thread.scope_id, thread.thread_pk, digests)
    return ThreadPieces(tuple(_piece(row) for row in rows))


OPERATIONS = (
    Operation(
        name="threads.list",
        summary="List checkpoints of threads",
        command=ListThreads,
        result=ThreadCheckpoints,
        handler=list_checkpoints,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/threads"),
        columns=(
            "items.thread_id",
            "items.checkpoint_ns",
            "items.checkpoint_id",
            "items.recorded_at",
        ),
    ),
    Operation(
        name="threads.history",
        summary="Show what the channels of a checkpoint are made of",
        command=ThreadHistory,
        result=ThreadAncestors,
        handler=history,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/threads/{thread_id}/history"),
    ),
    Operation(
        name="threads.get_pieces",
        summary="Fetch pieces of large values of a thread",
        command=GetThreadPieces,
        result=ThreadPieces,
        handler=get_pieces,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/threads/{thread_id}/pieces"),
        errors=(NotFound,),
    ),
)
