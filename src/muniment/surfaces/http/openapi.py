"""OpenAPI 3.1, generated from the registry's types."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from muniment.errors import (
    Forbidden,
    InvalidInput,
    MalformedBody,
    MunimentError,
    StorageFull,
    TooLarge,
    Unauthenticated,
    Unavailable,
    UnsupportedMedia,
)
from muniment.operations.operation import Effect, Operation
from muniment.surfaces.http.problems import STATUS

_REF = "#/components/schemas/{model}"
_EVERYWHERE: tuple[type[MunimentError], ...] = (
    Unauthenticated, Forbidden, InvalidInput, Unavailable,
)  # fmt: skip
_WITH_BODY: tuple[type[MunimentError], ...] = (MalformedBody, TooLarge, UnsupportedMedia)
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
            "schemas": dict(sorted(schemas.items())),
        },
    }


def _entry(operation: Operation[Any, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    command = _lifted(operation.commands.json_schema(ref_template=_REF), schemas)
    result = _lifted(
        operation.results.json_schema(ref_template=_REF, mode="serialization"), schemas
    )
    _place(operation.result.__name__, result, schemas)
    entry: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": command.get("description", ""),
        "tags": [operation.family],
        "x-effect": operation.effect.value,
        "x-verb": operation.verb,
        "x-layer": operation.layer,
        "parameters": _parameters(operation, command),
        "responses": {
            str(operation.http.status): {
                "description": "Done.",
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
    return [
        _parameter(name, command["properties"][name], name in in_path, name in required)
        for name in names
    ]


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
    errors = [*_EVERYWHERE, *operation.errors]
    if operation.http.method in ("POST", "PUT"):
        errors += _WITH_BODY
    if operation.effect is not Effect.READ:
        errors.append(StorageFull)
    by_status: dict[int, list[type[MunimentError]]] = {}
    for error in errors:
        by_status.setdefault(STATUS[error], []).append(error)
    return {
        str(status): {
            "description": " ".join(dict.fromkeys(error.title for error in found)),
            "content": {
                "application/problem+json": {"schema": {"$ref": _REF.format(model="Problem")}}
            },
        }
        for status, found in sorted(by_status.items())
    }
