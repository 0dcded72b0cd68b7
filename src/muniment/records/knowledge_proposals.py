"""Versions of documents that agents propose: each waits beside what is held, until a steward
decides on it (RULES 15.5), or nobody did as long as what is quarantined is kept. It has no chunks,
so that nothing is answered with it.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.documents import Format
from muniment.domain.policy import Category
from muniment.ports import Context
from muniment.records.audit_entries import note_record
from muniment.records.holds import cover
from muniment.records.knowledge import (
    HeldDocument,
    NewDocument,
    digest_of_document,
    given_of,
    hold_knowledge,
    settle,
)
from muniment.records.passes import note_pass
from muniment.records.scopes import lock_scope
from muniment.records.usage import size_of

_CLASS = "quarantine"


@dataclass(frozen=True)
class ProposalLine:
    """What waits, without its text; ``replaces``: the version that is held of the source."""

    document_id: UUID
    namespace: str
    source: str
    version: int
    title: str
    format: Format
    owner: str
    data_source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    proposed_at: datetime
    category: Category
    proposed_by: str
    replaces: int | None
    expires_at: datetime | None


@dataclass(frozen=True)
class ProposalRow(ProposalLine):
    """The same with its text, where it lies, and whose key proposed it."""

    text: str
    metadata: dict[str, Any]
    redacted: tuple[str, ...]
    scope_id: UUID
    key_id: UUID

    def document(self, owner: str) -> NewDocument:
        """The version, as a steward puts it."""
        return NewDocument(
            source=self.source,
            version=self.version,
            title=self.title,
            format=self.format,
            text=self.text,
            owner=owner,
            data_source=self.data_source,
            metadata=self.metadata,
            redacted=tuple(self.redacted),
            valid_from=self.valid_from,
            valid_to=self.valid_to,
            category=self.category,
        )


@dataclass(frozen=True)
class WaitedProposal:
    """What waited too long, and where."""

    scope_id: UUID
    document_id: UUID


async def propose_document(ctx: Context, scope_id: UUID, document: NewDocument) -> UUID:
    """Let a version wait; one that the same key proposed just so waits once."""
    given = {"scope_id": scope_id, "source": document.source, "key_id": ctx.caller.key_id}
    given |= given_of(document)
    # One who proposes the same meanwhile is waited for.
    await lock_scope(ctx, scope_id)
    found = await ctx.unit.value("document_proposed", now=ctx.now, **given)
    if isinstance(found, UUID):
        return found
    document_id = ctx.ids.new()
    await ctx.unit.run(
        "document_propose",
        document_id=document_id,
        redacted=list(document.redacted),
        retention_class=_CLASS,
        expires_at=ctx.policy.keep_until(_CLASS, document.category, ctx.now),
        now=ctx.now,
        **given,
    )
    mark = await settle(ctx, scope_id, (1, 0, size_of(document.metadata, document.text)))
    after = await digest_of_document(ctx, scope_id, document_id)
    note_record(ctx, document_id, None, after, mark.version)
    return document_id


async def proposal_of(ctx: Context, document_id: UUID) -> ProposalRow | None:
    """What waits under an id."""
    return await ctx.unit.one(ProposalRow, "proposal_get", document_id=document_id, now=ctx.now)


async def lock_proposal(ctx: Context, row: ProposalRow | WaitedProposal) -> HeldDocument | None:
    """What waits, locked against who else decides on it; None where that is done."""
    hold_knowledge(ctx)
    place = {"scope_id": row.scope_id, "document_id": row.document_id}
    return await ctx.unit.one(HeldDocument, "proposal_lock", **place)


async def end_proposal(ctx: Context, scope_id: UUID, held: HeldDocument) -> None:
    """Nothing waits of it any more. The caller has it locked."""
    before = await digest_of_document(ctx, scope_id, held.document_id)
    await cover(ctx, [scope_id])
    await ctx.unit.run("document_delete", scope_id=scope_id, documents=[held.document_id])
    mark = await settle(ctx, scope_id, (-1, 0, -held.bytes))
    note_record(ctx, held.document_id, before, None, mark.version)


async def proposals_expired(ctx: Context, limit: int) -> list[WaitedProposal]:
    """Those that nobody decided on in their time, the oldest first."""
    return await ctx.unit.rows(WaitedProposal, "proposals_expired", now=ctx.now, limit=limit)


async def expire_proposal(ctx: Context, row: WaitedProposal) -> int:
    """Let go what waited too long; 0 where somebody did meanwhile. Raises Overtaken."""
    held = await lock_proposal(ctx, row)
    if held is None:
        return 0
    await end_proposal(ctx, row.scope_id, held)
    await note_pass(ctx, "expire", row.scope_id, row.document_id, proposals=1)
    return 1
