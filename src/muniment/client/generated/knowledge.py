"""The family knowledge. Generated; do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.errors import Fault


@dataclass(frozen=True)
class DocumentPut:
    """What became of a version; ``redacted``: kinds of secrets that are not kept; ``warnings``:
    where a character that cannot be kept was replaced. One that is ``proposed`` waits under its
    ``document_id``: ``knowledge.decide``.
    """

    document_id: UUID
    source: str
    version: int
    outcome: Literal["inserted", "replaced", "unchanged", "proposed"]
    chunks: int
    redacted: tuple[str, ...]
    warnings: tuple[Fault, ...] = ()


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


@dataclass(frozen=True)
class ProposalEntry:
    """A version that waits, without its text; ``replaces``: the one that is held of the source;
    ``expires_at``: until when.
    """

    document_id: UUID
    namespace: str
    source: str
    version: int
    title: str
    format: Literal["markdown", "text"]
    owner: str
    data_source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    proposed_at: datetime
    category: Literal["public", "internal", "personal", "regulated"]
    proposed_by: str
    replaces: int | None
    expires_at: datetime | None


@dataclass(frozen=True)
class Proposals:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[ProposalEntry, ...]
    next: str | None


@dataclass(frozen=True)
class Proposal:
    """A version that waits."""

    document_id: UUID
    namespace: str
    source: str
    version: int
    title: str
    format: Literal["markdown", "text"]
    owner: str
    data_source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    proposed_at: datetime
    category: Literal["public", "internal", "personal", "regulated"]
    proposed_by: str
    replaces: int | None
    expires_at: datetime | None
    text: str
    metadata: dict[str, Any]
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class ProposalDecided:
    """What was decided; ``put``: what became of the version, where it was approved."""

    document_id: UUID
    decision: Literal["approve", "reject"]
    put: DocumentPut | None


_PUT = Endpoint("knowledge.put", "PUT", "/v1/knowledge/{source}", writes=True)
_GET = Endpoint("knowledge.get", "GET", "/v1/knowledge/{source}")
_LIST = Endpoint("knowledge.list", "GET", "/v1/knowledge")
_DELETE = Endpoint("knowledge.delete", "DELETE", "/v1/knowledge/{source}", writes=True)
_PROPOSALS = Endpoint("knowledge.proposals", "GET", "/v1/knowledge-proposals")
_PROPOSAL = Endpoint("knowledge.proposal", "GET", "/v1/knowledge-proposals/{document_id}")
_DECIDE = Endpoint("knowledge.decide", "POST", "/v1/knowledge-proposals/{document_id}", writes=True)


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
        for it: the key's principal, unless it says who. Of a key that only proposes it waits
        for a steward.

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

    def proposals(
        self, *, namespace: str = "default", cursor: str | None = None, limit: int = 50
    ) -> Proposals:
        """List the versions of documents that wait for a steward.

        The versions of documents that wait for a steward, oldest first, without their texts.

        >>> client.knowledge.proposals()
        """
        return self._call(
            _PROPOSALS, {'namespace': namespace, 'cursor': cursor, 'limit': limit}, Proposals
        )  # fmt: skip

    def proposal(self, *, document_id: UUID) -> Proposal:
        """Show a version of a document that waits for a steward.

        A version that waits, as it was proposed, without its secrets.

        >>> client.knowledge.proposal(document_id=document_id)
        """
        return self._call(_PROPOSAL, {"document_id": document_id}, Proposal)

    def decide(
        self,
        *,
        document_id: UUID,
        decision: Literal["approve", "reject"],
        idempotency_key: str | None = None,
    ) -> ProposalDecided:
        """Put a version of a document that was proposed, or let it go.

        Put what was proposed, or let it go. Who proposed it does not decide on it.

        It is the deciding steward's, unless the proposal says who answers for it.

        >>> client.knowledge.decide(document_id=document_id, decision="approve")
        """
        return self._call(
            _DECIDE, {'document_id': document_id, 'decision': decision}, ProposalDecided,
            idempotency_key
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
        for it: the key's principal, unless it says who. Of a key that only proposes it waits
        for a steward.

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

    async def proposals(
        self, *, namespace: str = "default", cursor: str | None = None, limit: int = 50
    ) -> Proposals:
        """List the versions of documents that wait for a steward.

        The versions of documents that wait for a steward, oldest first, without their texts.

        >>> await client.knowledge.proposals()
        """
        return await self._call(
            _PROPOSALS, {'namespace': namespace, 'cursor': cursor, 'limit': limit}, Proposals
        )  # fmt: skip

    async def proposal(self, *, document_id: UUID) -> Proposal:
        """Show a version of a document that waits for a steward.

        A version that waits, as it was proposed, without its secrets.

        >>> await client.knowledge.proposal(document_id=document_id)
        """
        return await self._call(_PROPOSAL, {"document_id": document_id}, Proposal)

    async def decide(
        self,
        *,
        document_id: UUID,
        decision: Literal["approve", "reject"],
        idempotency_key: str | None = None,
    ) -> ProposalDecided:
        """Put a version of a document that was proposed, or let it go.

        Put what was proposed, or let it go. Who proposed it does not decide on it.

        It is the deciding steward's, unless the proposal says who answers for it.

        >>> await client.knowledge.decide(document_id=document_id, decision="approve")
        """
        return await self._call(
            _DECIDE, {'document_id': document_id, 'decision': decision}, ProposalDecided,
            idempotency_key
        )  # fmt: skip
