"""Eight API processes with a cache each, on one scope that others change all the time.

| change | by | an answer of any process |
|---|---|---|
| a memory, an event | any process | has it from its version on |
| a correction of a slot | any process | has the new value from then on, the old one before |
| items, a session forgotten | any process | has none of them from then on |
| any, in the middle of a recall | | holds for one version of the scope: the one that it states |

Triggers keep every state of the index beside it, by transaction, also what is forgotten. From that
follows, without any cache or ranking, which items hold at the version of an answer: all of them, alike,
speak of the same thing and are fewer than a recall returns, so that an answer must have just these.
An answer about a moment lacks what was forgotten between that moment and the answer: then it must
be, to the item, what the database gives for the moment after one of the forgets in between.
"""

import os
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import MunimentError
from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running
from tests.faults.input_size import UNLIMITED
from tests.support.processes import further_api
from tests.support.services import running_service
from tests.support.waiting import until
from tests.support.world import START

pytestmark = pytest.mark.long

PROCESSES, WRITERS = 8, 3
# `make faults` asks for twenty rounds of everything.
CHANGES = 20 * int(os.environ.get("TEST_KILLS", "3"))
FEW = UNLIMITED | {"MUNIMENT_POOL_SIZE": "3"}
USER, QUESTION = "u", "In which tree does the heron nest?"
# Long, so that the number hardly matters to the vector: none is a near miss beside the others.
SAID = (
    "The tree in which the heron nests, the heron's tree, the tree of the heron's nest, is tree {}."
)
LATER = datetime(2036, 1, 1, tzinfo=UTC)
"""What was said to hold from some moment on holds then."""
KINDS, OF_EACH = 5, 3
"""Of changes, and how many of each there must have been."""
KEPT = 8
"""Items of each writer; together fewer than a recall ranks."""

_SHADOW = """
CREATE SCHEMA shadow;
CREATE TABLE shadow.version (xid xid8, version bigint, watermark timestamptz);
CREATE TABLE shadow.state (
  at bigserial, xid xid8, row_id uuid, item_id uuid, gone boolean, standing text,
  valid tstzrange, recorded tstzrange
);
CREATE FUNCTION shadow.note_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO shadow.version VALUES (pg_current_xact_id(), NEW.version, NEW.watermark);
  RETURN NULL;
END $$;
CREATE FUNCTION shadow.note_state() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  r muniment.memory_index := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO shadow.state (xid, row_id, item_id, gone, standing, valid, recorded)
  VALUES (pg_current_xact_id(), coalesce(r.event_id, r.episode_id, r.version_id),
          CASE WHEN r.version_id IS NULL THEN coalesce(r.event_id, r.episode_id) ELSE r.group_id END,
          TG_OP = 'DELETE', r.standing, r.valid, r.recorded);
  RETURN NULL;
END $$;
CREATE TRIGGER shadow AFTER INSERT OR UPDATE ON muniment.scope_state
  FOR EACH ROW EXECUTE FUNCTION shadow.note_version();
CREATE TRIGGER shadow AFTER INSERT OR UPDATE OR DELETE ON muniment.memory_index
  FOR EACH ROW EXECUTE FUNCTION shadow.note_state();
"""


@dataclass(frozen=True)
class Answer:
    """What a recall returned, and the moment on the record that it stated."""

    process: int
    watermark: datetime
    items: frozenset[UUID]
    came: datetime


@dataclass
class Run:
    """What all clients share while they work."""

    stop: threading.Event = field(default_factory=threading.Event)
    answers: list[Answer] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def is_over(self) -> bool:
        """Whether enough was changed, in every way; or something went wrong."""
        every = len(self.done) == KINDS and min(self.done.values()) >= OF_EACH
        return bool(self.wrong) or (every and self.done.total() >= CHANGES)

    def each(self, work: Callable[[], None]) -> None:
        """Work until told to stop; an error ends it, and is kept."""
        try:
            while not self.stop.is_set():
                work()
        except MunimentError as error:
            self.wrong.append(f"{error.code}: {error.detail}")


class Writer:
    """Remembers, corrects and forgets, each time through another process."""

    def __init__(self, run: Run, clients: Sequence[Client], number: int) -> None:
        self._run, self._clients = run, clients
        self._chance = random.Random(number)
        self._number, self._count = number, 0
        self._memories: list[UUID] = []
        self._sessions: list[str] = []

    def work(self) -> None:
        """One change."""
        client = self._chance.choice(self._clients)
        self._count += 1
        name = f"{self._number}{self._count:05}"
        if len(self._memories) + len(self._sessions) >= KEPT:
            self._forget(client)
            return
        what = self._chance.choice(("remember", "correct", "write"))
        self._run.done[what] += 1
        if what == "write":
            self._sessions.append(f"s{name}")
            event = Event(turn=1, role="user", content=SAID.format(name), occurred_at=START)
            client.events.write(user_id=USER, session_id=f"s{name}", events=[event])
            return
        corrects = what == "correct"
        made = client.memories.remember(
            kind="fact",
            user_id=USER,
            text=SAID.format(name),
            slot="city" if corrects else None,
            value=f"Tree {name}" if corrects else None,
        )
        if made.id is not None and what == "remember":
            self._memories.append(made.id)

    def _forget(self, client: Client) -> None:
        if self._memories and (not self._sessions or self._chance.random() < 0.5):
            self._run.done["forget items"] += 1
            ids = [self._memories.pop(0) for _ in range(min(2, len(self._memories)))]
            client.forget(user_id=USER, ids=ids)
        else:
            self._run.done["forget a session"] += 1
            client.forget(user_id=USER, session_id=self._sessions.pop(0))


def read(run: Run, client: Client, process: int) -> None:
    """One recall."""
    view = client.recall(user_id=USER, query=QUESTION, k=100, as_of=LATER)
    if view.watermarks.user is None:
        assert not view.items
        return
    items = frozenset(item.id for item in view.items)
    came = datetime.now(UTC)
    assert len(items) == len(view.items)
    run.answers.append(Answer(process, view.watermarks.user, items, came))


def admin_of(service: Running) -> psycopg.Connection[Any]:
    return psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True)


@pytest.fixture
def service() -> Iterator[Running]:
    with running_service(environment=FEW) as made:
        yield made


@dataclass(frozen=True)
class State:
    """What a row of the index became in one version of the scope."""

    version: int
    row_id: UUID
    item_id: UUID
    gone: bool
    standing: str
    valid: Any
    recorded: Any

    def holds(self, known_at: datetime) -> bool:
        """Whether a recall about a moment on the record has it."""
        asserted = self.standing == "asserted" and not self.gone
        return asserted and LATER in self.valid and known_at in self.recorded


class History:
    """The scope at every version that it had."""

    def __init__(self, admin: psycopg.Connection[Any]) -> None:
        self.versions: list[tuple[int, datetime]] = []
        of_transaction = {}
        for xid, version, watermark in admin.execute(
            "SELECT xid::text::bigint, max(version), max(watermark) FROM shadow.version"
            " GROUP BY xid ORDER BY 2"
        ):
            self.versions.append((version, watermark))
            of_transaction[xid] = version
        self._states = [
            State(of_transaction[xid], *columns)
            for xid, *columns in admin.execute(
                "SELECT xid::text::bigint, row_id, item_id, gone, standing, valid, recorded"
                " FROM shadow.state ORDER BY at"
            )
        ]
        self._states.sort(key=lambda state: state.version)

    def expected(self, answer: Answer) -> Iterator[set[UUID]]:
        """The right sets for an answer: at its version, and after each forget before it came."""
        at_version = {watermark: version for version, watermark in self.versions}
        version = at_version.get(answer.watermark)
        if version is None:
            return
        held = {one.row_id: one for one in self._states if one.version <= version}
        items = {one.item_id for one in held.values() if one.holds(answer.watermark)}
        yield items
        for later, watermark in self.versions:
            if version < later and watermark <= answer.came:
                went = {one.item_id for one in self._states if one.version == later and one.gone}
                if went & items:
                    items = items - went
                    yield items


def wrong(answers: Sequence[Answer], history: History) -> list[str]:
    """Every answer that has other items than those that held at its version."""
    found = []
    for answer in answers:
        expected = list(history.expected(answer))
        if answer.items not in expected:
            right = expected[0] if expected else set()
            found.append(
                f"process {answer.process}, {answer.watermark}: lacks {len(right - answer.items)} of"
                f" {len(right)}, {len(answer.items - right)} too many"
            )
    return found


@pytest.mark.timeout(900)
def test_answers_are_those_of_the_database(service: Running) -> None:
    with admin_of(service) as admin, ExitStack() as stack:
        key = stack.enter_context(Client(service.url, service.key)).tenants.create(name="c").key
        admin.execute(_SHADOW)
        urls = [stack.enter_context(further_api(service, FEW)) for _ in range(PROCESSES - 1)]
        clients = [
            stack.enter_context(Client(url, key.secret, timeout=300.0))
            for url in (service.url, *urls)
        ]
        for client in clients:
            client.recall(user_id=USER, query=QUESTION)
        run = Run()
        work = [Writer(run, clients, number + 1).work for number in range(WRITERS)]
        work += [
            lambda client=client, process=process: read(run, client, process)  # type: ignore[misc]
            for process, client in enumerate(clients)
        ]
        threads = [threading.Thread(target=run.each, args=[one]) for one in work]
        for thread in threads:
            thread.start()
        try:
            until(run.is_over, within=600)
        finally:
            run.stop.set()
            for thread in threads:
                thread.join()
        assert run.wrong == []
        moments = {answer.watermark for answer in run.answers}
        sizes = Counter(len(answer.items) for answer in run.answers)
        print(f"{len(run.answers)} answers at {len(moments)} versions, {dict(run.done)}")
        history = History(admin)
        assert wrong(run.answers, history) == []
        # There was something to get wrong, in every process.
        assert {answer.process for answer in run.answers} == set(range(PROCESSES))
        assert len(moments) > CHANGES / 2
        assert max(sizes) > KEPT
        assert_a_wrong_answer_is_found(run.answers, history)


def assert_a_wrong_answer_is_found(answers: Sequence[Answer], history: History) -> None:
    """The check itself: an item that lacks, one of a later version, a moment of no version."""
    first, *_, last = sorted(answers, key=lambda one: one.watermark)
    full = next(answer for answer in answers if answer.items)
    for untrue in (
        replace(full, items=full.items - {next(iter(full.items))}, came=full.watermark),
        replace(first, items=first.items | last.items),
        replace(full, watermark=LATER),
    ):
        assert len(wrong([untrue], history)) == 1
