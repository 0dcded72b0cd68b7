"""One call as three surfaces make it: the parser alone, a bare HTTP client, the SDK."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_from_bytes

import httpx

from muniment.client import Client
from muniment.errors import MunimentError
from muniment.operations.operation import Operation


@dataclass(frozen=True)
class Answer:
    """What came back: the code of the error (None: done), the pointers of its faults, the result."""

    code: str | None
    pointers: tuple[str, ...] = ()
    result: Any = None
    status: int | None = None

    def refuses(self, pointer: str) -> bool:
        """Whether the place, or something inside it, was refused; or the text could not be sent."""
        inside = any(one == pointer or one.startswith(f"{pointer}/") for one in self.pointers)
        return self.code == "invalid_input" and (inside or not self.pointers)


def refused(error: MunimentError) -> Answer:
    """An error as an answer."""
    return Answer(error.code, tuple(fault.pointer for fault in error.faults))


def parse(operation: Operation[Any, Any], command: Mapping[str, Any]) -> Answer:
    """Through the parser alone."""
    try:
        parsed = operation.parse(json.dumps(command).encode(), {})
    except MunimentError as error:
        return refused(error)
    return Answer(None, result=operation.commands.dump_python(parsed.command, mode="json"))


def over_http(
    client: httpx.Client, operation: Operation[Any, Any], command: Mapping[str, Any]
) -> Answer:
    """As a client that knows nothing but HTTP and the document."""
    given = dict(command)
    target = operation.http.path
    for name in operation.http.path_fields:
        target = target.replace(f"{{{name}}}", _escaped(given.pop(name)))
    content, headers = None, {}
    if operation.http.method in ("GET", "DELETE"):
        target += "?" + "&".join(f"{name}={_escaped(value)}" for name, value in given.items())
    else:
        content, headers = json.dumps(given).encode(), {"content-type": "application/json"}
    response = client.request(operation.http.method, target, content=content, headers=headers)
    assert response.status_code < 500, f"{operation.name}: {response.text}"
    document = response.json()
    if response.is_success:
        return Answer(None, result=document, status=response.status_code)
    assert response.headers["content-type"] == "application/problem+json"
    pointers = tuple(one["pointer"] for one in document.get("errors", ()))
    return Answer(document["code"], pointers, status=response.status_code)


def over_sdk(client: Client, operation: Operation[Any, Any], command: Mapping[str, Any]) -> Answer:
    """As a program that uses the SDK."""
    call = getattr(client, operation.family)
    if operation.name != operation.family:
        call = getattr(call, operation.action)
    try:
        return Answer(None, result=call(**command))
    except MunimentError as error:
        return refused(error)


def _escaped(value: Any) -> str:
    """Every byte of it escaped; broken text becomes bytes that are no UTF-8."""
    text = value if isinstance(value, str) else json.dumps(value)
    raw = text.encode("utf-8", "surrogatepass")
    kept = quote_from_bytes(raw, safe="")
    return kept.replace(".", "%2E")
