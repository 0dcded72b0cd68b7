"""The corpus of trajectories, and a place on a database of its own where they are played."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from muniment.postgres.embedded import WORKER
from muniment.replay.local import LocalPlace, opened_place
from muniment.replay.trajectory import Trajectory, read_trajectory
from muniment.settings import read_settings
from tests.support.cluster import fresh_place
from tests.support.databases import Database
from tests.support.documents import ROOT

CORPUS = sorted((ROOT / "evals" / "trajectories").glob("*.jsonl"))


def named(name: str) -> Trajectory:
    """One of the corpus."""
    return read_trajectory(ROOT / "evals" / "trajectories" / f"{name}.jsonl")


@contextlib.asynccontextmanager
async def place_on(database: Database) -> AsyncIterator[LocalPlace]:
    """A place on this database, with files of its own."""
    with fresh_place() as files:
        settings = read_settings(
            {
                "data_dir": Path(files) / "data",
                "database_url": database.conninfo(),
                "worker_database_url": database.conninfo(WORKER),
            }
        )
        (files / "data").mkdir()
        async with opened_place(settings) as place:
            yield place
