"""Grades of trust (RULES 4).

| rule | shown by |
|---|---|
| 4.1 | the order of the grades, and the other order of slots that a system of record owns |
| 4.2 | what a role is worth; a tool only where it is registered |
| 4.4 | what is derived is worth its least input |
| 4.5 | the same or a higher grade displaces, a lower one does not |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.trust import (
    GRADES,
    ROLES,
    Authority,
    Role,
    Trust,
    lowest,
    may_displace,
    of_role,
    rank,
)

ORDERS: dict[Authority, tuple[Trust, ...]] = {
    "user": ("user_stated", "operator", "tool_verified", "agent_inferred", "external_content"),
    "system": ("operator", "tool_verified", "user_stated", "agent_inferred", "external_content"),
}
grades = st.sampled_from(GRADES)
authorities = st.sampled_from(list(ORDERS))


@pytest.mark.parametrize("authority", list(ORDERS))
def test_the_order(authority: Authority) -> None:
    assert [rank(grade, authority) for grade in ORDERS[authority]] == [0, 1, 2, 3, 4]
    assert sorted(GRADES) == sorted(ORDERS[authority])


def test_the_order_of_a_users_slot_is_the_default() -> None:
    assert tuple(sorted(GRADES, key=rank)) == ORDERS["user"]


@pytest.mark.parametrize(
    ("role", "tool_verified", "worth"),
    [
        ("user", False, "user_stated"),
        ("user", True, "user_stated"),
        ("operator", False, "operator"),
        ("assistant", False, "agent_inferred"),
        ("assistant", True, "agent_inferred"),
        ("tool", False, "external_content"),
        ("tool", True, "tool_verified"),
        ("external", False, "external_content"),
        ("external", True, "external_content"),
    ],
)
def test_what_a_role_is_worth(role: Role, tool_verified: bool, worth: Trust) -> None:
    assert of_role(role, tool_verified=tool_verified) == worth


def test_every_role_is_worth_something() -> None:
    assert {of_role(role) for role in ROLES} <= set(GRADES)


@given(grades, grades, authorities)
def test_the_same_or_a_higher_grade_displaces(a: Trust, b: Trust, authority: Authority) -> None:
    assert may_displace(a, b, authority) == (
        ORDERS[authority].index(a) <= ORDERS[authority].index(b)
    )
    assert may_displace(a, b, authority) or may_displace(b, a, authority)


@given(st.lists(grades, min_size=1), grades, authorities)
def test_what_is_derived_is_worth_its_least_input(
    inputs: list[Trust], more: Trust, authority: Authority
) -> None:
    found = lowest(inputs, authority)
    assert found in inputs
    assert all(may_displace(grade, found, authority) for grade in inputs)
    assert may_displace(found, lowest([*inputs, more], authority), authority)
    assert lowest([lowest(inputs, authority), *inputs], authority) == found


def test_nothing_is_derived_from_nothing() -> None:
    with pytest.raises(ValueError, match="empty"):
        lowest([])
