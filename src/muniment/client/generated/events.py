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


_WRITE = Endpoint(
    "events.write", "POST", "/v1/users/{user_id}/sessions/{session_id}/events", writes=True
)


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
        """
        return self._call(
            _WRITE,
            {
                "user_id": user_id,
                "session_id": session_id,
                "events": events,
                "namespace": namespace,
                "agent_id": agent_id,
                "category": category,
            },
            EventsWritten,
            idempotency_key,
        )


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
        """
        return await self._call(
            _WRITE,
            {
                "user_id": user_id,
                "session_id": session_id,
                "events": events,
                "namespace": namespace,
                "agent_id": agent_id,
                "category": category,
            },
            EventsWritten,
            idempotency_key,
        )
