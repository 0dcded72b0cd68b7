"""Does recall say nothing where nothing answers, and something where something does?

A line of a file is one user: sessions of turns, and questions that are ``answerable``, with the
turns that answer as ``evidence``, or not. All is written, every session is closed and consolidated,
then every question is recalled.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment.client import Client
from muniment.client.models import Event, Item
from muniment.errors import InvalidInput
from muniment_evals.life import await_job
from muniment_evals.reading import numbered_lines

K = 10
_MOST_EVENTS = 500


@dataclass(frozen=True)
class Report:
    """Shares, and the questions that recall was wrong about.

    ``abstained``: of the unanswerable, those without any item. ``wrongly_abstained``: of the
    answerable, those without any. ``found``: of the answerable, those with evidence in the items.
    """

    unanswerable: int
    answerable: int
    abstained: float
    wrongly_abstained: float
    found: float
    answered: Sequence[str]
    silent: Sequence[str]


def read_users(path: Path) -> list[dict[str, Any]]:
    """The users of a file. Raises InvalidInput naming the line that breaks the format."""
    users = []
    for number, line in numbered_lines(path):
        try:
            user = json.loads(line)
            turns = {(s["session_id"], t["turn"]) for s in user["sessions"] for t in s["turns"]}
            cited = {tuple(e) for q in user["questions"] if q["answerable"] for e in q["evidence"]}
            _ = (user["id"], [one["text"] for one in user["questions"]])
        except (ValueError, KeyError, TypeError):
            raise InvalidInput(f"{path}, line {number}: is no user with questions.") from None
        if not cited <= turns:
            raise InvalidInput(f"{path}, line {number}: evidence that is no turn of the user's.")
        users.append(user)
    return users


def evaluate(
    client: Client, users: Sequence[Mapping[str, Any]], progress: Callable[[str], None]
) -> Report:
    """Write, consolidate and ask."""
    found: list[tuple[Mapping[str, Any], Sequence[Item]]] = []
    for user in users:
        _write(client, user)
        for question in user["questions"]:
            view = client.recall(user_id=user["id"], query=question["text"], k=K)
            found.append((question, view.items))
        progress(f"{user['id']}: {len(found)} questions so far")
    cannot = [(one["text"], items) for one, items in found if not one["answerable"]]
    can = [(one, items) for one, items in found if one["answerable"]]
    return Report(
        unanswerable=len(cannot),
        answerable=len(can),
        abstained=_share([not items for _, items in cannot]),
        wrongly_abstained=_share([not items for _, items in can]),
        found=_share([_has_evidence(one, items) for one, items in can]),
        answered=[f"{text} <- {items[0].text}" for text, items in cannot if items],
        silent=[one["text"] for one, items in can if not items],
    )


def _share(those: Sequence[bool]) -> float:
    return sum(those) / len(those) if those else 0.0


def _has_evidence(question: Mapping[str, Any], items: Sequence[Item]) -> bool:
    cited = {(one.session_id, one.turn) for item in items for one in item.evidence}
    return any(tuple(one) in cited for one in question["evidence"])


def _write(client: Client, user: Mapping[str, Any]) -> None:
    jobs = []
    for session in user["sessions"]:
        place = {"user_id": user["id"], "session_id": session["session_id"]}
        for batch in _batches(session["turns"]):
            client.events.write(**place, events=batch)
        jobs.append(client.sessions.close(**place).job_id)
    for job in jobs:
        if job is not None:
            await_job(client, job)


def _batches(turns: Sequence[Mapping[str, Any]]) -> Iterator[list[Event]]:
    events = [
        Event(
            turn=one["turn"],
            role=one["role"],
            content=one["content"],
            occurred_at=one["occurred_at"],
        )
        for one in turns
    ]
    for start in range(0, len(events), _MOST_EVENTS):
        yield events[start : start + _MOST_EVENTS]
