"""The worker: takes jobs from the queue and keeps the periodic duties."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import structlog
from procrastinate import App, JobContext

from muniment.errors import Internal, MunimentError
from muniment.ports import World
from muniment.records.embeddings import RE_EMBED
from muniment.records.sessions import CONSOLIDATE
from muniment.worker import (
    close_idle_sessions,
    consolidate,
    curate,
    decay,
    expire,
    expire_answers,
    expire_transfers,
    export_heads,
    gather,
    mend_ledger,
    re_embed,
    recount_usage,
    retry_stalled,
    seal_audit,
)
from muniment.worker.backoff import Backoff, JobFailed
from muniment.worker.duty import as_worker

MISSED_HEARTBEATS = 3
"""After so many without a word a worker counts as dead."""
SEAL_SECONDS = 0.5
HEADS_EVERY = 7200
"""Rounds of the sealer between two exports of heads: an hour."""
_KEPT_HOURS = 30 * 24
_EVERY_TEN_MINUTES = "*/10 * * * *"
_EVERY_HOUR = "17 * * * *"
_LATER_EVERY_HOUR = "37 * * * *"
_EVERY_NIGHT = "23 3 * * *"

# A duty, when it is due, and what the log calls its count.
_PERIODIC: tuple[tuple[str, str, Callable[[World], Awaitable[int]], str], ...] = (
    ("close_idle_sessions", _EVERY_TEN_MINUTES, close_idle_sessions.run_once, "sessions_closed"),
    ("tend_embeddings", _EVERY_TEN_MINUTES, re_embed.run_once, "vectors_made"),
    ("expire_answers", _EVERY_HOUR, expire_answers.run_once, "answers_expired"),
    ("expire_transfers", _EVERY_HOUR, expire_transfers.run_once, "transfers_expired"),
    ("expire", _LATER_EVERY_HOUR, expire.run_once, "records_expired"),
    ("curate", _EVERY_NIGHT, curate.run_once, "memories_promoted"),
    ("decay", _EVERY_NIGHT, decay.run_once, "memories_archived"),
    ("gather", _EVERY_NIGHT, gather.run_once, "memories_gathered"),
    ("recount_usage", _EVERY_NIGHT, recount_usage.run_once, "usage_recounted"),
)

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


async def keep_sealing(world: World, append: Callable[[str], None]) -> None:
    """Seal what waits, every half second; every hour export heads and mend the erasure ledger."""
    known: dict[UUID, int] = {}
    rounds = 0
    try:
        while True:
            await _quietly("audit_not_sealed", seal_audit.run_once(world))
            if rounds % HEADS_EVERY == 0:
                await _quietly("heads_not_exported", export_heads.run_once(world, append, known))
                await _quietly("ledger_not_mended", mend_ledger.run_once(world))
            rounds += 1
            await asyncio.sleep(SEAL_SECONDS)
    finally:
        await _quietly("audit_not_sealed", seal_audit.run_once(world))
        await _quietly("heads_not_exported", export_heads.run_once(world, append, known))


async def _quietly(said: str, duty: Awaitable[int]) -> None:
    try:
        await duty
    except (MunimentError, OSError) as error:
        _log.warning(said, code=getattr(error, "code", type(error).__name__))


def register_duties(app: App, world: World) -> None:
    """Tell the queue which function does which job; each is safe to run twice."""

    @app.task(name=CONSOLIDATE, pass_context=True, retry=Backoff())
    async def _consolidate(
        context: JobContext, tenant_id: str, scope_id: str, session_pk: str
    ) -> None:
        async def duty() -> None:
            await consolidate.run_once(world, UUID(tenant_id), UUID(scope_id), UUID(session_pk))

        await _noting_failure(world, context, UUID(tenant_id), duty)

    @app.task(name=RE_EMBED, pass_context=True, retry=Backoff())
    async def _re_embed(context: JobContext, tenant_id: str) -> None:
        async def duty() -> None:
            await re_embed.run_tenant(world, UUID(tenant_id))

        await _noting_failure(world, context, UUID(tenant_id), duty)

    for name, cron, duty, said in _PERIODIC:
        _register_periodic(app, world, name, cron, duty, said)

    @app.periodic(cron=_EVERY_NIGHT)
    @app.task(name="remove_old_jobs", lock="remove_old_jobs")
    async def _remove_old_jobs(timestamp: int) -> None:
        await app.job_manager.delete_old_jobs(
            nb_hours=_KEPT_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
        )
        _log.info("old_jobs_removed", timestamp=timestamp)


def _register_periodic(
    app: App,
    world: World,
    name: str,
    cron: str,
    duty: Callable[[World], Awaitable[int]],
    said: str,
) -> None:
    @app.periodic(cron=cron)
    @app.task(name=name, lock=name)
    async def _periodic(timestamp: int) -> None:
        count = await duty(world)
        _log.info(said, count=count, timestamp=timestamp)


async def _noting_failure(
    world: World, context: JobContext, tenant_id: UUID, duty: Callable[[], Awaitable[Any]]
) -> None:
    """Run a duty; an error is noted by its code under the job, and the queue sees no more of it."""
    try:
        await duty()
    except MunimentError as error:
        times = await _note(world, context, tenant_id, error)
        raise JobFailed(error, times) from None
    except Exception as error:
        _log.error("job_failed", job_id=context.job.id, exc_info=error)
        times = await _note(world, context, tenant_id, Internal())
        raise JobFailed(Internal(), times) from error


async def _note(world: World, context: JobContext, tenant_id: UUID, error: MunimentError) -> int:
    """How often the job has failed with this code."""
    async with as_worker(world, tenant_id) as ctx:
        return int(
            await ctx.unit.value(
                "job_failure_note",
                job_id=context.job.id,
                attempt=context.job.attempts + 1,
                code=error.code,
                at=ctx.now,
            )
        )
