"""The family holds. Generated; do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class HoldPlaced:
    """A hold that is open from now on."""

    hold_id: UUID
    target: Literal["user", "session", "source", "filter"]
    placed_at: datetime


@dataclass(frozen=True)
class Hold:
    """A hold, and how many rows it keeps that were deleted. A user who was forgotten under it is
    not named any more.
    """

    hold_id: UUID
    target: Literal["user", "session", "source", "filter"]
    user_id: str | None
    namespace: str | None
    session_id: str | None
    data_source: str | None
    filter: dict[str, Any] | None
    reason: str
    placed_by: UUID
    placed_at: datetime
    released_by: UUID | None
    released_at: datetime | None
    release_reason: str | None
    kept: int


@dataclass(frozen=True)
class Holds:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Hold, ...]
    next: str | None


@dataclass(frozen=True)
class HoldReleased:
    """Rows by table that were erased with the hold, and their receipt, if there were any."""

    hold_id: UUID
    released_at: datetime
    counts: Mapping[str, int]
    receipt_id: UUID | None


_PLACE = Endpoint("holds.place", "POST", "/v1/holds", writes=True)
_LIST = Endpoint("holds.list", "GET", "/v1/holds")
_RELEASE = Endpoint("holds.release", "POST", "/v1/holds/{hold_id}/release", writes=True)


class HoldsCalls:
    """Calls of the family holds."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def place(
        self,
        *,
        reason: str,
        user_id: str | None = None,
        session_id: str | None = None,
        data_source: str | None = None,
        filter: Mapping[str, Any] | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> HoldPlaced:
        """Place a legal hold.

        Keep a user's rows from being erased; or those of one of their sessions, of a source, or
        of what a filter admits, now and later.

        A source is held under every name that it has, or gets meanwhile. Without a ``user_id``
        it is that of the whole tenant, and a filter the organisation's. ``reason`` names the
        case, not the person.

        >>> client.holds.place(reason="A court asked.", user_id="nora")
        """
        return self._call(
            _PLACE, {'reason': reason, 'user_id': user_id, 'session_id': session_id,
            'data_source': data_source, 'filter': filter, 'namespace': namespace}, HoldPlaced,
            idempotency_key
        )  # fmt: skip

    def list(self, *, released: bool = False, cursor: str | None = None, limit: int = 50) -> Holds:
        """List legal holds.

        Holds of the tenant, oldest first; ``released`` shows those that are over too.

        >>> client.holds.list()
        """
        return self._call(
            _LIST, {'released': released, 'cursor': cursor, 'limit': limit}, Holds
        )  # fmt: skip

    def release(
        self, *, hold_id: UUID, reason: str, idempotency_key: str | None = None
    ) -> HoldReleased:
        """Release a legal hold, and erase what it alone kept.

        End a hold. What was forgotten or has expired under it and is under no other is erased.

        >>> client.holds.release(hold_id=hold_id, reason="A court asked.")
        """
        return self._call(
            _RELEASE, {'hold_id': hold_id, 'reason': reason}, HoldReleased, idempotency_key
        )  # fmt: skip


class AsyncHoldsCalls:
    """Calls of the family holds."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def place(
        self,
        *,
        reason: str,
        user_id: str | None = None,
        session_id: str | None = None,
        data_source: str | None = None,
        filter: Mapping[str, Any] | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> HoldPlaced:
        """Place a legal hold.

        Keep a user's rows from being erased; or those of one of their sessions, of a source, or
        of what a filter admits, now and later.

        A source is held under every name that it has, or gets meanwhile. Without a ``user_id``
        it is that of the whole tenant, and a filter the organisation's. ``reason`` names the
        case, not the person.

        >>> await client.holds.place(reason="A court asked.", user_id="nora")
        """
        return await self._call(
            _PLACE, {'reason': reason, 'user_id': user_id, 'session_id': session_id,
            'data_source': data_source, 'filter': filter, 'namespace': namespace}, HoldPlaced,
            idempotency_key
        )  # fmt: skip

    async def list(
        self, *, released: bool = False, cursor: str | None = None, limit: int = 50
    ) -> Holds:
        """List legal holds.

        Holds of the tenant, oldest first; ``released`` shows those that are over too.

        >>> await client.holds.list()
        """
        return await self._call(
            _LIST, {'released': released, 'cursor': cursor, 'limit': limit}, Holds
        )  # fmt: skip

    async def release(
        self, *, hold_id: UUID, reason: str, idempotency_key: str | None = None
    ) -> HoldReleased:
        """Release a legal hold, and erase what it alone kept.

        End a hold. What was forgotten or has expired under it and is under no other is erased.

        >>> await client.holds.release(hold_id=hold_id, reason="A court asked.")
        """
        return await self._call(
            _RELEASE, {'hold_id': hold_id, 'reason': reason}, HoldReleased, idempotency_key
        )  # fmt: skip
