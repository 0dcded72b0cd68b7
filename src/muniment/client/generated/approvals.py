"""The family approvals. Generated; do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Approval:
    """A request: what for, until when it holds, what was decided, and whether it was used."""

    approval_id: UUID
    run_id: UUID
    user_id: str | None
    action: str
    amount: str | None
    gate: str
    state: Literal["pending", "approved", "rejected", "expired", "used"]
    scope: Mapping[str, Any]
    granted: Mapping[str, Any] | None
    reason: str | None
    note: str | None
    requested_at: datetime
    expires_at: datetime
    decided_at: datetime | None


@dataclass(frozen=True)
class Approvals:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Approval, ...]
    next: str | None


_REQUEST = Endpoint("approvals.request", "POST", "/v1/runs/{run_id}/approvals", writes=True)
_GET = Endpoint("approvals.get", "GET", "/v1/approvals/{approval_id}")
_LIST = Endpoint("approvals.list", "GET", "/v1/approvals")
_DECIDE = Endpoint("approvals.decide", "POST", "/v1/approvals/{approval_id}", writes=True)


class ApprovalsCalls:
    """Calls of the family approvals."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def request(
        self,
        *,
        run_id: UUID,
        fence: int,
        action: str,
        gate: str,
        amount: str | None = None,
        scope: Mapping[str, Any] | None = None,
        reason: str | None = None,
        expires_in_seconds: int = 86400,
        idempotency_key: str | None = None,
    ) -> Approval:
        """Ask for an approval within a run.

        Ask for an approval: of an ``action``, by a key with this ``gate``, within this
        ``scope``.

        For a tool the action is its name; for a move of the run's machine, ``stage:`` and the
        stage. The values of the scope are those that the call has to have; a move has none.

        >>> client.approvals.request(run_id=run_id, fence=1, action="action", gate="gate")
        """
        return self._call(
            _REQUEST, {'run_id': run_id, 'fence': fence, 'action': action, 'gate': gate,
            'amount': amount, 'scope': scope, 'reason': reason,
            'expires_in_seconds': expires_in_seconds}, Approval, idempotency_key
        )  # fmt: skip

    def get(self, *, approval_id: UUID) -> Approval:
        """Show a request for approval with what was decided.

        A request with what was decided.

        >>> client.approvals.get(approval_id=approval_id)
        """
        return self._call(_GET, {"approval_id": approval_id}, Approval)

    def list(
        self,
        *,
        state: Literal["pending", "any"] = "pending",
        gate: str | None = None,
        run_id: UUID | None = None,
        user_id: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Approvals:
        """List requests that wait for an approval.

        Requests, oldest first: those that wait for a decision, or all of them.

        >>> client.approvals.list()
        """
        return self._call(
            _LIST, {'state': state, 'gate': gate, 'run_id': run_id, 'user_id': user_id,
            'cursor': cursor, 'limit': limit}, Approvals
        )  # fmt: skip

    def decide(
        self,
        *,
        approval_id: UUID,
        decision: Literal["approve", "reject"],
        granted: Mapping[str, Any] | None = None,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> Approval:
        """Approve or reject a request of a run, once.

        Approve or reject a request, once. ``granted`` is the scope where it is not the one
        asked.

        >>> client.approvals.decide(approval_id=approval_id, decision="approve")
        """
        return self._call(
            _DECIDE, {'approval_id': approval_id, 'decision': decision, 'granted': granted,
            'note': note}, Approval, idempotency_key
        )  # fmt: skip


class AsyncApprovalsCalls:
    """Calls of the family approvals."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def request(
        self,
        *,
        run_id: UUID,
        fence: int,
        action: str,
        gate: str,
        amount: str | None = None,
        scope: Mapping[str, Any] | None = None,
        reason: str | None = None,
        expires_in_seconds: int = 86400,
        idempotency_key: str | None = None,
    ) -> Approval:
        """Ask for an approval within a run.

        Ask for an approval: of an ``action``, by a key with this ``gate``, within this
        ``scope``.

        For a tool the action is its name; for a move of the run's machine, ``stage:`` and the
        stage. The values of the scope are those that the call has to have; a move has none.

        >>> await client.approvals.request(run_id=run_id, fence=1, action="action",
        ...     gate="gate")
        """
        return await self._call(
            _REQUEST, {'run_id': run_id, 'fence': fence, 'action': action, 'gate': gate,
            'amount': amount, 'scope': scope, 'reason': reason,
            'expires_in_seconds': expires_in_seconds}, Approval, idempotency_key
        )  # fmt: skip

    async def get(self, *, approval_id: UUID) -> Approval:
        """Show a request for approval with what was decided.

        A request with what was decided.

        >>> await client.approvals.get(approval_id=approval_id)
        """
        return await self._call(_GET, {"approval_id": approval_id}, Approval)

    async def list(
        self,
        *,
        state: Literal["pending", "any"] = "pending",
        gate: str | None = None,
        run_id: UUID | None = None,
        user_id: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Approvals:
        """List requests that wait for an approval.

        Requests, oldest first: those that wait for a decision, or all of them.

        >>> await client.approvals.list()
        """
        return await self._call(
            _LIST, {'state': state, 'gate': gate, 'run_id': run_id, 'user_id': user_id,
            'cursor': cursor, 'limit': limit}, Approvals
        )  # fmt: skip

    async def decide(
        self,
        *,
        approval_id: UUID,
        decision: Literal["approve", "reject"],
        granted: Mapping[str, Any] | None = None,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> Approval:
        """Approve or reject a request of a run, once.

        Approve or reject a request, once. ``granted`` is the scope where it is not the one
        asked.

        >>> await client.approvals.decide(approval_id=approval_id, decision="approve")
        """
        return await self._call(
            _DECIDE, {'approval_id': approval_id, 'decision': decision, 'granted': granted,
            'note': note}, Approval, idempotency_key
        )  # fmt: skip
