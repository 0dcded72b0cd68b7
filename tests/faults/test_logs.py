"""No log has anything of what was sent: API, worker, supervisor, and the embedded server.

Every text of every case has a mark of its own.

| what happens | then |
|---|---|
| each operation, a mark in each field that takes a text, taken or refused | not in a log |
| broken bodies, paths, headers and keys | not in a log |
| calls over MCP, right and wrong, with a mark in each part | not in a log |
| the database refuses a row (check, unique, exclusion) | its code answers; not in a log |
| the database fails in a way that nobody knows | 500; logged by its request's id; not in a log |
| a statement that waits is cancelled, as a timeout does | 503; not in a log |
| the worker's job fails on a text | the job's code; logged; not in a log |
| the worker and the API are killed and started again | logged by the supervisor; not in a log |

Every line of the service's own log is a JSON object with time, level, process and event.
"""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import MunimentError, Unavailable
from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running
from tests.faults.harness import answers, strike
from tests.faults.input_calls import over_http
from tests.faults.input_fields import Field, fields
from tests.faults.input_size import UNLIMITED
from tests.support.cluster import fresh_place
from tests.support.mcp_calls import LEGACY, MODERN, headers, message, tool_call
from tests.support.services import running_service
from tests.support.waiting import until
from tests.support.world import START

pytestmark = pytest.mark.long

MARK = "Zaunkoenig"
CHATTY = UNLIMITED | {"MUNIMENT_LOG_LEVEL": "debug", "MUNIMENT_WORKER_HEARTBEAT_SECONDS": "0.3"}


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with fresh_place() as made:
        yield made


@pytest.fixture(scope="module")
def chatty(place: Path) -> Iterator[Running]:
    """A service that says as much as it can; all that it said is looked at in the end."""
    with running_service(place / "data", CHATTY) as service:
        yield service
    assert MARK not in said(place)
    assert MARK not in server_said(place)


@pytest.fixture
def client(chatty: Running) -> Iterator[Client]:
    with (
        Client(chatty.url, chatty.key) as installation,
        Client(chatty.url, installation.tenants.create(name="logs").key.secret) as made,
    ):
        yield made


def said(place: Path) -> str:
    """What the processes of the service logged."""
    return (place / "data.log").read_text(encoding="utf-8")


def server_said(place: Path) -> str:
    """What the embedded server logged."""
    logs = Layout.of(place / "data").log
    return "\n".join(path.read_text(errors="replace") for path in sorted(logs.iterdir()))


def admin_of(service: Running) -> psycopg.Connection[Any]:
    return psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True)


def marked(field: Field) -> Any:
    """A value with the mark that the field may or may not take."""
    if field.form == "object":
        return {MARK: MARK} if field.path != ("filter",) else {"metadata.k": MARK}
    return MARK


def test_every_text_of_every_operation(chatty: Running, place: Path) -> None:
    headers = {"authorization": f"Bearer {chatty.key}"}
    with httpx.Client(base_url=chatty.url, headers=headers, timeout=60) as http:
        taken = 0
        for field in fields():
            answer = over_http(http, field.operation, field.with_value(marked(field)))
            taken += answer.code is None
        # The marks were in what was stored and asked, not only in what was refused.
        assert taken > 20
    assert MARK not in said(place)
    assert MARK not in server_said(place)


Send = Callable[[httpx.Client], httpx.Response]
BROKEN: dict[str, Send] = {
    "no JSON": lambda http: http.post("/v1/recall", content=f'{{"query": {MARK}'),
    "twice": lambda http: http.post("/v1/recall", content=f'{{"{MARK}": 1, "{MARK}": 2}}'),
    "no UTF-8": lambda http: http.post("/v1/recall", content=b"\xff" + MARK.encode()),
    "coded": lambda http: http.post(
        "/v1/recall", content=MARK, headers={"content-encoding": MARK}),
    "path": lambda http: http.get(f"/v1/{MARK}/%ff"),
    "query": lambda http: http.get(f"/v1/keys?{MARK}={MARK}"),
    "method": lambda http: http.request(MARK.upper(), f"/v1/{MARK}"),
    "key": lambda http: http.get("/v1/keys", headers={"authorization": f"Bearer {MARK}"}),
    "cookie": lambda http: http.get("/v1/keys", headers={"cookie": MARK}),
    "idempotency key": lambda http: http.post(
        "/v1/forget", json={}, headers=[(b"idempotency-key", f"{MARK} é".encode())]),
    "deep": lambda http: http.post("/v1/recall", content="[" * 9000 + f'"{MARK}"'),
    "large": lambda http: http.post("/v1/recall", content=MARK * 500_000),
}  # fmt: skip


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_messages_of_mcp(chatty: Running, place: Path, era: str) -> None:
    with httpx.Client(base_url=chatty.url, timeout=60) as http:
        for params in (
            tool_call("recall", {"user_id": MARK, "query": MARK}),
            tool_call("remember", {"user_id": MARK, "kind": "fact", "text": f"{MARK} sings."}),
            tool_call("recall", {"user_id": MARK, MARK: MARK}),
            tool_call(MARK, {MARK: MARK}),
            {"name": {MARK: 1}},
        ):
            sent = message("tools/call", params, era=era)
            by = headers(message("tools/call", {"name": MARK}, era=era), era)
            for name in (params["name"], MARK):
                given = by | ({"mcp-name": name} if isinstance(name, str) else {})
                for key in (chatty.key, MARK):
                    given["authorization"] = f"Bearer {key}"
                    assert http.post("/mcp", json=sent, headers=given).status_code < 500
        sent = message(MARK, {MARK: MARK}, era=era)
        assert http.post("/mcp", json=sent, headers=headers(sent, era)).status_code < 500
    assert MARK not in said(place)


@pytest.mark.parametrize("case", BROKEN)
def test_broken_requests(chatty: Running, place: Path, case: str) -> None:
    headers = {"authorization": f"Bearer {chatty.key}"}
    with httpx.Client(base_url=chatty.url, headers=headers, timeout=60) as http:
        assert BROKEN[case](http).status_code < 500
    assert MARK not in said(place)


CHECKS = {
    "check": ("invalid_input", "CHECK (text NOT LIKE '%no check%')"),
    "exclusion": (
        "conflict",
        (
            "EXCLUDE USING btree (tenant_id WITH =, scope_id WITH =, text WITH =)"
            " WHERE (text LIKE '%twice the same%')"
        ),
    ),
    "unknown": ("internal", "CHECK (picky(text))"),
}
PICKY = """
CREATE OR REPLACE FUNCTION muniment.picky(t text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF t LIKE '%no picky%' THEN
    RAISE EXCEPTION '%', t USING DETAIL = t, HINT = t;
  END IF;
  RETURN true;
END $$
"""


def remember_twice(client: Client, text: str) -> None:
    """The same text as two memories."""
    for kind in ("fact", "finding"):
        client.memories.remember(kind=kind, user_id="u", text=text)


@pytest.mark.parametrize("case", CHECKS)
def test_the_database_refuses_a_row(
    chatty: Running, client: Client, place: Path, case: str
) -> None:
    code, constraint = CHECKS[case]
    text = {"check": "no check", "unknown": "no picky"}.get(case, "twice the same")
    with admin_of(chatty) as admin:
        admin.execute("SET search_path = muniment, public")
        admin.execute(PICKY)
        admin.execute(f"ALTER TABLE muniment.memory ADD CONSTRAINT surprise {constraint}".encode())
        try:
            with pytest.raises(MunimentError) as refused:
                remember_twice(client, f"{MARK}: {text}.")
        finally:
            admin.execute("ALTER TABLE muniment.memory DROP CONSTRAINT surprise")
    assert refused.value.code == code
    assert MARK not in str(refused.value)
    if case == "unknown":
        # The operator can find what it was by the request that the caller names.
        request_id = str(refused.value.extra["request_id"])
        until(lambda: request_id in said(place))
    assert MARK not in said(place)
    assert MARK not in server_said(place)


def test_a_cancelled_statement(chatty: Running, client: Client, place: Path) -> None:
    client.working.put(user_id="u", session_id="s", key="k", value=1)
    errors: list[MunimentError] = []

    def write() -> None:
        try:
            client.memories.remember(kind="fact", user_id="u", text=f"The {MARK}.")
        except MunimentError as error:
            errors.append(error)

    with admin_of(chatty) as admin, admin_of(chatty) as holder, holder.transaction():
        holder.execute("LOCK TABLE muniment.memory IN ACCESS EXCLUSIVE MODE")
        thread = threading.Thread(target=write)
        thread.start()
        # The statement with the text is the one that waits.
        until(lambda: cancelled(admin) or not thread.is_alive())
        thread.join()
    assert [type(error) for error in errors] == [Unavailable]
    assert MARK not in said(place)
    assert MARK not in server_said(place)


def cancelled(admin: psycopg.Connection[Any]) -> bool:
    """Cancel what waits for a lock, as a timeout would; True once there was something."""
    found = admin.execute(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'muniment-app' AND wait_event_type = 'Lock'"
    ).fetchall()
    return bool(found)


def test_a_job_that_fails(chatty: Running, client: Client, place: Path) -> None:
    event = Event(turn=1, role="user", content=f"I live in {MARK}.", occurred_at=START)
    with admin_of(chatty) as admin:
        admin.execute(
            "ALTER TABLE muniment.episode ADD CONSTRAINT surprise CHECK (text NOT LIKE '%Zaun%')"
        )
        try:
            client.events.write(user_id="u", session_id="s", events=[event])
            job = client.sessions.close(user_id="u", session_id="s").job_id
            assert job is not None
            until(lambda: client.jobs.get(job_id=job).last_error is not None, within=60)
        finally:
            admin.execute("ALTER TABLE muniment.episode DROP CONSTRAINT surprise")
    assert client.jobs.get(job_id=job).last_error == "invalid_input"
    assert MARK not in said(place)
    assert MARK not in server_said(place)


def test_every_line_is_an_entry(chatty: Running, place: Path) -> None:
    with Client(chatty.url, chatty.key) as root:
        for name in ("worker", "api"):
            until(lambda n=name: strike(chatty, n))  # type: ignore[misc]
        until(lambda: answers(root))

    def processes() -> set[str]:
        return {json.loads(line)["process"] for line in said(place).splitlines()}

    until(lambda: {"serve", "api", "worker"} <= processes())
    for line in said(place).splitlines():
        entry = json.loads(line)
        assert {"timestamp", "level", "process", "event"} <= set(entry), line
        assert entry["level"] in ("debug", "info", "warning", "error", "critical")
