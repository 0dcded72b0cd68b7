"""runs.acknowledge: go on though something that a run recalled does not hold any more."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from annotated_types import MaxLen, MinLen

from muniment.errors import Fault, InvalidInput, LeaseLost, NotFound, RunClosed, WritesRefused
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.run_state import Fence, StaleInput, stale_of
from muniment.operations.types import command
from muniment.ports import Context
from muniment.records.run_inputs import acknowledge, inputs_known, stale_inputs
from muniment.records.runs import lock_to_work


@command
class AcknowledgeInputs:
    """Say that a run knows what became of these items that it recalled, and goes on."""

    run_id: UUID
    fence: Fence
    ids: Annotated[tuple[UUID, ...], MinLen(1), MaxLen(1000)]


@dataclass(frozen=True)
class Acknowledged:
    """What is stale still."""

    run_id: UUID
    stale_inputs: tuple[StaleInput, ...]


async def acknowledge_inputs(command: AcknowledgeInputs, ctx: Context) -> Acknowledged:
    """What holds needs no word and gets none. What becomes of an item later is told again.

    Raises LeaseLost, RunClosed, and InvalidInput for what the run did not recall.
    """
    run = await lock_to_work(ctx, command.run_id, command.fence)
    known = await inputs_known(ctx, run, command.ids)
    faults = [
        Fault(f"/ids/{place}", "is nothing that this run recalled")
        for place, one in enumerate(command.ids)
        if one not in known
    ]
    if faults:
        raise InvalidInput(faults=faults)
    stale = await stale_inputs(ctx, run)
    done = [one for one in stale if one.item_id in set(command.ids)]
    await acknowledge(ctx, run, done)
    ctx.trail.subjects.extend(dict.fromkeys(one.item_id for one in done))
    ctx.trail.detail |= {"why": sorted({one.why for one in done}), "step": run.step + 1}
    return Acknowledged(run.run_id, stale_of(one for one in stale if one not in done))


OPERATIONS = (
    Operation(
        name="runs.acknowledge",
        summary="Go on though something that a run recalled does not hold any more",
        command=AcknowledgeInputs,
        result=Acknowledged,
        handler=acknowledge_inputs,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("POST", "/v1/runs/{run_id}/inputs"),
        checks_user=True,
        errors=(NotFound, LeaseLost, RunClosed, WritesRefused),
    ),
)
