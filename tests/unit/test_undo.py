"""Taking a decision back, as a table over versions (RULES 5).

Decisions are named by what they ended and made, in the notation of slot_history.

| decision | since then | undone |
|---|---|---|
| B 0- became B 0-4, A 4- | nothing | B 0- |
| the same | A 4- ended by a later decision | refused, that one named |
| the same | that one undone: a copy of A 4- is held | B 0- |
| the same | A said again, no version moved | refused, that one named |
| the same | the undo stands | refused: undone already |
| the same | the undo is undone | B 0- |
| the same | a version that it named is gone | refused: erased |
| the same | A 4- ended by what is not there any more | refused: erased |
| A said again, no version moved | more of the same | nothing to end or to hold, and allowed |
| A 0- became nothing | B 2- came | refused: in the way |
| A 0- came | ?B 2- is contested | B 2- is freed |
| rejected | | refused: it changed nothing |
"""

from dataclasses import dataclass, field, replace
from uuid import UUID

from muniment.domain.memory import Version
from muniment.domain.reconcile import Decided
from muniment.domain.slot import Slot
from muniment.domain.undo import Held, PastDecision, Refusal, Undoing, standing_decisions, undo
from tests.unit.slot_history import SlotHistory, show

CITY = Slot("city", "one")


@dataclass
class Record:
    """Versions, open and ended, and decisions that moved them."""

    versions: dict[UUID, Held] = field(default_factory=dict)
    decisions: list[PastDecision] = field(default_factory=list)

    def add(self, text: str, memory: int, *, root: UUID | None = None) -> UUID:
        """A version in the notation, with an open record."""
        (made,) = SlotHistory.of(text).held
        version_id = UUID(int=100 + len(self.versions))
        version = replace(made, version_id=version_id, memory_id=UUID(int=memory))
        self.versions[version_id] = Held(version, root or version_id, True)
        return version_id

    def decide(
        self,
        memory: int,
        ended: tuple[UUID, ...] = (),
        made: tuple[UUID, ...] = (),
        outcome: Decided = "superseded",
        undoes: PastDecision | None = None,
    ) -> PastDecision:
        """A decision, after those before."""
        for one in ended:
            self.versions[one] = replace(self.versions[one], open=False)
        target = None if undoes is None else undoes.decision_id
        made_now = PastDecision(
            UUID(int=len(self.decisions)), UUID(int=memory), outcome, ended, made, target
        )
        self.decisions.append(made_now)
        return made_now

    @property
    def held(self) -> list[Version]:
        """What has an open record."""
        return [one.version for one in self.versions.values() if one.open]

    def undo(self, decision: PastDecision) -> Undoing | Refusal:
        """What the rules say of undoing it now."""
        later = self.decisions[self.decisions.index(decision) + 1 :]
        return undo(decision, later, self.versions, self.held, CITY)


def changed() -> tuple[Record, PastDecision, list[UUID]]:
    """B 0- became B 0-4 and A 4-."""
    record = Record()
    before = record.add("B 0- u", 1)
    made = (record.add("B 0-4 u", 1), record.add("A 4- u", 2))
    return record, record.decide(2, (before,), made), [before, *made]


def shown(done: Undoing | Refusal) -> tuple[list[str], list[str]]:
    """What ends and what is held again."""
    assert isinstance(done, Undoing)
    return [show(one) for one in done.ends], [show(one) for one in done.again]


def test_nothing_since() -> None:
    record, decision, _ = changed()
    assert shown(record.undo(decision)) == (["B 0-4 u", "A 4- u"], ["B 0- u"])


def test_a_later_decision_comes_first() -> None:
    record, decision, (_, _, a) = changed()
    later = record.decide(2, (a,), (record.add("A 4-6 u", 2),), "retracted")
    assert record.undo(decision) == Refusal("later_decision", (later.decision_id,))
    copy = record.add("A 4- u", 2, root=a)
    record.decide(2, later.made if isinstance(later.made, tuple) else (), (copy,), "undone", later)
    assert shown(record.undo(decision)) == (["B 0-4 u", "A 4- u"], ["B 0- u"])


def test_one_that_moved_nothing_rests_on_it_too() -> None:
    record, decision, _ = changed()
    later = record.decide(2, outcome="reinforced")
    assert record.undo(decision) == Refusal("later_decision", (later.decision_id,))
    record.decide(2, outcome="rejected")
    done = record.undo(later)
    assert shown(done) == ([], [])


def test_undone_and_undone_again() -> None:
    record, decision, (before, kept, a) = changed()
    again = record.add("B 0- u", 1, root=before)
    first = record.decide(2, (kept, a), (again,), "undone", decision)
    assert record.undo(decision) == Refusal("undone_already")
    assert shown(record.undo(first)) == (["B 0- u"], ["B 0-4 u", "A 4- u"])
    copies = (record.add("B 0-4 u", 1, root=kept), record.add("A 4- u", 2, root=a))
    second = record.decide(2, (again,), copies, "undone", first)
    assert standing_decisions(record.decisions) == [decision, second]
    assert record.undo(first) == Refusal("undone_already")
    assert shown(record.undo(decision)) == (["B 0-4 u", "A 4- u"], ["B 0- u"])


def test_what_is_erased() -> None:
    record, decision, (before, _, a) = changed()
    record.versions[a] = replace(record.versions[a], open=False)
    assert record.undo(decision) == Refusal("erased")
    record, decision, (before, _, _) = changed()
    del record.versions[before]
    assert record.undo(decision) == Refusal("erased")


def test_what_is_in_the_way() -> None:
    record = Record()
    a = record.add("A 0- u", 1)
    decision = record.decide(1, (a,), (), "retracted")
    record.decide(2, (), (record.add("B 2- u", 2),), "inserted")
    assert record.undo(decision) == Refusal("in_the_way")


def test_what_was_contested_is_freed() -> None:
    record = Record()
    a = record.add("A 0-6 u", 1)
    decision = record.decide(1, (), (a,), "inserted")
    record.decide(2, (), (record.add("?B 2-8 g", 2),), "contested")
    done = record.undo(decision)
    assert isinstance(done, Undoing)
    assert [show(one) for one in done.ends] == ["A 0-6 u", "?B 2-8 g"]
    parts = [(show(one.of), one.valid.start, one.valid.end, one.freed) for one in done.freed]
    assert [part[3] for part in parts] == [True, False]
    assert parts[0][2] == parts[1][1]


def test_what_changed_nothing() -> None:
    record = Record()
    a = record.add("A 0- u", 1)
    decision = record.decide(1, (), (), "rejected")
    assert record.undo(decision) == Refusal("changed_nothing")
    assert record.versions[a].open
