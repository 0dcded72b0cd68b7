"""The tool ledger a second time, as plainly as it can be said; and a loop for synchronous tests."""

import asyncio
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.support.databases import Database
from tests.support.world import Local, Tenant, local_service

T = TypeVar("T")


@dataclass
class _Key:
    """What is known of a key: attempts that were begun, by which fence, and what is held."""

    arguments: int
    attempts: int = 1
    fence: int = 1
    held: str = "nothing"  # or succeeded, failed, unsure, yes, no
    body: bytes | None = None


@dataclass
class LedgerModel:
    """One run. Methods answer as the service, or with the code of the error."""

    harmless: bool
    fence: int = 1
    closed: bool = False
    keys: dict[str, _Key] = field(default_factory=dict)

    def take_over(self) -> int:
        self.fence += 1
        return self.fence

    def _unsure(self, one: _Key) -> bool:
        return one.held == "unsure" or (
            one.held == "nothing" and (self.closed or one.fence < self.fence)
        )

    def claim(self, key: str, arguments: int, fence: int, retry: bool) -> Any:
        """(answer, attempt, body); what was closed tells what came of calls, and begins none."""
        if fence != self.fence:
            return "lease_lost"
        one = self.keys.get(key)
        if one is None and self.closed:
            return "run_closed"
        if one is None:
            self.keys[key] = _Key(arguments, fence=fence)
            return "execute", 1, None
        if one.arguments != arguments:
            return "tool_conflict"
        unsure = self._unsure(one)
        if unsure and not self.harmless:
            return "in_doubt", one.attempts, None
        if unsure or one.held == "no" or (one.held == "failed" and retry):
            if self.closed:
                return "run_closed"
            self.keys[key] = _Key(arguments, one.attempts + 1, fence)
            return "execute", one.attempts + 1, None
        if one.held == "nothing":
            return "in_flight", one.attempts, None
        return "replay", one.attempts, one.body

    def record(self, key: str, attempt: int, status: str, body: bytes | None) -> Any:
        """Whether it was there before."""
        one = self.keys.get(key)
        if one is None or attempt > one.attempts:
            return "not_claimed"
        said = {"succeeded": "succeeded", "failed": "failed", "in_doubt": "unsure"}[status]
        if (one.held, one.body) == (said, body):
            return True
        if (one.held, said) == ("yes", "succeeded") and one.body == body:
            return True
        late, good = attempt < one.attempts, said == "succeeded"
        fits = {
            "nothing": good or not late,
            "unsure": good or not late,
            "failed": good and late,
            "no": good,
        }
        if not fits.get(one.held, False):
            return "result_conflict"
        one.held, one.body = said, body
        return False

    def settle(self, key: str, happened: bool, body: bytes | None) -> Any:
        """Whether it was there before."""
        one = self.keys.get(key)
        if one is None:
            return "not_claimed"
        said = "yes" if happened else "no"
        if (one.held, one.body) == (said, body):
            return True
        if not self._unsure(one):
            return "not_in_doubt"
        one.held, one.body = said, body
        return False

    def statuses(self) -> dict[str, str]:
        """As people see them."""
        words = {"yes": "settled", "no": "not_attempted", "nothing": "claimed"}
        return {
            f"t:{key}": "in_doubt" if self._unsure(one) else words.get(one.held, one.held)
            for key, one in self.keys.items()
        }


class Loop:
    """A service on an event loop of its own, for tests that are not asynchronous."""

    def __enter__(self) -> Self:
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._service: Local | None = None
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.run(self._stack.aclose())
        self._runner.close()

    def run(self, work: Awaitable[T]) -> T:
        """Wait for something."""

        async def waited() -> T:
            return await work

        return self._runner.run(waited())

    def tenant(self, database: Database) -> Tenant:
        """A new tenant of the service."""
        if self._service is None:
            opened = local_service(database.conninfo(), seed="ledger")
            self._service = self.run(self._stack.enter_async_context(opened))
        return self.run(self._service.tenant())
