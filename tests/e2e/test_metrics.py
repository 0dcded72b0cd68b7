"""Metrics over HTTP.

| asked | counted |
|---|---|
| an operation that is done | under its name, code `ok`; in its histogram |
| one that is refused, whatever for | under its name and the error's code |
| what is no operation | under `none` and the error's code |
| a client that leaves in the middle | under its name, `client_left` |
| a request that is not answered yet | in flight; not once it is over |
| a recall of a scope, again after a write | a load, a catch-up |

| what | must be |
|---|---|
| names, types, labels | those of docs/reference/health.md, and nothing else but `process_*` |
| values of labels | operations of the registry, calls of mem0, codes of errors: nobody's name, nothing that was sent |
| a scrape | needs no key, and takes any |
"""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import MunimentError
from muniment.operations.registry import REGISTRY
from muniment.surfaces.mem0.endpoint import CALLS as MEM0_CALLS
from muniment.testing import Running
from tests.faults.input_raw import abort, connect, request
from tests.support.documents import ROOT
from tests.support.waiting import until
from tests.support.world import START

MARK = "Zaunkoenig"
Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


def scrape(running: Running) -> Figures:
    """Every sample by its name and labels."""
    text = httpx.get(f"{running.url}/metrics").text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def of(figures: Figures, name: str, **labels: str) -> float:
    """One sample; 0 before there is one."""
    return figures.get((name, frozenset(labels.items())), 0.0)


def codes() -> set[str]:
    """Every code of an error."""
    found, classes = set(), [MunimentError]
    while classes:
        error = classes.pop()
        found.add(error.code)
        classes += error.__subclasses__()
    return found


def documented() -> dict[str, tuple[str, set[str]]]:
    """Type and labels by the name of a metric, as the document says."""
    text = (ROOT / "docs/reference/health.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(muniment_\w+)` \| (\w+) \| (.*?) ?\| ", text, re.MULTILINE)
    return {name: (kind, set(re.findall(r"\w+", labels))) for name, kind, labels in rows}


def test_names_types_and_labels(running: Running, admin: Client) -> None:
    admin.recall(user_id="u", query="Anything?")
    text = httpx.get(f"{running.url}/metrics").text
    found: dict[str, tuple[str, set[str]]] = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        labels = {name for sample in family.samples for name in sample.labels} - {"le"}
        name = f"{family.name}_total" if family.type == "counter" else family.name
        if not name.startswith("process_"):
            found[name] = (family.type, labels)
    assert found == documented()


def test_what_labels_say(running: Running, admin: Client) -> None:
    calls = {call.name for call in MEM0_CALLS}
    admin.recall(user_id=MARK, query=MARK)
    httpx.get(f"{running.url}/{MARK}")
    headers = {"authorization": f"Token {running.key}"}
    httpx.get(f"{running.url}/compat/mem0/v1/memories/{MARK}/", headers=headers)
    for _, labels in scrape(running):
        values = dict(labels)
        assert values.get("operation", "none") in {*REGISTRY, *calls, "none"}
        assert values.get("code", "ok") in {*codes(), "ok", "client_left"}


def test_a_scrape_needs_no_key(running: Running) -> None:
    for headers in ({}, {"authorization": "Bearer nonsense"}, {"accept": "application/json"}):
        answer = httpx.get(f"{running.url}/metrics", headers=headers)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert httpx.post(f"{running.url}/metrics").status_code == 405


Call = Callable[[httpx.Client], httpx.Response]
EVENT = {"turn": 1, "role": "user", "content": MARK, "occurred_at": "2026-06-01T09:00:00Z"}
SESSION = f"/v1/users/{MARK}/sessions/s"
CALLS: dict[str, tuple[str, str, Call]] = {
    "done": ("memories.remember", "ok", lambda c: c.post(
        "/v1/memories", json={"kind": "fact", "text": MARK, "user_id": MARK})),
    "read": ("recall", "ok", lambda c: c.post("/v1/recall", json={"user_id": MARK, "query": MARK})),
    "bad field": ("recall", "invalid_input", lambda c: c.post("/v1/recall", json={MARK: MARK})),
    "bad body": ("recall", "malformed_body", lambda c: c.post("/v1/recall", content=MARK)),
    "coded body": ("recall", "unsupported_media", lambda c: c.post(
        "/v1/recall", content=b"x", headers={"content-encoding": "gzip"})),
    "large body": ("recall", "too_large", lambda c: c.post("/v1/recall", content=b"x" * 5_000_000)),
    "no key": ("recall", "unauthenticated", lambda c: c.post(
        "/v1/recall", json={}, headers={"authorization": f"Bearer {MARK}"})),
    "not there": ("working.get", "not_found", lambda c: c.get(f"{SESSION}/working/{MARK}")),
    "conflict": ("events.write", "turn_conflict", lambda c: (
        c.post(f"{SESSION}/events", json={"events": [EVENT]}),
        c.post(f"{SESSION}/events", json={"events": [EVENT | {"content": f"{MARK}2"}]}))[-1]),
    "no operation": ("none", "not_found", lambda c: c.get(f"/v1/{MARK}")),
    "no method": ("none", "method_not_allowed", lambda c: c.request("PATCH", "/v1/recall")),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_what_is_counted(running: Running, admin: Client, name: str) -> None:
    operation, code, call = CALLS[name]
    with Client(running.url, running.key) as installation:
        key = installation.tenants.create(name="test").key.secret
    before = scrape(running)
    with httpx.Client(base_url=running.url, headers={"authorization": f"Bearer {key}"}) as client:
        call(client)
    after = scrape(running)

    def risen(metric: str, **labels: str) -> float:
        return of(after, metric, **labels) - of(before, metric, **labels)

    assert risen("muniment_requests_total", operation=operation, code=code) == 1
    calls = 2 if name == "conflict" else 1
    # The scrapes are requests without an operation, too.
    calls += operation == "none"
    assert risen("muniment_request_seconds_count", operation=operation) == calls
    assert risen("muniment_request_seconds_bucket", operation=operation, le="+Inf") == calls
    assert 0 < risen("muniment_request_seconds_sum", operation=operation) < 30
    assert MARK not in httpx.get(f"{running.url}/metrics").text


def test_buckets_rise(running: Running, admin: Client) -> None:
    admin.recall(user_id="u", query="Anything?")
    buckets = sorted(
        (float(dict(labels)["le"]), value)
        for (name, labels), value in scrape(running).items()
        if name == "muniment_request_seconds_bucket" and ("operation", "recall") in labels
    )
    assert buckets[-1][0] == float("inf")
    assert [value for _, value in buckets] == sorted(value for _, value in buckets)


def test_requests_in_flight(running: Running, admin: Client) -> None:
    def in_flight() -> float:
        return of(scrape(running), "muniment_requests_in_flight")

    def left() -> float:
        labels = {"operation": "recall", "code": "client_left"}
        return of(scrape(running), "muniment_requests_total", **labels)

    until(lambda: in_flight() == 1)
    gone = left()
    head, body = request("POST", "/v1/recall", running.key, {"user_id": "u", "query": "Anything?"})
    held: list[Any] = [connect(running) for _ in range(3)]
    for connection in held:
        connection.sendall(head + body[:5])
    until(lambda: in_flight() == 4)
    for connection in held:
        abort(connection)
    until(lambda: in_flight() == 1)
    assert left() == gone + 3


def test_the_caches_figures(running: Running, admin: Client) -> None:
    def write(turn: int) -> None:
        event = Event(turn=turn, role="user", content=f"I live in Gouda {turn}.", occurred_at=START)
        admin.events.write(user_id="u", session_id="s", events=[event])

    def risen(name: str) -> float:
        return of(scrape(running), name) - of(before, name)

    write(1)
    before = scrape(running)
    admin.recall(user_id="u", query="Where?")
    assert (risen("muniment_index_loads_total"), risen("muniment_index_catch_ups_total")) == (1, 0)
    assert risen("muniment_index_cache_scopes") == 1
    assert risen("muniment_index_cache_bytes") > 0
    write(2)
    admin.recall(user_id="u", query="Where?")
    assert (risen("muniment_index_loads_total"), risen("muniment_index_catch_ups_total")) == (1, 1)
    until(lambda: of(scrape(running), "muniment_recall_log_waiting") == 0)
    assert risen("muniment_recall_log_lost_total") == 0
