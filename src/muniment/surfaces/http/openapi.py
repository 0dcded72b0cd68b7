"""OpenAPI 3.1, generated from the registry's types."""

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

from muniment.errors import (
    AlreadyDone,
    Conflict,
    Forbidden,
    Forgotten,
    InFlight,
    InvalidInput,
    KeyReused,
    MalformedBody,
    MunimentError,
    Overtaken,
    QuotaExceeded,
    RateLimited,
    StorageFull,
    TooLarge,
    Unauthenticated,
    Unavailable,
    UnsupportedMedia,
    WritesRefused,
)
from muniment.operations.operation import Effect, Operation
from muniment.surfaces.http.problems import STATUS
from muniment.surfaces.http.reading import IDEMPOTENCY_KEY

_REF = "#/components/schemas/{model}"
_EVERYWHERE: tuple[type[MunimentError], ...] = (
    Unauthenticated, Forbidden, InvalidInput, RateLimited, Unavailable, Overtaken,
)  # fmt: skip
_WITH_BODY: tuple[type[MunimentError], ...] = (MalformedBody, TooLarge, UnsupportedMedia)
_OF_WRITES: tuple[type[MunimentError], ...] = (
    Conflict, InFlight, KeyReused, StorageFull, QuotaExceeded,
)  # fmt: skip
_PROBLEM = {
    "type": "object",
    "description": "A problem document (RFC 9457).",
    "required": ["type", "title", "status", "code", "detail", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["pointer", "detail"],
                "properties": {"pointer": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}

_TEXT = {"type": "string"}
_SECONDS = {"type": "integer", "minimum": 0}
_HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "description": "The id of the request: the one that it came with, or a new one.",
        "required": True,
        "schema": _TEXT,
    },
    "RateLimit": {"description": "What is left of the nearest limit.", "schema": _TEXT},
    "RateLimit-Policy": {"description": "That limit, and its window.", "schema": _TEXT},
    "Retry-After": {"description": "Seconds to wait.", "schema": _SECONDS},
    "WWW-Authenticate": {"required": True, "schema": {"const": "Bearer"}},
    "Idempotency-Replayed": {
        "description": "This is the answer that the key got before; nothing was done again.",
        "schema": {"const": "true"},
    },
}
_LIMITS = ("RateLimit", "RateLimit-Policy")
_DONE = ("X-Request-Id", *_LIMITS)
_REPLAYED = ("Idempotency-Replayed",)
_WITH_STATUS: dict[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    409: ("Retry-After",),
    429: ("Retry-After", *_LIMITS),
    503: ("Retry-After",),
}
_IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": (
        "A name that the client makes up for the request, quoted or bare. The same request under "
        "the same key is done once, and for 24 hours its answer is given again."
    ),
    "schema": {"type": "string", "pattern": IDEMPOTENCY_KEY},
}


def openapi_document(operations: Iterable[Operation[Any, Any]]) -> dict[str, Any]:
    """The document of these operations; always the same for the same registry."""
    schemas: dict[str, Any] = {"Problem": _PROBLEM}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        entry = _entry(operation, schemas)
        paths.setdefault(operation.http.path, {})[operation.http.method.lower()] = entry
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Muniment",
            "version": version("muniment"),
            "description": "A self-hosted memory service for AI agents.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "headers": _HEADERS,
            "parameters": {_IDEMPOTENCY_KEY["name"]: _IDEMPOTENCY_KEY},
            "schemas": dict(sorted(schemas.items())),
        },
    }


def _entry(operation: Operation[Any, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    command = _lifted(operation.commands.json_schema(ref_template=_REF), schemas)
    result = _lifted(
        operation.results.json_schema(ref_template=_REF, mode="serialization"), schemas
    )
    _place(operation.result.__name__, result, schemas)
    writes = operation.effect is not Effect.READ
    entry: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": command.get("description", ""),
        "tags": [operation.family],
        "x-effect": operation.effect.value,
        "x-verb": operation.verb,
        "x-proposable": operation.proposable,
        "x-layer": operation.layer,
        "parameters": _parameters(operation, command),
        "responses": {
            str(operation.http.status): {
                "description": "Done.",
                "headers": _headers(*_DONE, *(_REPLAYED if writes else ())),
                "content": {
                    "application/json": {
                        "schema": {"$ref": _REF.format(model=operation.result.__name__)}
                    }
                },
            },
            **_problems(operation),
        },
    }
    if operation.http.method in ("POST", "PUT"):
        entry["requestBody"] = {
            "required": bool(_body_schema(operation, command)["required"]),
            "content": {"application/json": {"schema": _body_schema(operation, command)}},
        }
    return entry


def _lifted(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """The schema without its definitions, which go among the components."""
    for name, definition in schema.pop("$defs", {}).items():
        _place(name, definition, schemas)
    return schema


def _place(name: str, definition: dict[str, Any], schemas: dict[str, Any]) -> None:
    if schemas.setdefault(name, definition) != definition:
        raise ValueError(f"two types of the registry are called {name}")


def _parameters(operation: Operation[Any, Any], command: dict[str, Any]) -> list[dict[str, Any]]:
    in_path = operation.http.path_fields
    names = list(in_path)
    if operation.http.method in ("GET", "DELETE"):
        names += [name for name in command["properties"] if name not in in_path]
    required = command.get("required", [])
    found = [
        _parameter(name, command["properties"][name], name in in_path, name in required)
        for name in names
    ]
    if operation.effect is not Effect.READ:
        found.append({"$ref": f"#/components/parameters/{_IDEMPOTENCY_KEY['name']}"})
    return found


def _parameter(name: str, schema: dict[str, Any], in_path: bool, required: bool) -> dict[str, Any]:
    parameter: dict[str, Any] = {
        "name": name,
        "in": "path" if in_path else "query",
        "required": in_path or required,
    }
    kinds = [schema, *schema.get("anyOf", [])]
    if any(kind.get("type") in ("array", "object") for kind in kinds):
        # Lists and objects travel as JSON in a query.
        return parameter | {"content": {"application/json": {"schema": schema}}}
    return parameter | {"schema": schema}


def _body_schema(operation: Operation[Any, Any], command: dict[str, Any]) -> dict[str, Any]:
    in_path = operation.http.path_fields
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {k: v for k, v in command["properties"].items() if k not in in_path},
        "required": [name for name in command.get("required", []) if name not in in_path],
    }


def _problems(operation: Operation[Any, Any]) -> dict[str, Any]:
    """The responses of every error that the operation may answer with, by status."""
    errors = [*_EVERYWHERE, *operation.errors]
    if WritesRefused in errors:
        errors.append(Forgotten)
    if operation.http.method in ("POST", "PUT"):
        errors += _WITH_BODY
    if operation.effect is not Effect.READ:
        errors += _OF_WRITES
    if operation.secret:
        errors.append(AlreadyDone)
    by_status: dict[int, list[type[MunimentError]]] = {}
    for error in dict.fromkeys(errors):
        by_status.setdefault(STATUS[error], []).append(error)
    return {str(status): _problem(status, found) for status, found in sorted(by_status.items())}


def _problem(status: int, errors: Sequence[type[MunimentError]]) -> dict[str, Any]:
    codes = {"properties": {"code": {"enum": sorted(error.code for error in errors)}}}
    schema = {"allOf": [{"$ref": _REF.format(model="Problem")}, codes]}
    return {
        "description": " ".join(error.title for error in errors),
        "headers": _headers("X-Request-Id", *_WITH_STATUS.get(status, ())),
        "content": {"application/problem+json": {"schema": schema}},
    }


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
