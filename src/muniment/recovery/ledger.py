"""Before it serves: the database carries out what the erasure ledger has and it has not."""

import asyncio

import structlog

from muniment import bootstrap
from muniment.domain.erasures import header_of
from muniment.errors import MunimentError, StartRefused
from muniment.postgres.embedded import APP
from muniment.providers.erasure_ledger import FileLedger
from muniment.records.catching_up import CaughtUp, catch_up, open_ledger
from muniment.settings import Settings

_log = structlog.get_logger()


def ledger_knows(settings: Settings, key: bytes) -> bool:
    """Whether there is a ledger of the installation that has this key."""
    text = FileLedger(settings.ledger_file).text()
    return text.startswith(header_of(key) + "\n")


def carry_out_ledger(settings: Settings) -> None:
    """Before a process serves. Raises StartRefused for a ledger that cannot be used, and if
    carrying it out fails.
    """
    done = bring_up_to_ledger(settings)
    if done.carried_out:
        _log.warning("erasures_carried_out", count=done.carried_out)


def bring_up_to_ledger(settings: Settings, *, setting_aside: bool = False) -> CaughtUp:
    """Raises as ``carry_out_ledger``.

    ``setting_aside``: a ledger of an installation of which nothing was forgotten makes room.
    """
    if setting_aside:
        _set_aside(settings)
    try:
        return asyncio.run(_carry_out(settings))
    except StartRefused:
        raise
    except MunimentError as error:
        raise StartRefused(
            f"The erasure ledger {settings.ledger_file} could not be carried out: {error.detail}",
            cure="Mend that and start again; MUNIMENT_ERASURE_LEDGER_FILE says where it is.",
        ) from error


def _set_aside(settings: Settings) -> None:
    """As a new installation makes one at its first start: a title and nothing more."""
    file = settings.ledger_file
    if file.exists() and FileLedger(file).text().count("\n") <= 1:
        file.rename(file.with_name(f"{file.name}.aside"))


async def _carry_out(settings: Settings) -> CaughtUp:
    async with bootstrap.opened_world(settings, APP) as world:
        await open_ledger(world)
        return await catch_up(world)
