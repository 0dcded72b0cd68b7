"""``MunimentSaver``: checkpoints of LangGraph graphs, kept by the service."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    get_checkpoint_id,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from muniment.client import Client
from muniment.errors import Fault, InvalidInput
from muniment.langgraph.thread_calls import Place, Threads
from muniment.langgraph.whose import owner_of

R = TypeVar("R")
_COUNTERS: Final = "counters_since_delta_snapshot"


class MunimentSaver(BaseCheckpointSaver[str]):
    """Keeps checkpoints of graphs in the service behind ``client``, in a thread for each name.

    Whose threads are is said here: those of ``user_id``; with ``USER`` (``"{user_id}"``) of the
    user whom each config names as ``user_id``, and deletions and copies as ``user_id=``; without
    one, of nobody in particular. What names another user, or none where one is needed, is
    InvalidInput, so that nothing is looked for or deleted in the wrong place. The async methods
    work in threads on the same client.
    """

    def __init__(
        self,
        client: Client,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        serde: SerializerProtocol | None = None,
    ) -> None:
        super().__init__(serde=serde)
        self._client = client
        self._user_id = user_id
        self._namespace = namespace

    def _threads(self, config: RunnableConfig | None = None) -> Threads:
        named = {} if config is None else config.get("configurable", {})
        return self._of(named.get("user_id"), "/configurable/user_id")

    def _of(self, user_id: str | None, at: str = "/user_id") -> Threads:
        owner = owner_of(self._user_id, user_id, at)
        return Threads(self._client, owner, self._namespace, self.serde)

    def _place(self, config: RunnableConfig) -> Place:
        """Which checkpoint a config means; what it returns names the user as it did."""
        named = config["configurable"]
        shown = {"user_id": named["user_id"]} if "user_id" in named else {}
        return Place(
            str(named["thread_id"]),
            named.get("checkpoint_ns", ""),
            get_checkpoint_id(config) or None,
            shown,
        )

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names, or the last one of its thread and graph."""
        place = self._place(config)
        return next(self._threads(config).pages(place, limit=1), None)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - as the base class calls it
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Checkpoints, the last first: of a thread, or of all. ``filter`` gives metadata as values;
        only plain values of up to 2 KiB are found by.
        """
        until = None if before is None else get_checkpoint_id(before)
        place = None if config is None else self._place(config)
        anywhere = config is None or "checkpoint_ns" not in config["configurable"]
        yield from self._threads(config).pages(
            place, anywhere=anywhere, filter_=filter, before=until, limit=limit
        )

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint with the values of the channels that are new in it, all or nothing."""
        place = self._place(config)
        partial = list(metadata.get(_COUNTERS) or {})
        return self._threads(config).put(place, config, checkpoint, metadata, new_versions, partial)

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save what a task wrote, all or nothing: each place once, marks such as errors anew."""
        placed: dict[int, tuple[str, Any]] = {}
        for number, (channel, value) in enumerate(writes):
            placed[WRITES_IDX_MAP.get(channel, number)] = (channel, value)
        self._threads(config).put_writes(self._place(config), placed, task_id, task_path)

    def delete_thread(self, thread_id: str, *, user_id: str | None = None) -> None:
        """Delete a thread with all that is in it."""
        self._of(user_id).delete(thread_ids=[str(thread_id)])

    def delete_for_runs(self, run_ids: Sequence[str], *, user_id: str | None = None) -> None:
        """Delete the checkpoints whose metadata has one of these as ``run_id``."""
        self._of(user_id).delete(run_ids=_names(run_ids, "/run_ids"))

    def copy_thread(
        self, source_thread_id: str, target_thread_id: str, *, user_id: str | None = None
    ) -> None:
        """Copy a thread with all that is in it. Raises NotFound, and Conflict for a target that has
        checkpoints.
        """
        self._of(user_id).copy(str(source_thread_id), str(target_thread_id))

    def prune(
        self,
        thread_ids: Sequence[str],
        *,
        strategy: str = "keep_latest",
        user_id: str | None = None,
    ) -> None:
        """Delete all checkpoints of threads, or all but the last of each graph and those before it
        that its delta channels are made of.
        """
        if strategy not in {"keep_latest", "delete"}:
            raise ValueError(f"no strategy of pruning: {strategy!r}")
        names = _names(thread_ids, "/thread_ids")
        self._of(user_id).delete(thread_ids=names, latest=strategy == "keep_latest")

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """What tasks wrote to channels on the way to a checkpoint, and the value before that."""
        if not channels:
            return {}
        return self._threads(config).history(self._place(config), channels)

    def get_next_version(self, current: str | int | None, _channel: None = None) -> str:
        """The next version of a channel: a number, and a part that no fork of the thread has."""
        number = int(str(current).partition(".")[0]) if current is not None else 0
        return f"{number + 1:032}.{secrets.token_hex(8)}"

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """As ``get_tuple``."""
        return await _apart(lambda: self.get_tuple(config))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - as the base class calls it
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """As ``list``."""
        found = self.list(config, filter=filter, before=before, limit=limit)
        while (one := await _apart(lambda: next(found, None))) is not None:
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """As ``put``."""
        return await _apart(lambda: self.put(config, checkpoint, metadata, new_versions))

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """As ``put_writes``."""
        await _apart(lambda: self.put_writes(config, writes, task_id, task_path))

    async def adelete_thread(self, thread_id: str, *, user_id: str | None = None) -> None:
        """As ``delete_thread``."""
        await _apart(lambda: self.delete_thread(thread_id, user_id=user_id))

    async def adelete_for_runs(self, run_ids: Sequence[str], *, user_id: str | None = None) -> None:
        """As ``delete_for_runs``."""
        await _apart(lambda: self.delete_for_runs(run_ids, user_id=user_id))

    async def acopy_thread(
        self, source_thread_id: str, target_thread_id: str, *, user_id: str | None = None
    ) -> None:
        """As ``copy_thread``."""
        await _apart(lambda: self.copy_thread(source_thread_id, target_thread_id, user_id=user_id))

    async def aprune(
        self,
        thread_ids: Sequence[str],
        *,
        strategy: str = "keep_latest",
        user_id: str | None = None,
    ) -> None:
        """As ``prune``."""
        await _apart(lambda: self.prune(thread_ids, strategy=strategy, user_id=user_id))

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """As ``get_delta_channel_history``."""
        return await _apart(
            lambda: self.get_delta_channel_history(config=config, channels=channels)
        )


def _names(names: Sequence[str], at: str) -> list[str]:
    """Names of threads or runs. Raises InvalidInput for a text, which would be its letters."""
    if isinstance(names, str):
        raise InvalidInput(faults=[Fault(at, "is a list of names, no text")])
    return [str(one) for one in names]


async def _apart(work: Callable[[], R]) -> R:
    return await asyncio.to_thread(work)
