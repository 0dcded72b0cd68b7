"""How memories fade (RULES 9), and how much may go at once (RULES 1.6).

| importance | unused for | strength | |
|---|---|---|---|
| 8 | nothing | 0.8 | |
| 8 | 8 weeks | 0.4 | |
| 3 | 12.67 weeks | just above 0.10 | stays |
| 3 | 12.69 weeks | just below 0.10 | archived |
| 2 | 8 weeks to the moment | 0.10 | stays |
| 2 | a second more | below | archived |
| 1 | nothing | 0.10 | stays |
| 1 | a second | below | archived |
| 8 | 24 weeks and a second | below | archived |
| 9, 10 | for ever | | stays |

| archived | would have gone anyway | goes |
|---|---|---|
| now | never | 90 days later |
| now | in 10 days | in 10 days |
| now | in a year | 90 days later |

| held | due at once | the pass |
|---|---|---|
| nothing | 0 | goes on |
| any number | 50 | goes on |
| 100 | 51 | stops |
| 1000 | 51 | stops: 5.1 % |
| 2000 | 100 | goes on: 5 % |
| 2000 | 101 | stops |

| returns observed, in days | suggested half-life |
|---|---|
| none, one | none |
| 10, ten times | 10 / log2(5) days: after 10 days an importance of 5 is at the threshold |
| 1 to 10 | nine of ten are kept: of 9.1 days |
| threshold above 0.5 | none: nothing of middling importance would stay |
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import log2

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from muniment.domain.decay import Cap, Decay, suggested_half_life

NOW = datetime(2026, 6, 1, tzinfo=UTC)
WEEK = timedelta(weeks=1)
SECOND = timedelta(seconds=1)
DECAY = Decay(timedelta(weeks=8), 0.10, timedelta(days=90), immune=9)
CAP = Cap(share=0.05, floor=50)


@pytest.mark.parametrize(
    ("importance", "idle", "strength"),
    [(8, 0 * WEEK, 0.8), (8, 8 * WEEK, 0.4), (3, 8 * WEEK, 0.15), (10, 80 * WEEK, 2**-10)],
)
def test_strength(importance: int, idle: timedelta, strength: float) -> None:
    assert DECAY.strength(importance, idle) == pytest.approx(strength)


@pytest.mark.parametrize(
    ("importance", "idle", "faded"),
    [
        (3, 12.67 * WEEK, False),
        (3, 12.69 * WEEK, True),
        (2, 8 * WEEK, False),
        (2, 8 * WEEK + SECOND, True),
        (1, 0 * WEEK, False),
        (1, SECOND, True),
        (8, 24 * WEEK - SECOND, False),
        (8, 24 * WEEK + SECOND, True),
        (9, 1000 * WEEK, False),
        (10, 1000 * WEEK, False),
    ],
)
def test_what_fades(importance: int, idle: timedelta, faded: bool) -> None:
    cut = DECAY.cut(importance, NOW)
    assert (cut is not None and NOW - idle < cut) == faded


def test_every_importance_that_fades_has_its_cut() -> None:
    importances, cuts = DECAY.cuts(NOW)
    assert importances == [1, 2, 3, 4, 5, 6, 7, 8]
    assert cuts == sorted(cuts, reverse=True)
    assert replace(DECAY, immune=1).cuts(NOW) == ([], [])


@given(
    importance=st.integers(1, 10),
    half_life=st.integers(1, 3650),
    threshold=st.floats(0.001, 1),
    seconds=st.integers(0, 10**9),
)
def test_the_cut_is_where_strength_falls_below(
    importance: int, half_life: int, threshold: float, seconds: int
) -> None:
    decay = Decay(timedelta(days=half_life), threshold, timedelta(days=1), immune=11)
    lasts = decay.lasts(importance)
    idle = timedelta(seconds=seconds)
    assume(abs(idle - lasts) >= SECOND)
    assert (decay.strength(importance, idle) < threshold) == (idle > lasts)


@given(st.integers(1, 10), st.integers(0, 10**9), st.integers(0, 10**9))
def test_strength_never_rises_without_use(importance: int, one: int, other: int) -> None:
    sooner, later = (timedelta(seconds=s) for s in sorted([one, other]))
    assert DECAY.strength(importance, later) <= DECAY.strength(importance, sooner)
    assert 0 <= DECAY.strength(importance, sooner) <= importance / 10


@pytest.mark.parametrize(("expires", "gone"), [(None, 90), (10, 10), (365, 90)])
def test_when_what_is_archived_goes(expires: int | None, gone: int) -> None:
    expires_at = None if expires is None else NOW + timedelta(days=expires)
    assert DECAY.gone_at(NOW, expires_at) == NOW + timedelta(days=gone)


@pytest.mark.parametrize(
    ("held", "due", "stops"),
    [
        (0, 0, False),
        (0, 50, False),
        (10**6, 50, False),
        (100, 51, True),
        (1000, 51, True),
        (2000, 100, False),
        (2000, 101, True),
    ],
)
def test_how_much_may_go_at_once(held: int, due: int, stops: bool) -> None:
    assert CAP.stops(due, held) == stops


def days(*numbers: float) -> list[timedelta]:
    return [timedelta(days=number) for number in numbers]


@pytest.mark.parametrize(
    ("returns", "threshold", "expected"),
    [
        ([], 0.1, None),
        (days(3), 0.1, None),
        (days(*[10] * 10), 0.1, 10 / log2(5)),
        (days(*range(1, 11)), 0.1, 9.1 / log2(5)),
        (days(*range(1, 11)), 0.6, None),
    ],
)
def test_a_half_life_that_returns_suggest(
    returns: list[timedelta], threshold: float, expected: float | None
) -> None:
    found = suggested_half_life(returns, threshold)
    assert (None if found is None else found / timedelta(days=1)) == (
        None if expected is None else pytest.approx(expected)
    )
