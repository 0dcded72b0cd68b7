"""Every operation of the registry is offered on every surface, with the same fields."""

import inspect
from dataclasses import fields
from pathlib import Path
from typing import Any, get_origin, get_type_hints

import pytest
import typer
from typer.main import get_command

from muniment.client import AsyncClient, Client
from muniment.operations.operation import VERBS, Effect, Operation
from muniment.operations.registry import REGISTRY
from muniment.surfaces.cli.main import make_cli
from muniment.surfaces.http.openapi import openapi_document
from muniment.surfaces.http.router import Router

OPERATIONS = list(REGISTRY.values())
NAMES = list(REGISTRY)
DOCUMENT = openapi_document(OPERATIONS)
REFERENCE = Path(__file__).parents[2] / "docs/reference/operations.md"

# What other services call it.
OTHER_NAMES_OF_CURSORS = {"after", "before", "offset", "page", "page_token", "start", "next_token"}

each = pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)


def method(client: Any, operation: Operation[Any, Any]) -> Any:
    """The SDK's method of an operation."""
    found = getattr(client, operation.family)
    return found if operation.name == operation.family else getattr(found, operation.action)


@each
def test_http_routes_it(operation: Operation[Any, Any]) -> None:
    router = Router([(one.http.method, one.http.path, one.name) for one in OPERATIONS])
    path = operation.http.path.replace("{", "").replace("}", "")
    target, values = router.match(operation.http.method, path.encode())
    assert (target, set(values)) == (operation.name, set(operation.http.path_fields))
    assert set(operation.http.path_fields) <= set(operation.field_names)


@each
def test_openapi_describes_it(operation: Operation[Any, Any]) -> None:
    entry = DOCUMENT["paths"][operation.http.path][operation.http.method.lower()]
    names = {one["name"] for one in entry["parameters"] if "name" in one}
    if "requestBody" in entry:
        names |= set(entry["requestBody"]["content"]["application/json"]["schema"]["properties"])
    assert names == set(operation.field_names)
    assert entry["operationId"] == operation.name


@each
def test_the_sdk_has_it_twice_with_the_same_fields(operation: Operation[Any, Any]) -> None:
    for client in (Client("http://x", "k"), AsyncClient("http://x", "k")):
        call = method(client, operation)
        extra = {"idempotency_key"} if operation.effect is not Effect.READ else set()
        assert set(inspect.signature(call).parameters) == {*operation.field_names, *extra}
        assert inspect.iscoroutinefunction(call) == isinstance(client, AsyncClient)
        assert call.__doc__.startswith(operation.summary)


@each
def test_the_command_line_has_it_with_the_same_fields(operation: Operation[Any, Any]) -> None:
    command: Any = get_command(make_cli())
    for part in operation.name.split("."):
        command = command.commands[part]
    names = {parameter.name for parameter in command.params} - {"help"}
    assert names == {*operation.field_names, "as_json"}
    arguments = {p.name for p in command.params if p.param_type_name == "argument"}
    assert arguments == set(operation.http.path_fields)


@each
def test_the_reference_describes_it(operation: Operation[Any, Any]) -> None:
    assert f"\n## {operation.name}\n" in REFERENCE.read_text(encoding="utf-8")


def is_paged(operation: Operation[Any, Any]) -> bool:
    """Whether the answer may go on in another call."""
    named = {one.name for one in fields(operation.result)} | set(operation.field_names)
    return operation.action == "list" or bool(named & {"cursor", "next", *OTHER_NAMES_OF_CURSORS})


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if is_paged(one)])
def test_every_list_is_paged_under_the_same_names(operation: Operation[Any, Any]) -> None:
    asked, answered = get_type_hints(operation.command), get_type_hints(operation.result)
    assert asked["cursor"] == str | None
    assert asked["limit"] is int
    assert get_origin(answered["items"]) is tuple
    assert answered["next"] == str | None
    assert not set(operation.field_names) & OTHER_NAMES_OF_CURSORS


@each
def test_it_is_declared_whole(operation: Operation[Any, Any]) -> None:
    assert operation.verb in VERBS
    assert (operation.http.method == "GET") <= (operation.effect is Effect.READ)
    assert (operation.http.method == "DELETE") <= (operation.effect is Effect.DESTRUCTIVE)
    assert operation.command.__doc__
    assert operation.result.__doc__
    assert operation.summary == operation.summary.strip(".")


def test_names_are_unique_on_every_surface() -> None:
    places = [(one.http.method, one.http.path) for one in OPERATIONS]
    assert len(set(places)) == len(places)
    assert isinstance(make_cli(), typer.Typer)
