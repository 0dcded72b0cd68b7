"""Something that happens in the middle of an operation: before a statement of its transaction."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from muniment.ports import Sure, Unit, Units
from tests.support.world import Local, Tenant

T = TypeVar("T")
Action = Callable[[], Awaitable[Any]]


class InterposedUnits:
    """Transactions in which ``action`` runs before the first statement of this name, ``times``."""

    following: Units | None = None

    def __init__(self, units: Units, statement: str, action: Action, times: int = 1) -> None:
        self._units, self._statement, self._action = units, statement, action
        self._left = times
        self.happened = 0

    @asynccontextmanager
    async def open(self, tenant_id: UUID, *, reading: bool = False) -> AsyncIterator[Unit]:
        """A transaction of the real units."""
        async with self._units.open(tenant_id, reading=reading) as unit:
            yield _InterposedUnit(unit, self)

    async def reached(self, statement: str) -> None:
        """Called before each statement."""
        if statement == self._statement and self._left:
            self._left -= 1
            self.happened += 1
            await self._action()


class _InterposedUnit:
    def __init__(self, unit: Unit, units: InterposedUnits) -> None:
        self._unit, self._units = unit, units

    @property
    def tenant_id(self) -> UUID:
        return self._unit.tenant_id

    def provided(
        self, row: type[T], query: str, check: Callable[[Sequence[T]], None],
        sure: Sure | None = None, /, **params: Any,
    ) -> None:  # fmt: skip
        self._unit.provided(row, query, check, sure, **params)

    async def ahead(self) -> None:
        await self._unit.ahead()

    async def one(self, row: type[T], query: str, /, **params: Any) -> T | None:
        await self._units.reached(query)
        return await self._unit.one(row, query, **params)

    async def rows(self, row: type[T], query: str, /, **params: Any) -> list[T]:
        await self._units.reached(query)
        return await self._unit.rows(row, query, **params)

    async def value(self, query: str, /, **params: Any) -> Any:
        await self._units.reached(query)
        return await self._unit.value(query, **params)

    async def run(self, query: str, /, **params: Any) -> int:
        await self._units.reached(query)
        return await self._unit.run(query, **params)

    async def later(self, query: str, /, **params: Any) -> None:
        await self._units.reached(query)
        await self._unit.later(query, **params)

    async def many(self, query: str, params: Sequence[Mapping[str, Any]], /) -> None:
        await self._units.reached(query)
        await self._unit.many(query, params)

    def as_tenant(self, tenant_id: UUID) -> AbstractAsyncContextManager[Unit]:
        return self._unit.as_tenant(tenant_id)

    def undone(self) -> AbstractAsyncContextManager[None]:
        return self._unit.undone()

    def after_commit(self, action: Callable[[], None]) -> None:
        self._unit.after_commit(action)

    def after_rollback(self, action: Callable[[], None]) -> None:
        self._unit.after_rollback(action)


def interposed(
    tenant: Tenant, statement: str, action: Action, times: int = 1
) -> tuple[Tenant, InterposedUnits]:
    """The same tenant, whose operations have something happen in their middle."""
    service = tenant.service
    units = InterposedUnits(service.world.units, statement, action, times)
    world = replace(service.world, units=units)
    return replace(tenant, service=Local(world, service.clock, service.recalls)), units
