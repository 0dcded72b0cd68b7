"""The agent's loop: plan with what is known, run, look whether the data is whole, report."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from examples.analyst.feed import Feed, Month, Publication, earlier
from examples.analyst.policy import (
    COUNTS,
    INCOMPLETE,
    Mode,
    Policy,
    spoken,
    with_workarounds,
    workarounds,
)
from examples.analyst.steps import GROWTH, RANKING, REVISIONS, Result, Step, run
from muniment.client import Client
from muniment.client.models import (
    AnalysisPlan,
    AnalysisReported,
    BatteryStep,
    Event,
    ReportedFinding,
    ReportedTurn,
    Retirement,
    Revalidation,
)

SOURCE = "bls.employment"
_SHOWN, _TOLERANCE = 3, 1.0
_GROWN = re.compile(r"grew by (-?[\d.]+) %")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


@dataclass
class Session:
    """What one session asked, was told, did and reported."""

    question: str
    gate: AnalysisPlan
    plan: AnalysisPlan
    results: list[Result] = field(default_factory=list)
    naive: list[Result] = field(default_factory=list)
    """The same steps without any workaround."""
    report: AnalysisReported | None = None


@dataclass(frozen=True)
class Analyst:
    """A person and the agent that works for them."""

    client: Client
    feed: Feed
    policy: Policy
    user_id: str

    def session(self, session_id: str, month: Month, question: str, at: datetime) -> Session:
        """One session on the publication of a month."""
        data = self.feed.published(month)
        gate = self._plan(session_id, question, data)
        plan = gate
        if gate.gate.open:
            plan = self._plan(session_id, question, data, self.policy.mode(question, gate))
        known = workarounds(plan)
        steps = list(self.policy.steps(question, plan, list(data.jobs)))
        done = Session(question, gate, plan, naive=[run(one, self.feed, data) for one in steps])
        used = {sector for one in done.naive for sector in one.figures}
        looked = [run(Step(REVISIONS, one), self.feed, data) for one in sorted(used | set(known))]
        late = [one for one in looked if one.figures or one.step.sector in known]
        moved = {one.step.sector or "": len(one.figures) for one in late if one.figures}
        steps = with_workarounds(steps, moved)
        done.results = [run(one, self.feed, data) for one in steps] + late
        faults = self._told(session_id, {k: n for k, n in moved.items() if k not in known}, at)
        done.report = self._report(session_id, data, done, faults, moved, at)
        return done

    def _plan(
        self, session_id: str, question: str, data: Publication, mode: Mode | None = None
    ) -> AnalysisPlan:
        return self.client.analysis.plan(
            user_id=self.user_id,
            session_id=session_id,
            data_source=SOURCE,
            question=question,
            mode=mode,
            fingerprint=data.fingerprint,
        )

    def _told(self, session_id: str, moved: dict[str, int], at: datetime) -> list[ReportedFinding]:
        """What the agent found out about the data, which its user confirms in a turn."""
        found = []
        names = {number: word for word, number in COUNTS.items()}
        for turn, (sector, count) in enumerate(moved.items(), start=1):
            text = INCOMPLETE.format(count=names[count], sector=spoken(sector))
            said = Event(
                turn=turn,
                role="user",
                data_source=SOURCE,
                content=f"That is so. {text}",
                occurred_at=at,
            )
            self.client.events.write(user_id=self.user_id, session_id=session_id, events=[said])
            cited = (ReportedTurn(session_id=session_id, turn=turn),)
            found.append(
                ReportedFinding(
                    text=text, label="confirmatory", kind="data_quality", evidence=cited
                )
            )
        return found

    def _report(
        self,
        session_id: str,
        data: Publication,
        done: Session,
        faults: Sequence[ReportedFinding],
        moved: dict[str, int],
        at: datetime,
    ) -> AnalysisReported:
        mode = done.plan.mode or "fresh"
        known = workarounds(done.plan)
        gone = [] if moved or not known else [one.id for one in done.plan.required_workarounds]
        findings = [] if mode == "revalidate" else [finding_of(one) for one in done.results]
        return self.client.analysis.report(
            user_id=self.user_id,
            session_id=session_id,
            data_source=SOURCE,
            question=done.question,
            mode=mode,
            fingerprint=data.fingerprint,
            findings=[*(one for one in findings if one is not None), *faults],
            battery=[
                BatteryStep(step=one.step.name, parameters=one.step.parameters)
                for one in done.results
            ],
            revalidation=_revalidated(done.plan, done.results),
            retired=[Retirement(id=one) for one in gone],
            analysed_at=at,
        )


def finding_of(result: Result) -> ReportedFinding | None:
    """A result in words; nothing of one that only looked at the data."""
    if result.step.name == REVISIONS:
        return None
    (first, growth), *_ = result.figures.items()
    left_out = result.step.without.get(first, 0)
    until = _words(earlier(result.month, 1 + left_out))
    if result.step.name == GROWTH:
        text = f"{spoken(first).capitalize()} grew by {growth} % in the year to {until}."
    else:
        best = ", ".join(spoken(one) for one in list(result.figures)[:_SHOWN])
        text = f"The sectors that grew most in the year to {until} are {best}."
    return ReportedFinding(text=text, label="confirmatory")


def _revalidated(plan: AnalysisPlan, results: Sequence[Result]) -> Revalidation | None:
    """Whether growth is what was found, to within a point; or the same sector grows most."""
    if plan.mode != "revalidate" or plan.confirm is None:
        return None
    memory = plan.confirm.memory
    found = next(one for one in results if one.step.name != REVISIONS)
    (first, growth), *_ = found.figures.items()
    said = _GROWN.search(memory.text)
    if said is not None and found.step.name == GROWTH:
        holds = abs(growth - float(said[1])) <= _TOLERANCE
    elif said is None and found.step.name == RANKING:
        holds = f"are {spoken(first)}," in memory.text
    else:
        return Revalidation(id=memory.id, outcome="inconclusive")
    return Revalidation(id=memory.id, outcome="confirmed" if holds else "invalidated")


def _words(month: Month) -> str:
    return f"{_MONTHS[int(month[5:]) - 1]} {month[:4]}"
