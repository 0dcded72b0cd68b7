"""Any JSON kept as turns of a session: what it says, and itself in pieces beside that."""

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID, uuid4

from muniment.client.json_parts import Redactor, item_of, parts_of, room_of
from muniment.client.models import WrittenTurn
from muniment.errors import Fault, InvalidInput

Role = Literal["user", "assistant", "tool"]
Turn = Mapping[str, Any]
_PIECE_BYTES = 15_000
_TEXT_BYTES = 64 * 1024
_CALL_BYTES = 2 * 1024 * 1024
_CALL_TURNS = 500
_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Piece:
    """What a turn keeps of an item: of which, the how many-th of how many, and the parts."""

    item: str
    at: int
    of: int
    parts: Sequence[str]


def check_items(items: Any) -> None:
    """Raises InvalidInput, with the place, for what is no list of JSON objects."""
    if not isinstance(items, Sequence) or isinstance(items, str | bytes):
        raise InvalidInput(faults=[Fault("/items", "expected a list")])
    for at, item in enumerate(items):
        pointer = f"/items/{at}"
        if not isinstance(item, dict):
            raise InvalidInput(faults=[Fault(pointer, "expected an object")])
        try:
            json.loads(json.dumps(item))
        except RecursionError:
            raise InvalidInput(faults=[Fault(pointer, "is nested too deeply")]) from None
        except (TypeError, ValueError):
            raise InvalidInput(faults=[Fault(pointer, "is not JSON")]) from None


def turns_of(item: Any, mark: str, role: Role, said: str, redactor: Redactor) -> Iterator[Turn]:
    """The turns that an item is kept as, without their numbers. What it says is the content of the
    first; what is too long for that is only kept. No secret is cut in two: it goes before.
    """

    pieces = list(_pieces_of(parts_of(item, redactor)))
    # A name of its own tells it from the same item, added again.
    name, now = uuid4().hex, datetime.now(UTC)
    content = said.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    if len(content.encode()) > _TEXT_BYTES:
        content = redactor.redact(content).text.encode()[:_TEXT_BYTES].decode("utf-8", "ignore")
    for at, piece in enumerate(pieces):
        metadata = {mark: {"id": name, "piece": at, "of": len(pieces), "json": piece}}
        yield {"role": role, "content": content, "occurred_at": now, "metadata": metadata}
        content = ""


def piece_of(turn: WrittenTurn, mark: str) -> Piece | None:
    """What a turn keeps of an item, or None for a turn of another kind."""
    match turn.metadata.get(mark):
        case {"id": str(item), "piece": int(at), "of": int(of), "json": list(parts)}:
            return Piece(item, at, of, [part for part in parts if isinstance(part, str)])
    return None


def joined(turns: Iterable[WrittenTurn], mark: str) -> Iterator[tuple[Any, list[UUID]]]:
    """The items of which every piece is there, with the turns that each is kept as; one that cannot
    be read is left out, and that is logged.
    """
    parts: dict[str, list[tuple[Piece, UUID]]] = {}
    for turn in turns:
        if (piece := piece_of(turn, mark)) is not None:
            parts.setdefault(piece.item, []).append((piece, turn.event_id))
    for found in parts.values():
        found.sort(key=lambda one: one[0].at)
        if [piece.at for piece, _ in found] != list(range(found[0][0].of)):
            continue
        ids = [event_id for _, event_id in found]
        try:
            item = item_of(part for piece, _ in found for part in piece.parts)
        except ValueError:
            _logger.warning(
                "An item of a session cannot be read: turns %s", ", ".join(map(str, ids))
            )
            continue
        yield item, ids


def batches(turns: Sequence[Turn]) -> Iterator[Sequence[Turn]]:
    """The turns in calls of a bearable size."""
    start = size = 0
    for at, turn in enumerate(turns):
        more = len(json.dumps([turn["content"], turn["metadata"]]))
        if at > start and (size + more > _CALL_BYTES or at - start == _CALL_TURNS):
            yield turns[start:at]
            start, size = at, 0
        size += more
    if turns:
        yield turns[start:]


def _pieces_of(parts: Iterable[str]) -> Iterator[list[str]]:
    piece: list[str] = []
    size = 0
    for part in parts:
        room = room_of(part)
        if piece and size + room > _PIECE_BYTES:
            yield piece
            piece, size = [], 0
        piece.append(part)
        size += room
    yield piece
