""" "Don't remember that", said alone: the turn that it speaks of is dropped and blanked at once."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.gate.privacy import SaidBefore, spoken_of
from muniment.domain.policy import Category
from muniment.domain.text import analyzer_for
from muniment.domain.trust import Role, Trust
from muniment.ports import Context, ScopeMark
from muniment.records.erasure import erase_parts, extent_of_parts
from muniment.records.event_rows import blanked, indexed
from muniment.records.index_rows import write_index
from muniment.records.ledger import note_erasure
from muniment.records.sessions import SessionRow
from muniment.records.usage import recount_usage

_LOOKED_BACK = 40


@dataclass(frozen=True)
class _Before:
    event_id: UUID
    turn: int
    role: Role
    name: str | None
    content: str
    reason: str


@dataclass(frozen=True)
class _Blank:
    event_id: UUID
    turn: int
    role: Role
    name: str | None
    fingerprint: bytes
    occurred_at: datetime
    occurred_text: str | None
    recorded_at: datetime
    data_source: str | None
    tool: str | None
    agent_id: str | None
    redacted: list[str]
    written_by: UUID
    trust: Trust
    category: Category


async def obey(
    ctx: Context,
    mark: ScopeMark,
    session: SessionRow,
    rows: dict[int, dict[str, Any]],
    asking: Sequence[int],
) -> list[int]:
    """Withdraw what each turn of ``asking`` speaks of; returns the turns that were withdrawn.

    ``rows`` are those of the turns that are written now, by turn, and lose what they say there.
    Turns that were written before go like those that are forgotten, and leave an empty row.
    """
    withdrawn: list[int] = []
    for turn in asking:
        earlier = await _said_before(ctx, session, rows, turn)
        asks, named = rows[turn]["content"], rows[turn]["name"]
        said = [
            SaidBefore(one.turn, one.role, one.name, one.content, one.reason) for one in earlier
        ]
        turns = spoken_of(asks, named, said, analyzer_for(ctx.language))
        for one in turns:
            if one in rows:
                rows[one] = blanked(ctx, mark, rows[one])
        stored = [one.event_id for one in earlier if one.turn in turns and one.turn not in rows]
        if stored:
            await _blank_stored(ctx, mark, session, stored)
        withdrawn += turns
    return sorted(withdrawn)


async def _said_before(
    ctx: Context, session: SessionRow, rows: Mapping[int, Mapping[str, Any]], turn: int
) -> list[_Before]:
    """The turns before one, those that are written now among them, latest first."""
    stored = await ctx.unit.rows(
        _Before,
        "events_said_before",
        scope_id=session.scope_id,
        session_pk=session.session_pk,
        turn=turn,
        now=ctx.now,
        limit=_LOOKED_BACK,
    )
    fresh = [
        _Before(**{name: row[name] for name in _Before.__dataclass_fields__})
        for number, row in rows.items()
        if number < turn
    ]
    found = sorted([*stored, *fresh], key=lambda one: one.turn, reverse=True)
    return found[:_LOOKED_BACK]


async def _blank_stored(
    ctx: Context, mark: ScopeMark, session: SessionRow, events: Sequence[UUID]
) -> None:
    """Erase turns with all that rests on them; rows without a word stay in their place."""
    place = {"scope_id": session.scope_id}
    kept = await ctx.unit.rows(_Blank, "events_blanked", events=list(events), **place)
    extent = await extent_of_parts(ctx, session.scope_id, [], events, lock=True)
    await erase_parts(ctx, session.scope_id, None, extent)
    taken = extent.taken_in(session.scope_id, None)
    await note_erasure(ctx, ctx.ids.new(), "withdrawn", taken)
    rows = [
        blanked(ctx, mark, place | {"session_pk": session.session_pk} | asdict(row)) for row in kept
    ]
    await ctx.unit.many("event_insert", rows)
    await write_index(ctx, mark, [indexed(row, mark) for row in rows])
    await recount_usage(ctx, session.scope_id)
    ctx.trail.subjects += list(events)
