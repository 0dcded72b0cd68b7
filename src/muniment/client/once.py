"""Turns that are written once, by a name that the application has for each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from muniment.client.client import AsyncClient
from muniment.client.models import Event
from muniment.errors import Forgotten, NotFound, TurnConflict

_CALL_TURNS = 50
_PAGE = 200


@dataclass(frozen=True)
class NamedTurn:
    """What was said; ``at``: where in the session it stands, where that is known."""

    id: str
    at: int | None
    role: Literal["user", "assistant"]
    content: str
    occurred_at: datetime
    name: str | None


async def write_once(
    client: AsyncClient, place: dict[str, Any], mark: str, said: Sequence[NamedTurn]
) -> None:
    """Write those that the session of this ``place`` has not, whoever writes others meanwhile.

    What was forgotten at its place in the session stays forgotten.
    """
    left = list(said)
    while left:
        turns, free = await _known(client, place, mark)
        known = set(turns.values())
        left = [one for one in left if one.id not in known]
        batch = list(_placed(left, turns, free))[:_CALL_TURNS]
        if not batch:
            return
        events = [_event(one, turn, mark) for turn, one in batch]
        try:
            await client.events.write(events=events, **place)
        except TurnConflict:
            continue  # Somebody else wrote there: look again.
        except Forgotten as error:
            if not error.faults:
                raise
            gone = {batch[int(fault.pointer.split("/")[2])][1].id for fault in error.faults}
            left = [one for one in left if one.id not in gone]
        else:
            left = left[len(batch) :]


async def _known(
    client: AsyncClient, place: dict[str, Any], mark: str
) -> tuple[dict[int, str], int]:
    """What stands at which turn, and the first turn that is free."""
    turns: dict[int, str] = {}
    cursor: str | None = None
    while True:
        try:
            page = await client.events.list(cursor=cursor, limit=_PAGE, **place)
        except NotFound:
            return {}, 0
        turns |= {one.turn: str(one.metadata.get(mark)) for one in page.items}
        cursor = page.next
        if cursor is None:
            return turns, page.free_turn


def _placed(
    said: Sequence[NamedTurn], turns: Mapping[int, str], free: int
) -> Iterator[tuple[int, NamedTurn]]:
    """Where each is written: at its place in the session, or behind where another is there."""
    for one in said:
        at = free if one.at is None or one.at in turns else one.at
        free = max(free, at + 1)
        yield at, one


def _event(said: NamedTurn, turn: int, mark: str) -> Event:
    return Event(
        turn=turn,
        role=said.role,
        content=said.content,
        occurred_at=said.occurred_at,
        name=said.name,
        metadata={mark: said.id},
    )
