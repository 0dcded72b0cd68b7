"""/readyz: each reason really caused, one by one.

| caused | reason |
|---|---|
| the database server is dead, and nobody starts it | `database` |
| an extension is older than it must be | `server` |
| fsync, full_page_writes or synchronous_commit off | `durability` |
| the role may bypass row security, is a superuser, may make databases, or truncate | `role` |
| the schema is older, newer, or not there; a table is not protected | `schema` |
| the role's limits on waiting are gone | `limits` |
| a table's retention class is none of the policy | `retention` |
| a tenant is found by a model that the process was not given | `models` |
| the worker hangs, and was silent for more than a minute | `worker` |
| the service's clock is 30 seconds ahead, or behind | `clock` |
| two of these at once | both |
| the disk is full | `disk`: tests/faults/test_disk.py |
| expiry or decay stopped | `passes`, a warning: 200, and no reason |
| a change of the rules waits for a second person | `rereviews`, a warning |
| the erasure ledger is moved away | `erasure_ledger`, a warning |
| an audit entry waits for its seal | `seals`, the same; test_audit.py |

Each time: 503 with this code and a sentence, and no other; /healthz 200; 200 again by itself once
the cause is gone, in the same process. Reads and writes that can go on do.
"""

import contextlib
import os
import re
import signal
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import psycopg
import pytest

from muniment.postgres.embedded import ADMIN, APP, Layout
from muniment.postgres.embedded.configuration import SETTINGS_FILE
from muniment.postgres.migrate import migrations
from muniment.testing import Running
from tests.faults.harness import alive, process, strike
from tests.support.documents import ROOT
from tests.support.processes import further_api
from tests.support.services import running_service
from tests.support.waiting import until

pytestmark = pytest.mark.long

HEAD = len(migrations())
QUICK = {"MUNIMENT_WORKER_HEARTBEAT_SECONDS": "0.3"}


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    """A service of its own: what is done to its database is felt by all."""
    with running_service(environment=QUICK) as made:
        yield made


@pytest.fixture(autouse=True)
def ready_before_and_after(service: Running) -> Iterator[None]:
    until(lambda: reasons(service.url) == {}, within=60)
    yield
    until(lambda: reasons(service.url) == {}, within=60)


def reasons(url: str) -> dict[str, str]:
    """What keeps the service from being ready; the two addresses agree with their statuses."""
    assert httpx.get(f"{url}/healthz", timeout=30).status_code == 200
    answer = httpx.get(f"{url}/readyz", timeout=30)
    body = answer.json()
    found: dict[str, str] = body["reasons"]
    assert answer.status_code == (503 if found else 200)
    assert body["status"] == ("not ready" if found else "ready")
    for sentence in found.values():
        assert re.fullmatch(r"[A-Z].*\.", sentence), sentence
    return found


def admin_of(service: Running) -> psycopg.Connection[Any]:
    return psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True)


@contextlib.contextmanager
def changed(service: Running, change: str, back: str) -> Iterator[None]:
    """The database as a statement changes it, for as long as the block lasts."""
    with admin_of(service) as admin:
        admin.execute(change.encode())
        try:
            yield
        finally:
            admin.execute(back.encode())


@contextlib.contextmanager
def configured(service: Running, line: str) -> Iterator[None]:
    """The server's configuration with another line at its end."""
    file = Layout.of(service.data_dir).pg / SETTINGS_FILE
    was = file.read_text(encoding="utf-8")
    with admin_of(service) as admin:
        file.write_text(f"{was}\n{line}\n", encoding="utf-8")
        admin.execute("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            file.write_text(was, encoding="utf-8")
            admin.execute("SELECT pg_reload_conf()")


LATER = HEAD + 1
CAUSES: dict[str, tuple[str, str, str, str]] = {
    "an old extension": (
        "server", "lacks the extension vector",
        "UPDATE pg_extension SET extversion = '0.' || extversion WHERE extname = 'vector'",
        "UPDATE pg_extension SET extversion = substr(extversion, 3) WHERE extname = 'vector'"),
    "bypass": ("role", "bypasses row-level security",
               "ALTER ROLE muniment_app BYPASSRLS", "ALTER ROLE muniment_app NOBYPASSRLS"),
    "superuser": ("role", "is a superuser",
                  "ALTER ROLE muniment_app SUPERUSER", "ALTER ROLE muniment_app NOSUPERUSER"),
    "databases": ("role", "may create",
                  "ALTER ROLE muniment_app CREATEDB", "ALTER ROLE muniment_app NOCREATEDB"),
    "truncate": ("role", "may truncate",
                 "GRANT TRUNCATE ON muniment.event TO muniment_app",
                 "REVOKE TRUNCATE ON muniment.event FROM muniment_app"),
    "no schema": (
        "schema", "The database has no schema",
        ("ALTER TABLE muniment_meta.migration RENAME TO kept;"
        " CREATE TABLE muniment_meta.migration (LIKE muniment_meta.kept);"
        " GRANT SELECT ON muniment_meta.migration TO muniment_app"),
        "DROP TABLE muniment_meta.migration; ALTER TABLE muniment_meta.kept RENAME TO migration"),
    "an open table": ("schema", "The table event has no forced row-level security",
                      "ALTER TABLE muniment.event NO FORCE ROW LEVEL SECURITY",
                      "ALTER TABLE muniment.event FORCE ROW LEVEL SECURITY"),
    "a model that is not here": (
        "models", "gone-model",
        ("INSERT INTO muniment.tenant_embedding (tenant_id, embedder, place, since, state, done, changed_at, changed_by)"
         " SELECT tenant_id, 'gone-model', 'emb_a', 0, 'settled', 0, now(), tenant_id FROM muniment.tenant LIMIT 1"),
        "DELETE FROM muniment.tenant_embedding"),
}  # fmt: skip


@pytest.mark.parametrize("case", CAUSES)
def test_a_cause_in_the_database(service: Running, case: str) -> None:
    reason, said, change, back = CAUSES[case]
    with changed(service, change, back):
        until(lambda: list(reasons(service.url)) == [reason])
        assert said in reasons(service.url)[reason]


def test_an_unknown_retention_class(service: Running) -> None:
    with admin_of(service) as admin:
        row = admin.execute("SELECT obj_description('muniment.event'::regclass)").fetchone()
    assert row is not None
    was = row[0].replace("'", "''")
    now = re.sub(r"retention: \w+", "retention: fortnight", was)
    comment = "COMMENT ON TABLE muniment.event IS '{}'"
    with changed(service, comment.format(now), comment.format(was)):
        until(lambda: list(reasons(service.url)) == ["retention"])
        assert "event" in reasons(service.url)["retention"]


@pytest.mark.parametrize("name", ["statement_timeout", "lock_timeout"])
def test_no_limit_on_waiting(service: Running, name: str) -> None:
    with psycopg.connect(Layout.of(service.data_dir).conninfo(APP)) as app:
        row = app.execute("SELECT current_setting(%s), current_database()", [name]).fetchone()
    assert row is not None
    was, database = row
    change = f"ALTER ROLE muniment_app IN DATABASE {database} SET {name} = "
    with changed(service, f"{change} 0", f"{change} '{was}'"):
        until(lambda: list(reasons(service.url)) == ["limits"])
        assert name in reasons(service.url)["limits"]


@pytest.mark.parametrize("name", ["fsync", "full_page_writes", "synchronous_commit"])
def test_a_setting_that_loses_writes(service: Running, name: str) -> None:
    with configured(service, f"{name} = off"):
        until(lambda: list(reasons(service.url)) == ["durability"])
        assert f"{name} = off" in reasons(service.url)["durability"]


def test_a_newer_schema(service: Running) -> None:
    with admin_of(service) as admin:
        admin.execute(
            "INSERT INTO muniment_meta.migration VALUES (%s, 'later', 'x', now())", [LATER]
        )
        try:
            # A worker that has to start meanwhile refuses to, and is a reason too.
            until(lambda: "schema" in reasons(service.url))
            assert f"is at schema {LATER}, newer than" in reasons(service.url)["schema"]
        finally:
            admin.execute("DELETE FROM muniment_meta.migration WHERE version = %s", [LATER])


def test_two_at_once(service: Running) -> None:
    _, _, change, back = CAUSES["bypass"]
    with changed(service, change, back):
        with configured(service, "fsync = off"):
            until(lambda: set(reasons(service.url)) == {"role", "durability"})
        until(lambda: list(reasons(service.url)) == ["role"])


def test_the_database_is_dead(service: Running) -> None:
    """The supervisor would start it again, so it is held meanwhile."""
    api = process(service, "api")
    service.process.send_signal(signal.SIGSTOP)
    try:
        server = process(service, "postgres")
        assert server is not None
        assert strike(service, "postgres")
        until(lambda: list(reasons(service.url)) == ["database"], within=60)
        headers = {"authorization": f"Bearer {service.key}"}
        answer = httpx.get(f"{service.url}/v1/keys", headers=headers, timeout=60)
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert int(answer.headers["retry-after"]) > 0
    finally:
        service.process.send_signal(signal.SIGCONT)
    until(lambda: reasons(service.url) == {}, within=120)
    assert process(service, "api") == api


def silence(service: Running) -> None:
    """Two minutes go by for every worker, dead ones too."""
    with admin_of(service) as admin:
        admin.execute(
            "UPDATE muniment_queue.procrastinate_workers"
            " SET last_heartbeat = last_heartbeat - interval '2 minutes'"
        )


def test_the_worker_hangs(service: Running) -> None:
    worker = process(service, "worker")
    assert worker is not None
    os.kill(worker, signal.SIGSTOP)
    try:
        silence(service)
        assert list(reasons(service.url)) == ["worker"]
        headers = {"authorization": f"Bearer {service.key}"}

        def write() -> int:
            path = f"{service.url}/v1/users/u/sessions/s/working/k"
            answer = httpx.put(path, json={"value": 1}, headers=headers, timeout=60)
            return answer.status_code

        # Where the database died before, connections that it took along answer 503 once each; what
        # the worker holds is let go when the database ends a transaction that does nothing.
        until(lambda: write() == 200, within=120)
    finally:
        os.kill(worker, signal.SIGCONT)
    until(lambda: reasons(service.url) == {})
    # Another one where this had yet to notice that the database had died before.
    assert process(service, "worker") is not None


def test_the_worker_is_dead(service: Running) -> None:
    service.process.send_signal(signal.SIGSTOP)
    try:
        worker = process(service, "worker")
        assert worker is not None
        assert strike(service, "worker")
        until(lambda: not alive(worker))
        silence(service)
        assert list(reasons(service.url)) == ["worker"]
    finally:
        service.process.send_signal(signal.SIGCONT)
    until(lambda: reasons(service.url) == {}, within=60)
    assert process(service, "worker") != worker


@pytest.mark.parametrize("seconds", [30, -30])
def test_the_clock_is_shifted(service: Running, seconds: int) -> None:
    with further_api(service, {"MUNIMENT_CLOCK_SHIFT_SECONDS": str(seconds)}) as url:
        until(lambda: list(reasons(url)) == ["clock"])
    with further_api(service, {"MUNIMENT_CLOCK_SHIFT_SECONDS": "1"}) as url:
        # A worker that a test before this one hurt may be beginning anew at this moment.
        until(lambda: reasons(url) == {})


def test_a_stopped_pass_is_a_warning(service: Running) -> None:
    warned = partial(httpx.get, f"{service.url}/readyz", timeout=30)
    with admin_of(service) as admin:
        admin.execute(
            "INSERT INTO muniment.worker_pass SELECT tenant_id, 'expire', now(), 60, 100 FROM muniment.tenant"
        )
        answer = warned()
        assert (answer.status_code, reasons(service.url)) == (200, {})
        assert re.fullmatch(r"[A-Z].*\.", answer.json()["warnings"]["passes"])
        admin.execute("UPDATE muniment.worker_pass SET released_through = stopped_at")
        assert "passes" not in warned().json().get("warnings", {})
        admin.execute("DELETE FROM muniment.worker_pass")


def test_a_ledger_that_is_gone_is_a_warning(service: Running) -> None:
    warned = partial(httpx.get, f"{service.url}/readyz", timeout=30)
    ledger = service.data_dir.with_name(f"{service.data_dir.name}.erasures")
    assert "erasure_ledger" not in warned().json().get("warnings", {})
    away = ledger.rename(ledger.with_name("away"))
    answer = warned()
    assert (answer.status_code, reasons(service.url)) == (200, {})
    assert re.fullmatch(r"[A-Z].*\.", answer.json()["warnings"]["erasure_ledger"])
    away.rename(ledger)
    assert "erasure_ledger" not in warned().json().get("warnings", {})


def test_every_reason_is_documented() -> None:
    text = (ROOT / "docs/reference/health.md").read_text(encoding="utf-8")
    section = text.partition("## Health")[2].partition("## Metrics")[0]
    documented = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
    here = set(re.findall(r"\| `(\w+)`", __doc__ or ""))
    assert documented == here
