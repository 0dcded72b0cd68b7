"""The family jobs. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Job:
    """A job. ``last_error`` is the code of the last attempt's error, ``subject`` its ids."""

    job_id: int
    task: str
    state: Literal["todo", "doing", "succeeded", "failed", "cancelled", "aborting", "aborted"]
    attempts: int
    created_at: datetime | None
    updated_at: datetime | None
    scheduled_at: datetime | None
    last_error: str | None
    subject: dict[str, str]


@dataclass(frozen=True)
class Jobs:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Job, ...]
    next: str | None


_GET = Endpoint("jobs.get", "GET", "/v1/jobs/{job_id}")
_LIST = Endpoint("jobs.list", "GET", "/v1/jobs")
_RETRY = Endpoint("jobs.retry", "POST", "/v1/jobs/{job_id}/retry", writes=True)


class JobsCalls:
    """Calls of the family jobs."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, *, job_id: int) -> Job:
        """Show a job.

        A job by its number. A key of one user sees the jobs of that user's sessions.

        >>> client.jobs.get(job_id=1)
        """
        return self._call(_GET, {"job_id": job_id}, Job)

    def list(
        self,
        *,
        state: Literal["todo", "doing", "succeeded", "failed", "cancelled", "aborting", "aborted"]
        | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Jobs:
        """List jobs.

        Jobs of the tenant, newest first.

        >>> client.jobs.list()
        """
        return self._call(_LIST, {"state": state, "cursor": cursor, "limit": limit}, Jobs)

    def retry(self, *, job_id: int, idempotency_key: str | None = None) -> Job:
        """Run a failed job again.

        Run a failed job again.

        >>> client.jobs.retry(job_id=1)
        """
        return self._call(_RETRY, {"job_id": job_id}, Job, idempotency_key)


class AsyncJobsCalls:
    """Calls of the family jobs."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, *, job_id: int) -> Job:
        """Show a job.

        A job by its number. A key of one user sees the jobs of that user's sessions.

        >>> await client.jobs.get(job_id=1)
        """
        return await self._call(_GET, {"job_id": job_id}, Job)

    async def list(
        self,
        *,
        state: Literal["todo", "doing", "succeeded", "failed", "cancelled", "aborting", "aborted"]
        | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Jobs:
        """List jobs.

        Jobs of the tenant, newest first.

        >>> await client.jobs.list()
        """
        return await self._call(_LIST, {"state": state, "cursor": cursor, "limit": limit}, Jobs)

    async def retry(self, *, job_id: int, idempotency_key: str | None = None) -> Job:
        """Run a failed job again.

        Run a failed job again.

        >>> await client.jobs.retry(job_id=1)
        """
        return await self._call(_RETRY, {"job_id": job_id}, Job, idempotency_key)
