"""What is known when a mode is chosen: the question, what was found and run before, and when."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final, Literal

from muniment.domain.text import analyzer_for

Mode = Literal["fresh", "extend", "revalidate", "re-run"]
Fingerprint = Literal["same", "changed", "unknown"]
Stems = frozenset[str]

# Words of asking and measuring, which say nothing of what is asked about.
_ASKING_WORDS: Final = """
    analys analysi analyz look find found tell show give check see know think want like pleas data
    number figur result report differ differenc compar influenc affect effect explain factor
    question much mani higher lower high highest low lowest rate share averag mean time often use
    make new still last week month year day today yesterday quarter per fast long"""
_ASKING: Final = frozenset(_ASKING_WORDS.split())


@dataclass(frozen=True)
class Known:
    """A finding or a flag of prior work. ``stale``: past its time, within its grace."""

    text: str
    confidence: float = 0.9
    observed_at: datetime | None = None
    stale: bool = False


@dataclass(frozen=True)
class Situation:
    """A question about a data source, and what was done there before.

    ``words`` makes the stems of a text; ``last_at`` is when the source was last analysed.
    """

    question: str
    now: datetime
    findings: Sequence[Known] = ()
    flags: Sequence[Known] = ()
    steps: Sequence[str] = ()
    unknowns: Sequence[str] = ()
    last_at: datetime | None = None
    fingerprint: Fingerprint = "unknown"
    language: str | None = "english"

    @property
    def has_history(self) -> bool:
        """True if anything was found or run here before."""
        return bool(self.findings or self.steps or self.unknowns)

    @property
    def gap(self) -> timedelta | None:
        """Time since the last analysis; that of the latest finding where none is recorded."""
        seen = [one.observed_at for one in self.findings if one.observed_at is not None]
        last = self.last_at or max(seen, default=None)
        return None if last is None else max(self.now - last, timedelta())

    @cached_property
    def stems(self) -> Callable[[str], Stems]:
        """The words of a text that say what it is about."""
        analyzer = analyzer_for(self.language)
        return lambda text: frozenset(analyzer.stems(text)) - _ASKING

    @cached_property
    def asked(self) -> Stems:
        """What the question is about."""
        return self.stems(self.question)

    def closeness(self, text: str) -> float:
        """Which share of what the question is about a text speaks of, 0 to 1."""
        return len(self.asked & self.stems(text)) / len(self.asked) if self.asked else 0.0

    def _share(self, text: str) -> float:
        """Which share of a text the question is about."""
        said = self.stems(text)
        return len(self.asked & said) / len(said) if said else 0.0

    def nearest(self, texts: Sequence[str]) -> float:
        """The closeness of the nearest of some texts."""
        return max((self.closeness(text) for text in texts), default=0.0)

    @cached_property
    def target(self) -> Known | None:
        """What a confirmatory test is about: the nearest finding, or a flag that is nearer."""
        best = self._best(self.findings)
        flag = self._best(self.flags)
        if flag is None or best is None:
            return best or (flag if flag is not None and self.closeness(flag.text) > 0 else None)
        return flag if self.closeness(flag.text) > self.closeness(best.text) else best

    def _best(self, known: Sequence[Known]) -> Known | None:
        def worth(one: Known) -> tuple[float, float, float, float, str]:
            seen = 0.0 if one.observed_at is None else one.observed_at.timestamp()
            return self.closeness(one.text), one.confidence, self._share(one.text), seen, one.text

        return max(known, key=worth, default=None)
