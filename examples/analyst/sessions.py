"""Four sessions of two analysts on one data source, with what must be true of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from examples.analyst.feed import LATE_SECTOR, Feed
from examples.analyst.loop import SOURCE, Analyst, Session
from examples.analyst.policy import INCOMPLETE, Policy
from examples.analyst.steps import GROWTH, RANKING, Result
from examples.demo.checks import Checks
from muniment.client import Client

FAULT = INCOMPLETE.format(count="two", sector=LATE_SECTOR)
Tell = Callable[[str, Session], None]


@dataclass
class Story:
    """The sessions, one after the other on a service; ``scripted`` ones are checked whole."""

    client: Client
    feed: Feed
    policy: Policy
    checks: Checks
    tell: Tell
    now: datetime
    scripted: bool = True

    def play(self) -> None:
        """Four sessions, the last one by both analysts."""
        self.client.sources.define(name=SOURCE, aliases=["employment"], owner="statistics")
        with self._agent("ines") as for_ines, self._agent("tom") as for_tom:
            ines = Analyst(for_ines, self.feed, self.policy, "ines")
            tom = Analyst(for_tom, self.feed, self.policy, "tom")
            self._discovers(ines)
            self._comes_back(ines)
            self._inherits(tom)
            self._is_mended(tom, ines)

    def _agent(self, user_id: str) -> Client:
        """A client with a key of the agent's own: two agents are two witnesses."""
        key = self.client.keys.create(
            principal=f"agent-of-{user_id}",
            verbs=["read", "write"],
            layers=["episodic", "semantic"],
            roles=["assistant", "user"],
        )
        return Client(self.client.url, key.secret)

    def _discovers(self, ines: Analyst) -> None:
        at = self.now - timedelta(days=100)
        asked = "How much do construction and manufacturing grow?"
        done = ines.session("ines-june", "2015-06", asked, at)
        self.tell(
            "1. Ines asks, a hundred days ago, and her agent finds that late months move", done
        )
        self.checks.equal(done.plan.mode, "fresh", "the mode of the first session")
        self.checks.equal(done.plan.required_workarounds, (), "workarounds of the first session")
        became = {one.became for one in done.report.findings} if done.report else set()
        self.checks.equal(became, {"stored"}, "what became of the first findings")
        if self.scripted:
            self.checks.equal(_growth(done.naive), 1.0, "construction before its late reports")
            self.checks.equal(_growth(done.results), 4.9, "construction without its late months")

    def _comes_back(self, ines: Analyst) -> None:
        asked = "Does construction still grow at about 5 %?"
        done = ines.session("ines-august", "2015-08", asked, self.now)
        self.tell("2. Ines comes back: the gate opens, and one test confirms what was found", done)
        self.checks.equal(_required(done), [FAULT], "workarounds of the second session")
        if self.scripted:
            self.checks.that(done.gate.gate.open, "the gate is open in the second session")
            self.checks.equal(done.plan.mode, "revalidate", "the mode of the second session")
            outcome = done.report and done.report.revalidation and done.report.revalidation.became
            self.checks.equal(outcome, "confirmed", "what became of the tested finding")
            self.checks.equal(_growth(done.naive), 0.5, "construction without the workaround")
            self.checks.equal(_growth(done.results), 5.2, "construction with the workaround")

    def _inherits(self, tom: Analyst) -> None:
        asked = "Which sectors grow most?"
        done = tom.session("tom-october", "2015-10", asked, self.now)
        self.tell("3. Tom, who never heard of it, gets the workaround from the organisation", done)
        self.checks.equal(done.plan.mode, "fresh", "the mode of the third session")
        self.checks.equal(done.plan.findings, (), "findings of Ines in Tom's plan")
        self.checks.equal(_required(done), [FAULT], "workarounds of the third session")
        if self.scripted:
            self.checks.equal(_place(done.naive), 13, "construction's place without the workaround")
            self.checks.equal(_place(done.results), 1, "construction's place with the workaround")

    def _is_mended(self, tom: Analyst, ines: Analyst) -> None:
        asked = "Which sectors grow most now?"
        first = tom.session("tom-january", "2016-01", asked, self.now)
        self.tell(
            "4. The reports come in time now: both agents see it, and the fault is retired", first
        )
        self.checks.equal(_retired(first), ["noted"], "what one agent's word does to the fault")
        second = ines.session("ines-january", "2016-01", asked, self.now)
        self.tell("", second)
        self.checks.equal(
            _retired(second), ["retracted"], "what the second agent's word does to it"
        )
        after = tom.client.analysis.plan(user_id="tom", data_source=SOURCE, question=asked)
        self.checks.equal(after.required_workarounds, (), "workarounds after the fault is retired")


def _required(done: Session) -> list[str]:
    return [one.text for one in done.plan.required_workarounds]


def _retired(done: Session) -> list[str]:
    return [] if done.report is None else [one.became for one in done.report.retired]


def _growth(results: Sequence[Result]) -> float | None:
    found = [one.figures for one in results if one.step.name == GROWTH]
    return next((one[LATE_SECTOR] for one in found if LATE_SECTOR in one), None)


def _place(results: Sequence[Result]) -> int | None:
    """Where construction stands among the sectors."""
    ranked = next((list(one.figures) for one in results if one.step.name == RANKING), [])
    return ranked.index(LATE_SECTOR) + 1 if LATE_SECTOR in ranked else None
