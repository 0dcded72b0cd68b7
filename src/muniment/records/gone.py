"""Who may say that a fault of the data is gone (RULES 2.3).

| who says so of a fault that two principals observed | then |
|---|---|
| an operator, or the owner of the data source | it ends |
| a principal, and another one did since it was last observed | it ends |
| one principal alone | it is noted, and the fault binds as before |
| one principal takes back what another one observed | Forbidden |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from muniment.domain.binding import ENOUGH
from muniment.domain.trust import Trust, may_displace
from muniment.errors import Forbidden
from muniment.ports import Context, ScopeMark
from muniment.records.decisions import Decision, write_decision
from muniment.records.sources import source_names
from muniment.records.versions import HeldRow

GoneRule = Literal["retired_by_operator", "retired_by_owner", "gone_twice", "gone_once"]
ONCE: Final = "gone_once"


@dataclass(frozen=True)
class _Bound:
    """A fault of the organisation's data that two observed."""

    data_source: str | None


async def gone_rule(
    ctx: Context, scope_id: UUID, memory_id: UUID, data_source: str | None, *, operator: bool
) -> GoneRule:
    """The rule by which the caller's word counts; ``gone_once``: it ends nothing yet."""
    if operator:
        return "retired_by_operator"
    owner = await _owner_of(ctx, data_source)
    if owner is not None and owner == ctx.caller.principal:
        return "retired_by_owner"
    values = {"scope_id": scope_id, "memory_id": memory_id, "principal": ctx.caller.principal}
    return "gone_twice" if await ctx.unit.value("gone_before", **values) else ONCE


async def noted_alone(ctx: Context, scope_id: UUID, rows: Sequence[HeldRow], trust: Trust) -> bool:
    """Whether a word of this grade ends none of these versions, since they are of a fault that two
    observed, and one principal alone says that it is gone.
    """
    row = next((one for one in rows if _guarded(one)), None)
    if row is None or not may_displace(trust, row.trust):
        return False
    values = {"scope_id": scope_id, "memory_id": row.memory_id}
    bound = await ctx.unit.one(_Bound, "fault_bound", enough=ENOUGH, **values)
    if bound is None:
        return False
    operator = trust == "operator"
    return await gone_rule(ctx, **values, data_source=bound.data_source, operator=operator) == ONCE


async def check_withdrawal(
    ctx: Context, scope_id: UUID, rows: Sequence[HeldRow], decision_id: UUID
) -> None:
    """Raises Forbidden for who would take back what another principal observed of a fault that
    binds by two: that is for operators, reviewers and the owner of its source.
    """
    if "operator" in ctx.caller.roles or "review" in ctx.caller.verbs:
        return
    row = next((one for one in rows if _guarded(one)), None)
    if row is None:
        return
    values = {"scope_id": scope_id, "memory_id": row.memory_id}
    bound = await ctx.unit.one(_Bound, "fault_bound", enough=ENOUGH, **values)
    if bound is None:
        return
    by = await ctx.unit.value("decided_by", scope_id=scope_id, decision_id=decision_id)
    if ctx.caller.principal not in {by, await _owner_of(ctx, bound.data_source)}:
        raise Forbidden("Another principal observed this fault of the data, which binds by two.")


async def _owner_of(ctx: Context, data_source: str | None) -> str | None:
    return None if data_source is None else (await source_names(ctx, data_source)).owner


def _guarded(row: HeldRow) -> bool:
    asserted = row.trust == "agent_inferred" and row.standing == "asserted"
    return asserted and row.kind == "data_quality"


async def note_gone(
    ctx: Context, mark: ScopeMark, row: HeldRow, trust: Trust, confidence: float
) -> UUID:
    """One observation that it is gone: a second one, of somebody else, ends it."""
    decision = Decision(
        memory_id=row.memory_id,
        outcome="rejected",
        rule=ONCE,
        inputs={"trust": trust, "confidence": confidence},
        incumbent_id=row.memory_id,
    )
    return await write_decision(ctx, mark, decision)
