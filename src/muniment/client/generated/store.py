"""The family store. Generated; do not edit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class StoreWritten:
    """How many items were put, how many of those to delete were there, and the kinds of secrets
    that were taken out of values.
    """

    put: int
    deleted: int
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class StorePut:
    """A value for a key. It is found by the texts at ``fields``: names with dots between, ``a[*]``
    for members of a list, ``$`` for the whole value, which is also what no ``fields`` mean; with an
    empty list of them it is not searched. ``ttl_seconds`` count from the last write or read.
    """

    path: tuple[str, ...]
    key: str
    value: dict[str, Any]
    fields: tuple[str, ...] | None = None
    ttl_seconds: float | None = None


@dataclass(frozen=True)
class StoreKey:
    """An item by its path and key."""

    path: tuple[str, ...]
    key: str


@dataclass(frozen=True)
class StoreItem:
    """An item; ``score`` is the cosine of its nearest text, if it was searched by one."""

    path: tuple[str, ...]
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    score: float | None


@dataclass(frozen=True)
class StoreFound:
    """What a search found, in order."""

    items: tuple[StoreItem, ...]


@dataclass(frozen=True)
class StorePaths:
    """What a listing found, in order."""

    paths: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class StoreRead:
    """An answer for each get (null where nothing is there), each search and each listing."""

    items: tuple[StoreItem | None, ...]
    found: tuple[StoreFound, ...]
    listed: tuple[StorePaths, ...]


@dataclass(frozen=True)
class StoreGet:
    """An item to read; with ``refresh``, one that goes by time stays as long again."""

    path: tuple[str, ...]
    key: str
    refresh: bool = True


@dataclass(frozen=True)
class StoreSearch:
    """Items whose path begins with ``prefix`` and whose value meets the filter.

    ``{name: value}`` or ``{name: {operator: value}}`` with ``$eq $ne $gt $gte $lt $lte``. With a
    query the nearest come first, by the best of their texts, then those without one; else the
    latest.
    """

    prefix: tuple[str, ...] = ()
    filter: dict[str, Any] | None = None
    query: str | None = None
    limit: int = 10
    offset: int = 0
    refresh: bool = True


@dataclass(frozen=True)
class StorePattern:
    """Labels with which a path begins, or ends with ``suffix``; ``*`` stands for any label."""

    labels: tuple[str, ...]
    suffix: bool = False


@dataclass(frozen=True)
class StoreListing:
    """Paths that have items and match every pattern, cut at ``max_depth`` labels, in order."""

    patterns: tuple[StorePattern, ...] = ()
    max_depth: int | None = None
    limit: int = 100
    offset: int = 0


_WRITE = Endpoint("store.write", "POST", "/v1/store/write", writes=True)
_READ = Endpoint("store.read", "POST", "/v1/store/read")


class StoreCalls:
    """Calls of the family store."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def write(
        self,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        puts: Sequence[StorePut] = (),
        deletes: Sequence[StoreKey] = (),
        idempotency_key: str | None = None,
    ) -> StoreWritten:
        """Put and delete items of the application's own.

        Put items and delete others, all of them or none; each may be named once.

        Without a user they are the organisation's. They are the application's own: nothing is
        drawn from them, and no recall returns them.

        >>> client.store.write()
        """
        return self._call(
            _WRITE, {'user_id': user_id, 'namespace': namespace, 'puts': puts,
            'deletes': deletes}, StoreWritten, idempotency_key
        )  # fmt: skip

    def read(
        self,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        gets: Sequence[StoreGet] = (),
        searches: Sequence[StoreSearch] = (),
        listings: Sequence[StoreListing] = (),
    ) -> StoreRead:
        """Read, search and list items of the application's own.

        Items by their keys, searches, and lists of paths, answered in the order in which they
        are asked.

        >>> client.store.read()
        """
        return self._call(
            _READ, {'user_id': user_id, 'namespace': namespace, 'gets': gets,
            'searches': searches, 'listings': listings}, StoreRead
        )  # fmt: skip


class AsyncStoreCalls:
    """Calls of the family store."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def write(
        self,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        puts: Sequence[StorePut] = (),
        deletes: Sequence[StoreKey] = (),
        idempotency_key: str | None = None,
    ) -> StoreWritten:
        """Put and delete items of the application's own.

        Put items and delete others, all of them or none; each may be named once.

        Without a user they are the organisation's. They are the application's own: nothing is
        drawn from them, and no recall returns them.

        >>> await client.store.write()
        """
        return await self._call(
            _WRITE, {'user_id': user_id, 'namespace': namespace, 'puts': puts,
            'deletes': deletes}, StoreWritten, idempotency_key
        )  # fmt: skip

    async def read(
        self,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        gets: Sequence[StoreGet] = (),
        searches: Sequence[StoreSearch] = (),
        listings: Sequence[StoreListing] = (),
    ) -> StoreRead:
        """Read, search and list items of the application's own.

        Items by their keys, searches, and lists of paths, answered in the order in which they
        are asked.

        >>> await client.store.read()
        """
        return await self._call(
            _READ, {'user_id': user_id, 'namespace': namespace, 'gets': gets,
            'searches': searches, 'listings': listings}, StoreRead
        )  # fmt: skip
