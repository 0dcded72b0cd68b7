"""Duty: jobs of a worker that died are run again; the queue library leaves them as they are."""

from datetime import timedelta

from muniment.ports import World
from muniment.records.credentials import WORKER_KEY


async def run_once(world: World, silent_seconds: float) -> int:
    """Let jobs of workers not heard of for so long wait again; returns how many."""
    async with world.units.open(WORKER_KEY) as unit:
        return int(await unit.value("jobs_retry_stalled", silent=timedelta(seconds=silent_seconds)))
