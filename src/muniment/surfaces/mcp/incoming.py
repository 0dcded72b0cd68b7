"""A message as it came in: read as strictly as every body, before any library sees it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from muniment.errors import Fault, InvalidInput
from muniment.operations.decode import clean, decode
from muniment.operations.operation import Operation
from muniment.ports import Caller
from muniment.surfaces.http.reading import IDEMPOTENCY_KEY

IDEMPOTENCY_META = "muniment/idempotency-key"
"""Where a call says its idempotency key, and its result says which one it had."""
BINDABLE = ("user_id", "namespace", "agent_id")
"""What the address of the endpoint may fix for every call."""


@dataclass(frozen=True)
class Message:
    """The parts of a message that the service reads itself.

    ``arguments`` are those of a tool call as they were sent; ``body`` is what the protocol's
    library is given, with broken characters repaired. ``streams``: it asks for progress.
    """

    method: str | None
    arguments: Any
    body: bytes
    streams: bool = False


@dataclass(frozen=True)
class Incoming:
    """A message, whose it is, and what the address fixes."""

    token: str
    request_id: str
    bound: Mapping[str, str]
    message: Message
    key: str | None = None
    caller: Caller | None = None

    def fixed(self, operation: Operation[Any, Any]) -> dict[str, str]:
        """Fields of an operation that the address gives."""
        names = operation.field_names
        return {name: value for name, value in self.bound.items() if name in names}


def read_message(raw: bytes) -> Message:
    """Read a body. Raises MalformedBody for what is not JSON as the service reads it, and
    InvalidInput for what is no message of JSON-RPC.
    """
    document = decode(raw)
    repairs: list[Fault] = []
    cleaned = clean(document, "", repairs)
    if faults := _faults(cleaned):
        raise InvalidInput("This is not a message of JSON-RPC 2.0.", faults=faults)
    method, params = document.get("method"), document.get("params", {})
    arguments = params.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        # The library would refuse the whole message; the operation says what is wrong with it.
        cleaned["params"]["arguments"] = {}
        repairs.append(Fault("/params/arguments", "expected an object"))
    body = json.dumps(cleaned, ensure_ascii=False).encode() if repairs else raw
    meta = params.get("_meta")
    return Message(method, arguments, body, isinstance(meta, dict) and "progressToken" in meta)


def id_of(raw: bytes) -> str | int | None:
    """The id of a body that is JSON, if it has one that an answer can name."""
    document = decode(raw)
    given = document.get("id") if isinstance(document, dict) else None
    found: str | int | None = clean(given, "", []) if _is_id(given) else None
    return found


def _faults(document: Any) -> list[Fault]:
    """What keeps it from being a request, a notification or a response; nothing does so to one."""
    if not isinstance(document, dict):
        return [Fault("", "expected an object")]
    right = {
        "/jsonrpc": document.get("jsonrpc") == "2.0",
        "/id": _is_id(document["id"]) if "id" in document else "method" in document,
        "/params": isinstance(document.get("params", {}), dict),
        "/method": isinstance(document.get("method", ""), str),
    }
    if "method" not in document:
        right["/method"] = ("result" in document) != ("error" in document)
    return [Fault(place, "is not what it has to be") for place, fits in right.items() if not fits]


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def bound_by(query: Mapping[str, str]) -> dict[str, str]:
    """What the query of the address fixes. Raises InvalidInput for any other name."""
    for name in query:
        if name not in BINDABLE:
            raise InvalidInput(faults=[Fault(f"/{name}", "is not one that an address may fix")])
    return dict(query)


def idempotency_key(meta: Any, header: str | None) -> str | None:
    """The key that a call brings, before that of its request. Raises InvalidInput for what is not
    one.
    """
    given = meta.get(IDEMPOTENCY_META) if isinstance(meta, Mapping) else None
    if given is None:
        return header
    if not isinstance(given, str) or not re.fullmatch(IDEMPOTENCY_KEY, given):
        fault = Fault("", "1 to 255 printable ASCII characters, quoted or bare")
        raise InvalidInput(f"The value of {IDEMPOTENCY_META} is not a key.", faults=[fault])
    return given.removeprefix('"').removesuffix('"')
