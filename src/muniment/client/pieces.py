"""Any JSON kept as turns of a session: what it says, and itself in pieces beside that."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID, uuid4

from muniment.client.models import WrittenTurn

Role = Literal["user", "assistant", "tool"]
Turn = Mapping[str, Any]
_PIECE_BYTES = 15_000
_TEXT_BYTES = 64 * 1024
_CALL_BYTES = 2 * 1024 * 1024
_CALL_TURNS = 500
_BROKEN = re.compile("[\ud800-\udfff]")


def turns_of(item: Any, mark: str, role: Role, said: str) -> Iterator[Turn]:
    """The turns that an item is kept as, without their numbers. What it says is the content of the
    first; what is too long for that is only kept.
    """
    text = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
    text = _BROKEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    pieces = list(_pieces_of(text))
    # A name of its own tells it from the same item, added again.
    name, now = uuid4().hex, datetime.now(UTC)
    content = (
        said.replace("\x00", "\ufffd")
        .encode("utf-8", "replace")[:_TEXT_BYTES]
        .decode("utf-8", "ignore")
    )
    for at, piece in enumerate(pieces):
        metadata = {mark: {"id": name, "piece": at, "of": len(pieces), "json": piece}}
        yield {"role": role, "content": content, "occurred_at": now, "metadata": metadata}
        content = ""


def joined(turns: Iterable[WrittenTurn], mark: str) -> Iterator[tuple[Any, list[UUID]]]:
    """The items of which every piece is there, with the turns that each is kept as."""
    parts: dict[str, list[WrittenTurn]] = {}
    for turn in turns:
        parts.setdefault(turn.metadata[mark]["id"], []).append(turn)
    for found in parts.values():
        found.sort(key=lambda one: int(one.metadata[mark]["piece"]))
        pieces = [one.metadata[mark] for one in found]
        if len(pieces) == pieces[0]["of"]:
            item = json.loads("".join(piece["json"] for piece in pieces))
            yield item, [one.event_id for one in found]


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


def _pieces_of(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        piece = text[start : start + _PIECE_BYTES]
        while (room := len(json.dumps(piece, ensure_ascii=False).encode())) > _PIECE_BYTES:
            piece = piece[: len(piece) * _PIECE_BYTES // room]
        yield piece
        start += len(piece)
