"""Which items of a context fit into so many tokens: whole lines, by sections in an order (RULES
12).

| an item | then |
|---|---|
| of what is required | in; where all of that does not fit, nothing is assembled: TooSmall |
| within the share of its section, and what sections before it left of theirs | in |
| beyond that, and the last section left room | in, the first sections first |
| beyond that too | dropped |
| everything fits | in, whatever the shares |

Tokens of a whole are not the sum of those of its lines: the text that is made is counted as it
stands, and loses its last items until it fits. A line is counted until it is known not to fit; a
section in which too much was counted in vain tries no more.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

Section = Literal[
    "required_workarounds", "run_state", "profile", "facts", "findings", "interactions",
    "knowledge",
]  # fmt: skip
SECTIONS: tuple[Section, ...] = get_args(Section)
"""In the order of RULES 12.1."""
REQUIRED: Final[Section] = "required_workarounds"
LEAST_TOKENS: Final = 100
MOST_TOKENS: Final = 100_000
"""What a budget may be."""

Count = Callable[[Sequence[str]], Sequence[int]]
"""How many tokens each of these texts is."""

_SURE: Final = 2
"""Characters of a token, about: where there are fewer, everything may fit, and is tried at once."""
_PIECE: Final = 1_024
_LONGEST_PIECE: Final = 8_192
"""A line is counted by pieces of so many characters, each twice as long as the one before."""
_IN_VAIN: Final = 20_000
"""So many tokens more than it has room for may a section count of lines that do not fit."""


class TooSmall(ValueError):
    """What is required takes ``needed`` tokens, and there are fewer."""

    def __init__(self, needed: int) -> None:
        super().__init__(f"{needed} tokens are needed")
        self.needed = needed


@dataclass(frozen=True, slots=True)
class Part:
    """A section: what stands before and after its lines, and those, the best first.

    ``places``: by which they are shown, one a line; without, as they come. ``share``: of the room
    that what is required leaves. ``out``: lines that are not wanted.
    """

    section: Section
    head: str
    foot: str
    lines: Sequence[str]
    share: float = 0.0
    places: Sequence[Any] = ()
    out: Collection[int] = ()

    @property
    def wanted(self) -> list[int]:
        """The lines that may be in."""
        return [at for at in range(len(self.lines)) if at not in self.out]

    @property
    def required(self) -> bool:
        """Whether none of it may be left out."""
        return self.section == REQUIRED

    def shown(self, kept: Sequence[int]) -> list[int]:
        """The lines that are kept, in the order in which they are shown."""
        if not self.places:
            return sorted(kept)
        return sorted(kept, key=lambda at: (self.places[at], at))


@dataclass(frozen=True, slots=True)
class Packed:
    """Which lines of each part are in, in the order in which they are shown; the text of all."""

    kept: tuple[tuple[int, ...], ...]
    text: str
    tokens: int


def pack(preface: str, parts: Sequence[Part], budget: int, count: Count) -> Packed:
    """The text of what fits, after the preface; none where nothing does. Raises TooSmall."""
    whole = [part.wanted for part in parts]
    length = sum(
        len(part.lines[at]) for part, every in zip(parts, whole, strict=True) for at in every
    )
    if length <= _SURE * budget:
        packed = _packed(preface, parts, whole, count)
        if packed.tokens <= budget:
            return packed
    required = [every if part.required else [] for part, every in zip(parts, whole, strict=True)]
    least = _packed(preface, parts, required, count)
    if least.tokens > budget:
        raise TooSmall(least.tokens)
    base = least.tokens or count([f"{preface}\n\n"])[0]
    room = _Room(parts, required, count, budget - base)
    room.by_shares()
    room.what_is_left()
    return _fitted(preface, parts, room.kept, budget, count)


@dataclass
class _Room:
    """What is kept so far, and how many tokens there are for more."""

    parts: Sequence[Part]
    kept: list[list[int]]
    count: Count
    left: int
    _costs: dict[tuple[int, int], int] = field(default_factory=dict)
    _least: dict[tuple[int, int], int] = field(default_factory=dict)

    def by_shares(self) -> None:
        """Each section within its share, and what those before it did not use."""
        room, carried = self.left, 0.0
        for at, part in enumerate(self.parts):
            if part.required:
                continue
            allowed = room * part.share + carried
            carried = allowed - self._take(at, min(allowed, self.left))

    def what_is_left(self) -> None:
        """Whatever fits still, the first sections first."""
        for at, part in enumerate(self.parts):
            if not part.required:
                self._take(at, self.left)

    def _take(self, at: int, allowed: float) -> int:
        part, kept, used = self.parts[at], self.kept[at], 0
        in_vain = allowed + _IN_VAIN
        for place in part.wanted:
            frame = 0 if kept else self._frame(at)
            if place in kept or used + frame >= allowed:
                continue
            if in_vain <= 0:
                break
            room = allowed - used - frame
            cost, counted = self._measure(at, place, room)
            if cost is None or cost > room:
                in_vain -= counted
            else:
                kept.append(place)
                used += cost + frame
        self.left -= used
        return used

    def _measure(self, at: int, place: int, room: float) -> tuple[int | None, int]:
        """What a line costs, or None for more than there is room for; how much was counted."""
        one = (at, place)
        if one in self._costs or self._least.get(one, 0) > room:
            return self._costs.get(one), 0
        line, start, size, cost = f"{self.parts[at].lines[place]}\n", 0, _PIECE, 0
        while start < len(line):
            cost += self.count([line[start : start + size]])[0]
            start, size = start + size, min(2 * size, _LONGEST_PIECE)
            if cost > room and start < len(line):
                self._least[one] = cost
                return None, cost
        self._costs[one] = cost
        return cost, cost

    def _frame(self, at: int) -> int:
        if (at, -1) not in self._costs:
            part = self.parts[at]
            self._costs[at, -1] = sum(self.count([f"{part.head}\n", f"{part.foot}\n\n"]))
        return self._costs[at, -1]


def _fitted(
    preface: str, parts: Sequence[Part], kept: list[list[int]], budget: int, count: Count
) -> Packed:
    """The text, without the last items that make it too long."""
    while True:
        packed = _packed(preface, parts, kept, count)
        if packed.tokens <= budget:
            return packed
        last = next(at for at in reversed(range(len(parts))) if kept[at] and not parts[at].required)
        kept[last].remove(max(kept[last]))


def _packed(
    preface: str, parts: Sequence[Part], kept: Sequence[Sequence[int]], count: Count
) -> Packed:
    shown = [part.shown(places) for part, places in zip(parts, kept, strict=True)]
    blocks = [
        "\n".join([part.head, *(part.lines[at] for at in places), part.foot])
        for part, places in zip(parts, shown, strict=True)
        if places
    ]
    text = "\n\n".join([preface, *blocks]) + "\n" if blocks else ""
    return Packed(tuple(tuple(one) for one in shown), text, count([text])[0] if text else 0)
