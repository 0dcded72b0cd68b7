"""What a list of measured values is summed up in."""

import statistics
from collections.abc import Sequence


def percentile(taken: Sequence[float], percent: int) -> float:
    """Between the values where it falls between two; of a single one, that one."""
    if len(taken) == 1:
        return taken[0]
    return statistics.quantiles(taken, n=100, method="inclusive")[percent - 1]
