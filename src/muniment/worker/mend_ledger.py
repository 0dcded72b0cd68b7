"""Duty: what the erasure ledger lost is written into it again, as the database carried it out."""

import structlog

from muniment.errors import StartRefused
from muniment.ports import World
from muniment.records.catching_up import mend_ledger

_log = structlog.get_logger()


async def run_once(world: World) -> int:
    """How many lines were written again; a ledger that cannot be used is told of, and stays."""
    try:
        count = await mend_ledger(world)
    except StartRefused as error:
        _log.error("erasure_ledger_unusable", problem=error.problem)
        return 0
    if count:
        _log.warning("erasure_ledger_lines_written_again", count=count)
    return count
