"""The family policy. Generated; do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class TenantsPolicy:
    """What the tenant changes, and the policy that holds by that. Slots have a list of their own.

    ``version`` is that of ``document``, 0 where the tenant never changed anything.
    """

    version: int
    document: dict[str, Any]
    effective: dict[str, Any]
    changed_at: datetime | None


@dataclass(frozen=True)
class PolicyChanged:
    """``shortened`` items live shorter by it, and ``expired`` of them are over by that."""

    version: int
    shortened: int
    expired: int


@dataclass(frozen=True)
class KindOutlook:
    """Of ``held`` items of a kind, how many would be kept as they are, archived, and over."""

    kind: str
    held: int
    kept: int
    archived: int
    expired: int


@dataclass(frozen=True)
class Returns:
    """Days until an item was recalled again, of the answers that are logged: the median, and what
    nine of ten stay below. The half-life suggested keeps an importance of 5 for these.
    """

    intervals: int
    median_days: float | None
    nine_tenths_days: float | None
    suggested_half_life_days: float | None


@dataclass(frozen=True)
class Simulation:
    """By kind, with the half-life that was assumed. What is in quarantine does not count."""

    at: datetime
    until: datetime
    half_life_days: float
    kinds: tuple[KindOutlook, ...]
    returns: Returns


_GET = Endpoint("policy.get", "GET", "/v1/policy")
_PUT = Endpoint("policy.put", "PUT", "/v1/policy", writes=True)
_SIMULATE = Endpoint("policy.simulate", "POST", "/v1/policy/simulate")


class PolicyCalls:
    """Calls of the family policy."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(
        self,
    ) -> TenantsPolicy:
        """Show the policy, and what the tenant changes of it.

        The policy of the tenant.

        >>> client.policy.get()
        """
        return self._call(_GET, {}, TenantsPolicy)

    def put(
        self,
        *,
        document: Mapping[str, Any],
        if_version: int | None = None,
        idempotency_key: str | None = None,
    ) -> PolicyChanged:
        """Change the policy for the tenant.

        ``document`` names what differs from the installation's policy, in its tables; an empty
        one takes all changes back. ``if_version`` asks that this version be there, 0 that there
        be none.

        >>> client.policy.put(document={"working": {"ttl_hours": 12}})
        """
        return self._call(
            _PUT, {'document': document, 'if_version': if_version}, PolicyChanged, idempotency_key
        )  # fmt: skip

    def simulate(self, *, until: datetime, document: Mapping[str, Any] | None = None) -> Simulation:
        """Show what a policy would keep, archive and expire by a date.

        What is held, looked at ``until`` a date, if nobody used or wrote anything more.

        ``document`` is what ``policy.put`` would take; without one the policy as it is.

        >>> client.policy.simulate(until=datetime(2026, 6, 1, 9, 30, tzinfo=UTC))
        """
        return self._call(_SIMULATE, {"until": until, "document": document}, Simulation)


class AsyncPolicyCalls:
    """Calls of the family policy."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(
        self,
    ) -> TenantsPolicy:
        """Show the policy, and what the tenant changes of it.

        The policy of the tenant.

        >>> await client.policy.get()
        """
        return await self._call(_GET, {}, TenantsPolicy)

    async def put(
        self,
        *,
        document: Mapping[str, Any],
        if_version: int | None = None,
        idempotency_key: str | None = None,
    ) -> PolicyChanged:
        """Change the policy for the tenant.

        ``document`` names what differs from the installation's policy, in its tables; an empty
        one takes all changes back. ``if_version`` asks that this version be there, 0 that there
        be none.

        >>> await client.policy.put(document={"working": {"ttl_hours": 12}})
        """
        return await self._call(
            _PUT, {'document': document, 'if_version': if_version}, PolicyChanged, idempotency_key
        )  # fmt: skip

    async def simulate(
        self, *, until: datetime, document: Mapping[str, Any] | None = None
    ) -> Simulation:
        """Show what a policy would keep, archive and expire by a date.

        What is held, looked at ``until`` a date, if nobody used or wrote anything more.

        ``document`` is what ``policy.put`` would take; without one the policy as it is.

        >>> await client.policy.simulate(until=datetime(2026, 6, 1, 9, 30, tzinfo=UTC))
        """
        return await self._call(_SIMULATE, {"until": until, "document": document}, Simulation)
