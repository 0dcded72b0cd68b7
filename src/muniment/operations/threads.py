"""threads.*: save what a graph is in after a step, what its tasks wrote since, and large values."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from typing import Annotated

from annotated_types import MaxLen, MinLen

from muniment.errors import Conflict, Fault, InvalidInput, NotFound, WritesRefused
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.thread_values import (
    MOST_CHANNELS,
    Carried,
    ChannelValue,
    Held,
    Place,
    TaskWrite,
    ThreadValue,
    columns,
    digests_of,
    held,
    owner_of,
    pieces_in,
)
from muniment.operations.types import Count, Identifier, Metadata, command
from muniment.ports import Context
from muniment.records.scopes import DEFAULT_NAMESPACE, open_scope
from muniment.records.threads import (
    SavedRow,
    ThreadRow,
    find_thread,
    lock_thread,
    note_thread,
    require_pieces,
)

MOST_WRITES = 10_000
_THREAD = "/v1/threads/{thread_id}"


@command
class ChannelVersion:
    """Which version of a channel a checkpoint is of."""

    channel: Identifier
    version: Identifier


@command
class PutThread:
    """Save a checkpoint of a thread of a user, or of nobody in particular.

    ``channels`` are the versions that it is of; ``values`` those that are new with it. A value that
    is there under its version stays as it is. ``labels`` are what lists are filtered by, and a
    ``run_id`` among them is what it is deleted by. ``partial`` channels may have no value, and be
    made of what tasks wrote. ``pieces`` are those of its values that are not there yet.
    """

    thread_id: Identifier
    checkpoint_id: Identifier
    state: ThreadValue
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    checkpoint_ns: Place = ""
    parent_id: Identifier | None = None
    channels: Annotated[tuple[ChannelVersion, ...], MaxLen(MOST_CHANNELS)] = ()
    values: Annotated[tuple[ChannelValue, ...], MaxLen(MOST_CHANNELS)] = ()
    partial: Annotated[tuple[Identifier, ...], MaxLen(MOST_CHANNELS)] = ()
    labels: Metadata | None = None
    pieces: Carried = ()


@command
class PutThreadWrites:
    """Save what a task wrote on top of a checkpoint, which need not be there yet: all of it or
    nothing. Places that the task wrote to before stay as they are, those below 0 aside.
    """

    thread_id: Identifier
    checkpoint_id: Identifier
    task_id: Identifier
    writes: Annotated[tuple[TaskWrite, ...], MaxLen(MOST_WRITES)]
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    checkpoint_ns: Place = ""
    task_path: Place = ""
    pieces: Carried = ()


@command
class PutThreadPieces:
    """Save pieces of values that are too large for one call, before what names them."""

    thread_id: Identifier
    pieces: Annotated[Carried, MinLen(1)]
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE


@command
class CopyThread:
    """Copy a thread with all that is in it to another name of the same owner."""

    thread_id: Identifier
    target_id: Identifier
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE


@dataclass(frozen=True)
class ThreadSaved:
    """What was saved."""

    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str


@dataclass(frozen=True)
class PiecesSaved:
    """Digests of pieces that are there now."""

    thread_id: str
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class ThreadCopied:
    """Where the copy is, and of how many checkpoints."""

    thread_id: str
    checkpoints: Count


async def put(command: PutThread, ctx: Context) -> ThreadSaved:
    """The same again changes nothing. Raises Conflict for a piece that is not there."""
    state = held(command.state, "/state")
    values = [held(one, f"/values/{place}") for place, one in enumerate(command.values)]
    digest = _digest_of(command)
    thread = await lock_thread(ctx, owner_of(command), command.thread_id)
    _note(ctx, command)
    done = ThreadSaved(command.thread_id, command.checkpoint_ns, command.checkpoint_id)
    before = await ctx.unit.one(
        SavedRow,
        "thread_saved",
        **thread.place,
        ns=command.checkpoint_ns,
        checkpoint_id=command.checkpoint_id,
    )
    if before is not None and before.digest == digest:
        return done
    await _keep_pieces(ctx, thread, command.pieces, [state, *values])
    await _store(ctx, thread, command, (state, values), digest, before)
    name = f"checkpoint:{ctx.digest(f'{command.checkpoint_ns}|{command.checkpoint_id}')}"
    note_thread(ctx, thread, name, None if before is None else before.digest, digest)
    return done


def _digest_of(command: PutThread) -> bytes:
    said = [
        command.parent_id,
        vars(command.state),
        [vars(one) for one in command.values],
        [vars(one) for one in command.channels],
        command.partial,
        command.labels or {},
    ]
    return sha256(dumps(said, sort_keys=True).encode()).digest()


async def _keep_pieces(
    ctx: Context, thread: ThreadRow, carried: Sequence[str], values: Sequence[Held]
) -> None:
    """Pieces that came along are kept; those that values name have to be there."""
    found = pieces_in(carried)
    if found:
        await ctx.unit.run(
            "thread_put_pieces",
            **thread.place,
            digests=list(found),
            datas=list(found.values()),
            now=ctx.now,
        )
    await require_pieces(ctx, thread, (one for one in digests_of(values) if one not in found))


async def _store(
    ctx: Context,
    thread: ThreadRow,
    command: PutThread,
    made: tuple[Held, Sequence[Held]],
    digest: bytes,
    before: SavedRow | None,
) -> None:
    state, values = made
    labels = command.labels or {}
    run_id = labels.get("run_id")
    own = command.parent_id == command.checkpoint_id
    await ctx.unit.later(
        "thread_put",
        **thread.place,
        ns=command.checkpoint_ns,
        checkpoint_id=command.checkpoint_id,
        parent_id=None if own else command.parent_id,
        **vars(state),
        versions=dumps({one.channel: one.version for one in command.channels}),
        partial=list(command.partial),
        labels=dumps(labels),
        run_id=run_id if isinstance(run_id, str) and len(run_id.encode()) <= 256 else None,
        digest=digest,
        channels=[one.channel for one in command.values],
        channel_versions=[one.version for one in command.values],
        **columns(values),
        replaced=0 if before is None else before.bytes,
        now=ctx.now,
    )


def _note(ctx: Context, command: PutThread | PutThreadWrites) -> None:
    ctx.trail.detail |= {
        "thread": ctx.digest(command.thread_id),
        "checkpoint": ctx.digest(command.checkpoint_id),
    }


async def put_writes(command: PutThreadWrites, ctx: Context) -> ThreadSaved:
    """Raises Conflict for a piece that is not there, InvalidInput for a place that comes twice."""
    places = [one.place for one in command.writes]
    if len(set(places)) != len(places):
        raise InvalidInput(faults=[Fault("/writes", "has a place twice")])
    values = [held(one, f"/writes/{place}") for place, one in enumerate(command.writes)]
    thread = await lock_thread(ctx, owner_of(command), command.thread_id)
    _note(ctx, command)
    await _keep_pieces(ctx, thread, command.pieces, values)
    await ctx.unit.later(
        "thread_put_writes",
        **thread.place,
        ns=command.checkpoint_ns,
        checkpoint_id=command.checkpoint_id,
        task_id=command.task_id,
        task_path=command.task_path,
        places=places,
        channels=[one.channel for one in command.writes],
        **columns(values),
        now=ctx.now,
    )
    said = sha256(dumps([vars(one) for one in command.writes], sort_keys=True).encode()).digest()
    note_thread(ctx, thread, f"writes:{ctx.digest(command.task_id)}", None, said)
    return ThreadSaved(command.thread_id, command.checkpoint_ns, command.checkpoint_id)


async def put_pieces(command: PutThreadPieces, ctx: Context) -> PiecesSaved:
    """The same again changes nothing."""
    thread = await lock_thread(ctx, owner_of(command), command.thread_id)
    ctx.trail.detail |= {"thread": ctx.digest(command.thread_id), "pieces": len(command.pieces)}
    await _keep_pieces(ctx, thread, command.pieces, [])
    named = tuple(digest.hex() for digest in pieces_in(command.pieces))
    return PiecesSaved(command.thread_id, named)


async def copy(command: CopyThread, ctx: Context) -> ThreadCopied:
    """Raises NotFound for a thread that is not there, Conflict for a target with checkpoints."""
    owner = owner_of(command)
    if command.thread_id == command.target_id:
        raise InvalidInput(faults=[Fault("/target_id", "is the thread itself")])
    if await find_thread(ctx, owner, command.thread_id) is None:
        raise NotFound("There is no such thread.")
    # Before any thread: who makes one locks the scope, and so does who forgets.
    await open_scope(ctx, owner.user_id, owner.namespace)
    source = await lock_thread(ctx, owner, command.thread_id)
    target = await lock_thread(ctx, owner, command.target_id)
    if await ctx.unit.value("thread_size", scope_id=target.scope_id, threads=[target.thread_pk]):
        raise Conflict("The target has checkpoints of its own.")
    ctx.trail.detail |= {
        "thread": ctx.digest(source.thread_id),
        "target": ctx.digest(target.thread_id),
    }
    await ctx.unit.run("thread_empty", **target.place)
    count = await ctx.unit.value(
        "thread_copy", **source.place, target=target.thread_pk, bytes=source.bytes, now=ctx.now
    )
    note_thread(ctx, target, "copy", None, source.salt.bytes)
    return ThreadCopied(target.thread_id, int(count))


OPERATIONS = (
    Operation(
        name="threads.put",
        summary="Save a checkpoint of a thread",
        command=PutThread,
        result=ThreadSaved,
        handler=put,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("PUT", f"{_THREAD}/checkpoints/{{checkpoint_id}}"),
        errors=(Conflict, WritesRefused),
    ),
    Operation(
        name="threads.put_writes",
        summary="Save what a task of a thread wrote",
        command=PutThreadWrites,
        result=ThreadSaved,
        handler=put_writes,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("PUT", f"{_THREAD}/checkpoints/{{checkpoint_id}}/writes/{{task_id}}"),
        errors=(Conflict, WritesRefused),
    ),
    Operation(
        name="threads.put_pieces",
        summary="Save pieces of large values of a thread",
        command=PutThreadPieces,
        result=PiecesSaved,
        handler=put_pieces,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", f"{_THREAD}/pieces"),
        errors=(Conflict, WritesRefused),
    ),
    Operation(
        name="threads.copy",
        summary="Copy a thread to another name",
        command=CopyThread,
        result=ThreadCopied,
        handler=copy,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", f"{_THREAD}/copy"),
        errors=(NotFound, Conflict, WritesRefused),
    ),
)
