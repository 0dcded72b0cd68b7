"""rereviews.*: changes of the rules, and what somebody else than who made them says of each."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.errors import Conflict, NotFound, OwnRequest
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import FIRST_ID, Cursor, Cursors, cut
from muniment.operations.types import Instant, Json, Page, Value, command
from muniment.ports import Context
from muniment.records.rereviews import Asked, Changed, Verdict, decide_rereview
from muniment.records.secrets import Cleaner

_CURSORS = Cursors(tuple[UUID])


@command
class ListRereviews:
    """Changes that wait for a second person, oldest first; ``decided`` shows the others too."""

    decided: bool = False
    cursor: Cursor | None = None
    limit: Page = 50


@command
class DecideRereview:
    """Say of a change that it is right, or that it is not. A verdict changes no rule by itself: who
    rejects sees to it that the change is taken back.
    """

    rereview_id: UUID
    verdict: Verdict
    reason: Value


@dataclass(frozen=True)
class Rereview:
    """A change: of the policy, a slot, a key's rights, or of whether a user is remembered.
    ``detail`` says what of it, by names of the policy and rights; ``asked`` who has to look.
    """

    rereview_id: UUID
    changed: Changed
    operation: str
    detail: dict[str, Json]
    ids: tuple[UUID, ...]
    asked: Asked
    opened_by: UUID
    opened_at: Instant
    verdict: Verdict | None
    reason: str | None
    decided_by: UUID | None
    decided_at: Instant | None


@dataclass(frozen=True)
class Rereviews:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Rereview, ...]
    next: str | None


@dataclass(frozen=True)
class RereviewDecided:
    """What was said of a change."""

    rereview_id: UUID
    verdict: Verdict
    decided_at: Instant


@dataclass(frozen=True)
class _Row:
    rereview_id: UUID
    changed: Changed
    operation: str
    detail: dict[str, Any]
    ids: list[UUID]
    asked: Asked
    opened_by: UUID
    opened_at: datetime
    verdict: Verdict | None
    reason: str | None
    decided_by: UUID | None
    decided_at: datetime | None


async def list_rereviews(command: ListRereviews, ctx: Context) -> Rereviews:
    """A page of changes."""
    after = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        _Row,
        "rereview_page",
        after=FIRST_ID if after is None else after[0],
        decided=command.decided,
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Rereviews(
        items=tuple(Rereview(**(vars(row) | {"ids": tuple(row.ids)})) for row in page),
        next=None if last is None else _CURSORS.after((last.rereview_id,)),
    )


async def decide(command: DecideRereview, ctx: Context) -> RereviewDecided:
    """Raises NotFound, Conflict for what was decided, OwnRequest for the principal who made it."""
    reason = Cleaner(ctx.redactor).text(command.reason)
    await decide_rereview(ctx, command.rereview_id, command.verdict, reason)
    ctx.trail.subjects.append(command.rereview_id)
    ctx.trail.detail |= {"verdict": command.verdict}
    return RereviewDecided(command.rereview_id, command.verdict, ctx.now)


OPERATIONS = (
    Operation(
        name="rereviews.list",
        summary="List changes of the rules that a second person has to look at",
        command=ListRereviews,
        result=Rereviews,
        handler=list_rereviews,
        effect=Effect.READ,
        verb="review",
        layer="governance",
        http=Http("GET", "/v1/rereviews"),
        columns=(
            "items.rereview_id",
            "items.changed",
            "items.operation",
            "items.detail",
            "items.asked",
            "items.opened_at",
            "items.verdict?",
        ),
    ),
    Operation(
        name="rereviews.decide",
        summary="Say of a change of the rules whether it is right",
        command=DecideRereview,
        result=RereviewDecided,
        handler=decide,
        effect=Effect.WRITE,
        verb="review",
        layer="governance",
        http=Http("POST", "/v1/rereviews/{rereview_id}"),
        errors=(NotFound, Conflict, OwnRequest),
    ),
)
