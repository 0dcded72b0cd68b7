"""The family rereviews. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Rereview:
    """A change: of the policy, a slot, a key's rights, or of whether a user is remembered.
    ``detail`` says what of it, by names of the policy and rights; ``asked`` who has to look.
    """

    rereview_id: UUID
    changed: Literal["policy", "slot", "key", "consent"]
    operation: str
    detail: dict[str, Any]
    ids: tuple[UUID, ...]
    asked: Literal["operator", "admin", "steward", "auditor"]
    opened_by: UUID
    opened_at: datetime
    verdict: Literal["approve", "reject"] | None
    reason: str | None
    decided_by: UUID | None
    decided_at: datetime | None


@dataclass(frozen=True)
class Rereviews:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Rereview, ...]
    next: str | None


@dataclass(frozen=True)
class RereviewDecided:
    """What was said of a change."""

    rereview_id: UUID
    verdict: Literal["approve", "reject"]
    decided_at: datetime


_LIST = Endpoint("rereviews.list", "GET", "/v1/rereviews")
_DECIDE = Endpoint("rereviews.decide", "POST", "/v1/rereviews/{rereview_id}", writes=True)


class RereviewsCalls:
    """Calls of the family rereviews."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(
        self, *, decided: bool = False, cursor: str | None = None, limit: int = 50
    ) -> Rereviews:
        """List changes of the rules that a second person has to look at.

        Changes that wait for a second person, oldest first; ``decided`` shows the others too.

        >>> client.rereviews.list()
        """
        return self._call(
            _LIST, {'decided': decided, 'cursor': cursor, 'limit': limit}, Rereviews
        )  # fmt: skip

    def decide(
        self,
        *,
        rereview_id: UUID,
        verdict: Literal["approve", "reject"],
        reason: str,
        idempotency_key: str | None = None,
    ) -> RereviewDecided:
        """Say of a change of the rules whether it is right.

        Say of a change that it is right, or that it is not. A verdict changes no rule by
        itself: who rejects sees to it that the change is taken back.

        >>> client.rereviews.decide(rereview_id=rereview_id, verdict="approve",
        ...     reason="A court asked.")
        """
        return self._call(
            _DECIDE, {'rereview_id': rereview_id, 'verdict': verdict, 'reason': reason},
            RereviewDecided, idempotency_key
        )  # fmt: skip


class AsyncRereviewsCalls:
    """Calls of the family rereviews."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(
        self, *, decided: bool = False, cursor: str | None = None, limit: int = 50
    ) -> Rereviews:
        """List changes of the rules that a second person has to look at.

        Changes that wait for a second person, oldest first; ``decided`` shows the others too.

        >>> await client.rereviews.list()
        """
        return await self._call(
            _LIST, {'decided': decided, 'cursor': cursor, 'limit': limit}, Rereviews
        )  # fmt: skip

    async def decide(
        self,
        *,
        rereview_id: UUID,
        verdict: Literal["approve", "reject"],
        reason: str,
        idempotency_key: str | None = None,
    ) -> RereviewDecided:
        """Say of a change of the rules whether it is right.

        Say of a change that it is right, or that it is not. A verdict changes no rule by
        itself: who rejects sees to it that the change is taken back.

        >>> await client.rereviews.decide(rereview_id=rereview_id, verdict="approve",
        ...     reason="A court asked.")
        """
        return await self._call(
            _DECIDE, {'rereview_id': rereview_id, 'verdict': verdict, 'reason': reason},
            RereviewDecided, idempotency_key
        )  # fmt: skip
