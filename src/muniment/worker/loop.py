"""The worker: takes jobs from the queue and keeps the periodic duties."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import structlog
from procrastinate import App, JobContext, RetryStrategy

from muniment.errors import Internal, MunimentError
from muniment.ports import World
from muniment.records.sessions import CONSOLIDATE
from muniment.worker import (
    close_idle_sessions,
    consolidate,
    expire_answers,
    recount_usage,
    retry_stalled,
)
from muniment.worker.duty import as_worker

MISSED_HEARTBEATS = 3
"""After so many without a word a worker counts as dead."""
_KEPT_HOURS = 30 * 24
_EVERY_TEN_MINUTES = "*/10 * * * *"
_EVERY_HOUR = "17 * * * *"
_EVERY_NIGHT = "23 3 * * *"

_log = structlog.get_logger()


async def keep_retrying_stalled(world: World, heartbeat_seconds: float) -> None:
    """Take over the jobs of dead workers, as often as workers say that they live."""
    while True:
        try:
            count = await retry_stalled.run_once(world, MISSED_HEARTBEATS * heartbeat_seconds)
            if count:
                _log.warning("stalled_jobs_retried", count=count)
        except MunimentError as error:
            _log.warning("stalled_jobs_not_looked_at", code=error.code)
        await asyncio.sleep(heartbeat_seconds)


def register_duties(app: App, world: World) -> None:
    """Tell the queue which function does which job; each is safe to run twice."""

    retry = RetryStrategy(max_attempts=8, exponential_wait=2)

    @app.task(name=CONSOLIDATE, pass_context=True, retry=retry)
    async def _consolidate(
        context: JobContext, tenant_id: str, scope_id: str, session_pk: str
    ) -> None:
        async def duty() -> None:
            await consolidate.run_once(world, UUID(tenant_id), UUID(scope_id), UUID(session_pk))

        await _noting_failure(world, context, UUID(tenant_id), duty)

    @app.periodic(cron=_EVERY_TEN_MINUTES)
    @app.task(name="close_idle_sessions", lock="close_idle_sessions")
    async def _close_idle_sessions(timestamp: int) -> None:
        closed = await close_idle_sessions.run_once(world)
        _log.info("sessions_closed", count=closed, timestamp=timestamp)

    @app.periodic(cron=_EVERY_HOUR)
    @app.task(name="expire_answers", lock="expire_answers")
    async def _expire_answers(timestamp: int) -> None:
        removed = await expire_answers.run_once(world)
        _log.info("answers_expired", count=removed, timestamp=timestamp)

    @app.periodic(cron=_EVERY_NIGHT)
    @app.task(name="recount_usage", lock="recount_usage")
    async def _recount_usage(timestamp: int) -> None:
        wrong = await recount_usage.run_once(world)
        _log.info("usage_recounted", wrong=wrong, timestamp=timestamp)

    @app.periodic(cron=_EVERY_NIGHT)
    @app.task(name="remove_old_jobs", lock="remove_old_jobs")
    async def _remove_old_jobs(timestamp: int) -> None:
        await app.job_manager.delete_old_jobs(
            nb_hours=_KEPT_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
        )
        _log.info("old_jobs_removed", timestamp=timestamp)


async def _noting_failure(
    world: World, context: JobContext, tenant_id: UUID, duty: Callable[[], Awaitable[Any]]
) -> None:
    """Run a duty; an error is noted by its code under the job and goes on to the queue."""
    try:
        await duty()
    except MunimentError as error:
        await _note(world, context, tenant_id, error)
        raise
    except Exception as error:
        _log.error("job_failed", job_id=context.job.id, exc_info=error)
        await _note(world, context, tenant_id, Internal())
        raise


async def _note(world: World, context: JobContext, tenant_id: UUID, error: MunimentError) -> None:
    async with as_worker(world, tenant_id) as ctx:
        await ctx.unit.run(
            "job_failure_insert",
            job_id=context.job.id,
            attempt=context.job.attempts + 1,
            code=error.code,
            at=ctx.now,
        )
