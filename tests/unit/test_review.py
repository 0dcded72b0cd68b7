"""What may be decided, and the grade of an approval (RULES 4.4).

| waits since | `keep_both` is meant |
|---|---|
| contested | yes |
| quarantined, unconfirmed | no |

| roles | held | slot of | grade |
|---|---|---|---|
| user | a guess | the user | user_stated |
| operator | a guess | the user | operator |
| both | a guess | the user / the system | user_stated / operator |
| operator | user_stated | the user | user_stated |
| user | tool_verified | the system | tool_verified |
| assistant, tool, external | anything | any | none |

Whatever is held, approving never lowers it, nor does it give more than the key may relay.
"""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.review import Decision, Why, approved_grade, is_meant
from muniment.domain.trust import GRADES, ROLES, Authority, Role, Trust, of_role, rank


@pytest.mark.parametrize("why", get_args(Why))
@pytest.mark.parametrize("decision", get_args(Decision))
def test_what_is_meant(why: Why, decision: Decision) -> None:
    assert is_meant(why, decision) == (decision != "keep_both" or why == "contested")


@pytest.mark.parametrize(
    ("roles", "held", "authority", "grade"),
    [
        ({"user"}, "agent_inferred", "user", "user_stated"),
        ({"operator"}, "agent_inferred", "user", "operator"),
        ({"user", "operator"}, "external_content", "user", "user_stated"),
        ({"user", "operator"}, "external_content", "system", "operator"),
        ({"operator"}, "user_stated", "user", "user_stated"),
        ({"user"}, "tool_verified", "system", "tool_verified"),
        ({"assistant", "tool", "external"}, "agent_inferred", "user", None),
        (set(), "agent_inferred", "user", None),
    ],
)
def test_the_grade_of_an_approval(
    roles: set[Role], held: Trust, authority: Authority, grade: Trust | None
) -> None:
    assert approved_grade(roles, held, authority) == grade


@given(
    st.sets(st.sampled_from(ROLES)),
    st.sampled_from(GRADES),
    st.sampled_from(get_args(Authority)),
)
def test_never_lower_and_never_more_than_may_be_relayed(
    roles: set[Role], held: Trust, authority: Authority
) -> None:
    found = approved_grade(roles, held, authority)
    if found is None:
        assert not roles & {"user", "operator"}
    else:
        assert rank(found, authority) <= rank(held, authority)
        assert found in {held, *(of_role(role) for role in roles)}
