"""Where a run lies is remembered by the process that found it (DESIGN 9).

| known here | in the database | then |
|---|---|---|
| no | there | found |
| yes | there | found, also by a checkpoint that points to its facts |
| yes | forgotten with its user | not found, read or written |
| the run asked for longest ago, of more than are remembered | there | not known any more |
"""

from typing import Any
from uuid import UUID

import pytest

from muniment.errors import NotFound
from muniment.records.run_places import KnownPlaces
from tests.support.world import Tenant


def step(run_id: str, number: int, supersedes: str | None = None) -> dict[str, Any]:
    fact = {"key": "total", "value": number, "source": "books", "supersedes": supersedes}
    return {"run_id": run_id, "step": number, "fence": 1, "committed_facts": [fact]}


async def test_a_run_that_goes(tenant: Tenant) -> None:
    run_id = str((await tenant("runs.open", agent_id="a", user_id="u")).run_id)
    first = await tenant("runs.checkpoint", **step(run_id, 1))
    pointer = str(first.committed_facts[0].id)
    await tenant("runs.checkpoint", **step(run_id, 2, pointer))
    assert (await tenant("runs.get", run_id=run_id)).step_index == 2
    await tenant("forget", user_id="u")
    with pytest.raises(NotFound):
        await tenant("runs.get", run_id=run_id)
    with pytest.raises(NotFound):
        await tenant("runs.checkpoint", **step(run_id, 3))


def test_the_last_that_were_asked_for_are_known() -> None:
    tenant_id, scope_id, runs = UUID(int=1), UUID(int=2), [UUID(int=at) for at in range(3, 6)]
    places = KnownPlaces(most=2)
    for run_id in runs[:2]:
        places.note(tenant_id, run_id, scope_id)
    assert places.of(tenant_id, runs[0]) == scope_id
    places.note(tenant_id, runs[2], scope_id)
    assert [places.of(tenant_id, one) for one in runs] == [scope_id, None, scope_id]
    assert places.of(UUID(int=9), runs[0]) is None
