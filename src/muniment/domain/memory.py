"""What a memory is between the rules and the store, and the status that people see (DESIGN 3)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.domain.timeline import Window
from muniment.domain.trust import Trust

Standing = Literal["asserted", "contested", "quarantined"]
Listed = Literal["asserted", "contested", "quarantined", "archived"]
"""What a list can be asked for: what faded is apart from what is held."""
Status = Literal[
    "active",
    "future",
    "past",
    "superseded",
    "retracted",
    "contested",
    "quarantined",
    "archived",
    "expired",
]
Label = Literal["confirmatory", "exploratory", "exploratory_divergent"]


@dataclass(frozen=True)
class Version:
    """One immutable version of a memory: held in ``recorded``, true in the world in ``valid``.

    ``turn`` is given where a candidate's own session said it at the candidate's own instant.
    """

    version_id: UUID
    memory_id: UUID
    valid: Window
    recorded: Window
    standing: Standing
    trust: Trust
    value_key: str | None = None
    superseded_by: UUID | None = None
    retracted: bool = False
    archived: bool = False
    expires_at: datetime | None = None
    observed_at: datetime | None = None
    turn: int | None = None


def status_of(version: Version, *, as_of: datetime, known_at: datetime, now: datetime) -> Status:
    """The status of a version for a reader who asks about ``as_of`` as known at ``known_at``."""
    if version.expires_at is not None and version.expires_at <= now:
        return "expired"
    if not version.recorded.holds(known_at):
        return "retracted" if version.retracted else "superseded"
    if version.standing != "asserted":
        return version.standing
    if as_of < version.valid.start:
        return "future"
    if not version.valid.holds(as_of):
        if version.retracted:
            return "retracted"
        return "superseded" if version.superseded_by is not None else "past"
    return "archived" if version.archived else "active"
