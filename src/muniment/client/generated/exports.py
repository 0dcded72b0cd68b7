"""The family exports. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class UserExport:
    """An export: how many lines it has, and until when they can be fetched."""

    export_id: UUID
    lines: int
    taken_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class ExportLines:
    """One object a line, in the format of docs/reference/export.md."""

    items: tuple[dict[str, Any], ...]
    next: str | None


_CREATE = Endpoint("exports.create", "POST", "/v1/users/{user_id}/exports", writes=True)
_READ = Endpoint("exports.read", "GET", "/v1/users/{user_id}/exports/{export_id}")


class ExportsCalls:
    """Calls of the family exports."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, user_id: str, idempotency_key: str | None = None) -> UserExport:
        """Copy all that is held of a user.

        Copy all that is held of a user, in every namespace, as of now.

        The copy waits for an hour. What is forgotten of the user meanwhile takes it along.

        >>> client.exports.create(user_id="nora")
        """
        return self._call(_CREATE, {"user_id": user_id}, UserExport, idempotency_key)

    def read(
        self, *, user_id: str, export_id: UUID, cursor: str | None = None, limit: int = 200
    ) -> ExportLines:
        """Fetch the lines of an export.

        Lines of an export in order; a page ends at about a mebibyte.

        >>> client.exports.read(user_id="nora", export_id=export_id)
        """
        return self._call(
            _READ, {'user_id': user_id, 'export_id': export_id, 'cursor': cursor, 'limit': limit},
            ExportLines
        )  # fmt: skip


class AsyncExportsCalls:
    """Calls of the family exports."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(self, *, user_id: str, idempotency_key: str | None = None) -> UserExport:
        """Copy all that is held of a user.

        Copy all that is held of a user, in every namespace, as of now.

        The copy waits for an hour. What is forgotten of the user meanwhile takes it along.

        >>> await client.exports.create(user_id="nora")
        """
        return await self._call(_CREATE, {"user_id": user_id}, UserExport, idempotency_key)

    async def read(
        self, *, user_id: str, export_id: UUID, cursor: str | None = None, limit: int = 200
    ) -> ExportLines:
        """Fetch the lines of an export.

        Lines of an export in order; a page ends at about a mebibyte.

        >>> await client.exports.read(user_id="nora", export_id=export_id)
        """
        return await self._call(
            _READ, {'user_id': user_id, 'export_id': export_id, 'cursor': cursor, 'limit': limit},
            ExportLines
        )  # fmt: skip
