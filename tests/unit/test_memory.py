"""The status that people see (DESIGN 3, RULES 1.3, 1.6).

A status says what a version is to a reader who asks about one day of the world as it was known on
one day of the record. Each row: what the version is, the two days, the status.
"""

from datetime import datetime, timedelta
from typing import Any, get_args
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.memory import Standing, Status, Version, status_of
from muniment.domain.timeline import Window
from muniment.domain.trust import GRADES
from tests.unit.slot_history import day

FOREVER = (0, None)
ROME = UUID(int=7)


def version(
    valid: tuple[int, int | None] = FOREVER,
    recorded: tuple[int, int | None] = FOREVER,
    **more: Any,
) -> Version:
    def window(bounds: tuple[int, int | None]) -> Window:
        return Window(day(bounds[0]), None if bounds[1] is None else day(bounds[1]))

    given_fields = {"standing": "asserted", "trust": "user_stated"} | more
    return Version(
        version_id=UUID(int=1),
        memory_id=UUID(int=2),
        valid=window(valid),
        recorded=window(recorded),
        **given_fields,
    )


CASES: list[tuple[Version, int, int, Status]] = [
    (version(), 5, 5, "active"),
    (version(valid=(5, 9)), 5, 9, "active"),
    (version(valid=(5, 9)), 4, 9, "future"),
    (version(valid=(5, 9)), 9, 9, "past"),
    (version(valid=(5, 9), superseded_by=ROME), 9, 9, "superseded"),
    # A superseded city still answers for last year.
    (version(valid=(5, 9), superseded_by=ROME), 8, 9, "active"),
    (version(valid=(5, 9), superseded_by=ROME), 4, 9, "future"),
    (version(valid=(5, 9), retracted=True), 8, 9, "active"),
    (version(valid=(5, 9), retracted=True), 9, 9, "retracted"),
    (version(valid=(5, 9), retracted=True, superseded_by=ROME), 9, 9, "retracted"),
    # The record moved on: what was held before is held no more, but was then.
    (version(recorded=(3, 6)), 5, 6, "superseded"),
    (version(recorded=(3, 6)), 5, 5, "active"),
    (version(recorded=(3, 6), retracted=True), 5, 6, "retracted"),
    (version(archived=True), 5, 5, "archived"),
    (version(archived=True, valid=(5, 9)), 9, 9, "past"),
    (version(standing="contested"), 5, 5, "contested"),
    (version(standing="quarantined"), 5, 5, "quarantined"),
    (version(standing="contested", archived=True), 5, 5, "contested"),
    # A dispute that is settled is not in dispute, but was then.
    (version(standing="contested", recorded=(3, 6)), 5, 6, "superseded"),
    (version(standing="contested", recorded=(3, 6)), 5, 5, "contested"),
    (version(expires_at=day(11)), 5, 5, "active"),
    (version(expires_at=day(10)), 5, 5, "expired"),
    (version(expires_at=day(10), standing="contested"), 5, 5, "expired"),
    (version(expires_at=day(10), recorded=(3, 6)), 5, 6, "expired"),
]


@pytest.mark.parametrize(("held", "as_of", "known_at", "status"), CASES)
def test_the_table(held: Version, as_of: int, known_at: int, status: Status) -> None:
    found = status_of(held, as_of=day(as_of), known_at=day(known_at), now=day(10))
    assert found == status


def test_every_status_has_a_case() -> None:
    assert {case[3] for case in CASES} == set(get_args(Status))


@pytest.mark.parametrize(
    ("now", "status"),
    [(day(10) - timedelta(microseconds=1), "active"), (day(10), "expired")],
)
def test_expiry_is_at_its_instant_for_any_question(now: datetime, status: Status) -> None:
    held = version(expires_at=day(10))
    for moment in (day(1), day(10), day(20)):
        assert status_of(held, as_of=moment, known_at=moment, now=now) == status


@st.composite
def bounds(draw: st.DrawFn) -> tuple[int, int | None]:
    start = draw(st.integers(0, 8))
    return start, draw(st.none() | st.integers(start + 1, 9))


@given(
    bounds(),
    bounds(),
    st.fixed_dictionaries(
        {
            "standing": st.sampled_from(get_args(Standing)),
            "trust": st.sampled_from(GRADES),
            "superseded_by": st.none() | st.just(ROME),
            "retracted": st.booleans(),
            "archived": st.booleans(),
            "expires_at": st.none() | st.integers(0, 9).map(day),
        }
    ),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_active_means_asserted_there_and_then(
    valid: tuple[int, int | None],
    recorded: tuple[int, int | None],
    more: dict[str, Any],
    as_of: int,
    known_at: int,
    now: int,
) -> None:
    held = version(valid, recorded, **more)
    found = status_of(held, as_of=day(as_of), known_at=day(known_at), now=day(now))
    lives = held.expires_at is None or day(now) < held.expires_at
    held_then = held.recorded.holds(day(known_at))
    true_then = held.valid.holds(day(as_of))
    assert (found == "active") == (
        lives and held_then and true_then and held.standing == "asserted" and not held.archived
    )
    assert (found == "expired") == (not lives)
    assert found in get_args(Status)
