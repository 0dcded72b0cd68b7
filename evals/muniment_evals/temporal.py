"""Questions that name a time, answered by the time that recall reads from them.

A file has conversations in the conversation format, each with its ``zone`` where that is not UTC; a
question has ``asked_at``, ``category``, its
``evidence_turn_ids``, ``abstain`` where nothing was said then, and ``range`` where it means a time.
Every question is recalled twice: as it is, and with ``times="ignore"``, by its words alone.
"""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from muniment.client import Client
from muniment.client.conversations import read_conversations
from muniment.client.models import MemoryView
from muniment.errors import InvalidInput
from muniment_evals.reading import numbered_lines
from muniment_evals.retrieval import Turn, cited_turns, labelled_turns, write_conversation

K = 10
Times = Literal["read", "ignore"]


@dataclass(frozen=True)
class Scores:
    """Shares over questions. ``found``: of the evidence among the first ten turns. ``abstained``:
    of those that nothing answers, those without an item. ``outside``: of the turns that were given,
    those outside of the time that the question means.
    """

    questions: int
    found: float | None
    abstained: float | None
    outside: float | None


@dataclass(frozen=True)
class Report:
    """``read``: with times read from questions; ``ignored``: by words alone; by category.

    ``understood``: of the questions with a range, those of which recall says exactly that.
    """

    questions: int
    understood: float
    read: Mapping[str, Scores]
    ignored: Mapping[str, Scores]
    recall_ms: Sequence[float]
    wrong: Sequence[str]


@dataclass(frozen=True)
class _Asked:
    category: str
    text: str
    evidence: frozenset[Turn]
    cited: Sequence[Turn]
    outside: int
    ranged: bool
    exact: bool

    @property
    def share(self) -> float:
        return len(self.evidence & set(self.cited)) / max(len(self.evidence), 1)

    @property
    def right(self) -> bool:
        return self.share == 1.0 if self.evidence else not self.cited


def read(path: Path) -> list[tuple[str | None, Any]]:
    """Conversations with their zones. Raises InvalidInput for a question without ``asked_at``."""
    found: list[tuple[str | None, Any]] = []
    conversations = list(read_conversations(path))
    rows = [json.loads(line) for _, line in numbered_lines(path)]
    zones = {str(row["id"]): row.get("zone") for row in rows}
    for one in conversations:
        for question in one.questions:
            if not question.get("asked_at") or "category" not in question:
                raise InvalidInput(f"{path}: a question of {one.id} lacks asked_at or category.")
        found.append((zones.get(one.id), one))
    if not any(one.questions for _, one in found):
        raise InvalidInput(f"{path}: no conversation has a question.")
    return found


def evaluate(
    client: Client, conversations: Sequence[tuple[str | None, Any]], progress: Callable[[str], None]
) -> Report:
    """Write, and ask every question both ways."""
    asked: dict[Times, list[_Asked]] = {"read": [], "ignore": []}
    taken: list[float] = []
    for zone, conversation in conversations:
        ids = write_conversation(client, conversation)
        at: dict[Turn, datetime] = {}
        for session in conversation.sessions:
            at |= {(session.session_id, turn.turn_id): turn.at for turn in session.turns}
        for question in conversation.questions:
            for times, answers in asked.items():
                began = time.perf_counter()
                view = client.recall(
                    user_id=conversation.id, query=question["text"], k=K, times=times,
                    timezone=zone, as_of=_instant(question["asked_at"]),
                )  # fmt: skip
                taken.append((time.perf_counter() - began) * 1000)
                answers.append(_answer(question, view, ids, at))
        progress(f"{conversation.id}: {len(asked['read'])} questions so far")
    ranged = [one for one in asked["read"] if one.ranged]
    return Report(
        questions=len(asked["read"]),
        understood=fmean(one.exact for one in ranged) if ranged else 0.0,
        read=_by_category(asked["read"]),
        ignored=_by_category(asked["ignore"]),
        recall_ms=[round(one, 3) for one in taken],
        wrong=[f"{one.category}: {one.text}" for one in asked["read"] if not one.right],
    )


def _answer(
    question: Mapping[str, Any],
    view: MemoryView,
    ids: Mapping[Turn, Turn],
    at: Mapping[Turn, datetime],
) -> _Asked:
    cited = tuple(islice(cited_turns(view.items, ids), K))
    bounds = [_instant(one) for one in question.get("range") or ()]
    outside = sum(not bounds[0] <= at[turn] < bounds[1] for turn in cited) if bounds else 0
    period = view.period
    exact = bool(bounds) and period is not None and [period.start, period.end] == bounds
    evidence = labelled_turns(question, ids)
    return _Asked(
        question["category"], question["text"], evidence, cited, outside, bool(bounds), exact
    )


def _instant(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _by_category(asked: Iterable[_Asked]) -> dict[str, Scores]:
    groups: dict[str, list[_Asked]] = defaultdict(list)
    for one in asked:
        groups["overall"].append(one)
        groups[one.category].append(one)
    return {name: _scores(members) for name, members in groups.items()}


def _scores(asked: Sequence[_Asked]) -> Scores:
    answerable = [one for one in asked if one.evidence]
    empty = [one for one in asked if not one.evidence]
    given = sum(len(one.cited) for one in asked if one.ranged)
    outside = sum(one.outside for one in asked if one.ranged)
    return Scores(
        questions=len(asked),
        found=round(fmean(one.share for one in answerable), 4) if answerable else None,
        abstained=round(fmean(not one.cited for one in empty), 4) if empty else None,
        outside=round(outside / given, 4) if given else None,
    )
