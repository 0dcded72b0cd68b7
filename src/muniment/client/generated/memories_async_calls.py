"""Calls of the family memories. Generated; do not edit."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall
from muniment.client.core import Endpoint
from muniment.client.generated.memories import (
    Appearances,
    Changed,
    Citation,
    History,
    Items,
    Kept,
    Lineage,
    Remembered,
    UndoneDecision,
)
from muniment.client.generated.shared import (
    Item,
)

_REMEMBER = Endpoint("memories.remember", "POST", "/v1/memories", writes=True)
_GET = Endpoint("memories.get", "GET", "/v1/memories/{id}")
_LIST = Endpoint("memories.list", "GET", "/v1/memories")
_HISTORY = Endpoint("memories.history", "GET", "/v1/memories/{id}/history")
_LINEAGE = Endpoint("memories.lineage", "GET", "/v1/memories/{id}/lineage")
_APPEARANCES = Endpoint("memories.appearances", "GET", "/v1/memories/{id}/appearances")
_CORRECT = Endpoint("memories.correct", "POST", "/v1/memories/{id}/correct", writes=True)
_RETRACT = Endpoint("memories.retract", "POST", "/v1/memories/{id}/retract", writes=True)
_CONFIRM = Endpoint("memories.confirm", "POST", "/v1/memories/{id}/confirm", writes=True)
_PIN = Endpoint("memories.pin", "POST", "/v1/memories/{id}/pin", writes=True)
_UNPIN = Endpoint("memories.unpin", "POST", "/v1/memories/{id}/unpin", writes=True)
_RESTORE = Endpoint("memories.restore", "POST", "/v1/memories/{id}/restore", writes=True)
_UNDO = Endpoint("memories.undo", "POST", "/v1/memories/{id}/undo", writes=True)


class AsyncMemoriesCalls:
    """Calls of the family memories."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def remember(
        self,
        *,
        kind: str,
        text: str,
        user_id: str | None = None,
        namespace: str = "default",
        subject: str | None = None,
        slot: str | None = None,
        value: str | None = None,
        detail: str | None = None,
        data_source: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        evidence: Sequence[Citation] = (),
        label: Literal["confirmatory", "exploratory", "exploratory_divergent"] | None = None,
        speaker: Literal["assistant", "operator"] = "assistant",
        agent_id: str | None = None,
        category: Literal["public", "internal", "personal", "regulated"] = "personal",
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Remembered:
        """State a memory.

        State a memory. Without a ``user_id`` it is the organisation's, where the kind allows.

        ``text`` is one or two self-contained sentences in the third person. ``slot`` and
        ``value`` go together; ``subject`` names whom or what it is about when that is not the
        user. Trust follows from the cited turns and from who speaks (RULES 4), never from a
        field.

        >>> await client.memories.remember(kind="fact", text="Nora lives in Gouda.",
        ...     user_id="nora", slot="city", value="Gouda")
        """
        return await self._call(
            _REMEMBER, {'kind': kind, 'text': text, 'user_id': user_id, 'namespace': namespace,
            'subject': subject, 'slot': slot, 'value': value, 'detail': detail,
            'data_source': data_source, 'valid_from': valid_from, 'valid_to': valid_to,
            'evidence': evidence, 'label': label, 'speaker': speaker, 'agent_id': agent_id,
            'category': category, 'metadata': metadata}, Remembered, idempotency_key
        )  # fmt: skip

    async def get(
        self, *, id: UUID, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Item:
        """Show a memory, an event or a summary.

        An item by its id: a memory, an event or a summary.

        >>> await client.memories.get(id=memory_id)
        """
        return await self._call(_GET, {"id": id, "as_of": as_of, "known_at": known_at}, Item)

    async def list(
        self,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        tiers: Sequence[Literal["episodic", "semantic"]] = ("semantic",),
        kinds: Sequence[str] | None = None,
        standing: Sequence[Literal["asserted", "contested", "quarantined", "archived"]] = (
            "asserted",
        ),
        data_source: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        filter: Mapping[str, Any] | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Items:
        """List what is held of a user or of the organisation.

        Items of a user (or, without one, of the organisation), oldest record first.

        ``standing`` widens the list beyond what is asserted; ``tiers`` beyond memories, to what
        the key reaches.

        >>> await client.memories.list(user_id="nora")
        """
        return await self._call(
            _LIST, {'user_id': user_id, 'namespace': namespace, 'tiers': tiers, 'kinds': kinds,
            'standing': standing, 'data_source': data_source, 'as_of': as_of,
            'known_at': known_at, 'filter': filter, 'cursor': cursor, 'limit': limit}, Items
        )  # fmt: skip

    async def history(self, *, id: UUID) -> History:
        """Show how a memory came about.

        How a memory, and what stood in its slot before and after it, came about.

        >>> await client.memories.history(id=memory_id)
        """
        return await self._call(_HISTORY, {"id": id}, History)

    async def lineage(self, *, id: UUID) -> Lineage:
        """Show what a memory rests on and how it came about.

        What a memory rests on, what it was made of, and what was made of it.

        >>> await client.memories.lineage(id=memory_id)
        """
        return await self._call(_LINEAGE, {"id": id}, Lineage)

    async def appearances(
        self, *, user_id: str, id: UUID, cursor: str | None = None, limit: int = 50
    ) -> Appearances:
        """Show which answers had an item, and which steps of runs those entered.

        Answers for a user that had the item with this id: a memory, a turn, a summary, a chunk.

        >>> await client.memories.appearances(user_id="nora", id=memory_id)
        """
        return await self._call(
            _APPEARANCES, {'user_id': user_id, 'id': id, 'cursor': cursor, 'limit': limit},
            Appearances
        )  # fmt: skip

    async def correct(
        self,
        *,
        id: UUID,
        text: str | None = None,
        value: str | None = None,
        detail: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        evidence: Sequence[Citation] = (),
        label: Literal["confirmatory", "exploratory", "exploratory_divergent"] | None = None,
        speaker: Literal["assistant", "operator"] = "assistant",
        agent_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Changed:
        """Correct a memory: the record was wrong.

        The record was wrong: what is right takes its place, in the same window unless one is
        given.

        A given date is about the window that holds now, or the last one. ``value`` alone is put
        where the text states the old one; a text that states another needs the value too. A
        lower grade than the memory's stands beside it, contested; so does the word of one
        principal against a fault of the data that two observed.

        >>> await client.memories.correct(id=memory_id, text="Nora lives in Delft.",
        ...     value="Delft")
        """
        return await self._call(
            _CORRECT, {'id': id, 'text': text, 'value': value, 'detail': detail,
            'valid_from': valid_from, 'valid_to': valid_to, 'evidence': evidence, 'label': label,
            'speaker': speaker, 'agent_id': agent_id, 'metadata': metadata}, Changed,
            idempotency_key
        )  # fmt: skip

    async def retract(
        self,
        *,
        id: UUID,
        at: datetime | None = None,
        evidence: Sequence[Citation] = (),
        speaker: Literal["assistant", "operator"] = "assistant",
        idempotency_key: str | None = None,
    ) -> Changed:
        """Take a memory back: it is so no more.

        It is so no more, from ``at`` on: by default from when the cited turns said so, or now.

        At a lower grade than the memory's it is rejected, and the attempt is kept in its
        history; so is the word of one principal against a fault of the data that two observed
        (`gone_once`).

        >>> await client.memories.retract(id=memory_id)
        """
        return await self._call(
            _RETRACT, {'id': id, 'at': at, 'evidence': evidence, 'speaker': speaker}, Changed,
            idempotency_key
        )  # fmt: skip

    async def confirm(
        self,
        *,
        id: UUID,
        evidence: Sequence[Citation] = (),
        label: Literal["confirmatory", "exploratory", "exploratory_divergent"] | None = None,
        speaker: Literal["assistant", "operator"] = "assistant",
        idempotency_key: str | None = None,
    ) -> Changed:
        """Confirm a memory: it was observed again.

        It was observed again: evidence, a later observation, and a new life where the kind has
        one.

        Never raises what a memory is trusted at.

        >>> await client.memories.confirm(id=memory_id)
        """
        return await self._call(
            _CONFIRM, {'id': id, 'evidence': evidence, 'label': label, 'speaker': speaker},
            Changed, idempotency_key
        )  # fmt: skip

    async def pin(self, *, id: UUID, idempotency_key: str | None = None) -> Kept:
        """Pin a memory.

        Keep a memory on the profile, and from decay. One that was archived comes back.

        >>> await client.memories.pin(id=memory_id)
        """
        return await self._call(_PIN, {"id": id}, Kept, idempotency_key)

    async def unpin(self, *, id: UUID, idempotency_key: str | None = None) -> Kept:
        """Unpin a memory.

        Let a memory be kept and shown like any other.

        >>> await client.memories.unpin(id=memory_id)
        """
        return await self._call(_UNPIN, {"id": id}, Kept, idempotency_key)

    async def restore(self, *, id: UUID, idempotency_key: str | None = None) -> Kept:
        """Bring back an archived or retracted memory.

        Bring back a memory that was archived or retracted, as it was before.

        What was rejected in review needs the verb ``review``, and another than who asked for
        it.

        >>> await client.memories.restore(id=memory_id)
        """
        return await self._call(_RESTORE, {"id": id}, Kept, idempotency_key)

    async def undo(
        self, *, id: UUID, decision_id: UUID | None = None, idempotency_key: str | None = None
    ) -> UndoneDecision:
        """Take a decision about a memory back.

        Take back the last decision about a memory (an undo too), or the one that is named.

        Histories and lineages name decisions. What the decision ended is held again, as new
        versions. What was decided in review needs the verb ``review``, and another than who
        asked for it.

        >>> await client.memories.undo(id=memory_id)
        """
        return await self._call(
            _UNDO, {'id': id, 'decision_id': decision_id}, UndoneDecision, idempotency_key
        )  # fmt: skip
