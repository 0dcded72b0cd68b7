"""memories.*: look at what is held and how it came about."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, cast
from uuid import UUID

from annotated_types import MaxLen
from pydantic import AwareDatetime, TypeAdapter

from muniment.domain.memory import Listed, Standing
from muniment.domain.reconcile import Decided
from muniment.domain.trust import Trust
from muniment.errors import NotFound
from muniment.operations.items import Item, find_place, item_of, predicate_of, readable_tiers
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import (
    Identifier,
    Instant,
    Json,
    Level,
    Page,
    Tier,
    command,
)
from muniment.ports import Context
from muniment.records.items import HELD_STANDINGS, fetch_items, known_of_nothing, moment_of
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope, scope_mark
from muniment.records.sources import names_of

_MAX_NAMES = 50
_CURSORS = Cursors(tuple[AwareDatetime, UUID])


@command
class GetMemory:
    """An item by its id: a memory, an event or a summary."""

    id: UUID
    as_of: Instant | None = None
    known_at: Instant | None = None


@command
class ListMemories:
    """Items of a user (or, without one, of the organisation), oldest record first.

    ``standing`` widens the list beyond what is asserted; ``tiers`` beyond memories, to what the key
    reaches.
    """

    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    tiers: Annotated[tuple[Tier, ...], MaxLen(_MAX_NAMES)] = ("semantic",)
    kinds: Annotated[tuple[Identifier, ...], MaxLen(_MAX_NAMES)] | None = None
    standing: Annotated[tuple[Listed, ...], MaxLen(_MAX_NAMES)] = ("asserted",)
    data_source: Identifier | None = None
    as_of: Instant | None = None
    known_at: Instant | None = None
    filter: dict[str, Json] | None = None
    cursor: Cursor | None = None
    limit: Page = 50


@command
class MemoryHistory:
    """How a memory, and what stood in its slot before and after it, came about."""

    id: UUID


@dataclass(frozen=True)
class Items:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Item, ...]
    next: str | None
    watermark: Instant


@dataclass(frozen=True)
class Decision:
    """What reconciliation decided, or the worker when it archived, and by which rule."""

    outcome: Decided
    rule: str
    decided_at: Instant


@dataclass(frozen=True)
class MemoryVersion:
    """One immutable version: true in ``valid_*``, held ``recorded_at`` to ``superseded_at``."""

    id: UUID
    version_id: UUID
    text: str
    slot: str | None
    value: str | None
    valid_from: Instant
    valid_to: Instant | None
    recorded_at: Instant
    superseded_at: Instant | None
    superseded_by: UUID | None
    standing: Standing
    trust: Trust
    confidence: float
    importance: int
    pinned: bool
    retracted: bool
    archived: bool
    observed_at: Instant
    expires_at: Instant | None
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class History:
    """Versions in the order in which the service came to hold them."""

    versions: tuple[MemoryVersion, ...]


@dataclass(frozen=True)
class _VersionRow:
    id: UUID
    version_id: UUID
    text: str
    slot: str | None
    value: str | None
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    superseded_by: UUID | None
    standing: Standing
    trust: Trust
    confidence: float
    importance: int
    pinned: bool
    retracted: bool
    archived: bool
    observed_at: datetime
    expires_at: datetime | None
    decisions: list[dict[str, Any]]


_DECISIONS = TypeAdapter(tuple[Decision, ...])


@dataclass(frozen=True)
class _PageRow:
    index_id: UUID
    recorded_at: datetime


async def get(command: GetMemory, ctx: Context) -> Item:
    """What is held of the item, whatever its standing. Raises NotFound."""
    place = await find_place(ctx, command.id)
    mark = await scope_mark(ctx, place.scope_id)
    moment = moment_of(ctx, mark.watermark, command.as_of, command.known_at)
    version = await ctx.unit.value(
        "item_versions",
        scope_id=place.scope_id,
        id=command.id,
        known_at=moment.known_at,
        as_of=moment.as_of,
    )
    ids = [] if version is None else [version]
    fetched = await fetch_items(ctx, place.scope_id, ids, moment, HELD_STANDINGS, anytime=True)
    if not fetched.rows or fetched.rows[0].tier not in readable_tiers(ctx, None):
        raise NotFound("There is no such memory.")
    item = item_of(ctx, fetched.rows[0], cast("Level", place.level), moment)
    return replace(item, watermark=moment.known_at, user_id=place.user_id)


async def list_items(command: ListMemories, ctx: Context) -> Items:
    """An unknown user has an empty list."""
    predicate = predicate_of(command.filter, await names_of(ctx, command.data_source))
    tiers = readable_tiers(ctx, command.tiers)
    after_at, after_id = _CURSORS.read(command.cursor) or (None, None)
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        return Items((), None, known_of_nothing(ctx, command.known_at))
    moment = moment_of(ctx, scope.watermark, command.as_of, command.known_at)
    rows = await ctx.unit.rows(
        _PageRow,
        "items_page",
        scope_id=scope.scope_id,
        tiers=sorted(tiers),
        kinds=None if command.kinds is None else list(command.kinds),
        standings=list(command.standing),
        as_of=moment.as_of,
        known_at=moment.known_at,
        now=moment.now,
        path=None if predicate is None else predicate.path,
        variables=None if predicate is None else predicate.json,
        after_at=after_at,
        after_id=after_id,
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    ids = [row.index_id for row in page]
    fetched = await fetch_items(ctx, scope.scope_id, ids, moment, command.standing)
    return Items(
        items=tuple(item_of(ctx, row, cast("Level", scope.level), moment) for row in fetched.rows),
        next=None if last is None else _CURSORS.after((last.recorded_at, last.index_id)),
        watermark=moment.known_at,
    )


async def history(command: MemoryHistory, ctx: Context) -> History:
    """Raises NotFound for what is not a memory."""
    place = await find_place(ctx, command.id)
    rows = await ctx.unit.rows(
        _VersionRow,
        "memory_history",
        scope_id=place.scope_id,
        memory_id=command.id,
        now=ctx.now,
    )
    if not rows:
        raise NotFound("There is no such memory.")
    return History(
        tuple(
            MemoryVersion(**(vars(row) | {"decisions": _DECISIONS.validate_python(row.decisions)}))
            for row in rows
        )
    )


OPERATIONS = (
    Operation(
        name="memories.get",
        summary="Show a memory, an event or a summary",
        command=GetMemory,
        result=Item,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer=None,
        http=Http("GET", "/v1/memories/{id}"),
        checks_user=True,
        errors=(NotFound,),
    ),
    Operation(
        name="memories.list",
        summary="List what is held of a user or of the organisation",
        command=ListMemories,
        result=Items,
        handler=list_items,
        effect=Effect.READ,
        verb="read",
        layer=None,
        http=Http("GET", "/v1/memories"),
        errors=(NotFound,),
        columns=("items.id", "items.kind", "items.as_of", "items.trust", "items.text"),
    ),
    Operation(
        name="memories.history",
        summary="Show how a memory came about",
        command=MemoryHistory,
        result=History,
        handler=history,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", "/v1/memories/{id}/history"),
        checks_user=True,
        errors=(NotFound,),
        columns=(
            "versions.recorded_at",
            "versions.superseded_at",
            "versions.valid_from",
            "versions.valid_to",
            "versions.standing",
            "versions.text",
        ),
    ),
)
