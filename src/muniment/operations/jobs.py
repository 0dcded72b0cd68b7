"""jobs.*: work that goes on behind an answer."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from muniment.errors import Conflict, NotFound
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Instant, Page, command
from muniment.ports import Context

JobState = Literal["todo", "doing", "succeeded", "failed", "cancelled", "aborting", "aborted"]
JobId = Annotated[int, Ge(1), Le(2**63 - 1)]
_CURSORS = Cursors(tuple[JobId])


@command
class GetJob:
    """A job by its number. A key of one user sees the jobs of that user's sessions."""

    job_id: JobId


@command
class ListJobs:
    """Jobs of the tenant, newest first."""

    state: JobState | None = None
    cursor: Cursor | None = None
    limit: Page = 50


@command
class RetryJob:
    """Run a failed job again."""

    job_id: JobId


@dataclass(frozen=True)
class Job:
    """A job. ``last_error`` is the code of the last attempt's error, ``subject`` its ids."""

    job_id: int
    task: str
    state: JobState
    attempts: int
    created_at: Instant | None
    updated_at: Instant | None
    scheduled_at: Instant | None
    last_error: str | None
    subject: dict[str, str]


@dataclass(frozen=True)
class Jobs:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Job, ...]
    next: str | None


@dataclass(frozen=True)
class _Row:
    id: int
    task: str
    state: JobState
    attempts: int
    scheduled_at: datetime | None
    args: dict[str, Any]
    created_at: datetime | None
    updated_at: datetime | None
    last_error: str | None


async def get(command: GetJob, ctx: Context) -> Job:
    """Raises NotFound."""
    return _job(await _require(command.job_id, ctx))


async def list_jobs(command: ListJobs, ctx: Context) -> Jobs:
    """One page of jobs."""
    place = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        _Row,
        "job_list",
        state=command.state,
        before=None if place is None else place[0],
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Jobs(
        items=tuple(_job(row) for row in page),
        next=None if last is None else _CURSORS.after((last.id,)),
    )


async def retry(command: RetryJob, ctx: Context) -> Job:
    """Raises NotFound, and Conflict for a job that has not failed."""
    row = await _require(command.job_id, ctx)
    if row.state != "failed":
        raise Conflict(f"The job is {row.state}; only a failed one is run again.")
    await ctx.unit.run("job_retry", id=row.id, now=ctx.now)
    return _job(await _require(command.job_id, ctx))


async def _require(job_id: int, ctx: Context) -> _Row:
    row = await ctx.unit.one(_Row, "job_get", id=job_id, user_id=ctx.caller.user_id)
    if row is None:
        raise NotFound("There is no such job.")
    return row


def _job(row: _Row) -> Job:
    subject = {key: str(value) for key, value in row.args.items() if key != "tenant_id"}
    return Job(
        job_id=row.id,
        task=row.task,
        state=row.state,
        attempts=row.attempts,
        created_at=row.created_at,
        updated_at=row.updated_at,
        scheduled_at=row.scheduled_at,
        last_error=row.last_error,
        subject=subject,
    )


OPERATIONS = (
    Operation(
        name="jobs.get",
        summary="Show a job",
        command=GetJob,
        result=Job,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer=None,
        http=Http("GET", "/v1/jobs/{job_id}"),
        checks_user=True,
        errors=(NotFound,),
    ),
    Operation(
        name="jobs.list",
        summary="List jobs",
        command=ListJobs,
        result=Jobs,
        handler=list_jobs,
        effect=Effect.READ,
        verb="read",
        layer=None,
        http=Http("GET", "/v1/jobs"),
        columns=("items.job_id", "items.task", "items.state", "items.attempts", "items.last_error"),
    ),
    Operation(
        name="jobs.retry",
        summary="Run a failed job again",
        command=RetryJob,
        result=Job,
        handler=retry,
        effect=Effect.WRITE,
        verb="operate",
        layer=None,
        http=Http("POST", "/v1/jobs/{job_id}/retry"),
        errors=(NotFound, Conflict),
    ),
)
