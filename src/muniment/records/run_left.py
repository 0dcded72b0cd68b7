"""What a checkpoint left of its run, so that the next one has nothing to ask for.

It may have changed since: what is decided by it is stored by ``run_step``, which finds the run as
it was or stores nothing.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.errors import MunimentError, Overtaken
from muniment.ports import Context
from muniment.records.runs import FactRow, StepRow

_MOST_FACTS = 200


@dataclass(frozen=True)
class Left:
    """A run after a step, and the last facts that nothing superseded then."""

    run: StepRow
    facts: tuple[UUID, ...]


def left_for_step(
    ctx: Context, run_id: UUID, fence: int, step: int, facts: Sequence[UUID]
) -> StepRow | None:
    """The run as the step before left it; None where that is not known here, or one of these facts
    is not.
    """
    left = ctx.places.left(ctx.unit.tenant_id, run_id)
    if not isinstance(left, Left):
        return None
    run = left.run
    if (run.step, run.fence) != (step - 1, fence) or not set(facts) <= set(left.facts):
        return None
    return replace(run, named=list(facts))


def leave(
    ctx: Context, run: StepRow, facts: Sequence[FactRow], *, stage: str | None, cost: str,
    until: datetime,
) -> None:  # fmt: skip
    """Remember the run after its next step, once that has committed."""
    tenant_id = ctx.unit.tenant_id
    before = ctx.places.left(tenant_id, run.run_id)
    known = before.facts if isinstance(before, Left) and before.run.step == run.step else ()
    over = {one.supersedes for one in facts} - {None}
    lasting = tuple(one for one in known if one not in over)
    after = replace(
        run,
        step=run.step + 1,
        stage=stage,
        cost=cost,
        lease_expires_at=until,
        held=run.held + len(facts) - len(over),
        named=[],
        superseded=[],
    )
    left = Left(after, (*lasting, *(one.fact_id for one in facts))[-_MOST_FACTS:])
    ctx.unit.after_commit(lambda: ctx.places.leave(tenant_id, run.run_id, left))
    ctx.unit.after_rollback(lambda: ctx.places.leave(tenant_id, run.run_id, None))


def leave_changed(ctx: Context, run_id: UUID, **changes: Any) -> None:
    """Remember what a write changes of the run besides a step, once that has committed."""
    tenant_id = ctx.unit.tenant_id

    def change() -> None:
        left = ctx.places.left(tenant_id, run_id)
        if isinstance(left, Left):
            ctx.places.leave(tenant_id, run_id, replace(left, run=replace(left.run, **changes)))

    ctx.unit.after_commit(change)


@contextmanager
def as_left(ctx: Context, run_id: UUID) -> Iterator[None]:
    """Nothing is refused by what was remembered: raises Overtaken instead, and forgets it."""
    try:
        yield
    except MunimentError as error:
        ctx.places.leave(ctx.unit.tenant_id, run_id, None)
        raise Overtaken from error
