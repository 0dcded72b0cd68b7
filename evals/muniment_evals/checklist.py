"""Nine claims of a memory, each shown on the running store, with what was seen.

A claim is shown by checks; its evidence is what the store answered. Recall and the outcome of tasks
are two figures, and nothing adds them up.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import httpx

from muniment.client.models import Event, Item
from muniment.errors import MunimentError
from muniment_evals.probes import Check, Place, erasing, facts
from muniment_evals.task import Outcome, Task
from muniment_evals.task import evaluate as evaluate_tasks

_USER = "checklist"
_LAYERS = {"semantic", "episodic", "working", "run", "knowledge", "audit"}
_QUESTIONS = (
    ("Which region do we deploy to?", "eu-central-1", "eu-west-1"),
    ("Which day do we release on?", "Thursday", ""),
    ("What lags by three days?", "orders", ""),
)


@dataclass(frozen=True)
class Claim:
    """A claim, whether it was shown, what the store answered, and what was wrong."""

    claim: str
    shown: bool
    evidence: Sequence[str]
    wrong: Sequence[str]


@dataclass
class _Seen:
    """Checks of one claim, as they are made."""

    evidence: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def check(self, right: bool, told: str) -> None:
        """Note what was seen, on one side or the other."""
        (self.evidence if right else self.wrong).append(told)

    def probe(self, checks: Iterator[Check], told: str) -> None:
        """All checks of a probe, as one piece of evidence."""
        made = list(checks)
        wrong = [one.said for one in made if not one.right]
        self.check(not wrong, f"{told}: {len(wrong)} of {len(made)} checks failed")
        self.wrong += wrong


def run(place: Place, progress: Callable[[str], None]) -> list[Claim]:
    """Every claim, in order, in the place's tenant."""
    _live(place)
    claims = []
    for claim, show in _CLAIMS.items():
        seen = _Seen()
        try:
            show(place, seen)
        except MunimentError as error:
            seen.wrong.append(f"{error.code}: {error}")
        claims.append(
            Claim(claim, not seen.wrong and bool(seen.evidence), seen.evidence, seen.wrong)
        )
        progress(f"{'shown' if claims[-1].shown else 'NOT SHOWN'}: {claim}")
    return claims


def _live(place: Place) -> None:
    """Two sessions of one user: what is said, and what corrects it."""
    told = (
        (
            "s1",
            40,
            ("Good morning!", "We deploy to eu-west-1.", "We release on Thursday.", "Thanks!"),
        ),
        (
            "s2",
            5,
            ("We deploy to eu-central-1 from now on.", "The orders feed lags by three days."),
        ),
    )
    for session, days, texts in told:
        at = place.ago(days=days)
        events = [
            Event(turn=n, role="user", content=text, occurred_at=at + timedelta(minutes=n))
            for n, text in enumerate(texts, 1)
        ]
        place.client.events.write(user_id=_USER, session_id=session, events=events)
        place.consolidate(_USER, session)


def _layers(place: Place, seen: _Seen) -> None:
    place.client.working.put(user_id=_USER, session_id="now", key="draft", value={"step": 1})
    report = place.client.governance.report()
    by_layer: dict[str, set[str]] = {}
    for line in report.tables:
        by_layer.setdefault(line.layer, set()).add(f"{line.retention_class} ({line.ends})")
    missing = sorted(_LAYERS - set(by_layer))
    seen.check(not missing, f"layers: {', '.join(sorted(by_layer))}; missing: {missing or 'none'}")
    for layer in sorted(_LAYERS & set(by_layer)):
        seen.check(bool(by_layer[layer]), f"{layer}: {'; '.join(sorted(by_layer[layer])[:4])}")
    unregistered = list(report.unregistered)
    seen.check(not unregistered, f"tables without layer, class and owner: {unregistered or 'none'}")
    shown = place.recall(user_id=_USER, query="step draft")
    seen.check("draft" not in str(shown), "working memory is read by key and never recalled")


def _behind_an_api(place: Place, seen: _Seen) -> None:
    with httpx.Client(base_url=place.client.url, trust_env=False) as http:
        body = {"user_id": _USER, "query": "Where do we deploy?"}
        recalled = http.post("/v1/recall", json=body).status_code
        seen.check(recalled == 401, f"recall over HTTP without a key: {recalled}")
    with place.another() as other:
        found = other.recall(user_id=_USER, query="Which region do we deploy to?").items
        seen.check(not found, f"another tenant's key recalls {len(found)} items")


def _gate(place: Place, seen: _Seen) -> None:
    texts = ("Good morning!", "Thanks a lot!", "Hm, let me see.", "Can you show me the chart?")
    events = [
        Event(turn=n, role="user", content=text, occurred_at=place.ago(hours=1))
        for n, text in enumerate((*texts, "We moved the stand-up to 9:30."), 1)
    ]
    written = place.client.events.write(user_id="gate", session_id="s", events=events)
    for verdict, event in zip(written.verdicts, events, strict=True):
        wanted = event.turn > len(texts)
        told = "kept" if verdict.kept else "dropped"
        seen.check(verdict.kept == wanted, f"{event.content} {told}: {verdict.reason}")


def _consolidated(place: Place, seen: _Seen) -> None:
    episodes = [i for i in place.items(_USER, tiers=["episodic"]) if i.kind != "event"]
    seen.check(len(episodes) == 2, f"{len(episodes)} summaries of two sessions")
    memories = place.items(_USER, tiers=["semantic"])
    seen.check(bool(memories), f"promoted: {'; '.join(one.text for one in memories)}")
    seen.check(
        all(one.evidence for one in memories), "every memory cites the turns that it rests on"
    )


def _dated(place: Place, seen: _Seen) -> None:
    view = place.recall(user_id=_USER, query="Which region do we deploy to?", tiers=["semantic"])
    seen.check(bool(view.items), f"{len(view.items)} items recalled")
    for one in view.items[:3]:
        dated = one.as_of <= place.now and one.valid_from is not None
        seen.check(dated, f"{one.text} as of {one.as_of:%Y-%m-%d}, true since {_day(one)}")


def _day(item: Item) -> str:
    return "no day" if item.valid_from is None else f"{item.valid_from:%Y-%m-%d}"


def _superseded(place: Place, seen: _Seen) -> None:
    values = place.values(_USER, "deploy_region", _QUESTIONS[0][0])
    seen.check(values == ["eu-central-1"], f"the region now: {', '.join(map(str, values))}")
    past = place.values(_USER, "deploy_region", _QUESTIONS[0][0], as_of=place.ago(days=20))
    seen.check(past == ["eu-west-1"], f"the region twenty days ago: {', '.join(map(str, past))}")
    seen.probe(facts.stale_answers(place), "eight slots, each corrected once")


def _decays(place: Place, seen: _Seen) -> None:
    for weeks in (1, 52):
        until = place.now + timedelta(weeks=weeks)
        kinds = {row.kind: row for row in place.client.policy.simulate(until=until).kinds}
        row = kinds["session_summary"]
        told = f"summaries in {weeks} weeks, unused: {row.kept} kept, {row.archived} archived, "
        gone = row.archived + row.expired
        seen.check((gone > 0) == (weeks > 1), f"{told}{row.expired} over")


def _forgets(place: Place, seen: _Seen) -> None:
    seen.probe(erasing.deletion_leaks(place), "answers after one call of forget")
    place.state("receipt", "city", "Gouda", place.ago(days=3), session="s")
    done = place.client.forget(user_id="receipt")
    counts = ", ".join(f"{table} {count}" for table, count in sorted(done.counts.items()) if count)
    seen.check(done.receipt_id is not None, f"a receipt says what went: {counts}")


def _measured(place: Place, seen: _Seen) -> None:
    found = []
    for query, wanted, _ in _QUESTIONS:
        items = place.recall(user_id=_USER, query=query).items
        found.append(wanted.casefold() in " ".join(one.text for one in items).casefold())
    seen.check(all(found), f"recall: the answer is in the items of {sum(found)} of {len(found)}")
    tasks = [
        Task(f"task-{number}", _USER, question, [wanted], [old] if old else [])
        for number, (question, wanted, old) in enumerate(_QUESTIONS)
    ]

    def agent(task: Task, memory: bool) -> Outcome:
        if not memory:
            return Outcome("I do not know.", 0.0)
        items = place.recall(user_id=task.user_id, query=task.prompt, tiers=["semantic"], k=3).items
        return Outcome(items[0].text if items else "I do not know.", 0.0)

    report = evaluate_tasks(tasks, agent)
    better = report.with_memory.passed > report.without.passed
    seen.check(
        better,
        "task outcome, an agent that repeats the first memory: "
        f"{report.with_memory.passed} of "
        f"{report.tasks} with memory, {report.without.passed} without; added to no score",
    )
    old = sum(pair.answer_with.find("eu-west-1") >= 0 for pair in report.pairs)
    seen.check(old == 0, f"stale facts in what the agent answered: {old} of {report.tasks}")


_CLAIMS: dict[str, Callable[[Place, _Seen], None]] = {
    "Layers are distinct, each with lifetimes of its own": _layers,
    "It is behind an API, and a key opens it": _behind_an_api,
    "The write gate drops turns without signal": _gate,
    "Consolidation summarises and promotes": _consolidated,
    "Every fact is dated, and shown so on recall": _dated,
    "A correction supersedes": _superseded,
    "Episodes decay": _decays,
    "One call forgets a user": _forgets,
    "Recall and task outcome are both measured, and stale facts": _measured,
}
