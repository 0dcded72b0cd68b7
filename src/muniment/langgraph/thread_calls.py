"""Threads of one owner over the SDK: what a saver's calls become, and what comes back."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    PendingWrite,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from muniment.client import Client
from muniment.client.models import (
    ChannelValue,
    ChannelVersion,
    StoredChannel,
    StoredValue,
    StoredWrite,
    TaskWrite,
    ThreadAncestors,
    ThreadCheckpoint,
    ThreadCheckpoints,
    ThreadValue,
)
from muniment.errors import Conflict, Fault, InvalidInput
from muniment.langgraph.thread_values import (
    MAX_CARRIED,
    Packed,
    Typed,
    carried,
    labels,
    missing,
    pack,
    unlike_labels,
    unpack,
)

R = TypeVar("R")
_PAGE = 10
_NAMES = 1000


@dataclass(frozen=True)
class Place:
    """A checkpoint, or the last of a graph of a thread; ``shown`` is in every config of it too."""

    thread_id: str
    ns: str
    checkpoint_id: str | None
    shown: Mapping[str, Any] = field(default_factory=dict)

    def config(self, ns: str, checkpoint_id: str, thread_id: str | None = None) -> RunnableConfig:
        """A config that names a checkpoint of the thread."""
        named = {
            "thread_id": thread_id or self.thread_id,
            "checkpoint_ns": ns,
            "checkpoint_id": checkpoint_id,
        }
        return {"configurable": {**named, **self.shown}}


@dataclass(frozen=True)
class Threads:
    """The threads of an owner."""

    client: Client
    user_id: str | None
    namespace: str
    serde: SerializerProtocol

    @property
    def _owner(self) -> dict[str, Any]:
        return {"user_id": self.user_id, "namespace": self.namespace}

    def put(
        self,
        place: Place,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        partial: Sequence[str],
    ) -> RunnableConfig:
        """Save a checkpoint; the config that names it."""
        bare = {name: one for name, one in checkpoint.items() if name != "channel_values"}
        told = get_checkpoint_metadata(config, metadata)
        values = checkpoint["channel_values"]
        versions = [
            ChannelVersion(channel=as_it_is(name), version=str(one))
            for name, one in checkpoint["channel_versions"].items()
        ]
        new = [(name, one) for name, one in new_versions.items() if name in values]
        packed = pack(
            [
                self._dumped({"checkpoint": bare, "metadata": told}),
                *(self._dumped(values[name]) for name, _ in new),
            ]
        )
        state, *rest = packed.values
        self._send(
            place,
            packed,
            lambda pieces: self.client.threads.put(
                **self._owner,
                thread_id=place.thread_id,
                checkpoint_id=checkpoint["id"],
                checkpoint_ns=place.ns,
                parent_id=place.checkpoint_id,
                state=ThreadValue(**state),
                channels=versions,
                values=[
                    ChannelValue(channel=name, version=str(one), **value)
                    for (name, one), value in zip(new, rest, strict=True)
                ],
                partial=list(partial),
                labels=labels(told),
                pieces=pieces,
            ),
        )
        return place.config(place.ns, checkpoint["id"])

    def put_writes(
        self,
        place: Place,
        placed: Mapping[int, tuple[str, Any]],
        task_id: str,
        task_path: str,
    ) -> None:
        """Save what a task wrote."""
        packed = pack([self._dumped(value) for _, value in placed.values()])
        self._send(
            place,
            packed,
            lambda pieces: self.client.threads.put_writes(
                **self._owner,
                thread_id=place.thread_id,
                checkpoint_id=place.checkpoint_id or "",
                checkpoint_ns=place.ns,
                task_id=task_id,
                task_path=task_path,
                writes=[
                    TaskWrite(place=number, channel=as_it_is(channel), **value)
                    for (number, (channel, _)), value in zip(
                        placed.items(), packed.values, strict=True
                    )
                ],
                pieces=pieces,
            ),
        )

    def _dumped(self, value: Any) -> Typed:
        """A value as its serializer makes it. Raises InvalidInput for broken text in it."""
        try:
            return self.serde.dumps_typed(value)
        except TypeError as error:
            if "surrogates" not in str(error):
                raise
            raise InvalidInput("A value has broken characters in a text.") from None

    def _send(self, place: Place, packed: Packed, call: Callable[[list[str]], Any]) -> None:
        """With its pieces in one call where they fit; else these first, and once more where one was
        cleared away meanwhile.
        """
        small = len(packed.pieces) <= MAX_CARRIED and not _heavy(packed)
        if small:
            call([one for parcel in packed.parcels() for one in parcel])
            return
        self._send_pieces(place, packed)
        try:
            call([])
        except Conflict:
            self._send_pieces(place, packed)
            call([])

    def _send_pieces(self, place: Place, packed: Packed) -> None:
        for parcel in packed.parcels():
            self.client.threads.put_pieces(**self._owner, thread_id=place.thread_id, pieces=parcel)

    def pages(
        self,
        place: Place | None,
        *,
        anywhere: bool = False,
        filter_: Mapping[str, Any] | None = None,
        before: str | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Checkpoints, the last first: of every graph where it is ``anywhere``."""
        if filter_ is not None and not isinstance(filter_, Mapping):
            raise InvalidInput(faults=[Fault("/filter", "is no object")])
        left, cursor = limit, None
        while left is None or left > 0:
            page = self.client.threads.list(
                **self._owner,
                thread_id=None if place is None else place.thread_id,
                checkpoint_ns=None if place is None or anywhere else place.ns,
                checkpoint_id=None if place is None else place.checkpoint_id,
                older_than=before,
                filter=dict(filter_) if filter_ else None,
                cursor=cursor,
                limit=_PAGE if left is None else min(left, _PAGE),
            )
            for found in self._tuples(place, page):
                if not unlike_labels(found.metadata, filter_):
                    yield found
                    left = None if left is None else left - 1
            cursor = page.next
            if cursor is None:
                return

    def _tuples(self, place: Place | None, page: ThreadCheckpoints) -> Iterator[CheckpointTuple]:
        values = {(o.thread_id, o.checkpoint_ns, o.channel, o.version): o for o in page.values}
        pieces = carried(page.pieces)
        for item in page.items:
            pieces |= self._pieces(item.thread_id, [item.state], pieces)
            said = self.serde.loads_typed(unpack(item.state, pieces))
            named = [
                values.get((item.thread_id, item.checkpoint_ns, name, str(one)))
                for name, one in said["checkpoint"]["channel_versions"].items()
            ]
            own = [one for one in named if one is not None]
            written = [one.value for one in item.writes]
            pieces |= self._pieces(item.thread_id, [*(one.value for one in own), *written], pieces)
            yield self._tuple(place or Place(item.thread_id, "", None), item, said, (own, pieces))

    def _tuple(
        self,
        place: Place,
        item: ThreadCheckpoint,
        said: Mapping[str, Any],
        held: tuple[Sequence[StoredChannel], Mapping[str, bytes]],
    ) -> CheckpointTuple:
        own, pieces = held
        values = {one.channel: self.serde.loads_typed(unpack(one.value, pieces)) for one in own}
        where = (item.checkpoint_ns, item.thread_id)
        bare: Checkpoint = said["checkpoint"]
        return CheckpointTuple(
            config=place.config(where[0], item.checkpoint_id, where[1]),
            checkpoint={**bare, "channel_values": values},
            metadata=said["metadata"],
            parent_config=(
                None if item.parent_id is None else place.config(where[0], item.parent_id, where[1])
            ),
            pending_writes=[self._write(one, pieces) for one in item.writes],
        )

    def _write(self, one: StoredWrite, pieces: Mapping[str, bytes]) -> PendingWrite:
        return one.task_id, one.channel, self.serde.loads_typed(unpack(one.value, pieces))

    def _pieces(
        self, thread_id: str, values: Sequence[StoredValue], there: Mapping[str, bytes]
    ) -> dict[str, bytes]:
        """The pieces of values that did not come along."""
        found: dict[str, bytes] = {}
        for wanted in missing(values, there):
            answer = self.client.threads.get_pieces(
                **self._owner, thread_id=thread_id, pieces=wanted
            )
            found |= carried(answer.pieces)
        return found

    def history(self, place: Place, channels: Sequence[str]) -> Mapping[str, DeltaChannelHistory]:
        """What tasks wrote to channels on the way to a checkpoint, oldest first, since the last
        value of each, and that value.
        """
        writes: dict[str, list[PendingWrite]] = {name: [] for name in channels}
        seeds: dict[str, Any] = {}
        for page in self._ancestors(place, channels, seeds):
            pieces = carried(page.pieces)
            for item in page.items:
                whole = [*(one.value for one in item.values), *(one.value for one in item.writes)]
                pieces |= self._pieces(place.thread_id, whole, pieces)
                for one in reversed(item.writes):
                    if one.channel not in seeds:
                        writes[one.channel].append(self._write(one, pieces))
                for value in item.values:
                    if value.channel not in seeds:
                        told = self.serde.loads_typed(unpack(value.value, pieces))
                        seeds[value.channel] = told
        found: dict[str, DeltaChannelHistory] = {}
        for name in channels:
            found[name] = {"writes": writes[name][::-1]}
            if name in seeds:
                found[name]["seed"] = seeds[name]
        return found

    def _ancestors(
        self, place: Place, channels: Sequence[str], seeds: Mapping[str, Any]
    ) -> Iterator[ThreadAncestors]:
        """Pages, as long as a channel has no value yet."""
        cursor, seen = None, set[str]()
        while cursor not in seen and (left := [one for one in channels if one not in seeds]):
            page = self.client.threads.history(
                **self._owner,
                thread_id=place.thread_id,
                checkpoint_ns=place.ns,
                checkpoint_id=place.checkpoint_id,
                channels=list(dict.fromkeys(left)),
                cursor=cursor,
            )
            yield page
            if page.next is None:
                return
            seen |= {cursor} if cursor else set()
            cursor = page.next

    def delete(
        self, *, thread_ids: Sequence[str] = (), run_ids: Sequence[str] = (), latest: bool = False
    ) -> None:
        """Delete threads, all but the ``latest`` of them, or what runs saved."""
        keep: Literal["nothing", "latest"] = "latest" if latest else "nothing"
        for at in range(0, max(len(thread_ids), len(run_ids)), _NAMES):
            self.client.threads.delete(
                **self._owner,
                thread_ids=list(thread_ids[at : at + _NAMES]),
                run_ids=list(run_ids[at : at + _NAMES]),
                keep=keep,
            )

    def copy(self, thread_id: str, target_id: str) -> None:
        """Copy a thread to another name."""
        self.client.threads.copy(**self._owner, thread_id=thread_id, target_id=target_id)


def _heavy(packed: Packed) -> bool:
    """Whether the pieces do not fit beside the values."""
    size = sum(len(one["data"] or "") for one in packed.values)
    return size + sum(len(one) * 4 // 3 for one in packed.pieces.values()) > 3 * 1024 * 1024


def as_it_is(channel: str) -> str:
    """A channel's name, which the service keeps in its normal form. Raises InvalidInput for one in
    another form: it would come back as another channel.
    """
    broken = channel.encode("utf-8", "replace") != channel.encode("utf-8", "surrogatepass")
    if broken or unicodedata.normalize("NFC", channel) != channel:
        raise InvalidInput(faults=[Fault("/channel", "is not in the normal form NFC")])
    return channel
