"""audit.*: who did what, and the proof that nobody changed it since (RULES 15.1)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from annotated_types import Ge, Le, MaxLen
from pydantic import StringConstraints

from muniment.domain.sealing import Wrong, head_message
from muniment.domain.timeline import EPOCH, LAST
from muniment.errors import Fault, InvalidInput
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Count, Identifier, Instant, Page, command
from muniment.ports import Context
from muniment.records.audit_entries import records_told
from muniment.records.sealing import Head, chain_head, check_chain, signed_head

Seq = Annotated[int, Ge(0), Le(2**63 - 1)]
Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Signature = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]
MOST_RECORDS = 1000
_MOST_CHANGES = 20
_CURSORS = Cursors(tuple[Instant, UUID])


@command
class ListEntries:
    """Entries of the tenant, newest first.

    ``since`` and ``until`` are a half-open window; ``subject_id`` is an id that the entry names.
    """

    since: Instant | None = None
    until: Instant | None = None
    operation: Identifier | None = None
    effect: Literal["read", "write", "destructive", "refused"] | None = None
    key_id: UUID | None = None
    subject_id: UUID | None = None
    cursor: Cursor | None = None
    limit: Page = 50


@command
class ShowHead:
    """The last seal of the chain, signed: keep it where the database cannot reach it."""


@command
class KnownHead:
    """A head as ``audit.head`` answered it, or a line of the file of heads."""

    tenant_id: UUID
    seq: Seq
    hash: Hash
    sealed_at: Instant | None = None
    public_key: Hash
    signature: Signature


@command
class VerifyChain:
    """Compute every digest and link again and say what is wrong.

    With a ``head`` that was kept, an end that was cut off or made anew is found too.
    ``after_head``: trust what that head covers, and look at what came later. ``public_key`` is of
    the key that signed the head; left out: that of this service. ``records`` are ids of turns,
    summaries, memories and documents: each that is there is compared with what the trail says that
    it says.
    """

    head: KnownHead | None = None
    after_head: bool = False
    public_key: Hash | None = None
    records: Annotated[tuple[UUID, ...], MaxLen(MOST_RECORDS)] = ()


@dataclass(frozen=True)
class AuditChange:
    """What a record said before and after, as digests that its own salt makes: they tell nothing
    once it is erased. ``record`` is an id, or names a thing of the tenant's, such as its policy.
    ``version`` is that of the scope of a turn, summary, memory or document: by it such changes are
    in order.
    """

    record: str
    before: str | None
    after: str | None
    version: int | None


@dataclass(frozen=True)
class AuditEntry:
    """An entry: ids and counts. ``request`` is a digest of the request's id; ``changed`` counts the
    records that changed and ``changes`` are some of them, with a ``subject_id`` that one; ``seq``
    and ``sealed_at`` are its place in the chain, once it has one.
    """

    entry_id: UUID
    at: Instant
    operation: str
    effect: str
    key_id: UUID
    request: str
    subjects: tuple[UUID, ...]
    detail: dict[str, Any]
    changed: Count
    changes: tuple[AuditChange, ...]
    seq: int | None
    sealed_at: Instant | None


@dataclass(frozen=True)
class AuditEntries:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[AuditEntry, ...]
    next: str | None


@dataclass(frozen=True)
class AuditHead:
    """The last seal and the signature over it; ``seq`` 0 while nothing is sealed."""

    tenant_id: UUID
    seq: int
    hash: str
    sealed_at: Instant | None
    public_key: str
    signature: str


@dataclass(frozen=True)
class AuditFinding:
    """One thing that is wrong: its place in the chain, its entry, its record, as far as known."""

    wrong: Wrong
    seq: int | None
    entry_id: str | None
    record_id: UUID | None


@dataclass(frozen=True)
class AuditCheck:
    """What was looked at: seals ``after_seq`` to ``seq``, and entries that wait for theirs.

    ``ok`` is true where nothing is wrong; ``compared`` of the records that were named were there;
    ``more``: only the first findings are listed.
    """

    ok: bool
    after_seq: int
    seq: int
    hash: str
    seals: Count
    pending: Count
    compared: Count
    findings: tuple[AuditFinding, ...]
    more: bool


@dataclass(frozen=True)
class _Row:
    entry_id: UUID
    at: datetime
    operation: str
    effect: str
    key_id: UUID
    request: str
    subjects: list[UUID]
    detail: dict[str, Any]
    changed: int
    changes: list[dict[str, Any]]
    seq: int | None
    sealed_at: datetime | None

    def shown(self) -> AuditEntry:
        """The entry as it is answered."""
        changes = tuple(AuditChange(**one) for one in self.changes)
        return AuditEntry(**(vars(self) | {"subjects": tuple(self.subjects), "changes": changes}))


async def list_entries(command: ListEntries, ctx: Context) -> AuditEntries:
    """A page of entries, those that wait for their seal too."""
    place = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        _Row,
        "audit_list",
        since=command.since or EPOCH,
        until=command.until or LAST,
        operation=command.operation,
        effect=command.effect,
        key_id=command.key_id,
        subject=command.subject_id,
        before_at=None if place is None else place[0],
        before_id=None if place is None else place[1],
        limit=command.limit + 1,
        most=_MOST_CHANGES,
    )
    page, last = cut(rows, command.limit)
    return AuditEntries(
        items=tuple(row.shown() for row in page),
        next=None if last is None else _CURSORS.after((last.at, last.entry_id)),
    )


async def head(_command: ShowHead, ctx: Context) -> AuditHead:
    """The head as it stands; entries that wait for their seal are not covered by it."""
    found = await chain_head(ctx.unit)
    shown = signed_head(ctx.signer, ctx.unit.tenant_id, found)
    return AuditHead(**(shown | {"tenant_id": ctx.unit.tenant_id, "sealed_at": found.sealed_at}))


async def verify(command: VerifyChain, ctx: Context) -> AuditCheck:
    """Raises InvalidInput for the head of another tenant, and for none to look behind."""
    known = _known(command, ctx)
    start = known if command.after_head and known is not None else Head()
    check = await check_chain(ctx.unit, start, known)
    if known is not None and not _signed(command, ctx):
        check.note("head_not_signed", known.seq)
    told = await records_told(ctx, command.records)
    for one in told:
        if one.after != one.digest:
            wrong: Wrong = "untold_record" if one.entry_id is None else "changed_record"
            check.note(wrong, entry_id=one.entry_id, record_id=str(one.id))
    found = check.findings()
    return AuditCheck(
        ok=not found,
        after_seq=start.seq,
        seq=check.seq,
        hash=check.hash.hex(),
        seals=check.seen,
        pending=int(await ctx.unit.value("pending_count")),
        compared=len(told),
        findings=tuple(
            AuditFinding(
                one.wrong,
                one.seq,
                one.entry_id,
                None if one.record_id is None else UUID(one.record_id),
            )
            for one in found
        ),
        more=check.more,
    )


def _known(command: VerifyChain, ctx: Context) -> Head | None:
    given = command.head
    if given is None:
        if command.after_head:
            raise InvalidInput(faults=[Fault("/head", "is needed to look at what came after it")])
        return None
    if given.tenant_id != ctx.unit.tenant_id:
        raise InvalidInput(faults=[Fault("/head/tenant_id", "is not the tenant of this key")])
    return Head(given.seq, bytes.fromhex(given.hash), given.sealed_at)


def _signed(command: VerifyChain, ctx: Context) -> bool:
    given = command.head
    if given is None:
        return True
    message = head_message(
        str(given.tenant_id), given.seq, bytes.fromhex(given.hash), given.sealed_at
    )
    return ctx.signer.holds(command.public_key or ctx.signer.public_key(), message, given.signature)


OPERATIONS = (
    Operation(
        name="audit.list",
        summary="List audit entries",
        command=ListEntries,
        result=AuditEntries,
        handler=list_entries,
        effect=Effect.READ,
        verb="audit",
        layer="audit",
        http=Http("GET", "/v1/audit"),
        columns=(
            "items.seq?",
            "items.at",
            "items.operation",
            "items.effect",
            "items.key_id",
            "items.subjects",
        ),
    ),
    Operation(
        name="audit.head",
        summary="Show the signed head of the audit chain",
        command=ShowHead,
        result=AuditHead,
        handler=head,
        effect=Effect.READ,
        verb="audit",
        layer="audit",
        http=Http("GET", "/v1/audit/head"),
    ),
    Operation(
        name="audit.verify",
        summary="Verify the audit chain",
        command=VerifyChain,
        result=AuditCheck,
        handler=verify,
        effect=Effect.READ,
        verb="audit",
        layer="audit",
        http=Http("POST", "/v1/audit/verify"),
        columns=("findings.wrong", "findings.seq?", "findings.entry_id?", "findings.record_id?"),
    ),
)
