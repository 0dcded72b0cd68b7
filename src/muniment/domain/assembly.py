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
stands, and loses its last items until it fits.
"""

from collections.abc import Callable, Sequence
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

_CHARACTERS: Final = 8
"""Of a token, at most: a longer line is not even counted."""
_SURE: Final = 2
"""Of a token, about: where there are fewer, everything may fit, and is tried at once."""


class TooSmall(ValueError):
    """What is required takes ``needed`` tokens, and there are fewer."""

    def __init__(self, needed: int) -> None:
        super().__init__(f"{needed} tokens are needed")
        self.needed = needed


@dataclass(frozen=True, slots=True)
class Part:
    """A section: what stands before and after its lines, and those, the best first.

    ``places``: by which they are shown, one a line; without, as they come. ``share``: of the room
    that what is required leaves.
    """

    section: Section
    head: str
    foot: str
    lines: Sequence[str]
    share: float = 0.0
    places: Sequence[Any] = ()

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
    whole = [list(range(len(part.lines))) for part in parts]
    if sum(len(line) for part in parts for line in part.lines) <= _SURE * budget:
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
        self._measure(at, allowed)
        for place in range(len(part.lines)):
            cost = self._costs.get((at, place))
            if place in kept or cost is None:
                continue
            cost += 0 if kept else self._frame(at)
            if used + cost <= allowed:
                kept.append(place)
                used += cost
        self.left -= used
        return used

    def _measure(self, at: int, allowed: float) -> None:
        lines = self.parts[at].lines
        places = [
            place
            for place, line in enumerate(lines)
            if (at, place) not in self._costs and len(line) <= _CHARACTERS * allowed
        ]
        costs = self.count([f"{lines[place]}\n" for place in places])
        self._costs.update({(at, place): cost for place, cost in zip(places, costs, strict=True)})

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
