"""Turns that say nothing any more but what was superseded since."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from muniment.ports import Context
from muniment.records.alongside import Alongside, ask_alongside
from muniment.records.items import Moment


@dataclass(frozen=True)
class OutdatedTurn:
    """A turn, and what took the place of what it says."""

    event_id: UUID
    by: UUID | None


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
