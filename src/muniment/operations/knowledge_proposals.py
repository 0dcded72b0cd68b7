"""knowledge.proposals, knowledge.proposal, knowledge.decide: what agents propose to stewards."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from muniment.domain.documents import Format
from muniment.domain.policy import Category
from muniment.errors import NotFound, OwnRequest, StaleVersion
from muniment.operations.document_put import DocumentPut, put_document
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import FIRST_ID, Cursor, Cursors, cut
from muniment.operations.types import Count, Identifier, Instant, Metadata, Page, command
from muniment.ports import Context
from muniment.records.credentials import made_by_caller
from muniment.records.knowledge_proposals import (
    ProposalLine,
    end_proposal,
    lock_proposal,
    proposal_of,
)
from muniment.records.scopes import DEFAULT_NAMESPACE

_IDS = Cursors(tuple[UUID])
_PATH = "/v1/knowledge-proposals"
_ONE = f"{_PATH}/{{document_id}}"


@command
class ListProposals:
    """The versions of documents that wait for a steward, oldest first, without their texts."""

    namespace: Identifier = DEFAULT_NAMESPACE
    cursor: Cursor | None = None
    limit: Page = 50


@command
class GetProposal:
    """A version that waits, as it was proposed, without its secrets."""

    document_id: UUID


@command
class DecideProposal:
    """Put what was proposed, or let it go. Who proposed it does not decide on it.

    It is the deciding steward's, unless the proposal says who answers for it.
    """

    document_id: UUID
    decision: Literal["approve", "reject"]


@dataclass(frozen=True)
class ProposalEntry:
    """A version that waits, without its text; ``replaces``: the one that is held of the source;
    ``expires_at``: until when.
    """

    document_id: UUID
    namespace: str
    source: str
    version: Count
    title: str
    format: Format
    owner: str
    data_source: str | None
    valid_from: Instant | None
    valid_to: Instant | None
    proposed_at: Instant
    category: Category
    proposed_by: str
    replaces: Count | None
    expires_at: Instant | None


@dataclass(frozen=True)
class Proposal(ProposalEntry):
    """A version that waits."""

    text: str
    metadata: Metadata
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class Proposals:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[ProposalEntry, ...]
    next: str | None


@dataclass(frozen=True)
class ProposalDecided:
    """What was decided; ``put``: what became of the version, where it was approved."""

    document_id: UUID
    decision: Literal["approve", "reject"]
    put: DocumentPut | None


async def list_proposals(command: ListProposals, ctx: Context) -> Proposals:
    """Of a namespace that there is not nothing waits."""
    place = _IDS.read(command.cursor)
    rows = await ctx.unit.rows(
        ProposalLine,
        "proposal_page",
        namespace=command.namespace,
        after=FIRST_ID if place is None else place[0],
        limit=command.limit + 1,
        now=ctx.now,
    )
    page, last = cut(rows, command.limit)
    return Proposals(
        items=tuple(ProposalEntry(**vars(row)) for row in page),
        next=None if last is None else _IDS.after((last.document_id,)),
    )


async def get(command: GetProposal, ctx: Context) -> Proposal:
    """Raises NotFound."""
    row = await proposal_of(ctx, command.document_id)
    if row is None:
        raise NotFound("There is no such proposal.")
    return Proposal(**{name: getattr(row, name) for name in Proposal.__dataclass_fields__})


async def decide(command: DecideProposal, ctx: Context) -> ProposalDecided:
    """Raises NotFound, also for what was decided meanwhile; OwnRequest; StaleVersion where the
    source has that version or a later one by now, and the proposal goes on waiting.
    """
    row = await proposal_of(ctx, command.document_id)
    held = None if row is None else await lock_proposal(ctx, row)
    if row is None or held is None:
        raise NotFound("There is no such proposal.")
    if made_by_caller(ctx, row.key_id, row.proposed_by):
        raise OwnRequest
    put: DocumentPut | None = None
    if command.decision == "approve":
        named = None if row.owner == row.proposed_by else row.owner
        document = row.document(named or ctx.caller.principal)
        put = await put_document(ctx, row.namespace, document, named)
    await end_proposal(ctx, row.scope_id, held)
    ctx.trail.subjects.insert(0, row.document_id)
    ctx.trail.about.append(row.document_id)
    ctx.trail.detail |= {"decision": command.decision, "version": row.version}
    return ProposalDecided(row.document_id, command.decision, put)


OPERATIONS = (
    Operation(
        name="knowledge.proposals",
        summary="List the versions of documents that wait for a steward",
        command=ListProposals,
        result=Proposals,
        handler=list_proposals,
        effect=Effect.READ,
        verb="steward",
        layer="knowledge",
        http=Http("GET", _PATH),
        columns=("items.document_id", "items.source", "items.version", "items.proposed_by"),
    ),
    Operation(
        name="knowledge.proposal",
        summary="Show a version of a document that waits for a steward",
        command=GetProposal,
        result=Proposal,
        handler=get,
        effect=Effect.READ,
        verb="steward",
        layer="knowledge",
        http=Http("GET", _ONE),
        errors=(NotFound,),
    ),
    Operation(
        name="knowledge.decide",
        summary="Put a version of a document that was proposed, or let it go",
        command=DecideProposal,
        result=ProposalDecided,
        handler=decide,
        effect=Effect.WRITE,
        verb="steward",
        layer="knowledge",
        http=Http("POST", _ONE),
        errors=(NotFound, OwnRequest, StaleVersion),
    ),
)
