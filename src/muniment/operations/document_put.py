"""A version of a document is put: by a steward, or on a steward's decision."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from muniment.domain.documents import TooLongError
from muniment.errors import Fault, InvalidInput, Overtaken, StaleVersion
from muniment.operations.types import Count
from muniment.ports import Context
from muniment.records.knowledge import (
    HeldDocument,
    NewDocument,
    Prepared,
    find_document,
    is_same,
    lock_document,
    place_of,
    prepare,
    store,
)

Outcome = Literal["inserted", "replaced", "unchanged", "proposed"]
_TRIES = 20


@dataclass(frozen=True)
class DocumentPut:
    """What became of a version; ``redacted``: kinds of secrets that are not kept; ``warnings``:
    where a character that cannot be kept was replaced. One that is ``proposed`` waits under its
    ``document_id``: ``knowledge.decide``.
    """

    document_id: UUID
    source: str
    version: Count
    outcome: Outcome
    chunks: Count
    redacted: tuple[str, ...]
    warnings: tuple[Fault, ...] = ()


async def put_document(
    ctx: Context, namespace: str, document: NewDocument, owner: str | None
) -> DocumentPut:
    """Put a version; without an ``owner`` it is whose it was. Raises as ``put``."""
    found = await find_document(ctx, namespace, document.source)
    # What takes seconds is done before anything is locked, and not for what is held already.
    same = found is not None and await is_held(ctx, *found, document, owner)
    prepared = None if same else await prepared_of(ctx, document)
    scope = await place_of(ctx, namespace)
    held = await lock_document(ctx, scope.scope_id, document.source)
    if held is not None and await is_held(ctx, scope.scope_id, held, document, owner):
        return put_told(ctx, held.document_id, document, "unchanged", held.chunks)
    prepared = prepared or await prepared_of(ctx, document)
    document_id = await store(ctx, scope.scope_id, document, prepared, held)
    for _ in range(_TRIES):
        if document_id is not None:
            break
        # Somebody else put the source meanwhile, and has committed by now.
        held = await lock_document(ctx, scope.scope_id, document.source)
        if held is not None and await is_held(ctx, scope.scope_id, held, document, owner):
            return put_told(ctx, held.document_id, document, "unchanged", held.chunks)
        document_id = await store(ctx, scope.scope_id, document, prepared, held)
    if document_id is None:
        raise Overtaken
    ctx.trail.subjects.append(document_id)
    ctx.trail.detail |= {"version": document.version, "chunks": len(prepared)}
    if held is not None:
        ctx.trail.detail |= {"replaced": held.version}
    outcome: Outcome = "inserted" if held is None else "replaced"
    return put_told(ctx, document_id, document, outcome, len(prepared))


async def prepared_of(ctx: Context, document: NewDocument) -> Prepared:
    """Its chunks. Raises InvalidInput for what has too many lines or chunks."""
    try:
        return await prepare(ctx, document)
    except TooLongError as error:
        raise InvalidInput(faults=[Fault("/text", str(error))]) from None


async def is_held(
    ctx: Context, scope_id: UUID, held: HeldDocument, document: NewDocument, owner: str | None
) -> bool:
    """Whether that version is held just so. Raises StaleVersion where another one stays."""
    if held.version == document.version and await is_same(ctx, scope_id, held, document, owner):
        return True
    if held.version >= document.version:
        raise StaleVersion(extra={"version": held.version})
    return False


def put_told(
    ctx: Context,
    document_id: UUID,
    document: NewDocument,
    outcome: Outcome,
    chunks: int,
) -> DocumentPut:
    """What became of a version, which the trail is about."""
    ctx.trail.about.append(document_id)
    return DocumentPut(
        document_id,
        document.source,
        document.version,
        outcome,
        chunks,
        document.redacted,
        tuple(ctx.repairs),
    )
