"""Calls of the family runs. Generated; do not edit."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.client.calls import AsyncCall
from muniment.client.core import Endpoint
from muniment.client.generated.runs import (
    Checkpointed,
    Checkpoints,
    ClosedRun,
    NewFact,
    RunDifference,
    Runs,
    RunView,
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
        strict: bool = False,
        step_ceiling: int | None = None,
        cost_ceiling_usd: str | None = None,
        lease_seconds: int = 60,
        idempotency_key: str | None = None,
    ) -> RunView:
        """Open a run of an agent.

        Open a run of an agent, for a user or for nobody in particular.

        Its budget counts steps and cost; ``strict`` refuses a checkpoint that rests on what is
        held no more. Who opens it holds its lease for ``lease_seconds``, anew with every write.
        """
        return await self._call(
            _OPEN,
            {
                "agent_id": agent_id,
                "user_id": user_id,
                "namespace": namespace,
                "stage": stage,
                "strict": strict,
                "step_ceiling": step_ceiling,
                "cost_ceiling_usd": cost_ceiling_usd,
                "lease_seconds": lease_seconds,
            },
            RunView,
            idempotency_key,
        )

    async def get(
        self, *, run_id: UUID, step: int | None = None, as_of: datetime | None = None
    ) -> RunView:
        """Show the state of a run, now or after an earlier step.

        A run as it is, or as it was after a ``step``; ``as_of`` asks which facts hold then.
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
        """
        return await self._call(
            _LIST,
            {
                "user_id": user_id,
                "agent_id": agent_id,
                "state": state,
                "cursor": cursor,
                "limit": limit,
            },
            Runs,
        )

    async def history(
        self, *, run_id: UUID, cursor: str | None = None, limit: int = 50
    ) -> Checkpoints:
        """List the checkpoints of a run.

        The checkpoints of a run, latest first.
        """
        return await self._call(
            _HISTORY, {"run_id": run_id, "cursor": cursor, "limit": limit}, Checkpoints
        )

    async def diff(self, *, run_id: UUID, from_step: int, to_step: int) -> RunDifference:
        """Show what changed between two steps of a run.

        What came and went between two steps of a run; 0 is before the first one.
        """
        return await self._call(
            _DIFF, {"run_id": run_id, "from_step": from_step, "to_step": to_step}, RunDifference
        )

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
        """
        return await self._call(
            _CHECKPOINT,
            {
                "run_id": run_id,
                "step": step,
                "fence": fence,
                "stage": stage,
                "committed_facts": committed_facts,
                "open_questions": open_questions,
                "cost_usd": cost_usd,
            },
            Checkpointed,
            idempotency_key,
        )

    async def resume(
        self,
        *,
        run_id: UUID,
        fence: int | None = None,
        take_over: bool = False,
        lease_seconds: int = 60,
        idempotency_key: str | None = None,
    ) -> RunView:
        """Go on with a run after an interruption.

        Take the lease of a run and get its state. A ``fence`` that is still the last one is
        kept.

        ``take_over`` is for who knows that the holder is gone; what that one still writes is
        refused.
        """
        return await self._call(
            _RESUME,
            {
                "run_id": run_id,
                "fence": fence,
                "take_over": take_over,
                "lease_seconds": lease_seconds,
            },
            RunView,
            idempotency_key,
        )

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
        """
        return await self._call(
            _CLOSE,
            {"run_id": run_id, "outcome": outcome, "correction": correction, "fence": fence},
            ClosedRun,
            idempotency_key,
        )
