"""The family schemas. Generated; do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class ArtifactSchema:
    """A version of a type."""

    name: str
    version: int
    schema: dict[str, Any]
    registered_at: datetime


@dataclass(frozen=True)
class ArtifactSchemas:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[ArtifactSchema, ...]
    next: str | None


_REGISTER = Endpoint("schemas.register", "PUT", "/v1/schemas/{name}", writes=True)
_LIST = Endpoint("schemas.list", "GET", "/v1/schemas")


class SchemasCalls:
    """Calls of the family schemas."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def register(
        self, *, name: str, schema: Mapping[str, Any], idempotency_key: str | None = None
    ) -> ArtifactSchema:
        """Register the next version of a type of artifacts.

        Register the next version of a type. It stands for itself: references lead into it
        alone, patterns are those of RE2, formats are notes.

        >>> client.schemas.register(name="main", schema={})
        """
        return self._call(
            _REGISTER, {'name': name, 'schema': schema}, ArtifactSchema, idempotency_key
        )  # fmt: skip

    def list(self, *, cursor: str | None = None, limit: int = 20) -> ArtifactSchemas:
        """List types of artifacts and their versions.

        Every version of every type, by name and version.

        >>> client.schemas.list()
        """
        return self._call(_LIST, {"cursor": cursor, "limit": limit}, ArtifactSchemas)


class AsyncSchemasCalls:
    """Calls of the family schemas."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def register(
        self, *, name: str, schema: Mapping[str, Any], idempotency_key: str | None = None
    ) -> ArtifactSchema:
        """Register the next version of a type of artifacts.

        Register the next version of a type. It stands for itself: references lead into it
        alone, patterns are those of RE2, formats are notes.

        >>> await client.schemas.register(name="main", schema={})
        """
        return await self._call(
            _REGISTER, {'name': name, 'schema': schema}, ArtifactSchema, idempotency_key
        )  # fmt: skip

    async def list(self, *, cursor: str | None = None, limit: int = 20) -> ArtifactSchemas:
        """List types of artifacts and their versions.

        Every version of every type, by name and version.

        >>> await client.schemas.list()
        """
        return await self._call(_LIST, {"cursor": cursor, "limit": limit}, ArtifactSchemas)
