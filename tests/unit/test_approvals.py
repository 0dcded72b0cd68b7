"""Approvals and machines, purely.

| request | state |
|---|---|
| undecided in time, after it | pending, expired |
| approved in time, after it | approved, expired |
| rejected, ever | rejected |
| used, ever | used |

| used for | then |
|---|---|
| the action and gate it was asked for, with the granted values | holds, once |
| the same again | holds |
| another call, action or gate, other values, a value of another type, one too few | does not |
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from muniment.domain.approvals import ApprovalDecision, Request, has_gate, lack
from muniment.domain.machines import Machine, Move, machine_faults

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def request(
    decision: ApprovalDecision | None = "approve", left: int = 1, used: str | None = None,
    **granted: Any,
) -> Request:  # fmt: skip
    return Request("pay", "finance", NOON + left * SECOND, decision, granted, used)


@pytest.mark.parametrize(
    ("one", "state"),
    [
        (request(None), "pending"), (request(None, 0), "expired"), (request(), "approved"),
        (request(left=0), "expired"), (request("reject"), "rejected"), (request("reject", 0), "rejected"),
        (request(used="x"), "used"), (request(left=0, used="x"), "used"),
    ],
)  # fmt: skip
def test_states(one: Request, state: str) -> None:
    assert one.state(NOON) == state


@pytest.mark.parametrize(
    ("one", "more", "wrong"),
    [
        (None, {}, "none"),
        (request(), {}, None),
        (request(), {"action": "refund"}, "other"),
        (request(), {"gate": "legal"}, "other"),
        (request(None), {}, "pending"),
        (request("reject"), {}, "rejected"),
        (request(left=0), {}, "expired"),
        (request(used="call:1"), {}, None),
        (request(left=0, used="call:1"), {}, None),
        (request(used="call:2"), {}, "used"),
        (request(amount="5"), {}, None),
        (request(amount="6"), {}, "scope"),
        (request(amount=5), {}, "scope"),
        (request(amount="5", to="acme"), {}, "scope"),
        (request(urgent=1), {"arguments": {"urgent": True}}, "scope"),
        (request(to=None), {}, "scope"),
        (request(lines=[1, {"a": 2}]), {"arguments": {"lines": [1, {"a": 2}]}}, None),
        (request(o={"a": 1, "b": 2}), {"arguments": {"o": {"b": 2, "a": 1}}}, None),
        (request(n=1), {"arguments": {"n": 1.0}}, "scope"),
        (request(s="1"), {"arguments": {"s": "１"}}, "scope"),
    ],
)
def test_use(one: Request | None, more: dict[str, Any], wrong: str | None) -> None:
    asked: dict[str, Any] = {"action": "pay", "gate": "finance", "use": "call:1"}
    asked |= {"arguments": {"amount": "5"}, "now": NOON}
    assert lack(one, **(asked | more)) == wrong


@pytest.mark.parametrize(
    ("granted", "claimed"),
    [(True, 1), (False, 0), (1, 1.0), (0, -0.0), (None, False), ([], {}), ("1", 1), ([1], 1)],
)
@pytest.mark.parametrize("depth", range(4))
@pytest.mark.parametrize("turned", [False, True])
def test_what_python_takes_for_the_same(
    granted: Any, claimed: Any, depth: int, turned: bool
) -> None:
    for at in range(depth):
        granted, claimed = ([granted], [claimed]) if at % 2 else ({"a": granted}, {"a": claimed})
    one, other = (claimed, granted) if turned else (granted, claimed)
    asked: dict[str, Any] = {"action": "pay", "gate": "finance", "use": "call:1", "now": NOON}
    assert lack(request(o=one), arguments={"o": other}, **asked) == "scope"
    assert lack(request(o=one), arguments={"o": one, "more": 1}, **asked) is None


@pytest.mark.parametrize(
    ("gates", "has"), [((), False), (("legal",), False), (("finance", "x"), True), (("*",), True)]
)
def test_gates(gates: tuple[str, ...], has: bool) -> None:
    assert has_gate(gates, "finance") == has


MACHINE = Machine("a", [Move("a", "b"), Move("b", "c", "finance"), Move("b", "a"), Move("a", "a")])


def test_moves() -> None:
    assert MACHINE.allowed("a") == ["a", "b"]
    assert MACHINE.allowed("c") == []
    assert MACHINE.move("b", "c") == Move("b", "c", "finance")
    assert MACHINE.move("a", "c") is None
    assert list(machine_faults(MACHINE)) == []


@pytest.mark.parametrize(
    ("moves", "places"),
    [([], []), ([Move("x", "a")], [0]), ([Move("a", "b"), Move("a", "b", "g")], [1]), ([Move("x", "y"), Move("y", "x")], [0, 1])],
)  # fmt: skip
def test_machines_that_are_none(moves: list[Move], places: list[int]) -> None:
    assert [place for place, _ in machine_faults(Machine("a", moves))] == places
