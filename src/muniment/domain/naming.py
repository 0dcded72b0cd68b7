"""Which held memory a statement without a slot speaks of when it takes one back or replaces it.

By content words alone: what says that something ends ("forget", "fixed", "no longer"), numbers and
dates do not name it.
"""

from collections.abc import Sequence
from typing import Final

from muniment.domain.text import MONTHS, WEEKDAYS, Analyzer
from muniment.domain.units import SMALL

ENOUGH: Final = 0.6
"""The share of the words of the shorter text that the other one has."""
CLEAR: Final = 0.2
"""By how much the best one leads, where several are near."""

_TAKING_BACK: Final = f"""
    forget drop ignore scrap disregard discard undo cancel stop remove lose skip retract withdraw
    said say told tell mention rule thing stuff step ask asks want wants need needs longer anymore
    fix fixed solve solved resolve resolved repair repaired correct corrected sorted work works
    working fine clean normal back again now instead changed change wrong actually issue problem bug
    user team today yesterday tomorrow last next since week month year day days {" ".join(MONTHS)}
    {" ".join(WEEKDAYS)}
"""
_NUMBERS: Final = {name: str(number) for name, number in SMALL.items()}


def named(
    said: str, replaces: str | None, texts: Sequence[str], analyzer: Analyzer, names: Sequence[str]
) -> list[int]:
    """Which of ``texts`` a statement names: all of them that it might, one if that is clear.

    ``replaces`` are words that the text meant must have; ``names`` are the user's own.
    """
    aside = frozenset(analyzer.stems(_TAKING_BACK)) | frozenset(analyzer.stems(" ".join(names)))
    wanted = _words(said, analyzer, aside)
    old = _values(replaces or "", analyzer)
    scores: dict[int, float] = {}
    for at, text in enumerate(texts):
        if not old <= _values(text, analyzer):
            continue
        words = _words(text, analyzer, aside)
        shorter = min(len(wanted), len(words))
        share = len(wanted & words) / shorter if shorter else 0.0
        if share >= ENOUGH:
            scores[at] = share
    best = max(scores.values(), default=0.0)
    return [at for at, score in scores.items() if score > best - CLEAR]


def _words(text: str, analyzer: Analyzer, aside: frozenset[str]) -> frozenset[str]:
    return frozenset(
        stem for stem in _values(text, analyzer) if stem not in aside and not stem[0].isdecimal()
    )


def _values(text: str, analyzer: Analyzer) -> frozenset[str]:
    return frozenset(_NUMBERS.get(stem, stem) for stem in analyzer.stems(text))
