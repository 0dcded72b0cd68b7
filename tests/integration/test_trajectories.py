"""The corpus: played on this build it goes every way as it went, and ends as somebody wrote; and it
notices whoever takes a rule away. `make mutants` tries every mutant on all of it.
"""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from muniment.postgres.embedded import Postmaster
from muniment.replay.comparing import compare
from muniment.replay.local import LocalPlace
from muniment.replay.playing import play
from muniment.replay.trajectory import Call, Expect, Work, read_trajectory
from tests.integration.mutants import MUTANTS, Mutant
from tests.integration.playing import CORPUS, named, place_on
from tests.support.databases import Database

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
