"""The family keys. Generated; do not edit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.client.generated.shared import (
    NewKey,
)


@dataclass(frozen=True)
class Key:
    """A key without its secret."""

    key_id: UUID
    principal: str
    verbs: tuple[str, ...]
    layers: tuple[str, ...]
    roles: tuple[str, ...]
    gates: tuple[str, ...]
    user_id: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True)
class Keys:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Key, ...]
    next: str | None


_CREATE = Endpoint("keys.create", "POST", "/v1/keys", writes=True)
_LIST = Endpoint("keys.list", "GET", "/v1/keys")
_REVOKE = Endpoint("keys.revoke", "POST", "/v1/keys/{key_id}/revoke", writes=True)


class KeysCalls:
    """Calls of the family keys."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def create(
        self,
        *,
        principal: str,
        verbs: Sequence[
            Literal[
                "read",
                "write",
                "propose",
                "forget",
                "review",
                "steward",
                "operate",
                "audit",
                "admin",
                "install",
            ]
        ] = ("read", "write"),
        layers: Sequence[
            Literal["working", "run", "episodic", "semantic", "knowledge", "audit", "governance"]
        ] = ("working", "run", "episodic", "semantic", "knowledge"),
        roles: Sequence[Literal["user", "assistant", "tool", "external", "operator"]] = (
            "user",
            "assistant",
            "tool",
            "external",
        ),
        gates: Sequence[str] = (),
        user_id: str | None = None,
        expires_at: datetime | None = None,
        idempotency_key: str | None = None,
    ) -> NewKey:
        """Make an API key.

        A new key. It may do no more than the key that makes it, and no longer; its secret is
        shown once.

        ``verbs`` and ``layers`` say what it may do and where; ``roles`` whose turns it may
        relay; ``gates`` which requests of runs it may approve, ``*`` being all; ``user_id``
        limits it to one user.

        >>> client.keys.create(principal="assistant")
        """
        return self._call(
            _CREATE, {'principal': principal, 'verbs': verbs, 'layers': layers, 'roles': roles,
            'gates': gates, 'user_id': user_id, 'expires_at': expires_at}, NewKey, idempotency_key
        )  # fmt: skip

    def list(self, *, cursor: str | None = None, limit: int = 50) -> Keys:
        """List API keys.

        Keys of the tenant, oldest first.

        >>> client.keys.list()
        """
        return self._call(_LIST, {"cursor": cursor, "limit": limit}, Keys)

    def revoke(self, *, key_id: UUID, idempotency_key: str | None = None) -> Key:
        """End an API key.

        End a key at once. Revoking again changes nothing.

        >>> client.keys.revoke(key_id=key_id)
        """
        return self._call(_REVOKE, {"key_id": key_id}, Key, idempotency_key)


class AsyncKeysCalls:
    """Calls of the family keys."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(
        self,
        *,
        principal: str,
        verbs: Sequence[
            Literal[
                "read",
                "write",
                "propose",
                "forget",
                "review",
                "steward",
                "operate",
                "audit",
                "admin",
                "install",
            ]
        ] = ("read", "write"),
        layers: Sequence[
            Literal["working", "run", "episodic", "semantic", "knowledge", "audit", "governance"]
        ] = ("working", "run", "episodic", "semantic", "knowledge"),
        roles: Sequence[Literal["user", "assistant", "tool", "external", "operator"]] = (
            "user",
            "assistant",
            "tool",
            "external",
        ),
        gates: Sequence[str] = (),
        user_id: str | None = None,
        expires_at: datetime | None = None,
        idempotency_key: str | None = None,
    ) -> NewKey:
        """Make an API key.

        A new key. It may do no more than the key that makes it, and no longer; its secret is
        shown once.

        ``verbs`` and ``layers`` say what it may do and where; ``roles`` whose turns it may
        relay; ``gates`` which requests of runs it may approve, ``*`` being all; ``user_id``
        limits it to one user.

        >>> await client.keys.create(principal="assistant")
        """
        return await self._call(
            _CREATE, {'principal': principal, 'verbs': verbs, 'layers': layers, 'roles': roles,
            'gates': gates, 'user_id': user_id, 'expires_at': expires_at}, NewKey, idempotency_key
        )  # fmt: skip

    async def list(self, *, cursor: str | None = None, limit: int = 50) -> Keys:
        """List API keys.

        Keys of the tenant, oldest first.

        >>> await client.keys.list()
        """
        return await self._call(_LIST, {"cursor": cursor, "limit": limit}, Keys)

    async def revoke(self, *, key_id: UUID, idempotency_key: str | None = None) -> Key:
        """End an API key.

        End a key at once. Revoking again changes nothing.

        >>> await client.keys.revoke(key_id=key_id)
        """
        return await self._call(_REVOKE, {"key_id": key_id}, Key, idempotency_key)
