"""The family imports. Generated; do not edit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class ImportUploaded:
    """How many of the lines wait now, and until when; none of an import that is ``done``."""

    import_id: UUID
    lines: int
    done: bool
    expires_at: datetime


@dataclass(frozen=True)
class Imported:
    """What was made, by the type of its lines."""

    import_id: UUID
    counts: Mapping[str, int]


_UPLOAD = Endpoint(
    "imports.upload", "POST", "/v1/users/{user_id}/imports/{import_id}/lines", writes=True
)
_COMMIT = Endpoint(
    "imports.commit", "POST", "/v1/users/{user_id}/imports/{import_id}/commit", writes=True
)


class ImportsCalls:
    """Calls of the family imports."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def upload(
        self,
        *,
        user_id: str,
        import_id: UUID,
        first: int,
        records: Sequence[Mapping[str, Any]],
        idempotency_key: str | None = None,
    ) -> ImportUploaded:
        """Send lines of an export, to be taken in.

        Lines of an export, the first of them with this number in the file; they wait for a day.

        You choose the ``import_id``. Secrets are taken out of what lines say. Lines that are
        sent again replace those of their numbers. Nothing is held of the user before
        ``imports.commit``.

        >>> client.imports.upload(user_id="nora", import_id=import_id, first=1,
        ...     records=[{"type": "end", "lines": 1}])
        """
        return self._call(
            _UPLOAD, {'user_id': user_id, 'import_id': import_id, 'first': first,
            'records': records}, ImportUploaded, idempotency_key
        )  # fmt: skip

    def commit(
        self, *, user_id: str, import_id: UUID, lines: int, idempotency_key: str | None = None
    ) -> Imported:
        """Take a user in, whole or not at all.

        Take the user in, all of the lines at once or nothing. Doing it again changes nothing
        more.

        Nothing may be held of the user. Ids and times stay what they were; vectors and the
        index are made anew. Keys that this tenant does not have are replaced by the one that
        imports.

        >>> client.imports.commit(user_id="nora", import_id=import_id, lines=1)
        """
        return self._call(
            _COMMIT, {'user_id': user_id, 'import_id': import_id, 'lines': lines}, Imported,
            idempotency_key
        )  # fmt: skip


class AsyncImportsCalls:
    """Calls of the family imports."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def upload(
        self,
        *,
        user_id: str,
        import_id: UUID,
        first: int,
        records: Sequence[Mapping[str, Any]],
        idempotency_key: str | None = None,
    ) -> ImportUploaded:
        """Send lines of an export, to be taken in.

        Lines of an export, the first of them with this number in the file; they wait for a day.

        You choose the ``import_id``. Secrets are taken out of what lines say. Lines that are
        sent again replace those of their numbers. Nothing is held of the user before
        ``imports.commit``.

        >>> await client.imports.upload(user_id="nora", import_id=import_id, first=1,
        ...     records=[{"type": "end", "lines": 1}])
        """
        return await self._call(
            _UPLOAD, {'user_id': user_id, 'import_id': import_id, 'first': first,
            'records': records}, ImportUploaded, idempotency_key
        )  # fmt: skip

    async def commit(
        self, *, user_id: str, import_id: UUID, lines: int, idempotency_key: str | None = None
    ) -> Imported:
        """Take a user in, whole or not at all.

        Take the user in, all of the lines at once or nothing. Doing it again changes nothing
        more.

        Nothing may be held of the user. Ids and times stay what they were; vectors and the
        index are made anew. Keys that this tenant does not have are replaced by the one that
        imports.

        >>> await client.imports.commit(user_id="nora", import_id=import_id, lines=1)
        """
        return await self._call(
            _COMMIT, {'user_id': user_id, 'import_id': import_id, 'lines': lines}, Imported,
            idempotency_key
        )  # fmt: skip
