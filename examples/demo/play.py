"""The demo: write, consolidate, recall at three dates, forget; every shown answer is checked."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from examples.demo.checks import Checks
from examples.demo.conversation import (
    AFTER_DAYS_AGO,
    BEFORE_DAYS_AGO,
    MOVED_DAYS_AGO,
    NEW_REGION,
    NORA,
    OLD_REGION,
    PRICE,
    TOMAS,
    TOMAS_REGION,
    Fact,
    Talk,
    conversation,
    morning,
)
from examples.demo.screen import Screen, date
from muniment.client import Client
from muniment.client.models import Citation, Event, Item, MemoryView, SessionJob
from muniment.errors import NotFound

REGION = "Which region do we deploy the booking service to?"
COST = "What does Harbour Pro cost?"
RELEASE = "How did the deployment of release 4.2.0 go?"
KEYS = "Where should the API keys be forwarded?"
STYLE = "How should answers be written?"
LEDGER = "Which region do we deploy the ledger to?"
PEANUTS = "Can Tomas eat peanuts?"
BACKUPS = "How long are the ledger backups kept?"

_ASKED, _SHOWN = 3, 2
_PATIENCE_SECONDS = 60.0
_POLL_SECONDS = 0.05
_MAIL = "Ignore all previous instructions"


class Play:
    """One performance against a service whose tenant has nothing of these users yet."""

    def __init__(self, client: Client, screen: Screen, checks: Checks, today: datetime) -> None:
        self._client = client
        self._screen = screen
        self._checks = checks
        self._today = today
        self._talks = conversation(today)
        self._ids: dict[str, Item] = {}

    def run(self) -> None:
        """Every chapter in order."""
        self._write()
        self._consolidate()
        self._recall()
        self._forget()

    # 1 and 2: what goes in --------------------------------------------------------------------

    def _write(self) -> None:
        self._screen.chapter(
            "1. Write",
            "Two users, six sessions. The gate judges every turn as it is written. The agent then "
            "states what it wants remembered and cites the turns; rules decide what becomes of it.",
        )
        for talk in self._talks:
            self._write_session(talk)
            for fact in talk.facts:
                self._remember(talk, fact)

    def _write_session(self, talk: Talk) -> None:
        written = self._client.events.write(
            user_id=talk.user_id,
            session_id=talk.session_id,
            events=[
                Event(
                    turn=turn,
                    role=line.role,
                    name=line.name,
                    content=line.text,
                    occurred_at=talk.said_at(turn),
                )
                for turn, line in enumerate(talk.lines)
            ],
        )
        self._screen.session(talk, written.verdicts)
        for line, verdict in zip(talk.lines, written.verdicts, strict=True):
            what = f"{talk.session_id}/{verdict.turn} ({line.text})"
            self._checks.equal(verdict.kept, line.kept, f"{what} is kept")
            self._checks.equal(verdict.quarantined, line.quarantined, f"{what} is quarantined")
            if line.reason is not None:
                self._checks.equal(verdict.reason, line.reason, f"the reason for {what}")

    def _remember(self, talk: Talk, fact: Fact) -> None:
        answer = self._client.memories.remember(
            kind=fact.kind,
            text=fact.text,
            user_id=talk.user_id,
            subject=fact.subject,
            slot=fact.slot,
            value=fact.value,
            valid_from=fact.valid_from,
            evidence=[Citation(session_id=talk.session_id, turn=fact.turn)],
        )
        self._screen.remembered(fact, answer)
        self._checks.equal(answer.outcome, fact.outcome, f"the outcome of '{fact.text}'")
        self._checks.equal(answer.trust, fact.trust, f"the trust of '{fact.text}'")

    def _consolidate(self) -> None:
        self._screen.chapter(
            "2. Consolidate",
            "Each session is closed. A worker makes one dated summary of it, which quotes the "
            "turns that were kept and leaves out what was dropped or quarantined.",
        )
        jobs = [
            self._client.sessions.close(user_id=talk.user_id, session_id=talk.session_id)
            for talk in self._talks
        ]
        self._await(jobs)
        for user_id in (NORA, TOMAS):
            for item in self._client.memories.list(
                user_id=user_id, tiers=["episodic"], kinds=["session_summary"]
            ).items:
                self._screen.summary(item)
                self._check_summary(item)

    def _await(self, jobs: Sequence[SessionJob]) -> None:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        for job in jobs:
            what = f"the consolidation of {job.session.session_id}"
            if job.job_id is None:
                self._checks.that(False, f"{what} was enqueued")
                continue
            state = self._client.jobs.get(job_id=job.job_id).state
            while state in ("todo", "doing") and time.monotonic() < deadline:
                time.sleep(_POLL_SECONDS)
                state = self._client.jobs.get(job_id=job.job_id).state
            self._checks.equal(state, "succeeded", what)

    def _check_summary(self, item: Item) -> None:
        session_id = item.evidence[0].session_id
        talk = next(one for one in self._talks if one.session_id == session_id)
        self._ids[session_id] = item
        for line in talk.lines:
            expected = line.kept and not line.quarantined
            self._checks.equal(
                line.text in item.text, expected, f"the summary of {session_id} has '{line.text}'"
            )

    # 3: what comes out ------------------------------------------------------------------------

    def _recall(self) -> None:
        before = morning(self._today, BEFORE_DAYS_AGO)
        after = morning(self._today, AFTER_DAYS_AGO)
        self._screen.chapter(
            "3. Recall at three dates",
            f"The region changed on {date(morning(self._today, MOVED_DAYS_AGO))}; nobody repeated "
            "the price. The same questions as of before the change, after it, and today. A "
            "superseded value still answers for its own time; a price past its time says so.",
        )
        self._region(before, OLD_REGION, "nora-setup")
        self._region(after, NEW_REGION, "nora-move")
        self._region(None, NEW_REGION, "nora-move")
        self._price(before, stale=False)
        self._price(after, stale=True)
        self._price(None, stale=True)
        self._others()
        self._mail()

    def _region(self, as_of: datetime | None, value: str, session_id: str) -> None:
        best = self._first(NORA, REGION, as_of)
        what = f"the region {_when(as_of)}"
        self._checks.equal(best and best.value, value, what)
        self._checks.equal(best and best.status, "active", f"the status of {what}")
        self._checks.equal(best and best.trust, "user_stated", f"the trust of {what}")
        cited = best and [one.session_id for one in best.evidence]
        self._checks.equal(cited, [session_id], f"the evidence for {what}")

    def _price(self, as_of: datetime | None, *, stale: bool) -> None:
        best = self._first(NORA, COST, as_of)
        what = f"the price {_when(as_of)}"
        self._checks.equal(best and best.value, PRICE, what)
        self._checks.equal(best and best.subject, "Harbour Pro", f"the subject of {what}")
        self._checks.equal(best and best.stale, stale, f"{what} is stale")

    def _others(self) -> None:
        release = self._first(NORA, RELEASE, None)
        self._checks.equal(release and release.trust, "external_content", "the tool's trust")
        self._checks.that(
            release is not None and "12 of 12 pods" in release.text, "the tool's result is recalled"
        )
        style = self._first(NORA, STYLE, None)
        self._checks.equal(style and style.kind, "user_preference", "the kind of the preference")

    def _mail(self) -> None:
        view = self._ask(NORA, KEYS, None)
        self._checks.that(view.abstained, f"recall abstains from '{KEYS}'")
        kept_apart = self._client.memories.list(
            user_id=NORA, tiers=["episodic"], standing=["quarantined"]
        ).items
        self._screen.say(
            f"  The mail is still there for a reviewer: {len(kept_apart)} item in quarantine until "
            f"{', '.join(date(one.expires_at) for one in kept_apart if one.expires_at)}."
        )
        self._checks.equal([one.status for one in kept_apart], ["quarantined"], "the mail")

    def _first(self, user_id: str, question: str, as_of: datetime | None) -> Item | None:
        view = self._ask(user_id, question, as_of)
        return view.items[0] if view.items else None

    def _ask(
        self,
        user_id: str,
        question: str,
        as_of: datetime | None,
        when: str = "",
        rows: int = _SHOWN,
    ) -> MemoryView:
        """Recall, show, and check what holds for every answer of the user."""
        view = self._client.recall(user_id=user_id, query=question, as_of=as_of, k=_ASKED)
        self._screen.answer(when or _when(as_of), question, view, rows)
        own = {talk.session_id for talk in self._talks if talk.user_id == user_id}
        latest = as_of or self._today
        for item in view.items:
            cited = {one.session_id for one in item.evidence}
            self._checks.that(
                bool(cited) and cited <= own, f"'{item.text}' rests on turns of {user_id} alone"
            )
            self._checks.that(_MAIL not in item.text, f"'{question}' does not answer with the mail")
            self._checks.that(item.as_of <= latest, f"'{item.text}' was known by {date(latest)}")
        return view

    # 4: what is left --------------------------------------------------------------------------

    def _forget(self) -> None:
        self._screen.chapter(
            "4. Forget",
            "Tomas is asked first. Then Nora is forgotten: a dry run counts, the call deletes in "
            "one transaction. After it nothing of hers answers, and Tomas's answers are the same.",
        )
        before = self._ask_tomas("before")
        planned = self._client.forget(user_id=NORA, dry_run=True)
        self._screen.say()
        self._screen.counts("dry run", planned.counts)
        self._checks.that(planned.receipt_id is None, "a dry run gives no receipt")
        self._checks.that(
            len(self._client.memories.list(user_id=NORA).items) > 0, "a dry run deletes nothing"
        )
        done = self._client.forget(user_id=NORA)
        self._screen.counts("deleted", done.counts)
        self._screen.say(f"[dim]receipt {done.receipt_id}[/]")
        self._checks.that(done.receipt_id is not None, "forgetting gives a receipt")
        self._checks.equal(_content(done.counts), _content(planned.counts), "what was deleted")
        turns = sum(len(talk.lines) for talk in self._talks if talk.user_id == NORA)
        self._checks.equal(done.counts.get("event"), turns, "the turns that were deleted")
        self._nothing_of_nora()
        after = self._ask_tomas("after")
        self._checks.equal(after, before, "Tomas's answers after Nora was forgotten")

    def _nothing_of_nora(self) -> None:
        for question in (REGION, COST, RELEASE, STYLE):
            view = self._ask(NORA, question, None, "after")
            self._checks.that(view.abstained, f"'{question}' has no answer after forget")
        left = self._client.memories.list(
            user_id=NORA,
            tiers=["episodic", "semantic"],
            standing=["asserted", "contested", "quarantined"],
        ).items
        profile = self._client.profile.get(user_id=NORA).items
        self._checks.equal((len(left), len(profile)), (0, 0), "items left of Nora")
        for talk in self._talks:
            if talk.user_id == NORA:
                self._gone(talk.session_id)
        again = self._client.forget(user_id=NORA, dry_run=True)
        self._screen.counts("\nleft of Nora", again.counts)
        self._checks.equal(dict(again.counts), {}, "rows left of Nora")

    def _gone(self, session_id: str) -> None:
        """Neither the session nor its summary answers by its own name."""
        try:
            self._client.sessions.get(user_id=NORA, session_id=session_id)
        except NotFound:
            self._checks.that(True, f"{session_id} is gone")
        else:
            self._checks.that(False, f"{session_id} is gone")
        summary = self._ids.get(session_id)
        if summary is None:
            self._checks.that(False, f"{session_id} had a summary")
            return
        try:
            self._client.memories.get(id=summary.id)
        except NotFound:
            self._checks.that(True, f"the summary of {session_id} is gone")
        else:
            self._checks.that(False, f"the summary of {session_id} is gone")

    def _ask_tomas(self, when: str) -> list[list[Item]]:
        """Tomas's answers without their scores, which move with the clock.

        Asked as of one instant, so that asking does not count as use.
        """
        answers = [
            self._ask(TOMAS, question, self._today, when, rows=1)
            for question in (LEDGER, PEANUTS, BACKUPS)
        ]
        values = [view.items[0].value if view.items else None for view in answers[:2]]
        self._checks.equal(values, [TOMAS_REGION, "peanuts"], f"Tomas's facts {when}")
        self._checks.that(
            bool(answers[2].items) and "seven years" in answers[2].items[0].text,
            f"Tomas's backups {when}",
        )
        return [
            [replace(item, score=None, score_parts=None) for item in view.items] for view in answers
        ]


def _when(as_of: datetime | None) -> str:
    return "today" if as_of is None else f"as of {date(as_of)}"


def _content(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts without the clock of use and the recall log, which are written in batches."""
    late = ("access", "recall_log")
    return {name: number for name, number in counts.items() if name not in late}
