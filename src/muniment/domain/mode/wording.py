"""What the words of a question ask for: a start anew, more, a check, or the same again.

A cue counts only where it speaks of the analysis: in what is asked for, not in the subject. "Start
over" at the head of a request is a wish; "how many users start over" is about users.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from muniment.domain.late import late
from muniment.domain.mode.clauses import Clause, clauses_of
from muniment.domain.mode.cues import CUES
from muniment.domain.mode.declined import DECLINED
from muniment.domain.mode.idioms import IDIOMS
from muniment.domain.mode.phrases import PHRASES
from muniment.domain.mode.situation import Mode

_MOST_READ: Final = 2_000


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that speak for a mode; ``said`` are those of the question."""

    mode: Mode
    code: str
    weight: float
    said: str


_PATTERNS: Final = tuple((*cue[:4], late(cue[4])) for cue in (*CUES, *PHRASES, *IDIOMS))
_DECLINED: Final = tuple((*cue[:4], late(cue[4])) for cue in DECLINED)


def cues_of(question: str) -> list[Cue]:
    """What speaks for a mode in the words of a question, each code of a mode once. Of a long one
    only the beginning is read.
    """
    found: dict[tuple[Mode, str], Cue] = {}
    for clause in clauses_of(question[:_MOST_READ]):
        for cue in _of_clause(clause):
            known = found.get((cue.mode, cue.code))
            if known is None or known.weight < cue.weight:
                found[cue.mode, cue.code] = cue
    return list(found.values())


def _of_clause(clause: Clause) -> Iterator[Cue]:
    """In the order in which they are said."""
    whole = clause.form in {"polar", "open"} or not clause.declined
    text = clause.text if whole else clause.wanted
    found = [
        (match.start(), Cue(mode, code, weight, match[0].strip()))
        for mode, code, weight, forms, pattern in _PATTERNS
        if clause.form in forms and (match := pattern.search(text))
    ]
    if not whole:
        found += [
            (len(text) + match.start(), Cue(mode, code, weight, match[0].strip()))
            for mode, code, weight, forms, pattern in _DECLINED
            if clause.form in forms and (match := pattern.search(clause.declined))
        ]
    yield from (cue for _, cue in sorted(found, key=lambda one: one[0]))
