"""The family knowledge. Generated; do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class DocumentPut:
    """What became of a version; ``redacted``: kinds of secrets that are not kept."""

    document_id: UUID
    source: str
    version: int
    outcome: Literal["inserted", "replaced", "unchanged"]
    chunks: int
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """A document."""

    document_id: UUID
    source: str
    version: int
    title: str
    format: Literal["markdown", "text"]
    owner: str
    data_source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    chunks: int
    category: Literal["public", "internal", "personal", "regulated"]
    text: str
    metadata: dict[str, Any]
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class DocumentEntry:
    """A document without its text."""

    document_id: UUID
    source: str
    version: int
    title: str
    format: Literal["markdown", "text"]
    owner: str
    data_source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    chunks: int
    category: Literal["public", "internal", "personal", "regulated"]


@dataclass(frozen=True)
class Documents:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[DocumentEntry, ...]
    next: str | None


@dataclass(frozen=True)
class DocumentDeleted:
    """The version that is gone."""

    document_id: UUID
    source: str
    version: int
    chunks: int


_PUT = Endpoint("knowledge.put", "PUT", "/v1/knowledge/{source}", writes=True)
_GET = Endpoint("knowledge.get", "GET", "/v1/knowledge/{source}")
_LIST = Endpoint("knowledge.list", "GET", "/v1/knowledge")
_DELETE = Endpoint("knowledge.delete", "DELETE", "/v1/knowledge/{source}", writes=True)


class KnowledgeCalls:
    """Calls of the family knowledge."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def put(
        self,
        *,
        source: str,
        version: int,
        title: str,
        text: str,
        format: Literal["markdown", "text"] = "markdown",
        owner: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        data_source: str | None = None,
        category: Literal["public", "internal", "personal", "regulated"] = "internal",
        metadata: Mapping[str, Any] | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> DocumentPut:
        """Put a version of a document of shared knowledge.

        Put a version of a document, in the place of the one before; a later ``version``
        replaces.

        ``source`` names it in the namespace. It is found from ``valid_from`` to ``valid_to``.
        ``data_source``: what it was written from, with which it is forgotten. ``owner`` answers
        for it: the key's principal, unless it says who.

        >>> client.knowledge.put(source="handbook", version=1, title="Expenses",
        ...     text="Nora lives in Gouda.")
        """
        return self._call(
            _PUT, {'source': source, 'version': version, 'title': title, 'text': text,
            'format': format, 'owner': owner, 'valid_from': valid_from, 'valid_to': valid_to,
            'data_source': data_source, 'category': category, 'metadata': metadata,
            'namespace': namespace}, DocumentPut, idempotency_key
        )  # fmt: skip

    def get(self, *, source: str, namespace: str = "default") -> Document:
        """Show a document of shared knowledge.

        A document as it was put, without its secrets.

        >>> client.knowledge.get(source="handbook")
        """
        return self._call(_GET, {"source": source, "namespace": namespace}, Document)

    def list(
        self, *, namespace: str = "default", cursor: str | None = None, limit: int = 50
    ) -> Documents:
        """List the documents of shared knowledge.

        The documents of a namespace in the order of their sources, without their texts.

        >>> client.knowledge.list()
        """
        return self._call(
            _LIST, {'namespace': namespace, 'cursor': cursor, 'limit': limit}, Documents
        )  # fmt: skip

    def delete(
        self, *, source: str, namespace: str = "default", idempotency_key: str | None = None
    ) -> DocumentDeleted:
        """Delete a document of shared knowledge.

        Delete a document with its chunks and vectors.

        >>> client.knowledge.delete(source="handbook")
        """
        return self._call(
            _DELETE, {'source': source, 'namespace': namespace}, DocumentDeleted, idempotency_key
        )  # fmt: skip


class AsyncKnowledgeCalls:
    """Calls of the family knowledge."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def put(
        self,
        *,
        source: str,
        version: int,
        title: str,
        text: str,
        format: Literal["markdown", "text"] = "markdown",
        owner: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        data_source: str | None = None,
        category: Literal["public", "internal", "personal", "regulated"] = "internal",
        metadata: Mapping[str, Any] | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> DocumentPut:
        """Put a version of a document of shared knowledge.

        Put a version of a document, in the place of the one before; a later ``version``
        replaces.

        ``source`` names it in the namespace. It is found from ``valid_from`` to ``valid_to``.
        ``data_source``: what it was written from, with which it is forgotten. ``owner`` answers
        for it: the key's principal, unless it says who.

        >>> await client.knowledge.put(source="handbook", version=1, title="Expenses",
        ...     text="Nora lives in Gouda.")
        """
        return await self._call(
            _PUT, {'source': source, 'version': version, 'title': title, 'text': text,
            'format': format, 'owner': owner, 'valid_from': valid_from, 'valid_to': valid_to,
            'data_source': data_source, 'category': category, 'metadata': metadata,
            'namespace': namespace}, DocumentPut, idempotency_key
        )  # fmt: skip

    async def get(self, *, source: str, namespace: str = "default") -> Document:
        """Show a document of shared knowledge.

        A document as it was put, without its secrets.

        >>> await client.knowledge.get(source="handbook")
        """
        return await self._call(_GET, {"source": source, "namespace": namespace}, Document)

    async def list(
        self, *, namespace: str = "default", cursor: str | None = None, limit: int = 50
    ) -> Documents:
        """List the documents of shared knowledge.

        The documents of a namespace in the order of their sources, without their texts.

        >>> await client.knowledge.list()
        """
        return await self._call(
            _LIST, {'namespace': namespace, 'cursor': cursor, 'limit': limit}, Documents
        )  # fmt: skip

    async def delete(
        self, *, source: str, namespace: str = "default", idempotency_key: str | None = None
    ) -> DocumentDeleted:
        """Delete a document of shared knowledge.

        Delete a document with its chunks and vectors.

        >>> await client.knowledge.delete(source="handbook")
        """
        return await self._call(
            _DELETE, {'source': source, 'namespace': namespace}, DocumentDeleted, idempotency_key
        )  # fmt: skip
