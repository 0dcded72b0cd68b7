"""Calls of the family threads. Generated; do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from muniment.client.calls import AsyncCall
from muniment.client.core import Endpoint
from muniment.client.generated.threads import (
    ChannelValue,
    ChannelVersion,
    PiecesSaved,
    TaskWrite,
    ThreadAncestors,
    ThreadCheckpoints,
    ThreadCopied,
    ThreadPieces,
    ThreadSaved,
    ThreadsDeleted,
    ThreadValue,
)

_PUT = Endpoint(
    "threads.put", "PUT", "/v1/threads/{thread_id}/checkpoints/{checkpoint_id}", writes=True
)
_PUT_WRITES = Endpoint(
    "threads.put_writes",
    "PUT",
    "/v1/threads/{thread_id}/checkpoints/{checkpoint_id}/writes/{task_id}",
    writes=True,
)
_PUT_PIECES = Endpoint("threads.put_pieces", "POST", "/v1/threads/{thread_id}/pieces", writes=True)
_COPY = Endpoint("threads.copy", "POST", "/v1/threads/{thread_id}/copy", writes=True)
_LIST = Endpoint("threads.list", "GET", "/v1/threads")
_HISTORY = Endpoint("threads.history", "GET", "/v1/threads/{thread_id}/history")
_GET_PIECES = Endpoint("threads.get_pieces", "GET", "/v1/threads/{thread_id}/pieces")
_DELETE = Endpoint("threads.delete", "POST", "/v1/threads/delete", writes=True)


class AsyncThreadsCalls:
    """Calls of the family threads."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def put(
        self,
        *,
        thread_id: str,
        checkpoint_id: str,
        state: ThreadValue,
        user_id: str | None = None,
        namespace: str = "default",
        checkpoint_ns: str = "",
        parent_id: str | None = None,
        channels: Sequence[ChannelVersion] = (),
        values: Sequence[ChannelValue] = (),
        partial: Sequence[str] = (),
        labels: Mapping[str, Any] | None = None,
        pieces: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> ThreadSaved:
        """Save a checkpoint of a thread.

        Save a checkpoint of a thread of a user, or of nobody in particular.

        ``channels`` are the versions that it is of; ``values`` those that are new with it. A
        value that is there under its version stays as it is. ``labels`` are what lists are
        filtered by, and a ``run_id`` among them is what it is deleted by. ``partial`` channels
        may have no value, and be made of what tasks wrote. ``pieces`` are those of its values
        that are not there yet.

        >>> await client.threads.put(thread_id="monday", checkpoint_id="checkpoint_id",
        ...     state=ThreadValue(type="type"))
        """
        return await self._call(
            _PUT, {'thread_id': thread_id, 'checkpoint_id': checkpoint_id, 'state': state,
            'user_id': user_id, 'namespace': namespace, 'checkpoint_ns': checkpoint_ns,
            'parent_id': parent_id, 'channels': channels, 'values': values, 'partial': partial,
            'labels': labels, 'pieces': pieces}, ThreadSaved, idempotency_key
        )  # fmt: skip

    async def put_writes(
        self,
        *,
        thread_id: str,
        checkpoint_id: str,
        task_id: str,
        writes: Sequence[TaskWrite],
        user_id: str | None = None,
        namespace: str = "default",
        checkpoint_ns: str = "",
        task_path: str = "",
        pieces: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> ThreadSaved:
        """Save what a task of a thread wrote.

        Save what a task wrote on top of a checkpoint, which need not be there yet: all of it or
        nothing. Places that the task wrote to before stay as they are, those below 0 aside.

        >>> await client.threads.put_writes(thread_id="monday", checkpoint_id="checkpoint_id",
        ...     task_id="task_id", writes=[TaskWrite(place=-32768, channel="channel",
        ...     type="type")])
        """
        return await self._call(
            _PUT_WRITES, {'thread_id': thread_id, 'checkpoint_id': checkpoint_id,
            'task_id': task_id, 'writes': writes, 'user_id': user_id, 'namespace': namespace,
            'checkpoint_ns': checkpoint_ns, 'task_path': task_path, 'pieces': pieces},
            ThreadSaved, idempotency_key
        )  # fmt: skip

    async def put_pieces(
        self,
        *,
        thread_id: str,
        pieces: Sequence[str],
        user_id: str | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> PiecesSaved:
        """Save pieces of large values of a thread.

        Save pieces of values that are too large for one call, before what names them.

        >>> await client.threads.put_pieces(thread_id="monday", pieces=["AAAA"])
        """
        return await self._call(
            _PUT_PIECES, {'thread_id': thread_id, 'pieces': pieces, 'user_id': user_id,
            'namespace': namespace}, PiecesSaved, idempotency_key
        )  # fmt: skip

    async def copy(
        self,
        *,
        thread_id: str,
        target_id: str,
        user_id: str | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> ThreadCopied:
        """Copy a thread to another name.

        Copy a thread with all that is in it to another name of the same owner.

        >>> await client.threads.copy(thread_id="monday", target_id="target_id")
        """
        return await self._call(
            _COPY, {'thread_id': thread_id, 'target_id': target_id, 'user_id': user_id,
            'namespace': namespace}, ThreadCopied, idempotency_key
        )  # fmt: skip

    async def list(
        self,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        thread_id: str | None = None,
        checkpoint_ns: str | None = None,
        checkpoint_id: str | None = None,
        older_than: str | None = None,
        filter: Mapping[str, Any] | None = None,
        cursor: str | None = None,
        limit: int = 10,
    ) -> ThreadCheckpoints:
        """List checkpoints of threads.

        Checkpoints of the threads of a user, or of nobody in particular, the latest first: of
        all of them, or of one ``thread_id``, of one graph of it, of one name. ``filter`` gives
        the labels that they have, as values; ``older_than`` names one.

        >>> await client.threads.list()
        """
        return await self._call(
            _LIST, {'user_id': user_id, 'namespace': namespace, 'thread_id': thread_id,
            'checkpoint_ns': checkpoint_ns, 'checkpoint_id': checkpoint_id,
            'older_than': older_than, 'filter': filter, 'cursor': cursor, 'limit': limit},
            ThreadCheckpoints
        )  # fmt: skip

    async def history(
        self,
        *,
        thread_id: str,
        channels: Sequence[str],
        user_id: str | None = None,
        namespace: str = "default",
        checkpoint_ns: str = "",
        checkpoint_id: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> ThreadAncestors:
        """Show what the channels of a checkpoint are made of.

        What the channels of a checkpoint are made of: the checkpoints that it came from,
        nearest first, each with the values that it has of these channels and what its tasks
        wrote to them. The last one has a value of every channel, or none before it.

        >>> await client.threads.history(thread_id="monday", channels=["channels"])
        """
        return await self._call(
            _HISTORY, {'thread_id': thread_id, 'channels': channels, 'user_id': user_id,
            'namespace': namespace, 'checkpoint_ns': checkpoint_ns,
            'checkpoint_id': checkpoint_id, 'cursor': cursor, 'limit': limit}, ThreadAncestors
        )  # fmt: skip

    async def get_pieces(
        self,
        *,
        thread_id: str,
        pieces: Sequence[str],
        user_id: str | None = None,
        namespace: str = "default",
    ) -> ThreadPieces:
        """Fetch pieces of large values of a thread.

        Pieces of values of a thread, by their digests.

        >>> await client.threads.get_pieces(thread_id="monday", pieces=["ab" * 32])
        """
        return await self._call(
            _GET_PIECES, {'thread_id': thread_id, 'pieces': pieces, 'user_id': user_id,
            'namespace': namespace}, ThreadPieces
        )  # fmt: skip

    async def delete(
        self,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        thread_ids: Sequence[str] = (),
        run_ids: Sequence[str] = (),
        keep: Literal["nothing", "latest"] = "nothing",
        idempotency_key: str | None = None,
    ) -> ThreadsDeleted:
        """Delete threads, or parts of them.

        Delete threads by name, and checkpoints of runs (the label ``run_id``) with what is of
        them alone. ``keep`` the ``latest``: of threads that are named, the last checkpoint of
        each graph stays, with those before it that its channels are made of.

        >>> await client.threads.delete()
        """
        return await self._call(
            _DELETE, {'user_id': user_id, 'namespace': namespace, 'thread_ids': thread_ids,
            'run_ids': run_ids, 'keep': keep}, ThreadsDeleted, idempotency_key
        )  # fmt: skip
