"""When a job that failed is run again.

| the job's error | waits | failed for good after |
|---|---|---|
| the tenant's tokens of this hour are used up | for the next hour | never |
| the model does not answer | 30 s, doubling to an hour; longer if its server says so | 30 times |
| the model's answer is invalid, or its server refuses | 1 min, doubling to an hour | 8 times |
| anything else | 2 s, doubling | 8 times |
| something that could not even be noted | 2 s, doubling to an hour | never |

Only failures of the same code count: waiting for tokens uses up nobody's attempts.
"""

from dataclasses import dataclass

from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.jobs import Job

from muniment.errors import (
    ModelBudgetSpent,
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
    MunimentError,
)

_LONGEST = 3600
_MOST_RETRY_AFTER = 24 * 3600
_SPREAD = 60


@dataclass(frozen=True)
class _Pace:
    first: int
    longest: int
    most: int


_USUAL = _Pace(first=2, longest=_LONGEST, most=8)
_PACES: dict[type[MunimentError], _Pace] = {
    ModelUnavailable: _Pace(first=30, longest=_LONGEST, most=30),
    ModelOutputInvalid: _Pace(first=60, longest=_LONGEST, most=8),
    ModelRefused: _Pace(first=60, longest=_LONGEST, most=8),
}


class JobFailed(Exception):
    """What the queue gets to see of an error: its code, and how often the job ended with that."""

    def __init__(self, error: MunimentError, times: int) -> None:
        super().__init__(error.code)
        self.error = error
        self.times = times


def wait_of(error: MunimentError, times: int, job_id: int) -> int | None:
    """Seconds until a job runs again that failed so often with this error; None for never."""
    asked = int(error.extra.get("retry_after", 0))
    if isinstance(error, ModelBudgetSpent):
        # Not all that waited for the hour at its first second.
        return asked + job_id % _SPREAD
    pace = _PACES.get(type(error), _USUAL)
    if times >= pace.most:
        return None
    wait: int = min(pace.first * 2 ** min(times - 1, 32), pace.longest)
    return max(wait, min(asked, _MOST_RETRY_AFTER))


class Backoff(BaseRetryStrategy):
    """The same for the queue library.

    What nobody could note (the database was away, the worker was told to stop) is always run again.
    """

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Whether, and in how many seconds."""
        wait: int | None = min(_USUAL.first * 2 ** min(job.attempts, 32), _LONGEST)
        if isinstance(exception, JobFailed):
            wait = wait_of(exception.error, exception.times, job.id or 0)
        return None if wait is None else RetryDecision(retry_in={"seconds": wait})
