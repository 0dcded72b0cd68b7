"""State machines as they are stored, by name and version."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.domain.machines import Machine, Move
from muniment.ports import Context


@dataclass(frozen=True)
class MachineRow:
    """A version of a machine."""

    name: str
    version: int
    initial: str
    transitions: list[dict[str, Any]]
    defined_at: datetime

    @property
    def machine(self) -> Machine:
        """As the rules see it."""
        return Machine(self.initial, [Move(**one) for one in self.transitions])


async def find_machine(ctx: Context, name: str, version: int | None = None) -> MachineRow | None:
    """A version of a machine, by default the last."""
    return await ctx.unit.one(MachineRow, "machine_find", name=name, version=version)


def stored(moves: Sequence[Move]) -> list[dict[str, Any]]:
    """Moves as they are stored."""
    return [{"source": one.source, "target": one.target, "gate": one.gate} for one in moves]
