"""OpenTelemetry spans of operations, in the words of the gen_ai memory conventions; no content.

Without an SDK installed and configured by the operator the API's spans do nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from muniment.errors import Internal, MunimentError
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
    "events.list": "search_memory",
    "working.put": "upsert_memory",
    "working.get": "search_memory",
    "working.list": "search_memory",
    "working.delete": "delete_memory",
    "sessions.close": "update_memory",
    "sessions.consolidate": "update_memory",
    "forget": "delete_memory",
    "tenants.create": "create_memory_store",
}
_RECORDS = ("items", "verdicts")
_tracer = trace.get_tracer("muniment")


@contextmanager
def span_of(operation: Operation[Any, Any], request_id: str) -> Iterator[Span]:
    """A span around one operation; an error marks it with its code, and is not recorded itself."""
    name = _NAMES.get(operation.name)
    attributes = {"muniment.operation": operation.name, "muniment.request_id": request_id}
    if name is not None:
        attributes |= {"gen_ai.operation.name": name, "gen_ai.provider.name": _PROVIDER}
    with _tracer.start_as_current_span(
        name or operation.name,
        kind=SpanKind.SERVER,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except Exception as error:
            code = error.code if isinstance(error, MunimentError) else Internal.code
            span.set_attribute("error.type", code)
            span.set_status(Status(StatusCode.ERROR, code))
            raise


def note_records(operation: Operation[Any, Any], span: Span, result: object) -> None:
    """Say how many records an answer is about, where they are several."""
    for name in _RECORDS if operation.name in _NAMES else ():
        records = getattr(result, name, None)
        if isinstance(records, tuple):
            span.set_attribute("gen_ai.memory.record.count", len(records))
