"""Rows of events: with their index rows, and without what they say."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from muniment.domain.gate import Reason
from muniment.ports import Context, ScopeMark
from muniment.records.index_rows import Indexed

WITHDRAWN: Final = "privacy.withdrawn"
"""The rule by which a turn is dropped later, since its speaker asked not to have it remembered."""


def as_written(occurred_at: datetime, occurred_text: str | None) -> datetime:
    """The instant in the offset of its speaker, by which "today" is a day."""
    return occurred_at if occurred_text is None else datetime.fromisoformat(occurred_text)


def blanked(
    ctx: Context, mark: ScopeMark, row: Mapping[str, Any], rule: str = WITHDRAWN
) -> dict[str, Any]:
    """The row of a dropped turn of which nothing that was said is kept."""
    return {
        **row,
        "content": "",
        "sentences": [],
        "metadata": {},
        "kept": False,
        "reason": str(Reason.PRIVACY),
        "rule": rule,
        "importance": 1,
        "standing": "dropped",
        "retention_class": "dropped",
        "expires_at": ctx.policy.keep_until("dropped", row["category"], mark.watermark),
    }


def indexed(row: Mapping[str, Any], mark: ScopeMark) -> Indexed:
    """What recall ranks of a turn."""
    return Indexed(
        text=row["content"],
        speaker=row["name"] if row["content"] else None,
        group_id=row["session_pk"],
        position=row["turn"],
        tier="episodic",
        kind="event",
        standing=row["standing"],
        # What is told has happened by then, whatever the clock of the teller says.
        valid_from=min(row["occurred_at"], mark.watermark),
        valid_to=None,
        occurred_at=row["occurred_at"],
        expires_at=row["expires_at"],
        importance=row["importance"],
        confidence=None,
        event_id=row["event_id"],
    )
