"""A trajectory recorded from what a command asks of a service, through a proxy on this machine."""

import re
from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

import httpx

from muniment.errors import InvalidInput, MunimentError
from muniment.providers.system import SystemClock
from muniment.replay.loopback import Asked, Told, operation_of
from muniment.replay.names import written
from muniment.replay.playing import Noting, Place
from muniment.replay.trajectory import ADMIN, Call, Step, Trajectory, Work, step_of

_PAUSE = timedelta(seconds=1)
_TIMEOUT = 300.0
_POLLS = {"jobs.get", "jobs.list"}
# What belongs to a connection, and to the length of what is sent over it.
_OWN = {
    "host", "content-length", "connection", "accept-encoding", "transfer-encoding", "keep-alive",
    "expect", "te", "trailer", "upgrade", "content-encoding", "proxy-connection",
}  # fmt: skip
_KEY = re.compile(r"mnm_[a-z2-7]{20,}(?:_[a-z2-7]*)?", re.IGNORECASE)
_REDACTED = "[redacted: muniment-key]"
_SHORTEST_KEY = 8


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
    """Passes requests on, several at once, and notes those that are operations, in the order in
    which they were asked: what had its answer before something was asked stands before it.
    """

    http: httpx.Client
    heard: list[Heard] = field(default_factory=list)
    _noting: Lock = field(default_factory=Lock)

    def answer(self, asked: Asked) -> Told:
        """What the service answers; 502 where it does not."""
        at = SystemClock().now()
        headers = {
            name.encode(): value.encode("latin-1")
            for name, value in asked.headers.items()
            if name not in _OWN
        }
        try:
            answer = self.http.request(
                asked.method, asked.target, headers=headers, content=asked.body
            )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Told(502, f"The service does not answer ({type(error).__name__}).".encode(), {})
        self._note(asked, at, answer)
        kept = {name: value for name, value in answer.headers.items() if name not in _OWN}
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
        try:
            told = answer.json()
            if not answer.is_success:
                told = {"code": str(told["code"])}
            # What is too deep for this could not be kept either.
            step_of({"call": operation, "with": written(arguments), "gives": told})
        except (ValueError, KeyError, TypeError, RecursionError):
            # Not the service's answer, such as a page of what stands before it; or no call that a
            # file could hold. It was passed on all the same.
            return
        once = asked.headers.get("idempotency-key")
        key = asked.headers.get("authorization", "").removeprefix("Bearer ").strip()
        done = answer.is_success
        heard = Heard(
            operation, arguments, key, once, at,
            told if done else None, None if done else told["code"],
        )  # fmt: skip
        with self._noting:
            insort(self.heard, heard, key=lambda one: one.at)


def without_keys(heard: Sequence[Heard]) -> Callable[[Any], Any]:
    """Takes keys out of any JSON: those that were heard or given, and what has the form of one."""
    keys = {one.key for one in heard} | set(_secrets([one.gives for one in heard]))
    known = [re.escape(one) for one in keys if len(one) >= _SHORTEST_KEY]
    longest_first = sorted(known, key=len, reverse=True)
    pattern = re.compile("|".join([*longest_first, _KEY.pattern]), re.IGNORECASE)

    def cleaned(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(_REDACTED, value)
        if isinstance(value, Mapping):
            return {cleaned(name): cleaned(one) for name, one in value.items()}
        return [cleaned(one) for one in value] if isinstance(value, list | tuple) else value

    return cleaned


def _secrets(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, one in value.items():
            if name == "secret" and isinstance(one, str):
                yield one
            yield from _secrets(one)
    elif isinstance(value, list):
        for one in value:
            yield from _secrets(one)


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
