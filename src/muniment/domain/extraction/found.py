"""What a rule finds in a clause, before it is dated and put into words."""

from dataclasses import dataclass
from datetime import date

from muniment.domain.extraction.clauses import Clause


@dataclass(frozen=True, slots=True)
class Found:
    """A value of a slot, or (slot None) a statement whose words are ``text``.

    ``start`` and ``end`` are given where the rule itself knows the days; else they are taken from
    the clause. ``old`` is what it says was so before.
    """

    clause: Clause
    rule: str
    slot: str | None = None
    value: str | None = None
    kind: str = "fact"
    text: str | None = None
    retracts: bool = False
    old: str | None = None
    start: date | None = None
    end: date | None = None
    changes: bool = False
    """Bare days of the clause are the day from which it is so."""
    also: tuple[int, ...] = ()
    """Other turns that say it with this one."""
    data_source: str | None = None
    end_before: date | None = None
    """The first day on which it is no longer so."""
    ends_today: bool = False
    """So until the end of the day on which it is said."""
    closed: bool = False
    """It was so, in the window of ``start`` and ``end``."""
