"""A year of one user's life through a service: what is held of it at the end, and what is not.

Each month is written with its dates, session by session; each session is closed and consolidated.
A second user lives the first two months alone, so that recall then and at the end are timed in
turns on one service.
"""

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from muniment.client import Client, each
from muniment.client.models import Event, Item
from muniment_evals.life_story import LifeSession, Planted, Story
from muniment_evals.life_verdict import answers, given_as_current, remembered

LATE, EARLY = "life", "life-early"
_EARLY_MONTHS = 2
_ROUNDS = 5
_WARM = 20
_PAUSE_SECONDS = 0.03
_PATIENCE_SECONDS = 300.0
_PAGE = 100
_GOING = frozenset({"todo", "doing"})


@dataclass(frozen=True)
class Month:
    """Counts at the end of a month, from 1; ``events`` and ``kept`` are of that month."""

    month: int
    events: int
    kept: int
    memories: int


@dataclass(frozen=True)
class Missed:
    """A current fact that no active memory has, and how it was said."""

    group: str
    how: str
    said: str


@dataclass(frozen=True)
class Given:
    """A value that is out of date and was given as current: where, by which text.

    ``ended_by``: what was said that ends it.
    """

    where: str
    group: str
    how: str
    said: str
    value: str
    text: str
    ended_by: str


@dataclass(frozen=True)
class Report:
    """Shares from 0 to 1; ``current_there`` counts a fact that a list, a recall or the profile has.

    ``old_turns_recalled``: superseded values that a recall shows as a dated turn alone.
    """

    sessions: int
    turns: int
    dropped_share: float
    current: int
    current_there: float
    current_held: float
    current_recalled: float
    current_in_profile: float
    superseded: int
    superseded_given: int
    old_turns_recalled: int
    remarks: int
    remarks_remembered: int
    memories: int
    other_memories: int
    months: Sequence[Month]
    recall_p50_early_ms: float
    recall_p50_end_ms: float
    recall_ratio: float
    recall_rounds: Sequence[float]
    write_seconds: float
    consolidate_seconds: float
    by_group: Mapping[str, str]
    missed: Sequence[Missed]
    given: Sequence[Given]
    remembered_remarks: Sequence[str]
    other: Sequence[str]


@dataclass
class _Lived:
    turns: int = 0
    dropped: int = 0
    kept: Counter[int] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)
    months: list[Month] = field(default_factory=list)
    writing: float = 0.0
    consolidating: float = 0.0
    places: dict[tuple[str, int], str] = field(default_factory=dict)


def evaluate(
    client: Client,
    story: Story,
    progress: Callable[[str], None],
    curate: Callable[[], None] | None = None,
) -> Report:
    """Live the year and look at what is left of it. ``curate`` is done at the end of each month."""
    lived = _Lived()
    by_month: dict[int, list[LifeSession]] = {}
    for session in story.sessions:
        by_month.setdefault(session.month, []).append(session)
    for month, sessions in sorted(by_month.items()):
        for session in sessions:
            _live(client, LATE, session, lived)
            if month < _EARLY_MONTHS:
                _live(client, EARLY, session, _Lived())
        if curate is not None:
            curate()
        count = sum(1 for _ in _memories(client, LATE))
        lived.months.append(Month(month + 1, lived.events[month], lived.kept[month], count))
        progress(
            f"month {month + 1}: {lived.events[month]} turns, {lived.kept[month]} kept, "
            f"{count} memories"
        )
    return _report(client, story, lived)


def _live(client: Client, user: str, session: LifeSession, lived: _Lived) -> None:
    """Write a session, close it, and wait until it is consolidated."""
    events = [
        Event(turn=number, role=said.role, content=said.content, occurred_at=at)
        for number, (at, said) in enumerate(session.turns, 1)
    ]
    began = time.perf_counter()
    answer = client.events.write(user_id=user, session_id=session.session_id, events=events)
    lived.writing += time.perf_counter() - began
    kept = sum(verdict.kept for verdict in answer.verdicts)
    lived.turns += len(events)
    lived.dropped += len(events) - kept
    lived.events[session.month] += len(events)
    lived.kept[session.month] += kept
    for event in events:
        lived.places[session.session_id, event.turn] = event.content
    began = time.perf_counter()
    closed = client.sessions.close(user_id=user, session_id=session.session_id)
    if closed.job_id is not None:
        await_job(client, closed.job_id)
    lived.consolidating += time.perf_counter() - began


def await_job(client: Client, job_id: int) -> None:
    """Return when a job is done. Raises RuntimeError when it fails or takes five minutes."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    job = client.jobs.get(job_id=job_id)
    while job.state in _GOING and time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)
        job = client.jobs.get(job_id=job_id)
    if job.state != "succeeded":
        raise RuntimeError(f"job {job_id} is {job.state} after {job.attempts}: {job.last_error}")


def _memories(client: Client, user: str) -> Iterator[Item]:
    """Every active memory of a user, and what the organisation holds: faults of its data."""
    for owner in (user, None):
        held = each(client.memories.list, user_id=owner, limit=_PAGE)
        yield from (item for item in held if item.status == "active")


def _profile(client: Client) -> list[Item]:
    return [one for one in client.profile.get(user_id=LATE).items if one.status == "active"]


def _report(client: Client, story: Story, lived: _Lived) -> Report:
    held, profile = list(_memories(client, LATE)), _profile(client)
    recalled = {
        one.ask: client.recall(user_id=LATE, query=one.ask).items
        for one in (*story.current, *story.superseded)
    }
    shown = {ask: _asserted(items) for ask, items in recalled.items()}
    in_list = [any(answers(one, item) for item in held) for one in story.current]
    in_recall = [any(answers(one, item) for item in shown[one.ask]) for one in story.current]
    in_profile = [any(answers(one, item) for item in profile) for one in story.current]
    there = [any(three) for three in zip(in_list, in_recall, in_profile, strict=True)]
    given = [one for old in story.superseded for one in _given(old, shown[old.ask], profile)]
    places = {(story.sessions[one.session].session_id, one.said): one for one in story.remarks}
    from_remarks = remembered(held, lived.places, places)
    early, end, rounds = _timed(client, story)
    others = [
        item
        for item in held
        if not any(answers(one, item) for one in (*story.current, *story.superseded))
    ]
    return Report(
        sessions=len(story.sessions),
        turns=lived.turns,
        dropped_share=round(lived.dropped / lived.turns, 4),
        current=len(story.current),
        current_there=_share(there),
        current_held=_share(in_list),
        current_recalled=_share(in_recall),
        current_in_profile=_share(in_profile),
        superseded=len(story.superseded),
        superseded_given=len({(one.group, one.said) for one in given}),
        old_turns_recalled=sum(
            _as_a_turn(one, recalled[one.ask], shown[one.ask]) for one in story.superseded
        ),
        remarks=len(story.remarks),
        remarks_remembered=len(from_remarks),
        memories=len(held),
        other_memories=len(others),
        months=lived.months,
        recall_p50_early_ms=round(early, 3),
        recall_p50_end_ms=round(end, 3),
        recall_ratio=round(statistics.median(rounds), 3),
        recall_rounds=[round(one, 3) for one in rounds],
        write_seconds=round(lived.writing, 2),
        consolidate_seconds=round(lived.consolidating, 2),
        by_group=_by_group(story.current, there),
        missed=[
            Missed(one.group, one.how, one.said)
            for one, found in zip(story.current, there, strict=True)
            if not found
        ],
        given=given,
        remembered_remarks=from_remarks,
        other=[f"{item.slot}={item.value}: {item.text}" for item in others],
    )


def _asserted(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.tier == "semantic" and item.status == "active"]


def _given(old: Planted, recalled: Sequence[Item], profile: Sequence[Item]) -> Iterator[Given]:
    for where, items in (("recall", recalled), ("profile", profile)):
        for item in items:
            if given_as_current(old, item):
                yield Given(where, old.group, old.how, old.said, old.value, item.text, old.ended_by)


def _as_a_turn(old: Planted, items: Sequence[Item], memories: Sequence[Item]) -> bool:
    """Whether a recall shows a value that is out of date in a turn, with no memory of another."""
    turns = [item for item in items if item.tier == "episodic" and answers(old, item)]
    return bool(turns) and not any(old.slot and item.slot == old.slot for item in memories)


def _timed(client: Client, story: Story) -> tuple[float, float, list[float]]:
    """Median of a recall in month two and at the end, in rounds that turn; and their ratios."""
    asked = sorted({one.ask for one in (*story.current, *story.superseded)})
    for user in (EARLY, LATE):
        for ask in asked[:_WARM]:
            client.recall(user_id=user, query=ask)
    times: dict[str, list[float]] = {EARLY: [], LATE: []}
    ratios = []
    for number in range(_ROUNDS):
        taken: dict[str, list[float]] = {EARLY: [], LATE: []}
        for at, ask in enumerate(asked):
            turned = (EARLY, LATE) if (at + number) % 2 else (LATE, EARLY)
            for user in turned:
                began = time.perf_counter()
                client.recall(user_id=user, query=ask)
                taken[user].append((time.perf_counter() - began) * 1000)
        ratios.append(statistics.median(taken[LATE]) / statistics.median(taken[EARLY]))
        for user, some in taken.items():
            times[user] += some
    return statistics.median(times[EARLY]), statistics.median(times[LATE]), ratios


def _share(found: Sequence[bool]) -> float:
    return round(sum(found) / max(len(found), 1), 4)


def _by_group(planted: Sequence[Planted], found: Sequence[bool]) -> dict[str, str]:
    counts: dict[str, list[bool]] = {}
    for one, there in zip(planted, found, strict=True):
        counts.setdefault(one.group, []).append(there)
    return {group: f"{sum(some)}/{len(some)}" for group, some in sorted(counts.items())}


def lines(report: Report) -> Iterator[str]:
    """The report as people read it."""
    yield f"{report.sessions} sessions, {report.turns} turns, {report.dropped_share:.1%} dropped"
    yield (
        f"current: {report.current_there:.1%} of {report.current} there (held "
        f"{report.current_held:.1%}, recalled {report.current_recalled:.1%}, in the profile "
        f"{report.current_in_profile:.1%})"
    )
    yield (
        f"superseded: {report.superseded_given} of {report.superseded} given as current; "
        f"{report.old_turns_recalled} shown as a turn alone"
    )
    yield (
        f"memories: {report.memories}, {report.other_memories} of nothing planted; "
        f"{report.remarks_remembered} of {report.remarks} remarks remembered"
    )
    for month in report.months:
        yield (
            f"month {month.month}: {month.events} turns, {month.kept} kept, "
            f"{month.memories} memories"
        )
    yield (
        f"recall p50: {report.recall_p50_early_ms:.2f} ms after two months, "
        f"{report.recall_p50_end_ms:.2f} ms at the end, ratio {report.recall_ratio:.2f}"
    )
    yield ", ".join(f"{group} {found}" for group, found in report.by_group.items())
    for missed in report.missed:
        yield f"missed: {missed.group} ({missed.how}): {missed.said}"
    for one in report.given:
        yield (
            f"given as current by {one.where}: {one.group} {one.value} ({one.how}): {one.text} "
            f"(ended by: {one.ended_by})"
        )
