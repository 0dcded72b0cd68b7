"""Before it serves: the database carries out what the erasure ledger has and it has not."""

import asyncio
from collections.abc import Sequence

import structlog

from muniment import bootstrap
from muniment.domain.erasures import read_ledger, standing_in
from muniment.errors import MunimentError, StartRefused, StorageFull, Unavailable
from muniment.postgres.embedded import APP
from muniment.providers.erasure_ledger import FileLedger
from muniment.records.catching_up import CaughtUp, catch_up, lost_lines, open_ledger
from muniment.settings import Settings

_log = structlog.get_logger()


def ledger_knows(settings: Settings, key: bytes) -> bool:
    """Whether there is a ledger of the installation that has this key."""
    text = FileLedger(settings.ledger_file).text()
    title, end, _ = text.partition("\n")
    return bool(end) and standing_in(key, title) is not None


def mend_from(settings: Settings, key: bytes, lines: Sequence[str]) -> None:
    """Give the ledger what a database of this installation carried out and it has not, one that is
    lost too. Raises StartRefused for one that is damaged, lost more, or cannot be written.
    """
    ledger = FileLedger(settings.ledger_file)
    try:
        lost_lines(key, read_ledger(key, ledger.text()), lines)
        ledger.mend_now(key, lines)
    except (OSError, Unavailable, StorageFull) as error:
        raise StartRefused(
            f"The erasure ledger {settings.ledger_file} cannot be written again.",
            cure="Let this user read and write it; MUNIMENT_ERASURE_LEDGER_FILE says where it is.",
        ) from error


def carry_out_ledger(settings: Settings) -> None:
    """Before a process serves. Raises StartRefused for a ledger that cannot be used, and if
    carrying it out fails.
    """
    done = bring_up_to_ledger(settings)
    if done.carried_out:
        _log.warning("erasures_carried_out", count=done.carried_out)


def bring_up_to_ledger(settings: Settings, *, without: bytes | None = None) -> CaughtUp:
    """Raises as ``carry_out_ledger``.

    ``without``: the key of an installation that is to do without a ledger. One that cannot be used,
    or of which nothing was forgotten, makes room.
    """
    if without is not None:
        _set_aside(settings, without)
    try:
        return asyncio.run(_carry_out(settings))
    except StartRefused:
        raise
    except MunimentError as error:
        raise StartRefused(
            f"The erasure ledger {settings.ledger_file} could not be carried out: {error.detail}",
            cure="Mend that and start again; MUNIMENT_ERASURE_LEDGER_FILE says where it is.",
        ) from error


def _set_aside(settings: Settings, key: bytes) -> None:
    """A new installation makes one at its first start: a title and nothing more."""
    file = settings.ledger_file
    text = FileLedger(file).text()
    if text and (text.count("\n") <= 1 or not read_ledger(key, text).whole):
        file.rename(file.with_name(f"{file.name}.aside"))


async def _carry_out(settings: Settings) -> CaughtUp:
    async with bootstrap.opened_world(settings, APP) as world:
        await open_ledger(world)
        return await catch_up(world)
