"""Conversations in files: one JSON object a line, read into calls of the SDK.

The format: ``{id, speakers, sessions: [{session_id, started_at, turns: [{turn_id, speaker, text,
image_caption?, at?}]}], questions: [...]}``. Times without an offset are read as UTC.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from muniment.client.generated.events import Event
from muniment.errors import Fault, InvalidInput

Role = Literal["user", "assistant", "tool", "external"]
_ROLES: Mapping[str, Role] = {
    "assistant": "assistant", "ai": "assistant", "bot": "assistant", "agent": "assistant",
    "tool": "tool", "system": "external", "external": "external",
}  # fmt: skip
_BATCH = 200


@dataclass(frozen=True)
class ConversationTurn:
    """One turn; ``number`` is its place in the session."""

    turn_id: str
    number: int
    speaker: str
    content: str
    at: datetime

    def event(self, *, as_people: bool = False) -> Event:
        """The turn as an event; ``as_people`` takes every speaker for a person."""
        role = "user" if as_people else _ROLES.get(self.speaker.strip().casefold(), "user")
        return Event(
            turn=self.number,
            role=role,
            content=self.content,
            occurred_at=self.at,
            name=self.speaker or None,
        )


@dataclass(frozen=True)
class ConversationSession:
    """A session with its turns in order."""

    session_id: str
    turns: tuple[ConversationTurn, ...]

    def batches(self) -> Iterator[tuple[ConversationTurn, ...]]:
        """The turns in calls of a bearable size."""
        for start in range(0, len(self.turns), _BATCH):
            yield self.turns[start : start + _BATCH]


@dataclass(frozen=True)
class Conversation:
    """A conversation of one user, and the questions that come with it."""

    id: str
    sessions: tuple[ConversationSession, ...]
    questions: tuple[Mapping[str, Any], ...]


def read_conversations(path: Path) -> Iterator[Conversation]:
    """Every conversation of a file. Raises InvalidInput naming the line that breaks the format."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _conversation(number, line)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8"
        raise InvalidInput(f"{path}: {reason}.") from None


def _conversation(number: int, line: str) -> Conversation:
    try:
        found = json.loads(line)
        return Conversation(
            id=str(found["id"]),
            sessions=tuple(_session(one) for one in found["sessions"]),
            questions=tuple(found.get("questions", ())),
        )
    except (
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        missing = f"lacks {error}" if isinstance(error, KeyError) else "is not in the format"
        fault = Fault(f"/{number}", missing)
        raise InvalidInput(f"Line {number} is not a conversation.", faults=[fault]) from None


def _session(found: Mapping[str, Any]) -> ConversationSession:
    started_at = _instant(found["started_at"])
    turns = []
    for number, turn in enumerate(found["turns"]):
        content = _text(turn["text"])
        if turn.get("image_caption"):
            content = f"{content} [image: {_text(turn['image_caption'])}]".strip()
        at = turn.get("at")
        turns.append(
            ConversationTurn(
                turn_id=str(turn["turn_id"]),
                number=number,
                speaker=_text(turn["speaker"]),
                content=content,
                # Turns without a time of their own keep their order.
                at=_instant(at) if at else started_at + timedelta(seconds=number),
            )
        )
    return ConversationSession(str(found["session_id"]), tuple(turns))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _instant(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
