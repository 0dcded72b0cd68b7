"""What a person may decide of what waits for one, and what that does (RULES 4.4, 15.5).

| waits since it is | `approve` | `reject` | `keep_both` |
|---|---|---|---|
| `quarantined` | reconciled as if it were said now, at the grade of who approves | retracted | - |
| `contested` | the same: it takes the place of what it disputes | retracted | stays beside it |
| `unconfirmed` | binds: held at the grade of who approves | retracted | - |
| a quarantined turn | recalled from now on, at the grade of its channel | ended | - |
"""

from collections.abc import Collection
from typing import Literal

from muniment.domain.trust import Authority, Role, Trust, of_role, rank

Why = Literal["quarantined", "contested", "unconfirmed"]
Decision = Literal["approve", "reject", "keep_both"]

BY_REVIEW = frozenset({"approved_by_review", "confirmed_by_review", "rejected_by_review"})
"""The rules under which a person's decision on a memory is stored."""

_RAISING: tuple[Role, ...] = ("user", "operator")


def is_meant(why: Why, decision: Decision) -> bool:
    """False for keeping both where there is nothing else to keep."""
    return decision != "keep_both" or why == "contested"


def approved_grade(roles: Collection[Role], held: Trust, authority: Authority) -> Trust | None:
    """The grade at which a key with these roles approves: the best that it may relay, and never
    less than what is held. None for a key that speaks for no person.
    """
    given = [of_role(role) for role in _RAISING if role in roles]
    if not given:
        return None
    return min([*given, held], key=lambda grade: rank(grade, authority))
