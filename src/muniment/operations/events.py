"""events.*: turns of a session, each with the verdict of the gate."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from annotated_types import MaxLen, MinLen

from muniment.domain.policy import Category
from muniment.domain.trust import Trust
from muniment.errors import Fault, Forbidden, NotFound, TurnConflict, WritesRefused
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import (
    MAX_EVENTS,
    Content,
    Count,
    Identifier,
    Instant,
    Metadata,
    Page,
    Turn,
    command,
)
from muniment.ports import Context
from muniment.records.events import EventRole, NewEvent, write_events
from muniment.records.scopes import DEFAULT_NAMESPACE, open_scope
from muniment.records.sessions import open_session, require_session
from muniment.records.usage import add_usage

_PATH = "/v1/users/{user_id}/sessions/{session_id}/events"
_CURSORS = Cursors(tuple[int])
_LAST_TURN = 2**31 - 1


@command
class Event:
    """One turn. ``turn`` orders the session and names the event within it."""

    turn: Turn
    role: EventRole
    content: Content
    occurred_at: Instant
    name: Identifier | None = None
    data_source: Identifier | None = None
    tool: Identifier | None = None
    metadata: Metadata = field(default_factory=dict)


@command
class WriteEvents:
    """Write turns of one session; the session and the user are made on first use."""

    user_id: Identifier
    session_id: Identifier
    events: Annotated[tuple[Event, ...], MinLen(1), MaxLen(MAX_EVENTS)]
    namespace: Identifier = DEFAULT_NAMESPACE
    agent_id: Identifier | None = None
    category: Category = "personal"


@command
class ListEvents:
    """The turns of a session in order, or the ``latest`` first; those that were dropped too."""

    user_id: Identifier
    session_id: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE
    latest: bool = False
    cursor: Cursor | None = None
    limit: Page = 50


@dataclass(frozen=True)
class EventVerdict:
    """What became of one turn: kept or not, the gate's reason, and the rule that decided.

    ``redacted``: kinds of the secrets that were taken out of it before it was stored.
    """

    turn: int
    event_id: UUID
    kept: bool
    reason: str
    rule: str
    importance: int
    trust: Trust
    quarantined: bool
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class EventsWritten:
    """A verdict for each event in the order given. ``stored`` counts those that were new.

    ``obeyed``: turns, of this call or of earlier ones, that this call withdrew since it asks not to
    have them remembered.
    """

    verdicts: tuple[EventVerdict, ...]
    stored: int
    obeyed: tuple[int, ...]
    warnings: tuple[Fault, ...]


@dataclass(frozen=True)
class WrittenTurn:
    """A turn as it is held, with the gate's verdict on it. One that was withdrawn has no words.

    ``proposed``: a key of another principal only proposed it, and nobody approved it.
    """

    event_id: UUID
    turn: Turn
    role: EventRole
    content: str
    name: str | None
    occurred_at: Instant
    data_source: str | None
    tool: str | None
    metadata: Metadata
    kept: bool
    reason: str
    rule: str
    quarantined: bool
    redacted: tuple[str, ...]
    expires_at: Instant | None
    proposed: bool


@dataclass(frozen=True)
class WrittenTurns:
    """One page; ``next`` is the ``cursor`` of the following one. From ``free_turn`` on no turn was
    written, or forgotten.
    """

    items: tuple[WrittenTurn, ...]
    next: str | None
    free_turn: Count


@dataclass(frozen=True)
class _TurnRow:
    event_id: UUID
    turn: int
    role: EventRole
    content: str
    name: str | None
    occurred_at: datetime
    data_source: str | None
    tool: str | None
    metadata: dict[str, Any]
    kept: bool
    reason: str
    rule: str
    quarantined: bool
    redacted: list[str]
    expires_at: datetime | None
    proposed: bool


async def write(command: WriteEvents, ctx: Context) -> EventsWritten:
    """Store, judge and index the turns; kept ones are recallable when this returns.

    Secrets go before anything else happens. What a turn asks not to have remembered is obeyed.
    Kept turns of a key that may only propose wait for a person, and what they ask for is not done.
    """
    faults = [
        Fault(f"/events/{at}/role", f"this key may not relay the role {event.role}")
        for at, event in enumerate(command.events)
        if event.role not in ctx.caller.roles
    ]
    if faults:
        raise Forbidden("This key may not relay that role.", faults=faults)
    mark = await open_scope(ctx, command.user_id, command.namespace)
    session = await open_session(ctx, mark.scope_id, command.session_id, mark.watermark)
    written = await write_events(ctx, mark, session, [_new(command, e) for e in command.events])
    if written.fresh:
        await ctx.unit.later("session_touch", **session.place, at=mark.watermark)
        await add_usage(ctx, mark, written.fresh, written.size)
    ctx.trail.subjects += [session.session_pk]
    ctx.trail.detail |= {"events": len(written.events), "stored": written.fresh}
    ctx.trail.detail |= {"obeyed": len(written.obeyed)} if written.obeyed else {}
    verdicts = tuple(
        EventVerdict(
            turn=event.turn,
            event_id=event.event_id,
            kept=event.kept,
            reason=event.reason,
            rule=event.rule,
            importance=event.importance,
            trust=event.trust,
            quarantined=event.standing == "quarantined",
            redacted=tuple(event.redacted),
        )
        for event in written.events
    )
    return EventsWritten(verdicts, written.fresh, written.obeyed, tuple(ctx.repairs))


async def list_turns(command: ListEvents, ctx: Context) -> WrittenTurns:
    """Raises NotFound for a session that is not there."""
    place = _CURSORS.read(command.cursor)
    session = await require_session(ctx, command.user_id, command.namespace, command.session_id)
    where = {"scope_id": session.scope_id, "session_pk": session.session_pk}
    first = _LAST_TURN + 1 if command.latest else -1
    rows = await ctx.unit.rows(
        _TurnRow,
        "turns_back" if command.latest else "turns_on",
        **where,
        after=first if place is None else max(-1, min(place[0], _LAST_TURN + 1)),
        principal=ctx.caller.principal,
        now=ctx.now,
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return WrittenTurns(
        items=tuple(WrittenTurn(**vars(row) | {"redacted": tuple(row.redacted)}) for row in page),
        next=None if last is None else _CURSORS.after((last.turn,)),
        free_turn=await ctx.unit.value("turn_free", **where) or 0,
    )


def _new(command: WriteEvents, event: Event) -> NewEvent:
    return NewEvent(
        turn=event.turn,
        role=event.role,
        content=event.content,
        occurred_at=event.occurred_at,
        name=event.name,
        data_source=event.data_source,
        tool=event.tool,
        agent_id=command.agent_id,
        metadata=event.metadata,
        category=command.category,
    )


OPERATIONS = (
    Operation(
        name="events.write",
        summary="Write turns of a session",
        command=WriteEvents,
        result=EventsWritten,
        handler=write,
        effect=Effect.WRITE,
        verb="write",
        layer="episodic",
        http=Http("POST", _PATH),
        errors=(TurnConflict, WritesRefused),
        proposable=True,
        columns=("verdicts.turn", "verdicts.kept", "verdicts.reason", "verdicts.trust"),
    ),
    Operation(
        name="events.list",
        summary="List the turns of a session",
        command=ListEvents,
        result=WrittenTurns,
        handler=list_turns,
        effect=Effect.READ,
        verb="read",
        layer="episodic",
        http=Http("GET", _PATH),
        errors=(NotFound,),
        columns=("items.turn", "items.role", "items.kept", "items.reason", "items.content"),
    ),
)
