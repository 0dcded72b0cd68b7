"""The family governance. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class GovernanceLine:
    """A table or a kind. ``driver`` is why it is kept, ``ends`` until when, ``deletion`` how a
    forget reaches it; ``held``: a legal hold keeps it. ``overdue`` rows are past their time and not
    removed yet; no read shows them.
    """

    name: str
    what: str
    layer: str
    owner: str
    retention_class: str
    driver: str
    ends: str
    locked: bool
    deletion: str
    held: bool
    rows: int
    oldest: datetime | None
    overdue: int


@dataclass(frozen=True)
class GovernanceReport:
    """Read from the schema and the policy as they are. ``unregistered`` tables say nothing of
    themselves, or have rows that no forget reaches: there should be none.
    """

    generated_at: datetime
    tables: tuple[GovernanceLine, ...]
    kinds: tuple[GovernanceLine, ...]
    unregistered: tuple[str, ...]


_REPORT = Endpoint("governance.report", "GET", "/v1/governance")


class GovernanceCalls:
    """Calls of the family governance."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def report(
        self,
    ) -> GovernanceReport:
        """Report every table and kind: whose, for how long, and how it goes.

        The report of the tenant.

        >>> client.governance.report()
        """
        return self._call(_REPORT, {}, GovernanceReport)


class AsyncGovernanceCalls:
    """Calls of the family governance."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def report(
        self,
    ) -> GovernanceReport:
        """Report every table and kind: whose, for how long, and how it goes.

        The report of the tenant.

        >>> await client.governance.report()
        """
        return await self._call(_REPORT, {}, GovernanceReport)
