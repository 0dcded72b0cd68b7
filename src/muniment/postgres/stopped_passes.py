"""How many passes of the worker wait for an operator, for metrics."""

import asyncio
from collections.abc import Callable, Mapping
from uuid import UUID

from muniment.errors import MunimentError
from muniment.ports import Units

SECONDS = 60.0
_ANY_TENANT = UUID(int=0)


class StoppedPasses:
    """Looks every minute, over all tenants; ``run`` does so until it is cancelled."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self.count = 0

    def figures(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """Figures for metrics: what each is, and how to get it."""
        what = "Passes of expiry or decay that stopped and wait for an operator."
        return {"passes_stopped": (what, lambda: self.count)}

    async def run(self) -> None:
        """Look again and again."""
        while True:
            await self.refresh()
            await asyncio.sleep(SECONDS)

    async def refresh(self) -> None:
        """Look once. A database that does not answer leaves what is known."""
        try:
            async with self._units.open(_ANY_TENANT) as unit:
                self.count = int(await unit.value("stopped_passes"))
        except MunimentError:
            return
