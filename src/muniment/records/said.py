"""The turns of a session as an extractor reads them, and as candidates are judged by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.domain.admission import SessionTurn
from muniment.domain.extraction import SaidTurn
from muniment.domain.policy import Category
from muniment.domain.trust import Trust
from muniment.ports import Context
from muniment.records.echoes import Returned, returned_into
from muniment.records.event_rows import as_written
from muniment.records.events import EventRole
from muniment.records.versions import Cited


@dataclass(frozen=True)
class StoredTurn:
    """A live turn as it is stored."""

    event_id: UUID
    turn: int
    role: EventRole
    name: str | None
    content: str
    occurred_at: datetime
    occurred_text: str | None
    recorded_at: datetime
    kept: bool
    reason: str
    trust: Trust
    category: Category
    standing: str
    data_source: str | None
    agent_id: str | None


@dataclass(frozen=True)
class Session:
    """A session as extraction looks at it; ``extracted_at`` and ``transcribed_at`` say how far."""

    session_pk: UUID
    session_id: str
    no_store: bool
    outcome: str | None
    dirty_since: datetime | None
    extracted_at: datetime | None
    transcribed_at: datetime | None
    run_id: UUID | None
    namespace: str
    opted_out: bool


@dataclass(frozen=True)
class Reading:
    """A session and its turns at one moment; who decides on them looks whether they still are so.

    ``echoes`` are turns that nothing is drawn from. ``user_name`` is what the user is called.
    """

    scope_id: UUID
    session: Session
    turns: Sequence[StoredTurn]
    echoes: frozenset[int]
    user_name: str | None

    def said(self) -> list[SaidTurn]:
        """Every turn as an extractor reads it, in order."""
        return [
            SaidTurn(
                turn=one.turn,
                role=one.role,
                name=one.name,
                content=one.content,
                occurred_at=as_written(one.occurred_at, one.occurred_text),
                echo=one.turn in self.echoes,
            )
            for one in self.turns
        ]

    def judged_by(self, since: datetime | None) -> dict[int, SessionTurn]:
        """The turns by number as candidates are judged; fresh is what came after ``since``."""
        return {
            one.turn: SessionTurn(
                turn=one.turn,
                role=one.role,
                name=one.name,
                content=one.content,
                occurred_at=as_written(one.occurred_at, one.occurred_text),
                trust=one.trust,
                standing=one.standing,
                category=one.category,
                reason=one.reason,
                data_source=one.data_source,
                agent_id=one.agent_id,
                echo=one.turn in self.echoes,
                fresh=since is None or one.recorded_at > since,
            )
            for one in self.turns
        }

    def cited(self, numbers: Sequence[int]) -> list[Cited]:
        """These turns as evidence."""
        wanted = set(numbers)
        return [
            Cited(
                event_id=one.event_id,
                scope_id=self.scope_id,
                session_pk=self.session.session_pk,
                session_id=self.session.session_id,
                turn=one.turn,
                role=one.role,
                content=one.content,
                occurred_at=one.occurred_at,
                trust=one.trust,
                standing=one.standing,
            )
            for one in self.turns
            if one.turn in wanted
        ]

    def is_still(self, session: Session, turns: Sequence[StoredTurn]) -> bool:
        """True if the session has the same turns, in the same words and standing, and outcome."""
        same = (session.no_store, session.outcome, session.opted_out) == (
            self.session.no_store,
            self.session.outcome,
            self.session.opted_out,
        )
        return same and list(turns) == list(self.turns)


async def read_session(ctx: Context, scope_id: UUID, session_pk: UUID) -> Reading | None:
    """A session with its live turns as this transaction sees it; None if it was forgotten."""
    session, turns = await session_and_turns(ctx, scope_id, session_pk)
    if session is None:
        return None
    returned = await returned_into(ctx, scope_id, session_pk)
    called = None
    if not any(one.name for one in turns if one.role == "user"):
        called = await ctx.unit.value(
            "user_value_of_slot", scope_id=scope_id, slot="name", now=ctx.now
        )
    return Reading(scope_id, session, turns, _echoes(turns, returned), called)


async def find_to_extract(ctx: Context, scope_id: UUID, session_pk: UUID) -> Session | None:
    """A session as extraction looks at it, without its turns."""
    return await ctx.unit.one(
        Session, "session_to_extract", scope_id=scope_id, session_pk=session_pk
    )


async def session_and_turns(
    ctx: Context, scope_id: UUID, session_pk: UUID
) -> tuple[Session | None, list[StoredTurn]]:
    """A session and its live turns, whatever the gate said of them."""
    place = {"scope_id": scope_id, "session_pk": session_pk}
    session = await find_to_extract(ctx, scope_id, session_pk)
    if session is None:
        return None, []
    return session, await ctx.unit.rows(StoredTurn, "extraction_turns", now=ctx.now, **place)


def _echoes(turns: Sequence[StoredTurn], returned: Returned) -> frozenset[int]:
    """Turns that were dropped or quarantined, or say again what had been recalled by then."""
    return frozenset(
        one.turn
        for one in turns
        if one.standing != "asserted" or returned.echoed_by(one.content, one.recorded_at)
    )
