"""Which statements a service waits for: each is a round trip, whatever goes along with it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from muniment.ports import Unit
from muniment.postgres.unit_of_work import PostgresUnit, PostgresUnits
from tests.support.world import Local


class Counting(PostgresUnits):
    """Units that note the statements which are waited for."""

    asked: list[str]

    @asynccontextmanager
    async def open(self, tenant_id: UUID, *, reading: bool = False) -> AsyncIterator[Unit]:
        """A unit as it is, which notes."""
        async with super().open(tenant_id, reading=reading) as unit:
            assert isinstance(unit, PostgresUnit)
            unit.__class__ = CountingUnit
            unit.__dict__["asked"] = self.asked
            yield unit


class CountingUnit(PostgresUnit):
    """Notes what it executes by itself; what goes along with that takes no time of its own."""

    asked: list[str]

    async def _execute(self, factory: Any, query: str, params: Any) -> Any:
        self.asked.append(query)
        return await super()._execute(factory, query, params)

    async def begin(self) -> None:
        if not self._begun or self._waiting:
            self.asked.append("")
        await super().begin()


def counted(service: Local) -> list[str]:
    """What the service waits for from now on, but for its commits; "" for what waited alone."""
    units = Counting(service.world.units._pool)  # type: ignore[attr-defined]
    units.asked = []
    object.__setattr__(service.world, "units", units)
    return units.asked
