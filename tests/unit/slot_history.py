"""Histories of one slot in a short notation, and plans of reconciliation applied to them.

``"A 0-10 u"`` is value A from day 0 to day 10, stated by the user; without a second day the window
is open; ``?`` before it marks a contested one, ``@6`` behind it that it was said on day 6. Grades: u user, o operator, t verified tool,
g guess of the agent, x external content.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from muniment.domain.memory import Standing, Version
from muniment.domain.reconcile import Candidate, Plan, Remainder
from muniment.domain.timeline import Window
from muniment.domain.trust import Trust

LETTERS: dict[str, Trust] = {
    "u": "user_stated",
    "o": "operator",
    "t": "tool_verified",
    "g": "agent_inferred",
    "x": "external_content",
}
_LETTER_OF = {grade: letter for letter, grade in LETTERS.items()}
_START = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    """Midnight of a day, counted from an arbitrary first."""
    return _START + timedelta(days=number)


def candidate(text: str) -> Candidate:
    """A candidate in the notation; ``"A 3 u"`` and ``"A 3- u"`` state no end."""
    value, days, letter, *said = text.split()
    start, _, end = days.partition("-")
    return Candidate(
        value,
        day(int(start)),
        day(int(end)) if end else None,
        LETTERS[letter],
        day(int(said[0].removeprefix("@"))) if said else None,
    )


def show(version: Version) -> str:
    """The notation of a version."""
    valid = version.valid
    start = (valid.start - _START).days
    end = "" if valid.end is None else (valid.end - _START).days
    mark = "?" if version.standing == "contested" else ""
    return f"{mark}{version.value_key} {start}-{end} {_LETTER_OF[version.trust]}"


@dataclass
class SlotHistory:
    """The versions of one slot with an open record. Identifiers count up from one."""

    held: list[Version] = field(default_factory=list)
    _ids: int = 0

    @classmethod
    def of(cls, *texts: str) -> "SlotHistory":
        """A history in the notation, each version a memory of its own."""
        history = cls()
        for text in texts:
            given = candidate(text.removeprefix("?"))
            window = Window(given.valid_from, given.valid_to)
            standing: Standing = "contested" if text.startswith("?") else "asserted"
            history._hold(history.new_id(), window, given, standing)
        return history

    def new_id(self) -> UUID:
        """The next identifier."""
        self._ids += 1
        return UUID(int=self._ids)

    def apply(self, plan: Plan, given: Candidate) -> UUID:
        """Do what the plan says; the memory that holds the candidate afterwards."""
        memory_id = plan.reinforces or self.new_id()
        for version in plan.ends:
            self.held.remove(version)
        for left in plan.remainders:
            assert left.of in plan.ends
            self.held.append(
                replace(
                    left.of,
                    version_id=self.new_id(),
                    valid=left.valid,
                    standing="asserted" if left.freed else left.of.standing,
                    superseded_by=memory_id if left.superseded else self._after(plan, left),
                )
            )
        for window in plan.windows:
            assert plan.reinforces is None
            self._hold(memory_id, window, given, plan.standing, self._following(plan, window))
        if plan.outcome == "reinforced" and plan.reinforces is not None:
            self._observe(memory_id, given)
        return memory_id

    def _following(self, plan: Plan, window: Window) -> UUID | None:
        return None if window.end is None else plan.following.get(window.end)

    def _after(self, plan: Plan, left: Remainder) -> UUID | None:
        own = self._following(plan, left.valid) if left.of.memory_id == plan.reinforces else None
        return own or left.of.superseded_by

    def _hold(
        self,
        memory_id: UUID,
        valid: Window,
        given: Candidate,
        standing: Standing,
        following: UUID | None = None,
    ) -> None:
        self.held.append(
            Version(
                version_id=self.new_id(),
                memory_id=memory_id,
                valid=valid,
                recorded=Window(_START),
                standing=standing,
                trust=given.trust,
                value_key=given.value_key,
                superseded_by=following,
                observed_at=given.observed_at,
            )
        )

    def _observe(self, memory_id: UUID, given: Candidate) -> None:
        """A repetition at the same grade renews when the value was last said."""
        own = [version for version in self.held if version.memory_id == memory_id]
        there = [version for version in own if version.valid.holds(given.valid_from)]
        for version in (there or own)[:1]:
            if given.trust == version.trust and given.observed_at is not None:
                seen = max(version.observed_at or given.observed_at, given.observed_at)
                self.held[self.held.index(version)] = replace(version, observed_at=seen)

    def shown(self) -> list[str]:
        """Every version in the notation, by window, what is asserted first."""
        ordered = sorted(self.held, key=lambda v: (v.standing, v.valid.start, str(v.value_key)))
        return [show(version) for version in ordered]

    def asserted(self) -> list[Version]:
        """What is asserted."""
        return [version for version in self.held if version.standing == "asserted"]

    def contested(self) -> list[Version]:
        """What is contested."""
        return [version for version in self.held if version.standing == "contested"]

    def at(self, moment: datetime) -> list[Version]:
        """What is asserted of a moment."""
        return [version for version in self.asserted() if version.valid.holds(moment)]


def memory_of(history: SlotHistory, text: str) -> UUID:
    """The memory behind a version in the notation."""
    (found,) = {version.memory_id for version in history.held if show(version) == text}
    return found


def texts_of(versions: Sequence[Version]) -> list[str]:
    """Versions in the notation, sorted."""
    return sorted(show(version) for version in versions)
