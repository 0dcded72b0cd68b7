"""Runs made easy: claim, call, record and replay in one step; checkpoints that know what holds."""

import asyncio
import copy
import inspect
import time
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from uuid import UUID

from muniment.client.generated.recall import MemoryView
from muniment.client.generated.runs import (
    Acknowledged,
    Checkpointed,
    ClaimedTool,
    ClosedRun,
    RunView,
)
from muniment.client.generated.surface import AsyncSurface, Surface
from muniment.client.run_calls import (
    ResultNotKept,
    ToolEffect,
    ToolFailed,
    ToolInDoubt,
    ToolInFlight,
    after_fault,
    agree,
    check_callable,
    check_done,
    replayed,
)
from muniment.client.run_results import decoded, encode
from muniment.client.run_state import Facts, RunState
from muniment.errors import InFlight, RateLimited, Unavailable, Unreachable

__all__ = [
    "AsyncRun", "ResultNotKept", "Run", "RunState", "ToolFailed", "ToolInDoubt", "ToolInFlight",
    "waits",
]  # fmt: skip

T = TypeVar("T")
Outcome = Literal["success", "failure", "partial", "abandoned"]
Arguments = Mapping[str, Any]

PATIENCE = 30.0
"""Seconds for which a call without an answer is sent again, the same."""
_AGAIN = (Unreachable, Unavailable, InFlight, RateLimited)


def waits(patience: float) -> Iterator[float]:
    """Pauses between tries, longer and longer, for so many seconds in all."""
    pause, left = 0.05, patience
    while left > 0:
        yield min(pause, left)
        left -= pause
        pause = min(pause * 2, 1.0)


class Run:
    """A run that this process holds. Leaving the block does not close it: ``close`` does.

    >>> with client.run(agent_id="billing", user_id="nora") as run:
    ...     memo = run.tool("erp.post", {"amount": "5"}, effect="write", key="memo-1")(post)
    ...     run.checkpoint(facts={"memo": memo}, source="erp")
    ...     run.close("success")
    """

    def __init__(
        self, client: Surface, begin: Callable[[str], RunView], patience: float = PATIENCE
    ) -> None:
        self._client, self._begin, self._patience = client, begin, patience
        self.state: RunState

    def __enter__(self) -> Self:
        self.state = RunState(self._patiently(self._begin))
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """The run stays open, for whoever goes on with it."""

    def tool(
        self, name: str, arguments: Arguments, *, effect: ToolEffect, key: str,
        retry: bool = False, approval_id: UUID | None = None,
    ) -> Callable[[Callable[[Arguments], Any]], Any]:  # fmt: skip
        """Calls a function with the arguments once for this key, or answers what came of it before,
        which is the same: what it returned, as JSON.

        The function raises ToolFailed if nothing happened. Whatever else a writing one raises
        leaves the call in doubt. Raises ToolFailed, ToolInDoubt and ToolInFlight; TypeError at once
        for an async function, or a generator, of which nothing would run.
        """

        given = copy.deepcopy(dict(arguments))

        def made(call: Callable[[Arguments], Any]) -> Any:
            check_callable(call, effect, awaits=False)
            claim = self._patiently(
                lambda once: self._client.runs.claim_tool(
                    run_id=self.state.run_id, tool=name, key=key, arguments=given,
                    fence=self.state.fence, retry=retry, approval_id=approval_id,
                    idempotency_key=once,
                )
            )  # fmt: skip
            if claim.answer != "execute":
                return replayed(claim)
            try:
                agree(claim, effect)
                value = call(copy.deepcopy(given))
                check_done(value)
            except ToolFailed as failed:
                self._record(claim, "failed", encode(failed.result))
                raise
            except BaseException:
                self._record(claim, after_fault(claim, effect), None)
                raise
            return self._succeeded(claim, value)

        return made

    def _succeeded(self, claim: ClaimedTool, value: Any) -> Any:
        text = encode(value)
        self._record(claim, "succeeded", text)
        if text is None:
            raise ResultNotKept
        return decoded(text)

    def _record(
        self, claim: ClaimedTool, status: Literal["succeeded", "failed", "in_doubt"],
        result: str | None,
    ) -> None:  # fmt: skip
        self._patiently(
            lambda once: self._client.runs.record_tool(
                run_id=self.state.run_id, tool=claim.tool, key=claim.key, attempt=claim.attempt,
                status=status, result=result, idempotency_key=once,
            )
        )  # fmt: skip

    def checkpoint(
        self, *, stage: str | None = None, facts: Facts = (), source: str = "agent",
        open_questions: Sequence[str] = (), cost_usd: str = "0",
    ) -> Checkpointed:  # fmt: skip
        """The next step. Facts given as a mapping supersede what is held under their keys."""
        new, step = self.state.new_facts(facts, source), self.state.step + 1
        done = self._patiently(
            lambda once: self._client.runs.checkpoint(
                run_id=self.state.run_id, step=step, fence=self.state.fence,
                stage=stage, committed_facts=new, open_questions=tuple(open_questions),
                cost_usd=cost_usd, idempotency_key=once,
            )
        )  # fmt: skip
        self.state.committed(done)
        return done

    def recall(self, query: str, *, user_id: str | None = None, **more: Any) -> MemoryView:
        """Recall for the run, of its user or another; it is told when that holds no more."""
        asked = {"user_id": user_id or self.state.view.user_id, "step": self.state.step + 1} | more
        return self._client.recall(query=query, run_id=str(self.state.run_id), **asked)

    def acknowledge(self, *ids: UUID) -> Acknowledged:
        """Go on though these items that the run recalled do not hold any more."""
        return self._patiently(
            lambda once: self._client.runs.acknowledge(
                run_id=self.state.run_id, fence=self.state.fence, ids=ids, idempotency_key=once
            )
        )

    def close(self, outcome: Outcome, correction: str | None = None) -> ClosedRun:
        """Close the run with what came of it."""
        return self._patiently(
            lambda once: self._client.runs.close(
                run_id=self.state.run_id, outcome=outcome, correction=correction,
                fence=self.state.fence, idempotency_key=once,
            )
        )  # fmt: skip

    def _patiently(self, call: Callable[[str], T]) -> T:
        """Send a call until it is answered; the same each time, so that it counts once."""
        once = str(uuid.uuid4())
        for pause in waits(self._patience):
            try:
                return call(once)
            except _AGAIN:
                time.sleep(pause)
        return call(once)


class AsyncRun:
    """The same for asyncio."""

    def __init__(
        self,
        client: AsyncSurface,
        begin: Callable[[str], Awaitable[RunView]],
        patience: float = PATIENCE,
    ) -> None:
        self._client, self._begin, self._patience = client, begin, patience
        self._telling: set[asyncio.Task[Any]] = set()
        self.state: RunState

    async def __aenter__(self) -> Self:
        self.state = RunState(await self._patiently(self._begin))
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """The run stays open, for whoever goes on with it."""

    def tool(
        self, name: str, arguments: Arguments, *, effect: ToolEffect, key: str,
        retry: bool = False, approval_id: UUID | None = None,
    ) -> Callable[[Callable[[Arguments], Any]], Awaitable[Any]]:  # fmt: skip
        """Calls a function with the arguments once for this key, or answers what came of it before,
        which is the same: what it returned, as JSON. It may be one that is not async.

        The function raises ToolFailed if nothing happened. Whatever else a writing one raises, to
        be cancelled too, leaves the call in doubt; what came of it is recorded though the caller is
        cancelled then. Raises ToolFailed, ToolInDoubt, ToolInFlight; TypeError for a generator.
        """

        given = copy.deepcopy(dict(arguments))

        async def made(call: Callable[[Arguments], Any]) -> Any:
            check_callable(call, effect, awaits=True)
            claim = await self._patiently(
                lambda once: self._client.runs.claim_tool(
                    run_id=self.state.run_id, tool=name, key=key, arguments=given,
                    fence=self.state.fence, retry=retry, approval_id=approval_id,
                    idempotency_key=once,
                )
            )  # fmt: skip
            if claim.answer != "execute":
                return replayed(claim)
            try:
                agree(claim, effect)
                value = call(copy.deepcopy(given))
                if inspect.isawaitable(value):
                    value = await value
                check_done(value)
            except ToolFailed as failed:
                await self._record(claim, "failed", encode(failed.result))
                raise
            except BaseException:
                await self._record(claim, after_fault(claim, effect), None)
                raise
            return await self._succeeded(claim, value)

        return made

    async def _succeeded(self, claim: ClaimedTool, value: Any) -> Any:
        text = encode(value)
        await self._record(claim, "succeeded", text)
        if text is None:
            raise ResultNotKept
        return decoded(text)

    async def _record(
        self, claim: ClaimedTool, status: Literal["succeeded", "failed", "in_doubt"],
        result: str | None,
    ) -> None:  # fmt: skip
        await self._whatever_comes(
            self._patiently(
                lambda once: self._client.runs.record_tool(
                    run_id=self.state.run_id, tool=claim.tool, key=claim.key,
                    attempt=claim.attempt, status=status, result=result, idempotency_key=once,
                )
            )
        )  # fmt: skip

    async def _whatever_comes(self, telling: Coroutine[Any, Any, Any]) -> None:
        """Tell it though the caller is cancelled meanwhile; whoever cancels twice does not wait."""
        task = asyncio.create_task(telling)
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise

    async def checkpoint(
        self, *, stage: str | None = None, facts: Facts = (), source: str = "agent",
        open_questions: Sequence[str] = (), cost_usd: str = "0",
    ) -> Checkpointed:  # fmt: skip
        """The next step. Facts given as a mapping supersede what is held under their keys."""
        new, step = self.state.new_facts(facts, source), self.state.step + 1
        done = await self._patiently(
            lambda once: self._client.runs.checkpoint(
                run_id=self.state.run_id, step=step, fence=self.state.fence,
                stage=stage, committed_facts=new, open_questions=tuple(open_questions),
                cost_usd=cost_usd, idempotency_key=once,
            )
        )  # fmt: skip
        self.state.committed(done)
        return done

    async def recall(self, query: str, *, user_id: str | None = None, **more: Any) -> MemoryView:
        """Recall for the run, of its user or another; it is told when that holds no more."""
        asked = {"user_id": user_id or self.state.view.user_id, "step": self.state.step + 1} | more
        return await self._client.recall(query=query, run_id=str(self.state.run_id), **asked)

    async def acknowledge(self, *ids: UUID) -> Acknowledged:
        """Go on though these items that the run recalled do not hold any more."""
        return await self._patiently(
            lambda once: self._client.runs.acknowledge(
                run_id=self.state.run_id, fence=self.state.fence, ids=ids, idempotency_key=once
            )
        )

    async def close(self, outcome: Outcome, correction: str | None = None) -> ClosedRun:
        """Close the run with what came of it."""
        return await self._patiently(
            lambda once: self._client.runs.close(
                run_id=self.state.run_id, outcome=outcome, correction=correction,
                fence=self.state.fence, idempotency_key=once,
            )
        )  # fmt: skip

    async def _patiently(self, call: Callable[[str], Awaitable[T]]) -> T:
        """Send a call until it is answered; the same each time, so that it counts once."""
        once = str(uuid.uuid4())
        for pause in waits(self._patience):
            try:
                return await call(once)
            except _AGAIN:
                await asyncio.sleep(pause)
        return await call(once)
