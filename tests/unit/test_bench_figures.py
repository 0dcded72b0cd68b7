"""Summing up what was measured.

| values | percentile |
|---|---|
| one | that one |
| several | between the two that it falls between; never outside them |
| the other way round | the same |
"""

import pytest
from bench.figures import percentile
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.lists(st.floats(0.0, 1e6), min_size=1, max_size=50)


@pytest.mark.parametrize(
    ("taken", "percent", "wanted"),
    [
        ([7.0], 95, 7.0),
        ([7.0], 1, 7.0),
        ([0.0, 10.0], 95, 9.5),
        ([float(n) for n in range(101)], 95, 95.0),
    ],
)
def test_by_hand(taken: list[float], percent: int, wanted: float) -> None:
    assert percentile(taken, percent) == pytest.approx(wanted)


@given(taken=VALUES, percent=st.integers(1, 99))
def test_within_and_whatever_the_order(taken: list[float], percent: int) -> None:
    found = percentile(taken, percent)
    rounding = 1e-9 * max(taken)
    assert min(taken) - rounding <= found <= max(taken) + rounding
    assert found == percentile(taken[::-1], percent)
