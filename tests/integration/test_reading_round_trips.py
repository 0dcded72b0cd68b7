"""What a read waits for: each statement is a round trip, whatever goes along with it.

| asked | waited for, besides the commit |
|---|---|
| recall, with what the organisation knows | an answer of each scope |
| recall for a run | the run besides; what is noted goes out with the commit |
| context.assemble | as recall |
| the same on a data source | what is held on it besides |
| the same for a run | the run, and what it holds, which takes along what is held on the source |
| runs.get, of a run with steps, facts, calls and approvals | the run, and all that it holds at once |
"""

from typing import Any

from muniment.postgres.embedded import APP
from tests.support.databases import Database
from tests.support.round_trips import counted
from tests.support.world import START, Tenant, local_service

ASKED = {"user_id": "u", "query": "How do boats differ in region 3?"}
ON_SOURCE = ASKED | {"data_source": "shop.orders", "mode": "extend"}
SEARCH = ["items_fetch", "items_fetch"]


async def tell(tenant: Tenant) -> str:
    """Turns, preferences, a document, a run with a step; the run."""
    events = [
        {
            "turn": n,
            "role": "user",
            "content": f"I own boat {n} in region {n}.",
            "occurred_at": START,
        }
        for n in range(1, 9)
    ]
    await tenant("events.write", user_id="u", session_id="s", events=events)
    await tenant("memories.remember", user_id="u", kind="fact", text="Prefers boats by region.")
    await tenant(
        "knowledge.put", source="sheet", version=1, title="Boats", text="Region 3 has two."
    )
    run = await tenant("runs.open", agent_id="b", user_id="u", cost_ceiling_usd="5")
    fact = {"key": "region", "value": 3, "source": "turn 3"}
    await tenant("runs.checkpoint", run_id=run.run_id, step=1, fence=1, committed_facts=[fact])
    return str(run.run_id)


async def test_round_trips_of_reads(database: Database) -> None:
    async with local_service(database.conninfo(APP), seed="round trips of reads") as service:
        asked = counted(service)
        tenant = await service.tenant()
        run = {"run_id": await tell(tenant)}

        async def waited(operation: str, **what: Any) -> list[str]:
            # What a process has to look up once it knows the second time.
            for _ in range(2):
                asked.clear()
                await tenant(operation, **what)
            return list(asked)

        assert await waited("recall", **ASKED) == SEARCH
        assert await waited("recall", **ASKED, **run) == [*SEARCH, "run_find"]
        assert await waited("context.assemble", **ASKED) == SEARCH
        assert await waited("context.assemble", **ON_SOURCE) == [*SEARCH, "scope_mark"]
        of_run = ["run_find", *SEARCH, "calls_shown"]
        assert await waited("context.assemble", **ON_SOURCE, **run) == of_run
        assert await waited("runs.get", **run) == ["run_find", "calls_shown"]
        noted = await tenant(
            "memories.appearances", user_id="u", id=(await tenant("recall", **ASKED)).items[0].id
        )
        assert {one.run_id for one in noted.items} >= {run["run_id"]}
