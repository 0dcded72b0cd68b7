"""The data: employment in the United States by sector, month by month, as it was published.

The figures are those of the Bureau of Labor Statistics, 2006 to 2015, that the package
``vega_datasets`` ships. What is made up is the lag: until it is mended, late reports of building
firms are missing from the two latest months of each publication.
"""

import csv
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LATE_SECTOR = "construction"
MENDED = "2015-12"
# The share of the firms that have reported by the first and by the second publication.
_REPORTED = (0.96, 0.98)
_SUMS = {
    "month", "nonfarm", "private", "goods_producing", "service_providing",
    "private_service_providing", "nonfarm_change", "durable_goods", "nondurable_goods",
    "trade_transportation_utilties",
}  # fmt: skip

Month = str
"""``YYYY-MM``."""


class NoData(Exception):
    """The package with the data is not installed."""


@dataclass(frozen=True)
class Publication:
    """What was published in a month: thousands of jobs by sector and month, to the month before."""

    month: Month
    jobs: Mapping[str, Mapping[Month, float]]

    @property
    def fingerprint(self) -> str:
        """A name for this state of the data."""
        return f"employment-{self.month}"

    @property
    def latest(self) -> Month:
        """The last month that it has."""
        return earlier(self.month, 1)


class Feed:
    """Every publication there was."""

    def __init__(self, jobs: Mapping[str, Mapping[Month, float]]) -> None:
        self._jobs = jobs

    def published(self, month: Month) -> Publication:
        """The publication of a month."""
        seen = {
            sector: {at: jobs for at, jobs in series.items() if at < month}
            for sector, series in self._jobs.items()
        }
        if month < MENDED:
            series = seen[LATE_SECTOR]
            for back, share in enumerate(_REPORTED, start=1):
                series[earlier(month, back)] = round(series[earlier(month, back)] * share, 1)
        return Publication(month, seen)


def earlier(month: Month, by: int) -> Month:
    """The month that was so many months before."""
    years, months = divmod(int(month[:4]) * 12 + int(month[5:]) - 1 - by, 12)
    return f"{years:04}-{months + 1:02}"


def load() -> Feed:
    """Read the file of the package, without the libraries that it needs itself. Raises NoData."""
    found = importlib.util.find_spec("vega_datasets")
    if found is None or found.origin is None:
        raise NoData("The data is not installed: 'make examples' installs it.")
    path = Path(found.origin).parent / "_data" / "us-employment.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return Feed(
        {
            sector: {row["month"][:7]: float(row[sector]) for row in rows}
            for sector in rows[0]
            if sector not in _SUMS
        }
    )
