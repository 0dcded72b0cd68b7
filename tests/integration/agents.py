"""A run of nora that recalls and writes, and what is told of her meanwhile."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from muniment.errors import StaleInputs
from tests.support.world import Tenant

DAY = timedelta(days=1)
CITY = "Where does Nora live?"


@dataclass
class Agent:
    """A run of nora that recalls and writes."""

    tenant: Tenant
    run: dict[str, Any]
    step: int = 0

    async def recalls(self, query: str = CITY, **more: Any) -> list[UUID]:
        asked: dict[str, Any] = {
            "user_id": "nora",
            "query": query,
            "run_id": self.run["run_id"],
        } | more
        return [item.id for item in (await self.tenant("recall", **asked)).items]

    async def checkpoint(self) -> dict[UUID, str]:
        """The next step; what it says is stale, and why."""
        done = await self.tenant("runs.checkpoint", **self.run, step=self.step + 1)
        self.step += 1
        return {one.id: one.why for one in done.stale_inputs}

    async def claim(self, tool: str, key: str) -> str:
        call: dict[str, Any] = {"tool": tool, "key": key, "arguments": {}}
        return str((await self.tenant("runs.claim_tool", **self.run, **call)).answer)

    async def refused(self, why: dict[UUID, str]) -> None:
        """A write is refused for these reasons, a read is not."""
        with pytest.raises(StaleInputs) as told:
            await self.claim("writes", f"w{self.step}")
        named = told.value.extra["stale_inputs"]
        assert {UUID(one["id"]): one["why"] for one in named} == why
        assert await self.claim("reads", str(uuid4())) == "execute"


async def agent(tenant: Tenant, **more: Any) -> Agent:
    for name in ("reads", "writes"):
        await tenant("tools.define", name=name, effect=name[:-1])
    run = await tenant("runs.open", **({"agent_id": "a", "user_id": "nora"} | more))
    return Agent(tenant, {"run_id": run.run_id, "fence": run.fence})


async def lives(tenant: Tenant, city: str, **more: Any) -> UUID:
    """An operator's key says so, for nora."""
    told = {"kind": "fact", "user_id": "nora", "slot": "city", "value": city}
    made = await tenant("memories.remember", **told, text=f"Nora lives in {city}.", **more)
    return UUID(str(made.id))


async def says(tenant: Tenant, turn: int, text: str, **more: Any) -> UUID:
    event = {
        "turn": turn,
        "role": "user",
        "content": text,
        "occurred_at": tenant.service.clock.now(),
    }
    place = {"user_id": "nora", "session_id": "s"} | more
    return UUID(str((await tenant("events.write", **place, events=[event])).verdicts[0].event_id))
