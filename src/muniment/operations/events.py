"""events.write: turns of a session, each with the verdict of the gate."""

from dataclasses import dataclass, field
from typing import Annotated
from uuid import UUID

from annotated_types import MaxLen, MinLen

from muniment.domain.policy import Category
from muniment.domain.trust import Trust
from muniment.errors import Fault, Forbidden, TurnConflict, WritesRefused
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import (
    MAX_EVENTS,
    Content,
    Identifier,
    Instant,
    Metadata,
    Turn,
    command,
)
from muniment.ports import Context
from muniment.records.events import EventRole, NewEvent, write_events
from muniment.records.scopes import DEFAULT_NAMESPACE, open_scope
from muniment.records.sessions import open_session
from muniment.records.usage import add_usage


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
        await ctx.unit.run(
            "session_touch",
            scope_id=mark.scope_id,
            session_pk=session.session_pk,
            at=mark.watermark,
        )
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
        http=Http("POST", "/v1/users/{user_id}/sessions/{session_id}/events"),
        errors=(TurnConflict, WritesRefused),
        proposable=True,
        columns=("verdicts.turn", "verdicts.kept", "verdicts.reason", "verdicts.trust"),
    ),
)
