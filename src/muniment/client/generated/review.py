"""The family review. Generated; do not edit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Opposing:
    """What a contested item stands against."""

    id: UUID
    text: str
    value: str | None
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]


@dataclass(frozen=True)
class Waiting:
    """An item that waits, why, and until when: ``expires_at``."""

    id: UUID
    why: Literal["quarantined", "contested", "unconfirmed"]
    tier: Literal["episodic", "semantic"]
    scope: Literal["user", "org"]
    user_id: str | None
    namespace: str
    kind: str
    text: str
    slot: str | None
    value: str | None
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    recorded_at: datetime
    expires_at: datetime | None
    against: tuple[Opposing, ...]


@dataclass(frozen=True)
class Queue:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Waiting, ...]
    next: str | None


@dataclass(frozen=True)
class Decided:
    """What was decided; ``trust`` is the grade that the item has by that."""

    id: UUID
    why: Literal["quarantined", "contested", "unconfirmed"]
    decision: Literal["approve", "reject", "keep_both"]
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    decided_at: datetime


_LIST = Endpoint("review.list", "GET", "/v1/review")
_DECIDE = Endpoint("review.decide", "POST", "/v1/review/{id}", writes=True)


class ReviewCalls:
    """Calls of the family review."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(
        self,
        *,
        user_id: str | None = None,
        why: Sequence[Literal["quarantined", "contested", "unconfirmed"]] = (
            "quarantined",
            "contested",
            "unconfirmed",
        ),
        cursor: str | None = None,
        limit: int = 50,
    ) -> Queue:
        """List what waits for a person's decision.

        What waits for a person, oldest first: of one user, or of the whole tenant.

        ``why``: quarantined, contested, or unconfirmed, which is a guess about the
        organisation.

        >>> client.review.list()
        """
        return self._call(
            _LIST, {'user_id': user_id, 'why': why, 'cursor': cursor, 'limit': limit}, Queue
        )  # fmt: skip

    def decide(
        self,
        *,
        id: UUID,
        decision: Literal["approve", "reject", "keep_both"],
        reason: str,
        idempotency_key: str | None = None,
    ) -> Decided:
        """Approve or reject what waits, or keep both sides.

        Decide on an item that waits. ``keep_both`` is for what is contested: it stays beside
        what it disputes.

        >>> client.review.decide(id=memory_id, decision="approve", reason="A court asked.")
        """
        return self._call(
            _DECIDE, {'id': id, 'decision': decision, 'reason': reason}, Decided, idempotency_key
        )  # fmt: skip


class AsyncReviewCalls:
    """Calls of the family review."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(
        self,
        *,
        user_id: str | None = None,
        why: Sequence[Literal["quarantined", "contested", "unconfirmed"]] = (
            "quarantined",
            "contested",
            "unconfirmed",
        ),
        cursor: str | None = None,
        limit: int = 50,
    ) -> Queue:
        """List what waits for a person's decision.

        What waits for a person, oldest first: of one user, or of the whole tenant.

        ``why``: quarantined, contested, or unconfirmed, which is a guess about the
        organisation.

        >>> await client.review.list()
        """
        return await self._call(
            _LIST, {'user_id': user_id, 'why': why, 'cursor': cursor, 'limit': limit}, Queue
        )  # fmt: skip

    async def decide(
        self,
        *,
        id: UUID,
        decision: Literal["approve", "reject", "keep_both"],
        reason: str,
        idempotency_key: str | None = None,
    ) -> Decided:
        """Approve or reject what waits, or keep both sides.

        Decide on an item that waits. ``keep_both`` is for what is contested: it stays beside
        what it disputes.

        >>> await client.review.decide(id=memory_id, decision="approve",
        ...     reason="A court asked.")
        """
        return await self._call(
            _DECIDE, {'id': id, 'decision': decision, 'reason': reason}, Decided, idempotency_key
        )  # fmt: skip
