"""How runs fare, in numbers over all tenants.

| a run | resumed, of these well | in doubt |
|---|---|---|
| never interrupted | not counted | |
| resumed, and nothing yet while its lease is held | not counted | |
| resumed, then a checkpoint, or closed | counted, well | |
| resumed, closed as abandoned, or left until its lease is over | counted | |
| resumed with a write under way | counted, not well until it is settled | one |
| with a read or an idempotent write under way | as above | none |

| a request | open |
|---|---|
| waits | counted, with its age |
| decided, past its time, of a closed run | not counted |
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from muniment.postgres.watched import RunsWatched
from tests.support.databases import Database
from tests.support.world import Local, Tenant, local_service


class Board:
    """A database of its own, with tools, and its figures."""

    def __init__(self, service: Local, tenant: Tenant) -> None:
        self.service, self.tenant = service, tenant
        self.watched = RunsWatched(service.world.units, service.world.clock)

    async def run(self, **more: Any) -> dict[str, Any]:
        run = await self.tenant("runs.open", agent_id="a", user_id="u", lease_seconds=60, **more)
        return {"run_id": run.run_id, "fence": run.fence}

    async def resumed(self) -> dict[str, Any]:
        run = await self.run()
        await self.claim(run, "writes", record=True)
        return await self.again(run)

    async def again(self, run: dict[str, Any]) -> dict[str, Any]:
        taken = await self.tenant("runs.resume", run_id=run["run_id"], take_over=True)
        return run | {"fence": taken.fence}

    async def claim(self, run: dict[str, Any], tool: str, *, record: bool = False) -> None:
        call = {"tool": tool, "key": "k"}
        await self.tenant("runs.claim_tool", **run, **call, arguments={})
        if record:
            place: dict[str, Any] = {"run_id": run["run_id"], **call}
            await self.tenant("runs.record_tool", **place, attempt=1, status="succeeded")

    async def figures(self) -> list[float]:
        await self.watched.refresh()
        return self.watched.values


@pytest.fixture
async def board(own_database: Database) -> AsyncIterator[Board]:
    async with local_service(own_database.conninfo()) as service:
        tenant = await service.tenant()
        kinds: dict[str, Any] = {"reads": {}, "writes": {}, "again": {"idempotent": True}}
        for name, more in kinds.items():
            effect = "read" if name == "reads" else "write"
            await tenant("tools.define", name=name, effect=effect, **more)
        yield Board(service, tenant)


async def test_how_it_went_on(board: Board) -> None:
    await board.run()
    assert await board.figures() == [0, 0, 0, 0, 0]
    assert board.watched.resume_success == 1
    first = await board.resumed()
    assert await board.figures() == [0, 0, 0, 0, 0]
    await board.tenant("runs.checkpoint", **first, step=1)
    assert await board.figures() == [1, 1, 0, 0, 0]
    second = await board.resumed()
    await board.tenant("runs.close", **second, outcome="failure")
    third = await board.resumed()
    await board.tenant("runs.close", **third, outcome="abandoned")
    await board.resumed()
    assert await board.figures() == [3, 2, 0, 0, 0]
    board.service.clock.advance(seconds=61)
    assert await board.figures() == [4, 2, 0, 0, 0]
    assert board.watched.resume_success == 0.5
    # Interrupted again: what the one before wrote is not what this one did.
    await board.again(first)
    assert await board.figures() == [3, 1, 0, 0, 0]


@pytest.mark.parametrize(("tool", "doubts"), [("writes", 1), ("reads", 0), ("again", 0)])
async def test_effects_in_doubt(board: Board, tool: str, doubts: int) -> None:
    run = await board.run()
    await board.claim(run, tool)
    assert await board.figures() == [0, 0, 0, 0, 0]
    run = await board.again(run)
    await board.tenant("runs.checkpoint", **run, step=1)
    assert await board.figures() == [1, 1 - doubts, doubts, 0, 0]
    if doubts:
        await board.tenant(
            "runs.settle_tool",
            run_id=run["run_id"],
            tool=tool,
            key="k",
            happened=False,
            reason="No.",
        )
        assert await board.figures() == [1, 1, 0, 0, 0]


async def test_requests_that_wait(board: Board) -> None:
    asking = await board.tenant.key_for()
    run, other = await board.run(), await board.run()
    wish = {"action": "t", "gate": "g", "expires_in_seconds": 3600}
    ask = [await board.tenant("approvals.request", _as=asking, **one, **wish) for one in (run, run, other)]  # fmt: skip
    board.service.clock.advance(minutes=10)
    assert await board.figures() == [0, 0, 0, 3, 600]
    await board.tenant("approvals.decide", approval_id=ask[0].approval_id, decision="reject")
    await board.tenant("runs.close", run_id=other["run_id"], outcome="abandoned")
    assert await board.figures() == [0, 0, 0, 1, 600]
    board.service.clock.advance(hours=1)
    assert await board.figures() == [0, 0, 0, 0, 0]
