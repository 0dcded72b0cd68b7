"""Runs made easy: claim, call, record and replay in one step; checkpoints that know what holds."""

import asyncio
import copy
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from uuid import UUID

from muniment.client.generated.recall import MemoryView
from muniment.client.generated.runs import (
    Acknowledged,
    Checkpointed,
    ClaimedTool,
    ClosedRun,
    NewFact,
    RunView,
)
from muniment.client.generated.surface import AsyncSurface, Surface
from muniment.client.run_results import decoded, encode
from muniment.errors import InFlight, RateLimited, Unavailable, Unreachable

T = TypeVar("T")
ToolEffect = Literal["read", "write"]
Outcome = Literal["success", "failure", "partial", "abandoned"]
Arguments = Mapping[str, Any]
Facts = Mapping[str, Any] | Sequence[NewFact]

PATIENCE = 30.0
"""Seconds for which a call without an answer is sent again, the same."""
_AGAIN = (Unreachable, Unavailable, InFlight, RateLimited)


class ToolFailed(Exception):
    """The tool said no, and nothing happened. Raise it in the function that calls the tool.

    ``result`` is what it said, any JSON; a replay raises it again with the same. What was recorded
    otherwise and is no JSON is given as bytes.
    """

    def __init__(self, result: Any = None) -> None:
        super().__init__("The tool call failed; nothing happened.")
        self.result = result


class ToolInDoubt(Exception):
    """The call may have had its effect, and nobody knows: ``runs.settle_tool`` is for a person."""

    def __init__(self, tool: str, key: str) -> None:
        super().__init__(f"Whether {tool} with the key {key!r} happened is not known.")
        self.tool, self.key = tool, key


class ToolInFlight(Exception):
    """Another task makes this call now."""

    def __init__(self, tool: str, key: str) -> None:
        super().__init__(f"Another task calls {tool} with the key {key!r} now.")
        self.tool, self.key = tool, key


class ResultNotKept(ValueError):
    """The call succeeded and is recorded so; what it returned is no JSON, or too long to keep."""


def waits(patience: float) -> Iterator[float]:
    """Pauses between tries, longer and longer, for so many seconds in all."""
    pause, left = 0.05, patience
    while left > 0:
        yield min(pause, left)
        left -= pause
        pause = min(pause * 2, 1.0)


class RunState:
    """What a holder knows of its run, without I/O."""

    def __init__(self, view: RunView) -> None:
        self.run_id: UUID = view.run_id
        self.fence = view.fence
        self.step = view.step_index
        self.view = view
        self.facts: dict[UUID, str] = {one.id: one.key for one in view.committed_facts}

    def new_facts(self, facts: Facts, source: str) -> tuple[NewFact, ...]:
        """Facts to commit; those of a mapping take over from what the run holds under their key.

        Raises ValueError where it holds more than one: which of them ends is the caller's to say.
        """
        if not isinstance(facts, Mapping):
            return tuple(facts)
        return tuple(
            NewFact(key=key, value=value, source=source, supersedes=self._held(key))
            for key, value in facts.items()
        )

    def _held(self, key: str) -> UUID | None:
        held = [fact_id for fact_id, its_key in self.facts.items() if its_key == key]
        if len(held) > 1:
            raise ValueError(
                f"{len(held)} facts hold under {key!r}: commit a NewFact that supersedes one."
            )
        return held[0] if held else None

    def committed(self, done: Checkpointed) -> None:
        """Note a checkpoint that was stored."""
        self.step = done.step
        for one in done.committed_facts:
            if one.supersedes is not None:
                self.facts.pop(one.supersedes, None)
            self.facts[one.id] = one.key


def after_fault(claim: ClaimedTool, effect: ToolEffect) -> Literal["failed", "in_doubt"]:
    """What is recorded of a call that raised something unknown: only where nothing is written by
    the word of the caller and of the tool's definition is it known that nothing happened.
    """
    return "failed" if (effect, claim.effect) == ("read", "read") else "in_doubt"


def agree(claim: ClaimedTool, effect: ToolEffect) -> None:
    """Raises ToolFailed, before the call, for a write by a tool that is defined as one that reads:
    the ledger would have it done again when its answer is lost.
    """
    if (effect, claim.effect) == ("write", "read"):
        raise ToolFailed("The tool is defined as one that reads; see tools.define.")


def replayed(claim: ClaimedTool) -> Any:
    """What a call came to that is not made now."""
    if claim.answer == "in_doubt":
        raise ToolInDoubt(claim.tool, claim.key)
    if claim.answer == "in_flight":
        raise ToolInFlight(claim.tool, claim.key)
    value = decoded(claim.result)
    if claim.status == "failed":
        raise ToolFailed(value)
    return value


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
        """Calls a function with the arguments once for this key, or answers what came of it before.

        The function raises ToolFailed if nothing happened. Whatever else a writing one raises
        leaves the call in doubt. Raises ToolFailed, ToolInDoubt and ToolInFlight.
        """

        given = copy.deepcopy(dict(arguments))

        def made(call: Callable[[Arguments], Any]) -> Any:
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
        return value

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
        new = self.state.new_facts(facts, source)
        done = self._patiently(
            lambda once: self._client.runs.checkpoint(
                run_id=self.state.run_id, step=self.state.step + 1, fence=self.state.fence,
                stage=stage, committed_facts=new, open_questions=tuple(open_questions),
                cost_usd=cost_usd, idempotency_key=once,
            )
        )  # fmt: skip
        self.state.committed(done)
        return done

    def recall(self, query: str, *, user_id: str | None = None, **more: Any) -> MemoryView:
        """Recall for the run, of its user or another; it is told when that holds no more."""
        asked = {"user_id": user_id or self.state.view.user_id, "query": query} | more
        return self._client.recall(run_id=str(self.state.run_id), step=self.state.step + 1, **asked)

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
    ) -> Callable[[Callable[[Arguments], Awaitable[Any]]], Awaitable[Any]]:  # fmt: skip
        """Calls a function with the arguments once for this key, or answers what came of it before.

        The function raises ToolFailed if nothing happened. Whatever else a writing one raises, to
        be cancelled too, leaves the call in doubt. Raises ToolFailed, ToolInDoubt, ToolInFlight.
        """

        given = copy.deepcopy(dict(arguments))

        async def made(call: Callable[[Arguments], Awaitable[Any]]) -> Any:
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
                value = await call(copy.deepcopy(given))
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
        return value

    async def _record(
        self, claim: ClaimedTool, status: Literal["succeeded", "failed", "in_doubt"],
        result: str | None,
    ) -> None:  # fmt: skip
        await self._patiently(
            lambda once: self._client.runs.record_tool(
                run_id=self.state.run_id, tool=claim.tool, key=claim.key, attempt=claim.attempt,
                status=status, result=result, idempotency_key=once,
            )
        )  # fmt: skip

    async def checkpoint(
        self, *, stage: str | None = None, facts: Facts = (), source: str = "agent",
        open_questions: Sequence[str] = (), cost_usd: str = "0",
    ) -> Checkpointed:  # fmt: skip
        """The next step. Facts given as a mapping supersede what is held under their keys."""
        new = self.state.new_facts(facts, source)
        done = await self._patiently(
            lambda once: self._client.runs.checkpoint(
                run_id=self.state.run_id, step=self.state.step + 1, fence=self.state.fence,
                stage=stage, committed_facts=new, open_questions=tuple(open_questions),
                cost_usd=cost_usd, idempotency_key=once,
            )
        )  # fmt: skip
        self.state.committed(done)
        return done

    async def recall(self, query: str, *, user_id: str | None = None, **more: Any) -> MemoryView:
        """Recall for the run, of its user or another; it is told when that holds no more."""
        asked = {"user_id": user_id or self.state.view.user_id, "query": query} | more
        return await self._client.recall(
            run_id=str(self.state.run_id), step=self.state.step + 1, **asked
        )

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
