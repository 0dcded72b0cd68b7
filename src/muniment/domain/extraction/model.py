"""What the extractor reads and what it gives."""

from dataclasses import dataclass
from datetime import datetime

from muniment.domain.gate import Role


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """A turn of the session, in order; ``occurred_at`` is aware, in the offset of its speaker.

    ``echo``: nothing is extracted from it (it was recalled in this session, or was dropped); it
    still is the turn before the next one.
    """

    turn: int
    role: Role
    name: str | None
    content: str
    occurred_at: datetime
    echo: bool = False


@dataclass(frozen=True, slots=True)
class Extracted:
    """A candidate: what it says, the turns that say it, and the rule that found it.

    ``subject`` None is the user. Dates are exact: the start of a day in the turn's own offset.
    ``retracts`` closes a value or a statement; ``replaces`` is what it says was said before.
    """

    kind: str
    text: str
    subject: str | None
    slot: str | None
    value: str | None
    data_source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    cited: tuple[int, ...]
    rule: str
    retracts: bool = False
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """The candidates of one session; a session that is not English has none. ``tokens`` is what a
    language model used for them.
    """

    candidates: tuple[Extracted, ...]
    unsupported_language: bool = False
    tokens: int = 0
