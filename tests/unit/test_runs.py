"""Runs, purely.

| lease | asks | then |
|---|---|---|
| held | its fence | the fence |
| held | no fence, or an old one | none |
| held | the same, taking over | the next fence |
| over | its fence | the fence |
| over | anything else | the next fence |

| facts | then |
|---|---|
| one that begins later | holds from then on |
| superseded by one that has begun | does not hold; before that begins it does |
| two of a key without a pointer | both hold |
| superseded at a later step | holds after the step before |
"""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.runs import (
    Budget,
    Committed,
    Difference,
    Lease,
    decimal_text,
    difference,
    in_force,
    next_fence,
    told,
)

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("left", "fence", "take_over", "then"),
    [
        (1, 3, False, 3), (1, None, False, None), (1, 2, False, None), (1, 4, False, None),
        (1, None, True, 4), (1, 2, True, 4), (0, 3, False, 3), (0, None, False, 4), (-1, 2, False, 4),
    ],
)  # fmt: skip
def test_the_lease(left: int, fence: int | None, take_over: bool, then: int | None) -> None:
    lease = Lease(3, NOON + timedelta(seconds=left))
    assert next_fence(lease, NOON, fence=fence, take_over=take_over) == then


@pytest.mark.parametrize(
    ("used", "ceilings", "cost", "fits", "left"),
    [
        ((0, "0"), (None, None), "999999999999", True, (None, None)),
        ((1, "999999999999.999999"), (None, None), "0.000001", False, (None, None)),
        ((1, "999999999999.999999"), (None, None), "0", True, (None, None)),
        ((2, "1"), (3, "2"), "1", True, (1, "1")),
        ((3, "1"), (3, "2"), "0", False, (0, "1")),
        ((2, "1"), (3, "2"), "1.000001", False, (1, "1")),
        ((0, "0"), (None, "0"), "0", True, (None, "0")),
        ((0, "0"), (None, "0"), "0.000001", False, (None, "0")),
    ],
)
def test_the_budget(used, ceilings, cost, fits, left) -> None:  # type: ignore[no-untyped-def]
    ceiling = None if ceilings[1] is None else Decimal(ceilings[1])
    budget = Budget(used[0], Decimal(used[1]), ceilings[0], ceiling)
    after = budget.after(Decimal(cost))
    assert (after is not None) == fits
    assert budget.steps_left == left[0]
    assert budget.cost_left == (None if left[1] is None else Decimal(left[1]))
    if after is not None:
        assert (after.steps, after.cost) == (used[0] + 1, Decimal(used[1]) + Decimal(cost))


@pytest.mark.parametrize(
    ("amount", "text"),
    [("0", "0"), ("0.000000", "0"), ("10", "10"), ("1.500000", "1.5"), ("0.000001", "0.000001"), ("1E+3", "1000")],
)  # fmt: skip
def test_amounts(amount: str, text: str) -> None:
    assert decimal_text(Decimal(amount)) == text


FACTS = [
    Committed("a", 1, NOON),
    Committed("b", 2, NOON + 2 * DAY, supersedes="a"),
    Committed("c", 3, NOON),
]


@pytest.mark.parametrize(
    ("step", "as_of", "hold"),
    [
        (0, NOON, []), (1, NOON, ["a"]), (1, NOON - DAY, []), (2, NOON + DAY, ["a"]),
        (2, NOON + 2 * DAY, ["b"]), (1, NOON + 2 * DAY, ["a"]), (3, NOON, ["a", "c"]),
        (3, NOON + 3 * DAY, ["b", "c"]),
    ],
)  # fmt: skip
def test_what_holds(step: int, as_of: datetime, hold: list[str]) -> None:
    assert in_force(FACTS, step, as_of) == hold


@given(st.permutations(FACTS), st.integers(0, 4), st.integers(-2, 4))
def test_the_order_of_facts_does_not_matter(facts: list[Committed], step: int, days: int) -> None:
    as_of = NOON + days * DAY
    assert sorted(in_force(facts, step, as_of)) == sorted(in_force(FACTS, step, as_of))


def test_the_difference() -> None:
    found = difference(["a", "b"], ["b", "c"], ["x?"], ["x?", "y?"])
    assert found == Difference(("c",), ("a",), ("y?",), ())
    assert difference(["a"], ["a"], ["x?"], []) == Difference((), (), (), ("x?",))


def test_a_run_as_text() -> None:
    text = told(
        agent="billing", opened_at=NOON, steps=3, stages=["intake", "done"],
        facts={"amount": "120.00"}, outcome="partial", correction="The tax is missing.",
    )  # fmt: skip
    assert text == (
        "On 1 June 2026 the agent billing ran 3 steps; the outcome was partial. A reviewer "
        "corrected: The tax is missing. It went through intake, done. It held: amount = 120.00."
    )
    long = told(
        agent="b", opened_at=NOON, steps=3, stages=[], facts={str(n): "x" * 900 for n in range(9)},
        outcome="success", correction=None,
    )  # fmt: skip
    assert len(long) == 2000
