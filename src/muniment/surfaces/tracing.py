"""OpenTelemetry spans of operations, in the words of the gen_ai memory conventions; no content.

Without an SDK installed and configured by the operator the API's spans do nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode

from muniment.errors import MunimentError
from muniment.operations.operation import Operation

_PROVIDER = "muniment"
_NAMES = {
    "recall": "search_memory",
    "profile.get": "search_memory",
    "memories.list": "search_memory",
    "memories.get": "search_memory",
    "memories.history": "search_memory",
    "memories.remember": "upsert_memory",
    "events.write": "create_memory",
    "working.put": "upsert_memory",
    "working.get": "search_memory",
    "working.list": "search_memory",
    "working.delete": "delete_memory",
    "sessions.close": "update_memory",
    "sessions.consolidate": "update_memory",
    "forget": "delete_memory",
    "tenants.create": "create_memory_store",
}
_tracer = trace.get_tracer("muniment")


@contextmanager
def span_of(operation: Operation[Any, Any], request_id: str) -> Iterator[None]:
    """A span around one operation; an error of the service marks it with its code."""
    name = _NAMES.get(operation.name, operation.name)
    with _tracer.start_as_current_span(
        f"{name} {_PROVIDER}",
        kind=SpanKind.SERVER,
        attributes={
            "gen_ai.operation.name": name,
            "gen_ai.provider.name": _PROVIDER,
            "muniment.operation": operation.name,
            "muniment.request_id": request_id,
        },
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield
        except MunimentError as error:
            span.set_attribute("error.type", error.code)
            span.set_status(Status(StatusCode.ERROR, error.code))
            raise
