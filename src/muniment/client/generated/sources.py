"""The family sources. Generated; do not edit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class DataSource:
    """A data source with its other names."""

    name: str
    aliases: tuple[str, ...]
    owner: str | None
    defined_at: datetime


@dataclass(frozen=True)
class DataSources:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[DataSource, ...]
    next: str | None


_DEFINE = Endpoint("sources.define", "PUT", "/v1/sources/{name}", writes=True)
_LIST = Endpoint("sources.list", "GET", "/v1/sources")


class SourcesCalls:
    """Calls of the family sources."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def define(
        self,
        *,
        name: str,
        aliases: Sequence[str] = (),
        owner: str | None = None,
        idempotency_key: str | None = None,
    ) -> DataSource:
        """Define a data source, its other names and its owner.

        Define a data source, or say anew what else it is called and who answers for it.

        What is held under any of its names is held on it; a legal hold on it is on every name
        that it gets. ``owner`` is the principal whose word alone ends a fault of the data. A
        source that nobody defined has one name and no owner.

        >>> client.sources.define(name="main")
        """
        return self._call(
            _DEFINE, {'name': name, 'aliases': aliases, 'owner': owner}, DataSource,
            idempotency_key
        )  # fmt: skip

    def list(self, *, cursor: str | None = None, limit: int = 100) -> DataSources:
        """List the data sources that were defined.

        Defined sources in the order of their names.

        >>> client.sources.list()
        """
        return self._call(_LIST, {"cursor": cursor, "limit": limit}, DataSources)


class AsyncSourcesCalls:
    """Calls of the family sources."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def define(
        self,
        *,
        name: str,
        aliases: Sequence[str] = (),
        owner: str | None = None,
        idempotency_key: str | None = None,
    ) -> DataSource:
        """Define a data source, its other names and its owner.

        Define a data source, or say anew what else it is called and who answers for it.

        What is held under any of its names is held on it; a legal hold on it is on every name
        that it gets. ``owner`` is the principal whose word alone ends a fault of the data. A
        source that nobody defined has one name and no owner.

        >>> await client.sources.define(name="main")
        """
        return await self._call(
            _DEFINE, {'name': name, 'aliases': aliases, 'owner': owner}, DataSource,
            idempotency_key
        )  # fmt: skip

    async def list(self, *, cursor: str | None = None, limit: int = 100) -> DataSources:
        """List the data sources that were defined.

        Defined sources in the order of their names.

        >>> await client.sources.list()
        """
        return await self._call(_LIST, {"cursor": cursor, "limit": limit}, DataSources)
