"""A small bitemporal memory of its own: what RULES 1 to 5 say, day by day, in plain lists.

A place is one slot of one subject, or one text. Its world axis has ``DAYS`` days, the last of which
stands for all time after; each day holds a value at a grade, of a memory, or nothing. Claims are
what is contested. There are no versions: what changed is seen by comparing two states.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.support.bitemporal_days import DAYS, alike, beside, ending, meet, runs, touch

RANK = {"u": 0, "o": 1, "g": 2}


@dataclass(frozen=True)
class Cell:
    """What a day holds. ``seen``: when it was last said; ``gone``: from when on it is expired."""

    value: str
    grade: str
    memory: int
    seen: float
    gone: float | None = None


@dataclass(frozen=True)
class Claim:
    """A contested value over some days; ``written`` orders those of one grade."""

    value: str
    grade: str
    memory: int
    start: int
    end: int
    written: int
    seen: float

    @property
    def days(self) -> range:
        """The days that it is about."""
        return range(self.start, self.end)


@dataclass(frozen=True)
class State:
    """One place: its days, its claims, who took over where a memory ends, and which turn of which
    instant said a memory.
    """

    cells: tuple[Cell | None, ...] = (None,) * DAYS
    claims: frozenset[Claim] = frozenset()
    links: frozenset[tuple[int, int, int]] = frozenset()
    turns: frozenset[tuple[int, float, int]] = frozenset()


@dataclass(frozen=True)
class Said:
    """A statement: a value from a day on, until another one or openly, at a grade; the turn that
    it was said in, if it was said in one.
    """

    value: str
    start: int
    end: int | None
    grade: str
    told: float
    turn: int | None = None


@dataclass
class Place:
    """A place as it goes on. ``lives``: how long a value lives after it was said, in days;
    ``renewed``: another saying renews that.
    """

    many: bool = False
    lives: float | None = None
    renewed: bool = False
    state: State = field(default_factory=State)
    turn: int = 0

    # Statements ---------------------------------------------------------------------------------

    def remember(self, said: Said, new: int, now: float) -> int | None:
        """Reconcile a statement; None where a later turn of its instant corrected it."""
        self.let_go(now)
        for run in alike(self.state.cells, lambda cell: cell):
            cell = _at(self.state.cells, run[0])
            at_once = (run[0], cell.seen) == (said.start, said.told) and cell.value != said.value
            if at_once and RANK[cell.grade] <= RANK[said.grade] and self._later(cell, said):
                return None
        memory = self.state_value(said, new, now)
        self.cite(memory, said)
        return memory

    def _later(self, cell: Cell, said: Said) -> bool:
        turns = [one[2] for one in self.state.turns if one[:2] == (cell.memory, said.told)]
        return said.turn is not None and max(turns, default=said.turn) > said.turn

    def cite(self, memory: int, said: Said) -> None:
        """The turn that a statement was made in says the memory."""
        if said.turn is not None:
            turns = self.state.turns | {(memory, said.told, said.turn)}
            self.state = replace(self.state, turns=turns)

    def state_value(self, said: Said, new: int, now: float) -> int:
        """Reconcile a statement; the memory that holds it. ``new`` is the id for a new one."""
        self.turn += 1
        self.let_go(now)
        cells = list(self.state.cells)
        days = self._days(said, [cell.value == said.value if cell else False for cell in cells])
        others = [d for d in days if (cell := cells[d]) and cell.value != said.value]
        own = {d: cell for d, cell in enumerate(cells) if cell and cell.value == said.value}
        if any(RANK[_at(cells, d).grade] < RANK[said.grade] for d in others):
            return self._contest(said, days, own, new)
        above = {d for d, cell in own.items() if RANK[cell.grade] < RANK[said.grade]}
        disputed = [run for run in runs(d for d in days if d not in above) if meet(run, others)]
        if len(disputed) > 1:
            return self._contest(said, days, own, new)
        memory = self._fill(said, days, others, own, new)
        disputed_still = self._settle(said, days)
        if memory is None:
            memory = self._there(days, own)
            if not disputed_still:
                self.renew(memory, said)
        return memory

    def _days(self, said: Said, own: Sequence[bool]) -> range:
        """Where a statement holds: without an end up to what starts later or was said again."""
        if said.end is not None:
            return range(said.start, said.end)
        cells = self.state.cells
        ends: list[int] = []
        for run in alike(cells, lambda cell: (cell.value, cell.grade)):
            cell = _at(cells, run[0])
            if self.many or cell.value == said.value:
                continue
            if run[0] > said.start:
                ends.append(run[0])
            if run[0] == said.start:
                ends += ending(run)
            ends += [
                d
                for d in run
                if _at(cells, d).seen == d
                and d > max(said.told, said.start)
                and RANK[cell.grade] <= RANK[said.grade]
            ]
        said_of = runs(d for d, one in enumerate(own) if one)
        ends += [end for run in said_of for end in ending(run) if end > said.start]
        last = min(ends, default=DAYS)
        going_on = [run[-1] + 1 for run in said_of if run[0] == last]
        return range(said.start, going_on[0] if going_on else last)

    def _fill(
        self, said: Said, days: range, others: Sequence[int], own: dict[int, Cell], new: int
    ) -> int | None:
        """Hold it at its own grade wherever it is not held so; None if it is a repetition."""
        cells = list(self.state.cells)
        near = [own[d] for d in range(days[0] - 1, days[-1] + 2) if d in own and touch(d, days)]
        kept = {d for d, cell in own.items() if RANK[cell.grade] <= RANK[said.grade]}
        below = {d for d, cell in own.items() if RANK[cell.grade] >= RANK[said.grade]}
        pieces = [
            run
            for run in runs(d for d in days if d not in kept)
            if meet(run, others) or any(touch(d, run) for d in below)
        ]
        if not near and not others:
            pieces = [days]
        if not pieces:
            return None
        peers = [
            run
            for run in alike(cells, lambda cell: cell)
            if (cell := _at(cells, run[0])).value == said.value
            and cell.grade == said.grade
            and any(touch(d, piece) for piece in pieces for d in (run[0], run[-1]))
        ]
        holder = new
        hosts = [next((p for p in peers if beside(p, piece)), peers[0]) if peers else None
                 for piece in pieces]  # fmt: skip
        if hosts[0] is not None:
            holder = _at(cells, hosts[0][0]).memory
        fresh = Cell(said.value, said.grade, new, said.told, self._gone(said.told))
        links = set(self.state.links)
        for piece, host in zip(pieces, hosts, strict=True):
            cell = fresh if host is None else self._renewed(_at(cells, host[0]), said, holder)
            self._cut(links, piece, holder, grows=host is not None)
            if said.end is None:
                self._yield(links, said, piece, holder)
            for d in (*(host or ()), *piece):
                cells[d] = cell
        self.state = replace(self.state, cells=tuple(cells), links=frozenset(links))
        return holder

    def _cut(self, links: set[tuple[int, int, int]], piece: range, by: int, *, grows: bool) -> None:
        """What held on both sides of where a piece begins ends there, in favour of ``by``."""
        cells = self.state.cells
        start, end = piece[0], piece[-1] + 1
        before, last = cells[start - 1] if start else None, cells[piece[-1]]
        after = cells[end] if end < DAYS else None
        taker = {link[2] for link in links if last and link[:2] == (last.memory, end)}
        links -= {link for link in links if link[:2] == (by, start)}
        if before is not None and before == cells[start]:
            links -= {link for link in links if link[:2] == (before.memory, start)}
            links.add((before.memory, start, by))
        if last is None or last != after:
            links -= {link for link in links if link[:2] == (by, end)}
            if grows:
                links |= {(by, end, one) for one in taker}

    def _yield(self, links: set[tuple[int, int, int]], said: Said, piece: range, by: int) -> None:
        """Where nobody stated an end, what begins there takes over."""
        end = piece[-1] + 1
        for run in alike(self.state.cells, lambda cell: (cell.value, cell.grade)):
            first = _at(self.state.cells, run[0])
            if run[0] == end and first.value != said.value and not self.many:
                links -= {link for link in links if link[:2] == (by, end)}
                links.add((by, end, first.memory))

    def _renewed(self, cell: Cell, said: Said, holder: int) -> Cell:
        if cell.memory != holder:
            return cell
        seen = max(cell.seen, said.told)
        return replace(cell, seen=seen, gone=self._gone(seen) if self.renewed else cell.gone)

    def _gone(self, seen: float) -> float | None:
        return None if self.lives is None else seen + self.lives

    def _there(self, days: range, own: dict[int, Cell]) -> int:
        """The memory that holds the value where a statement begins, or else the first near it."""
        near = [d for d in sorted(own) if touch(d, days)]
        return own[days[0] if days[0] in own else near[0]].memory

    def renew(self, memory: int, said: Said, at: int | None = None) -> None:
        """As good a source said it again: what holds it at the day, or first, was seen then."""
        day = said.start if at is None else at
        cells, claims = list(self.state.cells), set(self.state.claims)
        held: list[tuple[range, Claim | None]] = [
            (run, None)
            for run in alike(cells, lambda cell: cell)
            if _at(cells, run[0]).memory == memory
        ]
        held += [(claim.days, claim) for claim in claims if claim.memory == memory]
        held.sort(key=lambda one: one[0][0])
        run, claim = next((one for one in held if day in one[0]), held[0])
        was = claim or _at(cells, run[0])
        if RANK[said.grade] > RANK[was.grade]:
            return
        if claim is not None and said.told > claim.seen:
            claims = claims - {claim} | {replace(claim, seen=said.told, written=self.turn)}
        elif claim is None:
            for d in run:
                cells[d] = self._renewed(_at(cells, d), said, memory)
        self.state = replace(self.state, cells=tuple(cells), claims=frozenset(claims))

    def _contest(self, said: Said, days: range, own: dict[int, Cell], new: int) -> int:
        held = [own[d].memory for d in days if d in own]
        if held:
            self.renew(held[0], said)
            return held[0]
        mine = sorted(
            (claim for claim in self.state.claims if claim.value == said.value),
            key=lambda claim: claim.start,
        )
        taken = [any(d in claim.days for claim in mine) for d in range(DAYS)]
        beside = self._days(said, taken)
        near = [claim for claim in mine if any(touch(d, beside) for d in claim.days)]
        if not near:
            claim = Claim(said.value, said.grade, new, days[0], days[-1] + 1, self.turn, said.told)
            self.state = replace(self.state, claims=self.state.claims | {claim})
            return new
        return self._widen(said, beside, near)

    def _widen(self, said: Said, beside: range, near: Sequence[Claim]) -> int:
        grown: dict[Claim, Claim] = {}
        for gap in runs(d for d in beside if not any(d in claim.days for claim in near)):
            hosts = [
                claim
                for claim in near
                if RANK[said.grade] <= RANK[claim.grade] and any(touch(d, gap) for d in claim.days)
            ]
            if hosts:
                best = min(hosts, key=lambda claim: RANK[claim.grade])
                was = grown.get(best, best)
                grown[best] = replace(
                    was,
                    start=min(was.start, gap[0]),
                    end=max(was.end, gap[-1] + 1),
                    written=self.turn,
                )
        if not grown:
            claim = next((claim for claim in near if beside[0] in claim.days), near[0])
            self.renew(claim.memory, said)
            return claim.memory
        memory = next(iter(grown)).memory
        wider = {
            replace(claim, seen=max(claim.seen, said.told)) if claim.memory == memory else claim
            for claim in grown.values()
        }
        self.state = replace(self.state, claims=self.state.claims - set(grown) | wider)
        return memory

    def _settle(self, said: Said, days: range) -> bool:
        """What was contested and is held now is no dispute, but where a better grade objects."""
        claims, left = set(self.state.claims), False
        for claim in self.state.claims:
            over = claim.value == said.value and meet(claim.days, days)
            if not over or RANK[said.grade] > RANK[claim.grade]:
                continue
            claims.remove(claim)
            for run in runs(d for d in claim.days if d not in days):
                against = [
                    d
                    for d in run
                    if (cell := self.state.cells[d])
                    and cell.value != said.value
                    and RANK[cell.grade] < RANK[said.grade]
                ]
                if against:
                    claims.add(replace(claim, start=run[0], end=run[-1] + 1, written=self.turn))
                    left = True
        self.state = replace(self.state, claims=frozenset(claims))
        return left

    def hold(self, said: Said, days: Sequence[range], memory: int) -> None:
        """Hold a value on these days, whatever is beside them."""
        cells = list(self.state.cells)
        for d in (d for run in days for d in run):
            cells[d] = Cell(said.value, said.grade, memory, said.told, self._gone(said.told))
        self.state = replace(self.state, cells=tuple(cells))

    # What goes ----------------------------------------------------------------------------------

    def let_go(self, now: float) -> None:
        """What is expired holds nothing any more."""
        cells = [cell if cell and (cell.gone is None or cell.gone > now) else None
                 for cell in self.state.cells]  # fmt: skip
        self.state = replace(self.state, cells=tuple(cells))

    def free(self, days: Sequence[int]) -> None:
        """Days that nothing holds any more go to who claimed them: the best grade, then the last."""
        left = set(days)
        cells, claims = list(self.state.cells), set(self.state.claims)
        for claim in self.in_order():
            won = [d for d in claim.days if d in left]
            if not won:
                continue
            claims.remove(claim)
            for d in won:
                cells[d] = Cell(claim.value, claim.grade, claim.memory, claim.seen)
            for run in runs(d for d in claim.days if d not in left):
                claims.add(replace(claim, start=run[0], end=run[-1] + 1, written=self.turn))
            left -= set(won)
        self.state = replace(self.state, cells=tuple(cells), claims=frozenset(claims))

    def in_order(self) -> list[Claim]:
        """Claims: the best grade first, then the one that was written last."""
        return sorted(
            self.state.claims,
            key=lambda claim: (RANK[claim.grade], -claim.written, claim.start, claim.value),
        )


def _at(cells: Sequence[Cell | None], day: int) -> Cell:
    cell = cells[day]
    assert cell is not None
    return cell
