"""Threads of graphs as they are stored: found by name, locked for a write, read by the page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from muniment.errors import Conflict, Overtaken, WritesRefused
from muniment.ports import Context
from muniment.records.runs import kept_since
from muniment.records.scopes import open_scope

DIGEST_BYTES = 32


@dataclass(frozen=True)
class ThreadRow:
    """A thread, and where it lies."""

    scope_id: UUID
    thread_pk: UUID
    thread_id: str
    bytes: int
    salt: UUID

    @property
    def place(self) -> dict[str, UUID]:
        """What names it in statements."""
        return {"scope_id": self.scope_id, "thread_pk": self.thread_pk}


@dataclass(frozen=True)
class _Locked(ThreadRow):
    opted_out_at: datetime | None


@dataclass(frozen=True)
class Owner:
    """Whose threads are meant: a user's or nobody's in particular, in a namespace."""

    user_id: str | None
    namespace: str


@dataclass(frozen=True)
class SavedRow:
    """What a checkpoint was, by its digest, and how much it took."""

    digest: bytes
    bytes: int


@dataclass(frozen=True)
class CheckpointRow:
    """A checkpoint of a thread, without the values of its channels."""

    thread_id: str
    thread_pk: UUID
    ns: str
    checkpoint_id: str
    parent_id: str | None
    type: str
    data: bytes | None
    pieces: bytes | None
    versions: dict[str, str]
    recorded_at: datetime


@dataclass(frozen=True)
class PathRow:
    """A checkpoint on the way to another."""

    checkpoint_id: str
    parent_id: str | None
    versions: dict[str, str]


@dataclass(frozen=True)
class ValueRow:
    """A value of a channel."""

    thread_pk: UUID
    ns: str
    channel: str
    version: str
    type: str
    data: bytes | None
    pieces: bytes | None


@dataclass(frozen=True)
class WriteRow:
    """What a task wrote."""

    thread_pk: UUID
    ns: str
    checkpoint_id: str
    task_id: str
    place: int
    task_path: str
    channel: str
    type: str
    data: bytes | None
    pieces: bytes | None


@dataclass(frozen=True)
class PieceRow:
    """A piece of a value."""

    digest: bytes
    data: bytes


@dataclass(frozen=True)
class Named:
    """A checkpoint by its name."""

    thread_pk: UUID
    ns: str
    checkpoint_id: str


async def find_thread(ctx: Context, owner: Owner, thread_id: str) -> ThreadRow | None:
    """The thread, if it is there."""
    return await ctx.unit.one(
        ThreadRow, "thread_find", thread_id=thread_id, since=kept_since(ctx), **vars(owner)
    )


async def lock_thread(ctx: Context, owner: Owner, thread_id: str) -> ThreadRow:
    """The thread for a write, made on first use: nobody else writes into it until the transaction
    ends. Raises WritesRefused, Forgotten, QuotaExceeded, StorageFull and Overtaken.
    """
    locked = await _lock(ctx, owner, thread_id)
    if locked is None:
        mark = await open_scope(ctx, owner.user_id, owner.namespace)
        since = kept_since(ctx)
        await ctx.unit.run(
            "thread_outdated", scope_id=mark.scope_id, thread_id=thread_id, since=since
        )
        await ctx.unit.run(
            "thread_insert",
            scope_id=mark.scope_id,
            thread_pk=ctx.ids.new(),
            thread_id=thread_id,
            now=ctx.now,
        )
        locked = await _lock(ctx, owner, thread_id)
        if locked is None:
            raise Overtaken
    else:
        if locked.opted_out_at is not None:
            raise WritesRefused("This user takes no writes.")
        await ctx.quotas.check(ctx.unit, locked.scope_id)
    ctx.trail.subjects.append(locked.thread_pk)
    ctx.trail.about.append(locked.thread_pk)
    return locked


async def _lock(ctx: Context, owner: Owner, thread_id: str) -> _Locked | None:
    return await ctx.unit.one(
        _Locked, "thread_lock", thread_id=thread_id, since=kept_since(ctx), **vars(owner)
    )


def note_thread(
    ctx: Context, thread: ThreadRow, what: str, before: bytes | None, after: bytes | None
) -> None:
    """Note for the audit entry what a part of the thread was and becomes, by salted digests."""
    salted = [
        None if one is None else sha256(thread.salt.bytes + one).hexdigest()
        for one in (before, after)
    ]
    ctx.trail.changes[f"{thread.thread_pk}:{what}"] = (salted[0], salted[1])


async def require_pieces(ctx: Context, thread: ThreadRow, named: Iterable[bytes]) -> None:
    """Raises Conflict unless every piece that values are made of is there."""
    digests = list(set(named))
    if digests:
        there = await ctx.unit.value("thread_pieces_there", **thread.place, digests=digests)
        if there != len(digests):
            raise Conflict("A piece of a value is not there; see threads.put_pieces.")


async def values_of(
    ctx: Context, scope_id: UUID, wanted: Iterable[tuple[UUID, str, str, str]]
) -> list[ValueRow]:
    """Values by thread, graph, channel and version, as far as they are there."""
    keys = list(dict.fromkeys(wanted))
    if not keys:
        return []
    threads, spaces, channels, versions = (list(part) for part in zip(*keys, strict=True))
    return await ctx.unit.rows(
        ValueRow,
        "thread_values",
        scope_id=scope_id,
        threads=threads,
        spaces=spaces,
        channels=channels,
        versions=versions,
    )


async def writes_of(
    ctx: Context,
    scope_id: UUID,
    checkpoints: Iterable[tuple[UUID, str, str]],
    only: Sequence[str] | None = None,
) -> Mapping[tuple[UUID, str, str], list[WriteRow]]:
    """What tasks wrote since checkpoints, of these channels alone if any are named."""
    keys = list(checkpoints)
    found: dict[tuple[UUID, str, str], list[WriteRow]] = {key: [] for key in keys}
    if keys:
        threads, spaces, names = (list(part) for part in zip(*keys, strict=True))
        rows = await ctx.unit.rows(
            WriteRow,
            "thread_writes",
            scope_id=scope_id,
            threads=threads,
            spaces=spaces,
            checkpoints=names,
            only=None if only is None else list(only),
        )
        for row in rows:
            found[row.thread_pk, row.ns, row.checkpoint_id].append(row)
    return found


async def pieces_of(
    ctx: Context, scope_id: UUID, thread_pk: UUID, digests: Sequence[bytes]
) -> list[PieceRow]:
    """Pieces of values of a thread, as far as they are there."""
    if not digests:
        return []
    return await ctx.unit.rows(
        PieceRow,
        "thread_pieces",
        scope_id=scope_id,
        thread_pk=thread_pk,
        digests=list(digests),
    )


async def clear_away(
    ctx: Context, scope_id: UUID, threads: Sequence[UUID], gone: Sequence[Named]
) -> None:
    """After checkpoints of locked threads went: what was of them alone goes, and is counted."""
    names: dict[str, Any] = {"scope_id": scope_id, "threads": list(threads)}
    await ctx.unit.run(
        "thread_delete_writes",
        scope_id=scope_id,
        threads=[one.thread_pk for one in gone],
        spaces=[one.ns for one in gone],
        checkpoints=[one.checkpoint_id for one in gone],
    )
    await ctx.unit.run("thread_delete_values", **names)
    await ctx.unit.run("thread_delete_pieces", **names)
    await ctx.unit.run("thread_recount", **names, now=ctx.now)


def split_digests(pieces: bytes | None) -> list[bytes]:
    """The digests of the pieces that a value is made of."""
    whole = pieces or b""
    return [whole[at : at + DIGEST_BYTES] for at in range(0, len(whole), DIGEST_BYTES)]
