"""How memories fade (RULES 9): strength falls with the time since last use, by a half-life."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log2
from statistics import quantiles
from typing import Final

from muniment.domain.timeline import later

MOST_IMPORTANCE: Final = 10
_RETURNS_KEPT: Final = 9
"""Of ten returns to a memory, so many should come before it fades."""
_USUAL_IMPORTANCE: Final = 5


@dataclass(frozen=True, slots=True)
class Decay:
    """The policy's numbers. What is as important as ``immune`` does not fade; what faded goes
    ``grace`` after it was archived.
    """

    half_life: timedelta
    threshold: float
    grace: timedelta
    immune: int

    def strength(self, importance: int, idle: timedelta) -> float:
        """Between 0 and 1; ``idle`` is the time since last use."""
        return float(importance / MOST_IMPORTANCE * 0.5 ** (idle / self.half_life))

    def lasts(self, importance: int) -> timedelta:
        """How long something stays without being used: longer idle, it is below the threshold."""
        halvings = log2(importance / MOST_IMPORTANCE / self.threshold)
        return max(timedelta(0), halvings * self.half_life)

    def cut(self, importance: int, now: datetime) -> datetime | None:
        """What was last used before this has faded by ``now``; None for what never fades."""
        return None if importance >= self.immune else now - self.lasts(importance)

    def cuts(self, now: datetime) -> tuple[list[int], list[datetime]]:
        """Every importance that fades, each with its cut."""
        found = [(one, self.cut(one, now)) for one in range(1, MOST_IMPORTANCE + 1)]
        fading = [(one, cut) for one, cut in found if cut is not None]
        return [one for one, _ in fading], [cut for _, cut in fading]

    def gone_at(self, archived_at: datetime, expires_at: datetime | None) -> datetime:
        """When something goes that is archived now: no later than it would have gone anyway."""
        after = later(archived_at, self.grace)
        return after if expires_at is None else min(after, expires_at)


@dataclass(frozen=True, slots=True)
class Cap:
    """How much of a tenant may go at once: a share of what it holds, or a few rows if that is more.

    RULES 1.6: a clock that jumped must not empty a tenant.
    """

    share: float
    floor: int

    def stops(self, due: int, held: int) -> bool:
        """True if so much of what is held is too much for one pass."""
        return due > max(self.floor, self.share * held)


def nine_tenths(returns: Sequence[timedelta]) -> timedelta | None:
    """What nine of ten observed returns stay below; None where there are fewer than two."""
    if len(returns) < 2:
        return None
    days = sorted(one / timedelta(days=1) for one in returns)
    return timedelta(days=quantiles(days, n=10, method="inclusive")[_RETURNS_KEPT - 1])


def suggested_half_life(returns: Sequence[timedelta], threshold: float) -> timedelta | None:
    """The half-life at which nine of ten observed returns come before a memory of middling
    importance fades; None where there are fewer than two returns, or none would do.
    """
    most = nine_tenths(returns)
    halvings = log2(_USUAL_IMPORTANCE / MOST_IMPORTANCE / threshold)
    return most / halvings if most is not None and halvings > 0 else None
