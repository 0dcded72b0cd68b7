"""The job queue: procrastinate on the same database, jobs enqueued in the caller's transaction."""

from typing import Any

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued

from muniment.ports import Unit
from muniment.postgres.unit_of_work import PostgresUnit


def queue_app(conninfo: str | None = None, *, size: int = 4) -> App:
    """The queue library's application; one that only enqueues needs no connection of its own."""
    options: dict[str, Any] = {}
    if conninfo is not None:
        options = {
            "conninfo": conninfo,
            "min_size": 1,
            "max_size": size,
            "kwargs": {"application_name": "muniment-queue"},
        }
    return App(connector=PsycopgConnector(**options))


class JobQueue:
    """Implements ``ports.Queue``."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def defer(self, unit: Unit, task: str, key: str, /, **ids: str) -> int | None:
        """Enqueue once for each key; a savepoint keeps a refusal from ending the transaction."""
        if not isinstance(unit, PostgresUnit):
            raise TypeError("the queue enqueues in PostgreSQL transactions")
        deferrer = self._app.configure_task(
            task, queueing_lock=key, lock=key, connection=unit.connection
        )
        try:
            async with unit.connection.transaction():
                return await deferrer.defer_async(**ids)
        except AlreadyEnqueued:
            return None
