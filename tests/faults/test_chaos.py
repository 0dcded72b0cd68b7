"""Agent, API and worker killed with -9 while a run has effects (CHAOS_KILLS; ``make chaos``: 500).

| killed | then |
|---|---|
| the agent before, after or between claim, effect, record and checkpoint; at any moment | the next one goes on; what may have happened waits for a person's word; no effect twice |
| the API or the worker, at any moment | the agent goes on by itself |
| the same agent without the ledger, after an effect | the effect happens twice: the control |
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.client import Client
from muniment.testing import Running
from tests.faults.chaos import POINTS, Armed, Chaos, World, effects, patiently
from tests.faults.harness import strike
from tests.support.cluster import fresh_place
from tests.support.services import running_service
from tests.support.waiting import until

KILLS = int(os.environ.get("CHAOS_KILLS", "10"))
SEED = os.environ.get("CHAOS_SEED", "1")


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with fresh_place() as place, running_service(place / "data") as running:
        with Client(running.url, running.key) as client:
            client.tools.define(name="erp.post", effect="write")
        yield running


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with effects(tmp_path / "effects.log") as made:
        yield made


def begun(service: Running, world: World, *, ledger: bool = True) -> Chaos:
    with Client(service.url, service.key) as client:
        run = client.runs.open(agent_id="chaos", user_id="u")
    return Chaos(service, world, run.run_id, ledger)


@pytest.mark.timeout(3600)
def test_no_effect_twice(service: Running, world: World) -> None:
    chaos, dice = begun(service, world), random.Random(SEED)
    for number in range(KILLS):
        target = "api" if number % 10 == 8 else "worker" if number % 20 == 19 else "agent"
        if target == "agent" and number % 5 < len(POINTS):
            point = POINTS[number % 5]
            assert chaos.until_it_ends(Armed(point, dice.randint(1, 3))) == -9
            chaos.kills[f"agent at {point}"] += 1
            continue
        agent, before = chaos.going_on(), len(world.happened())
        wanted = before + dice.randint(0, 3)
        until(lambda w=wanted: len(world.happened()) >= w)  # type: ignore[misc]
        if target == "agent":
            agent.kill()
        else:
            until(lambda t=target: strike(service, t))  # type: ignore[misc]
            after = len(world.happened())
            until(lambda a=after: len(world.happened()) > a + 1, within=60)  # type: ignore[misc]
            agent.kill()
        agent.join()
        chaos.kills[target] += 1
    with Client(service.url, service.key) as client:
        step = patiently(lambda: client.runs.get(run_id=chaos.run_id)).step_index
        assert chaos.until_it_ends(last=step + 2) == 0
        run = client.runs.get(run_id=chaos.run_id)
        client.runs.close(run_id=chaos.run_id, outcome="success", fence=run.fence)
    kills = sum(chaos.kills.values())
    print(
        f"{kills} kills ({dict(chaos.kills)}), {len(world.happened())} effects, "
        f"{chaos.twice()} twice, {chaos.in_doubt} in doubt ({chaos.in_doubt / kills:.0%} of kills), "
        f"{chaos.wrongly_not_attempted} wrongly said not to be attempted"
    )
    assert kills == KILLS
    assert run.step_index == step + 2
    assert world.happened() == [f"memo-{one}" for one in range(1, step + 3)]
    assert (chaos.twice(), chaos.wrongly_not_attempted) == (0, 0)
    assert chaos.in_doubt > 0
    (fact,) = run.committed_facts
    assert fact.value == f"memo-{step + 2}"


def test_without_the_ledger_effects_happen_twice(service: Running, world: World) -> None:
    chaos = begun(service, world, ledger=False)
    for _ in range(3):
        assert chaos.until_it_ends(Armed("effect", 2)) == -9
    assert chaos.until_it_ends(last=6) == 0
    print(f"without the ledger: {chaos.twice()} effects twice")
    assert chaos.twice() == 3
