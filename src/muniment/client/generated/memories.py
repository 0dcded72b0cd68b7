"""The family memories. Generated; do not edit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.client.generated.shared import Item
from muniment.errors import Fault


@dataclass(frozen=True)
class Remembered:
    """What became of it, by which rule. ``id`` is the memory that holds it; none if rejected.

    ``trust`` and ``confidence`` are those of what was stated now. ``warnings`` name what was
    repaired, and where a secret was taken out before anything was stored.
    """

    id: UUID | None
    outcome: Literal[
        "inserted", "reinforced", "superseded", "contested", "quarantined", "rejected", "retracted"
    ]
    rule: str
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    confidence: float
    superseded: tuple[UUID, ...]
    warnings: tuple[Fault, ...]


@dataclass(frozen=True)
class Citation:
    """A turn that supports what is remembered. ``user_id`` says whose it is where the memory is
    the organisation's; a user's memory rests on that user's turns alone.
    """

    session_id: str
    turn: int
    user_id: str | None = None


@dataclass(frozen=True)
class Items:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Item, ...]
    next: str | None
    watermark: datetime


@dataclass(frozen=True)
class Decision:
    """What reconciliation decided, or the worker when it archived, and by which rule."""

    outcome: Literal[
        "inserted",
        "reinforced",
        "superseded",
        "contested",
        "quarantined",
        "rejected",
        "retracted",
        "archived",
    ]
    rule: str
    decided_at: datetime


@dataclass(frozen=True)
class MemoryVersion:
    """One immutable version: true in ``valid_*``, held ``recorded_at`` to ``superseded_at``."""

    id: UUID
    version_id: UUID
    text: str
    slot: str | None
    value: str | None
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    superseded_by: UUID | None
    standing: Literal["asserted", "contested", "quarantined"]
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    confidence: float
    importance: int
    pinned: bool
    retracted: bool
    archived: bool
    observed_at: datetime
    expires_at: datetime | None
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class History:
    """Versions in the order in which the service came to hold them."""

    versions: tuple[MemoryVersion, ...]


_REMEMBER = Endpoint("memories.remember", "POST", "/v1/memories", writes=True)


_GET = Endpoint("memories.get", "GET", "/v1/memories/{id}")


_LIST = Endpoint("memories.list", "GET", "/v1/memories")


_HISTORY = Endpoint("memories.history", "GET", "/v1/memories/{id}/history")


class MemoriesCalls:
    """Calls of the family memories."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def remember(
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
        """
        return self._call(
            _REMEMBER,
            {
                "kind": kind,
                "text": text,
                "user_id": user_id,
                "namespace": namespace,
                "subject": subject,
                "slot": slot,
                "value": value,
                "detail": detail,
                "data_source": data_source,
                "valid_from": valid_from,
                "valid_to": valid_to,
                "evidence": evidence,
                "label": label,
                "speaker": speaker,
                "agent_id": agent_id,
                "category": category,
                "metadata": metadata,
            },
            Remembered,
            idempotency_key,
        )

    def get(
        self, *, id: UUID, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Item:
        """Show a memory, an event or a summary.

        An item by its id: a memory, an event or a summary.
        """
        return self._call(_GET, {"id": id, "as_of": as_of, "known_at": known_at}, Item)

    def list(
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
        """
        return self._call(
            _LIST,
            {
                "user_id": user_id,
                "namespace": namespace,
                "tiers": tiers,
                "kinds": kinds,
                "standing": standing,
                "data_source": data_source,
                "as_of": as_of,
                "known_at": known_at,
                "filter": filter,
                "cursor": cursor,
                "limit": limit,
            },
            Items,
        )

    def history(self, *, id: UUID) -> History:
        """Show how a memory came about.

        How a memory, and what stood in its slot before and after it, came about.
        """
        return self._call(_HISTORY, {"id": id}, History)


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
        """
        return await self._call(
            _REMEMBER,
            {
                "kind": kind,
                "text": text,
                "user_id": user_id,
                "namespace": namespace,
                "subject": subject,
                "slot": slot,
                "value": value,
                "detail": detail,
                "data_source": data_source,
                "valid_from": valid_from,
                "valid_to": valid_to,
                "evidence": evidence,
                "label": label,
                "speaker": speaker,
                "agent_id": agent_id,
                "category": category,
                "metadata": metadata,
            },
            Remembered,
            idempotency_key,
        )

    async def get(
        self, *, id: UUID, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Item:
        """Show a memory, an event or a summary.

        An item by its id: a memory, an event or a summary.
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
        """
        return await self._call(
            _LIST,
            {
                "user_id": user_id,
                "namespace": namespace,
                "tiers": tiers,
                "kinds": kinds,
                "standing": standing,
                "data_source": data_source,
                "as_of": as_of,
                "known_at": known_at,
                "filter": filter,
                "cursor": cursor,
                "limit": limit,
            },
            Items,
        )

    async def history(self, *, id: UUID) -> History:
        """Show how a memory came about.

        How a memory, and what stood in its slot before and after it, came about.
        """
        return await self._call(_HISTORY, {"id": id}, History)
