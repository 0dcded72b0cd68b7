"""The family receipts. Generated; do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Receipt:
    """What a forget did; of a target that was not there it looks the same, with no rows.

    ``hidden``: nothing answers with it any more, and a hold keeps rows of it. ``erased``: the rows
    are gone. ``scrubbed``: so are the bytes, as ``scrub`` says. ``verified`` says in which tables
    none was found that names what went, where nothing is held. ``held``: rows by table that a hold
    kept back; they went, if it is not hidden. ``digest`` is SHA-256 over all
    of this as JSON with sorted keys, instants in microseconds since 1970.
    """

    receipt_id: UUID
    target: Literal["user", "session", "source", "items", "filter", "hold"]
    state: Literal["hidden", "erased", "scrubbed"]
    counts: Mapping[str, int]
    held: Mapping[str, int]
    hidden_at: datetime
    erased_at: datetime | None
    scrubbed_at: datetime | None
    verified: dict[str, Any] | None
    scrub: dict[str, Any]
    digest: str


@dataclass(frozen=True)
class Receipts:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Receipt, ...]
    next: str | None


_GET = Endpoint("receipts.get", "GET", "/v1/receipts/{receipt_id}")
_LIST = Endpoint("receipts.list", "GET", "/v1/receipts")


class ReceiptsCalls:
    """Calls of the family receipts."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, *, receipt_id: UUID) -> Receipt:
        """Show the receipt of a forget.

        A receipt by the id that ``forget`` answered.

        >>> client.receipts.get(receipt_id=receipt_id)
        """
        return self._call(_GET, {"receipt_id": receipt_id}, Receipt)

    def list(
        self,
        *,
        state: Literal["hidden", "erased", "scrubbed"] | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Receipts:
        """List receipts of forgets.

        Receipts of the tenant, newest first.

        >>> client.receipts.list()
        """
        return self._call(
            _LIST, {'state': state, 'cursor': cursor, 'limit': limit}, Receipts
        )  # fmt: skip


class AsyncReceiptsCalls:
    """Calls of the family receipts."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, *, receipt_id: UUID) -> Receipt:
        """Show the receipt of a forget.

        A receipt by the id that ``forget`` answered.

        >>> await client.receipts.get(receipt_id=receipt_id)
        """
        return await self._call(_GET, {"receipt_id": receipt_id}, Receipt)

    async def list(
        self,
        *,
        state: Literal["hidden", "erased", "scrubbed"] | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Receipts:
        """List receipts of forgets.

        Receipts of the tenant, newest first.

        >>> await client.receipts.list()
        """
        return await self._call(
            _LIST, {'state': state, 'cursor': cursor, 'limit': limit}, Receipts
        )  # fmt: skip
