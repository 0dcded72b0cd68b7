"""The scrub of erased bytes, by an administrator's connection: at once, or when it is time."""

import asyncio
from datetime import datetime, timedelta

import psycopg
import structlog

from muniment import bootstrap
from muniment.errors import MunimentError, StartRefused
from muniment.postgres.migrate import Admin
from muniment.postgres.scrub import Scrubbed, scrub, scrub_due
from muniment.providers.drills import drill_at
from muniment.providers.system import SystemClock
from muniment.settings import Settings

_ROUND_SECONDS = 5.0

_log = structlog.get_logger()


def can_scrub(settings: Settings) -> bool:
    """Whether this process knows an administrator of the database."""
    return settings.database_url is None or settings.admin_database_url is not None


def _connect(settings: Settings) -> Admin:
    return psycopg.connect(bootstrap.admin_conninfo(settings), autocommit=True)


def scrub_now(settings: Settings) -> Scrubbed:
    """Scrub whatever waits for it. Raises StartRefused where the database does not let us."""
    clock = SystemClock(settings.clock_shift_seconds)
    try:
        with _connect(settings) as admin:
            return scrub(admin, clock.now, drill_at(settings.kill_at).reached)
    except psycopg.errors.InsufficientPrivilege as error:
        raise StartRefused(
            "The database does not let this administrator scrub.",
            cure="Name a superuser, or a role that docs/how-to/external-postgres.md describes.",
        ) from error
    except psycopg.OperationalError as error:
        raise StartRefused(
            f"The database does not answer the administrator ({type(error).__name__}).",
            cure="Start 'muniment serve', or set MUNIMENT_ADMIN_DATABASE_URL for an external one.",
        ) from error


async def keep_scrubbing(settings: Settings) -> None:
    """Look every few seconds whether a scrub is due; runs beside a worker, for as long as that."""
    if not can_scrub(settings):
        _log.warning("scrub_needs_an_administrator", cure="MUNIMENT_ADMIN_DATABASE_URL")
        return
    clock = SystemClock(settings.clock_shift_seconds)
    while True:
        before = clock.now() - timedelta(hours=settings.scrub_after_hours)
        try:
            if await asyncio.to_thread(_due, settings, before):
                _tell(await _scrub(settings, clock))
        except (psycopg.Error, MunimentError) as error:
            _log.warning("scrub_failed", kind=type(error).__name__)
        await asyncio.sleep(_ROUND_SECONDS)


def _due(settings: Settings, before: datetime) -> bool:
    with _connect(settings) as admin:
        return scrub_due(admin, before)


async def _scrub(settings: Settings, clock: SystemClock) -> Scrubbed:
    """In a thread, which ends when this is cancelled: what it did not do is done the next time."""
    admin = await asyncio.to_thread(_connect, settings)
    try:
        return await asyncio.to_thread(scrub, admin, clock.now, drill_at(settings.kill_at).reached)
    finally:
        admin.cancel()
        admin.close()


def _tell(done: Scrubbed) -> None:
    if done.waiting is not None:
        _log.warning("scrub_waits", why=done.waiting)
    elif done.receipts:
        _log.info(
            "scrubbed",
            receipts=done.receipts,
            tables=done.tables,
            longest_lock=round(done.longest_lock, 3),
            seconds=round(done.seconds, 3),
        )
