"""The corpus: played on this build it goes every way as it went, and ends as somebody wrote; and it
notices whoever takes a rule away. `make mutants` tries every mutant on all of it.
"""

import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from muniment.errors import InvalidInput
from muniment.postgres.embedded import Postmaster
from muniment.replay.comparing import compare
from muniment.replay.local import LocalPlace
from muniment.replay.playing import play
from muniment.replay.stored import Stored
from muniment.replay.trajectory import Call, Expect, Work, read_trajectory
from tests.integration.mutants import MUTANTS, Mutant
from tests.integration.playing import CORPUS, named, place_on
from tests.support.databases import Database
from tests.support.world import START

WHOLE = os.environ.get("MUTANTS") == "all"
# One of the code, one of a statement, one of the policy.
SOME = [one for one in MUTANTS if WHOLE or one.usual]


@pytest_asyncio.fixture(scope="module")
async def place(cluster: Postmaster, template: str) -> AsyncIterator[LocalPlace]:
    """One database for all: each trajectory is a tenant of its own."""
    database = Database.copy(cluster, template)
    async with place_on(database) as made:
        yield made
    database.drop()


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
async def test_replays_without_a_divergence(file: Path, place: LocalPlace) -> None:
    trajectory = read_trajectory(file)
    played = await play(trajectory, place)
    assert played.failures == []
    found = compare(trajectory.name, trajectory.steps, played.steps)
    assert [f"{one.step} {one.what}: {one.said}" for one in found.divergences] == []


def test_the_corpus_is_large_enough_and_says_what_must_be_true() -> None:
    assert len(CORPUS) >= 30
    for file in CORPUS:
        one = read_trajectory(file)
        said = [step for step in one.steps if isinstance(step, Expect)]
        done = [step for step in one.steps if isinstance(step, Call | Work)]
        assert one.name == file.stem
        assert one.about, file.stem
        assert one.rules, file.stem
        assert len(said) >= 3, file.stem
        assert all(step.because for step in said), file.stem
        assert 10 <= len(said) + len(done) <= 40, file.stem
        assert all(
            step.gives is not None or step.refused for step in done if isinstance(step, Call)
        )


@pytest.mark.timeout(1800 if WHOLE else 180)
@pytest.mark.parametrize("mutant", SOME, ids=lambda mutant: mutant.name)
async def test_a_mutant_is_noticed(mutant: Mutant, place: LocalPlace) -> None:
    tried = [read_trajectory(file) for file in CORPUS] if WHOLE else map(named, mutant.first)
    noticed, untrue = [], 0
    with mutant.patch(place):
        for trajectory in tried:
            played = await play(trajectory, place)
            found = compare(trajectory.name, trajectory.steps, played.steps)
            untrue += len(played.failures)
            if played.failures or found.divergences:
                noticed.append(f"{trajectory.name}{' (!)' if played.failures else ''}")
    print(f"\n| {mutant.name} | {mutant.rule} | {untrue} | {len(noticed)}: {', '.join(noticed)} |")
    assert noticed
    assert untrue, "no expectation notices it: only what was recorded does"


async def test_what_a_mutant_took_away_is_back(place: LocalPlace) -> None:
    trajectory = named(SOME[0].first[0])
    with SOME[0].patch(place):
        assert (await play(trajectory, place)).failures
    assert (await play(trajectory, place)).failures == []


async def asked(place: LocalPlace, key: str, operation: str, /, **arguments: Any) -> Any:
    """What an operation answers; it is refused nothing here."""
    answer = await place.call(operation, arguments, key, None)
    assert answer.refused is None, f"{operation}: {answer.refused}"
    return answer.gives


async def test_a_session_and_a_run_of_the_past_are_played_again(place: LocalPlace) -> None:
    key = await place.begin("stored", START)
    said = ("I live in Vienna.", "Thanks!", "@home I work at Acme.")
    events = [{"turn": n, "role": "user", "content": one, "occurred_at": START.isoformat()} for n, one in enumerate(said)]  # fmt: skip
    of_session = {"user_id": "rosa", "session_id": "monday"}
    await asked(place, key, "events.write", **of_session, events=events)
    await asked(place, key, "sessions.close", **of_session, outcome="success")
    await place.work(("consolidate",))
    await asked(place, key, "tools.define", name="mail", effect="write")
    run = (await asked(place, key, "runs.open", agent_id="bot", user_id="rosa"))["run_id"]
    of_run = {"run_id": run, "fence": 1}
    fact = {"key": "price", "value": 49, "source": "billing"}
    first = await asked(place, key, "runs.checkpoint", **of_run, step=1, committed_facts=[fact], cost_usd="0.10")  # fmt: skip
    call = {"tool": "mail", "key": "m"}
    place.move(START + timedelta(seconds=1))
    await asked(place, key, "runs.claim_tool", **of_run, **call, arguments={"to": "x"})
    await asked(place, key, "runs.record_tool", run_id=run, **call, attempt=1, status="succeeded")
    newer = fact | {"value": 50, "supersedes": first["committed_facts"][0]["id"]}
    place.move(START + timedelta(seconds=2))
    await asked(place, key, "runs.checkpoint", **of_run, step=2, committed_facts=[newer])
    await asked(place, key, "runs.close", **of_run, outcome="success", correction="It was net.")

    stored = Stored(place, key)
    recorded = [await stored.session("s", "rosa", "monday"), await stored.run("r", run)]
    with pytest.raises(InvalidInput):
        await stored.session("s", "rosa", "tuesday")
    for trajectory in recorded:
        played = await play(trajectory, place)
        assert played.failures == []
        found = compare(trajectory.name, trajectory.steps, played.steps, with_times=False)
        assert found.divergences == []
        refused = [one for one in played.steps if isinstance(one, Call) and one.refused]
        assert refused == []
    (work,) = (one for one in recorded[0].steps if isinstance(one, Work))
    assert len(work.holds or ()) == 2
