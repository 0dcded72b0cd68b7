"""Turns that are written once, by a name that the application has for each."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from muniment.client.client import AsyncClient
from muniment.client.models import Event
from muniment.errors import Forgotten, InvalidInput, NotFound, TurnConflict

_CALL_TURNS = 50
_PAGE = 200
_TEXT_BYTES = 64 * 1024
_logger = logging.getLogger(__name__)


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

    What was forgotten at its place in the session stays forgotten. A name that is none is left out,
    and a turn that the service does not take otherwise; that is logged.
    """
    left = [one for one in said if _fits(one)]
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
        except InvalidInput as error:
            left = _without(batch, error) + left[len(batch) :]
        except Forgotten as error:
            if not error.faults:
                raise
            gone = {batch[int(fault.pointer.split("/")[2])][1].id for fault in error.faults}
            left = [one for one in left if one.id not in gone]
        else:
            left = left[len(batch) :]


def _fits(one: NamedTurn) -> bool:
    # Cut, it might keep half a secret, which is found as a whole only.
    fits = len(one.content.encode("utf-8", "replace")) <= _TEXT_BYTES
    if not fits:
        _logger.warning("A turn of more than 64 KiB is not written: %r", one.id)
    return fits


def _without(batch: Sequence[tuple[int, NamedTurn]], error: InvalidInput) -> list[NamedTurn]:
    """What is left to write; raises the error where it is about no turn."""
    at_fault: dict[int, set[str]] = {}
    for fault in error.faults:
        _, _, place, *rest = [*fault.pointer.split("/"), "", ""]
        if not fault.pointer.startswith("/events/") or not place.isdecimal():
            raise error
        at_fault.setdefault(int(place), set()).add("/".join(filter(None, rest)))
    if not at_fault:
        raise error
    found: list[NamedTurn] = []
    for number, (_, one) in enumerate(batch):
        if at_fault.get(number) == {"name"} and one.name is not None:
            found.append(replace(one, name=None))
        elif number in at_fault:
            _logger.warning("A turn that breaks a rule is not written: %r", one.id)
        else:
            found.append(one)
    return found


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
