"""knowledge.*: documents that stewards own and agents only read."""

from dataclasses import dataclass, field
from functools import partial
from typing import Annotated
from uuid import UUID

from annotated_types import Ge, Le

from muniment.domain.documents import Format
from muniment.domain.policy import Category
from muniment.errors import Fault, InvalidInput, NotFound, StaleVersion
from muniment.operations.document_put import (
    DocumentPut,
    is_held,
    prepared_of,
    put_document,
    put_told,
)
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import (
    Count,
    DocumentText,
    Identifier,
    Instant,
    Metadata,
    Page,
    Value,
    command,
)
from muniment.ports import Context
from muniment.records.apart import worked_out
from muniment.records.knowledge import (
    DocumentLine,
    DocumentRow,
    NewDocument,
    find_document,
    place_of,
    remove,
)
from muniment.records.knowledge_proposals import propose_document
from muniment.records.scopes import DEFAULT_NAMESPACE
from muniment.records.secrets import Cleaner

_SOURCES = Cursors(tuple[Identifier])
_PATH = "/v1/knowledge"


@command
class PutDocument:
    """Put a version of a document, in the place of the one before; a later ``version`` replaces.

    ``source`` names it in the namespace. It is found from ``valid_from`` to ``valid_to``.
    ``data_source``: what it was written from, with which it is forgotten. ``owner`` answers for it:
    the key's principal, unless it says who. Of a key that only proposes it waits for a steward.
    """

    source: Identifier
    version: Annotated[int, Ge(1), Le(2**53 - 1)]
    title: Value
    text: DocumentText
    format: Format = "markdown"
    owner: Identifier | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    data_source: Identifier | None = None
    category: Category = "internal"
    metadata: Metadata = field(default_factory=dict)
    namespace: Identifier = DEFAULT_NAMESPACE


@command
class GetDocument:
    """A document as it was put, without its secrets."""

    source: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE


@command
class ListDocuments:
    """The documents of a namespace in the order of their sources, without their texts."""

    namespace: Identifier = DEFAULT_NAMESPACE
    cursor: Cursor | None = None
    limit: Page = 50


@command
class DeleteDocument:
    """Delete a document with its chunks and vectors."""

    source: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE


@dataclass(frozen=True)
class DocumentEntry:
    """A document without its text."""

    document_id: UUID
    source: str
    version: Count
    title: str
    format: Format
    owner: str
    data_source: str | None
    valid_from: Instant | None
    valid_to: Instant | None
    recorded_at: Instant
    chunks: Count
    category: Category


@dataclass(frozen=True)
class Document(DocumentEntry):
    """A document."""

    text: str
    metadata: Metadata
    redacted: tuple[str, ...]


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
    version: Count
    chunks: Count


async def put(command: PutDocument, ctx: Context) -> DocumentPut:
    """The same again changes nothing. Raises StaleVersion for the same version with other
    content or an earlier one, InvalidInput for what has too many lines or chunks.
    """
    if command.valid_from and command.valid_to and command.valid_from >= command.valid_to:
        raise InvalidInput(faults=[Fault("/valid_to", "must be after valid_from")])
    document = await worked_out(len(command.text), partial(_new, command, ctx))
    if "steward" not in ctx.caller.verbs:
        return await _propose(ctx, command, document)
    return await put_document(ctx, command.namespace, document, command.owner)


async def _propose(ctx: Context, command: PutDocument, document: NewDocument) -> DocumentPut:
    """What may not be put as it is, is not proposed either."""
    found = await find_document(ctx, command.namespace, document.source)
    if found is not None and await is_held(ctx, *found, document, command.owner):
        return put_told(ctx, found[1].document_id, document, "unchanged", found[1].chunks)
    prepared = await prepared_of(ctx, document)
    scope = await place_of(ctx, command.namespace)
    document_id = await propose_document(ctx, scope.scope_id, document)
    ctx.trail.subjects.append(document_id)
    ctx.trail.detail |= {"version": document.version, "proposed": True}
    return put_told(ctx, document_id, document, "proposed", len(prepared))


def _new(command: PutDocument, ctx: Context) -> NewDocument:
    """The document without its secrets."""
    cleaner = Cleaner(ctx.redactor)
    title, text = cleaner.text(command.title), cleaner.text(command.text)
    metadata = cleaner.metadata(command.metadata)
    return NewDocument(
        source=command.source,
        version=command.version,
        title=title,
        format=command.format,
        text=text,
        owner=command.owner or ctx.caller.principal,
        data_source=command.data_source,
        metadata=metadata,
        redacted=cleaner.kinds,
        valid_from=command.valid_from,
        valid_to=command.valid_to,
        category=command.category,
    )


async def get(command: GetDocument, ctx: Context) -> Document:
    """Raises NotFound."""
    row = await ctx.unit.one(
        DocumentRow, "document_get", source=command.source, namespace=command.namespace
    )
    if row is None:
        raise NotFound("There is no such document.")
    return Document(**vars(row))


async def list_documents(command: ListDocuments, ctx: Context) -> Documents:
    """Of a namespace that there is not there are no documents."""
    place = _SOURCES.read(command.cursor)
    rows = await ctx.unit.rows(
        DocumentLine,
        "document_page",
        namespace=command.namespace,
        after=None if place is None else place[0],
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Documents(
        items=tuple(DocumentEntry(**vars(row)) for row in page),
        next=None if last is None else _SOURCES.after((last.source,)),
    )


async def delete(command: DeleteDocument, ctx: Context) -> DocumentDeleted:
    """Raises NotFound."""
    held = await remove(ctx, command.namespace, command.source)
    ctx.trail.subjects.append(held.document_id)
    ctx.trail.about.append(held.document_id)
    ctx.trail.detail |= {"version": held.version, "chunks": held.chunks}
    return DocumentDeleted(held.document_id, command.source, held.version, held.chunks)


OPERATIONS = (
    Operation(
        name="knowledge.put",
        summary="Put a version of a document of shared knowledge",
        command=PutDocument,
        result=DocumentPut,
        handler=put,
        effect=Effect.WRITE,
        verb="steward",
        layer="knowledge",
        http=Http("PUT", f"{_PATH}/{{source}}"),
        errors=(StaleVersion,),
        proposable=True,
    ),
    Operation(
        name="knowledge.get",
        summary="Show a document of shared knowledge",
        command=GetDocument,
        result=Document,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="knowledge",
        http=Http("GET", f"{_PATH}/{{source}}"),
        errors=(NotFound,),
    ),
    Operation(
        name="knowledge.list",
        summary="List the documents of shared knowledge",
        command=ListDocuments,
        result=Documents,
        handler=list_documents,
        effect=Effect.READ,
        verb="read",
        layer="knowledge",
        http=Http("GET", _PATH),
        columns=("items.source", "items.version", "items.title", "items.owner", "items.chunks"),
    ),
    Operation(
        name="knowledge.delete",
        summary="Delete a document of shared knowledge",
        command=DeleteDocument,
        result=DocumentDeleted,
        handler=delete,
        effect=Effect.DESTRUCTIVE,
        verb="steward",
        layer="knowledge",
        http=Http("DELETE", f"{_PATH}/{{source}}"),
        errors=(NotFound,),
    ),
)
