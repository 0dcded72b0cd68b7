"""The worker process: takes jobs until it is told to stop."""

import asyncio
import signal

import psycopg
from procrastinate.exceptions import ConnectorException

from muniment import bootstrap
from muniment.errors import Unavailable
from muniment.recovery.scrubbing import keep_scrubbing
from muniment.settings import Settings
from muniment.surfaces.priority import stand_back

_GRACE_SECONDS = 20


def run_worker(settings: Settings) -> None:
    """Work until SIGTERM or SIGINT. Raises Unavailable when the database is lost meanwhile, or the
    queue took this worker for dead.
    """
    stand_back(settings.worker_nice)
    try:
        told = asyncio.run(_work(settings))
    except (ConnectorException, psycopg.OperationalError) as error:
        raise _ended(error, settings) from error
    if not told:
        raise _lost()


def _ended(error: BaseException, settings: Settings) -> Unavailable:
    """What a worker says that ends by what the queue library raised."""
    reason: BaseException | None = error
    while reason is not None:
        if isinstance(reason, psycopg.errors.ForeignKeyViolation):
            return _taken_for_dead(settings)
        if isinstance(reason, psycopg.Error) and reason.sqlstate and not _is_away(reason):
            return Unavailable(f"The database refuses what the worker asks ({reason.sqlstate}).")
        reason = reason.__cause__
    return _lost()


def _is_away(error: psycopg.Error) -> bool:
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)


def _taken_for_dead(settings: Settings) -> Unavailable:
    """Another one removed it from the queue's list of workers, so that no job can be its."""
    silent = bootstrap.MISSED_HEARTBEATS * settings.worker_heartbeat_seconds
    return Unavailable(
        f"The queue took this worker for dead: it was not heard of for {silent:g} seconds. Others "
        "do its jobs. Start it again; where it is only slow, set MUNIMENT_WORKER_HEARTBEAT_SECONDS "
        "higher."
    )


def _lost() -> Unavailable:
    return Unavailable("The worker lost its database. Start it again; it waits for the database.")


async def _work(settings: Settings) -> bool:
    """True if it ended because it was told to; the queue library ends by itself on a lost one."""
    told = asyncio.Event()
    async with bootstrap.opened_worker(settings) as app:
        scrubbing = asyncio.create_task(keep_scrubbing(settings))
        working = asyncio.create_task(
            app.run_worker_async(
                concurrency=settings.worker_concurrency,
                update_heartbeat_interval=settings.worker_heartbeat_seconds,
                stalled_worker_timeout=bootstrap.MISSED_HEARTBEATS
                * settings.worker_heartbeat_seconds,
                shutdown_graceful_timeout=_GRACE_SECONDS,
                install_signal_handlers=False,
            )
        )

        def stop() -> None:
            told.set()
            working.cancel()

        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop)
        await asyncio.wait([working])
        scrubbing.cancel()
        if not working.cancelled():
            working.result()
        return told.is_set()
