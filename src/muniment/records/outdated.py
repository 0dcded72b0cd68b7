"""Turns that a context leaves out for what rests on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from muniment.ports import Context
from muniment.records.alongside import Alongside, ask_alongside
from muniment.records.items import Moment
from muniment.records.sources import SourceNames


@dataclass(frozen=True)
class OutdatedTurn:
    """A turn, and what took the place of what it says."""

    event_id: UUID
    by: UUID | None


@dataclass(frozen=True)
class BehindFinding:
    """A turn or a summary, and a finding that rests on it."""

    id: UUID
    by: UUID


def outdated_turns(
    ctx: Context, scope_id: UUID, events: Sequence[UUID], moment: Moment
) -> Alongside[OutdatedTurn]:
    """Of these turns those whose every memory has been superseded, with what took over from one.

    Turns that no memory rests on say what they say.
    """
    return ask_alongside(
        ctx,
        OutdatedTurn,
        "turns_outdated",
        scope_id=scope_id,
        events=list(events),
        as_of=moment.as_of,
        known_at=moment.known_at,
    )


async def behind_findings(
    ctx: Context, scope_id: UUID, items: Sequence[UUID], source: SourceNames | None, moment: Moment
) -> list[BehindFinding]:
    """Of these turns and summaries those that have the words of a finding, on a source or on any:
    it cites them, or a turn that they quote.
    """
    if not items:
        return []
    return await ctx.unit.rows(
        BehindFinding,
        "turns_behind_findings",
        scope_id=scope_id,
        items=list(items),
        names=None if source is None else list(source.names),
        known_at=moment.known_at,
    )
