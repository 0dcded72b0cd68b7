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


_GET = Endpoint("policy.get", "GET", "/v1/policy")


_PUT = Endpoint("policy.put", "PUT", "/v1/policy", writes=True)


class PolicyCalls:
    """Calls of the family policy."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(
        self,
    ) -> TenantsPolicy:
        """Show the policy, and what the tenant changes of it.

        The policy of the tenant.
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
        """
        return self._call(
            _PUT, {"document": document, "if_version": if_version}, PolicyChanged, idempotency_key
        )


class AsyncPolicyCalls:
    """Calls of the family policy."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(
        self,
    ) -> TenantsPolicy:
        """Show the policy, and what the tenant changes of it.

        The policy of the tenant.
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
        """
        return await self._call(
            _PUT, {"document": document, "if_version": if_version}, PolicyChanged, idempotency_key
        )
