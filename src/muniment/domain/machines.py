"""State machines of runs: stages, and the moves that are allowed between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Move:
    """From one stage to another; ``gate`` is whose approval it needs, if it needs one."""

    source: str
    target: str
    gate: str | None = None


@dataclass(frozen=True)
class Machine:
    """Where a run begins, and where it may go from there."""

    initial: str
    moves: Sequence[Move]

    def allowed(self, stage: str) -> list[str]:
        """The stages that a run may go to from one."""
        return sorted({one.target for one in self.moves if one.source == stage})

    def move(self, stage: str, target: str) -> Move | None:
        """The move between two stages, if there is one."""
        found = [one for one in self.moves if (one.source, one.target) == (stage, target)]
        return found[0] if found else None


def machine_faults(machine: Machine) -> Iterator[tuple[int | None, str]]:
    """What is wrong with a definition: the place of the move, or None for the start, and why."""
    reached = {machine.initial}
    grown = True
    while grown:
        more = {one.target for one in machine.moves if one.source in reached} - reached
        reached |= more
        grown = bool(more)
    seen: set[tuple[str, str]] = set()
    for place, one in enumerate(machine.moves):
        if (one.source, one.target) in seen:
            yield place, "is there already"
        elif one.source not in reached:
            yield place, "begins at a stage that no run reaches"
        seen.add((one.source, one.target))
