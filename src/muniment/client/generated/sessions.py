"""The family sessions. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Session:
    """A session. ``dirty``: events came in since it was last consolidated. ``no_store``: it takes
    none.
    """

    session_id: str
    no_store: bool
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


@dataclass(frozen=True)
class CandidateMemory:
    """What a session's ``turns`` say, and what became or would become of it, by which rule.

    ``memory_id`` is the memory that it concerns, if that is there already.
    """

    kind: str
    text: str
    slot: str | None
    value: str | None
    subject: str | None
    data_source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    retracts: bool
    turns: tuple[int, ...]
    outcome: Literal[
        "inserted", "reinforced", "superseded", "contested", "quarantined", "rejected", "retracted"
    ]
    rule: str
    memory_id: UUID | None


@dataclass(frozen=True)
class Consolidation:
    """The session, and the number of the job that consolidates it, if one was enqueued now.

    Of a dry run: the ``candidates`` that are new, and the tokens that a model may use for them at
    most. ``unsupported_language``: the rules do not read this session's language.
    """

    session: Session
    job_id: int | None
    candidates: tuple[CandidateMemory, ...]
    estimated_tokens: int | None
    unsupported_language: bool


_GET = Endpoint("sessions.get", "GET", "/v1/users/{user_id}/sessions/{session_id}")
_OPEN = Endpoint("sessions.open", "PUT", "/v1/users/{user_id}/sessions/{session_id}", writes=True)
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

        >>> client.sessions.get(user_id="nora", session_id="monday")
        """
        return self._call(
            _GET, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace}, Session
        )  # fmt: skip

    def open(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        no_store: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Session:
        """Open a session, one that stores nothing if wanted.

        Open a session, or say anew whether it stores what is said in it.

        With ``no_store`` it takes no events and nothing rests on it, from here on; working
        memory it takes. Without the field a session that there is stays as it is, and a new one
        stores.

        >>> client.sessions.open(user_id="nora", session_id="monday")
        """
        return self._call(
            _OPEN, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'no_store': no_store}, Session, idempotency_key
        )  # fmt: skip

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

        >>> client.sessions.close(user_id="nora", session_id="monday")
        """
        return self._call(
            _CLOSE, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'outcome': outcome}, SessionJob, idempotency_key
        )  # fmt: skip

    def consolidate(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> Consolidation:
        """Consolidate a session.

        Consolidate what was written so far, whether or not the session is closed.

        With ``dry_run`` nothing is enqueued nor written: the answer says what would become of
        it.

        >>> client.sessions.consolidate(user_id="nora", session_id="monday")
        """
        return self._call(
            _CONSOLIDATE, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'dry_run': dry_run}, Consolidation, idempotency_key
        )  # fmt: skip


class AsyncSessionsCalls:
    """Calls of the family sessions."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, *, user_id: str, session_id: str, namespace: str = "default") -> Session:
        """Show a session.

        A session by its name.

        >>> await client.sessions.get(user_id="nora", session_id="monday")
        """
        return await self._call(
            _GET, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace}, Session
        )  # fmt: skip

    async def open(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        no_store: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Session:
        """Open a session, one that stores nothing if wanted.

        Open a session, or say anew whether it stores what is said in it.

        With ``no_store`` it takes no events and nothing rests on it, from here on; working
        memory it takes. Without the field a session that there is stays as it is, and a new one
        stores.

        >>> await client.sessions.open(user_id="nora", session_id="monday")
        """
        return await self._call(
            _OPEN, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'no_store': no_store}, Session, idempotency_key
        )  # fmt: skip

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

        >>> await client.sessions.close(user_id="nora", session_id="monday")
        """
        return await self._call(
            _CLOSE, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'outcome': outcome}, SessionJob, idempotency_key
        )  # fmt: skip

    async def consolidate(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> Consolidation:
        """Consolidate a session.

        Consolidate what was written so far, whether or not the session is closed.

        With ``dry_run`` nothing is enqueued nor written: the answer says what would become of
        it.

        >>> await client.sessions.consolidate(user_id="nora", session_id="monday")
        """
        return await self._call(
            _CONSOLIDATE, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'dry_run': dry_run}, Consolidation, idempotency_key
        )  # fmt: skip
