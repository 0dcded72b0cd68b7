"""receipts.*: what forgets erased, and how far each has come."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.errors import NotFound
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Instant, Page, command
from muniment.ports import Context

State = Literal["hidden", "erased", "scrubbed"]
Target = Literal["user", "session", "source", "items", "filter", "hold"]
_CURSORS = Cursors(tuple[UUID])


@command
class GetReceipt:
    """A receipt by the id that ``forget`` answered."""

    receipt_id: UUID


@command
class ListReceipts:
    """Receipts of the tenant, newest first."""

    state: State | None = None
    cursor: Cursor | None = None
    limit: Page = 50


@dataclass(frozen=True)
class Receipt:
    """What a forget did; of a target that was not there it looks the same, with no rows.

    ``hidden``: nothing answers with it any more, and a hold keeps rows of it. ``erased``: the rows
    are gone. ``scrubbed``: so are the bytes, as ``scrub`` says. ``verified`` says in which tables
    none was found that names what went, where nothing is held. ``held``: rows by table that a hold
    kept back; they went, if it is not hidden. ``digest`` is SHA-256 over all
    of this as JSON with sorted keys, instants in microseconds since 1970.
    """

    receipt_id: UUID
    target: Target
    state: State
    counts: Mapping[str, int]
    held: Mapping[str, int]
    hidden_at: Instant
    erased_at: Instant | None
    scrubbed_at: Instant | None
    verified: dict[str, Any] | None
    scrub: dict[str, Any]
    digest: str


@dataclass(frozen=True)
class Receipts:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Receipt, ...]
    next: str | None


@dataclass(frozen=True)
class _Row:
    receipt_id: UUID
    target: Target
    state: State
    counts: dict[str, int]
    held: dict[str, int]
    hidden_at: datetime
    erased_at: datetime | None
    scrubbed_at: datetime | None
    verified: dict[str, Any] | None
    scrub: dict[str, Any]
    digest: str


async def get(command: GetReceipt, ctx: Context) -> Receipt:
    """Raises NotFound for one of another tenant as for one that never was."""
    row = await ctx.unit.one(_Row, "receipt_get", receipt_id=command.receipt_id)
    if row is None:
        raise NotFound("There is no such receipt.")
    return Receipt(**vars(row))


async def list_receipts(command: ListReceipts, ctx: Context) -> Receipts:
    """One page of receipts."""
    place = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        _Row,
        "receipt_list",
        state=command.state,
        before=None if place is None else place[0],
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Receipts(
        items=tuple(Receipt(**vars(row)) for row in page),
        next=None if last is None else _CURSORS.after((last.receipt_id,)),
    )


OPERATIONS = (
    Operation(
        name="receipts.get",
        summary="Show the receipt of a forget",
        command=GetReceipt,
        result=Receipt,
        handler=get,
        effect=Effect.READ,
        verb="audit",
        layer="audit",
        http=Http("GET", "/v1/receipts/{receipt_id}"),
        errors=(NotFound,),
    ),
    Operation(
        name="receipts.list",
        summary="List receipts of forgets",
        command=ListReceipts,
        result=Receipts,
        handler=list_receipts,
        effect=Effect.READ,
        verb="audit",
        layer="audit",
        http=Http("GET", "/v1/receipts"),
        columns=(
            "items.receipt_id",
            "items.target",
            "items.state",
            "items.hidden_at",
            "items.scrubbed_at?",
        ),
    ),
)
