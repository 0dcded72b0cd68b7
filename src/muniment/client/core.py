"""The SDK without I/O: a call becomes a request, a response becomes a result or an error."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from json import JSONDecodeError, dumps, loads
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import TypeAdapter

from muniment.errors import Fault, MunimentError, StartRefused

R = TypeVar("R")


@dataclass(frozen=True)
class Endpoint:
    """Where an operation lives: its name, method and path with ``{field}`` segments."""

    operation: str
    method: str
    path: str


@dataclass(frozen=True)
class Prepared:
    """A request to send: ``target`` is path and query."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes | None


_JSON: TypeAdapter[Any] = TypeAdapter(Any)


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def prepare(endpoint: Endpoint, arguments: Mapping[str, Any], key: str) -> Prepared:
    """The request of a call. Arguments that are None are left out."""
    given = loads(_JSON.dump_json({k: v for k, v in arguments.items() if v is not None}))
    target = endpoint.path
    for name in [part[1:-1] for part in target.split("/") if part.startswith("{")]:
        target = target.replace(f"{{{name}}}", _escape(_text(given.pop(name, ""))))
    headers = {"authorization": f"Bearer {key}", "accept": "application/json"}
    if endpoint.method in ("GET", "DELETE"):
        query = "&".join(
            f"{_escape(name)}={_escape(_text(value))}" for name, value in given.items()
        )
        return Prepared(endpoint.method, f"{target}?{query}" if query else target, headers, None)
    headers["content-type"] = "application/json"
    return Prepared(endpoint.method, target, headers, dumps(given, ensure_ascii=False).encode())


def read(result: type[R], status: int, body: bytes) -> R:
    """The result of a response. Raises the error that the service raised."""
    if status < 300:
        if result not in _ADAPTERS:
            _ADAPTERS[result] = TypeAdapter(result)
        found: R = _ADAPTERS[result].validate_json(body)
        return found
    raise error_of(body)


def error_of(body: bytes) -> MunimentError:
    """The error behind a problem document; of the root class where it is not one."""
    try:
        document = loads(body)
    except (JSONDecodeError, UnicodeDecodeError):
        document = None
    if not isinstance(document, dict):
        return MunimentError("The answer is not one of this service.")
    known = ("type", "title", "status", "code", "detail", "errors")
    return _classes().get(str(document.get("code")), MunimentError)(
        str(document.get("detail", "")),
        faults=[
            Fault(str(one.get("pointer")), str(one.get("detail")))
            for one in document.get("errors", [])
        ],
        extra={name: value for name, value in document.items() if name not in known},
    )


@cache
def _classes() -> dict[str, type[MunimentError]]:
    """Classes by code, without the one that only a start raises."""
    return {found.code: found for found in _tree(MunimentError) if found is not StartRefused}


def _tree(root: type[MunimentError]) -> Iterator[type[MunimentError]]:
    yield root
    for child in root.__subclasses__():
        yield from _tree(child)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else dumps(value)


def _escape(text: str) -> str:
    """Percent-encode a segment; dots too, since clients fold ``.`` and ``..`` away."""
    escaped = quote(text, safe="")
    return escaped.replace(".", "%2E") if set(text) <= {"."} else escaped
