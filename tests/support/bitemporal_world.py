"""Places of several scopes as they go on together, with their decisions and their past."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tests.support.bitemporal import RANK, Cell, Claim, Place, Said, State
from tests.support.bitemporal_days import DAYS, alike, runs

Cells = tuple[Cell | None, ...]


@dataclass
class Past:
    """A decision: the place before and after, the memory that it is about, and when.

    ``erased``: what it moved, or a decision beside it, is erased, so that an undo may be refused.
    """

    place: str
    memory: int
    at: object
    before: State
    after: State
    erased: bool = False

    def touches(self, memory: int) -> bool:
        """True if it is about the memory, or moved it."""
        moved = {claim.memory for claim in self.before.claims ^ self.after.claims}
        for was, now in zip(self.before.cells, self.after.cells, strict=True):
            if was != now:
                moved |= {cell.memory for cell in (was, now) if cell}
        return memory == self.memory or memory in moved


@dataclass
class Scope:
    """The places of one scope, the decisions, and what was held at each moment of its record."""

    places: dict[str, Place]
    decisions: list[Past] = field(default_factory=list)
    moments: list[tuple[object, dict[str, Cells]]] = field(default_factory=list)

    def memories(self, *, asserted: bool = False) -> list[tuple[str, int]]:
        """Every memory that is held now, with its place."""
        found: dict[tuple[str, int], None] = {}
        for name, place in self.places.items():
            for cell in place.state.cells:
                if cell:
                    found[name, cell.memory] = None
            for claim in () if asserted else place.in_order():
                found[name, claim.memory] = None
        return list(found)

    def known(self) -> list[tuple[str, int]]:
        """Every memory that a decision is about, with its place."""
        return list(dict.fromkeys((one.place, one.memory) for one in self.decisions))

    def expired(self, memory: int, now: float) -> bool:
        """True if nothing that was ever held of the memory lives on."""
        states = [state for one in self.decisions for state in (one.before, one.after)]
        cells = [cell for state in states for cell in state.cells if cell and cell.memory == memory]
        claimed = any(claim.memory == memory for state in states for claim in state.claims)
        return not claimed and all(cell.gone is not None and cell.gone <= now for cell in cells)

    def change(
        self, name: str, now: float, act: Callable[[Place], int | None]
    ) -> tuple[int | None, Past]:
        """Do something to a place; what it answers, and the decision (not yet noted)."""
        place = self.places[name]
        place.let_go(now)
        before = place.state
        memory = act(place)
        past = Past(name, -1 if memory is None else memory, None, before, place.state)
        return memory, past

    def note(self, at: object) -> None:
        """What is held now is what was held at this moment of the record."""
        held = {name: place.state.cells for name, place in self.places.items()}
        self.moments.append((at, held))

    def forget(self, memory: int) -> list[Past]:
        """Erase a memory everywhere; what nothing stands against any more is held."""

        def clean(cells: Cells) -> Cells:
            return tuple(None if cell and cell.memory == memory else cell for cell in cells)

        for place in self.places.values():
            place.turn += 1
            state = place.state
            place.state = State(
                clean(state.cells),
                frozenset(one for one in state.claims if one.memory != memory),
                frozenset(link for link in state.links if memory not in (link[0], link[2])),
                frozenset(one for one in state.turns if one[0] != memory),
            )
        lost = {one.place for one in self.decisions if one.memory == memory}
        self.decisions = [one for one in self.decisions if one.memory != memory]
        for one in self.decisions:
            one.erased = one.erased or one.touches(memory) or one.place in lost
        self.moments = [
            (at, {name: clean(cells) for name, cells in held.items()}) for at, held in self.moments
        ]
        return [past for name in self.places for past in self._undisputed(name)]

    def _undisputed(self, name: str) -> list[Past]:
        place, found = self.places[name], []
        for claim in place.in_order():
            if any(place.state.cells[d] for d in claim.days):
                continue
            before, cells = place.state, list(place.state.cells)
            for d in claim.days:
                cells[d] = Cell(claim.value, claim.grade, claim.memory, claim.seen)
            place.state = replace(before, cells=tuple(cells), claims=before.claims - {claim})
            found.append(Past(name, claim.memory, None, before, place.state))
        return found


def held_of(place: Place, memory: int) -> tuple[list[int], list[Claim]]:
    """The days that a memory holds, and what it claims, in order."""
    days = [d for d, cell in enumerate(place.state.cells) if cell and cell.memory == memory]
    claims = [claim for claim in place.state.claims if claim.memory == memory]
    return days, sorted(claims, key=lambda claim: claim.start)


def retract(place: Place, memory: int, at: int, grade: str) -> str:
    """``retracted``, ``rejected``, or ``not held`` from then on."""
    place.turn += 1
    days, claims = held_of(place, memory)
    if days:
        gone = [d for d in days if d >= at]
        if not gone:
            return "not held"
        cells = place.state.cells
        if any(RANK[grade] > RANK[cell.grade] for d in gone if (cell := cells[d])):
            return "rejected"
        _take(place, memory, gone)
        return "retracted"
    over = [one for one in claims if one.end > at and RANK[grade] <= RANK[one.grade]]
    kept = {replace(one, end=at, written=place.turn) for one in over if one.start < at}
    place.state = replace(place.state, claims=place.state.claims - set(over) | kept)
    return "retracted" if over else "not held"


def _take(place: Place, memory: int, gone: Sequence[int]) -> None:
    """The days go, back to what the memory took them from where it had not begun before."""
    cells, links = list(place.state.cells), set(place.state.links)
    links -= {link for link in links if link[:2] == (memory, gone[0])}
    left: list[int] = []
    for run in runs(gone):
        start, end = run[0], run[-1] + 1
        before = place.state.cells[start - 1] if start else None
        takers = {link[2] for link in links if link[:2] == (memory, end)}
        links -= {link for link in links if link[:2] == (memory, end)}
        value = place.state.cells[start]
        other = before is not None and value is not None and before.value != value.value
        back = other and before is not None and (before.memory, start, memory) in links
        for d in run:
            cells[d] = before if back else None
        if before is not None and back:
            links -= {link for link in links if link[:2] == (before.memory, start)}
            links |= {(before.memory, end, taker) for taker in takers}
        else:
            left += run
    place.state = replace(place.state, cells=tuple(cells), links=frozenset(links))
    place.free(left)


def correct(place: Place, memory: int, right: Said, new: int) -> int:
    """The memory's days say something else; the memory that holds it."""
    holder = _corrected(place, memory, right, new)
    place.cite(holder, right)
    return holder


def _corrected(place: Place, memory: int, right: Said, new: int) -> int:
    days, _ = held_of(place, memory)
    cells = place.state.cells
    windows = [run for run in alike(cells, lambda cell: cell) if run[0] in days]
    first = windows[0]
    if any(RANK[right.grade] > RANK[cell.grade] for d in days if (cell := cells[d])):
        return _beside(place, right, windows, new)
    bare = tuple(None if d in days else cell for d, cell in enumerate(cells))
    links = frozenset(link for link in place.state.links if link[0] != memory)
    place.state = replace(place.state, cells=bare, links=links)
    if len(windows) == 1:
        end = None if first[-1] + 1 == DAYS else first[-1] + 1
        said = replace(right, start=first[0], end=end)
        holder = place.state_value(said, new, right.told)
        if any(place.state.cells[d] is None for d in first):
            place.hold(said, [first], new)
            return new
        return holder
    place.turn += 1
    place.hold(right, windows, new)
    return new


def _beside(place: Place, right: Said, windows: Sequence[range], new: int) -> int:
    place.turn += 1
    again = [
        claim
        for claim in sorted(place.state.claims, key=lambda claim: claim.start)
        if claim.value == right.value and not set(claim.days).isdisjoint(windows[0])
    ]
    if again:
        return again[0].memory
    claims = {
        Claim(right.value, right.grade, new, run[0], run[-1] + 1, place.turn, right.told)
        for run in windows
    }
    place.state = replace(place.state, claims=place.state.claims | claims)
    return new


def confirm(place: Place, memory: int, said: Said) -> int:
    """Seen again: what holds it on that day, or else the last of it, if as good a source says so."""
    place.turn += 1
    day = min(int(said.told), DAYS - 1)
    days, claims = held_of(place, memory)
    held = [run for run in alike(place.state.cells, lambda cell: cell) if run[0] in days]
    held = held or [claim.days for claim in claims]
    run = next((run for run in held if day in run), held[-1])
    place.renew(memory, said, at=run[0])
    place.cite(memory, said)
    return memory


def undo(place: Place, past: Past, now: float) -> None:
    """What was before the decision is held again; raises AssertionError where it cannot be."""
    place.turn += 1

    def live(cell: Cell | None) -> Cell | None:
        return cell if cell and (cell.gone is None or cell.gone > now) else None

    cells, lost = list(place.state.cells), []
    for d, (was, then) in enumerate(zip(past.before.cells, past.after.cells, strict=True)):
        if was != then:
            assert cells[d] == live(then), f"day {d} has changed since"
            cells[d] = live(was)
            lost += [d] if then and was is None else []
    added, removed = past.after.claims - past.before.claims, past.before.claims - past.after.claims
    assert added <= place.state.claims, "a claim has changed since"
    again = {replace(claim, written=place.turn) for claim in removed}
    links = place.state.links - (past.after.links - past.before.links)
    place.state = State(
        tuple(cells),
        place.state.claims - added,
        links | (past.before.links - past.after.links),
        place.state.turns - (past.after.turns - past.before.turns)
        | (past.before.turns - past.after.turns),
    )
    place.free(lost)
    place.state = replace(place.state, claims=place.state.claims | again)
