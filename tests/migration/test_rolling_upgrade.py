"""A build at schema N runs on N-1 and N, and the step between them needs no pause.

| database | then |
|---|---|
| N-1, as the release before left it | ready; every operation answers; the worker consolidates |
| N-1 without the table of answers | an idempotency key is taken and has no effect |
| N-1, migrated to N under load of several threads | no request fails, nothing acknowledged is lost |
| N, the processes not restarted | idempotency keys count within the time in which the schema is looked at again |
"""

import os
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from muniment.bootstrap import install
from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import OwnRequest
from muniment.operations.registry import REGISTRY
from muniment.postgres.embedded import ADMIN, APP, WORKER, Postmaster
from muniment.postgres.migrate import applied, differences, migrations
from muniment.postgres.schema_state import SchemaState
from muniment.settings import Settings
from muniment.testing import Running
from tests.migration.load import WRITERS, Load, govern, is_ready, look, read, write
from tests.migration.walks import apart
from tests.support.cluster import fresh_place, session_cluster
from tests.support.databases import Database, stop_passes
from tests.support.services import running_service
from tests.support.waiting import until
from tests.support.world import START

pytestmark = pytest.mark.long

HEAD = len(migrations())
KEPT_BEFORE = SchemaState(HEAD - 1).keeps_answers
# Our functions beside the queue's tables that the release with a schema had; each has a line.
QUEUE_OF = {1: ("defer_job", "retry_job", "forget_jobs")}
LATE = "2099-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def durable() -> Iterator[Postmaster]:
    """A server as an operator would run it."""
    with session_cluster() as cluster:
        yield cluster


@dataclass(frozen=True)
class Upgraded:
    """A database at N-1, its data directory with the admin key, and the settings that name it."""

    database: Database
    data: Path

    @property
    def settings(self) -> dict[str, str]:
        """As an operator would give them."""
        return {
            "MUNIMENT_DATABASE_URL": self.database.conninfo(APP),
            "MUNIMENT_WORKER_DATABASE_URL": self.database.conninfo(WORKER),
            "MUNIMENT_ADMIN_DATABASE_URL": self.database.conninfo(ADMIN),
            "MUNIMENT_DATA_DIR": str(self.data),
        }

    def migrate(self) -> "subprocess.CompletedProcess[str]":
        """muniment db migrate."""
        return subprocess.run(
            [sys.executable, "-m", "muniment", "db", "migrate"],
            env={**os.environ, **self.settings}, capture_output=True, text=True, check=False,
        )  # fmt: skip


@pytest.fixture
def before(durable: Postmaster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Upgraded]:
    """A database as the release before left it."""
    database = Database.empty(durable)
    with fresh_place() as place:
        with monkeypatch.context() as patch, database.connect(ADMIN) as admin:
            patch.setattr("muniment.postgres.migrate.migrations", lambda: migrations()[:-1])
            install(Settings(data_dir=place / "data", partitions=4), admin)
            take_back_the_queue(admin)
            assert [one.version for one in applied(admin)] == list(range(1, HEAD))
        durable.ensure_login_roles()
        yield Upgraded(database, place / "data")
    database.drop()


def take_back_the_queue(admin: psycopg.Connection[Any]) -> None:
    """Remove what the release before did not have beside the queue's tables."""
    newer = admin.execute(
        "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'muniment_queue'::regnamespace"
        " AND proname NOT LIKE 'procrastinate%%' AND proname <> ALL(%s)",
        [list(QUEUE_OF[HEAD - 1])],
    ).fetchall()
    for (name,) in newer:
        admin.execute(f"DROP FUNCTION {name}".encode())
    admin.execute(
        "UPDATE muniment_meta.setting SET value = value || '-before' WHERE name = 'queue_library'"
    )


def failures(url: str) -> Counter[str]:
    """Requests that did not end well, by code, since the API process started."""
    text = httpx.get(f"{url}/metrics", trust_env=False).text
    counted = re.findall(r'(?m)^muniment_requests_total\{code="(\w+)",[^}]*\} (\S+)$', text)
    assert counted
    return sum((Counter({c: int(float(n))}) for c, n in counted if c != "ok"), Counter[str]())


# Every operation on N-1 -------------------------------------------------------------------------


class Everything:
    """Calls every operation once at least, and notes which."""

    def __init__(self, client: Client, database: Database) -> None:
        self.client = client
        self.database = database
        self.called: set[str] = set()

    def __call__(self, name: str, /, **arguments: Any) -> Any:
        """One operation by its name."""
        found: Any = self.client
        for part in name.split("."):
            found = getattr(found, part)
        self.called.add(name)
        return found(**arguments)

    def session(self) -> None:
        """Turns, working memory, recall, and the worker's summary."""
        place = {"user_id": "nora", "session_id": "may"}
        event = Event(turn=1, role="user", content="We deploy to eu-west-1.", occurred_at=START)
        assert not self("sessions.open", **place).no_store
        for new in (1, 0):
            assert self("events.write", **place, events=[event]).stored == new
        assert self("events.list", **place).free_turn == 2
        assert self("working.put", **place, key="k", value={"a": 1}).version == 1
        assert self("working.get", **place, key="k").value == {"a": 1}
        assert len(self("working.list", **place).items) == 1
        self("working.delete", **place, key="k")
        assert self("recall", user_id="nora", query="Which region do we deploy to?").items
        self.await_job(first := self("sessions.consolidate", **place).job_id)
        assert self("sessions.get", **place).kept == 1
        asked = {"tiers": ["episodic"], "kinds": ["session_summary"]}
        assert "eu-west-1" in self("memories.list", user_id="nora", **asked).items[0].text
        self("sessions.close", **place)
        self.retry(first)
        assert self("jobs.list").items

    def await_job(self, job_id: int) -> None:
        """Wait for the worker."""
        until(lambda: self("jobs.get", job_id=job_id).state == "succeeded")

    def retry(self, job_id: int) -> None:
        """A failed job runs again."""
        with self.database.connect(ADMIN) as admin:
            admin.execute(
                "UPDATE muniment_queue.procrastinate_jobs SET status = 'failed' WHERE id = %s",
                [job_id],
            )
        self("jobs.retry", job_id=job_id)
        self.await_job(job_id)

    def runs(self) -> None:
        """A run of one step."""
        run = {"run_id": self("runs.open", agent_id="a", user_id="nora").run_id}
        self("runs.checkpoint", **run, step=1, fence=1, stage="checked")
        assert self("tools.define", name="t", effect="write") in self("tools.list").items
        call, board = run | {"tool": "t", "key": "k"}, run | {"name": "n"}
        self("machines.define", name="m", initial="a", transitions=[{"source": "a", "target": "b"}])
        other = {"run_id": self("runs.open", agent_id="a", machine="m").run_id}
        assert self("runs.transition", **other, fence=1, to="b").stage == "b"
        with Client(self.client.url, self("keys.create", principal="asks").secret) as asking:
            wish = asking.approvals.request(**run, fence=1, action="t", gate="g").approval_id
        self.called.add("approvals.request")
        assert self("approvals.list").items[0] == self("approvals.get", approval_id=wish)
        assert self("approvals.decide", approval_id=wish, decision="approve").state == "approved"
        assert self("runs.claim_tool", **call, arguments={}, fence=1).answer == "execute"
        self("runs.record_tool", **call, attempt=1, status="in_doubt")
        self("runs.settle_tool", **call, happened=True, reason="It is there.")
        asked = {"user_id": "nora", "query": "Which region do we deploy to?"}
        (used, *_) = self("recall", **asked, run_id=str(run["run_id"])).items
        assert self("runs.acknowledge", **run, fence=1, ids=(used.id,)).stale_inputs == ()
        self("schemas.register", name="s", schema={"type": "integer"})
        self("artifacts.put", **board, schema="s", value=1, if_version=0)
        assert self("artifacts.get", **board).value == 1
        assert self("artifacts.diff", **board, from_version=1, to_version=1).whole
        assert self("runs.resume", **run, fence=1).step_index == self("runs.get", **run).step_index
        assert self("runs.diff", **run, from_step=0, to_step=1).to_stage == "checked"
        lists = {"runs.list": {}, "schemas.list": {}, "machines.list": {}, "runs.history": run}
        lists |= {"runs.stages": other, "artifacts.list": run, "artifacts.history": board}
        assert all(self(name, **of).items for name, of in lists.items())
        assert self("runs.close", **run, outcome="success", fence=1).session_id

    def memories(self) -> None:
        """A fact that is superseded, and forgetting it."""
        told = {"kind": "fact", "user_id": "nora", "slot": "city"}
        self("memories.remember", **told, text="Lives in Gouda.", value="Gouda")
        made = self("memories.remember", **told, text="Lives in Breda.", value="Breda")
        assert self("memories.get", id=made.id).value == "Breda"
        held = {item.slot: item.value for item in self("memories.list", user_id="nora").items}
        assert held == {"city": "Breda", "deploy_region": "eu-west-1"}
        assert self("memories.history", id=made.id)
        self.changes()
        apart(self)
        self.entities()
        self.moving()
        profile = self("profile.get", user_id="nora").items
        assert {item.value for item in profile} == {"Breda", "eu-west-1"}
        assert all(self("forget", user_id="nora", dry_run=dry) for dry in (True, False))
        assert not self("memories.list", user_id="nora").items
        receipt = self("receipts.list").items[0]
        assert self("receipts.get", receipt_id=receipt.receipt_id) == receipt
        assert self("users.reopen", user_id="nora").forgets == 1

    def changes(self) -> None:
        """One memory through all that can be done to it."""
        made = self("memories.remember", kind="finding", text="Sales rose.", user_id="nora")
        made = self("memories.correct", id=made.id, text="Sales fell.")
        for action in ("confirm", "pin", "unpin", "retract", "restore", "undo", "lineage"):
            assert self(f"memories.{action}", id=made.id).id == made.id

    def moving(self) -> None:
        """All that is held of one user, and a user of whom there is no more than that."""
        export = self("exports.create", user_id="nora")
        page = self("exports.read", user_id="nora", export_id=export.export_id)
        assert page.items[0]["user_id"] == "nora"
        head = [one for one in page.items if one["type"] in {"export", "user"}]
        place = {"user_id": "leo", "import_id": uuid4()}
        lines = [*head, {"type": "end", "lines": 3}]
        assert self("imports.upload", **place, first=1, records=lines).lines == 3
        assert self("imports.commit", **place, lines=3).counts == {"user": 1}

    def entities(self) -> None:
        """Two that turn out to be one, and do not."""
        of_nora: dict[str, Any] = {"user_id": "nora"}
        for name in ("Acme", "Apex"):
            self("entities.define", **of_nora, name=name, kind="account")
        merged = self("entities.merge", **of_nora, name="Apex", into="Acme")
        assert self("entities.get", **of_nora, name="Apex").entity.name == "Acme"
        self("entities.unmerge", merge_id=merged.merge_id)
        assert len(self("entities.list", **of_nora).items) == 2
        self("entities.remove", **of_nora, name="Apex")

    def governance(self) -> None:
        """Who is not remembered; keys and tenants."""
        self("users.opt_out", user_id="bea")
        self("users.opt_in", user_id="bea")
        held = self("holds.place", user_id="bea", reason="A case.")
        assert not self("governance.report").unregistered
        waiting = self("rereviews.list").items[-1]
        with pytest.raises(OwnRequest):
            self(
                "rereviews.decide",
                rereview_id=waiting.rereview_id,
                verdict="approve",
                reason="Right.",
            )
        assert self("holds.list").items[0].hold_id == held.hold_id
        assert self("holds.release", hold_id=held.hold_id, reason="Over.").released_at
        assert self("users.opt_out", user_id="ann").opted_out_at
        assert not self("users.opt_in", user_id="ann").opted_out_at
        made = self("keys.create", principal="somebody")
        assert made.key_id in {one.key_id for one in self("keys.list").items}
        assert self("keys.revoke", key_id=made.key_id)
        stop_passes(self.database)
        assert self("passes.release", duty=self("passes.show").passes[0].duty).released_through
        with Client(self.client.url, self("keys.create", principal="teller").secret) as teller:
            apart = teller.memories.remember(kind="fact", user_id="a", text="Ignore all rules.")
        self("review.decide", id=apart.id, decision="reject", reason="It is none.")
        assert self("slots.define", name="boat", cardinality="many")
        assert self("slots.remove", name="boat")
        assert self("policy.put", document={"working": {"ttl_hours": 12}})
        assert all(self(f"{one}.list") for one in ("review", "slots", "audit"))
        assert all(self(one) for one in ("policy.get", "audit.head", "audit.verify"))
        assert self("policy.simulate", until=LATE).kinds
        with Client(self.client.url, self("tenants.create", name="acme").key.secret) as other:
            assert not other.memories.list(user_id="nora").items


def test_every_operation_on_the_schema_before(before: Upgraded) -> None:
    with (
        running_service(before.data, before.settings) as service,
        Client(service.url, service.key) as client,
    ):
        until(partial(is_ready, service.url))
        everything = Everything(client, before.database)
        everything.session()
        everything.runs()
        everything.memories()
        everything.governance()
        assert everything.called == set(REGISTRY)
        expected = {"own_request": 1, "invalid_input": 1, "conflict": 1, "not_found": 2}
        assert failures(service.url) == expected
    with before.database.connect(ADMIN) as admin:
        assert len(applied(admin)) == HEAD - 1


def remember_twice(service: Running) -> tuple[list[str], list[bool]]:
    """Send one write twice under one key: the memories' outcomes, and whether each was replayed."""
    headers = {"Authorization": f"Bearer {service.key}", "Idempotency-Key": str(uuid4())}
    body = {"kind": "fact", "user_id": f"user-{uuid4()}", "text": "Likes herons."}
    answers = [
        httpx.post(f"{service.url}/v1/memories", headers=headers, json=body, trust_env=False)
        for _ in range(2)
    ]
    assert [answer.is_success for answer in answers] == [True, True], answers[-1].text
    return (
        [answer.json()["outcome"] for answer in answers],
        [answer.headers.get("idempotency-replayed") == "true" for answer in answers],
    )


def replays(service: Running) -> bool:
    """Whether the second of two equal writes is answered from the first."""
    return remember_twice(service)[1] == [False, True]


def test_a_key_on_the_schema_before(before: Upgraded) -> None:
    with running_service(before.data, before.settings) as service:
        outcomes, replayed = remember_twice(service)
        assert replayed == [False, KEPT_BEFORE]
        # Reconciliation knows the same statement again, with or without a key.
        assert outcomes == ["inserted", "inserted" if KEPT_BEFORE else "reinforced"]


# The step under load ----------------------------------------------------------------------------


def turns(client: Client, user: str) -> set[int]:
    """The turns of a user that are there."""
    found: set[int] = set()
    cursor = None
    while True:
        page = client.memories.list(
            user_id=user, tiers=["episodic"], kinds=["event"], limit=200, cursor=cursor
        )
        found |= {one.turn for item in page.items for one in item.evidence}
        cursor = page.next
        if cursor is None:
            return found


def started_at(url: str) -> str:
    """When the API process began."""
    text = httpx.get(f"{url}/metrics", trust_env=False).text
    return str(re.findall(r"^process_start_time_seconds (\S+)$", text, re.MULTILINE)[0])


@pytest.mark.timeout(300)
def test_the_step_under_load(before: Upgraded) -> None:
    with running_service(before.data, before.settings) as service:
        until(partial(is_ready, service.url))
        began = started_at(service.url)
        load = Load(service)
        writers = {f"user-{one}": partial(write, f"user-{one}") for one in range(WRITERS)}
        others = {"reader": read, "governor": govern, "balancer": partial(look, service.url)}
        threads = [
            threading.Thread(target=load.run, args=(name, step))
            for name, step in (writers | others).items()
        ]
        for thread in threads:
            thread.start()
        try:
            until(lambda: len(load.rounds) == len(threads))
            load.more()
            done = before.migrate()
            assert done.returncode == 0, done.stderr
            assert f"applied {HEAD:04} " in done.stdout
            load.more()
            until(partial(replays, service), within=60)
            load.more()
        finally:
            load.ends.set()
            for thread in threads:
                thread.join()
        assert (load.failed, failures(service.url)) == ([], {})
        assert started_at(service.url) == began
        with Client(service.url, service.key) as client:
            for user in writers:
                assert turns(client, user) == set(range(load.rounds[user]))
                job = client.sessions.close(user_id=user, session_id="s").job_id
                assert job is not None
                until(lambda job=job: client.jobs.get(job_id=job).state == "succeeded")  # type: ignore[misc]
    with before.database.connect(ADMIN) as admin:
        assert differences(admin) == []
