"""Spans, as an operator's exporter gets them.

| operation | span |
|---|---|
| on memories | named as the gen_ai conventions name it; provider, count of records |
| any other | named as it is; nothing of gen_ai |
| any | the operation, the request's id as the answer says it; of kind server; ended |
| refused, whatever for | status error, `error.type` the code; no exception, no message |
| broken by a defect | the same, code `internal` |
| refused before an operation was found | no span |
| inside a caller's trace | a child of it, where the process extracts it |

No attribute, name, status or event has anything of what was sent.
"""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from muniment.errors import Internal
from muniment.operations.registry import REGISTRY
from muniment.surfaces import tracing
from tests.support.surface import over_http
from tests.support.world import Local, Tenant

MARK = "Zaunkoenig"
EVENT = {"turn": 1, "role": "user", "content": f"My {MARK}.", "occurred_at": "2026-06-01T09:00:00Z"}
SESSION = f"/v1/users/{MARK}/sessions/{MARK}"
OF_MEMORY = {
    "create_memory", "update_memory", "upsert_memory", "delete_memory", "search_memory",
    "create_memory_store", "delete_memory_store",
}  # fmt: skip


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """What an operator's exporter got; the provider of the process is left as it is."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(tracing, "_tracer", provider.get_tracer("muniment"))
    yield exporter
    provider.shutdown()


@pytest_asyncio.fixture
async def http(service: Local, tenant: Tenant) -> Any:
    async with over_http(service) as client:
        client.headers["authorization"] = f"Bearer {tenant.key}"
        yield client


def the_span(exporter: InMemorySpanExporter) -> ReadableSpan:
    (span,) = exporter.get_finished_spans()
    return span


CALLS: dict[str, tuple[str, str, Any, str, int | None]] = {
    "events.write": ("POST", f"{SESSION}/events", {"events": [EVENT, EVENT | {"turn": 2}]},
                     "create_memory", 2),
    "memories.remember": ("POST", "/v1/memories",
                          {"kind": "fact", "text": f"The {MARK}.", "user_id": MARK},
                          "upsert_memory", None),
    "recall": ("POST", "/v1/recall", {"user_id": MARK, "query": f"Where is the {MARK}?"},
               "search_memory", 1),
    "working.put": ("PUT", f"{SESSION}/working/{MARK}", {"value": MARK}, "upsert_memory", None),
    "forget": ("POST", "/v1/forget", {"user_id": MARK}, "delete_memory", None),
    "keys.create": ("POST", "/v1/keys", {"principal": MARK}, "keys.create", None),
    "keys.list": ("GET", "/v1/keys", None, "keys.list", None),
}  # fmt: skip


@pytest.mark.parametrize("operation", CALLS)
async def test_an_operation_is_a_span(
    http: httpx.AsyncClient, exporter: InMemorySpanExporter, operation: str
) -> None:
    method, path, body, name, count = CALLS[operation]
    if operation == "recall":
        await http.post(f"{SESSION}/events", json={"events": [EVENT]})
        exporter.clear()
    answer = await http.request(method, path, json=body, headers={"x-request-id": "r-1"})
    assert answer.is_success, answer.text
    span = the_span(exporter)
    expected: dict[str, Any] = {"muniment.operation": operation, "muniment.request_id": "r-1"}
    if name in OF_MEMORY:
        expected |= {"gen_ai.operation.name": name, "gen_ai.provider.name": "muniment"}
    if count is not None:
        expected["gen_ai.memory.record.count"] = count
    assert dict(span.attributes or {}) == expected
    assert (span.name, span.kind, span.status.status_code) == (
        name, SpanKind.SERVER, StatusCode.UNSET,
    )  # fmt: skip
    assert span.end_time is not None
    assert MARK not in span.to_json()


def test_names_are_those_of_the_conventions() -> None:
    assert set(tracing._NAMES) <= set(REGISTRY)
    assert set(tracing._NAMES.values()) <= OF_MEMORY


REFUSED: dict[str, tuple[str, str, Any, str]] = {
    "bad input": ("POST", "/v1/recall", {"user_id": MARK, "query": MARK, MARK: MARK},
                  "invalid_input"),
    "not there": ("GET", f"{SESSION}/working/{MARK}", None, "not_found"),
    "no such kind": ("POST", "/v1/memories", {"kind": MARK, "text": MARK, "user_id": MARK},
                     "invalid_input"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
async def test_an_error_is_its_code(
    http: httpx.AsyncClient, exporter: InMemorySpanExporter, case: str
) -> None:
    method, path, body, code = REFUSED[case]
    answer = await http.request(method, path, json=body)
    assert answer.json()["code"] == code
    refused(the_span(exporter), code)


def refused(span: ReadableSpan, code: str) -> None:
    assert (span.attributes or {})["error.type"] == code
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, code)
    assert span.events == ()
    assert MARK not in span.to_json()


async def test_a_key_that_is_none(http: httpx.AsyncClient, exporter: InMemorySpanExporter) -> None:
    headers = {"authorization": f"Bearer mnm_{MARK}"}
    assert (await http.get("/v1/keys", headers=headers)).status_code == 401
    refused(the_span(exporter), "unauthenticated")


async def test_a_defect(
    http: httpx.AsyncClient,
    service: Local,
    exporter: InMemorySpanExporter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever goes wrong in the code, its message stays inside."""

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError(MARK)

    monkeypatch.setattr(service.world.limiter, "take", broken)
    answer = await http.get("/v1/keys")
    assert (answer.status_code, answer.json()["code"]) == (500, Internal.code)
    assert MARK not in answer.text
    refused(the_span(exporter), Internal.code)


async def test_what_is_no_operation(
    http: httpx.AsyncClient, exporter: InMemorySpanExporter
) -> None:
    for path in (f"/{MARK}", "/healthz", "/metrics", "/openapi.json"):
        await http.get(path)
    assert exporter.get_finished_spans() == ()


async def test_inside_a_trace(http: httpx.AsyncClient, exporter: InMemorySpanExporter) -> None:
    provider = TracerProvider()
    with provider.get_tracer("caller").start_as_current_span("outer") as outer:
        await http.get("/v1/keys")
    span = the_span(exporter)
    assert span.parent is not None
    assert span.parent.span_id == outer.get_span_context().span_id


async def test_without_an_exporter(http: httpx.AsyncClient) -> None:
    """The default: nothing is recorded, and nothing breaks."""
    assert isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)
    assert (await http.get("/v1/keys")).status_code == 200
