"""What a scope holds and was told of late, as the curator reads it; nothing is written here."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from muniment.domain.admission import SessionTurn
from muniment.domain.curation import (
    DROPPED,
    KINDS,
    HeldText,
    Place,
    Promotable,
    Told,
    aside,
    promotable,
    sentences,
)
from muniment.domain.likeness import likeness
from muniment.domain.policy import Category
from muniment.domain.text import analyzer_for
from muniment.domain.trust import Trust
from muniment.ports import Context
from muniment.records.apart import worked_out
from muniment.records.echoes import returned_into
from muniment.records.event_rows import as_written
from muniment.records.scopes import scope_mark
from muniment.records.versions import Cited

MOST_TURNS = 2000
"""So many turns of a scope are read, the latest."""
_MOST_SESSIONS = 400
"""In so many sessions it is looked whether what recurs was recalled there."""


@dataclass(frozen=True)
class ToldTurn:
    """A turn of the user that may confirm something, as it is stored."""

    event_id: UUID
    session_pk: UUID
    session_id: str
    turn: int
    name: str | None
    content: str
    occurred_at: datetime
    occurred_text: str | None
    recorded_at: datetime
    reason: str
    trust: Trust
    category: Category
    standing: str
    data_source: str | None
    agent_id: str | None

    @property
    def moment(self) -> datetime:
        """The instant in the offset of its speaker, by which "today" is a day."""
        return as_written(self.occurred_at, self.occurred_text)

    def judged(self, number: int) -> SessionTurn:
        """The same for the rules, under another number: those of several sessions meet here."""
        return SessionTurn(
            turn=number, role="user", name=self.name, content=self.content,
            occurred_at=self.moment, trust=self.trust, standing=self.standing,
            category=self.category, reason=self.reason, data_source=self.data_source,
            agent_id=self.agent_id, echo=False, fresh=True,
        )  # fmt: skip

    def cited(self, scope_id: UUID) -> Cited:
        """The same as evidence."""
        return Cited(
            event_id=self.event_id, scope_id=scope_id, session_pk=self.session_pk,
            session_id=self.session_id, turn=self.turn, role="user", content=self.content,
            occurred_at=self.occurred_at, trust=self.trust, standing=self.standing,
        )  # fmt: skip


@dataclass(frozen=True)
class Recollection:
    """A scope at one version: its turns by id, and what recurs in them and may be promoted.

    ``room`` is how many memories more may be promoted.
    """

    scope_id: UUID
    version: int
    turns: Mapping[UUID, ToldTurn]
    promotable: Sequence[Promotable]
    user_name: str | None
    room: int


@dataclass(frozen=True)
class _Drawn:
    event_id: UUID
    texts: list[str]
    settled: int
    refused: int

    @property
    def all_there(self) -> bool:
        """False if a candidate of the turn was refused, took something back, or was forgotten."""
        return not self.refused and self.settled <= len(self.texts)


@dataclass(frozen=True)
class _Held:
    memory_id: UUID
    kind: str
    data_source: str | None
    text: str
    slot: str | None
    standing: str
    observed_at: datetime
    valid_to: datetime | None
    of_self: bool
    promoted: bool


@dataclass(frozen=True)
class _Promotion:
    event_id: UUID
    sentence: int
    memory_id: UUID | None


async def recollect(ctx: Context, scope_id: UUID) -> Recollection:
    """Read a scope. Raises Overtaken when it was forgotten."""
    mark = await scope_mark(ctx, scope_id)
    place = {"scope_id": scope_id, "now": ctx.now}
    turns = await ctx.unit.rows(
        ToldTurn,
        "curation_turns",
        since=ctx.now - ctx.policy.recurrence.look_back,
        dropped=list(DROPPED),
        limit=MOST_TURNS,
        **place,
    )
    name = await ctx.unit.value("user_value_of_slot", slot="name", **place)
    drawn = await _drawn(ctx, scope_id, turns)
    told = [_told(one, drawn[one.event_id].texts) for one in turns if drawn[one.event_id].all_there]
    held = await ctx.unit.rows(_Held, "curation_held", **place)
    taken = {
        (row.event_id, row.sentence): row.memory_id
        for row in await ctx.unit.rows(_Promotion, "promotions", scope_id=scope_id)
    }
    by_id = {one.event_id: one for one in turns}
    found = await _found(ctx, told, held, taken, name)
    echoing = await _echoing(ctx, scope_id, by_id, found)
    if echoing:
        told = [one for one in told if one.turn not in echoing]
        found = await _found(ctx, told, held, taken, name)
    there = {
        one.memory_id
        for one in held
        if one.promoted and (one.valid_to is None or one.valid_to > ctx.now)
    }
    room = max(0, ctx.policy.recurrence.most - len(there))
    return Recollection(scope_id, mark.version, by_id, found, name, room)


async def _drawn(ctx: Context, scope_id: UUID, turns: Sequence[ToldTurn]) -> dict[UUID, _Drawn]:
    events = [one.event_id for one in turns]
    rows = await ctx.unit.rows(_Drawn, "curation_drawn", scope_id=scope_id, events=events)
    return {row.event_id: row for row in rows}


def _told(turn: ToldTurn, drawn: Sequence[str]) -> Told:
    return Told(
        turn=turn.event_id,
        session=turn.session_pk,
        name=turn.name,
        content=turn.content,
        occurred_at=turn.moment,
        data_source=turn.data_source,
        drawn=drawn,
    )


async def _found(
    ctx: Context,
    told: Sequence[Told],
    held: Sequence[_Held],
    taken: Mapping[Place, UUID | None],
    name: str | None,
) -> list[Promotable]:
    size = sum(len(one.content) for one in told)
    return await worked_out(size, partial(_work_out, ctx, told, held, taken, name))


def _work_out(
    ctx: Context,
    told: Sequence[Told],
    held: Sequence[_Held],
    taken: Mapping[Place, UUID | None],
    name: str | None,
) -> list[Promotable]:
    analyzer = analyzer_for(ctx.language)
    speakers = {one.name for one in told if one.name} | ({name} if name else set())
    generic = aside(analyzer, sorted(speakers))
    texts = [
        HeldText(
            memory_id=one.memory_id,
            kind=one.kind,
            data_source=one.data_source,
            text=one.text,
            like=likeness(one.text, analyzer, aside=generic),
            observed_at=one.observed_at,
            until=one.valid_to if one.valid_to is None or one.valid_to <= ctx.now else None,
            open=one.standing == "asserted"
            and one.slot is None
            and one.of_self
            and one.kind in KINDS,
            promoted=one.promoted,
        )
        for one in held
    ]
    spoken = sentences(told, analyzer, generic)
    return promotable(spoken, texts, taken, ctx.policy.recurrence)


async def _echoing(
    ctx: Context, scope_id: UUID, turns: Mapping[UUID, ToldTurn], found: Sequence[Promotable]
) -> frozenset[UUID]:
    """Turns of what recurs that say again what had been recalled in their session by then."""
    of_session: dict[UUID, list[ToldTurn]] = defaultdict(list)
    for one in found:
        for spoken in one.group.spoken:
            of_session[spoken.session].append(turns[spoken.place[0]])
    again: set[UUID] = set()
    for session_pk in sorted(of_session)[:_MOST_SESSIONS]:
        returned = await returned_into(ctx, scope_id, session_pk)
        again |= {
            turn.event_id
            for turn in of_session[session_pk]
            if returned.echoed_by(turn.content, turn.recorded_at)
        }
    return frozenset(again)
