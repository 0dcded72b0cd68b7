"""Turns that are written once, by a name that the application has for each."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from muniment.client.client import AsyncClient
from muniment.client.models import Event, WrittenTurn
from muniment.client.placing import NamedTurn, Standing, known_among, placed, unsure
from muniment.errors import Forgotten, InvalidInput, MunimentError, NotFound, TurnConflict

_CALL_TURNS = 50
_PAGE = 200
_TEXT_BYTES = 64 * 1024
_VAIN = 5
_logger = logging.getLogger(__name__)


async def write_once(
    client: AsyncClient, place: dict[str, Any], mark: str, given: Sequence[NamedTurn]
) -> None:
    """Write those that the session of this ``place`` has not, whoever writes others meanwhile.

    What was forgotten or withdrawn stays so. A name that is none is left out, and a turn that the
    service does not take otherwise; that is logged. Raises TurnConflict where the service refuses
    turns as taken, time and again, and nobody else wrote there.
    """
    said = [*given]
    out = {index for index, one in enumerate(said) if not _fits(one)}
    there, refused, vain = Standing({}, 0), set[int](), 0
    while True:
        before, there = there, await _standing(client, place)
        # What is refused as taken, and is not listed, is there all the same.
        hidden = {turn for turn in refused if turn < there.free and turn not in there.turns}
        there.barred = before.barred | hidden
        known = known_among(said, there, mark)
        if unsure(said, there, known):
            there.last = (await client.sessions.get(**place)).last_event_at
        batch = list(placed(said, there, known, out))[:_CALL_TURNS]
        if not batch:
            return
        events = [_event(said[index], turn, mark) for turn, index in batch]
        try:
            await client.events.write(events=events, **place)
        except TurnConflict as error:
            vain += there.is_as(before)
            if vain > _VAIN or not error.faults:
                raise
            refused = {batch[at][0] for at in _by_turn(error, len(batch))}
        except InvalidInput as error:
            _mend(said, out, batch, error)
        except Forgotten as error:
            if not error.faults:
                raise
            out |= {batch[at][1] for at in _by_turn(error, len(batch))}
        else:
            out |= {index for _, index in batch}


def _fits(one: NamedTurn) -> bool:
    # Cut, it might keep half a secret, which is found as a whole only.
    fits = len(one.content.encode("utf-8", "replace")) <= _TEXT_BYTES
    if not fits:
        _logger.warning("A turn of more than 64 KiB is not written: %r", one.id)
    return fits


def _by_turn(error: MunimentError, turns: int) -> dict[int, set[str]]:
    """What is wrong with which turn of a call; raises the error where it is about no turn."""
    at_fault: dict[int, set[str]] = {}
    for fault in error.faults:
        _, _, place, *rest = [*fault.pointer.split("/"), "", ""]
        if not fault.pointer.startswith("/events/") or not place.isdecimal():
            raise error
        if int(place) >= turns:
            raise error
        at_fault.setdefault(int(place), set()).add("/".join(filter(None, rest)))
    if not at_fault:
        raise error
    return at_fault


def _mend(
    said: list[NamedTurn], out: set[int], batch: Sequence[tuple[int, int]], error: InvalidInput
) -> None:
    """Leave out what the service does not take; raises the error where it is about no turn."""
    for at, wrong in _by_turn(error, len(batch)).items():
        index = batch[at][1]
        if wrong == {"name"} and said[index].name is not None:
            said[index] = replace(said[index], name=None)
        else:
            _logger.warning("A turn that breaks a rule is not written: %r", said[index].id)
            out.add(index)


async def _standing(client: AsyncClient, place: dict[str, Any]) -> Standing:
    """What stands at which turn, and the first turn that is free."""
    turns: dict[int, WrittenTurn] = {}
    cursor: str | None = None
    while True:
        try:
            page = await client.events.list(cursor=cursor, limit=_PAGE, **place)
        except NotFound:
            return Standing({}, 0)
        turns |= {one.turn: one for one in page.items}
        cursor = page.next
        if cursor is None:
            return Standing(turns, page.free_turn)


def _event(said: NamedTurn, turn: int, mark: str) -> Event:
    return Event(
        turn=turn,
        role=said.role,
        content=said.content,
        occurred_at=said.occurred_at or datetime.now(UTC),
        name=said.name,
        metadata={mark: said.id},
    )
