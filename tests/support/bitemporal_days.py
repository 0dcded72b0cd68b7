"""Days of the small world of the model: those that follow on each other, touch or meet."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

DAYS = 12
T = TypeVar("T")


def runs(days: Iterable[int]) -> list[range]:
    """Days that follow on each other, together."""
    found: list[range] = []
    for d in sorted(days):
        if found and found[-1][-1] + 1 == d:
            found[-1] = range(found[-1][0], d + 1)
        else:
            found.append(range(d, d + 1))
    return found


def alike(cells: Sequence[T | None], key: Callable[[T], object]) -> list[range]:
    """Days that follow on each other and hold alike."""
    found: list[range] = []
    for d, cell in enumerate(cells):
        if cell is None:
            continue
        before = cells[d - 1] if d else None
        if found and before is not None and key(before) == key(cell):
            found[-1] = range(found[-1][0], d + 1)
        else:
            found.append(range(d, d + 1))
    return found


def ending(run: range) -> Iterator[int]:
    """Where days end, unless that is the last of all."""
    if run[-1] + 1 < DAYS:
        yield run[-1] + 1


def touch(day: int, days: range) -> bool:
    """True for one of the days, or one right beside them."""
    return days[0] - 1 <= day <= days[-1] + 1


def beside(run: range, piece: range) -> bool:
    """True if the days touch a piece at one of their ends."""
    return touch(run[0], piece) or touch(run[-1], piece)


def meet(days: Sequence[int], others: Sequence[int]) -> bool:
    """True if they have a day in common."""
    return not set(days).isdisjoint(others)
