"""The profile as text: one line an item, whole items within so many tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from muniment.domain.late import late_regex

COUNTER: Final = "characters/4"
"""How tokens are counted: characters by four, rounded up."""
CHARACTERS: Final = 4
"""Of a token, by this counter."""

_MOST_VALUES: Final = 3
_LONGEST_VALUE: Final = 60

# What is not seen, or turns the direction of writing: an item stays in its line and looks as it is.
_UNSEEN: Final = late_regex(r"[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]")


@dataclass(frozen=True, slots=True)
class Fitted:
    """Which lines fit, by their places, and the text that they make."""

    kept: tuple[int, ...]
    text: str

    @property
    def tokens(self) -> int:
        """What the text takes."""
        return tokens_of(self.text)


def tokens_of(text: str) -> int:
    """How many tokens a text is, by ``COUNTER``."""
    return -(-len(text) // CHARACTERS)


def line_of(text: str, as_of: datetime, *, stale: bool, contested: Sequence[str] = ()) -> str:
    """An item as a line: with its date and a word of caution where it is stale, and where it is
    contested with the values that are said instead.
    """
    said = _seen(text)
    marks = [f"as of {as_of.astimezone(UTC).date().isoformat()}; confirm"] if stale else []
    if contested:
        values = [_seen(value) for value in contested[:_MOST_VALUES]]
        marks.append("contested: " + ", ".join(_cut(value) for value in values))
    return f"- {said}" + (f" ({'; '.join(marks)})" if marks else "")


def _seen(text: str) -> str:
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(text.split()))


def _cut(value: str) -> str:
    return value if len(value) <= _LONGEST_VALUE else f"{value[: _LONGEST_VALUE - 1]}…"


def fit(lines: Sequence[str], most: int) -> Fitted:
    """The lines that fit into so many tokens, taken in their order; one that does not is left out
    whole, and the next ones may fit still.
    """
    kept: list[int] = []
    length = 0
    for at, line in enumerate(lines):
        longer = length + len(line) + (1 if kept else 0)
        if -(-longer // CHARACTERS) <= most:
            kept.append(at)
            length = longer
    return Fitted(tuple(kept), "\n".join(lines[at] for at in kept))
