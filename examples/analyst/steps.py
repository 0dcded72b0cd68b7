"""What the agent can run on a publication: a few steps, each with its parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from examples.analyst.feed import Feed, Month, Publication, earlier

GROWTH = "growth over a year"
RANKING = "sectors ranked by growth over a year"
REVISIONS = "revisions of late months"
_LOOK_BACK = 6
_MOVED = 0.005


@dataclass(frozen=True)
class Step:
    """A step with its parameters; the latest months of some sectors can be left out."""

    name: str
    sector: str | None = None
    without: Mapping[str, int] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Any]:
        """As a report records them."""
        given: dict[str, Any] = {"sector": self.sector, "without latest": dict(self.without)}
        return {name: value for name, value in given.items() if value}


@dataclass(frozen=True)
class Result:
    """What a step came to: figures by sector (or month), in its order."""

    step: Step
    month: Month
    figures: Mapping[str, float]


def run(step: Step, feed: Feed, data: Publication) -> Result:
    """Carry out a step on a publication; ``feed`` has those before it."""
    if step.name == REVISIONS:
        return Result(step, data.month, _revisions(feed, data, step.sector or ""))
    sectors = [step.sector] if step.sector else list(data.jobs)
    found = {one: _growth(data, one, step.without.get(one, 0)) for one in sectors}
    ranked = sorted(found.items(), key=lambda item: -item[1])
    return Result(step, data.month, dict(ranked))


def _growth(data: Publication, sector: str, without: int) -> float:
    """Percent since the same month of the year before."""
    month = earlier(data.latest, without)
    series = data.jobs[sector]
    return round((series[month] / series[earlier(month, 12)] - 1) * 100, 1)


def _revisions(feed: Feed, data: Publication, sector: str) -> dict[Month, float]:
    """By how many percent months moved between the two last publications, where they did."""
    before = feed.published(earlier(data.month, 1)).jobs[sector]
    now = data.jobs[sector]
    months = [earlier(data.latest, back) for back in range(1, _LOOK_BACK)]
    moved = {month: now[month] / before[month] - 1 for month in reversed(months)}
    return {month: round(by * 100, 1) for month, by in moved.items() if abs(by) > _MOVED}
