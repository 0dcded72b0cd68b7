"""What the words of a question ask for: a start anew, more, a check, or the same again.

A cue counts only where it speaks of the analysis: in what is asked for, not in the subject. "Start
over" at the head of a request is a wish; "how many users start over" is about users. What no cue
knows may be worded like questions whose mode is known.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from muniment.domain.late import late
from muniment.domain.learned import learned
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


@dataclass(frozen=True, slots=True)
class Likeness:
    """How much a question is worded as ones that ask for a mode, and as ones that ask for none;
    1 in all.
    """

    question: str
    shares: Mapping[Mode, float]
    neither: float

    def telling(self, mode: Mode) -> str:
        """The words of the question that speak most for a mode."""
        return learned(_TABLE).telling(self.question, mode)


_TABLE: Final = "requests"
_KNOWN: Final = 0.5
_NEITHER: Final = "none"
_MODES: Final[tuple[Mode, ...]] = ("fresh", "extend", "revalidate", "re-run")
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


def likeness_of(question: str) -> Likeness:
    """What questions of this wording ask for; one whose words are mostly unknown asks for none."""
    reading = learned(_TABLE).read(question)
    if reading.known < _KNOWN:
        return Likeness(question, dict.fromkeys(_MODES, 0.0), 1.0)
    shares = {mode: reading.shares[mode] for mode in _MODES}
    return Likeness(question, shares, reading.shares[_NEITHER])


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
