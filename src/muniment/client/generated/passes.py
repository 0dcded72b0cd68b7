"""The family passes. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class WorkerPass:
    """A pass that stopped at ``stopped_at`` (none once one went through): ``due`` of ``held`` rows
    would have gone. What was due by ``released_through`` may go.
    """

    duty: Literal["expire", "decay"]
    stopped_at: datetime | None
    due: int
    held: int
    released_through: datetime | None


@dataclass(frozen=True)
class WorkerPasses:
    """Passes that ever stopped for the tenant, one of each duty."""

    passes: tuple[WorkerPass, ...]


_SHOW = Endpoint("passes.show", "GET", "/v1/passes")
_RELEASE = Endpoint("passes.release", "POST", "/v1/passes/{duty}/release", writes=True)


class PassesCalls:
    """Calls of the family passes."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def show(
        self,
    ) -> WorkerPasses:
        """Show passes of the worker that stopped.

        Whether expiry or decay stopped for this tenant, and what it would have taken.

        >>> client.passes.show()
        """
        return self._call(_SHOW, {}, WorkerPasses)

    def release(
        self, *, duty: Literal["expire", "decay"], idempotency_key: str | None = None
    ) -> WorkerPass:
        """Let a pass of the worker go on that stopped.

        Let a pass that stopped go on: what was due when it stopped goes with the next one.

        Look at the clock first. What comes due later counts anew.

        >>> client.passes.release(duty="expire")
        """
        return self._call(_RELEASE, {"duty": duty}, WorkerPass, idempotency_key)


class AsyncPassesCalls:
    """Calls of the family passes."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def show(
        self,
    ) -> WorkerPasses:
        """Show passes of the worker that stopped.

        Whether expiry or decay stopped for this tenant, and what it would have taken.

        >>> await client.passes.show()
        """
        return await self._call(_SHOW, {}, WorkerPasses)

    async def release(
        self, *, duty: Literal["expire", "decay"], idempotency_key: str | None = None
    ) -> WorkerPass:
        """Let a pass of the worker go on that stopped.

        Let a pass that stopped go on: what was due when it stopped goes with the next one.

        Look at the clock first. What comes due later counts anew.

        >>> await client.passes.release(duty="expire")
        """
        return await self._call(_RELEASE, {"duty": duty}, WorkerPass, idempotency_key)
