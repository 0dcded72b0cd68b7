"""A trajectory recorded from what a command asks of a service, through a proxy on this machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import httpx

from muniment.errors import InvalidInput, MunimentError
from muniment.providers.system import SystemClock
from muniment.replay.loopback import Asked, Told, operation_of
from muniment.replay.names import written
from muniment.replay.playing import Noting, Place
from muniment.replay.trajectory import ADMIN, Call, Step, Trajectory, Work

_PAUSE = timedelta(seconds=1)
_TIMEOUT = 300.0
_POLLS = {"jobs.get", "jobs.list"}
_OWN = {"host", "content-length", "connection", "accept-encoding", "transfer-encoding"}
_KEPT = ("content-type", "retry-after", "idempotency-replayed", "www-authenticate", "request-id")


@dataclass(frozen=True)
class Heard:
    """A call as it went through: by which key, when, and what came back."""

    operation: str
    arguments: Mapping[str, Any]
    key: str
    once: str | None
    at: datetime
    gives: Any = None
    refused: str | None = None


@dataclass
class Recorder:
    """Passes requests on and notes those that are operations."""

    http: httpx.Client
    heard: list[Heard] = field(default_factory=list)

    def answer(self, asked: Asked) -> Told:
        """What the service answers; 502 where it does not."""
        at = SystemClock().now()
        headers = {name: value for name, value in asked.headers.items() if name not in _OWN}
        try:
            answer = self.http.request(
                asked.method, asked.target, headers=headers, content=asked.body
            )
        except httpx.TransportError as error:
            return Told(502, f"The service does not answer ({type(error).__name__}).".encode(), {})
        self._note(asked, at, answer)
        kept = {one: answer.headers[one] for one in _KEPT if one in answer.headers}
        return Told(answer.status_code, answer.content, kept)

    def _note(self, asked: Asked, at: datetime, answer: httpx.Response) -> None:
        try:
            found = operation_of(asked)
        except (ValueError, MunimentError):
            # Not a request that any file could repeat; the service has refused it.
            return
        if found is None:
            return
        operation, arguments = found
        told = answer.json()
        once = asked.headers.get("idempotency-key")
        key = asked.headers.get("authorization", "").removeprefix("Bearer ").strip()
        done = answer.is_success
        self.heard.append(
            Heard(
                operation, arguments, key, once, at,
                told if done else None, None if done else told["code"],
            )
        )  # fmt: skip


def recorder_for(url: str) -> httpx.Client:
    """A client that passes on to a service."""
    return httpx.Client(base_url=url, timeout=_TIMEOUT, trust_env=False)


async def trajectory_of(name: str, heard: Sequence[Heard], place: Place) -> Trajectory:
    """What was heard as a trajectory, with what memory holds at its end, asked of the service.

    Raises InvalidInput if nothing was. Polls for jobs are left out; where there was time for the
    worker, it is said that it worked.
    """
    if not heard:
        raise InvalidInput("Nothing was asked of the service: there is nothing to record.")
    noting = Noting(heard[0].key)
    steps: list[Step] = []
    waits, before = False, heard[0].at
    for one in heard:
        if waits and (one.operation in _POLLS or one.at - before >= _PAUSE):
            steps.append(Work(("consolidate",), one.at))
            waits = False
        before = one.at
        if one.operation in _POLLS:
            continue
        steps.append(_step(noting, len(steps) + 1, one))
        waits = waits or bool(isinstance(one.gives, Mapping) and one.gives.get("job_id"))
    await place.work(("consolidate",))
    holds = await noting.held(len(steps) + 1, place)
    steps.append(Work(("consolidate",), SystemClock().now(), holds))
    return Trajectory(name, heard[0].at, steps, timed=False)


def _step(noting: Noting, number: int, one: Heard) -> Call:
    labels = {secret: label for label, secret in noting.keys.items()}
    arguments = noting.names.symbolic(written(one.arguments))
    step = Call(one.operation, arguments, labels.get(one.key, ADMIN), one.once, at=one.at)
    if one.refused is not None:
        return Call(step.operation, arguments, step.by, step.once, {}, one.at, None, one.refused)
    gives = noting.took(number, step, one.arguments, one.gives)
    return Call(step.operation, arguments, step.by, step.once, {}, one.at, gives)
