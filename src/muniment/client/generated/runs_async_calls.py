"""Calls of the family runs. Generated; do not edit."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall
from muniment.client.core import Endpoint
from muniment.client.generated.runs import (
    Acknowledged,
    Checkpointed,
    Checkpoints,
    ClaimedTool,
    ClosedRun,
    Moved,
    NewFact,
    RecordedTool,
    RunDifference,
    RunMoves,
    Runs,
    RunView,
    StepExplained,
)

_OPEN = Endpoint("runs.open", "POST", "/v1/runs", writes=True)
_GET = Endpoint("runs.get", "GET", "/v1/runs/{run_id}")
_LIST = Endpoint("runs.list", "GET", "/v1/runs")
_HISTORY = Endpoint("runs.history", "GET", "/v1/runs/{run_id}/checkpoints")
_DIFF = Endpoint("runs.diff", "GET", "/v1/runs/{run_id}/diff")
_CHECKPOINT = Endpoint(
    "runs.checkpoint", "PUT", "/v1/runs/{run_id}/checkpoints/{step}", writes=True
)
_RESUME = Endpoint("runs.resume", "POST", "/v1/runs/{run_id}/resume", writes=True)
_CLOSE = Endpoint("runs.close", "POST", "/v1/runs/{run_id}/close", writes=True)
_ACKNOWLEDGE = Endpoint("runs.acknowledge", "POST", "/v1/runs/{run_id}/inputs", writes=True)
_CLAIM_TOOL = Endpoint("runs.claim_tool", "POST", "/v1/runs/{run_id}/calls/claim", writes=True)
_RECORD_TOOL = Endpoint("runs.record_tool", "POST", "/v1/runs/{run_id}/calls/record", writes=True)
_SETTLE_TOOL = Endpoint("runs.settle_tool", "POST", "/v1/runs/{run_id}/calls/settle", writes=True)
_TRANSITION = Endpoint("runs.transition", "POST", "/v1/runs/{run_id}/stages", writes=True)
_STAGES = Endpoint("runs.stages", "GET", "/v1/runs/{run_id}/stages")
_EXPLAIN = Endpoint("runs.explain", "GET", "/v1/runs/{run_id}/steps/{step}/explanation")


class AsyncRunsCalls:
    """Calls of the family runs."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def open(
        self,
        *,
        agent_id: str,
        user_id: str | None = None,
        namespace: str = "default",
        stage: str | None = None,
        machine: str | None = None,
        step_ceiling: int | None = None,
        cost_ceiling_usd: str | None = None,
        lease_seconds: int = 60,
        strict: bool = False,
        idempotency_key: str | None = None,
    ) -> RunView:
        """Open a run of an agent.

        Open a run of an agent, for a user or for nobody in particular.

        With a ``machine`` it begins at the first stage of the last version, and moves by
        ``runs.transition``. Its budget counts steps and cost. Who opens it holds its lease for
        ``lease_seconds``, anew with every write. ``strict``: it takes no checkpoint while
        something that it recalled does not hold any more.

        >>> await client.runs.open(agent_id="billing")
        """
        return await self._call(
            _OPEN, {'agent_id': agent_id, 'user_id': user_id, 'namespace': namespace,
            'stage': stage, 'machine': machine, 'step_ceiling': step_ceiling,
            'cost_ceiling_usd': cost_ceiling_usd, 'lease_seconds': lease_seconds,
            'strict': strict}, RunView, idempotency_key
        )  # fmt: skip

    async def get(
        self, *, run_id: UUID, step: int | None = None, as_of: datetime | None = None
    ) -> RunView:
        """Show the state of a run, now or after an earlier step.

        A run as it is, or as it was after a ``step``; ``as_of`` asks which facts hold then.

        >>> await client.runs.get(run_id=run_id)
        """
        return await self._call(_GET, {"run_id": run_id, "step": step, "as_of": as_of}, RunView)

    async def list(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        state: Literal["open", "closed"] | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Runs:
        """List runs.

        Runs, latest first: of a user or agent, open or closed.

        >>> await client.runs.list()
        """
        return await self._call(
            _LIST, {'user_id': user_id, 'agent_id': agent_id, 'state': state, 'cursor': cursor,
            'limit': limit}, Runs
        )  # fmt: skip

    async def history(
        self, *, run_id: UUID, cursor: str | None = None, limit: int = 50
    ) -> Checkpoints:
        """List the checkpoints of a run.

        The checkpoints of a run, latest first.

        >>> await client.runs.history(run_id=run_id)
        """
        return await self._call(
            _HISTORY, {'run_id': run_id, 'cursor': cursor, 'limit': limit}, Checkpoints
        )  # fmt: skip

    async def diff(self, *, run_id: UUID, from_step: int, to_step: int) -> RunDifference:
        """Show what changed between two steps of a run.

        What came and went between two steps of a run; 0 is before the first one.

        >>> await client.runs.diff(run_id=run_id, from_step=1, to_step=1)
        """
        return await self._call(
            _DIFF, {'run_id': run_id, 'from_step': from_step, 'to_step': to_step}, RunDifference
        )  # fmt: skip

    async def checkpoint(
        self,
        *,
        run_id: UUID,
        step: int,
        fence: int,
        stage: str | None = None,
        committed_facts: Sequence[NewFact] = (),
        open_questions: Sequence[str] = (),
        cost_usd: str = "0",
        idempotency_key: str | None = None,
    ) -> Checkpointed:
        """Write the state of a run after a step.

        The state after a step: what it commits to, what is open, what it cost.

        ``step`` is the one behind the last; ``fence`` that of the lease. Without a ``stage``
        the run stays in its own.

        >>> await client.runs.checkpoint(run_id=run_id, step=1, fence=1)
        """
        return await self._call(
            _CHECKPOINT, {'run_id': run_id, 'step': step, 'fence': fence, 'stage': stage,
            'committed_facts': committed_facts, 'open_questions': open_questions,
            'cost_usd': cost_usd}, Checkpointed, idempotency_key
        )  # fmt: skip

    async def resume(
        self,
        *,
        run_id: UUID,
        fence: int | None = None,
        take_over: bool = False,
        lease_seconds: int | None = None,
        idempotency_key: str | None = None,
    ) -> RunView:
        """Go on with a run after an interruption.

        Take the lease of a run and get its state. A ``fence`` that is still the last one is
        kept, and so are ``lease_seconds``, unless others are given.

        ``take_over`` is for who knows that the holder is gone; what that one still writes is
        refused.

        >>> await client.runs.resume(run_id=run_id)
        """
        return await self._call(
            _RESUME, {'run_id': run_id, 'fence': fence, 'take_over': take_over,
            'lease_seconds': lease_seconds}, RunView, idempotency_key
        )  # fmt: skip

    async def close(
        self,
        *,
        run_id: UUID,
        outcome: Literal["success", "failure", "partial", "abandoned"],
        correction: str | None = None,
        fence: int | None = None,
        idempotency_key: str | None = None,
    ) -> ClosedRun:
        """Close a run with its outcome.

        Close a run with what came of it; ``correction`` is what a reviewer says of that.

        A key with the verb ``review`` may say another outcome or correction later, without a
        ``fence``.

        >>> await client.runs.close(run_id=run_id, outcome="success")
        """
        return await self._call(
            _CLOSE, {'run_id': run_id, 'outcome': outcome, 'correction': correction,
            'fence': fence}, ClosedRun, idempotency_key
        )  # fmt: skip

    async def acknowledge(
        self, *, run_id: UUID, fence: int, ids: Sequence[UUID], idempotency_key: str | None = None
    ) -> Acknowledged:
        """Go on though something that a run recalled does not hold any more.

        Say that a run knows what became of these items that it recalled, and goes on.

        >>> await client.runs.acknowledge(run_id=run_id, fence=1, ids=[memory_id])
        """
        return await self._call(
            _ACKNOWLEDGE, {'run_id': run_id, 'fence': fence, 'ids': ids}, Acknowledged,
            idempotency_key
        )  # fmt: skip

    async def claim_tool(
        self,
        *,
        run_id: UUID,
        tool: str,
        key: str,
        arguments: Mapping[str, Any],
        fence: int,
        retry: bool = False,
        approval_id: UUID | None = None,
        idempotency_key: str | None = None,
    ) -> ClaimedTool:
        """Ask what to do about a tool call, before it is made.

        Ask what to do about a call, before it is made. ``key`` names it: the same key is the
        same call. ``retry`` makes a call again that is known to have failed; ``approval_id`` is
        for a tool with a gate.

        >>> await client.runs.claim_tool(run_id=run_id, tool="erp.post", key="memo-4711",
        ...     arguments={}, fence=1)
        """
        return await self._call(
            _CLAIM_TOOL, {'run_id': run_id, 'tool': tool, 'key': key, 'arguments': arguments,
            'fence': fence, 'retry': retry, 'approval_id': approval_id}, ClaimedTool,
            idempotency_key
        )  # fmt: skip

    async def record_tool(
        self,
        *,
        run_id: UUID,
        tool: str,
        key: str,
        attempt: int,
        status: Literal["succeeded", "failed", "in_doubt"],
        result: str | None = None,
        idempotency_key: str | None = None,
    ) -> RecordedTool:
        """Record what came of a tool call.

        What came of an attempt of a call; ``in_doubt`` if who called does not know. ``result``
        is base 64 and is kept byte for byte.

        >>> await client.runs.record_tool(run_id=run_id, tool="erp.post", key="memo-4711",
        ...     attempt=1, status="succeeded")
        """
        return await self._call(
            _RECORD_TOOL, {'run_id': run_id, 'tool': tool, 'key': key, 'attempt': attempt,
            'status': status, 'result': result}, RecordedTool, idempotency_key
        )  # fmt: skip

    async def settle_tool(
        self,
        *,
        run_id: UUID,
        tool: str,
        key: str,
        happened: bool,
        reason: str,
        result: str | None = None,
        idempotency_key: str | None = None,
    ) -> RecordedTool:
        """Decide whether the effect of a tool call that is in doubt happened.

        Say whether the effect of a call that is in doubt happened, and why that is known.

        What did not happen may be claimed anew; what did is replayed with this ``result``.

        >>> await client.runs.settle_tool(run_id=run_id, tool="erp.post", key="memo-4711",
        ...     happened=True, reason="A court asked.")
        """
        return await self._call(
            _SETTLE_TOOL, {'run_id': run_id, 'tool': tool, 'key': key, 'happened': happened,
            'reason': reason, 'result': result}, RecordedTool, idempotency_key
        )  # fmt: skip

    async def transition(
        self,
        *,
        run_id: UUID,
        fence: int,
        to: str,
        approval_id: UUID | None = None,
        idempotency_key: str | None = None,
    ) -> Moved:
        """Move a run to another stage of its machine.

        Move a run to another stage of its machine; ``approval_id`` where the move needs one.

        >>> await client.runs.transition(run_id=run_id, fence=1, to="to")
        """
        return await self._call(
            _TRANSITION, {'run_id': run_id, 'fence': fence, 'to': to, 'approval_id': approval_id},
            Moved, idempotency_key
        )  # fmt: skip

    async def stages(self, *, run_id: UUID, cursor: str | None = None, limit: int = 50) -> RunMoves:
        """List the moves of a run between stages.

        The moves of a run, in order.

        >>> await client.runs.stages(run_id=run_id)
        """
        return await self._call(
            _STAGES, {'run_id': run_id, 'cursor': cursor, 'limit': limit}, RunMoves
        )  # fmt: skip

    async def explain(
        self, *, user_id: str, run_id: str, step: int, cursor: str | None = None, limit: int = 50
    ) -> StepExplained:
        """Show what entered a step of a run, what became of it, and the turns behind it.

        A step of a run, by the names that recalls and contexts were given; ``limit`` answers.

        >>> await client.runs.explain(user_id="nora", run_id="run_id", step=1)
        """
        return await self._call(
            _EXPLAIN, {'user_id': user_id, 'run_id': run_id, 'step': step, 'cursor': cursor,
            'limit': limit}, StepExplained
        )  # fmt: skip
