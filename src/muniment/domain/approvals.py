"""Approvals: what state one is in, who may decide, and for what it holds (RULES 14.5)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from typing import Any, Literal

ApprovalState = Literal["pending", "approved", "rejected", "expired", "used"]
ApprovalDecision = Literal["approve", "reject"]
Lack = Literal["none", "other", "pending", "rejected", "expired", "used", "scope"]
"""What is wrong with an approval that somebody names, or that they name none."""
ANY_GATE = "*"
_MOVE = "stage:"


@dataclass(frozen=True)
class Request:
    """An approval as the rules see it. ``used_for`` is the call or move that it was used for."""

    action: str
    gate: str
    expires_at: datetime
    decision: ApprovalDecision | None
    granted: Mapping[str, Any]
    used_for: str | None

    def state(self, now: datetime) -> ApprovalState:
        """As people see it; what is neither used nor rejected ends with its time."""
        if self.used_for is not None:
            return "used"
        if self.decision == "reject":
            return "rejected"
        if self.expires_at <= now:
            return "expired"
        return "pending" if self.decision is None else "approved"


def move_to(stage: str) -> str:
    """The action of a move of a run's machine."""
    return f"{_MOVE}{stage}"


def is_move(action: str) -> bool:
    """Whether an action is one, and no call of a tool."""
    return action.startswith(_MOVE)


def has_gate(gates: Collection[str], gate: str) -> bool:
    """Whether a key with these gates may decide on what passes one."""
    return ANY_GATE in gates or gate in gates


def lack(
    request: Request | None, *, action: str, gate: str, use: str, arguments: Mapping[str, Any],
    now: datetime,
) -> Lack | None:  # fmt: skip
    """What is wrong with using a request for an action; None where it holds.

    It holds once, for one ``use``, whose arguments have every value of the scope that was granted.
    A use that began in time may be tried again later.
    """
    if request is None:
        return "none"
    if (request.action, request.gate) != (action, gate):
        return "other"
    state = request.state(now)
    if state == "used":
        return None if request.used_for == use else "used"
    if state != "approved":
        return state
    granted = request.granted.items()
    fits = all(name in arguments and _same(arguments[name], value) for name, value in granted)
    return None if fits else "scope"


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON, however deep: true is not 1, and 1 is not 1.0."""
    return dumps(one, sort_keys=True) == dumps(other, sort_keys=True)
