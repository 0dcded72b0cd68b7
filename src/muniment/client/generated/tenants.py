"""The family tenants. Generated; do not edit."""

from dataclasses import dataclass
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.client.generated.shared import (
    NewKey,
)


@dataclass(frozen=True)
class NewTenant:
    """A tenant and the secret of its admin key, shown this once."""

    tenant_id: UUID
    name: str
    key: NewKey


_CREATE = Endpoint("tenants.create", "POST", "/v1/tenants", writes=True)


class TenantsCalls:
    """Calls of the family tenants."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, name: str, idempotency_key: str | None = None) -> NewTenant:
        """Make a tenant with its first admin key.

        A tenant of its own, with its first admin key.

        >>> client.tenants.create(name="main")
        """
        return self._call(_CREATE, {"name": name}, NewTenant, idempotency_key)


class AsyncTenantsCalls:
    """Calls of the family tenants."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(self, *, name: str, idempotency_key: str | None = None) -> NewTenant:
        """Make a tenant with its first admin key.

        A tenant of its own, with its first admin key.

        >>> await client.tenants.create(name="main")
        """
        return await self._call(_CREATE, {"name": name}, NewTenant, idempotency_key)
