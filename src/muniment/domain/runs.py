"""Runs: the lease and its fence, the budget, and which committed facts hold (RULES 14.3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

RunOutcome = Literal["success", "failure", "partial", "abandoned"]
RunState = Literal["open", "closed"]
MOST_COST = Decimal("999999999999.999999")
"""What a run may cost at most, with a ceiling or without."""
MOST_FACTS = 1000
"""Facts of a run that nothing supersedes."""


@dataclass(frozen=True)
class Lease:
    """Who holds a run writes with its ``fence``; whoever takes it over gets the next one."""

    fence: int
    expires_at: datetime

    def is_held(self, now: datetime) -> bool:
        """Whether somebody holds it at this moment."""
        return now < self.expires_at

    def may_write(self, fence: int) -> bool:
        """Whether a holder with this fence may write: the last who took it, late or not."""
        return fence == self.fence


def next_fence(lease: Lease, now: datetime, *, fence: int | None, take_over: bool) -> int | None:
    """The fence of who asks for the lease; None where somebody else holds it.

    Its holder keeps the fence. Anybody else gets the next one once it is over, or who says that the
    holder is gone: what that one still writes is refused.
    """
    if fence is not None and lease.may_write(fence):
        return lease.fence
    if lease.is_held(now) and not take_over:
        return None
    return lease.fence + 1


@dataclass(frozen=True)
class Budget:
    """What a run has used, and the ceilings, if it has some."""

    steps: int
    cost: Decimal
    step_ceiling: int | None
    cost_ceiling: Decimal | None

    @property
    def steps_left(self) -> int | None:
        """Steps that are left; None without a ceiling."""
        return None if self.step_ceiling is None else max(self.step_ceiling - self.steps, 0)

    @property
    def cost_left(self) -> Decimal | None:
        """Cost that is left; None without a ceiling."""
        return None if self.cost_ceiling is None else max(self.cost_ceiling - self.cost, Decimal(0))

    def after(self, cost: Decimal) -> "Budget | None":
        """The budget after one more step of this cost; None where that is beyond a ceiling."""
        spent = Budget(self.steps + 1, self.cost + cost, self.step_ceiling, self.cost_ceiling)
        if spent.step_ceiling is not None and spent.steps > spent.step_ceiling:
            return None
        if spent.cost > (MOST_COST if spent.cost_ceiling is None else spent.cost_ceiling):
            return None
        return spent


def decimal_text(amount: Decimal) -> str:
    """An amount as people write it: no exponent, no zeros behind that say nothing."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@dataclass(frozen=True)
class Committed:
    """A fact as precedence sees it: what it supersedes, after which step, and since when."""

    name: str
    step: int
    valid_from: datetime
    supersedes: str | None = None


def in_force(facts: Iterable[Committed], step: int, as_of: datetime) -> list[str]:
    """What holds at an instant after a step: what has begun, and nothing that has begun supersedes.

    Only pointers decide. Two facts of one key without one both hold.
    """
    begun = [one for one in facts if one.step <= step and one.valid_from <= as_of]
    over = {one.supersedes for one in begun}
    return [one.name for one in begun if one.name not in over]


@dataclass(frozen=True)
class Difference:
    """What two states of a run have apart: names of facts, and questions."""

    came: tuple[str, ...]
    went: tuple[str, ...]
    asked: tuple[str, ...]
    answered: tuple[str, ...]


def difference(
    before: Sequence[str], after: Sequence[str], were: Sequence[str], are: Sequence[str]
) -> Difference:
    """Between the facts (``before``, ``after``) and the open questions (``were``, ``are``)."""
    return Difference(
        came=tuple(one for one in after if one not in set(before)),
        went=tuple(one for one in before if one not in set(after)),
        asked=tuple(one for one in are if one not in set(were)),
        answered=tuple(one for one in were if one not in set(are)),
    )


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_MOST_TOLD = 20
_MOST_CHARACTERS = 2000


def told(
    *, agent: str | None, opened_at: datetime, steps: int, stages: Sequence[str],
    facts: Mapping[str, str], outcome: RunOutcome, correction: str | None,
) -> str:  # fmt: skip
    """A closed run as one dated text: what it came to, and what it held in the end."""
    day = f"{opened_at.day} {_MONTHS[opened_at.month - 1]} {opened_at.year}"
    who = "an agent" if agent is None else f"the agent {agent}"
    parts = [f"On {day} {who} ran {steps} steps; the outcome was {outcome}."]
    if correction is not None:
        parts.append(f"A reviewer corrected: {correction}")
    if stages:
        parts.append(f"It went through {', '.join(stages)}.")
    held = [f"{key} = {value}" for key, value in list(facts.items())[-_MOST_TOLD:]]
    if held:
        parts.append(f"It held: {'; '.join(held)}.")
    text = " ".join(parts)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
