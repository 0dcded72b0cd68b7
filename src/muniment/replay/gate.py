"""Trajectories as a gate for releases: all of them played, compared, and one verdict."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from muniment.errors import BadSetting, InvalidInput
from muniment.ports import Embedder
from muniment.replay.comparing import CLASSES, Comparison, compare
from muniment.replay.local import opened_place, throw_away_database
from muniment.replay.playing import Place, play
from muniment.replay.remote import remote_place
from muniment.replay.trajectory import Trajectory, read_trajectory, with_answers, write_trajectory
from muniment.settings import read_settings


@dataclass
class Verdict:
    """What every trajectory came to; ``skipped`` need a clock that nobody holds there."""

    comparisons: list[Comparison] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The share of all steps that differ."""
        steps = sum(one.steps for one in self.comparisons)
        differing = sum(len({each.step for each in one.divergences}) for one in self.comparisons)
        return differing / max(1, steps)

    @property
    def failures(self) -> int:
        """How many expectations were not met."""
        return sum(len(one.failures) for one in self.comparisons)

    def by_class(self) -> dict[str, tuple[int, int]]:
        """Divergences, and what was compared, by class."""
        differing: Counter[str] = Counter()
        compared: Counter[str] = Counter()
        for one in self.comparisons:
            differing.update(each.kind for each in one.divergences)
            compared.update(one.compared)
        return {kind: (differing[kind], compared[kind]) for kind in CLASSES}

    def as_json(self) -> dict[str, Any]:
        """The whole of it."""
        return {
            "rate": self.rate,
            "failures": self.failures,
            "classes": {k: {"diverged": d, "compared": c} for k, (d, c) in self.by_class().items()},
            "skipped": self.skipped,
            "trajectories": [
                {
                    "name": one.name,
                    "steps": one.steps,
                    "divergences": [vars(each) for each in one.divergences],
                    "failures": one.failures,
                }
                for one in self.comparisons
            ],
        }


def files_in(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, and those of directories. Raises InvalidInput where there is none."""
    found = [
        file
        for path in paths
        for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])
    ]
    if not found:
        raise InvalidInput("There is no trajectory there.")
    return found


async def replay_files(
    files: Sequence[Path], place: Place, said: Callable[[Comparison], None], *, update: bool
) -> Verdict:
    """Play each and compare; with ``update`` keep what they give now, where all that was written
    of them is true.
    """
    verdict = Verdict()
    for file in files:
        trajectory = read_trajectory(file)
        if trajectory.needs_the_clock and not place.holds_the_clock:
            verdict.skipped.append(trajectory.name)
            continue
        found, answered = await _compared(trajectory, place)
        if update and not found.failures:
            write_trajectory(file, answered)
        verdict.comparisons.append(found)
        said(found)
    return verdict


async def _compared(trajectory: Trajectory, place: Place) -> tuple[Comparison, Trajectory]:
    played = await play(trajectory, place)
    timed = place.holds_the_clock and trajectory.timed
    found = compare(trajectory.name, trajectory.steps, played.steps, with_times=timed)
    found.failures.extend(played.failures)
    return found, with_answers(trajectory, played.steps)


@contextlib.asynccontextmanager
async def place_of(
    *, url: str | None, key: str, policy: Path | None, embedder: str | None, extractor: str | None
) -> AsyncIterator[Place]:
    """This build on a throw-away database, or the service at ``url``. Raises BadSetting."""
    if url is not None:
        if policy or embedder or extractor:
            raise BadSetting(
                "A policy, an embedder or an extractor can be given to this build alone.",
                cure="Leave --against out, or start the service there with them.",
            )
        async with remote_place(url, key) as place:
            yield place
        return
    made = None if embedder is None else made_embedder(embedder)
    settings = read_settings({"policy_file": policy, "extractor": extractor})
    with throw_away_database(settings) as local:
        async with opened_place(local, made) as place:
            yield place


def made_embedder(name: str) -> Embedder:
    """What ``MODULE:NAME`` makes when it is called. Raises BadSetting."""
    module, _, attribute = name.partition(":")
    try:
        made: Embedder = getattr(import_module(module), attribute)()
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise BadSetting(
            f"There is no embedder {name} ({type(error).__name__}).",
            cure="Name it as MODULE:CLASS, with the module on PYTHONPATH.",
        ) from error
    return made
