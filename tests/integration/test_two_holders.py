"""Two workers resume one run at once (LEASE_ROUNDS): one lease, and what the other writes is refused.

| given | when | then |
|---|---|---|
| a lease that is over | two ask for it at once | one has it, the other is told that it is held |
| a holder | another takes over while it writes a step | one checkpoint for the step; the last fence goes on |
"""

import asyncio
import os
from datetime import timedelta
from typing import Any

from muniment.errors import LeaseHeld, LeaseLost, StaleCheckpoint
from tests.support.world import Local, Tenant

ROUNDS = int(os.environ.get("LEASE_ROUNDS", "10"))


async def attempt(tenant: Tenant, name: str, **arguments: Any) -> Any:
    """The answer, or the error that a lease or a step may be refused with."""
    try:
        return await tenant(name, **arguments)
    except (LeaseHeld, LeaseLost, StaleCheckpoint) as error:
        return error


async def test_one_lease(service: Local, tenant: Tenant) -> None:
    run = (await tenant("runs.open", agent_id="a", user_id="u")).run_id
    fence = 1
    for number in range(ROUNDS):
        service.clock.moment += timedelta(seconds=61)
        both = await asyncio.gather(*(attempt(tenant, "runs.resume", run_id=run) for _ in range(2)))
        held = [one for one in both if not isinstance(one, Exception)]
        assert [type(one) for one in both if isinstance(one, Exception)] == [LeaseHeld], number
        assert [one.fence for one in held] == [fence + 1], number
        fence += 1
        step = {"run_id": run, "step": number + 1}
        zombie, holder, taken = await asyncio.gather(
            attempt(tenant, "runs.checkpoint", **step, fence=fence - 1),
            attempt(tenant, "runs.checkpoint", **step, fence=fence),
            attempt(tenant, "runs.resume", run_id=run, take_over=True),
        )
        assert isinstance(zombie, LeaseLost), number
        fence += 1
        assert taken.fence == fence
        after = await attempt(tenant, "runs.checkpoint", **step, fence=fence)
        if isinstance(holder, LeaseLost):
            assert after.step == number + 1
        else:
            # The same step again, of whoever holds the run, is the same step.
            assert (holder.step, after.step) == (number + 1, number + 1)
        history = await tenant("runs.history", run_id=run, limit=1)
        assert [one.step for one in history.items] == [number + 1]
