"""The family audit. Generated; do not edit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


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
    at: datetime
    operation: str
    effect: str
    key_id: UUID
    request: str
    subjects: tuple[UUID, ...]
    detail: dict[str, Any]
    changed: int
    changes: tuple[AuditChange, ...]
    seq: int | None
    sealed_at: datetime | None


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
    sealed_at: datetime | None
    public_key: str
    signature: str


@dataclass(frozen=True)
class AuditFinding:
    """One thing that is wrong: its place in the chain, its entry, its record, as far as known."""

    wrong: Literal[
        "changed_entry",
        "missing_entry",
        "changed_seal",
        "broken_link",
        "gap",
        "swapped",
        "truncated",
        "head_differs",
        "head_not_signed",
        "not_sealed",
        "pending_too_long",
        "changed_record",
        "untold_record",
    ]
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
    seals: int
    pending: int
    compared: int
    findings: tuple[AuditFinding, ...]
    more: bool


@dataclass(frozen=True)
class KnownHead:
    """A head as ``audit.head`` answered it, or a line of the file of heads."""

    tenant_id: UUID
    seq: int
    hash: str
    public_key: str
    signature: str
    sealed_at: datetime | None = None


_LIST = Endpoint("audit.list", "GET", "/v1/audit")
_HEAD = Endpoint("audit.head", "GET", "/v1/audit/head")
_VERIFY = Endpoint("audit.verify", "POST", "/v1/audit/verify")


class AuditCalls:
    """Calls of the family audit."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        operation: str | None = None,
        effect: Literal["read", "write", "destructive", "refused"] | None = None,
        key_id: UUID | None = None,
        subject_id: UUID | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> AuditEntries:
        """List audit entries.

        Entries of the tenant, newest first.

        ``since`` and ``until`` are a half-open window; ``subject_id`` is an id that the entry
        names.

        >>> client.audit.list()
        """
        return self._call(
            _LIST, {'since': since, 'until': until, 'operation': operation, 'effect': effect,
            'key_id': key_id, 'subject_id': subject_id, 'cursor': cursor, 'limit': limit},
            AuditEntries
        )  # fmt: skip

    def head(
        self,
    ) -> AuditHead:
        """Show the signed head of the audit chain.

        The last seal of the chain, signed: keep it where the database cannot reach it.

        >>> client.audit.head()
        """
        return self._call(_HEAD, {}, AuditHead)

    def verify(
        self,
        *,
        head: KnownHead | None = None,
        after_head: bool = False,
        public_key: str | None = None,
        records: Sequence[UUID] = (),
    ) -> AuditCheck:
        """Verify the audit chain.

        Compute every digest and link again and say what is wrong.

        With a ``head`` that was kept, an end that was cut off or made anew is found too.
        ``after_head``: trust what that head covers, and look at what came later. ``public_key``
        is of the key that signed the head; left out: that of this service. ``records`` are ids
        of turns, summaries, memories and documents: each that is there is compared with what
        the trail says that it says.

        >>> client.audit.verify()
        """
        return self._call(
            _VERIFY, {'head': head, 'after_head': after_head, 'public_key': public_key,
            'records': records}, AuditCheck
        )  # fmt: skip


class AsyncAuditCalls:
    """Calls of the family audit."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        operation: str | None = None,
        effect: Literal["read", "write", "destructive", "refused"] | None = None,
        key_id: UUID | None = None,
        subject_id: UUID | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> AuditEntries:
        """List audit entries.

        Entries of the tenant, newest first.

        ``since`` and ``until`` are a half-open window; ``subject_id`` is an id that the entry
        names.

        >>> await client.audit.list()
        """
        return await self._call(
            _LIST, {'since': since, 'until': until, 'operation': operation, 'effect': effect,
            'key_id': key_id, 'subject_id': subject_id, 'cursor': cursor, 'limit': limit},
            AuditEntries
        )  # fmt: skip

    async def head(
        self,
    ) -> AuditHead:
        """Show the signed head of the audit chain.

        The last seal of the chain, signed: keep it where the database cannot reach it.

        >>> await client.audit.head()
        """
        return await self._call(_HEAD, {}, AuditHead)

    async def verify(
        self,
        *,
        head: KnownHead | None = None,
        after_head: bool = False,
        public_key: str | None = None,
        records: Sequence[UUID] = (),
    ) -> AuditCheck:
        """Verify the audit chain.

        Compute every digest and link again and say what is wrong.

        With a ``head`` that was kept, an end that was cut off or made anew is found too.
        ``after_head``: trust what that head covers, and look at what came later. ``public_key``
        is of the key that signed the head; left out: that of this service. ``records`` are ids
        of turns, summaries, memories and documents: each that is there is compared with what
        the trail says that it says.

        >>> await client.audit.verify()
        """
        return await self._call(
            _VERIFY, {'head': head, 'after_head': after_head, 'public_key': public_key,
            'records': records}, AuditCheck
        )  # fmt: skip
