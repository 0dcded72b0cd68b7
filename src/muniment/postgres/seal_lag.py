"""How long the oldest audit entry waits for its seal, for metrics."""

import asyncio
from collections.abc import Callable, Mapping
from uuid import UUID

from muniment.errors import MunimentError
from muniment.ports import Units

SECONDS = 5.0
_ANY_TENANT = UUID(int=0)


class SealLag:
    """Looks every five seconds, over all tenants; ``run`` does so until it is cancelled."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self.seconds = 0.0

    def figures(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """Figures for metrics: what each is, and how to get it."""
        what = "How long the oldest audit entry waits for its seal."
        return {"audit_seal_lag_seconds": (what, lambda: self.seconds)}

    async def run(self) -> None:
        """Look again and again."""
        while True:
            await self.refresh()
            await asyncio.sleep(SECONDS)

    async def refresh(self) -> None:
        """Look once. A database that does not answer leaves what is known."""
        try:
            async with self._units.open(_ANY_TENANT) as unit:
                self.seconds = float(await unit.value("seal_lag"))
        except MunimentError:
            return
