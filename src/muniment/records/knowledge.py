"""Shared knowledge as it is stored: a document with its chunks comes and goes as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from muniment.domain.documents import Chunk, Format, chunks_of
from muniment.domain.policy import Category
from muniment.domain.ranking.chunks import keys_of
from muniment.errors import NotFound
from muniment.ports import Context, ScopeMark, ScopeRow
from muniment.records.apart import worked_out
from muniment.records.audit_entries import note_record
from muniment.records.holds import cover
from muniment.records.index_rows import searchable
from muniment.records.scopes import ensure_org_scope, find_scope, lock_scope
from muniment.records.tenant_policy import hold_policy
from muniment.records.usage import add_usage, size_of

KIND = "document"


@dataclass(frozen=True)
class NewDocument:
    """A version of a document, without its secrets."""

    source: str
    version: int
    title: str
    format: Format
    text: str
    owner: str
    data_source: str | None
    metadata: dict[str, Any]
    redacted: tuple[str, ...]
    valid_from: datetime | None
    valid_to: datetime | None
    category: Category


@dataclass(frozen=True)
class HeldDocument:
    """What is held of a source, locked."""

    document_id: UUID
    version: int
    chunks: int
    bytes: int


@dataclass(frozen=True)
class DocumentLine:
    """A document without its text."""

    document_id: UUID
    source: str
    version: int
    title: str
    format: Format
    owner: str
    data_source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    chunks: int
    category: Category


@dataclass(frozen=True)
class DocumentRow(DocumentLine):
    """The same with its text."""

    text: str
    metadata: dict[str, Any]
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class _Held:
    held: str


@dataclass(frozen=True)
class DocumentVersion:
    """A document as it is: a later version is another thing to forget."""

    id: UUID
    version: int


Prepared = Sequence[tuple[Chunk, dict[str, Any]]]
"""Chunks with the columns by which they are found."""


async def prepare(ctx: Context, document: NewDocument) -> Prepared:
    """Cut a document and work out how its chunks are found, off the loop where that takes long.

    Raises ``TooLongError``.
    """
    return await worked_out(len(document.text), partial(_prepared, ctx, document))


def _prepared(ctx: Context, document: NewDocument) -> Prepared:
    # What is nothing but marks of headings is found by its title.
    chunks = chunks_of(document.text, document.format) or [Chunk((), document.title)]
    columns = searchable(ctx, [(one.found_by(document.title), None) for one in chunks])
    return list(zip(chunks, columns, strict=True))


async def place_of(ctx: Context, namespace: str) -> ScopeRow:
    """The scope of the organisation to put a document into; raises QuotaExceeded, StorageFull."""
    hold_knowledge(ctx)
    scope = await ensure_org_scope(ctx, namespace)
    await ctx.quotas.check(ctx.unit, scope.scope_id)
    return scope


async def find_document(
    ctx: Context, namespace: str, source: str
) -> tuple[UUID, HeldDocument] | None:
    """What is held of a source, and in which scope, before anything is locked."""
    scope = await find_scope(ctx, None, namespace)
    if scope is None:
        return None
    found = await ctx.unit.one(
        HeldDocument, "document_find", scope_id=scope.scope_id, source=source
    )
    return None if found is None else (scope.scope_id, found)


async def lock_document(ctx: Context, scope_id: UUID, source: str) -> HeldDocument | None:
    """What is held of a source, locked against who else puts or deletes it."""
    return await ctx.unit.one(HeldDocument, "document_lock", scope_id=scope_id, source=source)


async def is_same(
    ctx: Context, scope_id: UUID, held: HeldDocument, document: NewDocument, owner: str | None
) -> bool:
    """Whether a version is what is held already; without an ``owner`` it is whose it was."""
    given = given_of(document) | {"owner": owner}
    place = {"scope_id": scope_id, "document_id": held.document_id}
    return bool(await ctx.unit.value("document_same", **place, **given))


async def store(
    ctx: Context,
    scope_id: UUID,
    document: NewDocument,
    prepared: Prepared,
    held: HeldDocument | None,
) -> UUID | None:
    """Put a version in the place of the one that is held; the scope is locked at the very end.

    None, and nothing is stored, where somebody else put the source first.
    """
    document_id = ctx.ids.new() if held is None else held.document_id
    place = {"scope_id": scope_id, "document_id": document_id}
    given = given_of(document) | {
        "redacted": list(document.redacted),
        "retention_class": ctx.policy.kinds[KIND].retention_class,
        "chunks": len(prepared),
        "key_id": ctx.caller.key_id,
        "now": ctx.now,
    }
    before = None
    if held is not None:
        before = await digest_of_document(ctx, scope_id, document_id)
        await cover(ctx, [scope_id])
        await ctx.unit.run("document_replace", **place, **given)
        await ctx.unit.run("chunks_delete", **place)
    elif not await ctx.unit.run("document_insert", source=document.source, **place, **given):
        return None
    valid = {"valid_from": document.valid_from, "valid_to": document.valid_to}
    await ctx.unit.many(
        "chunk_insert",
        [
            place
            | valid
            | columns
            | _row(ctx, scope_id, chunk, columns["terms"])
            | {"position": position}
            for position, (chunk, columns) in enumerate(prepared)
        ],
    )
    ctx.drill.reached("knowledge.stored")
    mark = await settle(ctx, scope_id, _gained(document, prepared, held))
    await ctx.unit.run("document_recorded", **place, at=mark.watermark)
    after = await digest_of_document(ctx, scope_id, document_id)
    note_record(ctx, document_id, before, after, mark.version)
    return document_id


_STORED = (
    "version", "title", "format", "text", "owner", "data_source", "metadata", "valid_from",
    "valid_to", "category",
)  # fmt: skip


def given_of(document: NewDocument) -> dict[str, Any]:
    """What of a version is stored, by its columns."""
    return {name: getattr(document, name) for name in _STORED}


async def digest_of_document(ctx: Context, scope_id: UUID, document_id: UUID) -> str | None:
    """What the trail tells of a document that is held, by its own salt."""
    found: str | None = await ctx.unit.value(
        "document_digest", scope_id=scope_id, document_id=document_id
    )
    return found


def _row(ctx: Context, scope_id: UUID, chunk: Chunk, terms: bytes) -> dict[str, Any]:
    return {
        "chunk_id": ctx.ids.new(),
        "headings": list(chunk.headings),
        "text": chunk.text,
        "keys": keys_of(scope_id, terms),
    }


def _gained(
    document: NewDocument, prepared: Prepared, held: HeldDocument | None
) -> tuple[int, int, int]:
    """Documents, chunks and bytes that there are more now."""
    size = size_of(document.metadata, document.text)
    if held is None:
        return 1, len(prepared), size
    return 0, len(prepared) - held.chunks, size - held.bytes


async def settle(ctx: Context, scope_id: UUID, gained: tuple[int, int, int]) -> ScopeMark:
    """The scope's next moment, and what it stores now."""
    mark = await lock_scope(ctx, scope_id)
    documents, chunks, size = gained
    await ctx.unit.run("chunks_add", scope_id=scope_id, chunks=chunks)
    await add_usage(ctx, mark, documents, size)
    return mark


async def remove(ctx: Context, namespace: str, source: str) -> HeldDocument:
    """Delete a document with its chunks. Raises NotFound."""
    hold_knowledge(ctx)
    scope = await find_scope(ctx, None, namespace)
    held = None if scope is None else await lock_document(ctx, scope.scope_id, source)
    if scope is None or held is None:
        raise NotFound("There is no such document.")
    before = await digest_of_document(ctx, scope.scope_id, held.document_id)
    await cover(ctx, [scope.scope_id])
    given = {"scope_id": scope.scope_id, "documents": [held.document_id]}
    await ctx.unit.run("document_delete", **given)
    mark = await settle(ctx, scope.scope_id, (-1, -held.chunks, -held.bytes))
    note_record(ctx, held.document_id, before, None, mark.version)
    return held


def hold_knowledge(ctx: Context) -> None:
    """Keep forgets that may take documents out until the transaction ends, from its next statement
    on.
    """
    hold_policy(ctx)
    ctx.unit.provided(_Held, "knowledge_hold", _given_it)


def _given_it(_rows: Sequence[_Held]) -> None:
    """That the statement came back is all that there is to see."""


async def take_knowledge(ctx: Context) -> None:
    """Wait for who puts and deletes documents, and keep them out: before a forget that may take
    some locks a scope.
    """
    hold_policy(ctx)
    await ctx.unit.value("knowledge_take")


async def documents_of_source(ctx: Context, scope_id: UUID, names: Sequence[str]) -> list[UUID]:
    """Documents of a scope that were written from a source, by any of its names, or are one."""
    rows = await ctx.unit.rows(
        DocumentVersion, "documents_of_source", scope_id=scope_id, names=list(names)
    )
    return [row.id for row in rows]


async def documents_among(
    ctx: Context, scope_id: UUID, items: Sequence[UUID]
) -> list[DocumentVersion]:
    """Which of these are documents of the scope."""
    if not items:
        return []
    given = {"scope_id": scope_id, "items": list(items)}
    return await ctx.unit.rows(DocumentVersion, "documents_among", **given)
