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
    ``held`` are those that a hold keeps back: no operation answers with them any more, and they are
    erased on its release; until then there is no ``erased_at``.

    ``receipts.get`` shows the receipt, and how far the erasure has come. A target that is not there
    is answered with no rows.
    """

    target: Literal["user", "session", "source", "items", "filter"]
    dry_run: bool
    counts: Mapping[str, int]
    held: Mapping[str, int]
    confirm: str | None
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
        data_source: str | None = None,
        ids: Sequence[UUID] | None = None,
        filter: Mapping[str, Any] | None = None,
        namespace: str = "default",
        dry_run: bool = False,
        scrub: bool = False,
        confirm: str | None = None,
        idempotency_key: str | None = None,
    ) -> Forgotten:
        """Forget a user, a session, a source, items or what a filter admits.

        Forget a user; or one of their sessions, a source, items by id, or what a filter admits.

        A source is meant by every name that it has. Without a ``user_id`` items and filters are
        the organisation's, and a source that of the whole tenant. A namespace narrows sessions,
        items, filters and the source of a user; a user is forgotten in all of them. ``confirm``
        is what a dry run of the same answered: what would go must be the same still. What was
        forgotten takes no writes any more: a user until ``users.reopen``. ``scrub``: the bytes
        go at once, not within the day.

        >>> client.forget(user_id="nora", session_id="monday", dry_run=True)
        """
        return self._call(
            _FORGET, {'user_id': user_id, 'session_id': session_id, 'data_source': data_source,
            'ids': ids, 'filter': filter, 'namespace': namespace, 'dry_run': dry_run,
            'scrub': scrub, 'confirm': confirm}, Forgotten, idempotency_key
        )  # fmt: skip


class AsyncForgetCalls:
    """Calls of the family forget."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def forget(
        self,
        *,
        user_id: str | None = None,
        session_id: str | None = None,
        data_source: str | None = None,
        ids: Sequence[UUID] | None = None,
        filter: Mapping[str, Any] | None = None,
        namespace: str = "default",
        dry_run: bool = False,
        scrub: bool = False,
        confirm: str | None = None,
        idempotency_key: str | None = None,
    ) -> Forgotten:
        """Forget a user, a session, a source, items or what a filter admits.

        Forget a user; or one of their sessions, a source, items by id, or what a filter admits.

        A source is meant by every name that it has. Without a ``user_id`` items and filters are
        the organisation's, and a source that of the whole tenant. A namespace narrows sessions,
        items, filters and the source of a user; a user is forgotten in all of them. ``confirm``
        is what a dry run of the same answered: what would go must be the same still. What was
        forgotten takes no writes any more: a user until ``users.reopen``. ``scrub``: the bytes
        go at once, not within the day.

        >>> await client.forget(user_id="nora", session_id="monday", dry_run=True)
        """
        return await self._call(
            _FORGET, {'user_id': user_id, 'session_id': session_id, 'data_source': data_source,
            'ids': ids, 'filter': filter, 'namespace': namespace, 'dry_run': dry_run,
            'scrub': scrub, 'confirm': confirm}, Forgotten, idempotency_key
        )  # fmt: skip
