"""What the server has to learn for recalls, on each connection, before somebody waits for one."""

from contextlib import AsyncExitStack
from uuid import UUID

import structlog

from muniment.domain.timeline import EPOCH
from muniment.errors import MunimentError
from muniment.ports import Units

_NOBODY = UUID(int=0)
_OF_A_RECALL = {
    "scopes_of_reader": {"user_id": "", "namespace": "", "org": True},
    "index_load": {"scope_id": _NOBODY, "since": -1, "place": "emb"},
    "items_fetch": {
        "scope_id": _NOBODY,
        "ids": [_NOBODY],
        "standings": [""],
        "as_of": EPOCH,
        "known_at": EPOCH,
        "now": EPOCH,
        "anytime": False,
    },
}

_log = structlog.get_logger()


async def warm(units: Units, connections: int) -> None:
    """Ask what a recall asks, of a tenant that there is not, on so many connections at once.

    Each learns the tables with their partitions, and plans the statements, once: 0.1 s and more.
    Nothing fails if the server does not answer; then the first recalls wait.
    """
    try:
        async with AsyncExitStack() as held:
            for _ in range(connections):
                unit = await held.enter_async_context(units.open(_NOBODY, reading=True))
                for query, params in _OF_A_RECALL.items():
                    await unit.value(query, **params)
    except MunimentError as error:
        _log.info("not_warmed", code=error.code)
