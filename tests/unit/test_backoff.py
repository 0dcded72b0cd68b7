"""When a job that failed is run again.

| error | failed so often with it | again after |
|---|---|---|
| the tenant's tokens are used up, 1,200 s are left | 1st, 500th time | 1,200 s and at most a minute, not all at once |
| the model is unavailable | 1st, 2nd, 8th, 29th | 30 s, 1 min, an hour, an hour |
| the same, asks for 600 s | 1st | 600 s |
| the same, asks for a week | 1st | a day |
| the same | 30th | never |
| the model's output is invalid, it refuses | 1st, 7th, 8th | 1 min, an hour, never |
| any other | 1st, 2nd, 7th, 8th | 2 s, 4 s, 128 s, never |
| not noted at all: the database is away, the worker is told to stop | any | 2 s doubling to an hour |
"""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from procrastinate.jobs import Job

from muniment.errors import (
    Internal,
    ModelBudgetSpent,
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
    MunimentError,
    Unavailable,
)
from muniment.worker.backoff import Backoff, JobFailed, wait_of

WEEK = 7 * 24 * 3600


@pytest.mark.parametrize(
    ("error", "times", "wait"),
    [
        (ModelUnavailable(), 1, 30),
        (ModelUnavailable(), 2, 60),
        (ModelUnavailable(), 8, 3600),
        (ModelUnavailable(), 29, 3600),
        (ModelUnavailable(), 30, None),
        (ModelUnavailable(extra={"retry_after": 600}), 1, 600),
        (ModelUnavailable(extra={"retry_after": 1}), 1, 30),
        (ModelUnavailable(extra={"retry_after": WEEK}), 1, 24 * 3600),
        (ModelUnavailable(extra={"retry_after": 600}), 30, None),
        (ModelOutputInvalid(), 1, 60),
        (ModelOutputInvalid(), 7, 3600),
        (ModelOutputInvalid(), 8, None),
        (ModelRefused(), 1, 60),
        (ModelRefused(), 8, None),
        (Internal(), 1, 2),
        (Internal(), 2, 4),
        (Internal(), 7, 128),
        (Internal(), 8, None),
        (Unavailable(), 1, 2),
        (Unavailable(), 8, None),
    ],
)
def test_when(error: MunimentError, times: int, wait: int | None) -> None:
    assert wait_of(error, times, 7) == wait


@pytest.mark.parametrize("times", [1, 8, 30, 500])
def test_tokens_are_waited_for_however_long(times: int) -> None:
    waits = {
        wait_of(ModelBudgetSpent(extra={"retry_after": 1200}), times, job) for job in range(1000)
    }
    assert waits == set(range(1200, 1260))


@pytest.mark.parametrize(
    ("exception", "attempts", "wait"),
    [
        (JobFailed(ModelUnavailable(), 2), 40, 60),
        (JobFailed(Internal(), 8), 0, None),
        (ConnectionError(), 0, 2),
        (ConnectionError(), 3, 16),
        (asyncio.CancelledError(), 0, 2),
        (asyncio.CancelledError(), 40, 3600),
    ],
)
def test_what_the_queue_is_told(exception: BaseException, attempts: int, wait: int | None) -> None:
    job = Job(id=7, queue="q", lock=None, queueing_lock=None, task_name="t", attempts=attempts)
    before = datetime.now(UTC)
    told = Backoff().get_retry_decision(exception=exception, job=job)
    after = datetime.now(UTC)
    if wait is None:
        assert told is None
    else:
        assert told is not None
        assert told.retry_at is not None
        assert before <= told.retry_at - timedelta(seconds=wait) <= after


def test_the_queue_sees_a_code_and_nothing_else() -> None:
    error = ModelOutputInvalid("Nora lives in Gouda.")
    assert str(JobFailed(error, 1)) == "model_output_invalid"
