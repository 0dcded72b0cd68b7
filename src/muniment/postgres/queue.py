"""The job queue: procrastinate on the same database, jobs enqueued in the caller's transaction."""

from json import dumps

from procrastinate import App, PsycopgConnector

from muniment.ports import Unit


def queue_app(conninfo: str, *, size: int) -> App:
    """The queue library's application, as a worker uses it."""
    return App(
        connector=PsycopgConnector(
            conninfo=conninfo,
            min_size=1,
            max_size=size,
            kwargs={"application_name": "muniment-queue"},
        )
    )


class JobQueue:
    """Implements ``ports.Queue`` by a function of the schema, which keeps tenants apart.

    Not by the library's own way: what refuses a job that waits already would end the transaction.
    """

    async def defer(self, unit: Unit, task: str, key: str, /, **ids: str) -> int | None:
        """Enqueue unless a job with this key waits."""
        job_id = await unit.value("job_defer", task=task, key=key, arguments=dumps(ids))
        return None if job_id is None else int(job_id)
