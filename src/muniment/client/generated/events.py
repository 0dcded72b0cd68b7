"""The family events. Generated; do not edit."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.errors import Fault


@dataclass(frozen=True)
class EventVerdict:
    """What became of one turn: kept or not, the gate's reason, and the rule that decided.

    ``redacted``: kinds of the secrets that were taken out of it before it was stored.
    """

    turn: int
    event_id: UUID
    kept: bool
    reason: str
    rule: str
    importance: int
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    quarantined: bool
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class EventsWritten:
    """A verdict for each event in the order given. ``stored`` counts those that were new.

    ``obeyed``: turns, of this call or of earlier ones, that this call withdrew since it asks not to
    have them remembered.
    """

    verdicts: tuple[EventVerdict, ...]
    stored: int
    obeyed: tuple[int, ...]
    warnings: tuple[Fault, ...]


@dataclass(frozen=True)
class Event:
    """One turn. ``turn`` orders the session and names the event within it."""

    turn: int
    role: Literal["user", "assistant", "tool", "external"]
    content: str
    occurred_at: datetime
    name: str | None = None
    data_source: str | None = None
    tool: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class WrittenTurn:
    """A turn as it is held, with the gate's verdict on it. One that was withdrawn has no words.

    ``proposed``: a key of another principal only proposed it, and nobody approved it.
    """

    event_id: UUID
    turn: int
    role: Literal["user", "assistant", "tool", "external"]
    content: str
    name: str | None
    occurred_at: datetime
    data_source: str | None
    tool: str | None
    metadata: dict[str, Any]
    kept: bool
    reason: str
    rule: str
    quarantined: bool
    redacted: tuple[str, ...]
    expires_at: datetime | None
    proposed: bool


@dataclass(frozen=True)
class WrittenTurns:
    """One page; ``next`` is the ``cursor`` of the following one. From ``free_turn`` on no turn was
    written, or forgotten.
    """

    items: tuple[WrittenTurn, ...]
    next: str | None
    free_turn: int


_WRITE = Endpoint(
    "events.write", "POST", "/v1/users/{user_id}/sessions/{session_id}/events", writes=True
)
_LIST = Endpoint("events.list", "GET", "/v1/users/{user_id}/sessions/{session_id}/events")


class EventsCalls:
    """Calls of the family events."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def write(
        self,
        *,
        user_id: str,
        session_id: str,
        events: Sequence[Event],
        namespace: str = "default",
        agent_id: str | None = None,
        category: Literal["public", "internal", "personal", "regulated"] = "personal",
        idempotency_key: str | None = None,
    ) -> EventsWritten:
        """Write turns of a session.

        Write turns of one session; the session and the user are made on first use.

        >>> client.events.write(user_id="nora", session_id="monday", events=[Event(turn=0,
        ...     role="user", content="I live in Gouda.", occurred_at=datetime(2026, 6, 1, 9, 30,
        ...     tzinfo=UTC))])
        """
        return self._call(
            _WRITE, {'user_id': user_id, 'session_id': session_id, 'events': events,
            'namespace': namespace, 'agent_id': agent_id, 'category': category}, EventsWritten,
            idempotency_key
        )  # fmt: skip

    def list(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        latest: bool = False,
        cursor: str | None = None,
        limit: int = 50,
    ) -> WrittenTurns:
        """List the turns of a session.

        The turns of a session in order, or the ``latest`` first; those that were dropped too.

        >>> client.events.list(user_id="nora", session_id="monday")
        """
        return self._call(
            _LIST, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'latest': latest, 'cursor': cursor, 'limit': limit}, WrittenTurns
        )  # fmt: skip


class AsyncEventsCalls:
    """Calls of the family events."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def write(
        self,
        *,
        user_id: str,
        session_id: str,
        events: Sequence[Event],
        namespace: str = "default",
        agent_id: str | None = None,
        category: Literal["public", "internal", "personal", "regulated"] = "personal",
        idempotency_key: str | None = None,
    ) -> EventsWritten:
        """Write turns of a session.

        Write turns of one session; the session and the user are made on first use.

        >>> await client.events.write(user_id="nora", session_id="monday",
        ...     events=[Event(turn=0, role="user", content="I live in Gouda.",
        ...     occurred_at=datetime(2026, 6, 1, 9, 30, tzinfo=UTC))])
        """
        return await self._call(
            _WRITE, {'user_id': user_id, 'session_id': session_id, 'events': events,
            'namespace': namespace, 'agent_id': agent_id, 'category': category}, EventsWritten,
            idempotency_key
        )  # fmt: skip

    async def list(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        latest: bool = False,
        cursor: str | None = None,
        limit: int = 50,
    ) -> WrittenTurns:
        """List the turns of a session.

        The turns of a session in order, or the ``latest`` first; those that were dropped too.

        >>> await client.events.list(user_id="nora", session_id="monday")
        """
        return await self._call(
            _LIST, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'latest': latest, 'cursor': cursor, 'limit': limit}, WrittenTurns
        )  # fmt: skip
