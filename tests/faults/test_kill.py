"""Processes killed with -9 while eight clients write (20 times each in ``make faults``).

| killed | then |
|---|---|
| the API, the worker, the database server, at any moment | every acknowledged event is there once; the service is back by itself |
| the API at an armed point around a commit | all or nothing; the same request again is answered |
| the worker at every step of consolidation | the end is that of a run without kills, row by row |
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import MunimentError
from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running
from tests.faults.harness import (
    PROCESSES,
    alive,
    answers,
    lost_and_doubled,
    process,
    strike,
    writing,
)
from tests.support.cluster import fresh_place
from tests.support.services import running_service
from tests.support.waiting import until
from tests.support.world import START

pytestmark = pytest.mark.long

ROUNDS = int(os.environ.get("TEST_KILLS", "2"))
WRITERS = 8
# The long run strikes everywhere; the short one where most is at stake.
EVERYWHERE = ROUNDS >= 20
AROUND_A_COMMIT = ["operation.handled", "operation.before_commit", "operation.committed"]


@pytest.fixture
def data() -> Iterator[Path]:
    """A data directory of its own."""
    with fresh_place() as place:
        yield place / "data"


def test_nothing_acknowledged_is_lost(data: Path) -> None:
    with running_service(data) as service, Client(service.url, service.key) as client:
        with writing(service, WRITERS) as writers:
            for _ in range(ROUNDS):
                for name in PROCESSES:
                    before = sum(len(writer.acknowledged) for writer in writers)
                    until(lambda b=before: sum(len(w.acknowledged) for w in writers) > b + WRITERS)  # type: ignore[misc]
                    killed = process(service, name)
                    until(lambda n=name: strike(service, n))  # type: ignore[misc]
                    if killed is not None:
                        until(lambda k=killed: not alive(k))  # type: ignore[misc]
                    until(lambda: answers(client))
        assert [wrong for writer in writers for wrong in writer.wrong] == []
        acknowledged = sum(len(writer.acknowledged) for writer in writers)
        unanswered = sum(writer.unanswered for writer in writers)
        print(f"{acknowledged} acknowledged, {unanswered} sent again, {3 * ROUNDS} kills")
        assert unanswered > 0
        assert lost_and_doubled(client, writers) == ([], [])


@pytest.mark.parametrize("point", AROUND_A_COMMIT if EVERYWHERE else AROUND_A_COMMIT[1:2])
def test_the_api_dies_around_a_commit(data: Path, point: str) -> None:
    # The third write dies; each start of the process counts anew.
    with running_service(data, {"MUNIMENT_KILL_AT": f"{point}:3"}) as service:
        event = Event(turn=1, role="user", content="The heron nests in Gouda.", occurred_at=START)
        dead = 0
        for number in range(6):
            key = f"k{number}"
            for _ in range(200):
                with Client(service.url, service.key) as client:
                    try:
                        client.working.put(
                            user_id="u",
                            session_id="s",
                            key=f"k{number}",
                            value=number,
                            idempotency_key=key,
                        )
                        break
                    except MunimentError:
                        dead += 1
                        until(lambda: process(service, "api") is not None)
        assert dead > 0
        with Client(service.url, service.key) as client:
            until(lambda: _versions(client) == dict.fromkeys((f"k{n}" for n in range(6)), 1))
            client.events.write(user_id="u", session_id="s", events=[event])


def _versions(client: Client) -> dict[str, int]:
    try:
        found = client.working.list(user_id="u", session_id="s").items
    except MunimentError:
        return {}
    return {item.key: item.version for item in found}


def summaries(service: Running) -> list[Any]:
    """Episodes with what they quote, without ids and times of recording."""
    with psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True) as admin:
        return admin.execute(
            "SELECT p.text, p.outcome, p.started_at, p.ended_at, p.through_turn, upper_inf(p.recorded), p.trust,"
            " p.importance, p.category, s.dirty_since IS NULL,"
            " (SELECT array_agg(e.turn ORDER BY e.turn) FROM muniment.episode_source r"
            "  JOIN muniment.event e USING (tenant_id, scope_id, event_id)"
            "  WHERE r.tenant_id = p.tenant_id AND r.scope_id = p.scope_id AND r.episode_id = p.episode_id),"
            " (SELECT count(*) FROM muniment.memory_index i WHERE i.tenant_id = p.tenant_id"
            "  AND i.scope_id = p.scope_id AND i.episode_id = p.episode_id AND upper_inf(i.recorded))"
            " FROM muniment.episode p JOIN muniment.session s USING (tenant_id, scope_id, session_pk)"
            " ORDER BY s.session_id, p.through_turn"
        ).fetchall()


SAID = (
    "I moved to Gouda in March.",
    "My employer is Philips in Eindhoven.",
    "We decided to launch the shop on 3 September.",
    "My daughter Mia plays the cello.",
    "I prefer weekly reports without charts.",
    "The cabin in Lofoten is booked for July.",
    "Our deploy region is eu-west-1 now.",
)


def talk(client: Client) -> list[int]:
    """Three sessions, one of which goes on after it was closed; returns the jobs."""
    jobs = []
    for session in range(3):
        place = {"user_id": "u", "session_id": f"s{session}"}
        for part in range(2 if session == 0 else 1):
            events = [
                Event(
                    turn=10 * part + at,
                    role="user",
                    content=SAID[(4 * session + 2 * part + at) % len(SAID)],
                    occurred_at=START,
                )
                for at in range(2)
            ]
            client.events.write(events=events, **place)  # type: ignore[arg-type]
            job = client.sessions.close(outcome="success", **place).job_id
            if job is not None:
                until(lambda j=job: client.jobs.get(job_id=j).state == "succeeded", within=120)  # type: ignore[misc]
                jobs.append(job)
    return jobs


STEPS = ("locked", "summarised", "ended", "stored", "committed")
POINTS = STEPS if EVERYWHERE else ("stored", "committed")


def test_the_worker_dies_at_every_step_of_consolidation() -> None:
    ends = {}
    for point in (None, *POINTS):
        armed = {"MUNIMENT_WORKER_HEARTBEAT_SECONDS": "0.3"}
        if point is not None:
            armed["MUNIMENT_KILL_AT"] = f"consolidation.{point}:2"
        with fresh_place() as place, running_service(place / "data", armed) as service:
            with Client(service.url, service.key) as client:
                talk(client)
            ends[point] = summaries(service)
    assert len(ends[None]) == 4
    for point in POINTS:
        assert ends[point] == ends[None], point
