"""Three API processes and two workers on one database; some of each killed with -9 in the middle.

Six users write sessions, close each twice, recall, correct; two are forgotten while their jobs run.
Each call goes through another process than the one before, and is sent again until it is answered.
Another tenant's users live the same through one API process and one worker that nobody kills.

| killed | when |
|---|---|
| a worker | it has written the first summary, and not committed it |
| an API process | it has committed the 20th call, and not answered |
| the one in its place | it has put a forget into the erasure ledger, and not committed it |
| the worker and the API process of `muniment serve` | in the middle, and it is started anew by itself |

| at the end | |
|---|---|
| an acknowledged event | is there once, as it was said |
| a session | has one summary, each of its candidates decided once: as in the other tenant |
| an audited change | is recorded as often as in the other tenant; the chain verifies in every process |
| an answer | is logged once; or a killed process gave it in its last moments |
| the same question | has the same answer of every process: items, scores |
| connections | were never more than the settings say |
| a word of who was forgotten | is in no row, no file of the database, no log |
"""

import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from threading import Thread
from typing import Any, TypeAlias
from uuid import UUID

import psycopg
import pytest

from muniment.client import Client
from muniment.postgres.embedded import ADMIN, Layout
from muniment.postgres.recall_buffer import WINDOW_SECONDS
from muniment.testing import Running
from tests.faults.fleet import (
    LEAVING,
    OF_EACH,
    PATIENCE,
    SAID,
    STAYING,
    USERS,
    Answer,
    Run,
    lives,
    word,
)
from tests.faults.fleet_stored import Admin, Stored, tables_with
from tests.faults.harness import strike
from tests.faults.input_size import UNLIMITED
from tests.faults.test_forget_bytes import forms, search, unnoted
from tests.support.processes import address, api_process, further_api, listening, worker_process
from tests.support.services import running_service
from tests.support.waiting import until

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

POOL = 4
SETTINGS = UNLIMITED | {"MUNIMENT_POOL_SIZE": str(POOL), "MUNIMENT_WORKER_HEARTBEAT_SECONDS": "2"}
# A batch is begun a second after the one before; on a busy machine it takes a while.
NOTED_WITHIN = WINDOW_SECONDS + 5
# Of a score: a minute of a half-life of weeks is far less.
AGED = 1e-4
QUESTIONS = ("Where do I live?", "What do I work at?", "Which kite is mine?", "What about my boat?")
_CONNECTIONS = """
SELECT usename, count(*) FROM pg_stat_activity WHERE application_name LIKE 'muniment-%' GROUP BY 1
"""
Process: TypeAlias = "subprocess.Popen[bytes]"
Meanwhile = Callable[[Run, Sequence[Thread]], None]
"""Starts the threads of users, and returns when there is no more to do than to wait for them."""


def armed(point: str) -> dict[str, str]:
    return SETTINGS | {"MUNIMENT_KILL_AT": point}


class Fleet:
    """Three API processes and two workers on one database, and when which of them was killed."""

    def __init__(self, service: Running, stack: ExitStack) -> None:
        self.service, self._stack = service, stack
        self._log = service.data_dir.parent / "further-worker.log"
        self._third = stack.enter_context(listening())
        second = stack.enter_context(further_api(service, SETTINGS))
        self.urls = [service.url, second, address(self._third)]
        self.kills: list[tuple[str, float]] = []
        self.connections = {"muniment_app": 0, "muniment_worker": 0}
        self._admin = stack.enter_context(admin_of(service))

    def lose_some(self, run: Run, threads: Sequence[Thread]) -> None:
        """Kill processes while users live, and start others in their places, which stay."""
        worker = self._worker(armed("consolidation.stored:1"))
        api = self._api(armed("operation.committed:20"))
        for thread in threads:
            thread.start()
        with ThreadPoolExecutor() as pool:
            waits = [
                pool.submit(self._lose_worker, run, worker),
                pool.submit(self._lose_api, run, api),
                pool.submit(self._lose_served, run),
            ]
        for wait in waits:
            wait.result()

    def _lose_worker(self, run: Run, worker: Process) -> None:
        self._dies(run, worker, "worker")
        self._worker(SETTINGS)

    def _lose_api(self, run: Run, api: Process) -> None:
        self._dies(run, api, self.urls[2])
        self._dies(run, self._api(armed("ledger.appended:1")), self.urls[2])
        self._api(SETTINGS)

    def _lose_served(self, run: Run) -> None:
        """Those of ``muniment serve``, which starts others."""
        for name, turns in (("worker", 50), ("api", 80)):
            self._until(partial(run.has_come_to, turns))
            self._until(partial(strike, self.service, name))
            self.kills.append((self.urls[0] if name == "api" else name, time.monotonic()))

    def _worker(self, settings: Mapping[str, str]) -> Process:
        own = {**settings, "MUNIMENT_DATA_DIR": str(self.service.data_dir)}
        return self._stack.enter_context(worker_process(own, self._log))

    def _api(self, settings: Mapping[str, str]) -> Process:
        return self._stack.enter_context(api_process(self.service, self._third, settings))

    def _dies(self, run: Run, process: Process, what: str) -> None:
        """Wait for an armed process to kill itself."""
        self._until(lambda: bool(run.wrong) or process.poll() is not None)
        self.kills.append((what, time.monotonic()))
        assert process.returncode == -signal.SIGKILL, run.wrong

    def _until(self, condition: Callable[[], bool]) -> None:
        """Wait, and look how many connections there are meanwhile."""

        def looked() -> bool:
            found = dict(self._admin.execute(_CONNECTIONS).fetchall())
            self.connections = {
                role: max(self.connections[role], found.get(role, 0)) for role in self.connections
            }
            return condition()

        until(looked, within=PATIENCE)


@dataclass(frozen=True)
class Lived:
    """A tenant whose users have lived."""

    key: str
    run: Run
    stored: Stored


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    """A service of its own: one API, one worker."""
    with running_service(environment=SETTINGS) as made:
        yield made


@pytest.fixture(scope="module")
def alone(service: Running) -> Lived:
    """What one API and one worker leave, that nobody kills."""
    return lived(service, [service.url], start)


@pytest.fixture(scope="module")
def fleet(service: Running, alone: Lived) -> Iterator[Fleet]:
    with ExitStack() as stack:
        yield Fleet(service, stack)


@pytest.fixture(scope="module")
def many(fleet: Fleet) -> Lived:
    """What the fleet leaves."""
    return lived(fleet.service, fleet.urls, fleet.lose_some)


def start(run: Run, threads: Sequence[Thread]) -> None:
    for thread in threads:
        thread.start()


def lived(service: Running, urls: Sequence[str], meanwhile: Meanwhile) -> Lived:
    """What is stored when every user has lived and nobody works any more."""
    with Client(service.url, service.key) as client:
        made = client.tenants.create(name=f"of {len(urls)}")
    run, key = Run(made.tenant_id), made.key.secret
    with ExitStack() as stack, admin_of(service) as admin:
        clients = [stack.enter_context(Client(url, key, timeout=60.0)) for url in urls]
        threads = lives(clients, run)
        try:
            meanwhile(run, threads)
        finally:
            for thread in threads:
                thread.join()
        assert run.wrong == [], "\n".join(run.wrong)
        until(lambda: not working(admin), within=60)
        for client in clients:
            until(partial(sealed, client), within=60)
            until(lambda u=client.url: not unnoted(u), within=60)  # type: ignore[misc]
        return Lived(key, run, Stored.of(admin, run.tenant, STAYING))


def admin_of(service: Running) -> Admin:
    return psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True)


def working(admin: Admin) -> bool:
    """Whether a session waits for a worker, or has one."""
    found = admin.execute(
        "SELECT FROM muniment_queue.procrastinate_jobs"
        " WHERE status IN ('todo', 'doing') AND task_name = 'consolidate_session' LIMIT 1"
    )
    return found.rowcount > 0


def sealed(client: Client) -> bool:
    """Whether the chain, which must verify, has every entry."""
    check = client.audit.verify()
    assert check.ok, check.findings
    return check.pending == 0


def test_an_acknowledged_event_is_there_once(alone: Lived, many: Lived) -> None:
    for one in (alone, many):
        said = one.run.acknowledged
        assert len(said) == len(USERS) * OF_EACH
        staying = [(*place, text) for place, text in said.items() if place[0] in STAYING]
        assert one.stored.events == Counter(staying)


def test_a_session_is_consolidated_once(alone: Lived, many: Lived) -> None:
    assert many.stored.episodes.total() == len(STAYING) * len(SAID)
    assert many.stored.episodes == alone.stored.episodes
    assert many.stored.candidates == alone.stored.candidates
    assert many.stored.versions == alone.stored.versions
    assert many.stored.counts == alone.stored.counts
    # Of a user who was forgotten a job may or may not have run before.
    assert many.stored.passes == alone.stored.passes
    assert many.stored.passes_again == alone.stored.passes_again == Counter()


def test_a_change_is_recorded_once(fleet: Fleet, alone: Lived, many: Lived) -> None:
    assert alone.run.unanswered.total() == 0 < many.run.unanswered.total()
    assert many.stored.changes == alone.stored.changes
    for url in fleet.urls:
        with Client(url, many.key, timeout=60.0) as client:
            check = client.audit.verify()
        assert (check.ok, check.findings) == (True, ())


def test_an_answer_is_logged(fleet: Fleet, alone: Lived, many: Lived) -> None:
    """Of users who stay; what was logged of the others is forgotten with them."""
    lost = [unlogged(one) for one in (alone, many)]
    assert lost[0] == []
    for answer in lost[1]:
        moments = [at for what, at in fleet.kills if what == answer.url]
        assert any(answer.asked <= at <= answer.came + NOTED_WITHIN for at in moments), answer
    print(f"{len(many.run.answers)} answers, {len(lost[1])} of them not logged")
    assert max(many.stored.recalls.values()) == 1


def unlogged(one: Lived) -> list[Answer]:
    """Answers about users who stay that are not in the log."""
    return [
        answer
        for recall_id, answer in one.run.answers.items()
        if answer.user in STAYING and recall_id not in one.stored.recalls
    ]


def test_every_process_answers_alike(fleet: Fleet, many: Lived) -> None:
    at = datetime.now(UTC)
    with ExitStack() as stack:
        clients = [stack.enter_context(Client(url, many.key, timeout=60.0)) for url in fleet.urls]
        for user in USERS:
            first, *others = ([answer(one, user, ask, at) for ask in QUESTIONS] for one in clients)
            assert others == [first, first], user
            assert any(first) == (user in STAYING), user


def answer(client: Client, user: str, query: str, at: datetime) -> dict[UUID, tuple[Any, ...]]:
    """What is answered, but for when. Between two calls an item ages, which its score shows."""
    view = client.recall(user_id=user, query=query, k=50, as_of=at)
    return {
        item.id: (item.text, item.status, pytest.approx(item.score, abs=AGED))
        for item in view.items
    }


def test_connections_are_within_what_the_settings_say(fleet: Fleet, many: Lived) -> None:
    assert 0 < fleet.connections["muniment_app"] <= len(fleet.urls) * POOL
    # Of each worker: those of its transactions; one for a job, and three of the queue.
    assert 0 < fleet.connections["muniment_worker"] <= 2 * (POOL + 1 + 3)
    print(fleet.connections)


def test_no_word_of_the_forgotten_is_left(service: Running, alone: Lived, many: Lived) -> None:
    places = [service.data_dir, *service.data_dir.parent.glob("*.log")]
    with admin_of(service) as admin:
        assert tables_with(admin, word(STAYING[0]))
        assert search(places, forms(word(STAYING[0])))
        for user in LEAVING:
            assert tables_with(admin, word(user)) == []
            assert search(places, forms(word(user))) == []
