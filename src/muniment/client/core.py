"""The SDK without I/O: a call becomes a request, a response becomes a result or an error."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from json import dumps, loads
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from muniment.errors import Fault, InvalidInput, MunimentError, StartRefused

R = TypeVar("R")


@dataclass(frozen=True)
class Endpoint:
    """Where an operation lives: its name, method and path with ``{field}`` segments.

    One that ``writes`` is sent with an idempotency key. An argument of ``nullable`` is sent though
    it is None: null is a value there, and leaving it out is not.
    """

    operation: str
    method: str
    path: str
    writes: bool = False
    nullable: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Prepared:
    """A request to send: ``target`` is path and query."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes | None


class _Place(BaseModel):
    pointer: str
    detail: str


class _Problem(BaseModel):
    """A problem document of the service; what else is in it counts as extra."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: tuple[_Place, ...] = ()


# Numbers that are not finite stay what they are, to be refused and not sent as null.
_JSON: TypeAdapter[Any] = TypeAdapter(Any, config=ConfigDict(ser_json_inf_nan="constants"))
_PROBLEM = TypeAdapter(_Problem)
_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}
FOREIGN = "The answer is not one of this service."
"""What is said of an answer that something else gave: a proxy, or another service."""
_BROKEN = re.compile("[\ud800-\udfff]")
_LONGEST_ID = 256
LONGEST_TARGET = 60_000
"""Path and query in bytes: with its headers the head of a request is held to 65 536."""
ROUTE = "muniment-user"
"""The header that names, percent-encoded, the user that a call is about: for a balancer that sends
the calls of a user to one process. The service does not read it.
"""


def prepare(
    endpoint: Endpoint,
    arguments: Mapping[str, Any],
    key: str,
    idempotency_key: str | None = None,
) -> Prepared:
    """The request of a call. Arguments that are None are left out unless the endpoint takes null.

    Broken text travels escaped, for the service to repair. Raises InvalidInput for an argument
    that is not data, a number that is not finite, broken text in the path or the query, and a key
    that no header can hold, or that is empty; and names that are too long for an address.
    """
    authorization = bearer(key)
    given = {
        name: value
        for name, value in arguments.items()
        if value is not None or name in endpoint.nullable
    }
    try:
        prepared = _prepared(endpoint, _plain(given), authorization)
    except (ValueError, TypeError, RecursionError):
        raise InvalidInput(
            f"{endpoint.operation}: an argument cannot be sent: a value that is not data, a number "
            "that is not finite, or broken characters in a name."
        ) from None
    if len(prepared.target) > LONGEST_TARGET:
        raise InvalidInput(
            f"{endpoint.operation}: a name is too long for an address.",
            faults=[Fault(f"/{_longest(endpoint, given)}", "is too long for an address")],
        )
    if idempotency_key is None:
        return prepared
    name = _header_text("idempotency key", idempotency_key)
    return replace(prepared, headers={**prepared.headers, "idempotency-key": name})


def bearer(key: str) -> str:
    """The header that names a key. Raises InvalidInput for one that no header can hold, or that is
    empty.
    """
    text = _header_text("API key", key)
    if not text:
        raise InvalidInput("The API key is empty.")
    return f"Bearer {text}"


def _header_text(what: str, text: str) -> str:
    """The text without white space around it, as a file or a shell may leave."""
    text = text.strip()
    if not text.isascii() or not text.isprintable():
        raise InvalidInput(f"The {what} is not printable ASCII.")
    return text


def _plain(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments as JSON has them, broken text left as it is."""
    try:
        plain: dict[str, Any] = _JSON.dump_python(given, mode="json")
    except ValueError:
        # Broken text in the key of a dict is too much for the library.
        plain = loads(dumps(given, default=_members, allow_nan=False))
    return plain


def _members(value: Any) -> Any:
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return _JSON.dump_python(value, mode="json")


def _prepared(endpoint: Endpoint, given: dict[str, Any], authorization: str) -> Prepared:
    target, user = endpoint.path, given.get("user_id")
    for name in [part[1:-1] for part in target.split("/") if part.startswith("{")]:
        target = target.replace(f"{{{name}}}", _escape(_text(given.pop(name, ""))))
    headers = {"authorization": authorization, "accept": "application/json"}
    if isinstance(user, str) and len(user) <= _LONGEST_ID and not _BROKEN.search(user):
        headers[ROUTE] = quote(user, safe="")
    if endpoint.method in ("GET", "DELETE"):
        query = "&".join(
            f"{_escape(name)}={_escape(_text(value))}" for name, value in given.items()
        )
        return Prepared(endpoint.method, f"{target}?{query}" if query else target, headers, None)
    headers["content-type"] = "application/json"
    body = dumps(given, ensure_ascii=False, allow_nan=False)
    if _BROKEN.search(body):
        body = dumps(given)
    return Prepared(endpoint.method, target, headers, body.encode())


def _longest(endpoint: Endpoint, given: Mapping[str, Any]) -> str:
    """The argument that takes most of the target."""
    in_target = endpoint.method in ("GET", "DELETE")
    plain = _plain(dict(given))
    sizes = {
        name: len(_escape(_text(value)))
        for name, value in plain.items()
        if in_target or f"{{{name}}}" in endpoint.path
    }
    return max(sizes, key=lambda name: sizes[name])


def read(result: type[R], status: int, body: bytes) -> R:
    """The result of a response. Raises the error that the service raised, and one of the root
    class for an answer that is not of this service.
    """
    if not 200 <= status < 300:
        raise error_of(body)
    if result not in _ADAPTERS:
        _ADAPTERS[result] = TypeAdapter(result)
    try:
        found: R = _ADAPTERS[result].validate_json(body)
    except ValidationError:
        raise MunimentError(FOREIGN) from None
    return found


def error_of(body: bytes) -> MunimentError:
    """The error behind a problem document; of the root class where it is not one."""
    try:
        document = _PROBLEM.validate_json(body)
    except ValidationError:
        return MunimentError(FOREIGN)
    return _classes().get(document.code, MunimentError)(
        document.detail,
        faults=[Fault(one.pointer, one.detail) for one in document.errors],
        extra=document.model_extra,
    )


@cache
def _classes() -> dict[str, type[MunimentError]]:
    """Classes by code, without the one that only a start raises."""
    return {
        found.code: found for found in _tree(MunimentError) if not issubclass(found, StartRefused)
    }


def _tree(root: type[MunimentError]) -> Iterator[type[MunimentError]]:
    yield root
    for child in root.__subclasses__():
        yield from _tree(child)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else dumps(value, allow_nan=False)


def _escape(text: str) -> str:
    """Percent-encode a segment; dots too, since clients fold ``.`` and ``..`` away."""
    escaped = quote(text, safe="")
    return escaped.replace(".", "%2E") if set(text) <= {"."} else escaped
