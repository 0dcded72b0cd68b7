"""Grades of trust (RULES 4): where they come from, how they compare, what they may displace."""

from collections.abc import Collection, Iterable
from typing import Literal, get_args

Trust = Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
Role = Literal["user", "assistant", "tool", "external", "operator"]
Authority = Literal["user", "system"]
ResultTrust = Literal["tool_verified", "external_content"]
"""What the results of a tool are trusted at, as it is registered."""

GRADES: tuple[Trust, ...] = get_args(Trust)
ROLES: tuple[Role, ...] = get_args(Role)

_ORDER: dict[Authority, tuple[Trust, ...]] = {
    "user": GRADES,
    "system": ("operator", "tool_verified", "user_stated", "agent_inferred", "external_content"),
}
_OF_ROLE: dict[Role, Trust] = {
    "user": "user_stated",
    "operator": "operator",
    "assistant": "agent_inferred",
    "tool": "external_content",
    "external": "external_content",
}


def rank(grade: Trust, authority: Authority = "user") -> int:
    """Place of a grade, 0 the highest; the order depends on who owns the slot."""
    return _ORDER[authority].index(grade)


def may_displace(incoming: Trust, incumbent: Trust, authority: Authority = "user") -> bool:
    """True if the incoming grade is the same or higher (RULES 4.5)."""
    return rank(incoming, authority) <= rank(incumbent, authority)


def lowest(grades: Iterable[Trust], authority: Authority = "user") -> Trust:
    """Trust of something derived: the lowest of its inputs (RULES 4.4). Needs at least one."""
    return max(grades, key=lambda grade: rank(grade, authority))


def could_have_said(roles: Collection[Role], grade: Trust, authority: Authority = "user") -> bool:
    """True for a key whose roles reach this grade; an operator may take back or move anything."""
    if "operator" in roles:
        return True
    reached = [of_role(role, tool_verified=True) for role in roles]
    return any(may_displace(one, grade, authority) for one in reached)


def of_role(role: Role, *, tool_verified: bool = False) -> Trust:
    """Trust of a turn from its authenticated role; a tool counts only when registered so."""
    if role == "tool" and tool_verified:
        return "tool_verified"
    return _OF_ROLE[role]
