"""The family forget. Generated; do not edit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Forgotten:
    """Rows by table that were deleted, or in a dry run would be; of ``api_key`` those that ended.

    The receipt is for the file.

    A target that is not there is answered with no rows.
    """

    target: Literal["user", "session", "items", "filter"]
    dry_run: bool
    counts: Mapping[str, int]
    receipt_id: UUID | None
    erased_at: datetime | None


_FORGET = Endpoint("forget", "POST", "/v1/forget", writes=True)


class ForgetCalls:
    """Calls of the family forget."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def forget(
        self,
        *,
        user_id: str | None = None,
        session_id: str | None = None,
        ids: Sequence[UUID] | None = None,
        filter: Mapping[str, Any] | None = None,
        namespace: str = "default",
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> Forgotten:
        """Forget a user, a session, items or what a filter admits.

        Forget a user; or one of their sessions, items by id, or what a filter admits.

        Without a ``user_id`` items and filters are the organisation's. A namespace narrows
        sessions, items and filters; a user is forgotten in all of them.
        """
        return self._call(
            _FORGET,
            {
                "user_id": user_id,
                "session_id": session_id,
                "ids": ids,
                "filter": filter,
                "namespace": namespace,
                "dry_run": dry_run,
            },
            Forgotten,
            idempotency_key,
        )


class AsyncForgetCalls:
    """Calls of the family forget."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def forget(
        self,
        *,
        user_id: str | None = None,
        session_id: str | None = None,
        ids: Sequence[UUID] | None = None,
        filter: Mapping[str, Any] | None = None,
        namespace: str = "default",
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> Forgotten:
        """Forget a user, a session, items or what a filter admits.

        Forget a user; or one of their sessions, items by id, or what a filter admits.

        Without a ``user_id`` items and filters are the organisation's. A namespace narrows
        sessions, items and filters; a user is forgotten in all of them.
        """
        return await self._call(
            _FORGET,
            {
                "user_id": user_id,
                "session_id": session_id,
                "ids": ids,
                "filter": filter,
                "namespace": namespace,
                "dry_run": dry_run,
            },
            Forgotten,
            idempotency_key,
        )
