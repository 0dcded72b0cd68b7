"""The family sessions. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Session:
    """A session. ``dirty``: events came in since it was last consolidated."""

    session_id: str
    opened_at: datetime
    last_event_at: datetime
    closed_at: datetime | None
    outcome: str | None
    dirty: bool
    events: int
    kept: int


@dataclass(frozen=True)
class SessionJob:
    """The session, and the number of the job that consolidates it, if one was enqueued now."""

    session: Session
    job_id: int | None


_GET = Endpoint("sessions.get", "GET", "/v1/users/{user_id}/sessions/{session_id}")


_CLOSE = Endpoint(
    "sessions.close", "POST", "/v1/users/{user_id}/sessions/{session_id}/close", writes=True
)


_CONSOLIDATE = Endpoint(
    "sessions.consolidate",
    "POST",
    "/v1/users/{user_id}/sessions/{session_id}/consolidate",
    writes=True,
)


class SessionsCalls:
    """Calls of the family sessions."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, *, user_id: str, session_id: str, namespace: str = "default") -> Session:
        """Show a session.

        A session by its name.
        """
        return self._call(
            _GET, {"user_id": user_id, "session_id": session_id, "namespace": namespace}, Session
        )

    def close(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        outcome: Literal["success", "failure", "partial", "abandoned"] | None = None,
        idempotency_key: str | None = None,
    ) -> SessionJob:
        """Close a session and consolidate it.

        Close a session; ``outcome`` labels the episode that is made of it.
        """
        return self._call(
            _CLOSE,
            {
                "user_id": user_id,
                "session_id": session_id,
                "namespace": namespace,
                "outcome": outcome,
            },
            SessionJob,
            idempotency_key,
        )

    def consolidate(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> SessionJob:
        """Consolidate a session.

        Consolidate what was written so far, whether or not the session is closed.
        """
        return self._call(
            _CONSOLIDATE,
            {"user_id": user_id, "session_id": session_id, "namespace": namespace},
            SessionJob,
            idempotency_key,
        )


class AsyncSessionsCalls:
    """Calls of the family sessions."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, *, user_id: str, session_id: str, namespace: str = "default") -> Session:
        """Show a session.

        A session by its name.
        """
        return await self._call(
            _GET, {"user_id": user_id, "session_id": session_id, "namespace": namespace}, Session
        )

    async def close(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        outcome: Literal["success", "failure", "partial", "abandoned"] | None = None,
        idempotency_key: str | None = None,
    ) -> SessionJob:
        """Close a session and consolidate it.

        Close a session; ``outcome`` labels the episode that is made of it.
        """
        return await self._call(
            _CLOSE,
            {
                "user_id": user_id,
                "session_id": session_id,
                "namespace": namespace,
                "outcome": outcome,
            },
            SessionJob,
            idempotency_key,
        )

    async def consolidate(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> SessionJob:
        """Consolidate a session.

        Consolidate what was written so far, whether or not the session is closed.
        """
        return await self._call(
            _CONSOLIDATE,
            {"user_id": user_id, "session_id": session_id, "namespace": namespace},
            SessionJob,
            idempotency_key,
        )
