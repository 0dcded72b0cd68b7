"""An assembled context in words: sections with their labels, items as data between marks.

Between the marks of a section stands one item a line: what is known of it first, in brackets, then
its text up to the sign that ends it. An item can neither end its line nor write a mark or that sign
(``fence``), so that it can neither leave its section nor pass for another item.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from muniment.domain.assembly import Section
from muniment.domain.fence import END, Fence, escaped
from muniment.domain.trust import Trust

LABELS: Final[Mapping[Section, str]] = {
    "required_workarounds": "Required workarounds",
    "run_state": "Run state",
    "profile": "Profile of the user",
    "facts": "Known facts about the user",
    "findings": "Prior findings",
    "interactions": "Relevant past interactions",
    "knowledge": "Shared knowledge",
}
_SAYS: Final[Mapping[Section, str]] = {
    "required_workarounds": "Account for each of these before anything that it is about.",
}
_MOST_VALUES: Final = 3
_LONGEST_VALUE: Final = 60


@dataclass(frozen=True, slots=True)
class Told:
    """An item as a context tells it. ``otherwise``: what is said instead by what contests it;
    ``where``: who said it, or in which document it stands.
    """

    text: str
    as_of: datetime
    trust: Trust
    stale: bool = False
    recurring: bool = False
    unconfirmed: bool = False
    contested: bool = False
    otherwise: Sequence[str] = ()
    where: str | None = None


def preface(fence: Fence) -> str:
    """What a reader has to know before the sections."""
    return (
        f"{fence.legend} One item a line: in brackets since when and by whom it is known, then its"
        f" text, which {END} ends."
    )


def head(section: Section, fence: Fence) -> str:
    """What stands before the items of a section."""
    says = _SAYS.get(section)
    lines = [f"## {LABELS[section]}", *([says] if says else []), fence.marks[0]]
    return "\n".join(lines)


def foot(fence: Fence) -> str:
    """What stands after them."""
    return fence.marks[1]


def line_of(told: Told) -> str:
    """An item as one line. Past its time it says so: nobody states it in the present tense."""
    known = [f"as of {told.as_of.astimezone(UTC).date().isoformat()}"]
    known += ["confirm"] if told.stale else []
    known.append(told.trust)
    known += ["recurring"] if told.recurring else []
    known += ["unconfirmed"] if told.unconfirmed else []
    known += ["contested"] if told.contested else []
    where = f"{escaped(told.where)}: " if told.where else ""
    said = f"- [{'; '.join(known)}] {where}{escaped(told.text)}{END}"
    if not told.otherwise:
        return said
    values = [f"{_cut(escaped(value))}{END}" for value in told.otherwise[:_MOST_VALUES]]
    return f"{said} (said otherwise: {' '.join(values)})"


def _cut(value: str) -> str:
    return value if len(value) <= _LONGEST_VALUE else f"{value[: _LONGEST_VALUE - 1]}…"
