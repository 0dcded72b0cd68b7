"""review.*: what waits for a person, and what one decides (RULES 4.4, 15.5)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, get_args
from uuid import UUID

from annotated_types import MaxLen, MinLen
from pydantic import TypeAdapter

from muniment.domain.review import Decision, Why, is_meant
from muniment.domain.trust import Trust
from muniment.errors import Conflict, Fault, Forbidden, InvalidInput, NotFound, OwnRequest
from muniment.operations.items import readable_tiers
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import FIRST_ID, Cursor, Cursors, cut
from muniment.operations.types import Identifier, Instant, Level, Page, Tier, Value, command
from muniment.ports import Context
from muniment.records.review import (
    Judgement,
    asked_for_it,
    decide_event,
    decide_versions,
    waiting_event,
    waiting_versions,
)
from muniment.records.scopes import lock_scope
from muniment.records.secrets import Cleaner

_CURSORS = Cursors(tuple[UUID])
_ALL: tuple[Why, ...] = get_args(Why)


@command
class ListReview:
    """What waits for a person, oldest first: of one user, or of the whole tenant.

    ``why``: quarantined, contested, or unconfirmed, which is a guess about the organisation.
    """

    user_id: Identifier | None = None
    why: Annotated[tuple[Why, ...], MinLen(1), MaxLen(10)] = _ALL
    cursor: Cursor | None = None
    limit: Page = 50


@command
class DecideReview:
    """Decide on an item that waits. ``keep_both`` is for what is contested: it stays beside what it
    disputes.
    """

    id: UUID
    decision: Decision
    reason: Value


@dataclass(frozen=True)
class Opposing:
    """What a contested item stands against."""

    id: UUID
    text: str
    value: str | None
    trust: Trust


@dataclass(frozen=True)
class Waiting:
    """An item that waits, why, and until when: ``expires_at``."""

    id: UUID
    why: Why
    tier: Tier
    scope: Level
    user_id: str | None
    namespace: str
    kind: str
    text: str
    slot: str | None
    value: str | None
    trust: Trust
    recorded_at: Instant
    expires_at: Instant | None
    against: tuple[Opposing, ...]


@dataclass(frozen=True)
class Queue:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Waiting, ...]
    next: str | None


@dataclass(frozen=True)
class Decided:
    """What was decided; ``trust`` is the grade that the item has by that."""

    id: UUID
    why: Why
    decision: Decision
    trust: Trust
    decided_at: Instant


@dataclass(frozen=True)
class _Row:
    place: UUID
    id: UUID
    tier: Tier
    why: Why
    level: Level
    user_id: str | None
    namespace: str
    kind: str
    text: str
    slot: str | None
    value: str | None
    trust: Trust
    recorded_at: datetime
    expires_at: datetime | None
    against: list[dict[str, Any]] | None


@dataclass(frozen=True)
class _Place:
    scope_id: UUID
    level: Level
    user_id: str | None
    namespace: str


_OPPOSING = TypeAdapter(tuple[Opposing, ...])


async def list_waiting(command: ListReview, ctx: Context) -> Queue:
    """Of the tiers that the key reaches. An unknown user has an empty list."""
    tiers = readable_tiers(ctx, None)
    after = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        _Row,
        "review_page",
        user_id=command.user_id,
        why=list(command.why),
        semantic="semantic" in tiers,
        episodic="episodic" in tiers,
        after=FIRST_ID if after is None else after[0],
        now=ctx.now,
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Queue(
        items=tuple(_waiting(row) for row in page),
        next=None if last is None else _CURSORS.after((last.place,)),
    )


async def decide(command: DecideReview, ctx: Context) -> Decided:
    """Approving is the only way in which trust rises: to the grade that the key's roles give.

    Raises NotFound, Conflict for what waits for nothing, OwnRequest for who wrote it, and Forbidden
    for a key whose grade is not enough.
    """
    place = await ctx.unit.one(_Place, "item_places", id=command.id)
    foreign = ctx.caller.user_id is not None and place is not None
    if place is None or (foreign and place.user_id != ctx.caller.user_id):
        raise NotFound("There is no such item.")
    mark = await lock_scope(ctx, place.scope_id)
    versions = await waiting_versions(ctx, place.scope_id, command.id)
    event = None if versions else await waiting_event(ctx, place.scope_id, command.id)
    why: Why = versions[0].why if versions else "quarantined"
    await _check(command, ctx, place.scope_id, why if versions or event else None)
    judged = Judgement(command.decision, Cleaner(ctx.redactor).text(command.reason))
    if event is None:
        _reach(ctx, "semantic")
        trust = await decide_versions(ctx, mark, versions, judged)
    else:
        _reach(ctx, "episodic")
        await decide_event(ctx, mark, event, judged)
        trust = event.trust
    ctx.trail.subjects.insert(0, command.id)
    ctx.trail.detail |= {"why": why, "decision": command.decision, "trust": trust}
    return Decided(command.id, why, command.decision, trust, mark.watermark)


async def _check(command: DecideReview, ctx: Context, scope_id: UUID, why: Why | None) -> None:
    """Whether it waits, for this decision, and for this caller."""
    if why is None:
        item = {"scope_id": scope_id, "id": command.id}
        if not await ctx.unit.value("review_there", **item, now=ctx.now):
            raise NotFound("There is no such item.")
        done = await ctx.unit.value("review_done", **item)
        raise Conflict("This was decided already." if done else "This waits for no decision.")
    if await asked_for_it(ctx, scope_id, command.id):
        raise OwnRequest
    if not is_meant(why, command.decision):
        fault = Fault("/decision", "is for what is contested alone")
        raise InvalidInput(faults=[fault])


def _reach(ctx: Context, tier: Tier) -> None:
    if tier not in readable_tiers(ctx, None):
        raise Forbidden(f"This key does not reach the layer {tier!r}.")


def _waiting(row: _Row) -> Waiting:
    told = {
        name: getattr(row, name) for name in Waiting.__dataclass_fields__ if name in row.__dict__
    }
    against = _OPPOSING.validate_python(row.against or ())
    return Waiting(**(told | {"scope": row.level, "against": against}))


OPERATIONS = (
    Operation(
        name="review.list",
        summary="List what waits for a person's decision",
        command=ListReview,
        result=Queue,
        handler=list_waiting,
        effect=Effect.READ,
        verb="review",
        layer=None,
        http=Http("GET", "/v1/review"),
        columns=("items.id", "items.why", "items.trust", "items.text", "items.expires_at"),
    ),
    Operation(
        name="review.decide",
        summary="Approve or reject what waits, or keep both sides",
        command=DecideReview,
        result=Decided,
        handler=decide,
        effect=Effect.WRITE,
        verb="review",
        layer=None,
        http=Http("POST", "/v1/review/{id}"),
        checks_user=True,
        errors=(NotFound, Conflict, OwnRequest, Forbidden),
    ),
)
