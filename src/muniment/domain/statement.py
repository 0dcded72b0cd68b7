"""What a memory's trust follows from: who said it, and whether they literally did (RULES 4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from muniment.domain.text import normalise
from muniment.domain.trust import Role, Trust, lowest, rank

# A minus belongs to its number unless something stands right before it, as in a date or a range.
_WORDS = regex.compile(
    r"(?<![^\s\p{Ps}\p{Pi}\p{Po}])[-−]\p{N}+(?:[.,:]\p{N}+)*"
    r"|\p{N}+(?:[.,:]\p{N}+)+|[\p{L}\p{M}\p{N}]+|[^\s\p{P}]"
)
_STATING: frozenset[Role] = frozenset({"user", "tool"})


@dataclass(frozen=True)
class SupportingTurn:
    """A cited turn: who relayed it, its text and the trust that it was stored with."""

    role: Role
    content: str
    trust: Trust


def grade(stated: str, turns: Sequence[SupportingTurn]) -> tuple[Trust, bool]:
    """The trust of a candidate and whether a turn literally states it.

    A user's (or verified tool's) turn that contains ``stated`` lends its trust; otherwise it is a
    guess, as good as the least of what it rests on.
    """
    stating = [turn for turn in turns if turn.role in _STATING and states(turn.content, stated)]
    lent = [turn.trust for turn in stating if rank(turn.trust) < rank("agent_inferred")]
    if lent:
        return min(lent, key=rank), True
    return lowest(["agent_inferred", *(turn.trust for turn in turns)]), False


def states(content: str, stated: str) -> bool:
    """True if the content has the words of ``stated`` in a row, whatever their case and spacing.

    A number counts as a whole: "3.5" does not state 3, nor "-5" 5.
    """
    words = _words(stated)
    if not words:
        return False
    return f" {' '.join(words)} " in f" {' '.join(_words(content))} "


def _words(text: str) -> list[str]:
    return _WORDS.findall(normalise(text).casefold())
