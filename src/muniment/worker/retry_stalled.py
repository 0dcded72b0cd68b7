"""Duty: jobs of a worker that died are run again; the queue library leaves them as they are."""

from procrastinate import App

STALLED_SECONDS = 30.0


async def run_once(app: App) -> int:
    """Enqueue again what a dead worker held; returns how many jobs."""
    stalled = await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS)
    count = 0
    for job in stalled:
        await app.job_manager.retry_job(job)
        count += 1
    return count
