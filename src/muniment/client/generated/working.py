"""The family working. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class WorkingStored:
    """The version that the key has now, and when it goes."""

    key: str
    version: int
    expires_at: datetime


@dataclass(frozen=True)
class WorkingItem:
    """A value with its version."""

    key: str
    value: Any
    version: int
    updated_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class WorkingKey:
    """A key without its value."""

    key: str
    version: int
    updated_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class WorkingKeys:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[WorkingKey, ...]
    next: str | None


@dataclass(frozen=True)
class WorkingDeleted:
    """Which key went."""

    key: str


_PUT = Endpoint(
    "working.put",
    "PUT",
    "/v1/users/{user_id}/sessions/{session_id}/working/{key}",
    writes=True,
    nullable=frozenset(["value"]),
)
_GET = Endpoint("working.get", "GET", "/v1/users/{user_id}/sessions/{session_id}/working/{key}")
_LIST = Endpoint("working.list", "GET", "/v1/users/{user_id}/sessions/{session_id}/working")
_DELETE = Endpoint(
    "working.delete",
    "DELETE",
    "/v1/users/{user_id}/sessions/{session_id}/working/{key}",
    writes=True,
)


class WorkingCalls:
    """Calls of the family working."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def put(
        self,
        *,
        user_id: str,
        session_id: str,
        key: str,
        value: Any,
        namespace: str = "default",
        ttl_seconds: int | None = None,
        if_version: int | None = None,
        idempotency_key: str | None = None,
    ) -> WorkingStored:
        """Set a key of a session's working memory.

        Set a key. ``if_version`` 0 asks that there be none, N that version N is there.

        >>> client.working.put(user_id="nora", session_id="monday", key="memo-4711",
        ...     value={"amount": "5"})
        """
        return self._call(
            _PUT, {'user_id': user_id, 'session_id': session_id, 'key': key, 'value': value,
            'namespace': namespace, 'ttl_seconds': ttl_seconds, 'if_version': if_version},
            WorkingStored, idempotency_key
        )  # fmt: skip

    def get(
        self, *, user_id: str, session_id: str, key: str, namespace: str = "default"
    ) -> WorkingItem:
        """Read a key of a session's working memory.

        The value of a key.

        >>> client.working.get(user_id="nora", session_id="monday", key="memo-4711")
        """
        return self._call(
            _GET, {'user_id': user_id, 'session_id': session_id, 'key': key,
            'namespace': namespace}, WorkingItem
        )  # fmt: skip

    def list(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        cursor: str | None = None,
        limit: int = 100,
    ) -> WorkingKeys:
        """List the keys of a session's working memory.

        Keys of a session in order.

        >>> client.working.list(user_id="nora", session_id="monday")
        """
        return self._call(
            _LIST, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'cursor': cursor, 'limit': limit}, WorkingKeys
        )  # fmt: skip

    def delete(
        self,
        *,
        user_id: str,
        session_id: str,
        key: str,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> WorkingDeleted:
        """Remove a key of a session's working memory.

        Remove a key.

        >>> client.working.delete(user_id="nora", session_id="monday", key="memo-4711")
        """
        return self._call(
            _DELETE, {'user_id': user_id, 'session_id': session_id, 'key': key,
            'namespace': namespace}, WorkingDeleted, idempotency_key
        )  # fmt: skip


class AsyncWorkingCalls:
    """Calls of the family working."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def put(
        self,
        *,
        user_id: str,
        session_id: str,
        key: str,
        value: Any,
        namespace: str = "default",
        ttl_seconds: int | None = None,
        if_version: int | None = None,
        idempotency_key: str | None = None,
    ) -> WorkingStored:
        """Set a key of a session's working memory.

        Set a key. ``if_version`` 0 asks that there be none, N that version N is there.

        >>> await client.working.put(user_id="nora", session_id="monday", key="memo-4711",
        ...     value={"amount": "5"})
        """
        return await self._call(
            _PUT, {'user_id': user_id, 'session_id': session_id, 'key': key, 'value': value,
            'namespace': namespace, 'ttl_seconds': ttl_seconds, 'if_version': if_version},
            WorkingStored, idempotency_key
        )  # fmt: skip

    async def get(
        self, *, user_id: str, session_id: str, key: str, namespace: str = "default"
    ) -> WorkingItem:
        """Read a key of a session's working memory.

        The value of a key.

        >>> await client.working.get(user_id="nora", session_id="monday", key="memo-4711")
        """
        return await self._call(
            _GET, {'user_id': user_id, 'session_id': session_id, 'key': key,
            'namespace': namespace}, WorkingItem
        )  # fmt: skip

    async def list(
        self,
        *,
        user_id: str,
        session_id: str,
        namespace: str = "default",
        cursor: str | None = None,
        limit: int = 100,
    ) -> WorkingKeys:
        """List the keys of a session's working memory.

        Keys of a session in order.

        >>> await client.working.list(user_id="nora", session_id="monday")
        """
        return await self._call(
            _LIST, {'user_id': user_id, 'session_id': session_id, 'namespace': namespace,
            'cursor': cursor, 'limit': limit}, WorkingKeys
        )  # fmt: skip

    async def delete(
        self,
        *,
        user_id: str,
        session_id: str,
        key: str,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> WorkingDeleted:
        """Remove a key of a session's working memory.

        Remove a key.

        >>> await client.working.delete(user_id="nora", session_id="monday", key="memo-4711")
        """
        return await self._call(
            _DELETE, {'user_id': user_id, 'session_id': session_id, 'key': key,
            'namespace': namespace}, WorkingDeleted, idempotency_key
        )  # fmt: skip
